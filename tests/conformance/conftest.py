"""`pytest tests/conformance --server HOST:PORT`; without the option our own server is started."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jminesweeper.check.server import ServerUnderTest
from jminesweeper.check.suite import Budget
from jminesweeper.client.address import Address
from tests.integration.server_process import running_server

PATIENT = (600.0, 20.0)
"""Seconds for everything, and for one answer: enough on a machine that does other things too."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--server", metavar="HOST:PORT", help="the server to test; default: our own")


@pytest.fixture(scope="session")
def address(pytestconfig: pytest.Config) -> Iterator[Address]:
    # The option is unknown where the whole test suite is run.
    named: str | None = pytestconfig.getoption("--server", default=None)
    if named is None:
        with running_server("--seed=1") as own:
            yield Address(port=own.port)
    else:
        yield Address.parse(named)


@pytest.fixture(scope="session")
def server(address: Address) -> ServerUnderTest:
    server = ServerUnderTest(address, Budget(*PATIENT))
    server.learn()
    return server
