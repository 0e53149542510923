"""What lies below the field, or beside it: messages, the figures of a game, keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from jminesweeper.core import Status
from jminesweeper.screen.canvas import Canvas
from jminesweeper.screen.layout import Layout
from jminesweeper.screen.lines import BLANK, Line, centre, clean, gap, join, pad, span, wrapped
from jminesweeper.screen.models import GameScreen, Message, Tone
from jminesweeper.screen.styles import Style
from jminesweeper.screen.symbols import legend_of

_TONES: Final = {
    Tone.PLAIN: Style.PLAIN,
    Tone.GOOD: Style.GOOD,
    Tone.BAD: Style.BAD,
    Tone.WARNING: Style.WARNING,
}
_BETWEEN = 3
_CLOSER = 2
_EASY_TO_READ = 78


class Foot(NamedTuple):
    """Lines from a row down to the last, and what else is said about a game that has ended."""

    first_row: int
    lines: Sequence[Line]
    beside: Sequence[Line] = ()
    """Lines beside the field, from its first row on."""
    legend: Line = BLANK
    """What the signs of a lost field mean, between header and frame."""


def compose_message(message: Message, width: int, *, has_unicode: bool) -> list[Line]:
    """Compose a message in as many lines as it takes."""
    if not message.text:
        return []
    text = clean(message.text, has_unicode=has_unicode)
    return [span(line, _TONES[message.tone]) for line in wrapped(text, width)]


def compose_keys(keys: Sequence[tuple[str, str]], width: int) -> Line:
    """Compose a line of keys; where there is little room they move closer, then the last go."""
    entries = [join((span(key, Style.KEY), span(f" {does}", Style.ASIDE))) for key, does in keys]
    line = _in_one_line(entries, _BETWEEN)
    if line.width <= width:
        return line
    shorter = (_in_one_line(entries[:count], _CLOSER) for count in range(len(entries), 0, -1))
    return next((line for line in shorter if line.width <= width), BLANK)


def _in_one_line(entries: Sequence[Line], between: int) -> Line:
    spaced = [part for entry in entries for part in (gap(between), entry)]
    return join(spaced[1:])


def compose_foot(model: GameScreen, canvas: Canvas, layout: Layout) -> Foot:
    """Compose all that is not the header or the field."""
    columns = layout.columns
    room = max(layout.width, min(columns, _EASY_TO_READ))
    messages = compose_message(model.message, room, has_unicode=canvas.has_unicode)
    keys = compose_keys(model.keys, columns)
    figures = [span(clean(line, has_unicode=canvas.has_unicode)) for line in model.summary]
    legend = _in_columns(_legend(model, canvas, layout), columns)
    above = BLANK
    if layout.gap_row is not None and len(legend) == 1:
        above = centre(legend.pop(), columns)
    if _fits_beside(figures, layout):
        foot = _below(layout, messages, legend, keys)._replace(beside=figures)
    else:
        foot = _below(layout, messages, [*legend, *_in_columns(figures, columns)], keys)
    return foot._replace(legend=above)


def _legend(model: GameScreen, canvas: Canvas, layout: Layout) -> list[Line]:
    if model.view.status is not Status.LOST:
        return []
    signs = legend_of(canvas.symbols, is_wide=layout.is_wide)
    return [join((span(sign, style), span(f" {name}", Style.ASIDE))) for sign, name, style in signs]


def _fits_beside(summary: Sequence[Line], layout: Layout) -> bool:
    room = layout.columns - layout.frame_left - layout.frame_width - _BETWEEN
    widest = max((line.width for line in summary), default=0)
    return widest <= room and len(summary) <= layout.window_rows


def _in_columns(lines: Sequence[Line], room: int) -> list[Line]:
    """Put short lines side by side, in as few rows as fit and no more columns than these take."""
    tables = [_Columns(lines, count) for count in range(1, len(lines) + 1)]
    fitting = [table for table in tables if table.width <= room] or tables[:1]
    best = min(fitting, key=lambda table: (len(table.rows), len(table.widths)), default=None)
    return [_in_a_row(row, best.widths) for row in best.rows] if best else []


class _Columns:
    """Lines in so many columns, each as wide as its widest line."""

    def __init__(self, lines: Sequence[Line], count: int) -> None:
        self.rows = [lines[start : start + count] for start in range(0, len(lines), count)]
        self.widths = [max(line.width for line in lines[place::count]) for place in range(count)]
        self.width = sum(self.widths) + _BETWEEN * (count - 1)


def _in_a_row(lines: Sequence[Line], widths: Sequence[int]) -> Line:
    """Put lines into columns; the row is as wide as if no column were empty."""
    cells = (pad(line, width + _BETWEEN) for line, width in zip(lines, widths, strict=False))
    return pad(join(cells), sum(widths) + _BETWEEN * (len(widths) - 1))


def _below(layout: Layout, messages: Sequence[Line], summary: Sequence[Line], keys: Line) -> Foot:
    """Put everything under the frame; where there is no room, over its lowest rows."""
    most_rows = layout.foot_rows + (layout.window_rows // 2 + 1 if summary else 0)
    is_spaced = bool(summary) and len(messages) + len(summary) < layout.foot_rows
    wanted = [*messages, *([BLANK] if is_spaced else []), *summary]
    if len(messages) > layout.foot_rows and not summary:
        lines = wanted[: layout.foot_rows + 1]
        return Foot(layout.foot_row, [centre(line, layout.columns) for line in lines])
    lines = wanted[:most_rows]
    lines += [BLANK] * (layout.foot_rows - len(lines))
    shown = [centre(line, layout.columns) for line in (*lines, keys)]
    return Foot(layout.keys_row - len(lines), shown)
