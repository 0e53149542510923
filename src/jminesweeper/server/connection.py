"""One connection: a transport on one side, a conversation and the hub on the other.

The conversation decides what to do. The connection reports to it what happens, and carries out what
follows: it writes, stops reading, hangs up; it hands over to the hub; it charges turns, and
contains bugs.

The first bytes show whether a browser is there, which speaks HTTP and then through a WebSocket
(`browser`), or a client, or somebody who types. TLS and the header of a proxy are already removed
(`game_server`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, cast

from jminesweeper.records.rooms import RoomError
from jminesweeper.server.conversation import Ending, Phase, ServerConversation
from jminesweeper.server.door import NO_SSH, SIGNATURE, Caller, recognise, ssh_disconnect
from jminesweeper.server.hub import SHARE_NS, Hub
from jminesweeper.session.reply import FoundReview, Moved, Review, Reviewed
from jminesweeper.store.port import StoreError

if TYPE_CHECKING:
    from jminesweeper.server.browser import Browser

TURN_BYTES: Final = 64 * 1024
TURN_NS: Final = SHARE_NS
"""Limits of one turn; then the others get theirs."""

TLS_BUFFER: Final = 16 * 1024
"""Bytes that TLS may hold before it counts as unread: a record needs room there."""

BUG: Final = "Sorry, a bug in the server has ended this game."

P = ParamSpec("P")

logger = logging.getLogger("jminesweeper.server")


def bug_boundary(
    method: Callable[Concatenate[Connection, P], None],
) -> Callable[..., None]:
    """End the connection whose session raises, and nothing else.

    Five methods do the same in place: `eof_received` and `take_turn`, which return a value, and
    `_hear`, `_hear_of_match` and `show`, which most actions call. In place it takes 0.04 µs, by the
    wrapper 0.14.
    """

    @wraps(method)
    def guarded(self: Connection, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            method(self, *args, **kwargs)
        # A bug behind one connection may raise anything, and must not reach the other players.
        except Exception as bug:
            self._end_by_bug(bug)

    return guarded


def _ignore(_connection: Connection, _data: bytes, /) -> None: ...


class Connection(asyncio.BufferedProtocol):
    """The protocol that asyncio drives.

    One buffer serves all connections: a loop fills it and hands it over in one step. That spares
    the 256 KiB that asyncio allocates for each read of a plain `Protocol`.
    """

    __slots__ = (
        "_beginning",
        "_browser",
        "_buffer",
        "_clock_ns",
        "_hub",
        "_is_reading",
        "_linger",
        "_packet_ns",
        "_process",
        "_transport",
        "_turns",
        "_waits_for_turn",
        "conversation",
        "debt_ns",
        "has_place",
        "key",
        "log_level",
        "name",
        "origin",
        "peer",
        "refusal",
        "served_ns",
        "shown_s",
        "since_ms",
    )

    _transport: asyncio.Transport
    _process: Callable[[Connection, bytes], None]
    """Processes what the peer has sent: a function of the class, called with the connection."""

    def __init__(self, hub: Hub, peer: str, origin: str) -> None:
        self.peer = peer
        """Its name in the log."""
        self.origin = origin
        """The address that the limit per address counts."""
        self.has_place = False
        """True if it counts against the limits."""
        self.refusal = ""
        """The reason why it has no place."""
        self.log_level = logging.INFO
        """Lower where nobody plays: a proxy checks every second whether the server is up."""
        self.since_ms = hub.now_ms()
        self.name = ""
        """The first name of its player, in the log."""
        self.key = ""
        """The id of the known player here; empty if there is none."""
        self.shown_s = 0.0
        """Time of the last unasked view, on the loop's clock."""
        self.debt_ns = SHARE_NS
        """The time spent on its answers, less the part forgiven since."""
        self.served_ns = hub.clock_ns()
        """Time of its last turn."""
        self._hub = hub
        self._turns = hub.turns
        self._packet_ns = hub.measures.packet_ns
        self._clock_ns = hub.clock_ns
        self._buffer = hub.read_buffer
        self.conversation = ServerConversation(
            hub.backend.new_session,
            self.since_ms,
            hub.measures.packets,
            address=origin,
            hear=self._hear_of_match,
            show=self.show,
        )
        self._process = Connection._meet
        self._beginning = b""
        self._browser: Browser | None = None
        self._is_reading = True
        self._waits_for_turn = False
        self._linger: asyncio.TimerHandle | None = None

    # What the transport reports

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        # It reports at once what the peer leaves unread: at most a turn's replies wait there.
        has_tls = not self._transport.can_write_eof()
        self._transport.set_write_buffer_limits(high=TLS_BUFFER if has_tls else 0)
        self._hub.enter(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._process(self, bytes(self._buffer[:nbytes]))

    def eof_received(self) -> bool:
        """Keep the transport open if something is still owed."""
        try:
            self.conversation.end_stream()
            self._carry_out()
        except Exception as bug:
            self._end_by_bug(bug)
        is_owed = self.conversation.phase is Phase.LEAVING
        return is_owed and self._transport.can_write_eof()

    def pause_writing(self) -> None:
        self.conversation.replies.stall(self._hub.now_ms())
        self._update_reading()

    @bug_boundary
    def resume_writing(self) -> None:
        self.conversation.replies.catch_up()
        self._go_on()

    @bug_boundary
    def connection_lost(self, exc: Exception | None) -> None:
        if self._linger is not None:
            self._linger.cancel()
        try:
            self.conversation.lose(self._hub.now_ms())
            self._carry_out_errands()
        finally:
            self._hub.leave(self)
            self._process = _ignore

    def come_from(self, peer: str, origin: str) -> None:
        """Take the player's own address in place of a proxy's."""
        self.peer, self.origin = peer, origin
        self.conversation.session.come_from(origin)

    def continue_over(self, transport: asyncio.Transport) -> None:
        """Play over another transport from now on: the first bytes were SSH."""
        self._transport, self._process = transport, Connection._hear

    # What the peer sends

    def hear(self, data: bytes) -> None:
        """Process bytes that came by another way than a transport's buffer."""
        self._process(self, data)

    @bug_boundary
    def _meet(self, data: bytes, /) -> None:
        """Process the first bytes, until they show who is there."""
        self._beginning += data
        caller = recognise(self._beginning)
        if caller is None:
            return
        beginning, self._beginning = self._beginning, b""
        if beginning.startswith(SIGNATURE):
            logger.warning("%s sent a proxy header; --proxy-from does not name it", self.peer)
        self._process = Connection._hear
        if caller is Caller.BROWSER and self.conversation.phase is Phase.DOOR:
            page = self._hub.load_page()
            if not page.done():
                self._transport.pause_reading()
                page.add_done_callback(lambda _: self._meet_again(beginning))
                return
            self._browser = page.result()()
            self._process = Connection._hear_browser
        elif caller is Caller.SSH and self._hub.ssh is not None:
            if self.conversation.phase is Phase.DOOR:
                self._hub.ssh.welcome(self, self._transport, beginning)
            return
        elif caller is Caller.SSH:
            self.conversation.introduce(ssh_disconnect(NO_SSH))
        elif caller is not Caller.CLIENT:
            self.conversation.introduce()
        self._process(self, beginning)

    def _meet_again(self, beginning: bytes) -> None:
        """Continue with a browser that came before the page was loaded."""
        if not self._transport.is_closing():
            self._transport.resume_reading()
            self._meet(beginning)

    def _hear(self, data: bytes) -> None:
        """Process packets, and answer them if it is this connection's turn."""
        now_ns = self._clock_ns()
        may_go = self._turns.may_go(self, now_ns)
        try:
            self.conversation.take_in(data, now_ns // 1_000_000)
            if may_go:
                self._turns.charge(self, self._answer_some(now_ns) - now_ns)
            self._carry_out()
            if self.conversation.backlog and self.conversation.can_answer:
                self._queue()
        except Exception as bug:
            self._end_by_bug(bug)

    @bug_boundary
    def _hear_browser(self, data: bytes, /) -> None:
        """Process a message of the game, whose packets take turns like any, or other bytes."""
        # Bytes come here only while there is one.
        browser = cast("Browser", self._browser)
        if said := browser.read_message(data):
            self._hear(said)
            return
        begun_ns = self._clock_ns()
        said = browser.receive(data)
        self._flush()
        self._turns.charge(self, self._clock_ns() - begun_ns)
        if said:
            self._hear(said)
        if browser.is_over:
            self._transport.close()
        elif self.debt_ns >= SHARE_NS:
            self._queue()
            self._update_reading()

    def _flush(self) -> None:
        if self._browser is not None and (data := self._browser.outgoing):
            self._transport.write(data)

    # What the hub calls

    @bug_boundary
    def disconnect(self, message: str, *, is_final: bool = False) -> None:
        """Show a last screen, after pending replies, and hang up."""
        self.conversation.disconnect(message, self._hub.now_ms(), is_final=is_final)
        self._carry_out()

    @bug_boundary
    def follow(self) -> None:
        """Follow the player to another game, begun on another device."""
        self.conversation.notice(Moved(), self._hub.now_ms())
        self._go_on()

    def show(self) -> None:
        try:
            self.conversation.show(self._clock_ns() // 1_000_000)
            self._carry_out()
        except Exception as bug:
            self._end_by_bug(bug)

    @bug_boundary
    def check_time(self, now_ms: int) -> None:
        """Disconnect a peer that does not read, or has been silent for too long."""
        self.conversation.check_time(self._hub.config, now_ms)
        orders = self.conversation.orders
        if orders is not None and orders.ending is Ending.AT_ONCE:
            logger.info("%s does not read its screens", self.peer)
        self._carry_out()

    def abort(self) -> None:
        """Drop the connection, even if something is owed."""
        self._transport.abort()

    def take_turn(self) -> bool:
        """Answer some waiting packets; return True if the rest needs another turn."""
        self._waits_for_turn = False
        try:
            self._answer_some(self._clock_ns())
            self._carry_out()
        except Exception as bug:
            self._end_by_bug(bug)
        self._waits_for_turn = self.conversation.can_answer
        return self._waits_for_turn

    def _hear_of_match(self, must_renew: bool) -> None:
        try:
            now_ms = self._clock_ns() // 1_000_000
            self.conversation.match_changed(now_ms, must_renew=must_renew)
            self._go_on()
        except Exception as bug:
            self._end_by_bug(bug)

    @bug_boundary
    def _end_errand(self, _result: object) -> None:
        self.conversation.replies.end_errand()
        self._go_on()

    @bug_boundary
    def _take_answer(self, number: int, answer: object) -> None:
        if isinstance(answer, Exception) and not isinstance(answer, StoreError | RoomError):
            raise answer
        self.conversation.answered(number, answer, self._hub.now_ms())
        if (player := self.conversation.session.player_id) != self.key:
            self._hub.register(self, player)
        self._go_on()

    @bug_boundary
    def _take_review(self, review: Review, found: FoundReview | None) -> None:
        self.conversation.notice(Reviewed(review, found), self._hub.now_ms())
        self._go_on()

    # What follows

    def _answer_some(self, now_ns: int) -> int:
        """Answer waiting packets, for the length of a turn; return the time at its end."""
        conversation, replies = self.conversation, self.conversation.replies
        now_ms, end_ns = now_ns // 1_000_000, now_ns + TURN_NS
        while conversation.answer_next(now_ms):
            before_ns, now_ns = now_ns, self._clock_ns()
            self._packet_ns.observe(now_ns - before_ns)
            if not conversation.backlog or now_ns >= end_ns or replies.outgoing_bytes >= TURN_BYTES:
                break
        return now_ns

    def _go_on(self) -> None:
        """Continue after an event: answer, in turn, or show news unasked."""
        self._carry_out()
        if self.conversation.can_answer:
            self._queue()
        elif self.conversation.is_stale:
            self._hub.show_soon(self)

    def _queue(self) -> None:
        if not self._waits_for_turn:
            self._waits_for_turn = True
            self._turns.queue(self)

    def _carry_out(self) -> None:
        """Carry out what the conversation wants: send, store, ask, hang up, read on or not."""
        conversation, replies = self.conversation, self.conversation.replies
        if replies.outgoing:
            browser = self._browser
            for screens in replies.take_outgoing():
                self._transport.write(screens if browser is None else browser.pack(screens))
        if (orders := conversation.orders) is not None:
            self._carry_out_errands()
            if orders.question is not None:
                number, question = orders.question
                self._hub.ask(question, self, partial(self._take_answer, number))
            if orders.work is not None:
                self._hub.work(orders.work, self, partial(self._take_review, orders.work))
            if orders.name:
                self.name = orders.name
                logger.info("%s is %s", self.peer, self.name, extra={"peer": self.peer})
            if orders.rejected is not None:
                self._hub.measures.rejected += 1
                logger.warning("protocol error from %s: %s", self.peer, orders.rejected.reason)
            if orders.ending is not None:
                self._end(orders.ending)
        if conversation.backlog or not self._is_reading:
            self._update_reading()

    def _carry_out_errands(self) -> None:
        """Take the conversation's orders, and hand its errands over."""
        orders, self.conversation.orders = self.conversation.orders, None
        for errand in () if orders is None else orders.errands:
            self._hub.keeper.run(errand, self._end_errand)

    def _update_reading(self) -> None:
        """Take bytes, or leave them with the peer."""
        may_read = self.conversation.is_reading and (
            # What a browser sends besides packets costs turns as well, and is answered as well.
            self._browser is None
            or not (self._waits_for_turn or self.conversation.replies.is_unread)
        )
        if may_read is self._is_reading or self._transport.is_closing():
            return
        self._is_reading = may_read
        if may_read:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()

    def _end(self, ending: Ending) -> None:
        if ending is Ending.AT_ONCE:
            self.abort()
            return
        self._update_reading()
        # Close the connection, or our half of it; written bytes are still sent.
        if self._browser is not None:
            self._browser.close()
            self._flush()
            self._browser = None
        # Nothing is written after this, no matter what arrives.
        self._process = Connection._hear
        if ending is Ending.NOW or not self._transport.can_write_eof():
            self._transport.close()
        else:
            try:
                self._transport.write_eof()
            except OSError:  # The peer has reset the connection, and the loop has not noticed yet.
                self.abort()
        if ending is Ending.AFTER_THE_PEER or self.conversation.replies.is_unread:
            loop = asyncio.get_running_loop()
            self._linger = loop.call_later(self._hub.config.linger_s, self.abort)

    def _end_by_bug(self, bug: Exception) -> None:
        logger.error("the session of %s failed", self.peer, exc_info=bug)
        if self.conversation.phase is Phase.GONE:
            return
        try:
            self.conversation.fail(BUG, self._hub.now_ms())
            self._carry_out()
        # If not even a last screen can be composed, there is none.
        except Exception:
            logger.exception("no last screen for %s", self.peer)
            self.abort()
