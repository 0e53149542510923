"""A guest whose packets come wrapped: in TLS, in a WebSocket, or in a WebSocket within TLS.

A browser first asks for the page, then the page plays through a WebSocket. Within TLS the first
bytes again show who is there, so clients, browsers and people find the same as without it.

What the peer sends is charged like the packets of any guest, and so is the work on the bytes around
it: handshakes, records, empty frames, pings, requests for files.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from jminesweeper.server.config import WebSocket
from jminesweeper.server.door import Caller, recognise
from jminesweeper.server.guest import bug_boundary
from jminesweeper.server.hub import Hub
from jminesweeper.server.phases import Ending
from jminesweeper.server.tcp import TcpGuest
from jminesweeper.server.tls import TlsStream
from jminesweeper.server.turns import ROUND_NS
from jminesweeper.web.exchange import Exchange

ENOUGH_UNHEARD: Final = 1_024
"""Bytes that may wait for a turn before no more are taken off the connection."""

logger = logging.getLogger("jminesweeper.server")


class WrappedGuest(TcpGuest):
    """Unwraps what comes in and wraps what goes out, as the first bytes and requests demand."""

    __slots__ = (
        "_beginning",
        "_exchange",
        "_has_hung_up",
        "_is_stalled",
        "_refusal",
        "_tls",
        "_unheard",
        "_unwrap",
        "_web_socket",
    )

    def __init__(self, hub: Hub, peer: str, origin: str) -> None:
        super().__init__(hub, peer, origin)
        self._tls: TlsStream | None = None
        self._exchange: Exchange | None = None
        self._web_socket: WebSocket | None = None
        self._take = self._take_turns
        self._unwrap: Callable[[bytes], None] = self._meet
        """Processes the peer's bytes after TLS."""
        self._beginning = b""
        self._refusal = ""
        self._unheard = b""
        self._is_stalled = False
        self._has_hung_up = False

    def take_over(
        self, transport: asyncio.Transport, beginning: bytes, tls: TlsStream | None, refusal: str
    ) -> None:
        """Continue a connection that began so; with a refusal only send that."""
        self._transport = transport
        self._write = self._wrap
        self._tls = tls
        self._refusal = refusal
        self._take(beginning)

    @bug_boundary
    def _take_turns(self, data: bytes, /) -> None:
        """Process bytes, now or when it is this connection's turn."""
        self._unheard += data
        if self.account_ns <= self._turns.direct_limit_ns:
            self._listen_at_once()
            return
        if not self._waits_for_turn:
            self._waits_for_turn = True
            self._turns.queue(self)
        self._turn_stream()

    def _listen_at_once(self) -> None:
        """Process what came, and charge it, less what `hear` has charged for packets."""
        turns = self._turns
        begin_ns, direct_ns = max(self.account_ns, turns.virtual_ns), turns.direct_ns
        before_ns = self._clock_ns()
        self._listen()
        took_ns = turns.work_ns(self._clock_ns() - before_ns)
        self.account_ns = max(self.account_ns, begin_ns + took_ns)
        turns.direct_ns = max(turns.direct_ns, direct_ns + took_ns)
        if turns.direct_ns > ROUND_NS:
            turns.end_direct()

    def take_turn(self) -> bool:
        if self._unheard:
            self._listen()
            self._turn_stream()
        return super().take_turn()

    def pause_writing(self) -> None:
        # Or pongs and files would pile up for a peer that reads nothing.
        self._is_stalled = True
        self._turn_stream()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._is_stalled = False
        self._turn_stream()
        super().resume_writing()

    @bug_boundary
    def _listen(self, /) -> None:
        """Unwrap what came; packets go the way of all bytes."""
        data, self._unheard = self._unheard, b""
        tls = self._tls
        if tls is None:
            self._unwrap(data)
            return
        data = tls.receive(data)
        self._send_raw(tls.outgoing)
        if data:
            self._unwrap(data)
        if tls.failure:
            logger.info("no TLS with %s: %s", self.peer, tls.failure, extra={"peer": self.peer})
            self._close()
        elif tls.is_over:
            self.hear_end()

    # After TLS

    def _meet(self, data: bytes) -> None:
        """Process the first bytes, until they show who is there."""
        self._beginning += data
        caller = recognise(self._beginning)
        if caller is None:
            return
        if caller is Caller.BROWSER:
            self._exchange = Exchange(has_page=self._hub.backend.new_web_socket is not None)
            self._unwrap = self._answer_requests
        else:
            self._unwrap = self.hear
        if self._refusal:
            self.let_go(self._refusal)
        self._unwrap(self._beginning)

    def _answer_requests(self, data: bytes) -> None:
        """Answer HTTP, up to the request that begins a WebSocket."""
        exchange = self._exchange
        if exchange is None:
            return
        self._encrypt(exchange.receive(data))
        if exchange.is_over:
            self._close()
        elif exchange.upgrade and (open_socket := self._hub.backend.new_web_socket):
            self._web_socket = open_socket()
            self._unwrap = self._take_frames
            self._take_frames(exchange.upgrade)

    def _take_frames(self, data: bytes) -> None:
        if self._web_socket is None:
            return
        said = self._web_socket.receive(data)
        self._flush(self._web_socket)
        if said:
            self.hear(said)
        if self._web_socket.is_over:
            self._close()

    # Sending

    def _wrap(self, screen: bytes) -> None:
        """Send a reply; a browser can show none before the page has loaded."""
        if self._web_socket is not None:
            self._web_socket.send(screen)
            self._flush(self._web_socket)
        elif self._exchange is None:
            self._encrypt(screen)

    def _flush(self, web_socket: WebSocket) -> None:
        self._encrypt(web_socket.outgoing)

    def _encrypt(self, data: bytes) -> None:
        if self._tls is not None:
            self._tls.send(data)
            data = self._tls.outgoing
        self._send_raw(data)

    def _send_raw(self, data: bytes) -> None:
        if data and not (self._has_hung_up or self._transport.is_closing()):
            self._transport.write(data)

    def _end_tls(self) -> None:
        if self._tls is not None:
            self._tls.close()
            self._send_raw(self._tls.outgoing)

    def _close(self) -> None:
        self._end_tls()
        self._transport.close()

    def _set_reading(self, *, is_reading: bool) -> None:
        is_behind = self._is_stalled or len(self._unheard) >= ENOUGH_UNHEARD
        super()._set_reading(is_reading=is_reading and not is_behind)

    def _turn_stream(self) -> None:
        self._set_reading(is_reading=self._is_reading)

    def _hang_up(self, ending: Ending) -> None:
        if self._web_socket is not None:
            self._web_socket.close()
            self._flush(self._web_socket)
        self._end_tls()
        self._has_hung_up = True
        super()._hang_up(ending)
