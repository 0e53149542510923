import asyncio
import socket

import pytest

from jminesweeper.client.address import Address
from jminesweeper.client.dialling import Dialler, EmbeddedLink
from jminesweeper.client.errors import NobodyListensError
from jminesweeper.client.events import Event


def unused_address() -> Address:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return Address("127.0.0.1", server.getsockname()[1])


class Embedded:
    """A server in this process, which only lets connections in."""

    def __init__(self) -> None:
        self.peers: list[socket.socket] = []

    async def __call__(self) -> EmbeddedLink:
        ours, theirs = socket.socketpair()
        self.peers.append(theirs)
        return EmbeddedLink(ours, "Nothing is kept.")

    def close(self) -> None:
        for peer in self.peers:
            peer.close()


def ignore(_event: Event) -> None:
    """Nothing that happens to these connections matters."""


def test_a_server_that_is_there_is_played_on() -> None:
    async def run() -> None:
        embedded = Embedded()
        with socket.create_server(("127.0.0.1", 0)) as server:
            dial = Dialler(Address("127.0.0.1", server.getsockname()[1]), embedded)
            connection, notice = await dial(ignore)
            assert notice == ""
            connection.abort()
            await connection.closed.wait()
        # Once it was there, the game is there: another server would not know it.
        with pytest.raises(NobodyListensError):
            await dial(ignore)
        assert embedded.peers == []

    asyncio.run(run())


def test_where_nobody_listens_an_embedded_server_takes_the_place() -> None:
    async def run() -> None:
        embedded = Embedded()
        dial = Dialler(unused_address(), embedded)
        for count in (1, 2):
            connection, notice = await dial(ignore)
            assert notice.endswith("inside this program. Nothing is kept.")
            assert len(embedded.peers) == count
            connection.abort()
            await connection.closed.wait()
        embedded.close()

    asyncio.run(run())


def test_a_server_that_was_named_is_not_replaced() -> None:
    async def run() -> None:
        await Dialler(unused_address())(ignore)

    with pytest.raises(NobodyListensError):
        asyncio.run(run())
