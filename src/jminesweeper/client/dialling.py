"""How to get at the server, and at another one if there is none."""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

from jminesweeper.client.address import Address
from jminesweeper.client.connection import adopt, connect
from jminesweeper.client.errors import NobodyListensError
from jminesweeper.client.events import Deliver
from jminesweeper.client.shell import Link


class EmbeddedLink(NamedTuple):
    """A connected socket, and what the player should know about the server it leads to."""

    socket: socket.socket
    remark: str = ""


Embedded: TypeAlias = Callable[[], Awaitable[EmbeddedLink]]
"""Starts a server in this process, if it is not running yet, and connects to it."""


class Dialler:
    """Opens connections to one address.

    Given an embedded server it falls back to that, once, if nobody has ever listened there: one
    command on a fresh machine, and you play.
    """

    def __init__(self, address: Address, embedded: Embedded | None = None) -> None:
        self._address = address
        self._embedded = embedded
        self._is_embedded = False

    async def __call__(self, deliver: Deliver) -> Link:
        if self._is_embedded and self._embedded is not None:
            return await self._connect_embedded(self._embedded, deliver)
        try:
            connection = await connect(self._address, f"The server {self._address}", deliver)
        except NobodyListensError:
            if self._embedded is None:
                raise
            self._is_embedded = True
            return await self._connect_embedded(self._embedded, deliver)
        self._embedded = None
        return Link(connection)

    async def _connect_embedded(self, embedded: Embedded, deliver: Deliver) -> Link:
        sock, remark = await embedded()
        connection = await adopt(sock, "The server in this process", deliver)
        notice = f"Nobody listens at {self._address}: you play on a server inside this program."
        return Link(connection, f"{notice} {remark}".strip())
