"""A replay on a terminal, of a recording or of a game that is played now.

Keys, clock and screen are those of a replay on a server; only a server's answers are found here.
They come from *scenes*: a recording has them all, a game that is being played gets more of them
while it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

from jminesweeper.client import events
from jminesweeper.client.conversation import earliest
from jminesweeper.client.events import Effect, Event
from jminesweeper.client.keys import Controls
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView, all_faces
from jminesweeper.protocol.packets import Odds, OpenMenu, Packet, Replay
from jminesweeper.protocol.view import STATES
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.recordings.recording import Recording, caption
from jminesweeper.terminal.clock import Playback
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.inks import Painter
from jminesweeper.terminal.keys import KeyAction, KeyMap, Keystroke
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.narrator import draw_board

FindChances: TypeAlias = Callable[[PlayerView, Cell], Mapping[int, int] | None]
"""Computes the chances of a mine around a cell, in percent, if that is quick enough."""
Members: TypeAlias = Mapping[str, Any]
_KEYS: Final = ["figures", "odds", "quit"]


class Scenes(Protocol):
    """Positions of a game, by number, and what a server would say of each."""

    @property
    def times_ms(self) -> Sequence[int]:
        """The time of each position after the first one."""

    @property
    def is_live(self) -> bool:
        """True while more positions are to come."""

    def opening(self) -> Members:
        """Say what is true at every position."""

    def at(self, number: int, /) -> tuple[Members, PlayerView]:
        """Describe the screen at a position."""


class Recorded:
    """A finished game, position by position."""

    is_live = False

    def __init__(
        self, recording: Recording, label: str = "", figures: Sequence[Sequence[str]] = ()
    ) -> None:
        self.recording = recording
        self._label = label
        self._figures = figures

    @property
    def times_ms(self) -> list[int]:
        """The time of each action."""
        return [action.at_ms for action in self.recording.actions]

    def opening(self) -> Members:
        """Say what is true at every position."""
        view = self.recording.position(0).view
        size = [view.size.columns, view.size.rows]
        return {"size": size, "label": self._label, "mines": view.mine_count}

    def at(self, position: int) -> tuple[Members, PlayerView]:
        recording = self.recording
        game, cell = recording.position(position), recording.cell(position)
        said = caption(recording, position)
        members = {
            "state": STATES[game.status],
            "remark": ["assisted"] if game.assisted else [],
            "left": game.view.mines_left,
            "clock": recording.at_ms(position),
            "cursor": [cell.column, cell.row],
            "position": position,
            "message": {"id": "replay", "text": said.text, "tone": said.tone},
            "figures": [*map(list, self._figures)] if position == recording.last else [],
        }
        return members, game.view


def format_last(recorded: Recorded) -> str:
    """Write how a game ended: sentences, then the board."""
    front = FrontEnd(Canvas(), KeyMap())
    members, view = recorded.at(recorded.recording.last)
    front.apply_view({**recorded.opening(), **members}, all_faces(view), None, 0.0)
    return "\n".join([*filter(None, front.facts(0.0).values()), draw_board(front.view), ""])


class ReplayViewer:
    """Shows scenes; `deadline` is when to deliver `Expired`."""

    def __init__(
        self,
        scenes: Scenes,
        canvas: Canvas,
        keys: KeyMap,
        *,
        speed: float = 1.0,
        find_chances: FindChances = lambda _view, _near: None,
    ) -> None:
        self._find_chances = find_chances
        self._odds: list[list[int]] | None = None
        self._front = FrontEnd(canvas, keys)
        self._painter = Painter(canvas)
        self._controls = Controls(keys)
        self._playback = Playback((), speed)
        self._playback.is_playing = True
        self.show(scenes)

    def show(self, scenes: Scenes) -> None:
        """Show these scenes from the first one on, as fast as those before."""
        self._scenes, self.position, self._odds = scenes, 0, None
        self._tell({**scenes.opening(), "replay": [*scenes.times_ms], "keys": _KEYS})
        before, self._playback = self._playback, self._front.playback or self._playback
        self.extend()
        self._playback.speed = before.speed
        if before.is_playing:
            self._playback.toggle()

    def extend(self) -> None:
        """Extend the time line by the new scenes."""
        self._playback.extend(self._scenes.times_ms, is_live=self._scenes.is_live)

    def _tell(self, more: Members) -> None:
        """Describe the screen at this position."""
        members, self._view = self._scenes.at(self.position)
        self._front.apply_view(
            {**more, **members, "odds": self._odds}, all_faces(self._view), None, 0.0
        )

    # Events

    @property
    def deadline(self) -> float | None:
        return earliest(self._controls.deadline, self._front.deadline)

    def begin(self, _now_s: float, /) -> list[Effect]:
        """Return no effects; the clock starts with the first event."""
        return []

    def handle(self, event: Event, now_s: float) -> list[Effect]:
        """Handle an event; return the effects."""
        match event:
            case events.Typed(data):
                return self._type(self._controls.decode(data, now_s), now_s)
            case events.Expired():
                self._answer(self._front.expire(now_s))
                return self._type(self._controls.expire(now_s), now_s)
            case events.Resized(size):
                self._front.resize(*size)
                self._painter.forget()
            case events.StopAsked():
                return [events.Suspend()]
            case events.Stopped(exit_code):
                return [events.Leave(exit_code)]
        return []

    def paint(self, now_s: float) -> str:
        """Return what brings the terminal up to date."""
        return self._painter.paint(self._front.screen(now_s), self._front.canvas)

    def _type(self, strokes: Iterable[Keystroke], now_s: float) -> list[Effect]:
        for stroke in strokes:
            packets = self._front.press(stroke, now_s)
            # Leaving loses nothing here, so it needs no question.
            is_leaving = stroke.action is KeyAction.ASK_TO_QUIT or OpenMenu("") in packets
            if is_leaving or Command.QUIT in packets:
                return [events.Leave(0)]
            self._answer(packets)
        return []

    def _answer(self, packets: Iterable[Packet]) -> None:
        for packet in packets:
            match packet:
                case Replay(position):
                    self.position, self._odds = position, None
                case Odds():
                    self._odds = None if self._odds is not None else self._find_odds()
            self._tell({})

    def _find_odds(self) -> list[list[int]] | None:
        """Find the chances at this position; at the end, those of the moment before."""
        view, cursor = self._view, self._front.board.cursor
        found = self._find_chances(view.before_the_end(), cursor)
        cells = None if found is None else {view.grid.cell(index): found[index] for index in found}
        if cells is None:
            return None
        return [[cell.row * view.size.columns + cell.column, cells[cell]] for cell in cells]
