"""Appends to documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from jminesweeper.store.blocking import perform_all
from jminesweeper.store.port import DONE, Append, Commit, Deliver, Job, Put, Store
from jminesweeper.store.redis.store import RedisStore
from jminesweeper.store.sqlite.store import SqliteStore

ENTRY: Final = b"\1" * 8
BODY: Final = "x" * 150
"""As long as the document of a game."""


def open_store(place: str, deliver: Deliver) -> RedisStore | SqliteStore:
    if "://" in place:
        return RedisStore(place, deliver=deliver)
    return SqliteStore(Path(place), deliver=deliver)


@cache
def key(game: str) -> str:
    return f"game:{game}"


def begin(store: Store, games: Sequence[str]) -> None:
    perform_all(
        store,
        [
            Commit(7, puts=(Put(key(game), BODY),), appends=(Append(key(game), 0, b"", ENTRY),))
            for game in games
        ],
    )


def job(game: str, at: int, done: Callable[[Any], object]) -> Job:
    return Job(Commit(appends=(Append(key(game), at, ENTRY, ENTRY),)), done)


def is_done(answer: Any) -> bool:
    return answer is DONE
