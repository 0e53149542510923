"""The menu of a room: what can be done in it; the board, bots and seats are the host's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from jminesweeper.core.grid import MAX_SIDE, Size
from jminesweeper.core.rules import MineEffect
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant, board_name
from jminesweeper.protocol.packets import Pick
from jminesweeper.protocol.view import RowKind
from jminesweeper.records.keys import handle_of
from jminesweeper.records.rooms import Kind, Room, RoundSeries
from jminesweeper.records.table import Change
from jminesweeper.session import solvers
from jminesweeper.session.messages import MESSAGES, SILENCE, numbered
from jminesweeper.session.player import Player
from jminesweeper.session.rights import Mode, Verb
from jminesweeper.session.tables import Sitting
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Dialog, Flow, Option, Row, ask, choose
from jminesweeper.session.together import change_room, leave, variant_of

EFFECTS: Final[Mapping[Kind, Mapping[str, MineEffect]]] = {
    Kind.RACE: {"ten seconds": MineEffect.PENALTY, "the end": MineEffect.ENDS},
    Kind.SHARED: {"the end": MineEffect.ENDS, "one life of three": MineEffect.LIFE},
}
"""Effects of a mine, in the words of a menu."""
_BY_CODE: Final = "by code"
_OPEN: Final = "everybody"
_WITH_BOTS: Final = "people and bots"
_NO_BOTS: Final = "people only"
_PLAYERS: Final = (_WITH_BOTS, _NO_BOTS)
_ONE_BY_ONE: Final = "one at a time"
SERIES: Final[Mapping[str, RoundSeries | None]] = {
    _ONE_BY_ONE: None,
    **{f"best of {number}": RoundSeries(rounds=number) for number in (3, 5, 7, 9)},
    **{f"{minutes} minutes": RoundSeries(minutes=minutes) for minutes in (15, 30, 60)},
}
"""Rounds that follow each other by themselves, in the words of a menu."""
SHEET: Final = "room"
_WITH_WHOM: Final = "With those who are ready."


def room_menu(player: Player) -> Flow:
    """Offer what can be done in the room; the board, bots and seats are the host's."""
    sitting = player.sitting
    if sitting is None:
        player.say("room.none")
        return STAY
    title = f"Room {sitting.table.code}"
    return (yield from choose(player, "room", title, partial(_options, player)))


def _options(player: Player) -> Sequence[Option]:
    sitting = player.sitting
    if sitting is None:
        return ()
    room = sitting.room
    options = [
        Option(Row("continue", "Continue"), lambda: LEAVE_MENUS),
        Option(Row("leave", "Leave the room"), partial(_leave_if_sure, player)),
    ]
    if player.refusal(Verb.LOCK).id:
        return options
    choices = _choices(room, player.refusal(Verb.SET_UP).text)
    options += [Option(row, partial(_change, player, row.id)) for row in choices]
    names = numbered(seat.name for seat in room.seats)
    options += [
        # The player, not the seat, which may be another's before the host has answered.
        Option(
            Row(f"remove.{handle_of(seat.player)}", f"Remove {name}"),
            partial(_remove, player, seat.player, name),
        )
        for seat, name in zip(room.seats, names, strict=True)
        if seat.number != sitting.number and seat.player not in room.removed
    ]
    return options


def _leave_if_sure(player: Player) -> Flow:
    is_playing = player.mode in {Mode.RACE, Mode.SHARED, Mode.SHARED_PAUSED}
    if is_playing and not (yield from _agrees("leave", "Leave the running round?", "Leave")):
        return STAY
    leave(player)
    return LEAVE_MENUS


def _remove(player: Player, who: str, name: str) -> Flow:
    if (yield from _agrees("remove", f"Remove {name}, for good?", "Remove")):
        host = 0 if player.sitting is None else player.sitting.number
        change = partial(Room.remove, host=host, player=who, now_s=player.now_s)
        yield from change_room(player, change)
    return STAY


def set_up(player: Player, packet: Pick) -> None:
    """Change what the host chose on the sheet of the waiting room, which is no menu."""
    sitting = player.sitting
    if sitting is None or player.mode is not Mode.WAITING or packet.menu != SHEET:
        return
    row = next((row for row in sheet_rows(sitting) if row.id == packet.row), None)
    value = None if row is None or row.disabled else row.read(packet.value)
    if row is None or value is None:
        return
    player.message = SILENCE
    player.talks.begin(_change(player, row.id, value))


def _change(player: Player, what: str, value: str = "") -> Flow:
    """Change what a row of the host stands for; with the round the menus close."""
    sitting = player.sitting
    if sitting is None:
        return STAY
    if what == "solvers":
        return (yield from solvers.seat_solvers(player, value))
    host = sitting.number
    change: Change
    match what:
        case "begin":
            change = partial(Room.begin, host=host)
        case "lock":
            change = partial(Room.lock, host=host, is_locked=value == "on")
        case "open":
            change = partial(Room.open_up, host=host, is_open=value == _OPEN)
        case "bots":
            change = partial(Room.welcome_bots, host=host, allows_bots=value == _WITH_BOTS)
        case "series":
            change = partial(Room.choose_series, host=host, series=SERIES[value])
        case _:
            # A row takes no value that makes no board.
            board = _changed(sitting.room, what, value)
            change = partial(Room.choose, host=host, variant=board)
    yield from change_room(player, change)
    return what == "begin"


def _agrees(menu_id: str, question: str, deed: str) -> Dialog[bool]:
    """Ask before something that cannot be undone."""
    stay, do = Row("no", "Stay as it is"), Row("yes", deed)
    answer = yield from ask(menu_id, question, stay, do, selected="no")
    return answer == "yes"


def _changed(room: Room, what: str, value: str) -> Variant:
    """Return the board with one thing about it changed."""
    board = room.variant
    columns, rows, mines = board.size.columns, board.size.rows, board.mine_count
    match what:
        case "board":
            known = CLASSIC_BOARDS[value]
            return replace(board, board=value, size=known.size, mine_count=known.mine_count)
        case "mine":
            return variant_of(board, EFFECTS[room.kind][value])
        case "no_guess":
            return replace(board, is_no_guess=value == "on")
        case "columns":
            columns = int(value)
        case "rows":
            rows = int(value)
        case _:
            mines = int(value)
    size = Size(columns, rows)
    mines = min(mines, size.most_mines)
    return replace(board, board=board_name(size, mines), size=size, mine_count=mines)


def sheet_rows(sitting: Sitting) -> Sequence[Row]:
    """List the host's choices for the waiting room's own sheet; nothing for anybody else."""
    room = sitting.room
    return _choices(room, running="") if room.host == sitting.number else ()


def _choices(room: Room, running: str) -> Sequence[Row]:
    """List the host's choices; some cannot be made while a round runs, for a reason."""
    too_few = "" if len(room.ready) >= room.least else MESSAGES["room.few"][0]
    board, effects = room.variant, EFFECTS[room.kind]
    effect = next((text for text, one in effects.items() if one is board.rules.mine), "")
    no_guess, lock = "on" if board.is_no_guess else "off", "on" if room.is_locked else "off"
    boards = tuple(dict.fromkeys((*CLASSIC_BOARDS, board.board)))
    known = room.series and room.series._replace(played=0, spent_ms=0, is_on=False)
    series = next((text for text, one in SERIES.items() if one == known), _ONE_BY_ONE)

    def choice(row_id: str, label: str, value: str, listed: Sequence[str], why: str = "") -> Row:
        return Row(row_id, label, value, RowKind.CHOICE, tuple(listed), disabled=why)

    def number(row_id: str, label: str, value: int, most: int) -> Row:
        return Row(row_id, label, str(value), RowKind.NUMBER, range=(1, most), disabled=running)

    rows = [
        choice("board", "Board", board.board, boards, running),
        number("columns", "Columns", board.size.columns, MAX_SIDE),
        number("rows", "Rows", board.size.rows, MAX_SIDE),
        number("mines", "Mines", board.mine_count, board.size.most_mines),
        choice("mine", "A mine costs", effect, [*effects], running),
        choice("no_guess", "No-guess board", no_guess, ("off", "on"), running),
        choice("bots", "Players", _WITH_BOTS if room.allows_bots else _NO_BOTS, _PLAYERS),
        choice("open", "Who may come", _OPEN if room.is_open else _BY_CODE, (_BY_CODE, _OPEN)),
        choice("lock", "Locked", lock, ("off", "on")),
        Row("begin", "Begin now", help=_WITH_WHOM, disabled=running or too_few),
    ]
    if room.kind is Kind.RACE:
        why = running or ("" if room.allows_bots else MESSAGES["room.people"][0])
        seated = solvers.choice_of(room)
        rows.insert(-1, choice("solvers", "Solvers", seated, [*solvers.CHOICES], why))
        rows.insert(-1, choice("series", "Rounds", series, [*SERIES], running))
    return rows
