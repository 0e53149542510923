"""`pytest tests/conformance --server HOST:PORT`; without the option our own server is started."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from jminesweeper.protocol import Command, announced_version
from tests.conformance.own_server import own_server
from tests.conformance.peer import Address, Peer
from tests.conformance.player import Player


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--server", metavar="HOST:PORT", help="the server to test; default: our own")


@pytest.fixture(scope="session")
def named_server(pytestconfig: pytest.Config) -> str | None:
    """What --server says. The option is unknown where the whole test suite is run."""
    named: str | None = pytestconfig.getoption("--server", default=None)
    return named


@pytest.fixture(scope="session")
def address(
    named_server: str | None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Address]:
    if named_server is None:
        with own_server(tmp_path_factory.mktemp("data")) as own_address:
            yield own_address
    else:
        host, _, port = named_server.rpartition(":")
        yield host.strip("[]"), int(port)


@pytest.fixture
def connections() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def peer(address: Address, connections: ExitStack) -> Peer:
    return connections.enter_context(Peer(address))


@pytest.fixture
def other_peer(address: Address, connections: ExitStack) -> Peer:
    return connections.enter_context(Peer(address))


@pytest.fixture
def new_player(address: Address, connections: ExitStack) -> Callable[..., Player]:
    def connect(columns: int = 80, rows: int = 24) -> Player:
        player = Player(address, columns, rows)
        connections.enter_context(player.peer)
        return player

    return connect


@pytest.fixture
def player(new_player: Callable[..., Player]) -> Player:
    return new_player()


@pytest.fixture(scope="session")
def version(address: Address) -> int:
    """The version that the server announces at the start of the first screen."""
    with Peer(address) as peer:
        return announced_version(peer.ask(Command.MOVE_LEFT))


@pytest.fixture
def needs_version_2(version: int) -> None:
    if version < 2:
        pytest.skip("the server announces no version 2")
