"""Which packet does what: one table by mode and kind of packet.

The mode is whether a menu or a page covers the board. A packet that is not in its mode's table
does nothing. `board` has what a packet does at the board; what it does in menus is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, auto
from functools import partial
from typing import Any, Final

from jminesweeper.core.setup import Setup
from jminesweeper.protocol.packets import (
    Act,
    Drop,
    Hello,
    Jump,
    Load,
    LookBack,
    MoveTo,
    NewGame,
    Packet,
    Pointer,
    Resize,
    Save,
    Start,
    Text,
    Undo,
)
from jminesweeper.protocol.vocabulary import (
    Button,
    Command,
    GameKind,
    JumpTo,
    LookBackAt,
    NewGameFlag,
)
from jminesweeper.session import board, entering, hints, looking_back, messages, saves
from jminesweeper.session.archive import begin_daily
from jminesweeper.session.choosing import ChoiceError, setup_of_packet, setup_of_start
from jminesweeper.session.looking_back import ReplayPage
from jminesweeper.session.main_menu import HELP, leave_for_good, main_menu, play_code, read_help
from jminesweeper.session.menus import Menu, Page, Pick
from jminesweeper.session.others import Wanted
from jminesweeper.session.player import Player
from jminesweeper.session.talks import Flow

# At the board and in menus


def _start(player: Player, packet: Start) -> None:
    try:
        setup = setup_of_start(packet, player.entropy)
    except ChoiceError as error:
        player.warn(str(error))
    else:
        player.begin(setup)


def _new_game(player: Player, packet: NewGame) -> None:
    day = player.config.today(player.now_ms)
    try:
        setup = setup_of_packet(packet, player.settings, player.match, day, player.entropy)
    except ChoiceError as error:
        player.warn(str(error))
        return
    match, layer = player.match, player.talks.layer
    if packet.kind == GameKind.SAME_BOARD and match is not None and not match.is_over:
        player.warn(messages.NOT_OVER)
    elif packet.flags & NewGameFlag.AFTER_ASKING and isinstance(layer, entering.Resuming):
        wanted = Wanted(setup.variant.label, partial(_begin, player, packet, setup))
        player.others.wanted = wanted
        layer.refresh()
    elif (flow := _begin(player, packet, setup)) is not None:
        player.begin_talk(flow)


def _begin(player: Player, packet: NewGame, setup: Setup) -> Flow | None:
    """Begin a game; the board of the day takes a talk with the store."""
    if packet.kind == GameKind.DAILY:
        return begin_daily(player, setup)
    player.begin(setup)
    return None


def _quit(player: Player, _packet: Command) -> None:
    player.leave()
    player.has_quit = True
    player.out.close()


# At the board


def _open_menu(player: Player, _packet: Command) -> None:
    if player.presenter is None:
        player.warn(messages.NO_HELLO)
    elif not board.leave_overview(player):
        player.hush()
        player.begin_talk(main_menu(player))


def _open_help(player: Player, _packet: Command) -> None:
    if player.presenter is None:
        player.warn(messages.NO_HELLO)
    else:
        player.hush()
        player.begin_talk(read_help(player))


def _play_code(player: Player, packet: Text) -> None:
    """Begin a game on the board of a seed code; a single character is a key that does nothing."""
    if player.presenter is not None and len(packet.text) > 1:
        player.begin_talk(play_code(player, packet.text))


def _point(player: Player, packet: Pointer) -> None:
    """Click on a cell, or on the label of a key."""
    if key := board.point(player, packet):
        _press(player, key)


# In menus: a message is about the step before, so each step clears it


def _step(player: Player, packet: Command) -> None:
    columns, rows = board.STEPS[packet]
    player.hush()
    layer = player.talks.layer
    if layer is None:
        return
    if rows:
        layer.step(rows)
    else:
        layer.turn(columns)


def _jump_in_menu(player: Player, packet: Jump) -> None:
    player.hush()
    layer = player.talks.layer
    is_figures = isinstance(layer, Page) and layer.title == board.FIGURES
    if is_figures and packet.direction == JumpTo.FIGURES:
        player.answer_talk(None)  # the key that opened the page closes it
    elif layer is not None:
        layer.jump(packet.direction)


def _choose(player: Player, _packet: Command) -> None:
    player.hush()
    layer = player.talks.layer
    if isinstance(layer, Menu):
        _take_pick(player, layer.choose())
    elif isinstance(layer, ReplayPage):
        layer.turn(1)
    else:
        # Any choice closes a page.
        player.answer_talk(None)


def _point_in_menu(player: Player, packet: Pointer) -> None:
    player.hush()
    layer = player.talks.layer
    if layer is not None and packet.button in board.WHEEL:
        layer.step(board.WHEEL[packet.button])
        return
    place = player.presenter.locate(packet.column, packet.row) if player.presenter else None
    if isinstance(place, str):
        _press(player, place)
        return
    if not isinstance(layer, Menu) or not isinstance(place, int) or not layer.point(place):
        return
    if packet.button != Button.FLAG:
        _take_pick(player, layer.choose())


def _type(player: Player, packet: Text) -> None:
    player.hush()
    if isinstance(layer := player.talks.layer, Menu):
        layer.type(packet.text)


def _erase(player: Player, _packet: Command) -> None:
    player.hush()
    if isinstance(layer := player.talks.layer, Menu):
        _take_pick(player, layer.erase())


def _take_pick(player: Player, pick: Pick | None) -> None:
    if pick is not None:
        player.answer_talk(pick)


def _back(player: Player, _packet: Packet) -> None:
    player.hush()
    player.answer_talk(None)


def _help_in_menu(player: Player, packet: Command) -> None:
    """Open the help, or close it."""
    layer = player.talks.layer
    if isinstance(layer, Page) and layer.title == HELP:
        _back(player, packet)
    else:
        _open_help(player, packet)


def _new_game_in_menu(player: Player, packet: NewGame) -> None:
    """Take TAB as ESC if there is a game to return to; begin any other new game."""
    if packet.kind == GameKind.SAME_SETTINGS and player.match is not None:
        _back(player, packet)
    else:
        _new_game(player, packet)


def _load_in_menu(player: Player, packet: Load) -> None:
    """Load the named save; without a name do nothing, since the menu lists the saves."""
    if packet.name:
        saves.load(player, packet)


def _look_back_in_menu(player: Player, packet: LookBack) -> None:
    """Hand the recording over; the rest of looking back is in the menus."""
    if packet.what == LookBackAt.RECORDING:
        looking_back.look(player, packet)


def _press(player: Player, key: str) -> None:
    """Do what a key does whose label was clicked."""
    packet = KEYS.get(key)
    if packet is Command.QUIT:
        # The client did not ask to leave: tell it that the server ends the session.
        leave_for_good(player)
    elif packet is not None:
        kind = packet if isinstance(packet, Command) else packet.__class__
        # The label may belong to the previous screen.
        handle = HANDLERS[Mode.MENU if player.talks.stack else Mode.BOARD].get(kind)
        if handle is not None:
            handle(player, packet)


KEYS: Final[Mapping[str, Packet]] = {
    "RETURN": Command.REVEAL,
    "SPACE": Command.TOGGLE_BOMB_MARK,
    "TAB": NewGame(GameKind.SAME_SETTINGS),
    "ESC": Command.MENU,
    "DEL": Command.ERASE,
    "LEFT/RIGHT": Command.MOVE_RIGHT,
    "UP/DOWN": Command.MOVE_DOWN,
    "PgUp/PgDn": Jump(JumpTo.PAGE_DOWN),
    "Home/End": Jump(JumpTo.BOTTOM),
    "?": Command.HELP,
    "b": LookBack(LookBackAt.REPLAY),
    "e": Jump(JumpTo.FIGURES),
    "g": Command.SEEK,
    "i": Command.HINT,
    "m": Command.MENU,
    "o": Command.ODDS,
    "p": Command.PAUSE,
    "r": NewGame(GameKind.SAME_BOARD),
    "t": LookBack(LookBackAt.RECORDING),
    "u": Undo(1),
    "v": Jump(JumpTo.OVERVIEW),
    "x": Command.QUIT,
    "y": LookBack(LookBackAt.ANALYSIS),
}
"""The keys that a row of keys may name, except typed characters."""


class Mode(Enum):
    """What a packet is about."""

    BOARD = auto()
    MENU = auto()


Handler = Callable[[Player, Any], None]

_ALWAYS: Final[Mapping[object, Handler]] = {
    Command.QUIT: _quit,
    Start: _start,
    Hello: entering.hello,
    Resize: entering.resize,
    Drop: saves.drop,
}

HANDLERS: Final[Mapping[Mode, Mapping[object, Handler]]] = {
    Mode.BOARD: {
        **_ALWAYS,
        **dict.fromkeys(board.STEPS, board.move),
        **dict.fromkeys(board.ACTIONS, board.act),
        Jump: board.jump,
        MoveTo: board.move_to,
        Act: board.act_on,
        Pointer: _point,
        Undo: board.undo,
        Command.TOGGLE_DEBUG_MODE: board.toggle_debug,
        Command.PAUSE: board.toggle_pause,
        Command.HINT: hints.hint,
        Command.ODDS: hints.show_odds,
        Command.SEEK: hints.seek,
        Command.MENU: _open_menu,
        Command.HELP: _open_help,
        NewGame: _new_game,
        Save: saves.save,
        Load: saves.load,
        Text: _play_code,
        LookBack: looking_back.look,
    },
    Mode.MENU: {
        **_ALWAYS,
        **dict.fromkeys(board.STEPS, _step),
        **dict.fromkeys((Command.REVEAL, Command.TOGGLE_BOMB_MARK), _choose),
        Command.ERASE: _erase,
        Command.MENU: _back,
        Command.HELP: _help_in_menu,
        Jump: _jump_in_menu,
        Pointer: _point_in_menu,
        Text: _type,
        NewGame: _new_game_in_menu,
        Load: _load_in_menu,
        LookBack: _look_back_in_menu,
        Command.ODDS: looking_back.show_odds,
    },
}
