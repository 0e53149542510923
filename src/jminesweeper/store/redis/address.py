"""Where a store on Redis is, read from a URL.

``redis://[user:password@]host[:port][/database]``, ``rediss://`` the same over TLS,
``unix:///path?db=0`` a socket, and ``redis+sentinel://[user:password@]host[:port],.../service``
the server that the Sentinels name as the master. What follows a question mark goes to redis-py,
for instance ``ssl_ca_certs=FILE``, except ``replicas``: how many replicas must have every write
before it is acknowledged, and ``sentinel_password``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

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
# The store itself retries, so that it knows how long its players wait.
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
    """How many replicas must have each write; None decides by what is connected."""


def parse_address(url: str) -> RedisAddress:
    """Read an address; one that makes no sense is a StoreOpenError."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query))
    label = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    try:
        replicas = int(options.pop("replicas")) if "replicas" in options else None
        if parts.scheme.endswith("+sentinel"):
            watched = _read_sentinel(parts, options)
            sentinel = Sentinel(watched.hosts, **watched.settings(_no_retry()))
            pool: ConnectionPool = sentinel.master_for(watched.service).connection_pool
        else:
            pool = ConnectionPool.from_url(_plain(url, options), retry=_no_retry(), **_OPTIONS)
        # Options that redis-py does not know fail only here.
        pool.make_connection()
    except (TypeError, ValueError) as error:
        raise StoreOpenError(label, Fault.ADDRESS) from error
    return RedisAddress(label, pool, replicas)


@asynccontextmanager
async def open_client(url: str) -> AsyncIterator[AsyncRedis]:
    """Make a client for an event loop, for an address that `parse_address` has read."""
    parts = urlsplit(url)
    options = dict(parse_qsl(parts.query))
    options.pop("replicas", None)
    retry = AsyncRetry(NoBackoff(), 0)
    async with AsyncExitStack() as opened:
        if parts.scheme.endswith("+sentinel"):
            watched = _read_sentinel(parts, options)
            sentinel = AsyncSentinel(watched.hosts, **watched.settings(retry))
            for each in sentinel.sentinels:
                opened.push_async_callback(each.aclose)
            client: AsyncRedis = sentinel.master_for(watched.service)
        else:
            client = AsyncRedis.from_url(_plain(url, options), retry=retry, **_OPTIONS)
        opened.push_async_callback(client.aclose)
        yield client


class _Watched(NamedTuple):
    """A master by the name that Sentinels know."""

    hosts: Sequence[tuple[str, int]]
    service: str
    options: Mapping[str, Any]
    """Of connections to the master."""
    sentinel_password: str | None

    def settings(self, retry: Retry | AsyncRetry) -> Mapping[str, Any]:
        shared = {"retry": retry, **_OPTIONS}
        own = {"password": self.sentinel_password, **shared}
        return {"sentinel_kwargs": own, **shared, **self.options}


def _read_sentinel(parts: SplitResult, options: dict[str, str]) -> _Watched:
    user, _, hosts = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    service, _, database = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError("the address names no service")
    sentinel_password = options.pop("sentinel_password", None)
    return _Watched(
        [_host_and_port(host) for host in hosts.split(",")],
        service,
        {
            "username": unquote(name) or None,
            "password": unquote(password) or None,
            "db": int(database or 0),
            "ssl": parts.scheme.startswith("rediss"),
            **options,
        },
        sentinel_password,
    )


def _plain(url: str, options: Mapping[str, str]) -> str:
    """Strip an address of what redis-py does not know."""
    return f"{url.partition('?')[0]}?{urlencode(options)}"


def _host_and_port(text: str) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError("the address names no host")
    return parts.hostname, parts.port or _SENTINEL_PORT


def _no_retry() -> Retry:
    return Retry(NoBackoff(), 0)
