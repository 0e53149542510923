"""Coming into rooms and leaving them, and waiting for an opponent.

What changes a room is a dialog or an errand that changes its document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from jminesweeper.core.rules import MineEffect
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import Variant
from jminesweeper.protocol.packets import Join, OpenRoom
from jminesweeper.protocol.view import RowKind
from jminesweeper.protocol.vocabulary import MineCode, RoomFlag, RoomKind
from jminesweeper.records.flows import Flow as StoreFlow
from jminesweeper.records.meeting import (
    change_room,
    look_for_opponent,
    open_room,
    parse_code,
    stop_looking,
)
from jminesweeper.records.players import put_player
from jminesweeper.records.results import count_race
from jminesweeper.records.rooms import Kind, Room, RoomError, Seat, Stage
from jminesweeper.session.choosing import ChoiceError, setup_of_text
from jminesweeper.session.player import Player, Search
from jminesweeper.session.tables import Sitting, Table
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow, Row

JOIN_MS: Final = 1_000
LOOK_MS: Final = 10_000
"""How often somebody who waits for an opponent looks again."""

_KINDS: Final = {RoomKind.RACE: Kind.RACE, RoomKind.SHARED: Kind.SHARED, RoomKind.QUICK: Kind.RACE}
_MINES: Final = {
    MineCode.ENDS: MineEffect.ENDS,
    MineCode.PENALTY: MineEffect.PENALTY,
    MineCode.LIFE: MineEffect.LIFE,
}
_USUAL: Final = {Kind.RACE: MineEffect.PENALTY, Kind.SHARED: MineEffect.ENDS}

Change: TypeAlias = Callable[[Room], Room]


# Coming


def join(player: Player, packet: Join) -> None:
    """Sit down in the room of a code."""
    try:
        code = parse_code(packet.name)
    except RoomError as error:
        player.say("room", text=str(error))
    else:
        if may_come(player):
            player.begin_talk(sit_in(player, code))


def may_come(player: Player) -> bool:
    """Whether a player may come into a room now; else say why not."""
    if not (player.config.has_store and player.client.has_view):
        player.say("room.store" if player.client.has_view else "hello")
        return False
    if player.now_ms < player.next_join_ms:
        player.say("slow")
        return False
    player.next_join_ms = player.now_ms + JOIN_MS
    return True


def sit_in(player: Player, code: str) -> Flow:
    """Take a seat, with the own game kept for later."""
    return (yield from _come(player, change_now(player, code, sitting_down(player))))


def join_row() -> Row:
    """Let a player type a room's code."""
    return Row(
        "join", "Join a room", kind=RowKind.TEXT, range=(1, 20), help="Five letters, from a friend."
    )


def sitting_down(player: Player) -> Change:
    seat = _seat_of(player)
    return lambda room: room.sit(seat.player, seat.name, is_bot=seat.is_bot)


def _seat_of(player: Player) -> Seat:
    return Seat(0, player.token, player.public_name, player.client.is_bot)


def _come(player: Player, flow: StoreFlow[Room | None]) -> Flow:
    try:
        room = yield from flow
    except RoomError as error:
        player.say("room", text=str(error))
        return STAY
    if room is not None:
        yield from _keep_player(player)
        sit_down(player, room)
    return LEAVE_MENUS


def _keep_player(player: Player) -> Flow:
    """Have the store know a player whose games in rooms it will count."""
    held = player.account.held
    if player.account.is_in and not held.is_known:
        yield from put_player(held, player.account.name, player.settings.to_texts(), player.now_s)
    return STAY


def sit_down(player: Player, room: Room) -> None:
    """Sit at the table of a room in which the player has a seat."""
    seat = room.seat_of(player.token)
    if seat is None:
        return
    if player.sitting is not None and player.sitting.table.code != room.code:
        stand_up(player, player.sitting)
    player.search = None
    table = player.matches.tables.table_of(room)
    if player.sitting is None:
        player.sitting = Sitting(table, seat.number, player.park())
    player.sitting.number = seat.number
    player.matches.tables.enter(table, player, player.on_change)
    player.matches.tables.publish(table)
    player.clear_message()
    player.talks.close()


def open_new(player: Player, packet: OpenRoom) -> None:
    """Open a room, or look for an opponent."""
    day = player.config.today(player.now_ms)
    try:
        setup = setup_of_text(
            packet.board,
            player.settings,
            player.match,
            player.entropy,
            config=player.config,
            day=day,
        )
        kind = _KINDS[RoomKind(packet.kind)]
        mine = _MINES.get(MineCode(packet.mine), _USUAL[kind])
    except ChoiceError as error:
        player.tell(error.said)
        return
    except ValueError:
        player.say("bad.room", kind=packet.kind, mine=packet.mine)
        return
    board = variant_of(setup.variant, mine)
    if may_come(player):
        allows_bots = not packet.flags & RoomFlag.NO_BOTS
        player.begin_talk(
            look_for(player, board)
            if packet.kind == RoomKind.QUICK
            else open_for(player, kind, board, allows_bots=allows_bots)
        )


def open_for(player: Player, kind: Kind, board: Variant, *, allows_bots: bool = True) -> Flow:
    """Open a room, and sit down in it."""
    if player.sitting is not None:
        player.say("room.first")
        return STAY
    seat, now_s = _seat_of(player), player.now_s
    flow = open_room(
        kind,
        board,
        seat,
        now_s,
        player.tokens,
        allows_bots=allows_bots,
        address=player.account.address,
    )
    return (yield from _come(player, flow))


def variant_of(board: Variant, mine: MineEffect) -> Variant:
    """Play a kind of board in a room, where a mine does this."""
    return replace(board.category, rules=replace(board.rules, mine=mine))


def usual_variant(board: Variant, kind: Kind) -> Variant:
    """Play a board as rooms usually do: a race without guesses."""
    return variant_of(replace(board, is_no_guess=kind is Kind.RACE), _USUAL[kind])


# Quick matches


def look_for(player: Player, board: Variant) -> Flow:
    """Wait for an opponent; until one comes, the player practises."""
    yield from look_again(player, board.category)
    if player.sitting is None:
        if player.match is None or player.match.is_over:
            rules = replace(board.rules, mine=MineEffect.ENDS)
            practised = replace(board.category, rules=rules)
            player.begin(Setup(practised, seed=player.entropy(SEED_BITS)))
        player.say("quick.wait")
    return LEAVE_MENUS


def look_again(player: Player, board: Variant) -> Flow:
    """Look for an opponent; where there is none the player is left alone."""
    player.search = Search(board, player.now_ms + LOOK_MS)
    seat, address = _seat_of(player), player.account.address
    flow = look_for_opponent(board, seat, player.now_s, player.tokens, address)
    yield from _come(player, flow)
    if player.sitting is not None:
        player.say("quick.met")
    return STAY


def stop_looking_for(player: Player) -> None:
    if player.search is not None:
        player.begin_errand(stop_looking(player.search.board, player.token))
        player.search = None


# Going


def leave(player: Player) -> None:
    """Leave the room for the own game; stop watching, and looking for an opponent."""
    was_seated, was_looking = player.sitting is not None, player.search is not None
    depart(player)
    if was_seated:
        player.say("room.left")
    elif was_looking:
        player.say("quick.off")


def depart(player: Player) -> None:
    """Leave everything that is shared with others, for the own game."""
    stop_looking_for(player)
    if player.sitting is not None:
        stand_up(player, player.sitting)


def stand_up(player: Player, sitting: Sitting) -> None:
    """Give the seat back."""
    number, utc_ms = sitting.number, player.utc_ms
    if (seat := sitting.table.room.seat_of(player.token)) is not None and seat.number == number:
        player.begin_errand(change_quietly(player, sitting.table, leaving(number, utc_ms)))
    put_away(player, sitting)


def put_away(player: Player, sitting: Sitting) -> None:
    """Be in no room any more, and come back to the own game."""
    player.sitting = None
    player.leave_seat()
    player.matches.tables.leave(sitting.table, player)
    if sitting.parked is not None:
        player.resume_parked(sitting.parked)


def leaving(number: int, utc_ms: int) -> Change:
    return lambda room: room.leave(number, utc_ms)


# Changing a room


def change_now(player: Player, code: str, change: Change) -> StoreFlow[Room]:
    """Change a room, with what is due in it, and tell everybody.

    A race that was over is counted: the change may put its result away before others have seen it.
    """
    utc_ms, tables = player.utc_ms, player.matches.tables
    found: list[Room] = []

    def change_found(room: Room) -> Room:
        found.append(room.pass_time(utc_ms))
        return change(found[-1])

    room = yield from change_room(code, change_found, player.now_s, player.tokens)
    tables.publish(tables.table_of(room))
    if found[-1].stage is Stage.OVER:
        yield from count_races(player, found[-1], found[-1].seats)
    return room


def count_races(player: Player, room: Room, seats: Sequence[Seat]) -> StoreFlow[None]:
    """Count a race that is over in the statistics of those who sat here, once for each."""
    for seat in seats if room.kind is Kind.RACE else ():
        is_won = room.places.get(seat.number) == 1
        yield from count_race(seat.code, is_won=is_won, now_s=player.now_s, draw=player.tokens)


def change_quietly(player: Player, table: Table, change: Change) -> StoreFlow[None]:
    """Change a room in the background; if that cannot be done any more, nothing is lost."""
    try:
        yield from change_now(player, table.code, change)
    except RoomError:
        table.is_doubtful = True
        player.matches.tables.note(table)
