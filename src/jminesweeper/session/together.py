"""Coming together: into rooms by a code or by opening one, by waiting for an opponent; and leaving.

A dialog asks the table of a room for a change, and the reply shows what came of it.

A player who begins to wait, or has met an opponent, says so on the bus. All who wait, on any
server, look again when they hear of it; else they look now and then, which keeps them on the list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from jminesweeper.bus import MISSED, WAITING_TOPIC
from jminesweeper.core.rules import MineEffect
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import Variant
from jminesweeper.protocol.packets import Join, OpenRoom
from jminesweeper.protocol.view import RowKind
from jminesweeper.protocol.vocabulary import MineCode, RoomFlag, RoomKind
from jminesweeper.records.documents import Flow as StoreFlow
from jminesweeper.records.keys import address_name
from jminesweeper.records.ladder import read_ratings
from jminesweeper.records.meeting import (
    Waiting,
    check_leaver,
    give_seat_up,
    keep_seat,
    look_for_opponent,
    note_parting,
    open_room,
    parse_code,
    stop_looking,
)
from jminesweeper.records.rooms import Kind, NoRoomError, Parting, Room, RoomError, Seat
from jminesweeper.records.table import Change
from jminesweeper.session import alone
from jminesweeper.session.messages import SILENCE, ChoiceError
from jminesweeper.session.player import Player, Search
from jminesweeper.session.reply import Wish
from jminesweeper.session.settings import setup_of_text
from jminesweeper.session.tables import Opponent, Sitting
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Chosen, Dialog, Flow, Menu, Row

LOOK_MS: Final = 10_000
"""Interval in which a player who waits looks again unasked."""
SOLVER_MS: Final = 20_000
"""Time after which the solver is offered."""
MOST_OFFERS: Final = 3
"""Boards of others that are offered in one wait: nobody can keep the questions coming."""
_KINDS: Final = {RoomKind.RACE: Kind.RACE, RoomKind.SHARED: Kind.SHARED, RoomKind.QUICK: Kind.RACE}
_MINES: Final = {
    MineCode.ENDS: MineEffect.ENDS,
    MineCode.PENALTY: MineEffect.PENALTY,
    MineCode.LIFE: MineEffect.LIFE,
}
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
        mine = _MINES.get(MineCode(packet.mine), USUAL_MINES[kind])
    except ChoiceError as error:
        player.message = error.said
        return
    except ValueError:
        player.say("bad.room", kind=packet.kind, mine=packet.mine)
        return
    board = variant_of(setup.variant, mine)
    if may_come(player):
        allows_bots = not packet.flags & RoomFlag.NO_BOTS
        is_open = bool(packet.flags & RoomFlag.OPEN)
        player.talks.begin(
            look_for(player, board, allows_bots=allows_bots)
            if packet.kind == RoomKind.QUICK
            else open_for(player, kind, board, allows_bots=allows_bots, is_open=is_open)
        )


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


# Waiting


def look_for(player: Player, board: Variant, *, allows_bots: bool = True) -> Flow:
    """Wait for an opponent; until one comes, the player practises."""
    if player.sitting is not None:
        player.say("room.first")
        return STAY
    try:
        yield from check_leaver(seat_of(player), player.now_s)
    except RoomError as error:
        player.refuse(error)
        return STAY
    stop_looking_for(player)
    rank = player.matches.waiting.enter(player.account.address)
    search = Search(board.category, rank, player.now_ms, allows_bots=allows_bots)
    if (bus := player.matches.bus) is not None:
        search.unsubscribe = bus.subscribe(WAITING_TOPIC, partial(_hear, player, search))
    player.search = search
    yield from _look(player, search)
    if player.search is not search:
        return LEAVE_MENUS
    _announce(player, "came", player.handle)
    if player.match is None or player.match.is_over:
        rules = replace(board.rules, mine=MineEffect.ENDS)
        practised = replace(board.category, rules=rules)
        player.begin(Setup(practised, seed=player.entropy(SEED_BITS)))
    player.say("quick.wait")
    yield from _offer(player, search)
    return LEAVE_MENUS


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


def keep_looking(player: Player) -> None:
    """Look for an opponent again when it is time, or when another player begins to wait."""
    search = player.search
    if search is None or player.out.question is not None:
        return
    if search.is_called or player.now_ms >= search.next_look_ms:
        player.talks.begin(_look_again(player, search))


def _look_again(player: Player, search: Search) -> Flow:
    yield from _look(player, search)
    if player.search is search and player.talks.layer is None:
        return (yield from _offer(player, search))
    return STAY


def _look(player: Player, search: Search) -> Flow:
    """Look for an opponent, and sit down with one; without one stay on the list."""
    now_ms = player.now_ms
    search.is_called, search.next_look_ms = False, now_ms + LOOK_MS
    if now_ms < search.since_ms + SOLVER_MS:
        search.next_look_ms = min(search.next_look_ms, search.since_ms + SOLVER_MS)
    seat, is_bot = seat_of(player), player.client.is_bot
    own = Waiting(
        *(player.handle, seat.player, seat.name, search.board, search.allows_bots, is_bot),
        since_s=player.config.seconds(search.since_ms),
        rank=search.rank,
    )
    try:
        looked = yield from look_for_opponent(own, seat, player.now_s, player.tokens)
    except RoomError as error:
        stop_looking_for(player)
        player.refuse(error)
        return STAY
    search.others = looked.others
    if not looked.room:
        return STAY
    if looked.is_opener:
        _announce(player, "met", looked.opponent)
    end_search(player)
    yield from sit_in(player, looked.room)
    if player.sitting is None:
        # The opponent left before this player came.
        return (yield from look_for(player, search.board, allows_bots=search.allows_bots))
    player.sitting.opponent = Opponent(looked.opponent)
    player.say("quick.met")
    return STAY


def _announce(player: Player, *words: str) -> None:
    if (bus := player.matches.bus) is not None:
        bus.publish(WAITING_TOPIC, " ".join(words).encode())


def _hear(player: Player, search: Search, message: bytes) -> None:
    """Process the news that a player waits, or has met another; a missed message may be either."""
    what, _, whom = message.decode().partition(" ")
    is_met = what == "met" and whom == player.token
    is_news = message == MISSED or (what == "came" and whom != player.handle)
    limits, now_ms = player.matches.limits, player.now_ms
    # Players who come and go by the hundred cost each who waits one look a second.
    if player.search is search and (is_met or (is_news and limits.passes("look", now_ms, search))):
        search.is_called = True
        player.hear(False)


# Offers meanwhile


def _offer(player: Player, search: Search) -> Flow:
    """Offer the other board of a player who waits, or after a while the solver."""
    others = [one for one in search.others if one.handle not in search.offered]
    is_late = player.now_ms >= search.since_ms + SOLVER_MS
    wait = Row("wait", "Keep waiting", search.board.label)
    if others and len(search.offered) < MOST_OFFERS:
        other = others[0]
        search.offered.add(other.handle)
        rows = (Row("play", "Play", other.board.label), wait)
        title = f"{other.name} waits for {other.board.label}"
        pick: Chosen | None = yield Menu("offer", title, rows)
        if pick is not None and pick.row == "play" and player.search is search:
            player.message = SILENCE
            return (yield from look_for(player, other.board, allows_bots=search.allows_bots))
    elif is_late and not search.has_offered_solver and search.allows_bots:
        search.has_offered_solver = True
        if not player.config.has_solver:
            return STAY
        usual_ms = yield from alone.usual_time(player, search.board)
        pace = f"as fast as you: {usual_ms // 1000} s" if usual_ms else "calm"
        rows = (Row("solver", "Race the solver", pace, help="You keep waiting meanwhile."), wait)
        pick = yield Menu("offer", "Nobody has come yet", rows)
        if pick is not None and pick.row == "solver":
            return (yield from alone.race_at_own_pace(player, search.board, usual_ms))
    return LEAVE_MENUS


# Going


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
