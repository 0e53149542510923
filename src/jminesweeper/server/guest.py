"""What carries out a conversation: it charges turns, hands over to the hub, and stops bugs.

A guest connects a conversation, which decides what to do, with two others that do it: a transport,
which is a subclass (`tcp`), and the hub, which all connections share. After each event that it
reports to the conversation, `_carry_out` does what follows from it.

A key press must cost little more than its system calls. So the path of a single packet through
`hear` makes no task, no timer and no log line.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial, wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

from jminesweeper.server.conversation import ServerConversation
from jminesweeper.server.hub import Hub
from jminesweeper.server.phases import Ending, Phase
from jminesweeper.session.reply import Claimed, Review, Reviewed
from jminesweeper.store import StoreError

TURN_PACKETS: Final = 32
TURN_BYTES: Final = 64 * 1024
TURN_NS: Final = 2_000_000
"""What one connection may be answered before the others get their turn."""

TYPED_AHEAD: Final = 8
"""As many keys a person may have typed ahead. Each gets its reply in a send of its own, for a stock
client takes what one segment brings for the whole reply; whoever sends more packets at once reads a
stream, and gets the replies joined."""

BUG: Final = "Sorry, a bug in the server has ended this game."

GuestT = TypeVar("GuestT", bound="Guest")
P = ParamSpec("P")

logger = logging.getLogger("jminesweeper.server")


def bug_boundary(method: Callable[Concatenate[GuestT, P], None]) -> Callable[..., None]:
    """End the connection whose session raises, and nothing else."""

    @wraps(method)
    def guarded(self: GuestT, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            method(self, *args, **kwargs)
        # A bug behind one connection may raise anything, and must not reach the other players.
        except Exception as bug:
            self._end_by_bug(bug)

    return guarded


class Guest(ABC):
    """One connection, on whatever transport."""

    __slots__ = (
        "_answer",
        "_clock_ns",
        "_conversation",
        "_hub",
        "_is_reading",
        "_linger",
        "_measures",
        "_packet_ns",
        "_turns",
        "_waits_for_turn",
        "_write",
        "account_ns",
        "cost_ns",
        "is_check",
        "key",
        "origin",
        "peer",
        "served_ns",
        "since_ms",
    )

    _write: Callable[[bytes], None]
    """Sends a reply in one piece; the transport sets it."""

    def __init__(self, hub: Hub, peer: str, origin: str) -> None:
        self.peer = peer
        """Who this is in the log."""
        self.origin = origin
        """The address that the limit per address counts."""
        self.since_ms = hub.now_ms()
        self.key = ""
        """The player whose game is played here."""
        self.is_check = False
        """Nobody plays here: a proxy checks whether the server is up."""
        self.account_ns = self.cost_ns = self.served_ns = 0
        self._hub = hub
        self._turns = hub.turns
        self._measures = hub.measures
        self._packet_ns = hub.measures.packet_ns
        self._clock_ns = hub.clock_ns
        self._conversation = ServerConversation(
            hub.backend.new_session, self.since_ms, hub.measures.packets
        )
        self._answer = self._conversation.answer
        self._is_reading = True
        self._waits_for_turn = False
        self._linger: asyncio.TimerHandle | None = None

    @property
    def waits_for_key(self) -> bool:
        """Whether the next packet to answer is a key."""
        return self._conversation.waits_for_key

    @property
    def is_owed(self) -> bool:
        """Whether nothing more is answered, but something is still to be sent."""
        return self._conversation.phase is Phase.LEAVING

    @property
    def packets(self) -> int:
        return self._conversation.packets

    @property
    def games(self) -> int:
        return self._conversation.games

    # What a transport does

    @abstractmethod
    def _set_reading(self, *, is_reading: bool) -> None:
        """Read bytes, or leave them with the peer."""

    @abstractmethod
    def _hang_up(self, ending: Ending) -> None:
        """Close the connection, or our half of it; what was written is still sent."""

    @abstractmethod
    def abort(self) -> None:
        """Drop the connection, even if something is owed."""

    # What a transport reports

    def arrive(self) -> None:
        """Begin: the connection can be used from now on."""
        self._hub.enter(self)

    def hear(self, data: bytes) -> None:
        """Process bytes, and answer them if it is this connection's turn."""
        turns = self._turns
        now_ns = self._clock_ns()
        if now_ns >= turns.sample_due_ns:
            turns.sample(now_ns)
        try:
            if self.account_ns > turns.direct_limit_ns:
                self._conversation.take_in(data, now_ns // 1_000_000)
                self._go_on()
            elif screen := self._answer(data, now_ns // 1_000_000):
                self._write(screen)
                took_ns = self._clock_ns() - now_ns
                # `observe`, inlined.
                packet_ns = self._packet_ns
                packet_ns.counts[took_ns.bit_length()] += 1
                packet_ns.total += took_ns
                turns.charge_direct(self, took_ns)
            else:
                if self._conversation.can_answer:
                    self._answer_some()
                else:
                    self._packet_ns.observe(self._clock_ns() - now_ns)
                turns.charge_direct(self, self._clock_ns() - now_ns)
                self._go_on()
        # The boundary once more: a wrapper would be a good part of what a key press costs.
        except Exception as bug:
            self._end_by_bug(bug)

    @bug_boundary
    def hear_end(self) -> None:
        """Note that the peer sends no more."""
        self._conversation.end_stream()
        self._carry_out()

    def stall(self) -> None:
        """Note that the peer leaves unread what was sent."""
        self._conversation.replies.stall(self._hub.now_ms())

    @bug_boundary
    def catch_up(self) -> None:
        """Note that the peer has read everything."""
        self._conversation.replies.catch_up()
        self._go_on()

    @bug_boundary
    def depart(self) -> None:
        """Note that the connection is lost."""
        if self._linger is not None:
            self._linger.cancel()
        try:
            self._conversation.lose(self._hub.now_ms())
            self._hand_over()
        finally:
            self._hub.leave(self)

    # What the hub calls

    @bug_boundary
    def let_go(self, message: str, *, is_final: bool = False) -> None:
        """Show a last screen, after what is owed, and hang up."""
        self._conversation.let_go(message, self._hub.now_ms(), is_final=is_final)
        self._carry_out()

    def refuse(self, message: str) -> None:
        """Say why the connection is refused."""
        self.let_go(message)

    @bug_boundary
    def look_again(self) -> None:
        """Find out whether the game was claimed elsewhere."""
        self._conversation.notice(Claimed(), self._hub.now_ms())
        self._go_on()

    @bug_boundary
    def check_time(self, now_ms: int) -> None:
        """Disconnect a peer that does not read, or has been silent for too long."""
        self._conversation.check_time(self._hub.config, now_ms)
        if self._conversation.ending is Ending.AT_ONCE:
            logger.info("%s does not read its screens", self.peer)
        self._carry_out()

    def take_turn(self) -> bool:
        """Answer some of what waits; return whether another turn is needed for the rest."""
        self._waits_for_turn = False
        try:
            if self._conversation.can_answer:
                self._answer_some()
            self._carry_out()
        except Exception as bug:
            self._end_by_bug(bug)
        self._waits_for_turn = self._conversation.can_answer
        return self._waits_for_turn

    @bug_boundary
    def _take_stored(self, answer: object) -> None:
        self._conversation.stored(answer, self._hub.now_ms())
        self._go_on()

    @bug_boundary
    def _take_answer(self, number: int, answer: object) -> None:
        if isinstance(answer, Exception) and not isinstance(answer, StoreError):
            raise answer
        self._conversation.answered(number, answer, self._hub.now_ms())
        self._go_on()

    @bug_boundary
    def _take_review(self, review: Review, lines: tuple[str, ...] | None) -> None:
        self._conversation.notice(Reviewed(review, lines), self._hub.now_ms())
        self._go_on()

    # What follows

    def _answer_some(self) -> None:
        """Answer what waits, for the length of a turn."""
        conversation = self._conversation
        before_ns = self._clock_ns()
        now_ms, end_ns = before_ns // 1_000_000, before_ns + TURN_NS
        for _ in range(TURN_PACKETS):
            conversation.answer_next(now_ms)
            now_ns = self._clock_ns()
            self._packet_ns.observe(now_ns - before_ns)
            before_ns = now_ns
            is_over = conversation.replies.outgoing_bytes >= TURN_BYTES
            if is_over or not conversation.can_answer or now_ns >= end_ns:
                break

    def _go_on(self) -> None:
        """Do what follows from an event, and queue for a turn if there is something to answer."""
        self._carry_out()
        if self._conversation.can_answer and not self._waits_for_turn:
            self._waits_for_turn = True
            self._turns.queue(self)

    def _carry_out(self) -> None:
        """Do what the conversation says."""
        conversation = self._conversation
        replies = conversation.replies
        if replies.outgoing:
            self._send(replies.take_outgoing())
        if replies.operations:
            self._hand_over()
        if conversation.question is not None:
            (number, question), conversation.question = conversation.question, None
            self._hub.ask(question, self, partial(self._take_answer, number))
        if conversation.work is not None:
            work, conversation.work = conversation.work, None
            self._hub.work(work, self, partial(self._take_review, work))
        if conversation.claims:
            claims, conversation.claims = conversation.claims, ""
            self._hub.claim(claims, self)
        if conversation.rejected is not None:
            self._measures.rejected += 1
            logger.warning("protocol error from %s: %s", self.peer, conversation.rejected.reason)
            conversation.rejected = None
        if conversation.ending is not None:
            ending, conversation.ending = conversation.ending, None
            self._end(ending)
        elif self._is_reading is not conversation.is_reading:
            self._turn_reading()

    def _hand_over(self) -> None:
        for operation in self._conversation.replies.take_operations():
            self._hub.store(operation, self._take_stored)

    def _send(self, screens: list[bytes]) -> None:
        if len(screens) > TYPED_AHEAD:
            screens = [b"".join(screens)]
        for screen in screens:
            self._write(screen)

    def _turn_reading(self) -> None:
        self._is_reading = not self._is_reading
        self._set_reading(is_reading=self._is_reading)

    def _end(self, ending: Ending) -> None:
        if ending is Ending.AT_ONCE:
            self.abort()
            return
        if ending is Ending.AFTER_THE_PEER and not self._is_reading:
            self._turn_reading()
        self._hang_up(ending)
        if ending is Ending.AFTER_THE_PEER or self._conversation.replies.is_unread:
            loop = asyncio.get_running_loop()
            self._linger = loop.call_later(self._hub.config.linger_s, self.abort)

    def _end_by_bug(self, bug: Exception) -> None:
        logger.error("the session of %s failed", self.peer, exc_info=bug)
        if self._conversation.phase is Phase.GONE:
            return
        try:
            self._conversation.fail(BUG, self._hub.now_ms())
            self._carry_out()
        # If not even a last screen can be drawn, there is none.
        except Exception:
            logger.exception("no last screen for %s", self.peer)
            self.abort()
