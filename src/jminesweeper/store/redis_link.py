"""One connection to Redis, opened on a server that is fit to be a store.

A store's address is a URL: ``redis://[user:password@]host[:port][/database]``, ``rediss://`` the
same over TLS, ``unix:///path?db=0`` a socket, and
``redis+sentinel://[user:password@]host[:port],.../service`` the server that the Sentinels name as
the master. What follows a question mark goes to redis-py, for instance ``ssl_ca_certs=FILE``,
except ``replicas``: how many replicas must have every write before it is acknowledged, and
``sentinel_password``.

A server that may lose data is refused: without an append-only file a restart loses everything, and
a policy that evicts deletes games when memory runs short. The function is loaded under a name that
follows from its text, so programs of different versions run beside each other.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from importlib import resources
from string import Template
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import hiredis
from redis import Redis, exceptions
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.backoff import NoBackoff
from redis.connection import ConnectionPool
from redis.retry import Retry
from redis.sentinel import Sentinel

from jminesweeper.store.port import Fault, StoreOpenError, StoreUnavailableError

Word: TypeAlias = bytes | str | int
Command: TypeAlias = Sequence[Word]

CONNECT_TIMEOUT_S: Final = 1.0
TIMEOUT_S: Final = 3.0
"""A server that takes longer to reply is away: players are waiting."""

# As redis-py packs, but without its loop over all words: a tenth of what a small batch costs here.
_pack: Final[Callable[[tuple[Any, ...]], bytes]] = hiredis.pack_command
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


logger = logging.getLogger("jminesweeper.store")

VERSION: Final = 4
"""The version of the keys and their content."""
SCHEMA_KEY: Final = "jm:schema"
REPLICA_TIMEOUT_MS: Final = 1_000

_FAULTS: Final[Sequence[tuple[type[exceptions.RedisError], Fault]]] = (
    (exceptions.AuthenticationError, Fault.DENIED),
    (exceptions.NoPermissionError, Fault.DENIED),
    (exceptions.BusyLoadingError, Fault.LOADING),
    (exceptions.OutOfMemoryError, Fault.OUT_OF_MEMORY),
    (exceptions.ReadOnlyError, Fault.READ_ONLY),
    (exceptions.ConnectionError, Fault.UNREACHABLE),
    (exceptions.TimeoutError, Fault.UNREACHABLE),
)
_FAULTS_BY_WORD: Final[Mapping[str, Fault]] = {
    "MISCONF": Fault.BROKEN,
    "NOREPLICAS": Fault.UNREPLICATED,
    "MASTERDOWN": Fault.UNREACHABLE,
    "WRONGTYPE": Fault.FOREIGN,
    "unknown": Fault.OUTDATED,
}


def fault_of(error: exceptions.RedisError | OSError) -> Fault:
    """Classify an error; the log has the details for an operator."""
    logger.warning("Redis: %s", error)
    for kind, fault in _FAULTS:
        if isinstance(error, kind):
            return fault
    if isinstance(error, OSError):
        return Fault.UNREACHABLE
    return _FAULTS_BY_WORD.get(str(error).partition(" ")[0], Fault.FAILING)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn any error of an open link into the one that says why it cannot be used."""
    try:
        yield
    except (exceptions.RedisError, OSError) as error:
        raise StoreUnavailableError(fault_of(error)) from error


_SOURCE: Final = (
    resources.files(__package__).joinpath("redis_commit.lua").read_text(encoding="utf-8")
)
LIBRARY: Final = f"jminesweeper_{blake2b(_SOURCE.encode(), digest_size=4).hexdigest()}"
_LIBRARY_TEXT: Final = Template(_SOURCE).substitute(LIBRARY=LIBRARY, VERSION=VERSION)
COMMIT: Final[Command] = ("FCALL", f"{LIBRARY}_commit", 0)


class RedisLink:
    """A connection that was opened and checked; `exchange` is all that goes through it."""

    def __init__(self, address: RedisAddress) -> None:
        self._address = address
        self._connection = address.pool.make_connection()
        self.replicas_needed = 0
        """No write is acknowledged before so many replicas have it."""

    def exchange(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands in one piece and read all replies; one that fails is an error in its place.

        A lost connection is raised: nobody knows how far the server came.
        """
        connection = self._connection
        packed = b"".join([_pack(tuple(command)) for command in commands])
        connection.send_packed_command([packed], check_health=False)
        replies = []
        for _ in commands:
            try:
                replies.append(connection.read_response())
            except exceptions.ResponseError as error:
                replies.append(error)
        return replies

    def ask(self, *command: str | int | bytes) -> Any:
        """Send one command; an error is raised."""
        (reply,) = self.exchange([command])
        if isinstance(reply, exceptions.ResponseError):
            raise reply
        return reply

    def close(self) -> None:
        self._connection.disconnect()

    def prepare_to_write(self) -> None:
        """Check that this is a master that stores durably."""
        self._connection.connect()
        role, _, *rest = self.ask("ROLE")
        if role != b"master":
            raise exceptions.ReadOnlyError
        replicas = len(rest[0])
        self._check_durability(replicas)
        self._kept_version()
        if not self.ask("FUNCTION", "LIST", "LIBRARYNAME", LIBRARY):
            try:
                self.ask("FUNCTION", "LOAD", _LIBRARY_TEXT)
            except exceptions.ResponseError as error:
                # Another server process was faster.
                if "already exists" not in str(error):
                    raise
        # The store waits for a replica where there is one; an operator may ask for more.
        asked = self._address.replicas
        self.replicas_needed = min(1, replicas) if asked is None else asked
        if replicas < self.replicas_needed:
            raise self._refusal(Fault.UNREPLICATED)
        # A server that cannot reach its disk or its replicas refuses even a call without commits.
        self.ask(*COMMIT)

    def prepare_to_read(self) -> None:
        """Check that there is a store, on a master or a replica."""
        self._connection.connect()
        if self._kept_version() is None:
            raise self._refusal(Fault.MISSING)

    def _refusal(self, fault: Fault) -> StoreOpenError:
        return StoreOpenError(self._address.label, fault)

    def _kept_version(self) -> int | None:
        """Refuse data of another version, or of another program."""
        kept = self.ask("GET", SCHEMA_KEY)
        if kept is None:
            return None
        if not kept.isdigit():
            raise self._refusal(Fault.FOREIGN)
        if int(kept) != VERSION:
            raise self._refusal(Fault.OLDER if int(kept) < VERSION else Fault.NEWER)
        return int(kept)

    def _check_durability(self, replicas: int) -> None:
        try:
            reply = self.ask("CONFIG", "GET", "append*", "maxmemory-policy")
        except exceptions.ResponseError as error:
            logger.warning(
                "%s does not show its configuration (%s): make sure that it has appendonly yes "
                "and maxmemory-policy noeviction",
                self._address.label,
                error,
            )
            return
        settings = dict(zip(reply[::2], reply[1::2], strict=True))
        if settings[b"appendonly"] != b"yes":
            raise self._refusal(Fault.VOLATILE)
        if settings[b"maxmemory-policy"] != b"noeviction":
            raise self._refusal(Fault.EVICTING)
        if settings[b"appendfsync"] != b"always" and not replicas:
            logger.warning(
                "%s has no replica and appendfsync %s: a power cut may lose the last second",
                self._address.label,
                settings[b"appendfsync"].decode(),
            )


def open_link(address: RedisAddress, prepare: Callable[[RedisLink], None]) -> RedisLink:
    """Open a link that is fit for its use; StoreOpenError says what is wrong."""
    link = RedisLink(address)
    try:
        prepare(link)
    except StoreOpenError:
        link.close()
        raise
    except (exceptions.RedisError, OSError) as error:
        link.close()
        raise StoreOpenError(address.label, fault_of(error)) from error
    return link
