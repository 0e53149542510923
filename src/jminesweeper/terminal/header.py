"""The line about a game: what is played, its state, mines and clock."""

from __future__ import annotations

from typing import Final

from jminesweeper.core.grid import Cell
from jminesweeper.terminal.layout import Layout
from jminesweeper.terminal.lines import Line, apart, gap, join, span
from jminesweeper.terminal.styles import Style
from jminesweeper.terminal.text import format_clock
from jminesweeper.terminal.view import LOST, PAUSED, PLAYING, WON, View
from jminesweeper.terminal.words import NAME, REMARKS, STATES

_OUTCOMES: Final = {WON: Style.GOOD, LOST: Style.BAD}
_CLOCK_COLUMNS = 5


def compose_header(view: View, layout: Layout, cursor: Cell, clock_ms: int, state: str) -> Line:
    """Name the board at the left; tell its state, mines and clock at the right.

    Where there is little room, what matters least is left out first.
    """
    said = span(state, _OUTCOMES.get(view.state, Style.WARNING))
    said += gap(2) if state else Line()
    digits = max(3, len(str(view.mines)))
    clock = format_clock(clock_ms)
    figures = span(f"{view.left:>{digits}}  {clock:>{_CLOCK_COLUMNS}}")
    place = Line()
    if layout.is_windowed and view.state in {PLAYING, PAUSED}:
        # Where the field is scrolled, the cursor's place is told as long as the game runs.
        place = span(f"{cursor.column:>3},{cursor.row:<3}  ")
    lefts = [join([place, span(NAME, Style.TITLE), gap(2), span(view.label)])]
    lefts.append(place + span(view.label))
    rights = [join([said, span("mines ", Style.ASIDE), figures]), said + figures]
    fitting = (
        (left, right)
        for left, right in ((lefts[0], rights[0]), (lefts[1], rights[0]))
        if len(left) + 2 + len(right) <= layout.width
    )
    left, right = next(fitting, (lefts[1], rights[1]))
    return gap(layout.left) + apart(left, right, layout.width)


def state_of(view: View, clock_ms: int) -> str:
    """Write a word or two on how the game goes."""
    remarks = (REMARKS.get(remark, "") for remark in view.remark)
    return " ".join(filter(None, (STATES.get(view.state, ""), *remarks, _pace(view, clock_ms))))


def _pace(view: View, clock_ms: int) -> str:
    """Write how fast and how economical the game is."""
    if view.pace is None or view.pace[1] < 1:
        return ""
    known, clicks = view.pace
    return f"{1000 * known / max(1_000, clock_ms):.2f}/s {100 * known / clicks:.0f} %"
