"""What each packet does while the player looks at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from jminesweeper.core import ActionKind, Cell
from jminesweeper.protocol import (
    Act,
    Button,
    Command,
    Drop,
    GameKind,
    Hello,
    Jump,
    JumpTo,
    Load,
    MoveTo,
    NewGame,
    Packet,
    Pointer,
    Resize,
    Save,
    Start,
    Undo,
)
from jminesweeper.session import (
    archive,
    coaching,
    entering,
    loading,
    main_menu,
    messages,
    saving,
)
from jminesweeper.session.effects import Close, Effects
from jminesweeper.session.orders import OrderError, order_packet, order_start
from jminesweeper.session.seat import Seat

Handler = Callable[[Seat, Any, int], Effects]

STEPS: Final[Mapping[Packet, tuple[int, int]]] = {
    Command.MOVE_LEFT: (-1, 0),
    Command.MOVE_RIGHT: (1, 0),
    Command.MOVE_UP: (0, -1),
    Command.MOVE_DOWN: (0, 1),
}
WHEEL: Final[Mapping[int, int]] = {Button.WHEEL_UP: -1, Button.WHEEL_DOWN: 1}

_WHEEL_ROWS: Final = 3
_LEAPS: Final[Mapping[int, tuple[int, int]]] = {
    JumpTo.ROW_START: (-255, 0),
    JumpTo.ROW_END: (255, 0),
    JumpTo.TOP: (0, -255),
    JumpTo.BOTTOM: (0, 255),
    JumpTo.PAGE_UP: (0, -10),
    JumpTo.PAGE_DOWN: (0, 10),
    JumpTo.LEFT: (-5, 0),
    JumpTo.RIGHT: (5, 0),
    JumpTo.UP: (0, -5),
    JumpTo.DOWN: (0, 5),
}
_ACTIONS: Final[Mapping[Packet, ActionKind]] = {
    Command.REVEAL: ActionKind.REVEAL,
    Command.TOGGLE_BOMB_MARK: ActionKind.FLAG,
    Command.CHORD: ActionKind.CHORD,
}
_BUTTONS: Final[Mapping[int, ActionKind]] = {
    Button.REVEAL: ActionKind.REVEAL,
    Button.FLAG: ActionKind.FLAG,
    Button.CHORD: ActionKind.CHORD,
}


def _move(seat: Seat, packet: Command, now_ms: int) -> Effects:
    columns, rows = STEPS[packet]
    return seat.table.move(columns, rows, now_ms)


def _jump(seat: Seat, packet: Jump, now_ms: int) -> Effects:
    leap = _LEAPS.get(packet.direction)
    if leap is None:
        return seat.warn(f"There is no jump {packet.direction}.")
    return seat.table.move(*leap, now_ms)


def _move_to(seat: Seat, packet: MoveTo, now_ms: int) -> Effects:
    return seat.table.move_to(Cell(packet.column, packet.row), now_ms)


def _act(seat: Seat, packet: Command, now_ms: int) -> Effects:
    return seat.table.act(_ACTIONS[packet], now_ms)


def _point(seat: Seat, packet: Pointer, now_ms: int) -> Effects:
    """Act where the pointer is; beside the board it does nothing."""
    if packet.button in WHEEL:
        return seat.table.move(0, WHEEL[packet.button] * _WHEEL_ROWS, now_ms)
    kind = _BUTTONS.get(packet.button)
    if kind is None:
        return seat.warn(f"There is no button {packet.button}.")
    cell = seat.presenter.locate(packet.column, packet.row) if seat.presenter else None
    if not isinstance(cell, Cell):
        return seat.table.idle()
    return (*seat.table.move_to(cell, now_ms), *seat.table.act(kind, now_ms))


def _act_on(seat: Seat, packet: Act, now_ms: int) -> Effects:
    """Press a button on a cell; a cell that is off the board changes nothing."""
    kind = _BUTTONS.get(packet.button)
    if kind is None:
        return seat.warn(f"There is no button {packet.button}.")
    cell, play = Cell(packet.column, packet.row), seat.table.live
    effects = seat.table.move_to(cell, now_ms)
    if play is None or play.cursor != cell:
        return effects
    return (*effects, *seat.table.act(kind, now_ms))


def _undo(seat: Seat, packet: Undo, now_ms: int) -> Effects:
    return seat.table.undo(packet.steps, now_ms)


def _toggle_debug(seat: Seat, _packet: Command, now_ms: int) -> Effects:
    return seat.table.toggle_debug(now_ms)


def _hint(seat: Seat, _packet: Command, _now_ms: int) -> Effects:
    return coaching.ask_hint(seat.table, has_solver=seat.config.has_solver)


def _pause(seat: Seat, _packet: Command, now_ms: int) -> Effects:
    return seat.table.toggle_pause(now_ms)


def _refresh(seat: Seat, _packet: Command, _now_ms: int) -> Effects:
    return coaching.ask_review(seat.table)


def start(seat: Seat, packet: Start, now_ms: int) -> Effects:
    try:
        order = order_start(packet, seat.entropy)
    except OrderError as error:
        return seat.warn(str(error))
    return seat.begin(order, now_ms)


def new_game(seat: Seat, packet: NewGame, now_ms: int) -> Effects:
    day = seat.config.today(now_ms)
    try:
        order = order_packet(packet, seat.settings, seat.table.play, day, seat.entropy)
    except OrderError as error:
        return seat.warn(str(error))
    if packet.kind == GameKind.DAILY:
        return archive.begin_daily(seat, order, now_ms)
    return seat.begin(order, now_ms)


def quit_game(seat: Seat, _packet: Command, now_ms: int) -> Effects:
    return (*seat.table.leave(now_ms), Close())


def _save(seat: Seat, packet: Save, now_ms: int) -> Effects:
    return saving.save(seat, packet.name, now_ms)


def load(seat: Seat, packet: Load, now_ms: int) -> Effects:
    return loading.load(seat, packet.name, now_ms)


def drop(seat: Seat, packet: Drop, _now_ms: int) -> Effects:
    return loading.drop(seat, packet.name)


def _menu(seat: Seat, _packet: Command, now_ms: int) -> Effects:
    if seat.presenter is None:
        return seat.warn(messages.NO_HELLO)
    return main_menu.open_menu(seat, now_ms)


def _help(seat: Seat, _packet: Command, now_ms: int) -> Effects:
    if seat.presenter is None:
        return seat.warn(messages.NO_HELLO)
    return main_menu.toggle_help(seat, now_ms)


AT_TABLE: Final[Mapping[object, Handler]] = {
    **dict.fromkeys(STEPS, _move),
    **dict.fromkeys(_ACTIONS, _act),
    Command.TOGGLE_DEBUG_MODE: _toggle_debug,
    Command.QUIT: quit_game,
    Command.HINT: _hint,
    Command.MENU: _menu,
    Command.HELP: _help,
    Command.PAUSE: _pause,
    Command.REFRESH: _refresh,
    Start: start,
    Hello: entering.hello,
    Resize: entering.resize,
    MoveTo: _move_to,
    NewGame: new_game,
    Undo: _undo,
    Save: _save,
    Load: load,
    Drop: drop,
    Pointer: _point,
    Jump: _jump,
    Act: _act_on,
}
