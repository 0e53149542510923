"""What a session and its peer have to say to each other: packets to replies, in their order.

Whatever can be in the way (a peer that does not read, a commit under way, a question that is being
answered, more packets than one turn may answer) leaves the rest in a backlog and an outbox, both
bounded: while something is in the way no more packets are taken.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum, auto
from functools import partial, wraps
from typing import Any, Concatenate, Final, ParamSpec, assert_never

from jminesweeper.protocol import Packet, ProtocolError
from jminesweeper.server.backend import DismissalError
from jminesweeper.server.lobby import Lobby, logger
from jminesweeper.server.outbox import Outbox
from jminesweeper.session.effects import Ask, Claimed, Close, Commit, Effect, Ended, Jot

TURN_PACKETS: Final = 32
TURN_BYTES: Final = 64 * 1024
TURN_NS: Final = 2_000_000
"""What one connection may be answered before the others get their turn."""

MOST_UNDER_WAY: Final = 128
"""Writes of one connection that the store may not have answered yet. No reply waits for some of
them, so that nothing else keeps a peer from asking for more than the disk can take."""

BUG: Final = "The server made a mistake and has to end this game. It was not your fault."

P = ParamSpec("P")


class Phase(Enum):
    """A connection's life; it only goes forward."""

    PLAYING = auto()
    LEAVING = auto()
    """No packet is taken any more; what is owed still goes out."""
    LINGERING = auto()
    """Our half is closed; what comes in is thrown away until the peer hangs up."""
    GONE = auto()


def session_boundary(
    method: Callable[Concatenate[Dialogue, P], None],
) -> Callable[Concatenate[Dialogue, P], None]:
    """End the connection whose session, committer or handler raises, and nothing else."""

    @wraps(method)
    def guarded(self: Dialogue, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            method(self, *args, **kwargs)
        # A bug behind one connection may raise anything, and must not reach the other players.
        except Exception as trouble:
            self._give_up(trouble)

    return guarded


class Dialogue(ABC):
    """One session's side of a connection; what is done to the transport is the subclass's."""

    __slots__ = (
        "_ask",
        "_backlog",
        "_clock_ns",
        "_error",
        "_is_broken",
        "_lobby",
        "_outbox",
        "_phase",
        "_reading",
        "_receive",
        "_session",
        "_spent_ns",
        "_turn_is_due",
        "_under_way",
        "_unread_since_ms",
        "games",
        "heard_ms",
        "origin",
        "packets",
        "peer",
        "player",
        "since_ms",
    )

    _outbox: Outbox

    def __init__(self, lobby: Lobby, peer: str, origin: str) -> None:
        self.peer = peer
        self.origin = origin
        self.player: str | None = None
        self.packets = 0
        self.games = 0
        self.since_ms = self.heard_ms = lobby.now_ms()
        self._lobby = lobby
        self._clock_ns = lobby.clock_ns
        self._session = lobby.backend.new_session()
        self._receive = self._session.receive
        self._phase = Phase.PLAYING
        self._reading = True
        self._backlog: list[Packet] = []
        """Packets not answered yet, the next one last."""
        self._error: ProtocolError | None = None
        """What ended the stream of packets; answered after the backlog."""
        self._ask: asyncio.Future[object] | None = None
        self._unread_since_ms: int | None = None
        self._spent_ns = 0
        """Time that this connection has taken lately, if a turn of it took long. While that is
        remembered it gets turns only where there is time left: so a crowd of such peers delays one
        another, and others hardly."""
        self._turn_is_due = False
        self._under_way = 0
        self._is_broken = False

    @abstractmethod
    def abort(self) -> None:
        """Hang up now, whatever is owed."""

    @abstractmethod
    def _set_reading(self, reading: bool) -> None:
        """Take packets, or leave them with the peer."""

    @abstractmethod
    def _depart(self, *, said_goodbye: bool = False) -> None:
        """Take no more packets, and hang up when what is owed has gone out."""

    @abstractmethod
    def _hang_up_when_done(self) -> None:
        """Hang up if nothing is owed any more."""

    @session_boundary
    def let_go(self, message: str, *, is_final: bool = False) -> None:
        """Show a last screen, after what is owed, and hang up."""
        if self._phase is Phase.PLAYING:
            now_ms = self._lobby.now_ms()
            self._outbox.send(self._session.farewell(message, now_ms, is_final=is_final))
            self._depart(said_goodbye=True)

    def _queue(self, packets: list[Packet]) -> None:
        self.packets += len(packets)
        self.heard_ms = self._lobby.now_ms()
        packets.reverse()
        self._backlog = packets + self._backlog

    @session_boundary
    def _take_turn(self) -> None:
        """Answer what waits, as far as a turn reaches, and see what is to be done next."""
        self._turn_is_due = False
        if not self._is_hindered:
            self._answer_backlog()
        if self._error is not None and not (self._backlog or self._is_hindered):
            self._reject(self._error)
        if self._phase is Phase.PLAYING:
            self._set_reading(not (self._backlog or self._is_hindered))
            if self._backlog and not self._is_hindered:
                self._call_turn()

    def _answer_backlog(self) -> None:
        now_ns = self._clock_ns()
        now_ms, end_ns = now_ns // 1_000_000, now_ns + TURN_NS
        replies: list[bytes] = []
        room = TURN_BYTES
        try:
            for _ in range(min(TURN_PACKETS, len(self._backlog))):
                reply, effects = self._receive(self._backlog.pop(), now_ms)
                room -= len(reply)
                if effects:
                    self._outbox.send_all(replies)
                    replies.clear()
                    self._settle(reply, effects)
                else:
                    replies.append(reply)
                is_over = room <= 0 or self._clock_ns() >= end_ns
                if is_over or (effects and self._is_hindered):
                    break
        finally:
            self._outbox.send_all(replies)
            took_ns = self._clock_ns() - now_ns
            if self._spent_ns or took_ns > TURN_NS:
                self._spent_ns += took_ns

    @property
    def _is_hindered(self) -> bool:
        """Something has to happen before another packet may be answered."""
        return (
            self._phase is not Phase.PLAYING
            or self._ask is not None
            or self._unread_since_ms is not None
            or self._outbox.is_full
            or self._under_way >= MOST_UNDER_WAY
        )

    def _forget_half(self) -> None:
        """Forgive what was taken, a part each time; of what is less than a turn all."""
        self._spent_ns //= 2
        if self._spent_ns < TURN_NS:
            self._spent_ns = 0

    def _line_up(self, packets: list[Packet]) -> None:
        """Take packets for later: they are not answered before it is this connection's turn."""
        if packets:
            self._queue(packets)
        if self._backlog or self._error is not None:
            self._set_reading(False)
            self._call_turn()

    def _call_turn(self) -> None:
        if not self._turn_is_due:
            self._turn_is_due = True
            self._lobby.turns.ask(self._take_turn, self._spent_ns)

    def _reject(self, error: ProtocolError) -> None:
        self._error = None
        logger.warning("protocol error from %s: %s", self.peer, error.reason)
        self._settle(*self._session.reject(error, self._lobby.now_ms()))

    def _settle(self, reply: bytes, effects: tuple[Effect, ...]) -> None:
        """Send a reply as soon as what it says is true, and carry out the rest."""
        closing = False
        for effect in effects:
            match effect:
                case Commit():
                    self._store(effect.operation, holds_replies=True)
                case Jot():
                    self._store(effect.operation)
                case Ask():
                    self._start(effect)
                case Claimed():
                    self._lobby.claim(effect.player, self)
                case Ended():
                    self.games += 1
                case Close():
                    closing = True
                case _:
                    assert_never(effect)
        self._outbox.send(reply)
        if closing:
            self._depart(said_goodbye=bool(reply))

    def _store(self, operation: object, *, holds_replies: bool = False) -> None:
        self._under_way += 1
        if self._under_way >= MOST_UNDER_WAY:
            self._set_reading(False)
        stored = self._lobby.backend.commit(operation)
        if holds_replies:
            self._outbox.wait_for(stored)
        stored.add_done_callback(partial(self._note_stored, operation))

    @session_boundary
    def _note_stored(self, operation: object, stored: asyncio.Future[Any]) -> None:
        """Tell the session how a write went, and send what waited for it."""
        self._under_way -= 1
        self._session.settle(operation, stored.result())
        self._outbox.release()
        self._go_on()

    def _start(self, ask: Ask) -> None:
        handler = self._lobby.backend.handlers[type(ask.request)]
        self._ask = asyncio.ensure_future(handler(ask.request))
        self._ask.add_done_callback(self._resolve)
        self._set_reading(False)

    @session_boundary
    def _resolve(self, ask: asyncio.Future[object]) -> None:
        if ask is self._ask:
            self._ask = None
            self._settle(*self._session.resolve(ask.result(), self._lobby.now_ms()))
            self._go_on()

    def _go_on(self) -> None:
        """Do what waited for a reply to leave or a question to be answered."""
        if self._phase is Phase.LEAVING:
            self._hang_up_when_done()
        elif self._phase is Phase.PLAYING and not self._reading:
            self._call_turn()

    def _give_up(self, trouble: Exception) -> None:
        """Let go of a player that has to go, or whose session hit a bug, and of nobody else."""
        self._outbox.clear()
        if isinstance(trouble, DismissalError):
            self.let_go(str(trouble), is_final=True)
        else:
            self._crash(trouble)

    def _crash(self, bug: Exception) -> None:
        logger.error("the session of %s failed", self.peer, exc_info=bug)
        self._is_broken = True
        if self._phase is Phase.PLAYING:
            self._outbox.send(self._lobby.last_screen(BUG))
            self._depart(said_goodbye=True)
        elif self._phase is not Phase.GONE:
            self.abort()

    def _drop_unanswered(self) -> None:
        self._backlog.clear()
        self._error = None
        if self._ask is not None:
            self._ask.cancel()
            self._ask = None

    @session_boundary
    def _end_session(self) -> None:
        """Tell the session that its player is gone; what that entails has no reply."""
        if not self._is_broken:
            self._settle(b"", self._session.leave(self._lobby.now_ms()))
