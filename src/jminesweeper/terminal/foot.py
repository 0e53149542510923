"""What is said about a game: messages and aim under the field, signs of a lost one, figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from jminesweeper.terminal.keyrow import compose_message
from jminesweeper.terminal.layout import Layout
from jminesweeper.terminal.lines import Line, centred, gap, in_columns, span
from jminesweeper.terminal.standings import standings_below, standings_beside
from jminesweeper.terminal.styles import Style
from jminesweeper.terminal.symbols import Symbols, legend_of
from jminesweeper.terminal.text import wrapped
from jminesweeper.terminal.view import LOST, View
from jminesweeper.terminal.words import Said

_BESIDE = 3
_EASY_TO_READ = 78
_NARROWEST_BESIDE = 20
_SHARED: Final = ("share",)
_HANGING: Final = "  "
"""Before the rest of a figure that takes two lines."""


class Foot(NamedTuple):
    """The lines under the frame, and other text about a game; none of it covers the field."""

    lines: Sequence[Line]
    beside: Sequence[Line] = ()
    """Lines right of the field, from its first row on."""
    above: Line = Line()
    """A line between header and frame."""


def compose_foot(view: View, said: Said, aim: str, layout: Layout, symbols: Symbols) -> Foot:
    """Compose messages, aim, signs and figures; a message in full matters more than the keys."""
    room = _room_beside(layout)
    beside: Sequence[Line] = []
    if room >= _NARROWEST_BESIDE:
        beside = standings_beside(view, room, layout.field_rows, symbols)
    is_below = bool(view.seats) and not beside
    told = _told(said, aim, layout, max(1, layout.foot_rows - is_below))
    legend = in_columns(_legend(view, layout, symbols), layout.columns, _BESIDE)
    above = Line()
    if layout.gap_row is not None and len(legend) == 1:
        above = centred(legend.pop(), layout.columns)
    rows = layout.foot_rows - len(told)
    if is_below:
        legend = standings_below(view, layout.columns, rows, symbols) + legend
    shared = _shared(view)
    own = [line for line in figure_lines(view) if line not in shared]
    figures = _figures_beside(own, room, layout.field_rows - len(beside) - bool(beside))
    if figures:
        beside = [*beside, *([Line()] if beside else []), *figures]
    else:
        legend += in_columns(list(map(span, own)), layout.columns, _BESIDE)
    legend = [*map(span, shared), *legend]
    between = [Line()] if legend and len(legend) < rows else []
    lines = [*told, *between, *legend][: max(layout.foot_rows, len(told))]
    beside = [gap(_BESIDE) + line for line in beside]
    return Foot([centred(line, layout.columns) for line in lines], beside, above)


def figure_lines(view: View) -> list[str]:
    """Write the figures of a game that has ended, one a line; in a replay at its end."""
    if view.replay is not None and view.position < len(view.replay):
        return []
    own = [" ".join(filter(None, figure)) for figure in view.figures if figure[:1] != _SHARED]
    return [*own, *_shared(view)]


def _shared(view: View) -> list[str]:
    """Return the line to share, alone on its line so that it can be copied."""
    return [" ".join(figure[1:]) for figure in view.figures if figure[:1] == _SHARED]


def _told(said: Said, aim: str, layout: Layout, rows: int) -> list[Line]:
    """Compose the message and, if both have room, the aim under it."""
    room = max(layout.width, min(layout.columns, _EASY_TO_READ))
    messages = compose_message("" if said.text == aim else said.text, said.tone, room)
    aims = compose_message(aim, "", room)
    if len(aims) > rows:
        aims = compose_message(f"{aim.partition('. ')[0]}.", "", room)
    if messages and len(messages) + len(aims) > rows:
        return messages
    above = [Line()] if aims and not messages and len(aims) < rows else []
    return [*messages, *above, *aims]


def _legend(view: View, layout: Layout, symbols: Symbols) -> list[Line]:
    """Explain the signs of a lost field."""
    if view.state != LOST or view.replay is not None:
        return []
    signs = legend_of(symbols, is_wide=layout.shape.is_wide)
    return [span(sign, style) + span(f" {name}", Style.ASIDE) for sign, name, style in signs]


def _room_beside(layout: Layout) -> int:
    """Count the columns right of the field."""
    return layout.columns - layout.frame_left - layout.frame_width - _BESIDE


def _figures_beside(figures: Sequence[str], columns: int, rows: int) -> list[Line]:
    """Write the figures beside the field, if there is room for all of them and none is broken."""
    words = (word for figure in figures for word in figure.split())
    if columns < max(_NARROWEST_BESIDE, *map(len, words), len(_HANGING)) + len(_HANGING):
        return []
    lines = [span(text) for figure in figures for text in wrapped(figure, columns, _HANGING)]
    return lines if len(lines) <= rows else []
