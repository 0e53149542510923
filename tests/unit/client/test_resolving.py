import asyncio

import pytest

from jminesweeper.client.errors import ConnectError
from jminesweeper.client.resolving import resolve


@pytest.mark.parametrize("number", ["127.0.0.1", "::1"])
def test_a_number_is_its_own_address(number: str) -> None:
    assert asyncio.run(resolve(number, 9999)) == [number]


def test_a_name_has_the_addresses_that_the_system_knows() -> None:
    assert set(asyncio.run(resolve("localhost", 9999))) & {"127.0.0.1", "::1"}


@pytest.mark.parametrize("name", ["no-such-host.invalid", "a..b", "x" * 100])
def test_a_name_that_nobody_has_is_an_error(name: str) -> None:
    with pytest.raises(ConnectError, match="cannot be resolved"):
        asyncio.run(resolve(name, 9999))
