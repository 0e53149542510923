"""The menus a player meets: the main one, and the choice of a board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from jminesweeper.core import DIFFICULTIES
from jminesweeper.screen import MenuItem
from jminesweeper.session import archive, coaching, loading, pages
from jminesweeper.session.effects import NO_EFFECTS, Close, Effects
from jminesweeper.session.giving_up import ask_before
from jminesweeper.session.menus import Act, Choice, Field, Menu, Page
from jminesweeper.session.orders import (
    OrderError,
    order_code,
    order_daily,
    order_repeat,
    order_settings,
)
from jminesweeper.session.saving import ask_name, stay
from jminesweeper.session.seat import Seat
from jminesweeper.session.settings import BOARDS, Settings
from jminesweeper.session.settings_menu import choose, open_settings, turn

HELP: Final = "Help"


def open_menu(seat: Seat, now_ms: int) -> Effects:
    return seat.show(Menu("JMinesweeper", lambda: _main_choices(seat)), now_ms)


def toggle_help(seat: Seat, now_ms: int) -> Effects:
    """Open the help, or close it."""
    top = seat.navigator.top
    if isinstance(top, Page) and top.title == HELP:
        return seat.navigator.back(now_ms)
    return seat.show(Page(HELP, pages.HELP), now_ms)


def _main_choices(seat: Seat) -> Sequence[Choice]:
    play = seat.table.play
    return (
        Choice(_item("Continue", when=play is not None), seat.navigator.close),
        *_beginnings(seat),
        *_about_the_game(seat),
        *_about_games(seat),
        Choice(_item("Settings"), lambda now_ms: open_settings(seat, now_ms)),
        Choice(_item(HELP), lambda now_ms: toggle_help(seat, now_ms)),
        Choice(_item("Quit"), lambda now_ms: (*seat.table.leave(now_ms), Close())),
    )


def _item(label: str, value: str = "", *, when: bool = True) -> MenuItem:
    return MenuItem(label, value, is_enabled=when)


def _beginnings(seat: Seat) -> Sequence[Choice]:
    """Offer other games than the one at hand."""
    play = seat.table.play

    def repeat(now_ms: int) -> Effects:
        return seat.begin(order_repeat(play), now_ms) if play else NO_EFFECTS

    return (
        Choice(
            MenuItem("New game", _board_words(seat.settings), is_adjustable=True),
            lambda now_ms: _open_boards(seat, now_ms),
            lambda steps: turn(seat, "board", steps),
        ),
        Choice(
            _item("Board of the day", _daily_board(seat)),
            _asking(seat, lambda now_ms: _daily(seat, now_ms)),
        ),
        Choice(_item("Enter a code"), lambda now_ms: _ask_code(seat, now_ms)),
        Choice(_item("Same board again", when=play is not None), _asking(seat, repeat)),
    )


def _about_the_game(seat: Seat) -> Sequence[Choice]:
    """Offer what can be done to the game at hand."""
    table, play = seat.table, seat.table.play
    is_running = play is not None and not play.is_over
    return (
        Choice(
            _item("Undo", when=play is not None and play.game.can_undo),
            _at_table(seat, lambda now_ms: table.undo(1, now_ms)),
        ),
        Choice(
            _item("Hint", when=is_running and seat.config.has_solver),
            _at_table(
                seat, lambda _now: coaching.ask_hint(table, has_solver=seat.config.has_solver)
            ),
        ),
        Choice(
            _item("Save", when=is_running and bool(table.ledger.player)),
            lambda now_ms: ask_name(seat, stay, now_ms),
        ),
    )


def _about_games(seat: Seat) -> Sequence[Choice]:
    """Offer what the store knows."""
    has_games = bool(seat.table.ledger.player)
    return (
        Choice(_item("Load", when=has_games), lambda now_ms: loading.offer(seat, now_ms)),
        Choice(
            _item("Statistics", when=has_games),
            lambda now_ms: archive.show_statistics(seat, now_ms),
        ),
        Choice(
            _item("Best times", when=seat.config.has_store),
            lambda now_ms: archive.show_scores(seat, now_ms),
        ),
    )


def _asking(seat: Seat, act: Act) -> Act:
    """Do something once the player agrees to give the running game up for it."""
    return lambda now_ms: ask_before(seat, act, now_ms)


def _at_table(seat: Seat, act: Act) -> Act:
    """Close the menus, then do something to the game."""
    return lambda now_ms: (
        *seat.navigator.close(now_ms),
        *seat.table.go_on(now_ms),
        *act(now_ms),
    )


def _open_boards(seat: Seat, now_ms: int) -> Effects:
    """Let a board be chosen; choosing one begins a game on it."""

    def begin(board: str, now_ms: int) -> Effects:
        effects = choose(seat, replace(seat.settings, board=board))
        order = order_settings(seat.settings, seat.entropy)
        return (*effects, *seat.begin(order, now_ms))

    def choice(board: str) -> Choice:
        words = _board_words(replace(seat.settings, board=board)).removeprefix(f"{board} ")
        item = MenuItem(board.capitalize(), words)
        return Choice(item, _asking(seat, lambda now_ms: begin(board, now_ms)))

    menu = Menu("New game", lambda: [choice(board) for board in BOARDS])
    menu.select(BOARDS.index(seat.settings.board))
    return seat.show(menu, now_ms)


def _ask_code(seat: Seat, now_ms: int) -> Effects:
    """Let the code of a board be typed, and begin a game on it."""

    def accept(code: str, now_ms: int) -> Effects:
        try:
            order = order_code(code)
        except OrderError as error:
            return seat.warn(str(error))
        return ask_before(seat, lambda now: seat.begin(order, now), now_ms)

    item = MenuItem("Code", note="As a game shows it at its end.")
    return seat.show(Field("Enter a code", item, accept), now_ms)


def _daily(seat: Seat, now_ms: int) -> Effects:
    order = order_daily(_daily_board(seat), seat.config.today(now_ms))
    return archive.begin_daily(seat, order, now_ms)


def _daily_board(seat: Seat) -> str:
    return seat.settings.board if seat.settings.board in DIFFICULTIES else "expert"


def _board_words(settings: Settings) -> str:
    return f"{settings.board} {settings.size}, {settings.mine_count} mines"
