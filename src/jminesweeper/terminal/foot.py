"""What is said about a game: messages and aim under the field, signs of a lost one, figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from jminesweeper.terminal.keyrow import compose_message
from jminesweeper.terminal.layout import Layout
from jminesweeper.terminal.lines import Line, centred, gap, in_columns, span
from jminesweeper.terminal.styles import Style
from jminesweeper.terminal.symbols import Symbols, legend_of
from jminesweeper.terminal.text import wrapped
from jminesweeper.terminal.view import LOST, View
from jminesweeper.terminal.words import Said

_BESIDE = 3
_EASY_TO_READ = 78
_NARROWEST_BESIDE = 20
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
    told = _told(said, aim, layout)
    legend = in_columns(_legend(view, layout, symbols), layout.columns, _BESIDE)
    above = Line()
    if layout.gap_row is not None and len(legend) == 1:
        above = centred(legend.pop(), layout.columns)
    figures = figure_lines(view)
    beside = _beside(figures, layout)
    if not beside:
        legend += in_columns([span(figure) for figure in figures], layout.columns, _BESIDE)
    room = layout.foot_rows - len(told)
    between = [Line()] if legend and len(legend) < room else []
    lines = [*told, *between, *legend][: max(layout.foot_rows, len(told))]
    return Foot([centred(line, layout.columns) for line in lines], beside, above)


def figure_lines(view: View) -> list[str]:
    """Write the figures of a game that has ended, one a line; in a replay at its end."""
    if view.replay is not None and view.position < len(view.replay):
        return []
    return [" ".join(filter(None, figure)) for figure in view.figures]


def _told(said: Said, aim: str, layout: Layout) -> list[Line]:
    """Compose the message and, if both have room, the aim under it."""
    room = max(layout.width, min(layout.columns, _EASY_TO_READ))
    messages = compose_message("" if said.text == aim else said.text, said.tone, room)
    aims = compose_message(aim, "", room)
    if len(aims) > layout.foot_rows:
        aims = compose_message(f"{aim.partition('. ')[0]}.", "", room)
    if messages and len(messages) + len(aims) > layout.foot_rows:
        return messages
    above = [Line()] if aims and not messages and len(aims) < layout.foot_rows else []
    return [*messages, *above, *aims]


def _legend(view: View, layout: Layout, symbols: Symbols) -> list[Line]:
    """Explain the signs of a lost field."""
    if view.state != LOST or view.replay is not None:
        return []
    signs = legend_of(symbols, is_wide=layout.shape.is_wide)
    return [span(sign, style) + span(f" {name}", Style.ASIDE) for sign, name, style in signs]


def _beside(figures: Sequence[str], layout: Layout) -> list[Line]:
    """Put figures beside the field, if there is room for all of them and none is broken."""
    room = layout.columns - layout.frame_left - layout.frame_width - _BESIDE
    words = (word for figure in figures for word in figure.split())
    if room < max(_NARROWEST_BESIDE, *map(len, words), len(_HANGING)) + len(_HANGING):
        return []
    texts = [text for figure in figures for text in wrapped(figure, room, _HANGING)]
    lines = [gap(_BESIDE) + span(text) for text in texts]
    return lines if len(lines) <= layout.field_rows else []
