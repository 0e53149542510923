"""What a player asks of the store: games saved and loaded, statistics, scores, the daily board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, Final

from jminesweeper.core import seeded_bits
from jminesweeper.screen import MenuItem, Tone
from jminesweeper.session import messages, pages
from jminesweeper.session.effects import NO_EFFECTS, Effects
from jminesweeper.session.keeper import running_game
from jminesweeper.session.menus import Choice, Menu, Page
from jminesweeper.session.orders import Order
from jminesweeper.session.play import Play
from jminesweeper.session.seat import Seat, Then
from jminesweeper.store.ports import (
    Board,
    FindGame,
    FindSave,
    ListBoards,
    ListSaves,
    PutSave,
    ReadLeaderboard,
    ReadStatistics,
    RunningGame,
    SaveLabel,
    Score,
    Statistics,
    StoreError,
    game_code,
)

UNNAMED_SAVE: Final = "quick save"
LONGEST_NAME: Final = 64


def printable(name: str) -> str:
    """Keep of a name what can be shown, in one line."""
    return "".join(letter for letter in name if letter.isprintable()).strip()[:LONGEST_NAME]


def save(seat: Seat, name: str, now_ms: int) -> Effects:
    """Save the game at hand under a name."""
    ledger, play = seat.table.ledger, seat.table.play
    if not ledger.player:
        return seat.warn(messages.NO_KEY)
    if play is None or play.is_over:
        return seat.warn(messages.NOTHING_TO_SAVE)
    name = printable(name) or UNNAMED_SAVE

    def tell(_answer: None, _now_ms: int) -> Effects:
        seat.table.say(f"Saved as {name}.", Tone.GOOD)
        return NO_EFFECTS

    game, at_s = running_game(play, now_ms), seat.config.seconds(now_ms)
    return seat.consult(PutSave(ledger.player, name, game, at_s), _or_say_why(seat, tell))


def load(seat: Seat, name: str, _now_ms: int) -> Effects:
    """Load a saved game, or offer those there are."""
    player = seat.table.ledger.player
    if not player:
        return seat.warn(messages.NO_KEY)
    if not name:
        return seat.consult(ListSaves(player), _or_say_why(seat, _offer(seat)))

    def take(kept: RunningGame | None, now_ms: int) -> Effects:
        if kept is None:
            return seat.warn(messages.NO_SUCH_SAVE)
        return seat.rebuild(kept, go_on, now_ms)

    def go_on(play: Play | None, now_ms: int) -> Effects:
        seat.navigator.layers.clear()
        return seat.table.load(play, now_ms)

    return seat.consult(FindSave(player, printable(name)), _or_say_why(seat, take))


def _offer(seat: Seat) -> Then:
    def choice(label: SaveLabel) -> Choice:
        item = MenuItem(label.name, seat.config.date(label.saved_at_s))
        return Choice(item, lambda now_ms: load(seat, label.name, now_ms))

    def offer(saves: Sequence[SaveLabel], now_ms: int) -> Effects:
        if not saves:
            return seat.warn(messages.NO_SAVES)
        choices = [choice(label) for label in saves]
        return seat.show(Menu("Load", lambda: choices), now_ms)

    return offer


def show_statistics(seat: Seat, _now_ms: int) -> Effects:
    """Tell what the player's games add up to."""

    def show(statistics: Statistics, now_ms: int) -> Effects:
        return seat.show(Page("Statistics", pages.statistics_lines(statistics)), now_ms)

    operation = ReadStatistics(seat.table.ledger.player)
    return seat.consult(operation, _or_say_why(seat, show))


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

    return seat.consult(ListBoards(), _or_say_why(seat, offer))


def _show_board(seat: Seat, name: str, board: Board) -> Effects:
    def show(scores: Sequence[Score], now_ms: int) -> Effects:
        return seat.show(Page(name, pages.score_lines(scores)), now_ms)

    return seat.consult(ReadLeaderboard(board), _or_say_why(seat, show))


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


def _or_say_why(seat: Seat, then: Callable[[Any, int], Effects]) -> Then:
    """Go on with an answer; if the store has none, the player is told."""

    def take(answer: object, now_ms: int) -> Effects:
        if isinstance(answer, StoreError):
            seat.table.say(str(answer), Tone.BAD)
            return NO_EFFECTS
        return then(answer, now_ms)

    return take
