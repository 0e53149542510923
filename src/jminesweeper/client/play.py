"""A client's side of a game as a pure state machine: events in, effects out, time an argument.

    DIALLING --connected--> GREETING --first screen--> PLAYING
        ^                       |                         |
        |                       +---------lost------------+   version 2 only, or returning
        +------- due ------- WAITING <--------------------+   (else the game is over)

START is the first packet to any server, the only one that every server understands. The first
screen tells whether the server speaks version 2; until it came, what is typed waits. A game of
version 2 that was cut off is found again by the player's key, so the client returns by itself; of
version 1 nothing is left to return to.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Final, assert_never

from jminesweeper.client import events
from jminesweeper.client.backoff import Backoff
from jminesweeper.client.bindings import VERSION_2, Bindings, version_1
from jminesweeper.client.controls import Controls, earliest
from jminesweeper.client.events import Effect, Event
from jminesweeper.client.farewell import STOPPED, is_last_screen, trouble_in
from jminesweeper.client.keys import Input
from jminesweeper.client.mouse import MouseReport
from jminesweeper.client.painter import Painter
from jminesweeper.client.profile import Profile, Wire
from jminesweeper.client.refresh import RefreshTimer
from jminesweeper.client.terminal import TerminalSize
from jminesweeper.protocol import (
    Command,
    Packet,
    PatchFlag,
    Resize,
    ScreenContent,
    ScreenPatch,
    announced_version,
    encode,
)

FIRST_SCREEN_WAIT_S: Final = 10.0
"""How long a server may take for the first screen before it is taken for something else."""


_NO_SCREEN: Final = (
    f"The server was reached but sent no screen within {FIRST_SCREEN_WAIT_S:.0f} s: "
    "is it one of JMinesweeper?"
)
_DONE: Final = "The server has ended the connection for good."
_NOT_LET_IN: Final = "The server does not know version 2 of the protocol any more."
_ONLY_VERSION_1: Final = (
    "The server speaks version 1 of the protocol only, which knows rows, columns and level."
)
_NOTHING_WAITS: Final = "This server keeps no games, so this is a new one."


class _Phase(Enum):
    DIALLING = auto()
    GREETING = auto()
    PLAYING = auto()
    WAITING = auto()


class Play:
    """Between the player and one server; `deadline` is when to come with `Expired`."""

    def __init__(
        self, profile: Profile, painter: Painter, backoff: Backoff, size: TerminalSize
    ) -> None:
        self._profile = profile
        self._painter = painter
        self._backoff = backoff
        self._size = size
        self._controls = Controls()
        self._refresh = RefreshTimer()
        self._bindings: Bindings = version_1(profile.start)
        self._speaks_version_2 = False
        self._returning = False
        self._was_stopped = False
        self._trouble = ""
        self._news = ""
        self._is_covered = False
        self._typed_ahead: list[Input] = []
        self._phase = _Phase.DIALLING
        self._phase_deadline: float | None = None

    @property
    def deadline(self) -> float | None:
        return earliest(self._phase_deadline, self._controls.deadline, self._refresh.deadline)

    def begin(self) -> list[Effect]:
        """Begin with the first connection."""
        return [events.Dial()]

    def handle(self, event: Event, now_s: float) -> list[Effect]:
        """Do what the event calls for."""
        match event:
            case events.Received():
                effects = [
                    each for packet in event.packets for each in self._receive(packet, now_s)
                ]
            case events.Typed():
                effects = self._take_inputs(self._controls.decode(event.data, now_s), now_s)
            case events.Expired():
                effects = self._expire(now_s)
            case events.Connected():
                effects = self._greet(event.notice, now_s)
            case events.Lost():
                effects = self._lose(event.reason, now_s)
            case events.Garbled():
                effects = [events.Leave(1, event.reason)]
            case events.Resized():
                effects = self._resize(event.size)
            case events.Stopped():
                effects = self._stop(event.exit_code)
            case _:
                assert_never(event)
        return effects

    def _greet(self, notice: str, now_s: float) -> list[Effect]:
        self._enter(_Phase.GREETING, now_s + FIRST_SCREEN_WAIT_S)
        self._news = notice
        told: list[Effect] = [events.Tell(notice)] if notice else []
        return [*told, *self._send([self._profile.start])]

    def _receive(self, packet: Packet, now_s: float) -> list[Effect]:
        if self._phase in {_Phase.DIALLING, _Phase.WAITING}:
            return []
        if self._phase is _Phase.GREETING and isinstance(packet, ScreenContent):
            return self._receive_first(packet, now_s)
        return self._receive_next(packet, now_s)

    def _receive_next(self, packet: Packet, now_s: float) -> list[Effect]:
        was_asked_for = self._refresh.expects_answer
        # Nothing comes unasked but the last screen of a server that ends the connection.
        self._was_stopped = not was_asked_for
        flags = PatchFlag(packet.flags) if isinstance(packet, ScreenPatch) else PatchFlag(0)
        self._refresh.note_answer(now_s, clock_runs=PatchFlag.CLOCK_RUNS in flags)
        effects = self._paint(packet)
        if not is_last_screen(packet):
            return [*effects, *self._read_on(flags, now_s)]
        words = self._painter.last_sentences
        return [
            *effects,
            events.Leave(0, words) if was_asked_for else events.Leave(1, words or _DONE),
        ]

    def _read_on(self, flags: PatchFlag, now_s: float) -> list[Effect]:
        """Take what was typed before this screen told what it means."""
        if self._phase is not _Phase.PLAYING or not self._speaks_version_2:
            return []
        self._controls.note_screen(flags, is_settled=not self._refresh.expects_answer)
        return self._act(self._controls.translate((), self._bindings, now_s))

    def _paint(self, packet: Packet) -> list[Effect]:
        match packet:
            case ScreenPatch():
                painted = self._painter.paint_patch(packet)
            case ScreenContent():
                painted = self._painter.paint_frame(packet.text)
            case _:
                # Of a later version: whatever it says, it is the answer to something.
                return []
        return [events.Paint(painted), *self._show_news()]

    def _show_news(self) -> list[Effect]:
        """Cover the bottom of the screen, after every patch, until the player does something."""
        if self._phase is not _Phase.PLAYING or not self._news:
            return []
        self._is_covered = True
        return [self._notice(self._news)]

    def _receive_first(self, screen: ScreenContent, now_s: float) -> list[Effect]:
        painted = self._paint(screen)
        announced = announced_version(screen.text) >= 2
        if self._returning and not announced:
            # A server that is full, or about to stop, says so in a screen that announces nothing.
            reason = self._painter.last_words or _NOT_LET_IN
            return [events.HangUp(), *self._lose(reason, now_s)]
        if self._profile.needs_version_2 and not announced:
            return [events.Leave(1, self._painter.last_words or _ONLY_VERSION_1)]
        self._enter(_Phase.PLAYING, None)
        self._refresh = RefreshTimer()
        self._speaks_version_2 = announced and self._profile.wire is not Wire.ONE
        self._bindings = VERSION_2 if self._speaks_version_2 else self._bindings
        if self._profile.resumes and not self._speaks_version_2:
            self._news = _NOTHING_WAITS
        opening = self._open_version_2() if self._speaks_version_2 else painted + self._show_news()
        self._returning = False
        typed_ahead, self._typed_ahead = self._typed_ahead, []
        return [*opening, *self._take_inputs(typed_ahead, now_s)]

    def _open_version_2(self) -> list[Effect]:
        hello: list[Packet] = [self._profile.hello(self._size, returns=self._returning)]
        # Who returns wants the game that was cut off, not another one.
        if self._profile.new_game is not None and not self._returning:
            hello.append(self._profile.new_game)
        mouse: list[Effect] = [events.EnableMouse()] if self._profile.has_mouse else []
        return [*mouse, *self._send(hello)]

    def _lose(self, reason: str, now_s: float) -> list[Effect]:
        if not (self._returning or (self._speaks_version_2 and self._phase is _Phase.PLAYING)):
            return [events.Leave(1, f"{reason} {self._painter.last_words}".strip())]
        self._returning = True
        self._controls.forget()
        self._refresh = RefreshTimer()
        # Whoever answers a call can say what is the matter; that nobody does was to be expected.
        self._was_stopped = self._was_stopped and self._phase is not _Phase.GREETING
        self._trouble = STOPPED if self._was_stopped else reason
        self._enter(_Phase.WAITING, now_s + self._backoff.next_wait_s())
        return [self._notice_trouble()]

    def _resize(self, size: TerminalSize) -> list[Effect]:
        self._size = size
        if self._returning:
            return [events.Paint(self._painter.repaint()), self._notice_trouble()]
        if self._phase is not _Phase.PLAYING:
            return []
        if self._speaks_version_2:
            return self._send([Resize(*size)])
        return [events.Paint(self._painter.repaint())]

    def _take_inputs(self, inputs: list[Input], now_s: float) -> list[Effect]:
        if not (self._speaks_version_2 and self._profile.has_mouse):
            inputs = [each for each in inputs if not isinstance(each, MouseReport)]
        if self._phase is _Phase.PLAYING:
            return self._act(self._controls.translate(inputs, self._bindings, now_s))
        # What was typed at a dead screen is not what the player would do to the one that returns.
        if not self._returning:
            self._typed_ahead += inputs
        if not any(self._bindings.get(each) is Command.QUIT for each in _keys(inputs)):
            return []
        if self._returning or self._phase is _Phase.DIALLING:
            return [events.Leave(0)]
        return self._act(self._controls.translate(self._typed_ahead, self._bindings, now_s))

    def _act(self, packets: list[Packet]) -> list[Effect]:
        if packets:
            self._backoff.reset()
        if Command.QUIT not in packets:
            return self._send(packets) + (self._uncover() if packets else [])
        return [*self._send(packets[: packets.index(Command.QUIT) + 1]), events.Leave(0)]

    def _uncover(self) -> list[Effect]:
        """Have the server repaint what the client covered; frames of version 1 always do."""
        if not self._is_covered:
            return []
        self._news, self._is_covered = "", False
        return self._send([Resize(*self._size)]) if self._speaks_version_2 else []

    def _stop(self, exit_code: int) -> list[Effect]:
        connected = self._phase in {_Phase.GREETING, _Phase.PLAYING}
        farewell = self._send([Command.QUIT]) if connected else []
        return [*farewell, events.Leave(exit_code)]

    def _expire(self, now_s: float) -> list[Effect]:
        effects = self._take_inputs(self._controls.expire_keys(now_s), now_s)
        presses = self._controls.expire_presses(now_s)
        if self._phase is _Phase.PLAYING:
            effects += self._act(presses) + self._refresh_clock(now_s)
        if self._phase_deadline is not None and self._phase_deadline <= now_s:
            effects += self._expire_phase(now_s)
        return effects

    def _refresh_clock(self, now_s: float) -> list[Effect]:
        if self._refresh.deadline is None or now_s < self._refresh.deadline:
            return []
        self._refresh.note_refresh()
        return [events.Send(encode(Command.REFRESH))]

    def _expire_phase(self, now_s: float) -> list[Effect]:
        if self._phase is _Phase.GREETING:
            return [events.HangUp(), *self._lose(_NO_SCREEN, now_s)]
        self._enter(_Phase.DIALLING, None)
        return [events.Dial()]

    def _enter(self, phase: _Phase, deadline: float | None) -> None:
        self._phase = phase
        self._phase_deadline = deadline

    def _send(self, packets: list[Packet]) -> list[Effect]:
        if not packets:
            return []
        self._refresh.note_sent(len(packets))
        return [events.Send(b"".join(map(encode, packets)))]

    def _notice_trouble(self) -> Effect:
        return self._notice(trouble_in(self._size.columns - 1, self._trouble))

    def _notice(self, text: str) -> Effect:
        return events.Paint(self._painter.paint_notice(text, self._size))


def _keys(inputs: Iterable[Input]) -> list[str]:
    return [each for each in inputs if isinstance(each, str)]
