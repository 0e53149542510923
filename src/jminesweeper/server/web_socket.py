"""A stream of the game's protocol inside a WebSocket: bytes to bytes, both ways.

Messages carry the stream in any chopping: message boundaries mean nothing. There is no compression,
so a few bytes cannot become many; a message has a limit, though no more of it is held than of any
stream.

On the common path a browser sends each packet as a short message, which arrives whole, and gets
short messages back: `read_message` and `pack`. All else is the library's: the handshake, frames in
pieces or several at once, long ones, pings, closing, and bytes that break the rules. The connection
then sends `outgoing` after each call of `receive`, and hangs up when `is_over` says so.

For a message the library makes 37 calls, which take 4.5 µs, and twice that among a thousand
players. Bytes that continue what the library has begun to read must not be taken for a message. So
`read_message` takes none unless the library has been given whole messages alone.
"""

from __future__ import annotations

import logging
from typing import Final

from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request as Handshake
from websockets.protocol import Event, State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol
from websockets.utils import apply_mask

from jminesweeper.web.site import SUBPROTOCOL

LARGEST_MESSAGE: Final = 64 * 1024

_END_OF_REQUEST: Final = b"\r\n\r\n"

_FINAL: Final = 0x80
_MASKED: Final = 0x80
_WHOLE_MESSAGE: Final = _FINAL | Opcode.BINARY
_LONGEST_SHORT: Final = 125
"""A longer frame has its length in more bytes."""
_MASK: Final = slice(2, 6)
_SHORT_HEAD: Final = 6
"""The first byte, the length, the mask."""

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
        self._unread = 0
        """Bytes given to the library that have not become a frame yet. It never returns to 0 once a
        peer has written a length in more bytes than needed: the library then reads all the rest."""
        self._is_in_message = False
        self._is_between_messages = False
        """True if the next byte begins a message."""

    @property
    def is_over(self) -> bool:
        """Nothing more follows: send `outgoing`, then close."""
        return self._protocol.close_expected() or self._protocol.state is State.CLOSED

    @property
    def outgoing(self) -> bytes:
        """The bytes to send now; reading them removes them."""
        return b"".join(self._protocol.data_to_send())

    def read_message(self, data: bytes) -> bytes:
        """Return what a whole, short message carries; nothing if `data` is anything else."""
        size = len(data) - _SHORT_HEAD
        if (
            self._is_between_messages
            and 0 < size <= _LONGEST_SHORT
            and data[0] == _WHOLE_MESSAGE
            and data[1] == _MASKED | size
        ):
            return apply_mask(data[_SHORT_HEAD:], data[_MASK])
        return b""

    def pack(self, data: bytes) -> bytes:
        """Return a message that carries bytes of the game; nothing once the socket is closing."""
        if self._protocol.state is not State.OPEN:
            return b""
        if len(data) <= _LONGEST_SHORT:
            return bytes((_WHOLE_MESSAGE, len(data))) + data
        return Frame(Opcode.BINARY, data).serialize(mask=False)

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
        self._unread += len(data)
        said = b"".join(map(self._take, self._protocol.events_received()))
        is_open = self._protocol.state is State.OPEN
        self._is_between_messages = is_open and not self._unread and not self._is_in_message
        return said

    def close(self) -> None:
        """Say goodbye; the peer then closes the connection."""
        self._is_between_messages = False
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(CloseCode.NORMAL_CLOSURE)

    def _take(self, event: Event) -> bytes:
        if not isinstance(event, Frame):
            return b""
        self._unread -= _least_size(len(event.data))
        if event.opcode is Opcode.TEXT:
            self._protocol.fail(CloseCode.UNSUPPORTED_DATA, "only binary messages")
        if event.opcode not in {Opcode.BINARY, Opcode.CONT}:
            return b""
        self._is_in_message = not event.fin
        return bytes(event.data)


def _least_size(length: int) -> int:
    """Return the size of a masked frame whose length is written as short as possible."""
    more = 0 if length <= _LONGEST_SHORT else 2 if length < 1 << 16 else 8
    return _SHORT_HEAD + more + length
