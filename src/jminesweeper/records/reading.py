"""Questions about players and games that ended: statistics, histories, leaderboards, totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final, NamedTuple

from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.records import keys
from jminesweeper.records.documents import (
    Flow,
    GameDocument,
    Leaderboard,
    PlayerDocument,
    Win,
    code_of_entry,
    parse_category,
    parse_races,
    parse_sums,
)
from jminesweeper.records.limits import MAX_CATEGORIES, MAX_LISTED, MAX_OWN_BEST
from jminesweeper.records.statistics import CategorySums, Statistics, Sums, summarise, total_up
from jminesweeper.store.port import Document, Found, Part, Read

MOST_DAYS: Final = 366
_DAYS_AT_ONCE: Final = 10
MOST_PLACES: Final = 1_000
"""Wins on a board that are counted, at most."""


class Score(NamedTuple):
    """A line of a leaderboard: a player's best win."""

    name: str
    wall_ms: int
    code: str
    ended_at_s: int
    player: str
    luck: float | None = None
    """The chance to survive its forced guesses, once it is known."""


def list_games(player: str, limit: int = 20) -> Flow[Sequence[tuple[str, GameDocument]]]:
    """Read a player's finished games with their codes, the latest first, without their logs."""
    boards = (keys.history_board(player), keys.kept_board(player))
    found: Found = yield Read(parts=tuple(Part(board, limit, 0, True) for board in boards))
    entries = sorted((entry for part in found.parts for entry in part), reverse=True)[:limit]
    codes = [code_of_entry(entry) for entry in entries]
    found = yield Read(tuple(map(keys.game_key, codes)))
    listed = zip(codes, found.documents, strict=True)
    return [(code, GameDocument.parse(each.body)) for code, each in listed if each.version]


def read_statistics(player: str, today: date | None = None) -> Flow[Statistics]:
    """Read a player's statistics; those of boards of the day only with the day."""
    races = keys.races_key(player)
    lines, found = yield from _read_lines(
        keys.lines_board(player),
        lambda lines: Read((races, *(keys.tally_key(player, line) for line in lines))),
    )
    raced, *tallied = found.documents
    sums = zip(lines, tallied, strict=True)
    statistics = summarise({parse_category(line): parse_sums(each.body) for line, each in sums})
    days = 0
    if today is not None:
        days = yield from read_days(player, today)
        days = days or (yield from read_days(player, today - timedelta(1)))
    played, won = parse_races(raced.body)
    return statistics._replace(races=played, races_won=won, days=days)


def read_days(player: str, last: date) -> Flow[int]:
    """Count the days in a row up to this one on which a player finished a board of the day."""
    days = 0
    while days < MOST_DAYS:
        asked = [last - timedelta(days + each) for each in range(_DAYS_AT_ONCE)]
        boards = [replace(board, daily=day) for day in asked for board in CLASSIC_BOARDS.values()]
        codes = [keys.daily_code(player, board) for board in boards]
        found: Found = yield Read(tuple(map(keys.game_key, codes)))
        finished = {
            board.daily
            for board, document in zip(boards, found.documents, strict=True)
            if document.version and GameDocument.parse(document.body).is_finished
        }
        row = next((each for each, day in enumerate(asked) if day not in finished), len(asked))
        days += row
        if row < len(asked):
            break
    return days


def read_totals() -> Flow[Sequence[tuple[Variant | None, Sums]]]:
    """Read the totals of all players and of those without a key."""
    lines, found = yield from _read_lines(
        keys.TOTALS, lambda lines: Read(counters=tuple(map(keys.total_counter, lines)))
    )
    sums = {}
    for line, counts in zip(lines, found.counters, strict=True):
        games = (counts.get(name, 0) for name in ("won", "lost", "terminated"))
        sums[parse_category(line)] = CategorySums(Sums(*games))
    return total_up(sums)


def read_leaderboard(board: Leaderboard, limit: int = 10) -> Flow[Sequence[Score]]:
    """Read the best win of each player on a board, the fastest first, then the earliest."""
    wins = yield from read_places(board, limit)
    players = tuple(keys.player_key(win.player) for win in wins)
    found: Found = yield Read((*players, *(keys.game_key(win.code) for win in wins)))
    names = [PlayerDocument.parse_name(each.body) for each in found.documents[: len(wins)]]
    games = found.documents[len(wins) :]
    return [_score(*each) for each in zip(names, wins, games, strict=True)]


def read_places(board: Leaderboard, limit: int = MOST_PLACES) -> Flow[Sequence[Win]]:
    """Read the best wins on a board without names, the fastest first."""
    return (yield from _read_wins(keys.leader_board(board.format()), limit))


def read_own_best(player: str, board: Leaderboard) -> Flow[Sequence[Score]]:
    """Read a player's best wins on the board of a leaderboard; unnamed."""
    wins = yield from _read_wins(keys.own_board(player, board.format()), MAX_OWN_BEST)
    found: Found = yield Read(tuple(keys.game_key(win.code) for win in wins))
    return [_score("", *each) for each in zip(wins, found.documents, strict=True)]


def _read_wins(board: str, limit: int) -> Flow[Sequence[Win]]:
    found: Found = yield Read(parts=(Part(board, limit),))
    return [Win.parse(text) for text in found.parts[0]]


def list_boards(limit: int = MAX_LISTED) -> Flow[Sequence[Leaderboard]]:
    """List the boards with a winner: those without a day, then daily ones, the latest first."""
    found: Found = yield Read(parts=(Part(keys.BOARDS, limit),))
    return [Leaderboard.parse(name) for name in found.parts[0]]


def _read_lines(
    board: str, ask: Callable[[Sequence[str]], Read]
) -> Flow[tuple[Sequence[str], Found]]:
    """Read lines and what belongs to them as of one moment: a game may be recorded in between."""
    # Two that were counted at once may both have taken the last place.
    part = Part(board, MAX_CATEGORIES + 100)
    found: Found = yield Read(parts=(part,))
    while True:
        lines = found.parts[0]
        found = yield ask(lines)._replace(parts=(part,))
        if found.parts[0] == lines:
            return lines, found


def _score(name: str, win: Win, document: Document) -> Score:
    game = GameDocument.parse(document.body) if document.version else None
    luck = None if game is None or game.outcome is None else game.outcome.luck
    return Score(name, win.wall_ms, win.code, win.ended_at_s, win.player, luck)
