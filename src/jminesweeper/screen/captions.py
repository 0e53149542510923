"""The text above, below and beside the field: header, messages, figures, keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from jminesweeper.core.view import Status
from jminesweeper.screen.layout import Canvas, Layout
from jminesweeper.screen.lines import (
    BLANK,
    AnyLine,
    Line,
    centre,
    gap,
    indent,
    join,
    pad,
    span,
    spread_out,
)
from jminesweeper.screen.models import GameScreen, Message, Tone
from jminesweeper.screen.styles import Style
from jminesweeper.screen.symbols import legend_of
from jminesweeper.screen.text import clean, format_clock, wrapped

_NAME = "JMinesweeper"
_GAP: Final = span("  ")
_MINES: Final = span("mines ", Style.ASIDE)
_CLOCK_COLUMNS = 5
_OUTCOMES: Final = {Status.WON: Style.GOOD, Status.LOST: Style.BAD}
_TONES: Final = {
    Tone.PLAIN: Style.PLAIN,
    Tone.GOOD: Style.GOOD,
    Tone.BAD: Style.BAD,
    Tone.WARNING: Style.WARNING,
}
_BETWEEN = 3
_CLOSER = 2
_EASY_TO_READ = 78
_NARROWEST_BESIDE = 20
HANGING: Final = "  "
"""Before the rest of a line that is broken."""
"""Before the rest of a figure that takes two lines."""


class Header:
    """Composes the line above the field, and keeps all of it except its last figures.

    The board is named at the left; state, mines left and clock are at the right. Where there is
    little room, what matters least is left out first.
    """

    def __init__(self, layout: Layout, *, has_unicode: bool) -> None:
        self._layout = layout
        self._has_unicode = has_unicode
        self._key: tuple[object, ...] = ()
        self._figures = ""
        self._line = BLANK
        self._has_figures = False
        """Whether all of them fit at the line's end."""

    def compose(self, model: GameScreen) -> Line:
        """Return the line; the same one if nothing in it has changed."""
        view = model.view
        figures = _figures(view.mine_count, view.mines_left, model.elapsed_ms // 1000)
        # Where the field is scrolled, the cursor's place is shown as long as the game runs.
        place = model.cursor if self._layout.is_windowed else None
        key = (model.label, model.state, view.status, place, len(figures))
        if key != self._key or not self._has_figures:
            self._line = self._compose(model, figures)
        elif figures != self._figures:
            text, styles = self._line
            self._line = Line(text[: -len(figures)] + figures, styles)
        self._key, self._figures = key, figures
        return self._line

    def _compose(self, model: GameScreen, figures: str) -> Line:
        layout, has_unicode = self._layout, self._has_unicode
        width, is_over = layout.width, model.view.status.is_over
        told = _state(model.state, model.view.status, has_unicode=has_unicode)
        right = join((told, _MINES, span(figures)))
        left = _title(model.label, has_unicode=has_unicode)
        place = BLANK
        if layout.is_windowed and not is_over:
            # Written so that a step changes only a few columns.
            place = span(f"{model.cursor.column:>3},{model.cursor.row:<3}  ")
        if place.width + left.width + 2 + right.width > width:
            left = span(clean(model.label, has_unicode=has_unicode))
        if place.width + left.width + 2 + right.width > width:
            right = join((told, span(figures)))
        self._has_figures = right.width <= width
        return indent(spread_out(join((place, left)), right, width), layout.left)


@lru_cache(maxsize=4_096)
def _figures(mine_count: int, mines_left: int, elapsed_s: int) -> str:
    """Write the mines that are left and the clock, in as many columns throughout a game."""
    digits = max(3, len(str(mine_count)))
    return f"{mines_left:>{digits}}  {format_clock(elapsed_s):>{_CLOCK_COLUMNS}}"


def _title(label: str, *, has_unicode: bool) -> Line:
    return join((span(_NAME, Style.TITLE), _GAP, span(clean(label, has_unicode=has_unicode))))


def _state(text: str, status: Status, *, has_unicode: bool) -> Line:
    state = clean(text, has_unicode=has_unicode)
    style = _OUTCOMES.get(status, Style.WARNING)
    return join((span(state, style), _GAP)) if state else BLANK


class Foot(NamedTuple):
    """The lines under the frame, and the other text about a game that has ended."""

    lines: Sequence[Line]
    beside: Sequence[Line] = ()
    """Lines beside the field, from its first row on."""
    legend: Line = BLANK
    """The meaning of the signs on a lost field, between header and frame."""


def compose_message(message: Message, width: int, *, has_unicode: bool) -> list[Line]:
    """Compose a message in as many lines as it takes."""
    if not message.text:
        return []
    text = clean(message.text, has_unicode=has_unicode)
    return [span(line, _TONES[message.tone]) for line in wrapped(text, width)]


def compose_keys(keys: Sequence[tuple[str, str]], width: int) -> Line:
    """Compose a line of keys; without enough room they move closer, then the last are left out."""
    entries = [join((span(key, Style.KEY), span(f" {does}", Style.ASIDE))) for key, does in keys]
    line = _in_one_line(entries, _BETWEEN)
    if line.width <= width:
        return line
    shorter = (_in_one_line(entries[:count], _CLOSER) for count in range(len(entries), 0, -1))
    return next((line for line in shorter if line.width <= width), BLANK)


def key_at(
    lines: Sequence[AnyLine], keys: Sequence[tuple[str, str]], column: int, row: int
) -> str | None:
    """Find the key whose label is at a place of the last line of a screen."""
    if row != max((number for number, line in enumerate(lines) if line.width), default=-1):
        return None
    text, end = lines[row].text, 0
    for key, does in keys:
        start = text.find(f"{key} {does}", end)
        if start < 0:
            # This line holds a message, or had no room for this key.
            return None
        end = start + len(key) + 1 + len(does)
        if start <= column < end:
            return key
    return None


def _in_one_line(entries: Sequence[Line], between: int) -> Line:
    spaced = [part for entry in entries for part in (gap(between), entry)]
    return join(spaced[1:])


def compose_foot(
    model: GameScreen, shown_keys: Sequence[tuple[str, str]], canvas: Canvas, layout: Layout
) -> Foot:
    """Compose everything but the header and the field. None of it covers the field."""
    columns = layout.columns
    keys = centre(compose_keys(shown_keys, columns), columns)
    told = _told(model, canvas, layout)
    legend = _in_columns(_legend(model, canvas, layout), columns)
    above = BLANK
    if layout.gap_row is not None and len(legend) == 1:
        above = centre(legend.pop(), columns)
    figures = [clean(line, has_unicode=canvas.has_unicode) for line in model.summary]
    beside = _beside(figures, layout)
    if not beside:
        legend += _in_columns([span(figure) for figure in figures], columns)
    room = layout.foot_rows - len(told)
    if room < 0:
        # A message in full matters more than the keys.
        lines = told[: layout.foot_rows + 1]
        return Foot([centre(line, columns) for line in lines], beside, above)
    if legend and len(legend) < room:
        told = [*told, BLANK]
    lines = [*told, *legend][: layout.foot_rows]
    lines += [BLANK] * (layout.foot_rows - len(lines))
    return Foot([*(centre(line, columns) for line in lines), keys], beside, above)


def _told(model: GameScreen, canvas: Canvas, layout: Layout) -> list[Line]:
    """Compose the message and, if both have room, the aim under it."""
    has_unicode = canvas.has_unicode
    room = max(layout.width, min(layout.columns, _EASY_TO_READ))
    messages = compose_message(model.message, room, has_unicode=has_unicode)
    if not model.aim:
        return messages
    if model.message.text == model.aim:
        messages = []
    aim = compose_message(Message(model.aim), room, has_unicode=has_unicode)
    if len(aim) > layout.foot_rows:
        first_sentence = model.aim.partition(". ")[0] + "."
        aim = compose_message(Message(first_sentence), room, has_unicode=has_unicode)
    if messages and len(messages) + len(aim) > layout.foot_rows:
        return messages
    is_spaced = not messages and len(aim) < layout.foot_rows
    return [*messages, *([BLANK] if is_spaced else []), *aim]


def _legend(model: GameScreen, canvas: Canvas, layout: Layout) -> list[Line]:
    if model.view.status is not Status.LOST:
        return []
    signs = legend_of(canvas.symbols, is_wide=layout.shape.is_wide)
    return [join((span(sign, style), span(f" {name}", Style.ASIDE))) for sign, name, style in signs]


def _beside(figures: Sequence[str], layout: Layout) -> Sequence[Line]:
    """Put figures beside the field, if there is room for all of them."""
    room = layout.columns - layout.frame_left - layout.frame_width - _BETWEEN
    if room < _NARROWEST_BESIDE:
        return ()
    lines = [span(line) for figure in figures for line in wrapped(figure, room, HANGING)]
    return lines if len(lines) <= layout.field_rows else ()


def _in_columns(lines: Sequence[Line], room: int) -> list[Line]:
    """Put short lines side by side, in as few rows as possible and no more columns than needed."""
    tables = [_Table(lines, count) for count in range(1, len(lines) + 1)]
    fitting = [table for table in tables if table.width <= room] or tables[:1]
    best = min(fitting, key=lambda table: (len(table.rows), len(table.widths)), default=None)
    return [_in_a_row(row, best.widths) for row in best.rows] if best else []


class _Table:
    """Lines in a number of columns, each as wide as its widest line."""

    def __init__(self, lines: Sequence[Line], count: int) -> None:
        self.rows = [lines[start : start + count] for start in range(0, len(lines), count)]
        self.widths = [max(line.width for line in lines[place::count]) for place in range(count)]
        self.width = sum(self.widths) + _BETWEEN * (count - 1)


def _in_a_row(lines: Sequence[Line], widths: Sequence[int]) -> Line:
    """Put lines into columns; the row is as wide as if no column were empty."""
    cells = (pad(line, width + _BETWEEN) for line, width in zip(lines, widths, strict=False))
    return pad(join(cells), sum(widths) + _BETWEEN * (len(widths) - 1))
