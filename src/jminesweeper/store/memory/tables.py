"""What a store keeps, as dictionaries, and what each operation does to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.store import (
    MAX_DEVICES,
    Append,
    ConfirmHold,
    DropSave,
    Enter,
    Entrance,
    FencedError,
    FindGame,
    FindPlayer,
    FindSave,
    Finish,
    FinishedGame,
    KnownPlayer,
    ListBoards,
    ListGames,
    ListSaves,
    Note,
    PutOffer,
    PutPlayer,
    PutRunning,
    PutSave,
    ReadLeaderboard,
    ReadOwnBest,
    ReadStatistics,
    ReadTotals,
    Record,
    RevisionError,
    RunningGame,
    SaveLabel,
    Score,
    Statistics,
    TakenCodeError,
    TakeOffer,
    Total,
    UnknownPlayerError,
)
from jminesweeper.store.memory.running import Slot
from jminesweeper.store.statistics import CategorySums, Result, name_order, summarise, total_up
from jminesweeper.store.transfer import (
    ExportPlayer,
    ExportTotals,
    FindDamage,
    ImportPlayer,
    ImportTotals,
    ListPlayers,
    PlayerData,
    Tally,
)
from jminesweeper.store.values import MAX_CATEGORIES, MAX_GAMES, MAX_OWN_BEST, check_save_count


class Tables:
    """Everything in the store; a method for each operation."""

    def __init__(self) -> None:
        self.players: dict[str, KnownPlayer] = {}
        self.devices: dict[str, str] = {}
        """The player that a device took the offer of."""
        self.offers: dict[str, tuple[str, int]] = {}
        """By player: the code, and when it ends."""
        self.slots: dict[str, Slot] = {}
        self.saves: dict[str, dict[str, tuple[SaveLabel, RunningGame]]] = {}
        self.finished: dict[str, FinishedGame] = {}
        self.games: dict[str, dict[str, int]] = {}
        """The codes of each player's finished games in order, and their numbers."""
        self.sums: dict[str | None, dict[Variant | None, CategorySums]] = {}
        """By player, or None for all; by category, or None for the categories beyond the limit."""
        self.best: dict[Variant, dict[str, list[tuple[int, int, int, str]]]] = {}
        """By board and player: time, end, number and code of the best wins, in order."""
        self.recorded = 0

    def enter(self, asked: Enter) -> Entrance:
        known = self.find_player(FindPlayer(asked.player))
        if known is None:
            return Entrance(KnownPlayer(asked.player, asked.name), is_known=False)
        player = self.players[known.id] = replace(known, name=asked.name or known.name)
        slot = self.slots.setdefault(player.id, Slot(asked.owner))
        slot.owner = asked.owner
        return Entrance(player, is_known=True, revision=slot.revision, game=slot.game)

    def put_player(self, asked: PutPlayer) -> None:
        known = self.players.get(asked.player) or KnownPlayer(asked.player, created_at_s=asked.at_s)
        settings = dict(asked.settings)
        self.players[asked.player] = replace(known, name=asked.name, settings=settings)

    def put_running(self, asked: PutRunning) -> int:
        slot = self.slots.get(asked.player) or Slot(asked.owner)
        if slot.owner != asked.owner:
            raise FencedError
        created_at_s = asked.game.begun_at_ms // 1000
        self.players.setdefault(asked.player, KnownPlayer(asked.player, created_at_s=created_at_s))
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

    def confirm_hold(self, asked: ConfirmHold) -> None:
        slot = self.slots.get(asked.player)
        if slot is not None and slot.owner != asked.owner:
            raise FencedError

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
        former = Result.of(before) if before else None
        self._count(None, result, former)
        self._count(game.player, result, former)
        self._keep(game, game.player)

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

    def find_player(self, asked: FindPlayer) -> KnownPlayer | None:
        return self.players.get(self.devices.get(asked.player, asked.player))

    def put_offer(self, asked: PutOffer) -> None:
        self.offers[self._known(asked.player).id] = asked.code, asked.end_s

    def take_offer(self, asked: TakeOffer) -> bool:
        for player, (code, end_s) in self.offers.items():
            if code == asked.code:
                del self.offers[player]
                devices = sum(each == player for each in self.devices.values())
                if end_s <= asked.at_s or devices >= MAX_DEVICES:
                    return False
                self.devices[asked.device] = player
                return True
        return False

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
        return summarise(self.sums.get(asked.player, {}))

    def read_totals(self, asked: ReadTotals) -> tuple[Total, ...]:
        return total_up(self.sums.get(None, {}))

    def read_leaderboard(self, asked: ReadLeaderboard) -> tuple[Score, ...]:
        best = self.best.get(_without_repeat(asked.board), {})
        places = sorted((*own[0], player) for player, own in best.items())[: asked.limit]
        return tuple(
            Score(self.players[player].name, wall_ms, code, ended_at_s, player)
            for wall_ms, ended_at_s, _, code, player in places
        )

    def read_own_best(self, asked: ReadOwnBest) -> tuple[Score, ...]:
        own = self.best.get(_without_repeat(asked.board), {}).get(asked.player, ())
        return tuple(
            Score("", wall_ms, code, ended_at_s, asked.player)
            for wall_ms, ended_at_s, _, code in own
        )

    def list_boards(self, asked: ListBoards) -> tuple[Variant, ...]:
        by_name = sorted(self.best, key=name_order)
        latest_first = sorted(by_name, key=lambda board: board.daily or date.min, reverse=True)
        return tuple(sorted(latest_first, key=lambda board: board.daily is not None)[: asked.limit])

    def list_players(self, asked: ListPlayers) -> tuple[str, ...]:
        return tuple(sorted(each for each in self.players if each > asked.after)[: asked.limit])

    def export_player(self, asked: ExportPlayer) -> PlayerData | None:
        player = self.players.get(asked.player)
        if player is None:
            return None
        slot = self.slots.get(player.id)
        saves = self.saves.get(player.id, {})
        return PlayerData(
            player,
            None if slot is None else slot.game,
            tuple(
                PutSave(player.id, name, game, label.saved_at_s, label.opened_share)
                for name, (label, game) in sorted(saves.items())
            ),
            tuple(self.finished[code] for code in self.games.get(player.id, {})),
            dict(self.sums.get(player.id, {})),
            tuple(sorted(each for each, owner in self.devices.items() if owner == player.id)),
        )

    def find_damage(self, asked: FindDamage) -> tuple[str, ...]:
        return ()

    def export_totals(self, asked: ExportTotals) -> Tally:
        return dict(self.sums.get(None, {}))

    def import_player(self, asked: ImportPlayer) -> None:
        data = asked.data
        player = data.player.id
        for game in data.games:
            self._recorded(game)
        self._forget(player)
        self.players[player] = data.player
        if data.running is not None:
            self.slots[player] = Slot("", base=1, put=data.running)
        for save in data.saves:
            self.put_save(save)
        for game in data.games:
            self._keep(game, player)
        self.sums[player] = dict(data.tally)
        self.devices |= dict.fromkeys(data.devices, player)

    def import_totals(self, asked: ImportTotals) -> None:
        self.sums[None] = dict(asked.tally)

    def _forget(self, player: str) -> None:
        for code in self.games.pop(player, {}):
            del self.finished[code]
        for best in self.best.values():
            best.pop(player, None)
        self.devices = {each: owner for each, owner in self.devices.items() if owner != player}
        self.slots.pop(player, None)
        self.saves.pop(player, None)

    def _keep(self, game: FinishedGame, player: str) -> None:
        """Keep a game, rank it, and drop the oldest one too many."""
        self.finished[game.code] = game
        self.recorded += 1
        self.games.setdefault(player, {}).setdefault(game.code, self.recorded)
        if game.is_ranked:
            self._rank(game, player)
        self._drop_oldest(player)

    def _known(self, player: str) -> KnownPlayer:
        try:
            return self.players[player]
        except KeyError:
            raise UnknownPlayerError from None

    def _held(self, asked: Append | Note) -> Slot:
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
        own = self.best.setdefault(game.variant, {}).setdefault(player, [])
        number = self.games[player][game.code]
        own.append((game.wall_ms, game.ended_at_s, number, game.code))
        own.sort()
        del own[MAX_OWN_BEST:]

    def _drop_oldest(self, player: str) -> None:
        codes = self.games[player]
        if len(codes) <= MAX_GAMES:
            return
        ranked = {code for best in self.best.values() for *_, code in best.get(player, ())}
        spare = [
            code for code in codes if code not in ranked and not self.finished[code].is_first_daily
        ]
        for code in spare[: max(0, len(spare) - MAX_GAMES)]:
            del codes[code], self.finished[code]


def _line(sums: Mapping[Variant | None, CategorySums], category: Variant) -> Variant | None:
    """Find where a category is counted."""
    has_room = len(sums) - (None in sums) < MAX_CATEGORIES
    return category if category in sums or has_room else None


def _without_repeat(board: Variant) -> Variant:
    return replace(board, is_repeat=False) if board.is_repeat else board
