"""What each packet does while menus or pages lie over the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jminesweeper.protocol import (
    Command,
    Drop,
    GameKind,
    Hello,
    Jump,
    Load,
    NewGame,
    Packet,
    Pointer,
    Resize,
    Start,
    Text,
)
from jminesweeper.session import entering, main_menu
from jminesweeper.session.at_table import (
    STEPS,
    WHEEL,
    Handler,
    drop,
    load,
    new_game,
    quit_game,
    start,
)
from jminesweeper.session.effects import NO_EFFECTS, Effects
from jminesweeper.session.seat import Seat


def _step(seat: Seat, packet: Command, _now_ms: int) -> Effects:
    return seat.navigator.step(*STEPS[packet])


def _jump(seat: Seat, packet: Jump, _now_ms: int) -> Effects:
    return seat.navigator.jump(packet.direction)


def _choose(seat: Seat, _packet: Command, now_ms: int) -> Effects:
    return seat.navigator.choose(now_ms)


def _point(seat: Seat, packet: Pointer, now_ms: int) -> Effects:
    if packet.button in WHEEL:
        return seat.navigator.step(0, WHEEL[packet.button])
    place = seat.presenter.locate(packet.column, packet.row) if seat.presenter else None
    return seat.navigator.point(place, now_ms)


def _type(seat: Seat, packet: Text, _now_ms: int) -> Effects:
    return seat.navigator.type(packet.text)


def _erase(seat: Seat, _packet: Command, now_ms: int) -> Effects:
    return seat.navigator.erase(now_ms)


def _anew(handle: Handler) -> Handler:
    """Forget what was said, which was about what was done before."""

    def handled(seat: Seat, packet: Any, now_ms: int) -> Effects:
        seat.table.say("")
        return handle(seat, packet, now_ms)

    return handled


def _load(seat: Seat, packet: Load, now_ms: int) -> Effects:
    """Load what was named; where there are menus the list of saves is an item of one."""
    return load(seat, packet, now_ms) if packet.name else NO_EFFECTS


def _back(seat: Seat, _packet: Packet, now_ms: int) -> Effects:
    return seat.navigator.back(now_ms)


def _help(seat: Seat, _packet: Command, now_ms: int) -> Effects:
    return main_menu.toggle_help(seat, now_ms)


def _new_game(seat: Seat, packet: NewGame, now_ms: int) -> Effects:
    """Take TAB for the way back, as ESC is, if there is one; any other new game is begun."""
    if packet.kind == GameKind.SAME_SETTINGS and seat.table.play is not None:
        return seat.navigator.back(now_ms)
    return new_game(seat, packet, now_ms)


_WALKING: Final[Mapping[object, Handler]] = {
    **dict.fromkeys(STEPS, _step),
    **dict.fromkeys((Command.REVEAL, Command.TOGGLE_BOMB_MARK), _choose),
    Command.ERASE: _erase,
    Pointer: _point,
    Jump: _jump,
    Text: _type,
}

IN_MENUS: Final[Mapping[object, Handler]] = {
    **{kind: _anew(handle) for kind, handle in _WALKING.items()},
    Command.QUIT: quit_game,
    Command.MENU: _back,
    Command.HELP: _help,
    Start: start,
    Hello: entering.hello,
    Resize: entering.resize,
    NewGame: _new_game,
    Load: _load,
    Drop: drop,
}
