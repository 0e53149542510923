"""The port through which a store is asked, and all the values that go through it.

Every operation is a value handed to `Store.submit` with a completion that takes the answer: the
result, or the `StoreError` that came instead. No call ever waits, a backend is free to carry out
whatever has gathered in one transaction or one pipeline, and one player's writes are carried out
in the order of submission. A write that was answered with a result is durable.

Write access to a player's running game is fenced. A claim makes its owner, a token unique to one
connection, the only one who may write; the revision goes up by one with each write, so that a
write tried again is not applied twice and a gap is noticed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

from jminesweeper.store.errors import (
    Fault,
    FencedError,
    RevisionError,
    StoreError,
    StoreLimitError,
    StoreOpenError,
    StoreUnavailableError,
    TakenCodeError,
    UnknownPlayerError,
)
from jminesweeper.store.operations import (
    Append,
    Claim,
    DropSave,
    FindGame,
    FindPlayer,
    FindSave,
    Finish,
    Greet,
    ListBoards,
    ListGames,
    ListSaves,
    Operation,
    PutRunning,
    PutSave,
    PutSettings,
    ReadLeaderboard,
    ReadStatistics,
    ReadTotals,
    Record,
)
from jminesweeper.store.statistics import CategoryStatistics, Statistics, Tally
from jminesweeper.store.values import (
    MAX_LABEL_CHARS,
    MAX_SAVES,
    MAX_SETTINGS_CHARS,
    Board,
    Category,
    FinishedGame,
    Holding,
    Player,
    RunningGame,
    SaveLabel,
    Score,
    Total,
    game_code,
    pack_entries,
    player_id,
    unpack_entries,
)

__all__ = [
    "MAX_LABEL_CHARS",
    "MAX_SAVES",
    "MAX_SETTINGS_CHARS",
    "Append",
    "Board",
    "Category",
    "CategoryStatistics",
    "Claim",
    "Completion",
    "Deliver",
    "DropSave",
    "Fault",
    "FencedError",
    "FindGame",
    "FindPlayer",
    "FindSave",
    "Finish",
    "FinishedGame",
    "Greet",
    "Holding",
    "ListBoards",
    "ListGames",
    "ListSaves",
    "Operation",
    "Player",
    "PutRunning",
    "PutSave",
    "PutSettings",
    "ReadLeaderboard",
    "ReadStatistics",
    "ReadTotals",
    "Record",
    "RevisionError",
    "RunningGame",
    "SaveLabel",
    "Score",
    "Statistics",
    "Store",
    "StoreError",
    "StoreLimitError",
    "StoreOpenError",
    "StoreUnavailableError",
    "TakenCodeError",
    "Tally",
    "Total",
    "UnknownPlayerError",
    "Watch",
    "deliver_at_once",
    "game_code",
    "ignore_state",
    "pack_entries",
    "player_id",
    "unpack_entries",
]

T = TypeVar("T")

Completion: TypeAlias = Callable[[T | StoreError], None]
Deliver: TypeAlias = Callable[[Callable[[], None]], object]
"""Runs the completions of a batch where they belong, as `loop.call_soon_threadsafe` does."""
Watch: TypeAlias = Callable[[Fault | None], None]
"""Told, through `Deliver`, when the store becomes unavailable (why) and available (None)."""


class Store(Protocol):
    """A place where players and games are kept."""

    def submit(self, operation: Operation[T], done: Completion[T]) -> None:
        """Carry out `operation` soon and hand the answer to `done`; never wait."""

    def close(self) -> None:
        """Carry out what was submitted and let go of everything; later operations fail."""


def deliver_at_once(completions: Callable[[], None]) -> None:
    """Run completions in the thread in which they fall due."""
    completions()


def ignore_state(fault: Fault | None) -> None:
    """Watch nothing."""
