"""Coming into rooms, and leaving them.

A dialog asks the table of a room for a change, and the reply shows what came of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from jminesweeper.core.rules import MineEffect
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import Variant
from jminesweeper.protocol.packets import Join
from jminesweeper.protocol.view import RowKind
from jminesweeper.records.documents import Flow as StoreFlow
from jminesweeper.records.keys import address_name
from jminesweeper.records.ladder import read_ratings
from jminesweeper.records.meeting import give_seat_up, keep_seat, open_room, parse_code
from jminesweeper.records.quick import note_parting, stop_looking
from jminesweeper.records.rooms import Kind, NoRoomError, Parting, Room, RoomError, Seat
from jminesweeper.records.table import Change
from jminesweeper.session.messages import SILENCE
from jminesweeper.session.player import Player
from jminesweeper.session.reply import Wish
from jminesweeper.session.tables import Sitting
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Dialog, Flow, Row

USUAL_MINES: Final = {Kind.RACE: MineEffect.PENALTY, Kind.SHARED: MineEffect.ENDS}


# Coming


def join(player: Player, packet: Join) -> None:
    """Sit down in the room of a code."""
    try:
        code = parse_code(packet.name)
    except RoomError as error:
        player.refuse(error)
    else:
        if may_come(player):
            player.talks.begin(come_by(player, code))


def may_come(player: Player) -> bool:
    """Return True if a player may come into a room again already; else say why not."""
    if not player.matches.limits.passes("join", player.now_ms, player):
        player.say("slow")
        return False
    return True


def spend_guess(player: Player) -> bool:
    """Count that a room's code is tried; False if the address has tried too many wrong ones.

    It counts before the store answers, so many connections guess no more than one does.
    """
    return player.matches.limits.passes("wrong", player.now_ms, player.account.address)


def refund_guess(player: Player) -> None:
    """Uncount a try whose code was right."""
    player.matches.limits.give_back("wrong", player.account.address)


def come_by(player: Player, code: str) -> Flow:
    """Take a seat in the room of a code that somebody typed."""
    if not spend_guess(player):
        player.say("codes.wrong")
        return STAY
    try:
        room = yield from _take_seat(player, code)
    except RoomError as error:
        player.refuse(error)
        if not isinstance(error, NoRoomError):
            refund_guess(player)
        return STAY
    refund_guess(player)
    return _sit_down(player, room)


def sit_in(player: Player, code: str) -> Flow:
    """Take a seat, with the own game kept for later."""
    try:
        room = yield from _take_seat(player, code)
    except RoomError as error:
        player.refuse(error)
        return STAY
    return _sit_down(player, room)


def _take_seat(player: Player, code: str) -> Dialog[Room | None]:
    """Ask the room for a seat; return the room as it is then, or raise its RoomError."""
    seat = seat_of(player)
    ratings: Mapping[str, str] | None = {} if is_rated(player) else None
    if is_rated(player) and player.account.held.is_known:
        ratings = yield from read_ratings(seat.player)
    sit = partial(
        Room.sit,
        player=seat.player,
        name=seat.name,
        is_bot=seat.is_bot,
        address=seat.address,
        now_s=player.now_s,
        ratings=ratings,
    )
    room: Room | None = yield Wish(code, seat.player, sit)
    return room


def _sit_down(player: Player, room: Room | None) -> bool:
    """Sit down at the table of a room, with the own game kept for later."""
    given = None if room is None else room.seat_of(player.token)
    if room is None or given is None:
        return STAY
    code = room.code
    if player.sitting is not None and player.sitting.table.code != code:
        stand_up(player, player.sitting)
    if player.account.is_in:
        account, texts = player.account, player.settings.to_texts()
        kept = keep_seat(account.held, account.name, texts, code, player.now_s)
        player.begin_errand(kept)
    stop_looking_for(player)
    view = player.matches.tables.enter(code, player, given.player, player.show)
    if player.sitting is None:
        player.sitting = Sitting(view, given, player.park())
    player.message = SILENCE
    player.talks.close()
    return LEAVE_MENUS


def is_rated(player: Player) -> bool:
    """Return True for a player whom the store knows, and who wants to be on the ladder."""
    return player.account.is_in and player.settings.ladder and not player.client.is_bot


def join_row() -> Row:
    """Let a player type a room's code."""
    return Row(
        "join", "Join a room", kind=RowKind.TEXT, range=(1, 20), help="Six letters, from a friend."
    )


def seat_of(player: Player) -> Seat:
    """Describe the player as a seat in a room will."""
    address = player.account.address
    return Seat(
        *(0, player.token, player.public_name, player.client.is_bot),
        address=address_name(address) if address else "",
    )


def open_for(
    player: Player, kind: Kind, board: Variant, *, allows_bots: bool = True, is_open: bool = False
) -> Flow:
    """Open a room, and sit down in it."""
    if player.sitting is not None:
        player.say("room.first")
        return STAY
    seat = seat_of(player)
    flow = open_room(
        kind, board, seat, player.now_s, player.tokens, allows_bots=allows_bots, is_open=is_open
    )
    return (yield from _go_to(player, flow))


def _go_to(player: Player, flow: StoreFlow[str]) -> Flow:
    """Sit down in the room whose code a flow returns, if it returns one."""
    try:
        code = yield from flow
    except RoomError as error:
        player.refuse(error)
        return STAY
    return (yield from sit_in(player, code)) if code else LEAVE_MENUS


def variant_of(board: Variant, mine: MineEffect) -> Variant:
    """Play a kind of board in a room, where a mine does this."""
    return replace(board.category, rules=replace(board.rules, mine=mine))


def usual_variant(board: Variant, kind: Kind) -> Variant:
    """Play a board as rooms usually do: a race without guesses."""
    return variant_of(replace(board, is_no_guess=kind is Kind.RACE), USUAL_MINES[kind])


# Going


def stop_looking_for(player: Player) -> None:
    """Wait for an opponent no longer."""
    if (search := player.search) is not None:
        end_search(player)
        player.begin_errand(stop_looking(player.handle, search.rank))


def end_search(player: Player) -> None:
    """End the wait of a player who is off the list already."""
    search, player.search = player.search, None
    if search is not None:
        search.unsubscribe()
        player.matches.limits.forget("look", search)
        player.matches.waiting.leave(player.account.address)


def leave(player: Player) -> None:
    """Leave the room for the own game; stop watching, and looking for an opponent."""
    was_seated, was_looking = player.sitting is not None, player.search is not None
    depart(player)
    if was_seated:
        player.say("room.left")
    elif was_looking:
        player.say("quick.off")


def depart(player: Player, how: Parting = Parting.LEAVES) -> None:
    """Leave everything that is shared with others, for the own game."""
    stop_looking_for(player)
    if player.sitting is not None:
        stand_up(player, player.sitting, how)


def stand_up(player: Player, sitting: Sitting, how: Parting = Parting.LEAVES) -> None:
    """Leave the table, and come back to the own game."""
    is_kept = how is not Parting.LEAVES
    if (opponent := sitting.opponent) is not None:
        parting = opponent.leaver(sitting.room, sitting.player, player.now_ms)
        if parting is not None:
            player.begin_errand(note_parting(*parting, player.now_s, player.tokens))
    player.sitting = None
    player.leave_seat()
    player.matches.tables.leave(sitting.table.code, player, how)
    if not is_kept and player.account.is_in:
        player.begin_errand(give_seat_up(player.token))
    parked, waiting = sitting.parked, player.account.waiting
    # A game that nobody has touched is the client's first, which nobody has chosen.
    has_game = parked is not None and parked.match.game.was_played
    if parked is not None and (has_game or is_kept or not (waiting or sitting.round)):
        player.resume_parked(parked)
    elif sitting.round and not (is_kept or waiting):
        # A player who came without a game plays on alone on the room's kind of board.
        board = variant_of(sitting.room.variant, MineEffect.ENDS)
        board = replace(board, is_no_guess=player.settings.no_guess)
        player.begin(Setup(board, seed=player.entropy(SEED_BITS)))


def change_room(player: Player, change: Change) -> Flow:
    """Change the room, and say why not, if it is refused."""
    if (sitting := player.sitting) is not None:
        try:
            yield Wish(sitting.table.code, sitting.player, change)
        except RoomError as error:
            player.refuse(error)
    return STAY
