"""The line about a game: what is played, its state, mines and clock."""

from __future__ import annotations

from typing import Final

from jminesweeper.core.grid import Cell
from jminesweeper.terminal.layout import Layout
from jminesweeper.terminal.lines import Line, apart, gap, join, span
from jminesweeper.terminal.styles import Style
from jminesweeper.terminal.text import format_clock
from jminesweeper.terminal.view import LOST, PAUSED, PLAYING, WON, View, Watched
from jminesweeper.terminal.words import LOOKING, NAME, REMARKS, STATES

_OUTCOMES: Final = {WON: Style.GOOD, LOST: Style.BAD}
_CLOCK_COLUMNS = 5


def compose_header(
    view: View, layout: Layout, cursor: Cell, clock_ms: int, states: tuple[str, ...]
) -> Line:
    """Name the board at the left; tell its state, mines and clock at the right.

    `states` are the same in fewer and fewer words: where there is little room, what matters least
    is left out first.
    """
    digits = max(3, len(str(view.mines)))
    clock = format_clock(clock_ms)
    figures = span(f"{view.left:>{digits}}  {clock:>{_CLOCK_COLUMNS}}")
    place = Line()
    if layout.is_windowed and view.state in {PLAYING, PAUSED}:
        # Where the field is scrolled, the cursor's place is told as long as the game runs.
        place = span(f"{cursor.column:>3},{cursor.row:<3}  ")
    label = span(view.label)
    if view.watching is not None:
        label = span(_watching(view.watching), Style.WARNING) + gap(2) + label
    short = place + label
    full = join([place, span(NAME, Style.TITLE), gap(2), label])
    style = _OUTCOMES.get(view.state, Style.WARNING)
    said = [span(state, style) + gap(2 if state else 0) for state in states]
    named = join([said[0], span("mines ", Style.ASIDE), figures])
    choices = [(full, named), (short, named), *((short, each + figures) for each in said)]
    fitting = (each for each in choices if len(each[0]) + 2 + len(each[1]) <= layout.width)
    left, right = next(fitting, choices[-1])
    return gap(layout.left) + apart(left, right, layout.width)


def _watching(watched: Watched) -> str:
    return f"watching {watched.name}{' (gone)' if watched.gone else ''}"


def states_of(view: View, clock_ms: int, ends_in_s: int = 0) -> tuple[str, str]:
    """Write a few words on how the game goes, and the least of them."""
    is_assisted = "assisted" in view.remark
    told = (each for each in view.remark if not (is_assisted and each == "repeat"))
    remarks = (REMARKS.get(each, "") for each in told)
    watchers = f"{view.watchers} watching" if view.watchers else ""
    least = (
        STATES.get(view.state, ""),
        _lives(view),
        f"ends in {ends_in_s} s" if ends_in_s else "",
    )
    looking = LOOKING if view.looking else ""
    every = (*least, *remarks, watchers, looking, _pace(view, clock_ms))
    return " ".join(filter(None, every)), " ".join(filter(None, least))


def _lives(view: View) -> str:
    if view.lives is None:
        return ""
    return "1 life" if view.lives == 1 else f"{view.lives} lives"


def _pace(view: View, clock_ms: int) -> str:
    """Write how fast and how economical the game is."""
    if view.pace is None or view.pace[1] < 1:
        return ""
    known, clicks = view.pace
    return f"{1000 * known / max(1_000, clock_ms):.2f}/s {100 * known / clicks:.0f} %"
