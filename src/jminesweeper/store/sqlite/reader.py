"""The thread that reads, on its own connection: a long list of games delays no commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jminesweeper.store.errors import StoreOpenError, StoreUnavailableError
from jminesweeper.store.operations import (
    FindGame,
    FindPlayer,
    FindSave,
    ListBoards,
    ListGames,
    ListSaves,
    Operation,
    ReadLeaderboard,
    ReadStatistics,
    ReadTotals,
)
from jminesweeper.store.sqlite import reads
from jminesweeper.store.sqlite.database import Database
from jminesweeper.store.sqlite.opening import translated_errors

READS: Mapping[type[Operation[Any]], Callable[[sqlite3.Connection, Any], Any]] = {
    FindPlayer: reads.find_player,
    ListSaves: reads.list_saves,
    FindSave: reads.find_save,
    FindGame: reads.find_game,
    ListGames: reads.list_games,
    ReadStatistics: reads.read_statistics,
    ReadLeaderboard: reads.read_leaderboard,
    ListBoards: reads.list_boards,
    ReadTotals: reads.read_totals,
}


class Reader:
    """Answers from what is committed; opens the file when it is first asked, and after errors."""

    def __init__(self, path: Path, *, lock_timeout_s: float) -> None:
        self._database = Database(path, may_create=False)
        self._lock_timeout_s = lock_timeout_s

    @property
    def patience_s(self) -> float | None:
        return None

    def answer(self, operations: Sequence[Operation[Any]]) -> Sequence[Any]:
        return [self._read(operation) for operation in operations]

    def open(self) -> None:
        self._database.open(self._lock_timeout_s)

    def close(self) -> None:
        self._database.close()

    def _read(self, operation: Operation[Any]) -> Any:
        try:
            if not self._database.is_open:
                self.open()
            with translated_errors():
                return READS[type(operation)](self._database.connection(), operation)
        except StoreOpenError as error:
            return StoreUnavailableError(error.fault)
        except StoreUnavailableError as error:
            self.close()
            return error
