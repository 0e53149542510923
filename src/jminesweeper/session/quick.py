"""Quick matches: waiting for an opponent, and the offers made meanwhile.

A player who begins to wait, or has met an opponent, says so on the bus. All who wait, on any
server, look again when they hear of it; else they look now and then, which keeps them on the list.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from jminesweeper.bus import MISSED, WAITING_TOPIC
from jminesweeper.core.rules import MineEffect
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import Variant
from jminesweeper.protocol.packets import OpenRoom
from jminesweeper.protocol.vocabulary import MineCode, RoomFlag, RoomKind
from jminesweeper.records.quick import Waiting, check_leaver, look_for_opponent
from jminesweeper.records.rooms import Kind, RoomError
from jminesweeper.session import alone
from jminesweeper.session.messages import SILENCE, ChoiceError
from jminesweeper.session.player import Player, Search
from jminesweeper.session.settings import setup_of_text
from jminesweeper.session.tables import Opponent
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Chosen, Flow, Menu, Row
from jminesweeper.session.together import (
    USUAL_MINES,
    end_search,
    may_come,
    open_for,
    seat_of,
    sit_in,
    stop_looking_for,
    variant_of,
)

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
    _tell(player, "came", player.handle)
    if player.match is None or player.match.is_over:
        rules = replace(board.rules, mine=MineEffect.ENDS)
        practised = replace(board.category, rules=rules)
        player.begin(Setup(practised, seed=player.entropy(SEED_BITS)))
    player.say("quick.wait")
    yield from _offer(player, search)
    return LEAVE_MENUS


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
        _tell(player, "met", looked.opponent)
    end_search(player)
    yield from sit_in(player, looked.room)
    if player.sitting is None:
        # The opponent left before this player came.
        return (yield from look_for(player, search.board, allows_bots=search.allows_bots))
    player.sitting.opponent = Opponent(looked.opponent)
    player.say("quick.met")
    return STAY


def _tell(player: Player, *words: str) -> None:
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
