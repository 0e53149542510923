"""The errors that a store may answer."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from jminesweeper.core.errors import JMinesweeperError


class StoreError(JMinesweeperError):
    """The root of a store's errors."""


class Fault(Enum):
    """A reason why a store cannot be used; it completes the sentence "The store PATH ..."."""

    FULL = "cannot grow: the disk is full"
    LOCKED = "is locked by another process"
    SERVED = "is another server's"
    DAMAGED = "is damaged or cut short"
    FOREIGN = "is not a store of JMinesweeper"
    OLDER = "was written by an earlier build of JMinesweeper, which this one does not read"
    NEWER = "was written by a newer version of JMinesweeper"
    FORBIDDEN = "cannot be opened for reading and writing"
    MISSING = "does not exist"
    BROKEN = "cannot be read or written: the disk reports an error"
    CLOSED = "is closed"
    ADDRESS = "has an address that Redis cannot have"
    UNREACHABLE = "cannot be reached"
    DENIED = "refuses this user or password"
    LOADING = "is still loading what it holds"
    OUT_OF_MEMORY = "cannot grow: its memory is full"
    READ_ONLY = "is a replica, which takes no writes"
    UNREPLICATED = "has too few replicas"
    VOLATILE = "loses everything when it restarts: set appendonly yes in Redis"
    EVICTING = "may throw games away: set maxmemory-policy noeviction in Redis"
    FAILING = "reports an error that it should not"
    OUTDATED = "is too old: Redis 7 is needed"


_REMEDIES: Final[Mapping[Fault, str]] = {
    Fault.DAMAGED: "restore a backup, or run 'jminesweeper store check' to see what is left",
    Fault.DENIED: "correct the user and password in the address",
    Fault.BROKEN: "replace the disk, and restore a backup",
    Fault.FOREIGN: "name another one; this one is left as it is",
    Fault.FAILING: "look into the log of Redis",
    Fault.FORBIDDEN: "let the server's user read and write the file and its folder",
    Fault.FULL: "make room on the disk",
    Fault.LOADING: "wait, then try again",
    Fault.LOCKED: "stop the other process",
    Fault.NEWER: "install that version or a newer one",
    Fault.OUT_OF_MEMORY: "raise maxmemory in Redis",
    Fault.READ_ONLY: "name the master, or its Sentinels by redis+sentinel://",
    Fault.SERVED: "stop that one, or give both --store redis://HOST; a file has one server",
    Fault.UNREACHABLE: "start Redis, or correct the address",
    Fault.UNREPLICATED: "connect a replica, or ask for fewer by ?replicas=",
}


class StoreOpenError(StoreError):
    """A store could not be opened; `str` is one sentence for the operator, with a remedy."""

    def __init__(self, place: str, fault: Fault) -> None:
        remedy = f": {_REMEDIES[fault]}" if fault in _REMEDIES else ""
        super().__init__(f"The store {place} {fault.value}{remedy}.")
        self.place = place
        self.fault = fault


class StoreUnavailableError(StoreError):
    """The store cannot be used for now; whether this operation was stored is not known."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(f"The store {fault.value}.")
        self.fault = fault


class StoreFullError(StoreError):
    """The store has no room left for commits of this importance; nothing was changed."""

    def __init__(self) -> None:
        super().__init__("The store has reached its limit.")


class StoreLimitError(StoreError):
    """The commit is larger than a store takes, or malformed; nothing was changed."""
