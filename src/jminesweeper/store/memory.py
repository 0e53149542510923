"""A store that ends with its process: for tests, and for servers that keep nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from threading import Lock
from typing import Any, Final

from jminesweeper.core import Status, Variant, format_rules
from jminesweeper.store import (
    Append,
    Deliver,
    DropSave,
    Enter,
    Entrance,
    Fault,
    FencedError,
    FindGame,
    FindPlayer,
    FindSave,
    Finish,
    FinishedGame,
    Job,
    ListBoards,
    ListGames,
    ListSaves,
    Note,
    Operation,
    Player,
    PutPlayer,
    PutRunning,
    PutSave,
    ReadLeaderboard,
    ReadStatistics,
    ReadTotals,
    Record,
    RevisionError,
    RunningGame,
    SaveLabel,
    Score,
    Statistics,
    StoreError,
    StoreUnavailableError,
    TakenCodeError,
    Tally,
    Total,
    UnknownPlayerError,
    deliver_at_once,
)
from jminesweeper.store.statistics import CategorySums, Result
from jminesweeper.store.values import MAX_CATEGORIES, MAX_GAMES, MAX_LISTED, check_save_count
from jminesweeper.store.worker import complete


class MemoryStore:
    """The port on plain dictionaries; completions are delivered before `submit` returns."""

    def __init__(self, deliver: Deliver = deliver_at_once) -> None:
        self._deliver = deliver
        self._lock = Lock()
        self._tables: _Tables | None = _Tables()

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


@dataclass(slots=True)
class _Slot:
    """A player's running game as it was put, what was appended and noted, and who may write."""

    owner: str
    base: int = 0
    put: RunningGame | None = None
    appended: list[Append] = field(default_factory=list)
    note: tuple[int, Note] | None = None
    """The latest note, and the revision at which it came."""

    @property
    def revision(self) -> int:
        return self.base + len(self.appended)

    @property
    def game(self) -> RunningGame | None:
        if self.put is None:
            return None
        game = self.put
        if self.appended:
            last = self.appended[-1]
            entries = b"".join([game.entries, *(append.entries for append in self.appended)])
            game = replace(
                game,
                entries=entries,
                clock_ms=last.clock_ms,
                cursor=last.cursor,
                is_paused=False,
            )
        if self.note is not None and self.note[0] == self.revision:
            note = self.note[1]
            game = replace(
                game, clock_ms=note.clock_ms, cursor=note.cursor, is_paused=note.is_paused
            )
        return game

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
        self.games: dict[str, dict[str, int]] = {}
        """The codes of each player's finished games in order, and their numbers."""
        self.sums: dict[str | None, dict[Variant | None, CategorySums]] = {}
        """By player, or None for all; by category, or None for the categories beyond the limit."""
        self.best: dict[Variant, dict[str, tuple[int, int, int, str]]] = {}
        """By board and player: time, end, number and code of the best win."""
        self.recorded = 0

    def enter(self, asked: Enter) -> Entrance:
        known = self.players.get(asked.player)
        if known is None:
            return Entrance(Player(asked.player, asked.name), is_known=False)
        player = self.players[asked.player] = replace(known, name=asked.name or known.name)
        slot = self.slots.setdefault(player.id, _Slot(asked.owner))
        slot.owner = asked.owner
        return Entrance(player, is_known=True, revision=slot.revision, game=slot.game)

    def put_player(self, asked: PutPlayer) -> None:
        known = self.players.get(asked.player) or Player(asked.player, created_at_s=asked.at_s)
        settings = dict(asked.settings)
        self.players[asked.player] = replace(known, name=asked.name, settings=settings)

    def put_running(self, asked: PutRunning) -> int:
        slot = self.slots.get(asked.player) or _Slot(asked.owner)
        if slot.owner != asked.owner:
            raise FencedError
        created_at_s = asked.game.begun_at_ms // 1000
        self.players.setdefault(asked.player, Player(asked.player, created_at_s=created_at_s))
        slot.base, slot.put, slot.appended = slot.revision + 1, asked.game, []
        self.slots[asked.player] = slot
        return slot.revision

    def append(self, asked: Append) -> int:
        slot = self._held(asked)
        if slot.has(asked):
            return asked.revision + 1
        if slot.put is None or slot.revision != asked.revision:
            raise RevisionError(asked.revision)
        slot.appended.append(asked)
        return slot.revision

    def note(self, asked: Note) -> None:
        slot = self._held(asked)
        if slot.put is None:
            raise RevisionError(0)
        slot.note = slot.revision, asked

    def record(self, asked: Record) -> None:
        game = asked.game
        result = Result.of(game)
        if game.player is None:
            self._count(None, result, None)
            return
        self._known(game.player)
        before = self._recorded(game)
        if before is not None and before.status is Status.WON:
            return
        self.finished[game.code] = game
        self.recorded += 1
        self.games.setdefault(game.player, {}).setdefault(game.code, self.recorded)
        former = Result.of(before) if before else None
        self._count(None, result, former)
        self._count(game.player, result, former)
        if game.is_ranked:
            self._rank(game, game.player)
        self._drop_oldest(game.player)

    def finish(self, asked: Finish) -> int:
        self._known(asked.last.player)
        self._recorded(asked.game)
        revision = self.append(asked.last)
        self.record(Record(asked.game))
        return revision

    def put_save(self, asked: PutSave) -> None:
        saves = self.saves.setdefault(self._known(asked.player).id, {})
        check_save_count(len(saves.keys() | {asked.name}))
        game = asked.game
        label = SaveLabel(
            asked.name, asked.at_s, game.setup.variant, game.clock_ms, asked.opened_share
        )
        saves[asked.name] = label, game

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
        codes = list(reversed(self.games.get(asked.player, {})))[: asked.limit]
        return tuple(self.finished[code] for code in codes)

    def read_statistics(self, asked: ReadStatistics) -> Statistics:
        listed, others = self._most_played(asked.player)
        return Statistics(
            tuple(sums.statistics(category) for category, sums in listed),
            Tally(*_add_up(others)),
        )

    def read_totals(self, asked: ReadTotals) -> tuple[Total, ...]:
        listed, others = self._most_played(None)
        totals = [Total(category, *_counts(sums)) for category, sums in listed]
        if any(counts := _add_up(others)):
            totals.append(Total(None, *counts))
        return tuple(totals)

    def read_leaderboard(self, asked: ReadLeaderboard) -> tuple[Score, ...]:
        best = self.best.get(_without_repeat(asked.board), {})
        places = sorted((*place, player) for player, place in best.items())[: asked.limit]
        return tuple(
            Score(self.players[player].name, wall_ms, code, ended_at_s, player)
            for wall_ms, ended_at_s, _, code, player in places
        )

    def list_boards(self, asked: ListBoards) -> tuple[Variant, ...]:
        by_name = sorted(self.best, key=_name_order)
        latest_first = sorted(by_name, key=lambda board: board.daily or date.min, reverse=True)
        return tuple(sorted(latest_first, key=lambda board: board.daily is not None)[: asked.limit])

    def _known(self, player: str) -> Player:
        try:
            return self.players[player]
        except KeyError:
            raise UnknownPlayerError from None

    def _held(self, asked: Append | Note) -> _Slot:
        slot = self.slots.get(self._known(asked.player).id)
        if slot is None or slot.owner != asked.owner:
            raise FencedError
        return slot

    def _recorded(self, game: FinishedGame) -> FinishedGame | None:
        before = self.finished.get(game.code)
        if before is not None and before.player != game.player:
            raise TakenCodeError(game.code)
        return before

    def _count(self, player: str | None, result: Result, former: Result | None) -> None:
        sums = self.sums.setdefault(player, {})
        if former is not None:
            line = _line(sums, former.category)
            sums[line] = sums[line].minus(former)
        line = _line(sums, result.category)
        before = sums.get(line, CategorySums())
        sums[line] = before.plus(result, is_again=former is not None)

    def _rank(self, game: FinishedGame, player: str) -> None:
        best = self.best.setdefault(game.variant, {})
        number = self.games[player][game.code]
        place = game.wall_ms, game.ended_at_s, number, game.code
        if player not in best or place[:2] < best[player][:2]:
            best[player] = place

    def _drop_oldest(self, player: str) -> None:
        codes = self.games[player]
        if len(codes) <= MAX_GAMES:
            return
        ranked = {best[player][-1] for best in self.best.values() if player in best}
        spare = [
            code for code in codes if code not in ranked and not self.finished[code].is_first_daily
        ]
        for code in spare[: max(0, len(spare) - MAX_GAMES)]:
            del codes[code], self.finished[code]

    def _most_played(
        self, player: str | None
    ) -> tuple[list[tuple[Variant, CategorySums]], list[CategorySums]]:
        sums = self.sums.get(player, {})
        lines = [(category, line) for category, line in sums.items() if category is not None]
        lines.sort(key=lambda line: (-line[1].played, *_name_order(line[0])))
        others = [line for _, line in lines[MAX_LISTED:]]
        if None in sums:
            others.append(sums[None])
        return lines[:MAX_LISTED], others


def _line(sums: Mapping[Variant | None, CategorySums], category: Variant) -> Variant | None:
    """Find where a category is counted."""
    has_room = len(sums) - (None in sums) < MAX_CATEGORIES
    return category if category in sums or has_room else None


def _counts(sums: CategorySums) -> Sequence[int]:
    return sums.won, sums.lost, sums.terminated


def _add_up(others: Iterable[CategorySums]) -> Sequence[int]:
    return tuple(map(sum, zip((0, 0, 0), *map(_counts, others), strict=True)))


def _without_repeat(board: Variant) -> Variant:
    return replace(board, is_repeat=False) if board.is_repeat else board


def _name_order(board: Variant) -> tuple[object, ...]:
    rules = format_rules(board.rules)
    size = board.size.columns, board.size.rows, board.mine_count
    return " " in rules, board.board, rules, *size, board.is_no_guess


_ANSWERS: Final[Mapping[type[Operation[Any]], Callable[[_Tables, Any], Any]]] = {
    Enter: _Tables.enter,
    PutPlayer: _Tables.put_player,
    PutRunning: _Tables.put_running,
    Append: _Tables.append,
    Note: _Tables.note,
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
