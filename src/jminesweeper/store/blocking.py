"""Waiting for a store: for commands and tests, never for an event loop.

One operation, a flow of them, or a whole store, page by page, which may be copied into another. For
that the servers have to be stopped. What the copy has already is compared and left as it is, so a
copy that was interrupted continues when it is started again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from queue import SimpleQueue
from typing import Any, Literal, TypeVar, overload

from jminesweeper.store.port import (
    ENTRY_BYTES,
    Add,
    Append,
    Commit,
    Conflict,
    Found,
    Job,
    Keep,
    Operation,
    Part,
    Put,
    Read,
    Scan,
    Scanned,
    Store,
    StoreError,
    Tail,
)

T = TypeVar("T")


@overload
def perform(store: Store, operation: Commit) -> Literal[True] | Conflict: ...
@overload
def perform(store: Store, operation: Read) -> Found: ...
@overload
def perform(store: Store, operation: Scan) -> Scanned: ...
def perform(store: Store, operation: Operation) -> Any:
    """Carry out one operation and return its answer or raise its error."""
    (answer,) = perform_all(store, [operation])
    return answer


def perform_all(store: Store, operations: Sequence[Operation]) -> list[Any]:
    """Carry out operations as one batch; return their answers or raise the first error."""
    answers: SimpleQueue[Any] = SimpleQueue()
    store.submit([Job(operation, answers.put) for operation in operations])
    results = [answers.get() for _ in operations]
    for answer in results:
        if isinstance(answer, StoreError):
            raise answer
    return results


def run(store: Store, flow: Generator[Read | Commit | Callable[[], Any], Any, T]) -> T:
    """Carry out one operation after the other; an error is raised where it was asked for."""
    answer: object = None
    while True:
        try:
            operation = flow.throw(answer) if isinstance(answer, StoreError) else flow.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result
        try:
            answer = operation() if callable(operation) else perform(store, operation)
        except StoreError as error:
            answer = error


PAGE = 200
ALL = 1 << 40


class Contents:
    """A count of a store's contents."""

    def __init__(self) -> None:
        self._documents: Counter[str] = Counter()
        self._places = 0

    def add(self, commits: Sequence[Commit]) -> None:
        self._documents.update(put.key.partition(":")[0] for each in commits for put in each.puts)
        self._places += sum(len(each.places) for each in commits)

    def __str__(self) -> str:
        kinds = [f"{count:,} {kind}" for kind, count in sorted(self._documents.items())]
        documents = f"{self._documents.total():,} documents"
        if kinds:
            documents += f" ({', '.join(kinds)})"
        return f"{documents}, {self._places:,} places"


def pages(store: Store) -> Iterator[Sequence[Commit]]:
    """Go through everything in a store as commits that make it anew."""
    commits, after = perform(store, Scan(limit=PAGE))
    while after:
        yield commits
        commits, after = perform(store, Scan(after, PAGE))
    yield commits


def strangers(origin: Store, copy: Store) -> Iterator[str]:
    """List keys and boards of the copy that hold what the origin lacks."""
    for commits in pages(copy):
        keys = tuple(put.key for commit in commits for put in commit.puts)
        documents = perform(origin, Read(keys)).documents
        yield from (key for key, found in zip(keys, documents, strict=True) if not found.version)
        for board in sorted({place.board for commit in commits for place in commit.places}):
            (known,) = perform(origin, Read(parts=(Part(board, ALL),))).parts
            texts = {
                place.text for each in commits for place in each.places if place.board == board
            }
            if not texts <= {*known}:
                yield board


def copy_page(commits: Sequence[Commit], copy: Store) -> int:
    """Make a page of the origin in the copy; return how many documents were there already."""
    documents = [commit for commit in commits if commit.puts]
    keys = tuple(commit.puts[0].key for commit in documents)
    found = perform(copy, Read(keys, tuple(map(Tail, keys))))
    made: list[Commit] = []
    keeps: list[Keep] = []
    for commit, document, log in zip(documents, found.documents, found.tails, strict=True):
        (put,) = commit.puts
        entries = b"".join(append.entries for append in commit.appends)
        if (document.version, document.body, log) == (commit.version, put.body, entries):
            # Only its end may have changed since, and that makes no new version.
            keeps.append(Keep(put.key, put.until_s))
        else:
            made += _replace(commit.version, put, log, entries)
    places = tuple(place for commit in commits for place in commit.places)
    adds = _missing([add for commit in commits for add in commit.adds], copy)
    perform_all(copy, [*made, Commit(places=places, adds=adds, keeps=tuple(keeps))])
    return len(keeps)


def _replace(version: int, put: Put, log: bytes, entries: bytes) -> Iterator[Commit]:
    """Put a document in place of another, whose log may be another one or half of this."""
    if not entries.startswith(log):
        yield Commit(puts=(Put(put.key, None),))
        log = b""
    rest = entries[len(log) :]
    append = Append(put.key, len(log) // ENTRY_BYTES, log[-ENTRY_BYTES:], rest)
    yield Commit(version, puts=(put,), appends=(append,) if rest else ())


def _missing(adds: Sequence[Add], copy: Store) -> tuple[Add, ...]:
    """Return what has yet to be added: adding is the one thing that must not be done twice."""
    names = tuple({add.counter for add in adds})
    counted = dict(zip(names, perform(copy, Read(counters=names)).counters, strict=True))
    missing = (
        add._replace(amount=add.amount - counted[add.counter].get(add.field, 0)) for add in adds
    )
    return tuple(add for add in missing if add.amount)
