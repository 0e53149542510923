"""Appends to the store of before, whose games each belonged to a player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

OWNER: Final = "bench"
ENTRY: Final = b"\1" * 8

old = import_module("jminesweeper.store")
setup = import_module("jminesweeper.core.setup").Setup.of("expert", seed=1)
cell = import_module("jminesweeper.core.grid").Cell(3, 4)


def open_store(place: str, deliver: Callable[[Callable[[], None]], object]) -> Any:
    if "://" in place:
        return import_module("jminesweeper.store.redis").RedisStore(place, deliver=deliver)
    return import_module("jminesweeper.store.sqlite").SqliteStore(Path(place), deliver=deliver)


def begin(store: Any, games: Sequence[str]) -> None:
    perform_all = import_module("jminesweeper.store.blocking").perform_all
    perform_all(store, [old.PutPlayer(game, game, {}, 1) for game in games])
    perform_all(store, [old.Enter(game, "", OWNER) for game in games])
    running = [old.PutRunning(game, OWNER, old.RunningGame(game, setup)) for game in games]
    perform_all(store, running)


def job(game: str, at: int, done: Callable[[Any], object]) -> Any:
    return old.Job(old.Append(game, OWNER, at, ENTRY, at, cell), done)


def is_done(answer: Any) -> bool:
    return isinstance(answer, int)
