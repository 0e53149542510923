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
from jminesweeper.records.table import Change
from jminesweeper.session.messages import numbered
from jminesweeper.session.player import Player
from jminesweeper.session.rights import Mode, Verb
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Chosen, Dialog, Flow, Menu, Row, ask
from jminesweeper.session.together import change_room, leave, variant_of

_EFFECTS: Final[Mapping[Kind, Mapping[str, MineEffect]]] = {
    Kind.RACE: {"ten seconds": MineEffect.PENALTY, "the end": MineEffect.ENDS},
    Kind.SHARED: {"the end": MineEffect.ENDS, "one of three lives": MineEffect.LIFE},
}
"""Effects of a mine, in the words of a menu."""
_BY_CODE: Final = "those with the code"
_OPEN: Final = "everybody"


def room_menu(player: Player) -> Flow:
    """Offer what can be done in the room; the board, bots and seats are the host's."""
    sitting = player.sitting
    if sitting is None:
        player.say("room.none")
        return STAY
    menu = Menu("room", f"Room {sitting.table.code}", partial(_rows, player))
    pick: Chosen | None
    while (pick := (yield menu)) is not None:
        what, _, which = pick.row.partition(".")
        change: Change = partial(Room.begin, host=sitting.number)
        match what:
            case "continue":
                return LEAVE_MENUS
            case "leave":
                is_playing = player.mode in {Mode.RACE, Mode.SHARED, Mode.SHARED_PAUSED}
                if is_playing and not (
                    yield from _agrees("leave", "Leave the running round?", "Leave")
                ):
                    continue
                leave(player)
                return LEAVE_MENUS
            case "begin":
                yield from change_room(player, change)
                return LEAVE_MENUS
            case "remove":
                who = next((row.label for row in menu.rows if row.id == pick.row), "Remove")
                if not (yield from _agrees("remove", f"{who}, for good?", "Remove")):
                    continue
                number, now_s = int(which), player.now_s
                change = partial(Room.remove, host=sitting.number, number=number, now_s=now_s)
            case "lock":
                change = partial(Room.lock, host=sitting.number, is_locked=pick.value == "on")
            case "open":
                is_open = pick.value == _OPEN
                change = partial(Room.open_up, host=sitting.number, is_open=is_open)
            case _:
                board = _changed(sitting.room, what, pick.value)
                change = partial(Room.choose, host=sitting.number, variant=board)
        yield from change_room(player, change)
    return STAY


def _agrees(menu_id: str, question: str, deed: str) -> Dialog[bool]:
    """Ask before something that cannot be undone."""
    stay, do = Row("no", "Stay as it is"), Row("yes", deed)
    answer = yield from ask(menu_id, question, stay, do, selected="no")
    return answer == "yes"


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
    room = sitting.room
    rows = [Row("continue", "Continue"), Row("leave", "Leave the room")]
    if player.refusal(Verb.LOCK):
        return rows
    running, begun = player.why_not(Verb.SET_UP), player.why_not(Verb.BEGIN)
    too_few = "" if len(room.ready) >= room.least else "Too few are ready."
    board, effects = room.variant, _EFFECTS[room.kind]
    effect = next((text for text, one in effects.items() if one is board.rules.mine), "")
    no_guess, lock = "on" if board.is_no_guess else "off", "on" if room.is_locked else "off"
    who = _OPEN if room.is_open else _BY_CODE
    choices: Sequence[tuple[str, str, str, tuple[str, ...], str]] = (
        ("board", "Board", board.board, tuple(CLASSIC_BOARDS), running),
        ("mine", "A mine costs", effect, tuple(effects), running),
        ("no_guess", "No-guess board", no_guess, ("off", "on"), running),
        ("open", "Who may come", who, (_BY_CODE, _OPEN), ""),
        ("lock", "Locked", lock, ("off", "on"), ""),
    )
    rows.append(Row("begin", "Begin with those who are ready", disabled=begun or too_few))
    rows += [
        Row(row_id, label, value, RowKind.CHOICE, listed, disabled=disabled)
        for row_id, label, value, listed, disabled in choices
    ]
    rows += [
        Row(f"remove.{seat.number}", f"Remove {name}")
        for seat, name in zip(room.seats, numbered(s.name for s in room.seats), strict=True)
        if seat.number != sitting.number
    ]
    return rows
