"""A replay on a terminal: events in, effects out, time an argument."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from readchar import key

from jminesweeper.client import escapes, events
from jminesweeper.client.events import Effect, Event
from jminesweeper.client.keys import Input, KeyDecoder
from jminesweeper.client.painter import Painter
from jminesweeper.client.profile import TerminalSize
from jminesweeper.client.timers import earliest, is_due
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView
from jminesweeper.protocol.packets import ScreenPatch
from jminesweeper.protocol.vocabulary import PatchFlag
from jminesweeper.recordings.recording import Recording
from jminesweeper.replay.playback import ASCII, UNICODE, Playback, format_time_line
from jminesweeper.screen.models import ColourDepth, GameScreen, Odds, PageScreen, Taste, Terminal
from jminesweeper.screen.painter import AnsiPainter
from jminesweeper.screen.replayed import caption

_SKIP_MS: Final = 10_000
_LEAP: Final = 10
_TIME_LINE_ROWS: Final = 1

_Command = Callable[[Playback], None]


def _stepping(actions: int) -> _Command:
    return lambda playback: playback.step(actions)


def _skipping(ms: int) -> _Command:
    return lambda playback: playback.skip(ms)


_BACK: Final = _stepping(-1)
_ON: Final = _stepping(1)
_COMMANDS: Final[Mapping[str, _Command]] = {
    key.SPACE: Playback.toggle,
    "p": Playback.toggle,
    "P": Playback.toggle,
    key.LEFT: _BACK,
    "h": _BACK,
    "a": _BACK,
    key.RIGHT: _ON,
    "l": _ON,
    "d": _ON,
    "H": _stepping(-_LEAP),
    "L": _stepping(_LEAP),
    key.PAGE_UP: _skipping(-_SKIP_MS),
    key.PAGE_DOWN: _skipping(_SKIP_MS),
    key.HOME: Playback.rewind,
    "g": Playback.rewind,
    key.END: Playback.finish,
    "G": Playback.finish,
    "+": Playback.faster,
    "=": Playback.faster,
    "-": Playback.slower,
}
_FIGURES: Final = frozenset("eE")
_QUIT: Final = frozenset({"x", "X", "q", "Q", key.ESC})
_KEYS: Final = (
    ("SPACE", "pause"),
    ("LEFT RIGHT", "step"),
    ("x", "quit"),
    ("PgUp PgDn", "10 s"),
    ("+ -", "speed"),
    ("H L", "10 steps"),
    ("Home End", "start, end"),
    ("e", "figures"),
    ("o", "odds"),
)
_PAGE_KEYS: Final = (("UP/DOWN", "scroll"), ("e", "back"), ("x", "quit"))
_SCROLLS: Final[Mapping[str, int]] = {key.UP: -1, key.DOWN: 1}
_ODDS: Final = frozenset({"o", "O"})

FindChances: TypeAlias = Callable[[PlayerView, Cell], Mapping[int, int] | None]
"""Computes the chances of a mine around a cell, in percent, if that is quick enough."""


class ReplayViewer:
    """Shows a recording; `deadline` is when to deliver `Expired`."""

    def __init__(
        self,
        recording: Recording,
        playback: Playback,
        size: TerminalSize,
        *,
        colours: ColourDepth = ColourDepth.NONE,
        has_unicode: bool = False,
        label: str = "",
        summary: Sequence[str] = (),
        find_chances: FindChances = lambda _view, _near: None,
    ) -> None:
        self._recording = recording
        self._playback = playback
        self._label = label
        self._summary = summary
        self._find_chances = find_chances
        self._shows_odds = False
        self._odds: tuple[int, Odds | None] = (-1, None)
        """The chances at a position."""
        self._colours = colours
        self._has_unicode = has_unicode
        self._size = size
        self._decoder = KeyDecoder()
        self._screen = AnsiPainter(self._terminal(), Taste(has_unicode=has_unicode))
        self._painter = Painter(colours)
        self._time_line = ""
        self._figures: PageScreen | None = None
        """The figures, while they are shown in place of the board."""

    @property
    def deadline(self) -> float | None:
        due_ms = self._playback.due_ms
        return earliest(self._decoder.deadline, None if due_ms is None else due_ms / 1000)

    def begin(self, _now_s: float, /) -> list[Effect]:
        """Show the first position; the clock starts with the first event."""
        return [self._paint()]

    def handle(self, event: Event, now_s: float) -> list[Effect]:
        """Handle an event; return the effects."""
        self._playback.advance(1000 * now_s)
        match event:
            case events.Typed():
                return self._take(self._decoder.feed(event.data, now_s))
            case events.Expired() if is_due(self._decoder.deadline, now_s):
                return self._take(self._decoder.expire())
            case events.Resized():
                self._resize(event.size)
            case events.Stopped():
                return [events.Leave(event.exit_code)]
        return [self._paint()]

    def _take(self, inputs: Iterable[Input]) -> list[Effect]:
        for each in inputs:
            if each in _QUIT:
                return [events.Leave(0)]
            if not isinstance(each, str):
                continue
            if each in _FIGURES:
                self._turn_page()
            elif each in _ODDS:
                self._shows_odds = not self._shows_odds
            elif self._figures is not None and each in _SCROLLS:
                first = max(0, self._screen.first_line + _SCROLLS[each])
                self._figures = self._figures._replace(first_line=first)
            elif command := _COMMANDS.get(each):
                command(self._playback)
        return [self._paint()]

    def _turn_page(self) -> None:
        """Show the figures in place of the board, paused, or the board again."""
        if self._playback.is_playing:
            self._playback.toggle()
        is_shown = self._figures is not None
        page = PageScreen("Figures", self._summary, keys=_PAGE_KEYS)
        self._figures = None if is_shown or not self._summary else page

    def _resize(self, size: TerminalSize) -> None:
        self._size = size
        self._screen.resize(self._terminal())
        self._time_line = ""

    def _terminal(self) -> Terminal:
        rows = max(1, self._size.rows - _TIME_LINE_ROWS)
        return Terminal(
            self._size.columns, rows, self._colours, self._has_unicode, keeps_tiles=True
        )

    def _paint(self) -> Effect:
        patch = self._screen.paint(self._figures or self._model())
        flags = (
            PatchFlag.FULL_REPAINT * patch.is_full
            | PatchFlag.CURSOR_SHOWN * patch.cursor_shown
            | PatchFlag.CURSOR_MARKED * patch.cursor_marked
            | PatchFlag.ON_TILES * bool(patch.grounds)
        )
        text = self._painter.paint_patch(
            ScreenPatch(flags, patch.cursor_row, patch.cursor_column, patch.grounds + patch.text)
        )
        cursor = escapes.go_to(patch.cursor_row, patch.cursor_column)
        return events.Paint(text + self._paint_time_line(cursor))

    def _paint_time_line(self, cursor: str) -> str:
        strokes = UNICODE if self._has_unicode else ASCII
        line = format_time_line(self._playback, self._size.columns - 1, strokes)
        if line == self._time_line:
            return ""
        self._time_line = line
        bottom = escapes.go_to(self._size.rows - 1, 0)
        return f"{bottom}{escapes.PLAIN_TEXT}{line}{escapes.ERASE_LINE}{cursor}"

    def _model(self) -> GameScreen:
        playback = self._playback
        view = self._recording.position(playback.position).view
        return GameScreen(
            view=view,
            odds=self._find_odds(view),
            cursor=self._recording.cell(playback.position),
            label=self._label,
            elapsed_ms=playback.clock_ms,
            message=caption(self._recording, playback.position),
            state=_state(playback),
            summary=self._summary if playback.position == playback.last else (),
            solved_share=self._recording.solved_share(playback.position),
            keys=_KEYS,
        )

    def _find_odds(self, view: PlayerView) -> Odds | None:
        """Find the odds at this position, while the replay is paused."""
        position = self._playback.position
        if not self._shows_odds or self._playback.is_playing:
            return None
        if self._odds[0] != position:
            near = self._recording.cell(position)
            chances = self._find_chances(view.before_the_end(), near)
            self._odds = (position, None if chances is None else Odds(chances))
        return self._odds[1]


def _state(playback: Playback) -> str:
    if playback.is_playing:
        return "replay"
    return "end" if playback.position == playback.last else "paused"
