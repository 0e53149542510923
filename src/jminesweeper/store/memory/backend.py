"""The port on plain dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, Final

from jminesweeper.store import (
    Append,
    ConfirmHold,
    Deliver,
    DropSave,
    Enter,
    Fault,
    FindGame,
    FindPlayer,
    FindSave,
    Finish,
    Job,
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
    StoreError,
    StoreUnavailableError,
    TakeOffer,
    deliver_at_once,
)
from jminesweeper.store.memory.tables import Tables
from jminesweeper.store.transfer import (
    ExportPlayer,
    ExportTotals,
    FindDamage,
    ImportPlayer,
    ImportTotals,
    ListPlayers,
)
from jminesweeper.store.worker import complete


class MemoryStore:
    """A store in memory; completions are delivered before `submit` returns."""

    def __init__(self, deliver: Deliver = deliver_at_once) -> None:
        self._deliver = deliver
        self._lock = Lock()
        self._tables: Tables | None = Tables()

    def submit(self, jobs: Sequence[Job[Any]]) -> None:
        with self._lock:
            answers = [self._answer(operation) for operation, _ in jobs]
        complete(self._deliver, jobs, answers)

    def close(self) -> None:
        self._tables = None

    def _answer(self, operation: Operation[Any]) -> Any:
        if self._tables is None:
            return StoreUnavailableError(Fault.CLOSED)
        try:
            return _ANSWERS[type(operation)](self._tables, operation)
        except StoreError as error:
            return error


_ANSWERS: Final[Mapping[type[Operation[Any]], Callable[[Tables, Any], Any]]] = {
    Enter: Tables.enter,
    PutPlayer: Tables.put_player,
    PutRunning: Tables.put_running,
    Append: Tables.append,
    Note: Tables.note,
    ConfirmHold: Tables.confirm_hold,
    Record: Tables.record,
    Finish: Tables.finish,
    PutSave: Tables.put_save,
    DropSave: Tables.drop_save,
    FindPlayer: Tables.find_player,
    PutOffer: Tables.put_offer,
    TakeOffer: Tables.take_offer,
    ListSaves: Tables.list_saves,
    FindSave: Tables.find_save,
    FindGame: Tables.find_game,
    ListGames: Tables.list_games,
    ReadStatistics: Tables.read_statistics,
    ReadLeaderboard: Tables.read_leaderboard,
    ReadOwnBest: Tables.read_own_best,
    ListBoards: Tables.list_boards,
    ReadTotals: Tables.read_totals,
    ListPlayers: Tables.list_players,
    ExportPlayer: Tables.export_player,
    ExportTotals: Tables.export_totals,
    FindDamage: Tables.find_damage,
    ImportPlayer: Tables.import_player,
    ImportTotals: Tables.import_totals,
}
