"""One connection to Redis, opened on a server that is fit to be a store.

A server that may lose data is refused: without an append-only file a restart loses everything, and
a policy that evicts deletes games when memory runs short. The functions are loaded under a name
that follows from their text, so programs of different versions run beside each other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from importlib import resources
from string import Template
from typing import Any, Final

from redis import exceptions

from jminesweeper.store import Fault, StoreOpenError
from jminesweeper.store.redis.address import RedisAddress
from jminesweeper.store.redis.encoding import Word
from jminesweeper.store.values import (
    MAX_CATEGORIES,
    MAX_DEVICES,
    MAX_GAMES,
    MAX_OWN_BEST,
    MAX_SAVES,
)

logger = logging.getLogger("jminesweeper.store")

VERSION: Final = 1
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


def _read_library() -> tuple[str, str]:
    """Return the name of the functions, and their text."""
    template = Template(
        resources.files(__package__).joinpath("functions.lua").read_text(encoding="utf-8")
    )
    limits = {
        "MAX_GAMES": MAX_GAMES,
        "MAX_CATEGORIES": MAX_CATEGORIES,
        "MAX_SAVES": MAX_SAVES,
        "MAX_DEVICES": MAX_DEVICES,
        "MAX_OWN_BEST": MAX_OWN_BEST,
        "VERSION": VERSION,
    }
    unnamed = template.safe_substitute(limits)
    name = f"jminesweeper_{blake2b(unnamed.encode(), digest_size=4).hexdigest()}"
    return name, template.substitute(limits, LIBRARY=name)


LIBRARY, _LIBRARY_TEXT = _read_library()


class RedisLink:
    """A connection that was opened and checked; `exchange` is all that goes through it."""

    def __init__(self, address: RedisAddress) -> None:
        self._connection = address.pool.make_connection()
        self._wait: Sequence[Sequence[Word]] = ()
        self._replicas_needed = 0

    def connect(self) -> None:
        """Connect; a Sentinel is asked for the master only here, and not by the first command."""
        self._connection.connect()

    def wait_for(self, replicas: int) -> None:
        """Acknowledge no write from now on before so many replicas have it."""
        self._replicas_needed = replicas
        self._wait = [("WAIT", replicas, REPLICA_TIMEOUT_MS)] if replicas else ()

    def write(self, words: Sequence[Word]) -> tuple[Fault | None, Sequence[Any]]:
        """Carry out a batch that writes; a fault says why none of it is acknowledged."""
        replies, *waited = self.exchange(("FCALL", f"{LIBRARY}_write", 0, *words), *self._wait)
        for reply in (replies, *waited):
            if isinstance(reply, exceptions.ResponseError):
                return fault_of(reply), ()
        if waited and waited[0] < self._replicas_needed:
            return Fault.UNREPLICATED, ()
        return None, replies

    def read(self, words: Sequence[Word]) -> Sequence[Any]:
        """Carry out a batch that only reads, on a server that need not take writes."""
        replies: Sequence[Any] = self.ask("FCALL_RO", f"{LIBRARY}_read", 0, *words)
        return replies

    def exchange(self, *commands: Sequence[Word]) -> list[Any]:
        """Send commands in one piece and read all replies; one that fails is an error in its place.

        A lost connection is raised: nobody knows how far the server came.
        """
        connection = self._connection
        connection.send_packed_command(connection.pack_commands(commands), check_health=False)
        replies = []
        for _ in commands:
            try:
                replies.append(connection.read_response())
            except exceptions.ResponseError as error:
                replies.append(error)
        return replies

    def ask(self, *command: Word) -> Any:
        """Send one command; an error is raised."""
        (reply,) = self.exchange(command)
        if isinstance(reply, exceptions.ResponseError):
            raise reply
        return reply

    def close(self) -> None:
        self._connection.disconnect()


def open_to_write(address: RedisAddress) -> RedisLink:
    """Open a link to a master that stores durably; StoreOpenError says what is wrong."""
    return _open(address, _prepare_to_write)


def open_to_read(address: RedisAddress) -> RedisLink:
    """Open a link to a store that exists, on a master or a replica."""
    return _open(address, _prepare_to_read)


def _open(address: RedisAddress, prepare: Callable[[RedisLink, RedisAddress], None]) -> RedisLink:
    link = RedisLink(address)
    try:
        link.connect()
        prepare(link, address)
    except StoreOpenError:
        link.close()
        raise
    except (exceptions.RedisError, OSError) as error:
        link.close()
        raise StoreOpenError(address.label, fault_of(error)) from error
    return link


def _prepare_to_write(link: RedisLink, address: RedisAddress) -> None:
    replicas = _count_replicas(link)
    _check_durability(link, address, replicas)
    _check_version(address, link.ask("GET", SCHEMA_KEY))
    _load_library(link)
    # The store waits for a replica where there is one; an operator may ask for more.
    link.wait_for(min(1, replicas) if address.replicas is None else address.replicas)
    # A server that is full, or cannot reach its disk or its replicas, refuses already this.
    fault, _ = link.write(("prepare", 0))
    if fault:
        raise StoreOpenError(address.label, fault)


def _prepare_to_read(link: RedisLink, address: RedisAddress) -> None:
    kept = link.ask("GET", SCHEMA_KEY)
    if kept is None:
        raise StoreOpenError(address.label, Fault.MISSING)
    _check_version(address, kept)
    _load_library(link)


def _check_version(address: RedisAddress, kept: bytes | None) -> None:
    """Refuse data of a newer version, or of another program."""
    if kept is None:
        return
    if not kept.isdigit():
        raise StoreOpenError(address.label, Fault.FOREIGN)
    if int(kept) > VERSION:
        raise StoreOpenError(address.label, Fault.NEWER)


def _count_replicas(link: RedisLink) -> int:
    role, _, *rest = link.ask("ROLE")
    if role != b"master":
        raise exceptions.ReadOnlyError
    return len(rest[0])


def _check_durability(link: RedisLink, address: RedisAddress, replicas: int) -> None:
    try:
        reply = link.ask("CONFIG", "GET", "append*", "maxmemory-policy")
    except exceptions.ResponseError as error:
        logger.warning(
            "%s does not show its configuration (%s): make sure that it has appendonly yes "
            "and maxmemory-policy noeviction",
            address.label,
            error,
        )
        return
    names = ("appendonly", "appendfsync", "maxmemory-policy")
    settings = dict(zip(reply[::2], reply[1::2], strict=True))
    appendonly, appendfsync, policy = (settings[name.encode()] for name in names)
    if appendonly != b"yes":
        raise StoreOpenError(address.label, Fault.VOLATILE)
    if policy != b"noeviction":
        raise StoreOpenError(address.label, Fault.EVICTING)
    if appendfsync != b"always" and not replicas:
        logger.warning(
            "%s has no replica and appendfsync %s: a power cut may lose the last second",
            address.label,
            appendfsync.decode(),
        )


def _load_library(link: RedisLink) -> None:
    if link.ask("FUNCTION", "LIST", "LIBRARYNAME", LIBRARY):
        return
    try:
        link.ask("FUNCTION", "LOAD", _LIBRARY_TEXT)
    except exceptions.ResponseError as error:
        # Another server process was faster.
        if "already exists" not in str(error):
            raise
