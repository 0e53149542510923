"""The menu of a room: what can be done in it; the board, bots and seats are the host's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from jminesweeper.core.rules import MineEffect
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.protocol.view import RowKind
from jminesweeper.records.rooms import Kind, Room
from jminesweeper.session.player import Player
from jminesweeper.session.rounds import change_or_say
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Chosen, Flow, Menu, Row
from jminesweeper.session.together import leave, variant_of

_EFFECTS: Final[Mapping[Kind, Mapping[str, MineEffect]]] = {
    Kind.RACE: {"ten seconds": MineEffect.PENALTY, "the end": MineEffect.ENDS},
    Kind.SHARED: {"the end": MineEffect.ENDS, "one of three lives": MineEffect.LIFE},
}
"""What a mine may do, in the words of a menu."""


def room_menu(player: Player) -> Flow:
    """Offer what can be done in the room; the board, bots and seats are the host's."""
    sitting = player.sitting
    if sitting is None:
        player.say("room.none")
        return STAY
    menu = Menu("room", f"Room {sitting.table.code}", partial(_rows, player))
    pick: Chosen | None
    while (pick := (yield menu)) is not None:
        number = sitting.number
        what, _, which = pick.row.partition(".")
        match what:
            case "continue":
                return LEAVE_MENUS
            case "leave":
                leave(player)
                return LEAVE_MENUS
            case "remove":
                seat, utc_ms = int(which), player.utc_ms
                yield from change_or_say(player, partial(_remove, number, seat, utc_ms))
            case _:
                board = _changed(sitting.table.room, what, pick.value)
                yield from change_or_say(player, partial(_choose, number, board))
    return STAY


def _remove(host: int, number: int, utc_ms: int, room: Room) -> Room:
    return room.remove(host, number, utc_ms)


def _choose(host: int, board: Variant, room: Room) -> Room:
    return room.choose(host, board)


def _changed(room: Room, what: str, value: str) -> Variant:
    board = room.variant
    match what:
        case "board" if value in CLASSIC_BOARDS:
            known = CLASSIC_BOARDS[value]
            return replace(board, board=value, size=known.size, mine_count=known.mine_count)
        case "mine":
            return variant_of(board, _EFFECTS[room.kind][value])
        case "no_guess":
            return replace(board, is_no_guess=value == "on")
        case _:
            return board


def _rows(player: Player) -> Sequence[Row]:
    sitting = player.sitting
    if sitting is None:
        return ()
    room = sitting.table.at(player.utc_ms)
    rows = [Row("continue", "Continue"), Row("leave", "Leave the room")]
    if room.host != sitting.number:
        return rows
    running = "Finish this round first." if room.is_playing else ""
    board, effects = room.variant, _EFFECTS[room.kind]
    effect = next((text for text, one in effects.items() if one is board.rules.mine), "")
    no_guess = "on" if board.is_no_guess else "off"
    choices: Sequence[tuple[str, str, str, tuple[str, ...]]] = (
        ("board", "Board", board.board, tuple(CLASSIC_BOARDS)),
        ("mine", "A mine costs", effect, tuple(effects)),
        ("no_guess", "No-guess board", no_guess, ("off", "on")),
    )
    rows += [
        Row(row_id, label, value, RowKind.CHOICE, listed, disabled=running)
        for row_id, label, value, listed in choices
    ]
    rows += [
        Row(f"remove.{seat.number}", f"Remove {seat.name}")
        for seat in room.seats
        if seat.number != sitting.number
    ]
    return rows
