"""A browser's stream: requests for the page, then a WebSocket with the game in it.

Bytes go in, bytes come out. The connection sends `outgoing` after each call of `receive` and
`close`, and hangs up when `is_over` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from jminesweeper.web.site import Exchange, load

if TYPE_CHECKING:
    from jminesweeper.server.web_socket import WebSocketStream


OpenSocket = Callable[[], "WebSocketStream"]


def prepare(open_socket: OpenSocket | None, public_url: str) -> Callable[[], Browser]:
    """Load what all browsers need; it takes so long that it is called in a thread."""
    if open_socket is not None:
        open_socket()
        load(public_url)
    return partial(Browser, open_socket, public_url)


class Browser:
    """HTTP, until it becomes a WebSocket."""

    def __init__(self, open_socket: OpenSocket | None, public_url: str = "") -> None:
        self._open_socket = open_socket
        self._exchange = Exchange(has_page=open_socket is not None, public_url=public_url)
        self._socket: WebSocketStream | None = None
        self._outgoing = b""

    @property
    def is_over(self) -> bool:
        """Nothing more follows: send `outgoing`, then close."""
        return self._exchange.is_over if self._socket is None else self._socket.is_over

    @property
    def outgoing(self) -> bytes:
        """The bytes to send now; reading them removes them."""
        data, self._outgoing = self._outgoing, b""
        return data if self._socket is None else data + self._socket.outgoing

    def read_message(self, data: bytes) -> bytes:
        """Return the bytes of the game if a whole, short message has come: the common path."""
        return b"" if self._socket is None else self._socket.read_message(data)

    def receive(self, data: bytes) -> bytes:
        """Process bytes of the browser; return those of the game."""
        if self._socket is None:
            self._outgoing += self._exchange.receive(data)
            data = self._exchange.upgrade
            if not data or self._open_socket is None:
                return b""
            self._socket = self._open_socket()
        return self._socket.receive(data)

    def pack(self, screen: bytes) -> bytes:
        """Return a message with bytes of the game; before the page has loaded nobody shows them."""
        return b"" if self._socket is None else self._socket.pack(screen)

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
