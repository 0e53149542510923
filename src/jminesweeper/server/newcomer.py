"""A guest on a connection that has not sent anything yet.

A connection of a trusted proxy begins with a header, which says whose it is: only then can it be
admitted or refused. After that the first bytes decide (`door`): a client is served here; for a
browser and for TLS a `WrappedGuest` takes over.
"""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING, Final

from jminesweeper.server.door import Caller, recognise
from jminesweeper.server.guest import bug_boundary
from jminesweeper.server.hub import Hub
from jminesweeper.server.listening import format_address, origin_of
from jminesweeper.server.phases import Phase
from jminesweeper.server.proxy import SIGNATURE, ProxyError, parse_header
from jminesweeper.server.tcp import TcpGuest
from jminesweeper.server.tls import TlsStream

if TYPE_CHECKING:
    from jminesweeper.server.wrapped_guest import WrappedGuest

NOT_FROM_HERE: Final = "Players reach this server through its proxy only."

logger = logging.getLogger("jminesweeper.server")


class Newcomer(TcpGuest):
    """Reads the first bytes, and becomes a client if they are one's."""

    __slots__ = ("_beginning", "_is_proxied", "_refusal")

    def __init__(self, hub: Hub, peer: str, origin: str, *, is_proxied: bool = False) -> None:
        super().__init__(hub, peer, origin)
        self._beginning = b""
        self._refusal = ""
        self._is_proxied = is_proxied
        self._take = self._take_header if is_proxied else self._meet

    def arrive(self) -> None:
        if self._is_proxied:
            self._hub.expect(self)
        else:
            super().arrive()

    def let_go(self, message: str, *, is_final: bool = False) -> None:
        """Say goodbye, once it is known in which protocol."""
        if self._may_speak_tls:
            self.hear_end()
        else:
            super().let_go(message, is_final=is_final)

    def refuse(self, message: str) -> None:
        """Say why the connection is refused, once it is known in which protocol."""
        if self._may_speak_tls:
            self._refusal = message
        else:
            super().refuse(message)

    @bug_boundary
    def _take_header(self, data: bytes, /) -> None:
        """Read the proxy's header; then admit the connection."""
        self._beginning += data
        try:
            header = parse_header(self._beginning)
        except ProxyError as error:
            logger.warning("%s sent %s", self.peer, error, extra={"peer": self.peer})
            self._take = self.hear
            self.let_go(NOT_FROM_HERE)
            return
        if header is None:
            return
        if header.source is not None:
            self.peer, self.origin = format_address(header.source), origin_of(header.source)
        self.is_check = header.is_local
        rest, self._beginning = self._beginning[header.size :], b""
        self._take = self._meet
        super().arrive()
        if rest:
            self._meet(rest)

    def _meet(self, data: bytes) -> None:
        """Read the first bytes, until they show who is there."""
        self._beginning += data
        match recognise(self._beginning):
            case None:
                return
            case Caller.BROWSER if self._is_welcome:
                self._give_way(None)
            case Caller.TLS if self._is_welcome and self._hub.tls is not None:
                self._give_way(TlsStream(self._hub.tls))
            case _:
                self._go_on_here()

    @property
    def _may_speak_tls(self) -> bool:
        return self._hub.tls is not None and self._take == self._meet

    @property
    def _is_welcome(self) -> bool:
        return self._conversation.phase is Phase.DOOR

    def _go_on_here(self) -> None:
        self._take = self.hear
        if self._beginning.startswith(SIGNATURE):
            logger.warning("%s sent a proxy header; --proxy-from does not name it", self.peer)
        if self._refusal:
            self.let_go(self._refusal)
        self.hear(self._beginning)

    @bug_boundary
    def _give_way(self, tls: TlsStream | None, /) -> None:
        # Loaded late: a server listens sooner without the page and HTTP.
        wrapped_guest = import_module("jminesweeper.server.wrapped_guest")
        successor: WrappedGuest = wrapped_guest.WrappedGuest(self._hub, self.peer, self.origin)
        self._hub.change(self, successor)
        self._transport.set_protocol(successor)
        successor.take_over(self._transport, self._beginning, tls, self._refusal)
