"""The address of a store on Redis, read from a URL.

``redis://[user:password@]host[:port][/database]``, ``rediss://`` the same over TLS,
``unix:///path?db=0`` a socket, and ``redis+sentinel://[user:password@]host[:port],.../service``
the server that the Sentinels name as the master. What follows a question mark goes to redis-py,
for instance ``ssl_ca_certs=FILE``, except ``replicas``: how many replicas must have every write
before it is acknowledged, and ``sentinel_password``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.backoff import NoBackoff
from redis.connection import ConnectionPool
from redis.retry import Retry
from redis.sentinel import Sentinel

from jminesweeper.store.errors import Fault, StoreOpenError

CONNECT_TIMEOUT_S: Final = 1.0
TIMEOUT_S: Final = 3.0
"""A server that takes longer to reply is away: players are waiting."""

_SENTINEL_PORT: Final = 26379
_OPTIONS: Final[dict[str, Any]] = {
    "protocol": 2,
    "socket_connect_timeout": CONNECT_TIMEOUT_S,
    "socket_timeout": TIMEOUT_S,
}


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """A way to reach the master, and how to speak of it to an operator."""

    label: str
    """The URL without passwords."""
    pool: ConnectionPool
    """Makes connections; none of them is kept in it."""
    replicas: int | None = None
    """Number of replicas that must have each write; None decides by what is connected."""


def parse_address(url: str) -> RedisAddress:
    """Read an address; one that makes no sense is a StoreOpenError."""
    parts = urlsplit(url)
    label = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    try:
        replicas = dict(parse_qsl(parts.query)).get("replicas")
        client, _ = _make_client(url, Redis, Sentinel, Retry(NoBackoff(), 0))
        # Options that redis-py does not know fail only here.
        client.connection_pool.make_connection()
        return RedisAddress(label, client.connection_pool, None if not replicas else int(replicas))
    except (TypeError, ValueError) as error:
        raise StoreOpenError(label, Fault.ADDRESS) from error


@asynccontextmanager
async def open_client(url: str) -> AsyncIterator[AsyncRedis]:
    """Make a client for an event loop, for an address that `parse_address` has read."""
    async with AsyncExitStack() as opened:
        retry = AsyncRetry(NoBackoff(), 0)
        client, sentinels = _make_client(url, AsyncRedis, AsyncSentinel, retry)
        for each in (*sentinels, client):
            opened.push_async_callback(each.aclose)
        yield client


def _make_client(url: str, redis: Any, sentinel: Any, retry: object) -> tuple[Any, Sequence[Any]]:
    """Make a client of either kind, and those of the Sentinels it asks.

    It never tries again by itself: the store does, and so knows how long its players wait.
    """
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query))
    options.pop("replicas", None)
    shared = {"retry": retry, **_OPTIONS}
    if not parts.scheme.endswith("+sentinel"):
        plain = f"{url.partition('?')[0]}?{urlencode(options)}"
        return redis.from_url(plain, **shared), ()
    user, _, hosts = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    service, _, database = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError("the address names no service")
    places = [urlsplit(f"//{host}") for host in hosts.split(",")]
    if not all(place.hostname for place in places):
        raise ValueError("the address names no host")
    own = {"password": options.pop("sentinel_password", None), **shared}
    watching = sentinel(
        [(place.hostname, place.port or _SENTINEL_PORT) for place in places],
        sentinel_kwargs=own,
        username=unquote(name) or None,
        password=unquote(password) or None,
        db=int(database or 0),
        ssl=parts.scheme.startswith("rediss"),
        **{**shared, **options},
    )
    return watching.master_for(service), watching.sentinels
