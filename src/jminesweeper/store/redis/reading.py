"""Reading what is stored: the calls of the operations that change nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jminesweeper.core.variant import Variant
from jminesweeper.store import (
    ConfirmHold,
    FindGame,
    FindPlayer,
    FindSave,
    FinishedGame,
    KnownPlayer,
    ListBoards,
    ListGames,
    ListSaves,
    Operation,
    ReadLeaderboard,
    ReadOwnBest,
    ReadStatistics,
    ReadTotals,
    RunningGame,
    SaveLabel,
    Score,
    Statistics,
    Total,
)
from jminesweeper.store.redis.encoding import (
    Call,
    format_board,
    nothing,
    parse_board,
    parse_place,
    parse_tally,
    unpack_finished,
    unpack_label,
    unpack_player,
    unpack_running,
)
from jminesweeper.store.statistics import summarise, total_up


def _found_player(_asked: FindPlayer, reply: Sequence[Any]) -> KnownPlayer | None:
    player, fields = reply
    return None if fields[0] is None else unpack_player(player.decode(), fields)


def _saves(_asked: ListSaves, reply: Sequence[bytes]) -> tuple[SaveLabel, ...]:
    labels = map(unpack_label, reply[::2], reply[1::2])
    return tuple(sorted(labels, key=lambda label: (-label.saved_at_s, label.name)))


def _save(_asked: FindSave, reply: bytes | None) -> RunningGame | None:
    return None if reply is None else unpack_running(reply)


def _game(_asked: FindGame, reply: Sequence[bytes | None]) -> FinishedGame | None:
    player, packed = reply
    return None if player is None or packed is None else unpack_finished(player.decode(), packed)


def _games(asked: ListGames, reply: Sequence[bytes]) -> tuple[FinishedGame, ...]:
    return tuple(unpack_finished(asked.player, packed) for packed in reply)


def _statistics(_asked: ReadStatistics, reply: Sequence[bytes]) -> Statistics:
    return summarise(parse_tally(reply))


def _totals(_asked: ReadTotals, reply: Sequence[bytes]) -> tuple[Total, ...]:
    return total_up(parse_tally(reply))


def _leaderboard(_asked: ReadLeaderboard, reply: Sequence[Any]) -> tuple[Score, ...]:
    scores = []
    for place, code, name in reply:
        wall_ms, ended_at_s, player = parse_place(place)
        scores.append(Score(name.decode(), wall_ms, code.decode(), ended_at_s, player))
    return tuple(scores)


def _own_best(asked: ReadOwnBest, reply: Sequence[bytes]) -> tuple[Score, ...]:
    places = (parse_place(place.partition(b"\0")[2]) for place in reply)
    return tuple(
        Score("", wall_ms, code, ended_at_s, asked.player) for wall_ms, ended_at_s, code in places
    )


def _boards(_asked: ListBoards, reply: Sequence[bytes]) -> tuple[Variant, ...]:
    return tuple(map(parse_board, reply))


READS: Final[Mapping[type[Operation[Any]], Call]] = {
    ConfirmHold: Call("confirm_hold", lambda a: (a.player, a.owner), nothing),
    FindPlayer: Call("find_player", lambda a: (a.player,), _found_player),
    ListSaves: Call("list_saves", lambda a: (a.player,), _saves),
    FindSave: Call("find_save", lambda a: (a.player, a.name), _save),
    FindGame: Call("find_game", lambda a: (a.code,), _game),
    ListGames: Call("list_games", lambda a: (a.player, a.limit - 1), _games),
    ReadStatistics: Call("read_sums", lambda a: (f"jm:tally:{a.player}",), _statistics),
    ReadTotals: Call("read_sums", lambda _: ("jm:tally",), _totals),
    ReadLeaderboard: Call(
        "read_leaderboard",
        lambda a: (format_board(a.board) if a.board.is_classic_board else "", a.limit),
        _leaderboard,
    ),
    ReadOwnBest: Call(
        "read_own_best",
        lambda a: (a.player, format_board(a.board) if a.board.is_classic_board else ""),
        _own_best,
    ),
    ListBoards: Call("list_boards", lambda a: (a.limit,), _boards),
}
