"""One connection as a state machine.

Welcome, playing, over: which of them a session is in follows from its game. A packet goes
through one table to the method that carries it out, and whatever that did, the reply is the
screen as it is then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from jminesweeper.core import (
    PRESETS,
    SEED_BITS,
    ActionKind,
    Level,
    RandomBits,
    Setup,
    Size,
    SizeError,
    Status,
)
from jminesweeper.protocol import Command, Packet, ProtocolError, Start, encode_screen
from jminesweeper.screen import ClassicFrame, paint_page
from jminesweeper.session import messages
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.effects import NO_EFFECTS, Close, Effect, Ended, Output
from jminesweeper.session.play import Play

RULES: Final = PRESETS["jminesweeper"]

_STEPS: Final[Mapping[Packet, tuple[int, int]]] = {
    Command.MOVE_LEFT: (-1, 0),
    Command.MOVE_RIGHT: (1, 0),
    Command.MOVE_UP: (0, -1),
    Command.MOVE_DOWN: (0, 1),
}
_ACTIONS: Final[Mapping[Packet, ActionKind]] = {
    Command.REVEAL: ActionKind.REVEAL,
    Command.TOGGLE_BOMB_MARK: ActionKind.FLAG,
}


class Session:
    """What one player sees and may do, from the first packet to the last."""

    __slots__ = ("_config", "_entropy", "_frame", "_message", "_play", "_status", "_status_key")

    def __init__(self, config: SessionConfig, entropy: RandomBits) -> None:
        self._config = config
        self._entropy = entropy
        self._play: Play | None = None
        self._frame: ClassicFrame | None = None
        self._message = ""
        self._status = ""
        self._status_key: tuple[object, ...] = ()

    def receive(self, packet: Packet, now_ms: int) -> Output:
        """Carry out one packet; the reply is the screen afterwards."""
        kind = packet if packet.__class__ is Command else packet.__class__
        return _HANDLERS.get(kind, Session._ignore)(self, packet, now_ms)

    def reject(self, error: ProtocolError, now_ms: int) -> Output:
        """Answer bytes that are no packets: say so on a last screen."""
        return self.farewell(str(error), now_ms), (Close(),)

    def resolve(self, answer: object, now_ms: int) -> Output:
        raise NotImplementedError

    def farewell(self, message: str, now_ms: int) -> bytes:
        """Return a last screen that nobody asked for; the connection ends with it."""
        return encode_screen(paint_page(["", f"  {message}", ""]))

    def leave(self, now_ms: int) -> tuple[Effect, ...]:
        """End what the player leaves behind."""
        return self._terminate()

    def _move(self, packet: Packet, now_ms: int) -> Output:
        if self._play is not None and not self._play.is_over:
            self._play.move(*_STEPS[packet])
            self._message = ""
        return self._screen(now_ms), NO_EFFECTS

    def _act(self, packet: Packet, now_ms: int) -> Output:
        play = self._play
        if play is None or play.is_over:
            return self._screen(now_ms), NO_EFFECTS
        play.act(_ACTIONS[packet], now_ms)
        self._message = messages.GAME_IS_FULL if play.game.is_full else ""
        self._show()
        if not play.is_over:
            return self._screen(now_ms), NO_EFFECTS
        self._message = messages.OUTCOMES[play.game.status]
        return self._screen(now_ms), (Ended(play.game.status, play.game.elapsed_ms),)

    def _toggle_debug(self, _packet: Packet, now_ms: int) -> Output:
        play = self._play
        if play is not None and not play.is_over:
            if self._config.debug_allowed:
                play.toggle_debug()
                self._message = messages.DEBUG_ON if play.is_debugged else messages.DEBUG_OFF
                self._show()
            else:
                self._message = messages.DEBUG_FORBIDDEN
        return self._screen(now_ms), NO_EFFECTS

    def _start(self, packet: Packet, now_ms: int) -> Output:
        assert isinstance(packet, Start)
        try:
            size, level = Size(packet.columns, packet.rows), Level(packet.level)
        except (SizeError, ValueError):
            self._message = messages.bad_start(packet.columns, packet.rows, packet.level)
            return self._screen(now_ms), NO_EFFECTS
        effects = self._terminate()
        is_debugged = self._play is not None and self._play.is_debugged
        setup = Setup(size, level.mines(size), RULES, seed=self._entropy(SEED_BITS))
        self._play = Play(setup, level.name.lower(), is_debugged=is_debugged)
        self._frame = ClassicFrame(size, messages.KEYS)
        self._message = messages.GO
        if is_debugged:
            self._show()
        return self._screen(now_ms), effects

    def _quit(self, _packet: Packet, now_ms: int) -> Output:
        return b"", (*self._terminate(), Close())

    def _ignore(self, _packet: Packet, now_ms: int) -> Output:
        return self._screen(now_ms), NO_EFFECTS

    def _terminate(self) -> tuple[Effect, ...]:
        """Give up a running game; one that was never acted on does not count."""
        play = self._play
        if play is None or play.is_over:
            return NO_EFFECTS
        was_played = play.game.was_played
        play.game.terminate()
        return (Ended(Status.TERMINATED, play.game.elapsed_ms),) if was_played else NO_EFFECTS

    def _show(self) -> None:
        """Bring the painted field up to date with the game."""
        if self._play is not None and self._frame is not None:
            self._frame.field.show(self._play.game.view(), self._play.debug_mines())

    def _screen(self, now_ms: int) -> bytes:
        play, frame = self._play, self._frame
        if play is None or frame is None:
            return encode_screen(paint_page(messages.welcome(self._message)))
        key = (
            play.elapsed_ms(now_ms) // 1000,
            play.game.flagged,
            play.game.status,
            play.is_debugged,
        )
        if key != self._status_key:
            self._status_key = key
            self._status = messages.status_line(play, key[0])
        return encode_screen(*frame.pieces(self._status, self._message, play.cursor))


_HANDLERS: Final[Mapping[object, Callable[[Session, Packet, int], Output]]] = {
    **dict.fromkeys(_STEPS, Session._move),
    **dict.fromkeys(_ACTIONS, Session._act),
    Command.TOGGLE_DEBUG_MODE: Session._toggle_debug,
    Command.QUIT: Session._quit,
    Start: Session._start,
}
