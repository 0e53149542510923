"""The screen of a game: a line about it, the framed field, what is said, figures, keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from jminesweeper.core.grid import Cell
from jminesweeper.terminal.board import Board
from jminesweeper.terminal.clock import Playback, compose_time_line
from jminesweeper.terminal.field import Overview, ScreenField
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.layout import Layout
from jminesweeper.terminal.lines import (
    Screen,
    Spot,
    StyledLine,
    apart,
    centred,
    format_clock,
    gap,
    in_columns,
    join,
    span,
    wrapped,
)
from jminesweeper.terminal.looks import Canvas, Style, Symbols, legend_of
from jminesweeper.terminal.panel import compose_keys, compose_message
from jminesweeper.terminal.room import standings_below, standings_beside
from jminesweeper.terminal.view import LOST, PAUSED, PLAYING, WON, GameView
from jminesweeper.terminal.words import LOOKING, NAME, REMARKS, STATES, Sentence


class GameScreen(NamedTuple):
    """Composes the screen of one game."""

    view: GameView
    board: Board
    canvas: Canvas
    layout: Layout
    clock_ms: int
    said: Sentence
    aim: str
    names: Sequence[str]
    """Names for the row of keys."""
    keys: KeyMap
    playback: Playback | None = None
    is_overview: bool = False
    flourish: float | None = None
    """The share of the light of a win that has passed, while there is one."""
    ends_in_s: int = 0
    """Seconds left of a race that somebody has finished."""
    pointed_at: frozenset[Cell] = frozenset()
    starts_in_s: int = 0
    """Seconds until the round begins."""
    blocked_s: int = 0
    """Seconds that a mine still costs."""

    def compose(self) -> Screen:
        layout, symbols = self.layout, self.canvas.symbols
        foot = compose_foot(self.view, self.said, self.aim, layout, symbols)
        lines = [StyledLine()] * layout.rows
        states: tuple[str, ...] = states_of(self.view, self.clock_ms, self.ends_in_s)
        if self.playback is not None:
            is_over = self.playback.position == self.playback.last
            states = ("replay" if self.playback.is_playing else "end" if is_over else "paused",)
        header = compose_header(self.view, layout, self.board.cursor, self.clock_ms, states)
        if self.flourish is not None:
            header = StyledLine(header.text, bytes((Style.GOOD,)) * len(header))
        lines[layout.header_row] = header
        if self.is_overview:
            place = self.board.cursor if self.view.is_playing else None
            overview = Overview.of(self.view, symbols, layout)
            framed = overview.compose(self.board.window, place)
            cursor = None if place is None else overview.place_of(place)
        else:
            framed, cursor = self._field()
        lines[layout.frame_row : layout.frame_row + len(framed)] = framed
        if layout.gap_row is not None:
            lines[layout.gap_row] = foot.above
        for row, figure in enumerate(foot.beside, layout.frame_row + 1):
            lines[row] += figure
        spots: Sequence[Spot] = ()
        if len(foot.lines) <= layout.foot_rows:
            row = layout.keys_row
            lines[row], spots = compose_keys(self.names, self.keys, layout.columns, row)
        end = layout.foot_row + len(foot.lines)
        lines[layout.foot_row : end] = foot.lines[: layout.rows - layout.foot_row]
        if self.playback is not None:
            lines.append(compose_time_line(self.playback, layout.columns, symbols))
        return Screen(lines, cursor, spots=spots)

    def _field(self) -> tuple[list[StyledLine], tuple[int, int] | None]:
        board, layout, view = self.board, self.layout, self.view
        is_seen = view.state == PLAYING and layout.shows(board.window, board.cursor)
        field = ScreenField(
            view,
            self.canvas.symbols,
            layout,
            board.window,
            board.cursor if is_seen else None,
            board.waiting(view),
            Style.FRAME if self.flourish is None else Style.GOOD,
            self.pointed_at,
            self.flourish,
            self.starts_in_s,
            self.blocked_s,
        )
        place = layout.place_of(board.window, board.cursor) if is_seen else None
        return field.compose(), place


# The line about a game

_OUTCOMES: Final = {WON: Style.GOOD, LOST: Style.BAD}
_CLOCK_COLUMNS = 5


def compose_header(
    view: GameView, layout: Layout, cursor: Cell, clock_ms: int, states: tuple[str, ...]
) -> StyledLine:
    """Name the board at the left; tell its state, mines and clock at the right.

    `states` are the same in fewer and fewer words: where there is little room, what matters least
    is left out first.
    """
    digits = max(3, len(str(view.mines)))
    clock = format_clock(clock_ms)
    figures = span(f"{view.left:>{digits}}  {clock:>{_CLOCK_COLUMNS}}")
    place = StyledLine()
    if layout.is_windowed and view.state in {PLAYING, PAUSED}:
        # Where the field is scrolled, the cursor's place is told as long as the game runs.
        place = span(f"{cursor.column:>3},{cursor.row:<3}  ")
    label = span(view.label)
    if view.watching is not None:
        gone = " (gone)" if view.watching.gone else ""
        label = span(f"watching {view.watching.name}{gone}", Style.WARNING) + gap(2) + label
    short = place + label
    full = join([place, span(NAME, Style.TITLE), gap(2), label])
    style = _OUTCOMES.get(view.state, Style.WARNING)
    said = [span(state, style) + gap(2 if state else 0) for state in states]
    named = join([said[0], span("mines ", Style.ASIDE), figures])
    choices = [(full, named), (short, named), *((short, each + figures) for each in said)]
    fitting = (each for each in choices if len(each[0]) + 2 + len(each[1]) <= layout.width)
    left, right = next(fitting, choices[-1])
    return gap(layout.left) + apart(left, right, layout.width)


def states_of(view: GameView, clock_ms: int, ends_in_s: int = 0) -> tuple[str, str]:
    """Write a few words on how the game goes, and the least of them."""
    is_assisted = "assisted" in view.remark
    told = (each for each in view.remark if not (is_assisted and each == "repeat"))
    remarks = (REMARKS.get(each, "") for each in told)
    watchers = f"{view.watchers} watching" if view.watchers else ""
    lives = "" if view.lives is None else "1 life" if view.lives == 1 else f"{view.lives} lives"
    least = (
        STATES.get(view.told_state, ""),
        lives,
        view.room.series if view.room is not None else "",
        f"ends in {ends_in_s} s" if ends_in_s else "",
    )
    looking = LOOKING if view.looking else ""
    every = (*least, *remarks, watchers, looking, _pace(view, clock_ms))
    return " ".join(filter(None, every)), " ".join(filter(None, least))


def _pace(view: GameView, clock_ms: int) -> str:
    """Write how fast and how economical the game is."""
    if view.pace is None or view.pace[1] < 1:
        return ""
    known, clicks = view.pace
    return f"{1000 * known / max(1_000, clock_ms):.2f}/s {100 * known / clicks:.0f} %"


# What is under the field, or beside it

_BESIDE = 3
_EASY_TO_READ = 78
_NARROWEST_BESIDE = 20
_SHARED: Final = ("share",)
_HANGING: Final = "  "
"""Before the rest of a figure that takes two lines."""


class Foot(NamedTuple):
    """The lines under the frame, and other text about a game; none of it covers the field."""

    lines: Sequence[StyledLine]
    beside: Sequence[StyledLine] = ()
    """Lines right of the field, from its first row on."""
    above: StyledLine = StyledLine()
    """A line between header and frame."""


def compose_foot(
    view: GameView, said: Sentence, aim: str, layout: Layout, symbols: Symbols
) -> Foot:
    """Compose messages, aim, signs and figures; a message in full matters more than the keys."""
    room = layout.columns - layout.frame_left - layout.frame_width - _BESIDE
    beside: Sequence[StyledLine] = []
    if room >= _NARROWEST_BESIDE:
        beside = standings_beside(view, room, layout.field_rows, symbols)
    is_below = bool(view.seats) and not beside
    told = _message_lines(said, aim, layout, max(1, layout.foot_rows - is_below))
    signs = legend_of(symbols, is_wide=layout.shape.is_wide)
    if view.state != LOST or view.replay is not None:
        # Only a lost field has signs to explain.
        signs = []
    named = [span(sign, style) + span(f" {name}", Style.ASIDE) for sign, name, style in signs]
    legend = in_columns(named, layout.columns, _BESIDE)
    above = StyledLine()
    if layout.gap_row is not None and len(legend) == 1:
        above = centred(legend.pop(), layout.columns)
    rows = layout.foot_rows - len(told)
    if is_below:
        legend = standings_below(view, layout.columns, rows, symbols) + legend
    shared = _shared(view)
    own = [line for line in figure_lines(view) if line not in shared]
    # Beside the field, if there is room for all of them and none is broken.
    longest = max((len(word) for line in own for word in line.split()), default=0)
    figures: list[StyledLine] = []
    if room >= max(_NARROWEST_BESIDE, longest, len(_HANGING)) + len(_HANGING):
        figures = [span(text) for line in own for text in wrapped(line, room, _HANGING)]
    if figures and len(figures) <= layout.field_rows - len(beside) - bool(beside):
        beside = [*beside, *([StyledLine()] if beside else []), *figures]
    else:
        legend += in_columns(list(map(span, own)), layout.columns, _BESIDE)
    legend = [*map(span, shared), *legend]
    between = [StyledLine()] if legend and len(legend) < rows else []
    lines = [*told, *between, *legend][: max(layout.foot_rows, len(told))]
    beside = [gap(_BESIDE) + line for line in beside]
    return Foot([centred(line, layout.columns) for line in lines], beside, above)


def figure_lines(view: GameView) -> list[str]:
    """Write the figures of a game that has ended, one a line; in a replay at its end."""
    if view.replay is not None and view.position < len(view.replay):
        return []
    own = [" ".join(filter(None, figure)) for figure in view.figures if figure[:1] != _SHARED]
    return [*own, *_shared(view)]


def _shared(view: GameView) -> list[str]:
    """Return the line to share, alone on its line so that it can be copied."""
    return [" ".join(figure[1:]) for figure in view.figures if figure[:1] == _SHARED]


def _message_lines(said: Sentence, aim: str, layout: Layout, rows: int) -> list[StyledLine]:
    """Compose the message and, if both have room, the aim under it."""
    room = max(layout.width, min(layout.columns, _EASY_TO_READ))
    messages = compose_message("" if said.text == aim else said.text, said.tone, room)
    aims = compose_message(aim, "", room)
    if len(aims) > rows:
        aims = compose_message(f"{aim.partition('. ')[0].removesuffix('.')}.", "", room)
    if messages and len(messages) + len(aims) > rows:
        return messages
    above = [StyledLine()] if aims and not messages and len(aims) < rows else []
    return [*messages, *above, *aims]
