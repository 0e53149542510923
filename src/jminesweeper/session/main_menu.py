"""The main menu, and the choice of a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, TypeAlias

from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, Variant
from jminesweeper.screen.models import MenuItem, Tone
from jminesweeper.session import archive, board, hints, looking_back, messages, moving, pages, saves
from jminesweeper.session.choosing import (
    ChoiceError,
    setup_of_code,
    setup_of_day,
    setup_of_same_board,
    setup_of_settings,
)
from jminesweeper.session.menus import Menu, Page, Row, TextField
from jminesweeper.session.player import Player
from jminesweeper.session.reply import LayBoard
from jminesweeper.session.settings import BOARDS, Settings
from jminesweeper.session.settings_menu import (
    change_settings,
    choose_settings,
    setting_row,
    turn_setting,
)
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow
from jminesweeper.store import StoreError

HELP: Final = "Help"

Choice: TypeAlias = Callable[[Player], Flow | bool]
"""What a row of the main menu does, at once or as a dialog."""


def main_menu(player: Player) -> Flow:
    """Show the main menu until a choice leads back to a board, or ends the session."""
    menu = Menu("JMinesweeper", partial(_rows, player, player.settings.board))
    while True:
        pick = yield menu
        if pick is None:
            if player.match is not None:
                return LEAVE_MENUS
            continue
        try:
            outcome = pick.value(player)
            if outcome if isinstance(outcome, bool) else (yield from outcome):
                return LEAVE_MENUS
        except StoreError as error:
            player.say(str(error), Tone.BAD)
        menu.refresh()


def read_help(player: Player) -> Flow:
    match = player.match
    if match is None:
        lines = pages.help_lines("")
    else:
        rules = match.variant.rules
        aim = messages.aim_of(rules, is_repeat=False).text
        lines = pages.help_lines(aim, has_chords=rules.chording)
    yield Page(HELP, lines)
    return STAY


def _rows(player: Player, board_before: str) -> Sequence[Row]:
    match = player.match
    has_match = match is not None
    is_turned = player.settings.board != board_before
    offered = player.settings.variant if is_turned else _last_board(player)
    return (
        _row("Continue", _play_on, when=has_match),
        Row(
            MenuItem("New game", _words(offered), is_adjustable=True),
            partial(_choose_board, is_turned=is_turned),
            turn=partial(turn_setting, player, "board"),
        ),
        *_further_rows(
            _daily_board(player),
            has_match=has_match,
            is_running=match is not None and not match.is_over,
            can_undo=match is not None and match.game.can_undo,
            is_known=bool(player.lease.player),
            has_solver=player.config.has_solver,
            has_store=player.config.has_store,
        ),
    )


# All players see much the same rows, so they are made once.
@lru_cache(maxsize=256)
def _further_rows(
    daily: str,
    *,
    has_match: bool,
    is_running: bool,
    can_undo: bool,
    is_known: bool,
    has_solver: bool,
    has_store: bool,
) -> Sequence[Row]:
    return (
        _row("Board of the day", _daily, daily),
        _row("Enter a seed code", _enter_code),
        _row("Same board again", _same_board, when=has_match),
        _row("Look back", looking_back.choose, when=has_match and not is_running),
        _row("Undo", _undo, when=can_undo),
        _row("Hint", _hint, when=is_running and has_solver),
        _row("Save", saves.save_by_name, when=is_running and is_known),
        _row("Load", saves.choose_save, when=is_known),
        _row("Statistics", archive.show_statistics, when=is_known),
        _row("Best times", archive.show_leaderboards, when=has_store),
        _row("Seed code of this board", _show_code, when=has_match),
        _row("Settings", change_settings),
        _row(moving.OFFER, moving.offer_player, when=is_known),
        _row(moving.TAKE, moving.take_player, when=is_known),
        _row(HELP, read_help),
        _row("Quit", leave_for_good),
    )


def _row(label: str, choose: Choice, value: str = "", *, when: bool = True) -> Row:
    return Row(MenuItem(label, value, is_enabled=when), choose)


def _play_on(_player: Player) -> bool:
    return LEAVE_MENUS


def leave_for_good(player: Player) -> bool:
    """End the session with a last screen that says so."""
    player.leave()
    player.out.close()
    return LEAVE_MENUS


def _undo(player: Player) -> bool:
    player.leave_menus()
    board.take_back(player, 1)
    return LEAVE_MENUS


def _hint(player: Player) -> Flow:
    player.leave_menus()
    return (yield from hints.give_hint(player))


def _same_board(player: Player) -> Flow | bool:
    match = player.match
    if match is None:
        return STAY
    return saves.give_up_for(player, partial(player.begin, setup_of_same_board(match)))


def _daily(player: Player) -> Flow:
    begin = partial(archive.begin_daily, player, _daily_setup(player))
    return (yield from saves.give_up_for(player, begin))


def _daily_setup(player: Player) -> Setup:
    return setup_of_day(_daily_board(player), player.config.today(player.now_ms))


def _daily_board(player: Player) -> str:
    return player.settings.board if player.settings.board in CLASSIC_BOARDS else "expert"


def _choose_board(player: Player, *, is_turned: bool) -> Flow:
    """Let the player choose a board, and begin a game on it."""
    rows, selected = _board_rows(player, is_turned=is_turned)
    menu = Menu("New game", rows, selected)
    while (pick := (yield menu)) is not None:
        match pick.value:
            case Variant() as board:
                begin = partial(player.begin, Setup(board, seed=player.entropy(SEED_BITS)))
                has_begun = yield from saves.give_up_for(player, begin)
            case Settings(board=name) if name == CUSTOM:
                has_begun = yield from _choose_custom(player)
            case settings:
                begin = partial(_begin_with, player, settings)
                has_begun = yield from saves.give_up_for(player, begin)
        if has_begun:
            return LEAVE_MENUS
    return STAY


def _board_rows(player: Player, *, is_turned: bool) -> tuple[Sequence[Row], int]:
    """List the boards, and say which is selected: the one played last, or chosen here since."""
    listed = [replace(player.settings, board=name) for name in BOARDS]
    rows = [_board_row(settings) for settings in listed]
    if is_turned:
        return rows, BOARDS.index(player.settings.board)
    last = _last_board(player)
    for number, settings in enumerate(listed):
        if settings.variant == last:
            return rows, number
    return [Row(MenuItem("Last board", _words(last)), last), *rows], 0


def _last_board(player: Player) -> Variant:
    """Return what was played last; before the first game, what the settings name."""
    if player.match is not None:
        return player.match.asked_for.category
    return player.settings.last_board or player.settings.variant


def _choose_custom(player: Player) -> Flow:
    """Ask for size and mines; nothing begins before they are set."""
    menu = Menu("Custom board", partial(_custom_rows, player))
    while (yield menu) is not None:
        settings = replace(player.settings, board=CUSTOM)
        if (yield from saves.give_up_for(player, partial(_begin_with, player, settings))):
            return LEAVE_MENUS
    return STAY


def _custom_rows(player: Player) -> Sequence[Row]:
    custom = replace(player.settings, board=CUSTOM)
    return (
        Row(MenuItem("Begin", _words(custom.variant)), CUSTOM),
        setting_row(player, "columns", "Columns"),
        setting_row(player, "rows", "Rows"),
        setting_row(player, "mines", "Mines"),
    )


def _board_row(settings: Settings) -> Row:
    words = _words(settings.variant).removeprefix(f"{settings.board} ")
    return Row(MenuItem(settings.board.capitalize(), words), settings)


def _begin_with(player: Player, settings: Settings) -> None:
    choose_settings(player, settings)
    player.begin(setup_of_settings(settings, player.entropy))


def _enter_code(player: Player) -> Flow:
    """Ask for a seed code, and begin a game on its board."""
    field = TextField("Enter a seed code", MenuItem("Seed code", note=messages.WHERE_CODES_ARE))
    while (pick := (yield field)) is not None:
        if (yield from play_code(player, pick.value)):
            return LEAVE_MENUS
    return STAY


def _show_code(player: Player) -> Flow:
    """Show the seed code, which reveals where the mines are.

    Every game shows it at the end. Before that, the player has to agree to play a repeat.
    """
    match = player.match
    if match is None or not match.game.shared_setup.has_code:
        player.warn(messages.NO_CODE)
        return STAY
    if not (match.is_over or match.variant.is_repeat):
        answer = yield from saves.ask(
            "Show the seed code now?",
            ("Not now", saves.Consent.NO, messages.CODE_STAYS),
            ("Show it", saves.Consent.YES, messages.CODE_COSTS),
        )
        if answer is not saves.Consent.YES:
            return STAY
        match.play_as(match.variant.as_repeat())
        if match.game.was_played:
            player.keep()
    yield Page("Seed code", (format_seed_code(match.game.shared_setup),))
    return STAY


def play_code(player: Player, code: str) -> Flow:
    """Begin a game on the board of a seed code, if it is one."""
    try:
        setup = setup_of_code(code)
    except ChoiceError as error:
        player.warn(str(error))
        return STAY
    if setup.needs_layout and setup.first is not None:
        laid = yield LayBoard(setup, setup.first)
        if laid is None:
            player.warn(messages.NOT_LAID)
            return STAY
        setup = replace(setup, layout=laid.mines)
    return (yield from saves.give_up_for(player, partial(player.begin, setup)))


def _words(variant: Variant) -> str:
    return f"{variant.board} {variant.size}, {messages.mines(variant.mine_count)}"
