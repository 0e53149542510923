"""Commits to try a store with."""

from __future__ import annotations

from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Append, Commit, Put, Read, Store, Tail

KEY = "game:g1"


def entry(number: int) -> bytes:
    return number.to_bytes(8, "big")


def entries(*numbers: int) -> bytes:
    return b"".join(map(entry, numbers))


def begin(*numbers: int, key: str = KEY, version: int = 1, until_s: int = 0) -> Commit:
    """Make a document with a log."""
    appends = (Append(key, 0, b"", entries(*numbers)),) if numbers else ()
    return Commit(version, puts=(Put(key, "{}", until_s),), appends=appends)


def append(at: int, last: int, *numbers: int, key: str = KEY) -> Commit:
    return Commit(appends=(Append(key, at, entry(last) if at else b"", entries(*numbers)),))


def body_of(store: Store, key: str = KEY) -> str:
    return perform(store, Read(keys=(key,))).documents[0].body


def log_of(store: Store, key: str = KEY, start: int = 0) -> bytes:
    return perform(store, Read(tails=(Tail(key, start),))).tails[0]
