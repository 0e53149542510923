"""The main menu, the choice of a board, seed codes and records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, Variant
from jminesweeper.protocol.view import RowKind
from jminesweeper.session import alone, archive, pages, room_menu, saves, watching
from jminesweeper.session.choosing import (
    ChoiceError,
    setup_of_code,
    setup_of_day,
    setup_of_same_board,
    setup_of_settings,
)
from jminesweeper.session.looking_back import LOOKS
from jminesweeper.session.messages import WINS, counted
from jminesweeper.session.player import Player
from jminesweeper.session.reply import LayBoard
from jminesweeper.session.rights import Verb
from jminesweeper.session.settings import BOARDS, DEFAULT, Settings
from jminesweeper.session.settings_menu import change_settings, choose_settings, number_row
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow, Menu, Page, Row
from jminesweeper.store.errors import StoreError

_LONGEST_CODE: Final = 200

Choice: TypeAlias = Callable[[Player], Flow | bool]
"""What a row does, at once or as a dialog."""


def main_menu(player: Player) -> Flow:
    """Show the main menu until a choice leads back to a board, or ends the session."""
    return (yield from _choose(player, Menu("main", "JMinesweeper", partial(_rows, player)), _MAIN))


def _choose(player: Player, menu: Menu, choices: Mapping[str, Choice]) -> Flow:
    """Do what the player chooses, until that leads back to a board."""
    while True:
        pick = yield menu
        if pick is None:
            if menu.id != "main":
                return STAY
            if player.match is not None:
                return LEAVE_MENUS
            continue
        try:
            outcome = choices[pick.row](player)
            if outcome if isinstance(outcome, bool) else (yield from outcome):
                return LEAVE_MENUS
        except StoreError as error:
            player.say("store", text=str(error))


def _rows(player: Player) -> Sequence[Row]:
    is_known = player.account.is_known
    rows = [
        Row("continue", "Continue", help="Back to the board."),
        Row("boards", "New game", _words(_last_board(player)), help="Choose a board, and begin."),
        Row("daily", "Board of the day", help="The same board for everybody here, today."),
        Row("code", "Seed code", help="Play a board that somebody gave you, or give yours."),
        Row("people", "Play together", help="See who is on, watch, race, share a board."),
        Row("saves", "Saves", help="Save this game, or load one."),
        Row("records", "Records", help="Statistics, best times, and the last game again."),
        Row("settings", "Settings", help="Rules, looks, and this device."),
        Row("help", "Help", help="What the game is about, and its keys."),
        Row("quit", "Quit", help="Your game waits for you." if is_known else ""),
    ]
    return [row._replace(disabled=player.why_not(Verb(row.id))) for row in rows]


def _continue(_player: Player) -> bool:
    return LEAVE_MENUS


def read_help(player: Player) -> Flow:
    yield Page("help", "Help", pages.help_lines(player.match))
    return STAY


def leave_for_good(player: Player) -> bool:
    """End the session with a last view that says so."""
    is_timed = player.is_timed
    watching.depart(player)
    player.leave()
    player.say("goodbye.ranked" if is_timed else "goodbye")
    player.out.closes = True
    return LEAVE_MENUS


# Boards


def choose_board(player: Player) -> Flow:
    """Let the player choose a board, and begin a game on it."""
    rows, selected = _board_rows(player)
    menu = Menu("boards", "New game", rows, selected)
    while (pick := (yield menu)) is not None:
        match = player.match
        if pick.row == "again" and match is not None:
            begin = partial(player.begin, setup_of_same_board(match), rival=match.rival)
        elif pick.row == "last":
            setup = Setup(_last_board(player), seed=player.entropy(SEED_BITS))
            begin = partial(player.begin, setup)
        elif pick.row == CUSTOM:
            if (yield from _choose_custom(player)):
                return LEAVE_MENUS
            continue
        else:
            begin = partial(_begin_with, player, replace(player.settings, board=pick.row))
        if (yield from saves.give_up_for(player, begin)):
            return LEAVE_MENUS
    return STAY


def _board_rows(player: Player) -> tuple[Sequence[Row], str]:
    """List the boards, and say which is selected: the one played last."""
    listed = {name: replace(player.settings, board=name).variant for name in BOARDS}
    last = _last_board(player)
    rows = [
        Row(
            name,
            _LABELS.get(name, name.capitalize()),
            _words(board).removeprefix(f"{board.board} "),
        )
        for name, board in listed.items()
    ]
    selected = next((name for name, board in listed.items() if board == last), "last")
    if selected == "last":
        rows.insert(0, Row("last", "Last board", _words(last)))
    again = player.why_not(Verb.RESTART)
    once_more = "Play this board again; not ranked."
    return [*rows, Row("again", "Same board again", help=once_more, disabled=again)], selected


def _last_board(player: Player) -> Variant:
    """Return what was played last; before the first game, what the settings name."""
    if player.match is not None:
        return player.match.asked_for.category
    return player.settings.last_board or player.settings.variant


def _choose_custom(player: Player) -> Flow:
    """Ask for size and mines; nothing begins before they are set."""
    menu = Menu("custom", "Custom board", partial(_custom_rows, player))
    while (pick := (yield menu)) is not None:
        custom = replace(player.settings, board=CUSTOM)
        if pick.row != "begin":
            choose_settings(player, player.settings.with_text(pick.row, pick.value))
        elif (yield from saves.give_up_for(player, partial(_begin_with, player, custom))):
            return LEAVE_MENUS
    return STAY


def _custom_rows(player: Player) -> Sequence[Row]:
    custom = replace(player.settings, board=CUSTOM)
    return (
        Row("begin", "Begin", _words(custom.variant)),
        number_row(custom, "columns", "Columns"),
        number_row(custom, "rows", "Rows"),
        number_row(custom, "mines", "Mines"),
    )


def _begin_with(player: Player, settings: Settings) -> None:
    choose_settings(player, settings)
    player.begin(setup_of_settings(settings, player.entropy))


_LABELS: Final = {DEFAULT: "Small and easy"}


def _words(variant: Variant) -> str:
    """Describe a board for a list: its size, its mines, and what wins."""
    mines = counted(variant.mine_count, "mine")
    return f"{variant.board} {variant.size}, {mines}, {WINS[variant.rules.victory]}"


def choose_daily(player: Player) -> Flow:
    """Let the player choose one of the day's boards, and begin a game on it."""
    rows = [
        Row(name, name.capitalize(), _words(board).removeprefix(f"{name} "))
        for name, board in CLASSIC_BOARDS.items()
    ]
    rows.append(Row("seeds", "Seeds", help="How to check that nobody chose these boards."))
    usual = player.settings.board
    menu = Menu("daily", "Board of the day", rows, usual if usual in CLASSIC_BOARDS else "expert")
    while (pick := (yield menu)) is not None:
        today = player.config.today(player.now_ms)
        if pick.row == "seeds":
            yield Page("seeds", "Seeds", pages.seed_lines(player.config.day_seed, today))
            continue
        try:
            setup = setup_of_day(player.config, pick.row, today)
        except ChoiceError as error:
            player.tell(error.said)
            continue
        begin = partial(archive.begin_daily, player, setup)
        if (yield from saves.give_up_for(player, begin)):
            return LEAVE_MENUS
    return STAY


# Seed codes


def exchange_codes(player: Player) -> Flow:
    """Play the board of a code, or show the code of the board at hand."""
    rows = (
        Row(
            "code",
            "Play a code",
            kind=RowKind.TEXT,
            range=(1, _LONGEST_CODE),
            help="Every game shows its seed code at the end.",
        ),
        Row(
            "show",
            "Code of this board",
            help="Anybody with the game can find the mines by it.",
            disabled=player.why_not(Verb.SHOW_CODE),
        ),
    )
    menu = Menu("code", "Seed code", rows)
    while (pick := (yield menu)) is not None:
        act = _show_code(player) if pick.row == "show" else play_code(player, pick.value)
        if (yield from act):
            return LEAVE_MENUS
    return STAY


def _show_code(player: Player) -> Flow:
    """Show the seed code, which reveals where the mines are.

    Every game shows it at the end. Before that, the player has to agree to play a repeat.
    """
    match = player.match
    if match is None or not match.game.shared_setup.has_code:
        player.say("code.none")
        return STAY
    if not (match.is_over or match.variant.is_repeat):
        sure = yield from saves.ask(
            "show_code",
            "Show the seed code now?",
            Row("no", "Not now", help="The game shows it at the end anyway."),
            Row("yes", "Show it", help="The code reveals the mines: the game is not ranked."),
        )
        if sure != "yes":
            return STAY
        match.play_as(match.variant.as_repeat())
        if match.game.was_played:
            player.matches.note(match)
    yield Page("code", "Seed code", (format_seed_code(match.game.shared_setup),))
    return STAY


def play_code(player: Player, code: str) -> Flow:
    """Begin a game on the board of a seed code, if it is one."""
    try:
        setup = setup_of_code(code)
    except ChoiceError as error:
        player.tell(error.said)
        return STAY
    if setup.needs_layout and setup.first is not None:
        laid = yield LayBoard(setup, setup.first)
        if laid is None:
            player.say("laid.not")
            return STAY
        setup = replace(setup, layout=laid.mines)
    return (yield from saves.give_up_for(player, partial(_begin_known, player, setup)))


def _begin_known(player: Player, setup: Setup) -> None:
    player.begin(setup)
    if not player.message.id:
        player.say("repeat.code")


# Records


def show_records(player: Player) -> Flow:
    """Offer what there is to know about games that have ended."""
    menu = Menu("records", "Records", partial(_record_rows, player))
    return (yield from _choose(player, menu, _RECORDS))


def _record_rows(player: Player) -> Sequence[Row]:
    rows = (
        Row("statistics", "Statistics", help="Your games by board."),
        Row("scores", "Best times", help="The fastest of everybody."),
        *(Row(look.id, look.label, help=look.help) for look in LOOKS),
    )
    return [row._replace(disabled=player.why_not(Verb(row.id))) for row in rows]


_RECORDS: Final[Mapping[str, Choice]] = {
    "statistics": archive.show_statistics,
    "scores": archive.show_leaderboards,
    **{look.id: look.show for look in LOOKS},
}
MENUS: Final[Mapping[str, Callable[[Player], Flow]]] = {
    "main": main_menu,
    "boards": choose_board,
    "daily": choose_daily,
    "code": exchange_codes,
    "people": watching.show_people,
    "alone": alone.choose_rival,
    "saves": saves.choose_save,
    "records": show_records,
    "settings": change_settings,
    "help": read_help,
    "room": room_menu.room_menu,
}
"""What a client can open by name."""
_MAIN: Final[Mapping[str, Choice]] = {**MENUS, "continue": _continue, "quit": leave_for_good}
