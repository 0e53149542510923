"""What a player asks of the store about games that ended: statistics, scores, the daily board."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from jminesweeper.core import seeded_bits
from jminesweeper.screen import MenuItem
from jminesweeper.session import messages, pages
from jminesweeper.session.effects import Effects
from jminesweeper.session.menus import Choice, Menu, Page
from jminesweeper.session.orders import Order
from jminesweeper.session.seat import Seat
from jminesweeper.store.ports import (
    Board,
    FindGame,
    ListBoards,
    ReadLeaderboard,
    ReadStatistics,
    Score,
    Statistics,
    StoreError,
    game_code,
)


def show_statistics(seat: Seat, _now_ms: int) -> Effects:
    """Tell what the player's games add up to."""

    def show(statistics: Statistics, now_ms: int) -> Effects:
        return seat.show(Page("Statistics", pages.statistics_lines(statistics)), now_ms)

    operation = ReadStatistics(seat.table.ledger.player)
    return seat.look_up(operation, show)


def show_scores(seat: Seat, _now_ms: int) -> Effects:
    """Offer the leaderboards on which somebody stands."""

    def choice(board: Board) -> Choice:
        name = pages.board_name(board)
        return Choice(MenuItem(name), lambda _now_ms: _show_board(seat, name, board))

    def offer(boards: Sequence[Board], now_ms: int) -> Effects:
        if not boards:
            return seat.warn(messages.NO_SCORES)
        choices = [choice(board) for board in boards]
        return seat.show(Menu("Best times", lambda: choices), now_ms)

    return seat.look_up(ListBoards(), offer)


def _show_board(seat: Seat, name: str, board: Board) -> Effects:
    def show(scores: Sequence[Score], now_ms: int) -> Effects:
        return seat.show(Page(name, pages.score_lines(scores)), now_ms)

    return seat.look_up(ReadLeaderboard(board), show)


def begin_daily(seat: Seat, order: Order, now_ms: int) -> Effects:
    """Begin the board of the day; who has played it before plays a repeat.

    A player's first game on it has a code that follows from player and day: if a game of that
    code is recorded, or at hand, this is not the first one.
    """
    player, play = seat.table.ledger.player, seat.table.play
    if not player:
        return seat.begin(order, now_ms)
    code = _first_code(player, order)
    if play is not None and play.code == code and play.game.was_played:
        return seat.begin(order.as_repeat(), now_ms)

    def begin(answer: object, now_ms: int) -> Effects:
        if answer is None:
            return seat.begin(order.under(code), now_ms)
        effects = seat.begin(order.as_repeat(), now_ms)
        if isinstance(answer, StoreError):
            seat.warn(messages.DAILY_UNKNOWN)
        return effects

    return seat.consult(FindGame(code), begin)


def _first_code(player: str, order: Order) -> str:
    """Return the code of a player's first game on a daily board."""
    words = f"{player}\n{order.title.daily}\n{order.title.board}"
    digest = blake2b(words.encode(), digest_size=8).digest()
    return game_code(seeded_bits(int.from_bytes(digest, "big")))
