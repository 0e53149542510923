import pytest

from jminesweeper.store.port import Fault, StoreOpenError
from jminesweeper.store.redis import TIMEOUT_S, parse_address


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "rediss://localhost:6380/2",
        "unix:///run/redis.sock",
        "redis+sentinel://one:26379,two/games",
        "rediss+sentinel://one/games",
    ],
)
def test_an_address_is_shown_as_it_was_typed(url: str) -> None:
    assert parse_address(url).label == url


@pytest.mark.parametrize(
    ("url", "label"),
    [
        ("redis://:secret@localhost:7000/1", "redis://localhost:7000/1"),
        ("redis://ann:secret@localhost?replicas=1", "redis://localhost"),
        ("unix:///run/redis.sock?password=secret", "unix:///run/redis.sock"),
        (
            "redis+sentinel://ann:secret@one,two/games?sentinel_password=secret",
            "redis+sentinel://one,two/games",
        ),
    ],
)
def test_nobody_is_shown_a_password(url: str, label: str) -> None:
    assert parse_address(url).label == label


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("redis://localhost", ("localhost", 6379, 0, None)),
        ("redis://:se%40cret@example.org:7000/3", ("example.org", 7000, 3, "se@cret")),
    ],
)
def test_an_address_says_where_to_connect(
    url: str, expected: tuple[str, int, int, str | None]
) -> None:
    options = parse_address(url).pool.connection_kwargs
    found = tuple(options.get(name) for name in ("host", "port", "db", "password"))
    # redis-py itself adds the port and the database that go without saying.
    assert found == expected or found == (expected[0], None, None, None)


def test_a_query_has_options_of_the_connection() -> None:
    address = parse_address("redis://localhost?socket_timeout=0.5&replicas=2")
    assert address.pool.connection_kwargs["socket_timeout"] == 0.5
    assert address.replicas == 2


def test_without_a_query_a_server_has_some_seconds_to_reply() -> None:
    address = parse_address("redis://localhost")
    assert address.pool.connection_kwargs["socket_timeout"] == TIMEOUT_S
    assert address.replicas is None


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost:port",
        "redis://localhost?replicas=some",
        "redis://localhost?colour=red",
        "redis+sentinel://one,two",
        "redis+sentinel://one:port/games",
        "redis+sentinel:///games",
        "redis+sentinel://one/games/first",
    ],
)
def test_an_address_that_makes_no_sense_is_refused(url: str) -> None:
    with pytest.raises(StoreOpenError) as refusal:
        parse_address(url)
    assert refusal.value.fault is Fault.ADDRESS
