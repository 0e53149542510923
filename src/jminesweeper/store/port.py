"""The port of every store: one verb changes, one reads, one goes through everything.

A *document* is a text under a key, with a version. A *log* is a row of 8-byte entries that belongs
to a document and goes with it. A *board* is a set of texts, sorted as their UTF-8 bytes. A
*counter* has fields that are added to. `Commit` changes any of them, all or nothing, if its checks
hold; `Read` finds any of them as of one moment; `Scan` finds everything, piece by piece.

All are values, submitted with a completion that takes the answer or a `StoreError`, which names the
`Fault` and its remedy. No call waits. What is submitted together is carried out together and in
order, and a commit that was answered `DONE` is durable.

A version is a random number that the writer draws, so a document that was deleted and made anew,
or a store that came back empty or from a backup, never has an old version again. An append names
its place *and the entry before it*. The place alone is not enough: of two appends under way at n
and n + 1 the second would be stored without the first when somebody else's entry came between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, IntEnum
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

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


ENTRY_BYTES: Final = 8
MAX_KEY_CHARS: Final = 192
MAX_TEXT_CHARS: Final = 1_024
MAX_BODY_CHARS: Final = 1 << 18
MAX_LOG_BYTES: Final = 8 << 20
MAX_AMOUNT: Final = 1 << 40
MAX_UNTIL_S: Final = 1 << 40
VERSION_BITS: Final = 63
NO_END: Final = 0
"""The end of what is kept until it is deleted."""


class Importance(IntEnum):
    """The order in which a store that is nearly full refuses commits.

    A commit that only deletes is never refused.
    """

    LOW = 0
    """A stranger's commit, who loses nothing by a refusal."""
    NORMAL = 1
    HIGH = 2
    """A known player's move, which is refused only where there is no room at all."""


class Document(NamedTuple):
    """A text and its version; 0 if there is none."""

    version: int = 0
    body: str = ""


ABSENT: Final = Document()


class Check(NamedTuple):
    """A document has this version: 0 if it must not exist."""

    key: str
    version: int


class Put(NamedTuple):
    """Put a document in place of any other, until a time in seconds; None deletes it and its log.

    A log that is there stays, and ends when its document ends.
    """

    key: str
    body: str | None
    until_s: int = NO_END


class Keep(NamedTuple):
    """Keep a document and its log until another time; one that does not exist is left out."""

    key: str
    until_s: int = NO_END


class Append(NamedTuple):
    """Add entries to a log that has `at` of them, the last of which is `last`.

    Entries that end the log already, because an answer was lost, are not added again. The first
    append of all comes in a commit that puts the document, or checks that it exists.
    """

    key: str
    at: int
    last: bytes
    entries: bytes


class Place(NamedTuple):
    """A text on a board, or one that is taken away."""

    board: str
    text: str
    is_gone: bool = False


class Add(NamedTuple):
    """Add to a field of a counter."""

    counter: str
    field: str
    amount: int


class Commit(NamedTuple):
    """Change everything here if all checks hold and all logs are as said; else nothing.

    The parts are carried out in the order of the fields. `version` is that of each document put.
    """

    version: int = 0
    checks: tuple[Check, ...] = ()
    puts: tuple[Put, ...] = ()
    appends: tuple[Append, ...] = ()
    places: tuple[Place, ...] = ()
    adds: tuple[Add, ...] = ()
    keeps: tuple[Keep, ...] = ()
    importance: Importance = Importance.NORMAL


class Conflict(NamedTuple):
    """Nothing was changed: this document, or this log from the entry before on, is not as said."""

    key: str
    since: bytes = b""


DONE: Final = True


class Tail(NamedTuple):
    """The entries of a log from one on."""

    key: str
    start: int = 0


class Part(NamedTuple):
    """Texts of a board in their order, or in reverse: those after a text, without the first few."""

    board: str
    limit: int
    skipped: int = 0
    is_reversed: bool = False
    after: str = ""
    """A text that need not be there; "" is the beginning, or the end in reverse."""


class Read(NamedTuple):
    """A request to read, as of one moment."""

    keys: tuple[str, ...] = ()
    tails: tuple[Tail, ...] = ()
    parts: tuple[Part, ...] = ()
    counters: tuple[str, ...] = ()


class Found(NamedTuple):
    """The answer to a `Read`, in its order; parts that do not exist are empty."""

    documents: Sequence[Document] = ()
    tails: Sequence[bytes] = ()
    parts: Sequence[Sequence[str]] = ()
    counters: Sequence[Mapping[str, int]] = ()


class Scan(NamedTuple):
    """A request for the next things after a position, about so many."""

    after: str = ""
    limit: int = 1_000


class Scanned(NamedTuple):
    """Commits that make anew what was found, and where to continue; empty at the end.

    What is there from the first scan to the last is found, now and then twice.
    """

    commits: Sequence[Commit]
    after: str


Operation: TypeAlias = Commit | Read | Scan
Deliver: TypeAlias = Callable[[Callable[[], None]], object]
"""Runs the completions of a batch in the right thread, as `loop.call_soon_threadsafe` does."""
Watch: TypeAlias = Callable[[Fault | None], None]
"""Learns, through `Deliver`, that the store became unavailable (why) or available (None)."""


class Job(NamedTuple):
    """An operation, and the completion that takes its answer or a StoreError."""

    operation: Operation
    done: Callable[[Any], object]


class Store(Protocol):
    """A place where documents are kept."""

    def submit(self, jobs: Sequence[Job]) -> None:
        """Carry out the operations soon and in order; never wait.

        The completions of one batch come in one delivery.
        """

    def close(self) -> None:
        """Carry out what was submitted, then close; later operations fail."""


def deliver_at_once(completions: Callable[[], None]) -> None:
    """Run completions in the thread in which they fall due."""
    completions()


def ignore_state(fault: Fault | None) -> None:
    """Watch nothing."""
