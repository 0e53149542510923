"""The menus a player meets: the main one, the choice of a board, and the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from jminesweeper.core import DIFFICULTIES
from jminesweeper.screen import MenuItem
from jminesweeper.session import archive, coaching, pages
from jminesweeper.session.effects import NO_EFFECTS, Close, Effects, Jot
from jminesweeper.session.menus import Choice, Menu, Page
from jminesweeper.session.orders import order_daily, order_repeat, order_settings
from jminesweeper.session.seat import Seat
from jminesweeper.session.settings import BOARDS, Settings
from jminesweeper.store.ports import PutSettings

HELP: Final = "Help"

_SETTINGS: Final = (
    ("board", "Board"),
    ("columns", "Custom columns"),
    ("rows", "Custom rows"),
    ("mines", "Custom mines"),
    ("rules", "Rules"),
    ("first_click", "First click protected"),
    ("chording", "Chording"),
    ("auto_open", "Open around zeros"),
    ("no_guess", "Boards without guesses"),
    ("palette", "Colours"),
    ("glyphs", "Characters"),
    ("cell_width", "Columns of a cell"),
)


def open_menu(seat: Seat, now_ms: int) -> Effects:
    return seat.show(Menu("JMinesweeper", lambda: _main_choices(seat)), now_ms)


def toggle_help(seat: Seat, now_ms: int) -> Effects:
    """Open the help, or close it."""
    top = seat.navigator.top
    if isinstance(top, Page) and top.title == HELP:
        return seat.navigator.back(now_ms)
    return seat.show(Page(HELP, pages.HELP), now_ms)


def begin_by_settings(seat: Seat, now_ms: int) -> Effects:
    return seat.begin(order_settings(seat.settings, seat.entropy), now_ms)


def _main_choices(seat: Seat) -> Sequence[Choice]:
    table, play = seat.table, seat.table.play
    is_running = play is not None and not play.is_over
    has_games = bool(table.ledger.player)

    def item(label: str, value: str = "", *, when: bool = True) -> MenuItem:
        return MenuItem(label, value, is_enabled=when)

    return (
        Choice(item("Continue", when=play is not None), seat.navigator.close),
        Choice(
            MenuItem("New game", _board_words(seat.settings), is_adjustable=True),
            lambda now_ms: _open_boards(seat, now_ms),
            lambda steps: _turn(seat, "board", steps),
        ),
        Choice(item("Board of the day", _daily_board(seat)), lambda now_ms: _daily(seat, now_ms)),
        Choice(
            item("Same board again", when=play is not None),
            lambda now_ms: seat.begin(order_repeat(play), now_ms) if play else NO_EFFECTS,
        ),
        Choice(
            item("Undo", when=play is not None and play.game.can_undo),
            _at_table(seat, lambda now_ms: table.undo(1, now_ms)),
        ),
        Choice(
            item("Hint", when=is_running and seat.config.has_solver),
            _at_table(
                seat, lambda _now: coaching.ask_hint(table, has_solver=seat.config.has_solver)
            ),
        ),
        Choice(
            item("Save", when=is_running and has_games),
            lambda now_ms: archive.save(seat, "", now_ms),
        ),
        Choice(item("Load", when=has_games), lambda now_ms: archive.load(seat, "", now_ms)),
        Choice(
            item("Statistics", when=has_games),
            lambda now_ms: archive.show_statistics(seat, now_ms),
        ),
        Choice(
            item("Best times", when=seat.config.has_store),
            lambda now_ms: archive.show_scores(seat, now_ms),
        ),
        Choice(item("Settings"), lambda now_ms: _open_settings(seat, now_ms)),
        Choice(item(HELP), lambda now_ms: toggle_help(seat, now_ms)),
        Choice(item("Quit"), lambda now_ms: (*table.leave(now_ms), Close())),
    )


def _at_table(seat: Seat, act: Callable[[int], Effects]) -> Callable[[int], Effects]:
    """Close the menus, then do something to the game."""
    return lambda now_ms: (
        *seat.navigator.close(now_ms),
        *seat.table.go_on(now_ms),
        *act(now_ms),
    )


def _open_boards(seat: Seat, now_ms: int) -> Effects:
    """Let a board be chosen; choosing one begins a game on it."""

    def begin(board: str, now_ms: int) -> Effects:
        effects = _set(seat, replace(seat.settings, board=board))
        return (*effects, *begin_by_settings(seat, now_ms))

    def choice(board: str) -> Choice:
        words = _board_words(replace(seat.settings, board=board)).removeprefix(f"{board} ")
        return Choice(MenuItem(board.capitalize(), words), lambda now_ms: begin(board, now_ms))

    menu = Menu("New game", lambda: [choice(board) for board in BOARDS])
    menu.select(BOARDS.index(seat.settings.board))
    return seat.show(menu, now_ms)


def _daily(seat: Seat, now_ms: int) -> Effects:
    order = order_daily(_daily_board(seat), seat.config.today(now_ms))
    return archive.begin_daily(seat, order, now_ms)


def _daily_board(seat: Seat) -> str:
    return seat.settings.board if seat.settings.board in DIFFICULTIES else "expert"


def _open_settings(seat: Seat, now_ms: int) -> Effects:
    return seat.show(Menu("Settings", lambda: _setting_choices(seat)), now_ms)


def _setting_choices(seat: Seat) -> Sequence[Choice]:
    values = seat.settings.to_texts()

    def choice(name: str, label: str) -> Choice:
        return Choice(
            MenuItem(label, values[name], is_adjustable=True),
            lambda _now_ms: _turn(seat, name, 1),
            lambda steps: _turn(seat, name, steps),
        )

    return [choice(name, label) for name, label in _SETTINGS]


def _turn(seat: Seat, name: str, steps: int) -> Effects:
    return _set(seat, seat.settings.turned(name, steps))


def _set(seat: Seat, settings: Settings) -> Effects:
    """Choose settings, and have them kept for a known player."""
    if settings == seat.settings:
        return NO_EFFECTS
    seat.settings = settings
    seat.dress()
    player = seat.table.ledger.player
    return (Jot(PutSettings(player, settings.to_texts())),) if player else NO_EFFECTS


def _board_words(settings: Settings) -> str:
    return f"{settings.board} {settings.size}, {settings.mine_count} mines"
