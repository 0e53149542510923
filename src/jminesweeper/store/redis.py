"""A store on Redis or Valkey: one thread makes one pipeline of all that waits.

Neighbouring commits are one call of a function inside Redis, neighbouring reads one transaction of
plain commands, and where there is a replica the last command waits until it has the commits.
Nothing is acknowledged before. While the server cannot be used everything is refused, and it is
tried again every second.

A document is a string that begins with its version, eleven characters of base 64; a log is a string
of its entries; a board is a sorted set without scores; a counter is a hash.

What limits the store is Redis's own `maxmemory`.

**The connection** is opened on a server that is fit to be a store. A store's address is a URL:
``redis://[user:password@]host[:port][/database]``, ``rediss://`` the same over TLS,
``unix:///path?db=0`` a socket, and ``redis+sentinel://[user:password@]host[:port],.../service`` the
server that the Sentinels name as the master. What follows a question mark goes to redis-py, for
instance ``ssl_ca_certs=FILE``, except ``replicas``: how many replicas must have every write before
it is acknowledged, and ``sentinel_password``.

A server that may lose data is refused: without an append-only file a restart loses everything, and
a policy that evicts deletes games when memory runs short. The function is loaded under a name that
follows from its text, so programs of different versions run beside each other.
"""

from __future__ import annotations

import logging
import time
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from importlib import resources
from itertools import groupby, islice
from string import Template
from struct import pack, unpack
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import hiredis
from redis import Redis, exceptions
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.backoff import NoBackoff
from redis.connection import ConnectionPool
from redis.exceptions import ResponseError
from redis.retry import Retry
from redis.sentinel import Sentinel

from jminesweeper.store.backend import (
    RETRY_S,
    Admission,
    Archive,
    OnCrowded,
    Retrier,
    Worker,
    has_to_write,
    ignore_crowd,
)
from jminesweeper.store.port import (
    ABSENT,
    DONE,
    ENTRY_BYTES,
    NO_END,
    Add,
    Append,
    Commit,
    Conflict,
    Deliver,
    Document,
    Fault,
    Found,
    Keep,
    Operation,
    Part,
    Place,
    Put,
    Read,
    Scan,
    Scanned,
    StoreError,
    StoreOpenError,
    StoreUnavailableError,
    Tail,
    Watch,
    deliver_at_once,
    ignore_state,
)

logger = logging.getLogger("jminesweeper.store")

DOCUMENT: Final = "jm:d:"
LOG: Final = "jm:l:"
BOARD: Final = "jm:p:"
COUNTER: Final = "jm:n:"
VERSION_CHARS: Final = 11
ALL: Final = -1
"""Texts of a board without a limit."""
LOOK_S: Final = 10.0
"""Interval in which an idle server is looked at."""
MEASURE_S: Final = 1.0
"""Interval in which the memory of a busy server is measured."""
_KINDS: Final = (DOCUMENT, BOARD, COUNTER)


class RedisStore(Worker):
    """A store on the Redis at this URL; StoreOpenError says why it cannot be used.

    Answers are delivered once for each batch, in whatever way `deliver` chooses; by default in the
    store's own thread.
    """

    def __init__(
        self,
        url: str,
        *,
        deliver: Deliver = deliver_at_once,
        watch: Watch = ignore_state,
        on_crowded: OnCrowded = ignore_crowd,
        retry_s: float = RETRY_S,
    ) -> None:
        address, admission = parse_address(url), Admission(deliver, on_crowded)

        def connect() -> OpenLink:
            return OpenLink(open_link(address, RedisLink.prepare_to_write), admission)

        super().__init__("store", Retrier(connect, deliver, watch, retry_s), deliver)


def open_archive(url: str) -> Archive:
    """Open the store on this Redis, a master or a replica; StoreOpenError says why it cannot."""
    return Archive(OpenLink(open_link(parse_address(url), RedisLink.prepare_to_read), Admission()))


class OpenLink:
    """Makes a pipeline of each batch."""

    def __init__(self, link: RedisLink, admission: Admission, measure_s: float = MEASURE_S) -> None:
        self._link = link
        self._admission = admission
        self._measure_s = measure_s
        self._next_measure_s = 0.0
        self.due_s = time.monotonic() + LOOK_S
        """Time at which it looks whether Redis is still there, if no jobs come."""

    def close(self) -> None:
        self._link.close()

    def carry_out(self, operations: Sequence[Operation]) -> Sequence[Any]:
        """Carry out operations in order, those between two scans in one pipeline."""
        answers: list[Any] = []
        self.due_s = time.monotonic() + LOOK_S
        with translated_errors():
            # An archive is only read, and never measured.
            if has_to_write(operations) and time.monotonic() >= self._next_measure_s:
                self._measure()
            for is_scan, run in groupby(operations, lambda each: type(each) is Scan):
                if is_scan:
                    answers += [_scan(self._link, each) for each in run if isinstance(each, Scan)]
                else:
                    answers += _pipeline(self._link, [*run], self._admission)
        return answers

    def _measure(self) -> None:
        """Ask how much of its memory the server uses, and so whether it is there."""
        self._next_measure_s = time.monotonic() + self._measure_s
        lines = self._link.ask("INFO", "memory").decode().splitlines()
        memory = dict(line.split(":", 1) for line in lines if ":" in line)
        self._admission.measure(int(memory["used_memory"]), int(memory["maxmemory"]))


def _pipeline(link: RedisLink, operations: Sequence[Any], admission: Admission) -> Sequence[Any]:
    commands: list[Command] = []
    takers: list[Callable[[Iterator[Any]], Sequence[Any]]] = []
    replicas_needed = 0
    for kind, run in groupby(operations, type):
        if kind is Commit:
            words, refusals = [*COMMIT], []
            for commit in run:
                refusals.append(refusal := _refusal(commit, admission))
                if refusal is None:
                    words += words_of(commit)
            commands.append(words)
            takers.append(partial(_answers_to, refusals))
            replicas_needed = link.replicas_needed
        else:
            reads = [*run]
            queued = [command for read in reads for command in commands_of(read)]
            commands += ("MULTI",), *queued, ("EXEC",)
            takers.append(partial(_found_by, reads, len(queued)))
    if replicas_needed:
        commands.append(("WAIT", replicas_needed, REPLICA_TIMEOUT_MS))
    replies = iter(link.exchange(commands))
    answers = [answer for take in takers for answer in take(replies)]
    if replicas_needed and _reply(replies) < replicas_needed:
        raise StoreUnavailableError(Fault.UNREPLICATED)
    return answers


def _refusal(commit: Commit, admission: Admission) -> StoreError | None:
    try:
        admission.admit(commit)
    except StoreError as error:
        return error
    return None


def _answers_to(refusals: Sequence[StoreError | None], replies: Iterator[Any]) -> Sequence[Any]:
    answers = iter(_reply(replies))
    return [refusal or answer_of(next(answers)) for refusal in refusals]


def _found_by(reads: Sequence[Read], queued: int, replies: Iterator[Any]) -> Sequence[Any]:
    for _ in range(queued + 1):
        next(replies)
    found = iter(_reply(replies))
    return [found_in(read, found) for read in reads]


def _reply(replies: Iterator[Any]) -> Any:
    reply = next(replies)
    if isinstance(reply, ResponseError):
        raise reply
    return reply


def _scan(link: RedisLink, asked: Scan) -> Any:
    """Take one step of SCAN through the keys of one kind; some may come twice."""
    kind, _, position = (asked.after or "0:0").partition(":")
    prefix = _KINDS[int(kind)]
    following, names = link.ask("SCAN", position, "MATCH", f"{prefix}*", "COUNT", asked.limit)
    keys = [name.decode().removeprefix(prefix) for name in names]
    read = read_of(prefix, keys)
    found = found_in(read, iter(link.exchange([*commands_of(read)])))
    if isinstance(found, StoreError):
        return found
    ends_s = link.exchange([("EXPIRETIME", name) for name in names])
    if int(following):
        after = f"{kind}:{int(following)}"
    else:
        after = f"{int(kind) + 1}:0" if int(kind) + 1 < len(_KINDS) else ""
    return Scanned([*commits_of(keys, found, ends_s)], after)


# Operations as words of Redis, and the meaning of its replies


def words_of(commit: Commit) -> list[Word]:
    """Write a commit as steps."""
    version, checks, puts, appends, places, adds, keeps, _ = commit
    words: list[Word] = []
    ends: list[Keep] = []
    for check in checks:
        words += "C", check.key, _pack_version(check.version)
    for key, body, until_s in puts:
        if body is None:
            words += "D", key
        else:
            words += "P", key, _pack_version(version), body
            if until_s != NO_END:
                ends.append(Keep(key, until_s))
    for append in appends:
        words += "A", *append
    for board, text, is_gone in places:
        words += "-" if is_gone else "+", board, text
    for add in adds:
        words += "N", *add
    for keep in (*ends, *keeps):
        words += "K", *keep
    words.append(".")
    return words


def answer_of(reply: Any) -> Any:
    if reply == 1:
        return DONE
    if isinstance(reply, bytes):
        return StoreUnavailableError(Fault.DAMAGED)
    key, since = reply
    return Conflict(key.decode(), since)


def commands_of(read: Read) -> Iterator[Command]:
    for key in read.keys:
        yield "GET", f"{DOCUMENT}{key}"
    for key, start in read.tails:
        yield "GETRANGE", f"{LOG}{key}", start * ENTRY_BYTES, -1
    for board, limit, skipped, is_reversed, after in read.parts:
        begin, end, *way = ("+", "-", "BYLEX", "REV") if is_reversed else ("-", "+", "BYLEX")
        begin = f"({after}" if after else begin
        yield "ZRANGE", f"{BOARD}{board}", begin, end, *way, "LIMIT", skipped, limit
    for name in read.counters:
        yield "HGETALL", f"{COUNTER}{name}"


def found_in(read: Read, replies: Iterator[Any]) -> Any:
    """Take the replies to a read's commands."""
    sizes = len(read.keys), len(read.tails), len(read.parts), len(read.counters)
    documents, tails, parts, counters = ([*islice(replies, size)] for size in sizes)
    if any(isinstance(each, Exception) for each in (*documents, *tails, *parts, *counters)):
        return StoreUnavailableError(Fault.DAMAGED)
    found = []
    for reply in documents:
        if reply is None:
            found.append(ABSENT)
        else:
            (version,) = unpack(">Q", b64decode(reply[:VERSION_CHARS] + b"="))
            found.append(Document(version, reply[VERSION_CHARS:].decode()))
    return Found(
        found,
        tails,
        [[text.decode() for text in reply] for reply in parts],
        [
            {
                field.decode(): int(amount)
                for field, amount in zip(each[::2], each[1::2], strict=True)
            }
            for each in counters
        ],
    )


def read_of(prefix: str, keys: Sequence[str]) -> Read:
    """Ask for everything that a scan found."""
    match prefix:
        case "jm:d:":
            return Read(tuple(keys), tuple(map(Tail, keys)))
        case "jm:p:":
            return Read(parts=tuple(Part(key, ALL) for key in keys))
        case _:
            return Read(counters=tuple(keys))


def commits_of(keys: Sequence[str], found: Found, ends_s: Sequence[int]) -> Iterator[Commit]:
    """Make anew what a scan found, unless it is gone by now."""
    documents = zip(keys, found.documents, found.tails, ends_s, strict=False)
    for key, (version, body), log, end_s in documents:
        if version:
            appends = (Append(key, 0, b"", log),) if log else ()
            yield Commit(version, puts=(Put(key, body, max(NO_END, end_s)),), appends=appends)
    for board, texts in zip(keys, found.parts, strict=False):
        yield Commit(places=tuple(Place(board, text) for text in texts))
    for name, fields in zip(keys, found.counters, strict=False):
        yield Commit(adds=tuple(Add(name, *field) for field in fields.items()))


def _pack_version(version: int) -> bytes:
    return b64encode(pack(">Q", version))[:VERSION_CHARS] if version else b""


# The connection

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
