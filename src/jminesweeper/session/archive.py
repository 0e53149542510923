"""Finished games in the store: statistics, best times, boards of the day."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from typing import Any, Final

from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.core.view import Status
from jminesweeper.protocol.view import Listing, RowKind
from jminesweeper.records.documents import (
    OTHERS,
    GameDocument,
    Leaderboard,
    PlayerDocument,
    Win,
    parse_sums,
    read_document,
)
from jminesweeper.records.keys import daily_code, game_key, leader_board, player_key, tally_key
from jminesweeper.records.ladder import PROVISIONAL, read_ladder, read_ratings
from jminesweeper.records.limits import MAX_LISTED
from jminesweeper.records.reading import (
    MOST_PLACES,
    list_boards,
    read_days,
    read_leaderboard,
    read_own_best,
    read_places,
    read_statistics,
)
from jminesweeper.session import pages, watching
from jminesweeper.session.figures import share_line
from jminesweeper.session.matches import MatchSeat
from jminesweeper.session.messages import ordinal, rare_percent, seconds
from jminesweeper.session.player import Player
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow, Option, Page, Row, choose
from jminesweeper.store.port import Found, Part, Read, StoreError

MOST_COUNTED: Final = 1_000
"""At most this many boards with a leaderboard are counted; the first are listed."""


def show_statistics(player: Player) -> Flow:
    """Show the statistics of the player's games."""
    today = player.config.today(player.now_ms)
    statistics = yield from read_statistics(player.account.id, today)
    yield Page("statistics", "Statistics", pages.statistics_lines(statistics))
    return STAY


def tell_rank(player: Player, seat: MatchSeat) -> Flow:
    """Say how the game that has just ended compares: a board of the day with all, others with own.

    The store may look before that game is recorded, or after: only the others are compared.
    """
    match = seat.match
    was_given_up = False
    if player.is_ranked:
        # If another device gave the game up, it may have gone on here as if ranked.
        with suppress(StoreError):
            known = yield from read_document(game_key(match.code))
            was_given_up = bool(known.version) and GameDocument.parse(known.body).is_given_up
    if was_given_up:
        match.play_as(match.variant.as_repeat())
        if match.game.status is Status.WON:
            player.say("won.given_up")
        return STAY
    if match.variant.is_first_daily:
        return (yield from _tell_day(player, seat))
    if match.game.status is Status.WON and player.is_ranked:
        return (yield from _tell_best(player, seat))
    return STAY


def _tell_best(player: Player, seat: MatchSeat) -> Flow:
    """Say so if the game that was just won is the player's fastest of its kind, and of how many."""
    own, match = player.account.id, seat.match
    try:
        lines = match.variant.category.text, OTHERS
        asked = game_key(match.code), *(tally_key(own, line) for line in lines)
        found: Found = yield Read(asked)
        game, tally, others = found.documents
        if others.version and not tally.version:
            # Games of this kind are not counted by themselves.
            return STAY
        before = parse_sums(tally.body).ranked
        is_counted = bool(game.version) and GameDocument.parse(game.body).outcome is not None
        before = before._replace(won=before.won - (is_counted and before.won > 0))
        time_ms = match.game.elapsed_ms
        is_best = before.best_ms is None or time_ms <= before.best_ms
        if match.has_leaderboard:
            scores = yield from read_own_best(own, match.leaderboard)
            time_ms = match.wall_ms(player.utc_ms)
            is_best = all(time_ms < score.wall_ms for score in scores if score.code != match.code)
    except StoreError:
        return STAY
    if is_best:
        wins, has_paused = before.won + 1, time_ms // 1000 != match.game.elapsed_ms // 1000
        which = f"best{'.of' if before.won else ''}{'.paused' if has_paused else ''}"
        player.say(which, seconds=time_ms / 1000, how=match.how_won, wins=wins)
    return STAY


def _tell_day(player: Player, seat: MatchSeat) -> Flow:
    """Figures after a board of the day: the rank among its winners, the days in a row."""
    match, own = seat.match, player.account.id
    day, figures = match.variant.daily, [("share", share_line(match.game))]
    seat.show_day(figures)
    if not player.account.is_in or day is None:
        return STAY
    try:
        days = 1 + (yield from read_days(own, day - timedelta(1)))
        wins = yield from read_places(match.leaderboard)
        document = yield from read_document(player_key(own))
    except StoreError:
        return STAY
    figures = [("days in a row", f"{days}"), *figures]
    known = PlayerDocument.parse(own, document.body) if document.version else None
    may_rank = known is not None and known.may_rank_at(player.now_s)
    if match.game.status is Status.WON and match.is_ranked and not may_rank:
        player.say("won.new")
    elif match.game.status is Status.WON and match.is_ranked:
        others = [win.wall_ms for win in wins if win.player != own]
        wall_ms = match.wall_ms(player.utc_ms)
        place = 1 + sum(other <= wall_ms for other in others)
        rank = f"{ordinal(place)} of {len(others) + 1}{'+' if len(wins) == MOST_PLACES else ''}"
        figures = [("today", rank), *figures]
        is_program = match.leaderboard.is_of_programs
        which = "won.day.program" if is_program else "won.day"
        player.say(which, rank=rank, how=match.how_won)
    seat.show_day(figures)
    return STAY


def show_leaderboards(player: Player) -> Flow:
    """Offer the leaderboards that have a winner."""
    boards = yield from list_boards(MOST_COUNTED)
    if not boards:
        player.say("scores.none")
        return STAY
    named = {pages.board_name(board): board for board in boards[:MAX_LISTED]}
    options = [
        Option(Row(name, name), partial(_show_leaderboard, player, name, board))
        for name, board in named.items()
    ]
    if (more := len(boards) - MAX_LISTED) > 0:
        heading = Row("heading.more", f"and {more} more", kind=RowKind.HEADING)
        options.append(Option(heading))
    return (yield from choose(player, "scores", "Best times", lambda: options))


def show_ladder(player: Player) -> Flow:
    """Show the strongest players on each classic board, and the player's own rating."""
    own = (yield from read_ratings(player.account.id)) if player.account.is_in else {}
    lines: list[str | Listing] = []
    for board in CLASSIC_BOARDS:
        standings = yield from read_ladder(board)
        mark = f", you {own[board]}" if board in own else ""
        lines += [f"{board.capitalize()}{mark}", *pages.ladder_lines(standings), ""]
    lines.append(f"A rating counts after {PROVISIONAL} races against known players.")
    yield Page("ladder", "Ladder", lines)
    return STAY


def _show_leaderboard(player: Player, title: str, board: Leaderboard) -> Flow:
    """Show the leaderboard of a board, and below it the player's own best; each is replayed."""
    own = player.account.id
    scores = yield from read_leaderboard(board)
    bests = (yield from read_own_best(own, board)) if own else ()
    selected = next((score.code for score in scores if score.player == own), "")
    options = [
        Option(row, partial(watching.watch_record, player, row.id.partition(".")[2]))
        for row in pages.score_rows(scores, bests)
    ]
    return (yield from choose(player, "best", title, lambda: options, f"best.{selected}"))


def read_day(player: Player, day: date) -> Generator[Any, Any, Mapping[str, str]]:
    """Say how the player's games on a day's boards ended, by the names of the boards."""
    if not player.account.is_in:
        return {}
    own = player.account.id
    boards = [replace(board, daily=day) for board in CLASSIC_BOARDS.values()]
    asked = Read(
        tuple(game_key(daily_code(own, board)) for board in boards),
        parts=tuple(
            Part(leader_board(Leaderboard(board).format()), MOST_PLACES) for board in boards
        ),
    )
    try:
        found: Found = yield asked
    except StoreError:
        return {}
    days = zip(boards, found.documents, found.parts, strict=True)
    told: dict[str, str] = {}
    for board, document, wins in days:
        outcome = GameDocument.parse(document.body).outcome if document.version else None
        if outcome is not None and outcome.status is Status.WON:
            places = (place for place, win in enumerate(wins, 1) if Win.parse(win).player == own)
            place = next(places, 0)
            rank = f", {ordinal(place)} of {len(wins)}" if place else ""
            luck = "" if outcome.luck is None else f", luck {rare_percent(outcome.luck)}"
            told[board.board] = f"won in {seconds(outcome.wall_ms)}{rank}{luck}"
        elif outcome is not None:
            told[board.board] = "lost" if outcome.status is Status.LOST else "given up"
    return told


def begin_daily(player: Player, setup: Setup) -> Flow:
    """Begin the board of the day; for a player who has played it before it is a repeat.

    A player's first game on it has a code that follows from player and day: if a game of that
    code is recorded, or at hand, this is not the first one.
    """
    key, match = player.account.id, player.match
    if not key:
        player.begin(setup)
        return LEAVE_MENUS
    code = daily_code(key, setup.variant)
    if match is not None and match.code == code and match.game.was_played:
        _begin_again(player, setup)
        return LEAVE_MENUS
    try:
        known = yield from read_document(game_key(code))
    except StoreError:
        player.begin(setup.as_repeat())
        player.say("daily.unknown")
    else:
        if known.version:
            _begin_again(player, setup)
        else:
            player.begin(setup, code)
    return LEAVE_MENUS


def _begin_again(player: Player, setup: Setup) -> None:
    player.begin(setup.as_repeat())
    if not player.message.id:
        player.say("repeat.seen")
