"""A guest with a browser: first it asks for the page, then the page plays through a WebSocket.

Nobody knows who will speak on a connection that was just made. So `Newcomer` begins as any guest
does, and hands its connection over to a `WebGuest` if the first bytes are a browser's.

What the page sends is charged like the packets of any guest, and so is the work on the bytes around
it: empty frames, pings, requests for files.
"""

from __future__ import annotations

import asyncio
from typing import Final

from jminesweeper.server.config import WebSocket
from jminesweeper.server.door import Caller, recognise
from jminesweeper.server.guest import bug_boundary
from jminesweeper.server.hub import Hub
from jminesweeper.server.phases import Ending, Phase
from jminesweeper.server.tcp import ONE_BYTE, TcpGuest
from jminesweeper.server.turns import ROUND_NS
from jminesweeper.web import Exchange

ENOUGH_UNHEARD: Final = 1_024
"""Bytes that may wait for a turn before no more are taken off the connection."""


class Newcomer(TcpGuest):
    """A guest on a connection of which nothing has been heard."""

    __slots__ = ("_beginning", "_take")

    def __init__(self, hub: Hub, peer: str, origin: str) -> None:
        super().__init__(hub, peer, origin)
        self._beginning = b""
        self._take = self._meet

    def buffer_updated(self, nbytes: int) -> None:
        self._take(ONE_BYTE[self._buffer[0]] if nbytes == 1 else bytes(self._buffer[:nbytes]))

    def _meet(self, data: bytes) -> None:
        """Take in the first bytes; where they are a browser's, somebody else goes on."""
        self._beginning += data
        caller = recognise(self._beginning)
        if caller is Caller.BROWSER and self._conversation.phase is Phase.DOOR:
            self._give_way()
        elif caller is not None:
            self._take = self.hear
            self.hear(self._beginning)

    @bug_boundary
    def _give_way(self, /) -> None:
        successor = WebGuest(self._hub, self.peer, self.origin)
        self._hub.change(self, successor)
        self._transport.set_protocol(successor)
        successor.take_over(self._transport, self._beginning)


class WebGuest(TcpGuest):
    """A guest whose bytes are in HTTP requests, and then in the frames of a WebSocket."""

    __slots__ = ("_exchange", "_has_hung_up", "_is_stalled", "_unheard", "_web_socket")

    def __init__(self, hub: Hub, peer: str, origin: str) -> None:
        super().__init__(hub, peer, origin)
        self._exchange = Exchange(has_page=hub.backend.new_web_socket is not None)
        self._web_socket: WebSocket | None = None
        self._unheard = b""
        self._is_stalled = False
        self._has_hung_up = False

    def take_over(self, transport: asyncio.Transport, beginning: bytes) -> None:
        """Go on with a connection on which a browser has said this."""
        self._transport = transport
        self._write = self._put_in_message
        self._take(beginning)

    def buffer_updated(self, nbytes: int) -> None:
        self._take(bytes(self._buffer[:nbytes]))

    @bug_boundary
    def _take(self, data: bytes, /) -> None:
        """Take in bytes, now or when it is this one's turn."""
        self._unheard += data
        if self.account_ns <= self._turns.direct_limit_ns:
            self._listen_at_once()
            return
        if not self._waits_for_turn:
            self._waits_for_turn = True
            self._turns.queue(self)
        self._turn_stream()

    def _listen_at_once(self) -> None:
        """Read what came, and charge it; what `hear` has charged for the packets is a part."""
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
        """Read what came; what the page says goes the way of all bytes."""
        data, self._unheard = self._unheard, b""
        if self._web_socket is None:
            data = self._answer_requests(data)
        if self._web_socket is None:
            return
        said = self._web_socket.receive(data)
        self._flush(self._web_socket)
        if said:
            self.hear(said)
        if self._web_socket.is_over:
            self._transport.close()

    def _answer_requests(self, data: bytes) -> bytes:
        """Answer HTTP; return the bytes with which a WebSocket begins."""
        self._send_raw(self._exchange.receive(data))
        if self._exchange.is_over:
            self._transport.close()
        elif self._exchange.upgrade and (open_socket := self._hub.backend.new_web_socket):
            self._web_socket = open_socket()
        return self._exchange.upgrade

    def _put_in_message(self, screen: bytes) -> None:
        """Send a reply; there is none to be shown before the page has loaded."""
        if self._web_socket is not None:
            self._web_socket.send(screen)
            self._flush(self._web_socket)

    def _flush(self, web_socket: WebSocket) -> None:
        self._send_raw(web_socket.outgoing)

    def _send_raw(self, data: bytes) -> None:
        if data and not (self._has_hung_up or self._transport.is_closing()):
            self._transport.write(data)

    def _set_reading(self, *, is_reading: bool) -> None:
        is_behind = self._is_stalled or len(self._unheard) >= ENOUGH_UNHEARD
        super()._set_reading(is_reading=is_reading and not is_behind)

    def _turn_stream(self) -> None:
        self._set_reading(is_reading=self._is_reading)

    def _hang_up(self, ending: Ending) -> None:
        if self._web_socket is not None:
            self._web_socket.close()
            self._flush(self._web_socket)
        self._has_hung_up = True
        super()._hang_up(ending)
