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
from jminesweeper.protocol import packets
from jminesweeper.protocol.vocabulary import Command, GameKind, LookBackAt, NewGameFlag, PickWhat
from jminesweeper.session import board, entering, looking_back, rounds, saves, together, watching
from jminesweeper.session.account import Wanted
from jminesweeper.session.archive import begin_daily
from jminesweeper.session.choosing import ChoiceError, setup_of_packet, setup_of_start
from jminesweeper.session.main_menu import MENUS, main_menu, play_code
from jminesweeper.session.names import printable
from jminesweeper.session.player import Player
from jminesweeper.session.talks import AGAIN, Flow, Menu, Page, Pick

# At the board and in menus


def _start(player: Player, packet: packets.Start) -> None:
    try:
        setup = setup_of_start(packet, player.entropy)
    except ChoiceError as error:
        player.tell(error.said)
    else:
        player.begin(setup)


def _new_game(player: Player, packet: packets.NewGame) -> None:
    day = player.config.today(player.now_ms)
    match, layer = player.match, player.talks.layer
    is_asked = isinstance(layer, Menu) and layer.id == "resume"
    if packet.flags & NewGameFlag.IF_NONE and (match is not None or is_asked):
        return
    try:
        setup = setup_of_packet(packet, player.settings, match, day, player.entropy)
    except ChoiceError as error:
        player.tell(error.said)
        return
    if packet.kind == GameKind.SAME_BOARD and match is not None and not match.is_over:
        player.say("not.over")
    elif packet.flags & NewGameFlag.AFTER_ASKING and is_asked:
        wanted = Wanted(setup.variant.label, partial(_begin, player, packet, setup))
        player.account.wanted = wanted
        if isinstance(layer, Menu):
            layer.refresh()
    elif (flow := _begin(player, packet, setup)) is not None:
        player.begin_talk(flow)


def _begin(player: Player, packet: packets.NewGame, setup: Setup) -> Flow | None:
    """Begin a game; the board of the day takes a talk with the store."""
    if packet.kind == GameKind.DAILY:
        return begin_daily(player, setup)
    is_seen, match = packet.kind == GameKind.SAME_BOARD, player.match
    player.begin(setup, rival=match.rival if is_seen and match is not None else None)
    if setup.variant.is_repeat and not player.message.id:
        player.say("repeat.seen" if is_seen else "repeat.code")
    return None


def _quit(player: Player, _packet: Command) -> None:
    watching.depart(player)
    player.leave()
    # Who quits needs no last screen.
    player.clear_message()
    player.out.closes = True


# At the board


def _open_menu(player: Player, packet: packets.OpenMenu) -> None:
    """Open a menu or a page by its id."""
    usual = "main" if player.sitting is None else "room"
    flow = MENUS.get(packet.name or usual)
    if not player.client.has_view:
        player.say("hello")
    elif flow is None:
        player.say("bad.menu", name=printable(packet.name))
    else:
        player.clear_message()
        player.begin_talk(flow(player))


def _play_code(player: Player, packet: packets.Code) -> None:
    player.begin_talk(play_code(player, packet.name))


def _leave(player: Player, _packet: Command) -> None:
    """Leave the room, or stop watching."""
    if isinstance(player.talks.layer, watching.WatchPage):
        player.clear_message()
        player.answer_talk(None)
    else:
        together.leave(player)


# In menus: a message is about the step before, so each step clears it


def _open_in_menu(player: Player, packet: packets.OpenMenu) -> None:
    """Go back, or open another menu in place of all; the help opens over them."""
    layer = player.talks.layer
    is_on_top = isinstance(layer, Menu | Page) and layer.id == packet.name
    player.clear_message()
    if not packet.name or is_on_top:
        player.answer_talk(None)
        return
    if packet.name in MENUS and packet.name != "help":
        player.talks.close()
        if player.match is None and packet.name != "main" and player.sitting is None:
            player.begin_talk(main_menu(player))
    _open_menu(player, packet)


def _pick(player: Player, packet: packets.Pick) -> None:
    player.clear_message()
    layer = player.talks.layer
    is_there = isinstance(layer, Menu) and layer.id == packet.menu
    row = layer.pick(packet.row) if isinstance(layer, Menu) and is_there else None
    if row is None:
        player.say("changed.menu")
    elif packet.what == PickWhat.DROP:
        if row.can_drop:
            player.answer_talk(Pick(row.id, is_drop=True))
    elif (value := row.read(packet.value)) is not None:
        player.answer_talk(Pick(row.id, value))


def _look_again(player: Player, _packet: Command) -> None:
    """Have a menu show how things are now that changes by itself."""
    layer = player.talks.layer
    if isinstance(layer, Menu) and layer.asks_again_ms is not None:
        player.answer_talk(AGAIN)


def _look_back_in_menu(player: Player, packet: packets.LookBack) -> None:
    """Hand the recording over; the rest of looking back is done at the board."""
    if packet.what == LookBackAt.RECORDING:
        looking_back.look(player, packet)


class Mode(Enum):
    """What a packet is about."""

    BOARD = auto()
    MENU = auto()


Handler = Callable[[Player, Any], None]

_ALWAYS: Final[Mapping[object, Handler]] = {
    Command.QUIT: _quit,
    packets.Start: _start,
    packets.NewGame: _new_game,
    packets.Hello: entering.hello,
    packets.Load: saves.load,
    packets.Drop: saves.drop,
    packets.Join: together.join,
    packets.OpenRoom: together.open_new,
    packets.Ready: rounds.be_ready,
    packets.Say: rounds.say,
    packets.Watch: watching.watch,
    Command.LEAVE: _leave,
}

HANDLERS: Final[Mapping[Mode, Mapping[object, Handler]]] = {
    Mode.BOARD: {
        **_ALWAYS,
        **dict.fromkeys(board.STEPS, board.move),
        **dict.fromkeys(board.ACTIONS, board.act),
        packets.MoveTo: board.move_to,
        packets.Act: board.act_on,
        packets.Undo: board.undo,
        Command.TOGGLE_DEBUG_MODE: board.toggle_debug,
        Command.PAUSE: board.toggle_pause,
        packets.Hint: board.hint,
        packets.Odds: board.show_odds,
        packets.Seek: board.seek,
        packets.OpenMenu: _open_menu,
        packets.Save: saves.save,
        packets.Code: _play_code,
        packets.LookBack: looking_back.look,
    },
    Mode.MENU: {
        **_ALWAYS,
        packets.OpenMenu: _open_in_menu,
        packets.Pick: _pick,
        Command.REFRESH: _look_again,
        packets.Code: _play_code,
        packets.LookBack: _look_back_in_menu,
        packets.Replay: looking_back.show_position,
        packets.Odds: looking_back.show_odds,
    },
}
