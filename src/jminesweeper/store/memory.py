"""A store that ends with its process: for tests, and for servers that shall keep nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Any, TypeVar

from jminesweeper.core import Status
from jminesweeper.store.errors import (
    Fault,
    FencedError,
    RevisionError,
    StoreError,
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
from jminesweeper.store.ports import Completion, Deliver, deliver_at_once
from jminesweeper.store.statistics import Result, Statistics, summarise
from jminesweeper.store.values import (
    Board,
    Category,
    FinishedGame,
    Holding,
    Player,
    RunningGame,
    SaveLabel,
    Score,
    Total,
    check_save_count,
)

T = TypeVar("T")


class MemoryStore:
    """The port on plain dictionaries; completions are delivered before `submit` returns."""

    def __init__(self, deliver: Deliver = deliver_at_once) -> None:
        self._deliver = deliver
        self._lock = Lock()
        self._tables: _Tables | None = _Tables()

    def submit(self, operation: Operation[T], done: Completion[T]) -> None:
        with self._lock:
            answer = self._answer(operation)
        self._deliver(partial(done, answer))

    def close(self) -> None:
        self._tables = None

    def _answer(self, operation: Operation[T]) -> T | StoreError:
        if self._tables is None:
            return StoreUnavailableError(Fault.CLOSED)
        try:
            answer: T = _ANSWERS[type(operation)](self._tables, operation)
        except StoreError as error:
            return error
        return answer


@dataclass(slots=True)
class _Slot:
    """The running game of one player as it was put, what was appended, and who may write."""

    owner: str
    generation: int = 0
    base: int = 0
    put: RunningGame | None = None
    appended: list[Append] = field(default_factory=list)

    @property
    def revision(self) -> int:
        return self.base + len(self.appended)

    @property
    def game(self) -> RunningGame | None:
        if self.put is None or not self.appended:
            return self.put
        last = self.appended[-1]
        return replace(
            self.put,
            entries=b"".join([self.put.entries, *(append.entries for append in self.appended)]),
            clock_ms=last.clock_ms,
            cursor=last.cursor,
            is_paused=last.is_paused,
        )

    def has(self, asked: Append) -> bool:
        """Tell whether this very write was carried out before."""
        place = asked.revision - self.base
        if not 0 <= place < len(self.appended):
            return False
        return replace(asked, owner=self.appended[place].owner) == self.appended[place]


class _Tables:
    def __init__(self) -> None:
        self.players: dict[str, Player] = {}
        self.slots: dict[str, _Slot] = {}
        self.saves: dict[str, dict[str, tuple[SaveLabel, RunningGame]]] = {}
        self.finished: dict[str, FinishedGame] = {}
        self.counts: Counter[tuple[Category, Status]] = Counter()

    def greet(self, asked: Greet) -> Player:
        known = self.players.get(asked.player) or Player(asked.player, created_at_s=asked.at_s)
        self.players[asked.player] = replace(known, name=asked.name or known.name)
        return self.players[asked.player]

    def put_settings(self, asked: PutSettings) -> None:
        player = self._known(asked.player)
        self.players[player.id] = replace(player, settings=dict(asked.settings))

    def claim(self, asked: Claim) -> Holding:
        slot = self.slots.setdefault(self._known(asked.player).id, _Slot(asked.owner))
        slot.owner = asked.owner
        slot.generation += 1
        return Holding(slot.generation, slot.revision, slot.game)

    def put_running(self, asked: PutRunning) -> int:
        self.players.setdefault(asked.player, Player(asked.player))
        slot = self.slots.setdefault(asked.player, _Slot(asked.owner, generation=1))
        if slot.owner != asked.owner:
            if not asked.takes_over:
                raise FencedError
            slot.owner = asked.owner
            slot.generation += 1
        slot.base, slot.put, slot.appended = slot.revision + 1, asked.game, []
        return slot.revision

    def append(self, asked: Append) -> int:
        slot = self.slots.get(self._known(asked.player).id)
        if slot is None or slot.owner != asked.owner:
            raise FencedError
        if slot.has(asked):
            return asked.revision + 1
        if slot.put is None or slot.revision != asked.revision:
            raise RevisionError(asked.revision)
        slot.appended.append(asked)
        return slot.revision

    def record(self, asked: Record) -> None:
        game = asked.game
        if game.player is not None:
            self._known(game.player)
            before = self.finished.get(game.code)
            if before and before.player != game.player:
                raise TakenCodeError(game.code)
            if before and before.status is Status.WON:
                return
            if before:
                self.counts[before.category, before.status] -= 1
            self.finished[game.code] = game
        self.counts[game.category, game.status] += 1

    def finish(self, asked: Finish) -> int:
        before = self.finished.get(asked.game.code)
        if before and before.player != asked.game.player:
            raise TakenCodeError(asked.game.code)
        revision = self.append(asked.last)
        self.record(Record(asked.game))
        return revision

    def put_save(self, asked: PutSave) -> None:
        saves = self.saves.setdefault(self._known(asked.player).id, {})
        check_save_count(len(saves.keys() | {asked.name}))
        label = SaveLabel(asked.name, asked.at_s, asked.game.header, asked.game.clock_ms)
        saves[asked.name] = label, asked.game

    def drop_save(self, asked: DropSave) -> bool:
        return self.saves.get(asked.player, {}).pop(asked.name, None) is not None

    def find_player(self, asked: FindPlayer) -> Player | None:
        return self.players.get(asked.player)

    def list_saves(self, asked: ListSaves) -> tuple[SaveLabel, ...]:
        labels = (label for label, _ in self.saves.get(asked.player, {}).values())
        return tuple(sorted(labels, key=lambda label: (-label.saved_at_s, label.name)))

    def find_save(self, asked: FindSave) -> RunningGame | None:
        _, game = self.saves.get(asked.player, {}).get(asked.name, (None, None))
        return game

    def find_game(self, asked: FindGame) -> FinishedGame | None:
        return self.finished.get(asked.code)

    def list_games(self, asked: ListGames) -> tuple[FinishedGame, ...]:
        return tuple(reversed(self._games_of(asked.player)))[: asked.limit]

    def read_statistics(self, asked: ReadStatistics) -> Statistics:
        return summarise(map(Result.of, self._games_of(asked.player)))

    def read_leaderboard(self, asked: ReadLeaderboard) -> tuple[Score, ...]:
        best: dict[str, Score] = {}
        for game in sorted(self._wins(), key=lambda game: (game.time_ms, game.ended_at_s)):
            if game.board == asked.board and game.player is not None:
                best.setdefault(game.player, self._score(game, game.player))
        return tuple(best.values())[: asked.limit]

    def list_boards(self, asked: ListBoards) -> tuple[Board, ...]:
        boards = {game.board for game in self._wins()}
        latest_first = sorted(boards, key=lambda board: board.daily, reverse=True)
        by_category = sorted(latest_first, key=lambda board: _order(board.category))
        return tuple(by_category)[: asked.limit]

    def read_totals(self, asked: ReadTotals) -> tuple[Total, ...]:
        categories = sorted({category for category, _ in self.counts}, key=_order)
        return tuple(self._total(category) for category in categories)

    def _known(self, player: str) -> Player:
        try:
            return self.players[player]
        except KeyError:
            raise UnknownPlayerError from None

    def _games_of(self, player: str) -> list[FinishedGame]:
        return [game for game in self.finished.values() if game.player == player]

    def _wins(self) -> Iterable[FinishedGame]:
        return (g for g in self.finished.values() if g.is_ranked and g.status is Status.WON)

    def _score(self, game: FinishedGame, player: str) -> Score:
        name = self.players[player].name
        return Score(name, game.time_ms, game.code, game.ended_at_s, player)

    def _total(self, category: Category) -> Total:
        counts = (self.counts[category, s] for s in (Status.WON, Status.LOST, Status.TERMINATED))
        return Total(category, *counts)


def _order(category: Category) -> tuple[str, str]:
    return category.preset, category.rules


_ANSWERS: Mapping[type[Operation[Any]], Callable[[_Tables, Any], Any]] = {
    Greet: _Tables.greet,
    PutSettings: _Tables.put_settings,
    Claim: _Tables.claim,
    PutRunning: _Tables.put_running,
    Append: _Tables.append,
    Record: _Tables.record,
    Finish: _Tables.finish,
    PutSave: _Tables.put_save,
    DropSave: _Tables.drop_save,
    FindPlayer: _Tables.find_player,
    ListSaves: _Tables.list_saves,
    FindSave: _Tables.find_save,
    FindGame: _Tables.find_game,
    ListGames: _Tables.list_games,
    ReadStatistics: _Tables.read_statistics,
    ReadLeaderboard: _Tables.read_leaderboard,
    ListBoards: _Tables.list_boards,
    ReadTotals: _Tables.read_totals,
}
