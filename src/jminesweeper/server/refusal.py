"""A connection that is only told why it may not stay."""

from __future__ import annotations

import asyncio
from typing import cast

from jminesweeper.server.half_close import close_our_half
from jminesweeper.server.lobby import Lobby


class Refusal(asyncio.Protocol):
    """Writes one last screen, gives the peer a moment to read it, and is gone."""

    __slots__ = ("_lobby", "_reason", "_timer", "_transport")

    _timer: asyncio.TimerHandle
    _transport: asyncio.Transport

    def __init__(self, lobby: Lobby, reason: str) -> None:
        self._lobby = lobby
        self._reason = reason

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport = cast("asyncio.Transport", transport)
        self._lobby.enter_refused(self)
        transport.write(self._lobby.last_screen(self._reason))
        close_our_half(transport)
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._lobby.config.linger_s, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._timer.cancel()
        self._lobby.leave_refused(self)

    def abort(self) -> None:
        self._transport.abort()
