"""Players, games and scores, stored beyond the end of a process.

This package is the port; `memory` and `sqlite` are backends behind it. It never plays a game and
never learns a player's secret. Every operation is a value, passed to `Store.submit` together with
a completion that takes the answer: the result, or a `StoreError`. No call
waits. A backend may carry out all pending operations in one transaction or pipeline, and
it carries out one submitter's writes in the order of submission. A write answered with a
result is durable.

Write access to a player's running game is fenced. `Enter` makes its owner, a token unique to one
connection, the only one who may write. The revision goes up by one with each write, so a write that
is tried again is not applied twice, and a gap is noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

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
    ConfirmHold,
    DropSave,
    Enter,
    FindGame,
    FindPlayer,
    FindSave,
    Finish,
    ListBoards,
    ListGames,
    ListSaves,
    Note,
    Operation,
    PutOffer,
    PutPlayer,
    PutRunning,
    PutSave,
    ReadLeaderboard,
    ReadOwnBest,
    ReadStatistics,
    ReadTotals,
    Record,
    TakeOffer,
)
from jminesweeper.store.statistics import CategoryStatistics, Statistics, Tally
from jminesweeper.store.values import (
    MAX_DEVICES,
    MAX_GAMES,
    MAX_LABEL_CHARS,
    MAX_LISTED,
    MAX_SAVES,
    MAX_SETTINGS_CHARS,
    Entrance,
    FinishedGame,
    KnownPlayer,
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
    "MAX_DEVICES",
    "MAX_GAMES",
    "MAX_LABEL_CHARS",
    "MAX_LISTED",
    "MAX_SAVES",
    "MAX_SETTINGS_CHARS",
    "Append",
    "CategoryStatistics",
    "Completion",
    "ConfirmHold",
    "Deliver",
    "DropSave",
    "Enter",
    "Entrance",
    "Fault",
    "FencedError",
    "FindGame",
    "FindPlayer",
    "FindSave",
    "Finish",
    "FinishedGame",
    "Job",
    "KnownPlayer",
    "ListBoards",
    "ListGames",
    "ListSaves",
    "Note",
    "Operation",
    "PutOffer",
    "PutPlayer",
    "PutRunning",
    "PutSave",
    "ReadLeaderboard",
    "ReadOwnBest",
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
    "TakeOffer",
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

Completion: TypeAlias = Callable[[T | StoreError], object]
Deliver: TypeAlias = Callable[[Callable[[], None]], object]
"""Runs the completions of a batch in the right thread, as `loop.call_soon_threadsafe` does."""
Watch: TypeAlias = Callable[[Fault | None], None]
"""Learns, through `Deliver`, that the store became unavailable (why) or available (None)."""


class Job(NamedTuple, Generic[T]):
    """An operation, and the completion that takes its answer."""

    operation: Operation[T]
    done: Completion[T]


class Store(Protocol):
    """A place where players and games are stored."""

    def submit(self, jobs: Sequence[Job[Any]]) -> None:
        """Carry out the operations soon and pass each answer to its completion; never wait.

        The completions of one batch come in one delivery.
        """

    def close(self) -> None:
        """Carry out what was submitted, then close; later operations fail."""


def deliver_at_once(completions: Callable[[], None]) -> None:
    """Run completions in the thread in which they fall due."""
    completions()


def ignore_state(fault: Fault | None) -> None:
    """Watch nothing."""
