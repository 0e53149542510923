"""The main menu, the choice of a board, seed codes and records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, Variant
from jminesweeper.protocol.packets import Code
from jminesweeper.protocol.view import RowKind
from jminesweeper.records.rooms import Parting
from jminesweeper.session import alone, archive, pages, room_menu, saves, watching
from jminesweeper.session.looking_back import LOOKS, show_games
from jminesweeper.session.messages import ChoiceError
from jminesweeper.session.player import Player
from jminesweeper.session.puzzles import show_puzzles
from jminesweeper.session.reply import LayBoard
from jminesweeper.session.rights import Verb
from jminesweeper.session.settings import (
    BOARDS,
    Settings,
    setup_of_code,
    setup_of_day,
    setup_of_same_board,
    setup_of_settings,
)
from jminesweeper.session.settings_menu import change_settings, choose_settings, number_option
from jminesweeper.session.talks import (
    LEAVE_MENUS,
    STAY,
    Flow,
    Option,
    Page,
    Row,
    ask,
    choose,
    option,
)

_LONGEST_CODE: Final = 200


def main_menu(player: Player) -> Flow:
    """Show the main menu until a choice leads back to a board, or ends the session."""

    def list_options() -> Sequence[Option]:
        values = {Verb.BOARDS: _last_board(player).description}
        quits = "Your game waits for you." if player.account.is_known else ""
        return (
            *(option(player, *row, value=values.get(row[0], "")) for row in _MAIN),
            option(player, Verb.QUIT, "Quit", leave_for_good, quits),
        )

    while not (yield from choose(player, "main", "JMinesweeper", list_options)):
        if player.match is not None or player.sitting is not None:
            break
    return LEAVE_MENUS


def read_help(player: Player) -> Flow:
    ways_in = pages.ssh_lines(player.config.doors)
    yield Page("help", "Help", (*pages.help_lines(player.match), *ways_in))
    return STAY


def leave_for_good(player: Player) -> bool:
    """End the session with a last view that says so."""
    is_timed = player.is_timed
    watching.depart(player, Parting.QUITS)
    player.leave()
    player.say("goodbye.ranked" if is_timed else "goodbye")
    player.out.closes = True
    return LEAVE_MENUS


# Boards


def choose_board(player: Player) -> Flow:
    """Let the player choose a board, and begin a game on it."""
    boards = {name: replace(player.settings, board=name) for name in BOARDS}
    last = _last_board(player)
    selected = next((name for name, each in boards.items() if each.variant == last), "last")

    def list_options() -> Iterator[Option]:
        if selected == "last":
            setup = Setup(last, seed=player.entropy(SEED_BITS))
            begin = partial(player.begin, setup)
            row = Row("last", "Last board", last.description)
            yield Option(row, partial(saves.give_up_for, player, begin))
        for name, settings in boards.items():
            words = settings.variant.description.removeprefix(f"{settings.variant.board} ")
            row = Row(name, name.capitalize(), words)
            begin = partial(_begin_with, player, settings)
            do = partial(saves.give_up_for, player, begin)
            yield Option(row, partial(_choose_custom, player) if name == CUSTOM else do)
        once_more = "Play this board again; not ranked."
        why = player.refusal(Verb.RESTART).text
        row = Row("again", "Same board again", help=once_more, disabled=why)
        yield Option(row, partial(_begin_again, player))

    options = tuple(list_options())
    return (yield from choose(player, "boards", "New game", lambda: options, selected))


def _begin_again(player: Player) -> Flow:
    match = player.match
    if match is None:
        return STAY
    begin = partial(player.begin, setup_of_same_board(match), rival=match.rival)
    return (yield from saves.give_up_for(player, begin))


def _last_board(player: Player) -> Variant:
    """Return what was played last; before the first game, what the settings name."""
    if player.match is not None:
        return player.match.asked_for.category
    return player.settings.last_board or player.settings.variant


def _choose_custom(player: Player) -> Flow:
    """Ask for size and mines; nothing begins before they are set."""

    def list_options() -> Sequence[Option]:
        custom = replace(player.settings, board=CUSTOM)
        begin = partial(saves.give_up_for, player, partial(_begin_with, player, custom))
        return (
            Option(Row("begin", "Begin", custom.variant.description), begin),
            number_option(player, custom, "columns", "Columns"),
            number_option(player, custom, "rows", "Rows"),
            number_option(player, custom, "mines", "Mines"),
        )

    return (yield from choose(player, "custom", "Custom board", list_options))


def _begin_with(player: Player, settings: Settings) -> None:
    choose_settings(player, settings)
    player.begin(setup_of_settings(settings, player.entropy))


def choose_daily(player: Player) -> Flow:
    """Let the player choose one of the day's boards, and begin a game on it."""
    played = yield from archive.read_day(player, player.config.today(player.now_ms))
    options = [
        Option(
            Row(
                name,
                name.capitalize(),
                played.get(name) or board.description.removeprefix(f"{name} "),
            ),
            partial(_begin_daily, player, name, is_again=name in played),
        )
        for name, board in CLASSIC_BOARDS.items()
    ]

    def show_seeds() -> Flow:
        today = player.config.today(player.now_ms)
        yield Page("seeds", "Seeds", pages.seed_lines(player.config.day_seed, today))
        return STAY

    seeds = Row("seeds", "Seeds", help="How to check that nobody chose these boards.")
    options.append(Option(seeds, show_seeds))
    usual = player.settings.board
    selected = usual if usual in CLASSIC_BOARDS else "expert"
    return (yield from choose(player, "daily", "Board of the day", lambda: options, selected))


def _begin_daily(player: Player, board: str, *, is_again: bool) -> Flow:
    setup = setup_of_day(player.config, board, player.config.today(player.now_ms))
    if is_again:
        answer = yield from ask(
            "play_again",
            "You have played this board",
            Row("no", "Leave it at that"),
            Row("yes", "Play it again", help="It is not ranked."),
        )
        if answer != "yes":
            return STAY
    return (yield from saves.give_up_for(player, partial(archive.begin_daily, player, setup)))


# Seed codes


def exchange_codes(player: Player) -> Flow:
    """Play the board of a code, or show the code of the board at hand."""
    code = Row(
        "code",
        "Play a code",
        kind=RowKind.TEXT,
        range=(1, _LONGEST_CODE),
        help="Every game shows its seed code at the end.",
    )
    told = "Anybody with the game can find the mines by it."
    options = (
        Option(code, partial(_play_code, player)),
        option(player, Verb.SHOW_CODE, "Code of this board", _show_code, told),
    )
    return (yield from choose(player, "code", "Seed code", lambda: options))


def _show_code(player: Player) -> Flow:
    """Show the seed code, which reveals where the mines are.

    Every game shows it at the end. Before that, the player has to agree to play a repeat.
    """
    match = player.match
    if match is None or not match.game.shared_setup.has_code:
        player.say("code.none")
        return STAY
    if not (match.is_over or match.variant.is_repeat):
        sure = yield from ask(
            "show_code",
            "Show the seed code now?",
            Row("no", "Not now", help="The game shows it at the end anyway."),
            Row("yes", "Show it", help="The code reveals the mines: the game is not ranked."),
        )
        if sure != "yes":
            return STAY
        match.play_as(match.variant.as_repeat())
        if match.game.was_played:
            player.matches.note_change(match)
    yield Page("code", "Seed code", (format_seed_code(match.game.shared_setup),))
    return STAY


def play_code(player: Player, packet: Code) -> None:
    """Begin a game on the board of a seed code that a packet brings."""
    player.talks.begin(_play_code(player, packet.name))


def _play_code(player: Player, code: str) -> Flow:
    """Begin a game on the board of a seed code, if it is one."""
    try:
        setup = setup_of_code(code)
    except ChoiceError as error:
        player.message = error.said
        return STAY
    if setup.needs_layout and setup.first is not None:
        laid = yield LayBoard(setup, setup.first)
        if laid is None:
            player.say("laid.not")
            return STAY
        setup = replace(setup, layout=laid)

    def begin() -> None:
        player.begin(setup)
        if not player.message.id:
            player.say("repeat.code")

    return (yield from saves.give_up_for(player, begin))


# Records


def show_records(player: Player) -> Flow:
    """Show statistics and finished games."""

    def list_options() -> Sequence[Option]:
        return [option(player, *row) for row in _RECORDS]

    return (yield from choose(player, "records", "Records", list_options))


_RECORDS: Final = (
    (Verb.STATISTICS, "Statistics", archive.show_statistics, "Your games by board."),
    (Verb.SCORES, "Best times", archive.show_leaderboards, "The fastest of everybody."),
    (Verb.LADDER, "Ladder", archive.show_ladder, "The strongest in races, board by board."),
    (Verb.GAMES, "Your games", show_games, "Replay, analyse or export each of them."),
    *LOOKS,
)
MENUS: Final[Mapping[str, Callable[[Player], Flow]]] = {
    "main": main_menu,
    "boards": choose_board,
    "daily": choose_daily,
    "puzzles": show_puzzles,
    "code": exchange_codes,
    "people": watching.show_people,
    "alone": alone.choose_rival,
    "saves": saves.choose_save,
    "records": show_records,
    "settings": change_settings,
    "help": read_help,
    "room": room_menu.room_menu,
}
"""The menus and pages that a client can open by name."""
_MAIN: Final = (
    (Verb.CONTINUE, "Continue", lambda _player: LEAVE_MENUS, "Back to the board."),
    (Verb.BOARDS, "New game", choose_board, "Choose a board, and begin."),
    (Verb.DAILY, "Board of the day", choose_daily, "The same board for everybody, today."),
    (Verb.PUZZLES, "Puzzles", show_puzzles, "Where was it safe? Positions of your own games."),
    (Verb.CODE, "Seed code", exchange_codes, "Play a board that somebody gave you, or give yours."),
    (
        Verb.PEOPLE,
        "Play together",
        watching.show_people,
        "See who is online; watch, race or share a board.",
    ),
    (Verb.SAVES, "Saves", saves.choose_save, "Save this game, or load one."),
    (Verb.RECORDS, "Records", show_records, "Statistics, best times, and the last game again."),
    (Verb.SETTINGS, "Settings", change_settings, "Rules, looks, and this device."),
    (Verb.HELP, "Help", read_help, "What the game is about, and its keys."),
)
