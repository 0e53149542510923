"""A stream of the game's protocol inside a WebSocket: bytes to bytes, both ways.

Messages carry the stream in any chopping: message boundaries mean nothing. There is no compression,
so a few bytes cannot become many; a message has a limit, though no more of it is held than of any
stream. The connection sends `outgoing` after each call, and hangs up when `is_over` says so.
"""

from __future__ import annotations

import logging
from typing import Final

from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request as Handshake
from websockets.protocol import Event, State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from jminesweeper.web.site import SUBPROTOCOL

LARGEST_MESSAGE: Final = 64 * 1024

_END_OF_REQUEST: Final = b"\r\n\r\n"

# The server logs connections, as for any transport.
_logger = logging.getLogger("jminesweeper.server.web_socket")
_logger.setLevel(logging.ERROR)


class WebSocketStream:
    """The server's end of one WebSocket, from the request that asks for it."""

    def __init__(self) -> None:
        subprotocols = [Subprotocol(SUBPROTOCOL)]
        self._protocol = ServerProtocol(
            subprotocols=subprotocols, max_size=LARGEST_MESSAGE, logger=_logger
        )

    @property
    def is_over(self) -> bool:
        """Nothing more follows: send `outgoing`, then close."""
        return self._protocol.close_expected() or self._protocol.state is State.CLOSED

    @property
    def outgoing(self) -> bytes:
        """The bytes to send now; reading them removes them."""
        return b"".join(self._protocol.data_to_send())

    def receive(self, data: bytes) -> bytes:
        """Process bytes of the connection, first the whole request; return those of the game."""
        if self._protocol.state is State.CONNECTING:
            head, end, data = data.partition(_END_OF_REQUEST)
            self._protocol.receive_data(head + end)
            for event in self._protocol.events_received():
                if isinstance(event, Handshake):
                    self._protocol.send_response(self._protocol.accept(event))
                    # The protocol has the request as long as it lives: 2 KB for each browser.
                    event.headers.clear()
        if self._protocol.state is State.CONNECTING:
            return b""
        self._protocol.receive_data(data)
        return b"".join(map(self._take, self._protocol.events_received()))

    def send(self, data: bytes) -> None:
        if self._protocol.state is State.OPEN:
            self._protocol.send_binary(data)

    def close(self) -> None:
        """Say goodbye; the peer then closes the connection."""
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(CloseCode.NORMAL_CLOSURE)

    def _take(self, event: Event) -> bytes:
        if isinstance(event, Frame) and event.opcode in {Opcode.BINARY, Opcode.CONT}:
            return bytes(event.data)
        if isinstance(event, Frame) and event.opcode is Opcode.TEXT:
            self._protocol.fail(CloseCode.UNSUPPORTED_DATA, "only binary messages")
        return b""
