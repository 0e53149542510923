"""Rooms, as one player meets them: coming and going, a round, its end, and what is said.

What changes a room is a dialog or an errand that changes its document; what is only told goes over
the bus. `keep_up` does what follows from the room as it is now, and may be called at any time: it
opens the board when a round begins, notes how the player's copy ended, and tells how far it is.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias

from jminesweeper.core.actions import entry_author
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import FirstReveal, MineEffect
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import (
    Act,
    Code,
    Drop,
    Hint,
    Join,
    Load,
    LookBack,
    NewGame,
    Odds,
    OpenMenu,
    OpenRoom,
    Packet,
    Ready,
    Save,
    Say,
    Seek,
    Start,
    Undo,
)
from jminesweeper.protocol.vocabulary import Command, MineCode, RoomFlag, RoomKind
from jminesweeper.records.flows import Flow as Errand
from jminesweeper.records.journal import Journal
from jminesweeper.records.meeting import (
    change_room,
    join_record,
    look_for_opponent,
    open_room,
    parse_code,
    remember_partners,
    start_round,
    stop_looking,
)
from jminesweeper.records.players import Held, open_game, put_player
from jminesweeper.records.rooms import Finish, Kind, Room, RoomError, Seat, Stage, finish_of
from jminesweeper.session.choosing import ChoiceError, setup_of_packet
from jminesweeper.session.match import Match
from jminesweeper.session.menus import CHOICE, TEXT, Menu, Pick, Row
from jminesweeper.session.player import Player
from jminesweeper.session.reply import LayBoard
from jminesweeper.session.saves import rebuild
from jminesweeper.session.tables import NO_PROGRESS, Progress, Sitting, Table
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow

TELL_MS: Final = 250
"""How often a seat tells how far it is, at most; and how often at least, or it is given up."""
TELL_AGAIN_MS: Final = 5_000
CURSOR_MS: Final = 100
SAY_MS: Final = 1_000
JOIN_MS: Final = 1_000
LOOK_MS: Final = 10_000
"""How often somebody who waits for an opponent looks again."""
MOST_PHRASES: Final = 6

_KINDS: Final = {RoomKind.RACE: Kind.RACE, RoomKind.SHARED: Kind.SHARED, RoomKind.QUICK: Kind.RACE}
_MINES: Final = {
    MineCode.ENDS: MineEffect.ENDS,
    MineCode.PENALTY: MineEffect.PENALTY,
    MineCode.LIFE: MineEffect.LIFE,
}
_USUAL: Final = {Kind.RACE: MineEffect.PENALTY, Kind.SHARED: MineEffect.ENDS}
_EFFECTS: Final[Mapping[Kind, Mapping[str, MineEffect]]] = {
    Kind.RACE: {"ten seconds": MineEffect.PENALTY, "the end": MineEffect.ENDS},
    Kind.SHARED: {"the end": MineEffect.ENDS, "one of three lives": MineEffect.LIFE},
}
"""What a mine may do, in the words of a menu."""

Change: TypeAlias = Callable[[Room], Room]

_OF_ONES_OWN: Final = frozenset({Start, NewGame, Load, Save, Drop, Code, Command.TOGGLE_DEBUG_MODE})
_ACTS: Final = frozenset({Act, Command.REVEAL, Command.TOGGLE_BOMB_MARK})
_HELP: Final = frozenset({Undo, Hint, Odds, Seek, Command.PAUSE})
_MENUS: Final = frozenset({"", "main", "room", "help", "people"})


def refusal(player: Player, kind: object, packet: Packet) -> str:
    """Return what to say to a packet that has no place in a room; empty if it has."""
    if (sitting := player.sitting) is None:
        return ""
    room = sitting.table.at(player.utc_ms)
    is_race = room.kind is Kind.RACE
    is_elsewhere = isinstance(packet, OpenMenu) and packet.name not in _MENUS
    reasons = {
        "room.first": kind in _OF_ONES_OWN or is_elsewhere,
        "race.over": is_race and room.stage is Stage.OVER and kind in _ACTS,
        "race.alone": is_race and kind in _HELP,
        "race.later": kind is LookBack and room.is_playing,
        "room.undo": kind is Undo and not _may_undo(player),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _may_undo(player: Player) -> bool:
    """Whether the last action of a shared game was the player's own."""
    match, sitting = player.match, player.sitting
    if match is None or sitting is None or not match.game.log.entries:
        return False
    return entry_author(match.game.log.entries[-1]) == sitting.number


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
    if not (player.config.has_store and player.has_view):
        player.say("room.store" if player.has_view else "hello")
        return False
    if player.now_ms < player.next_join_ms:
        player.say("slow")
        return False
    player.next_join_ms = player.now_ms + JOIN_MS
    return True


def sit_in(player: Player, code: str) -> Flow:
    """Take a seat, with the own game kept for later."""
    return (yield from _come(player, _change(player, code, _sitting_down(player))))


def _sitting_down(player: Player) -> Change:
    seat = _seat_of(player)
    return lambda room: room.sit(seat.player, seat.name, is_bot=seat.is_bot)


def _seat_of(player: Player) -> Seat:
    return Seat(0, player.token, player.public_name, player.is_bot)


def _come(player: Player, flow: Errand[Room | None]) -> Flow:
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
    if held is not None and not held.is_known:
        yield from put_player(held, player.account.name, player.settings.to_texts(), player.now_s)
    return STAY


def sit_down(player: Player, room: Room) -> None:
    """Sit at the table of a room in which the player has a seat."""
    seat = room.seat_of(player.token)
    if seat is None:
        return
    if player.sitting is not None and player.sitting.table.code != room.code:
        stand_up(player)
    player.looking_for = None
    table = player.matches.tables.table_of(room)
    if player.sitting is None:
        player.park()
        player.sitting = Sitting(table, seat.number)
    player.sitting.number = seat.number
    player.matches.tables.enter(table, player, player.tell_of_room)
    player.matches.tables.publish(table)
    player.hush()
    player.talks.close()


def open_new(player: Player, packet: OpenRoom) -> None:
    """Open a room, or look for an opponent."""
    day = player.config.today(player.now_ms)
    try:
        setup = setup_of_packet(packet.new_game, player.settings, player.match, day, player.entropy)
        kind = _KINDS[RoomKind(packet.kind)]
        mine = _MINES.get(MineCode(packet.mine), _USUAL[kind])
    except ChoiceError as error:
        player.message = error.said
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
    flow = open_room(kind, board, seat, now_s, player.tokens, allows_bots=allows_bots)
    return (yield from _come(player, flow))


def variant_of(board: Variant, mine: MineEffect) -> Variant:
    """Play a board in a room: nobody's own, so it does not rank."""
    rules = replace(board.rules, mine=mine)
    return replace(board, rules=rules, daily=None, is_repeat=True)


def usual_variant(board: Variant, kind: Kind) -> Variant:
    """Play a board as rooms usually do: a race without guesses."""
    return variant_of(replace(board, is_no_guess=kind is Kind.RACE), _USUAL[kind])


def depart(player: Player) -> None:
    """Leave everything that is shared with others, for the own game."""
    stop_looking_for(player)
    if player.sitting is not None:
        stand_up(player)
        player.resume_parked()


# Quick matches


def look_for(player: Player, board: Variant) -> Flow:
    """Wait for an opponent; until one comes, the player may play on."""
    player.looking_for = board.category
    player.next_look_ms = player.now_ms + LOOK_MS
    seat = _seat_of(player)
    flow = look_for_opponent(player.looking_for, seat, player.now_s, player.tokens)
    yield from _come(player, flow)
    if player.sitting is None:
        player.say("quick.wait")
    return LEAVE_MENUS


def stop_looking_for(player: Player) -> None:
    if player.looking_for is not None:
        player.send_on(stop_looking(player.looking_for, player.token))
        player.looking_for = None


# Going


def leave(player: Player, _packet: Command) -> None:
    """Leave the room for the own game; stop watching, and looking for an opponent."""
    if player.looking_for is not None:
        stop_looking_for(player)
        player.say("quick.off")
    if player.sitting is not None:
        stand_up(player)
        player.resume_parked()
        player.say("room.left")


def stand_up(player: Player) -> None:
    """Give the seat back."""
    sitting = player.sitting
    if sitting is None:
        return
    number, utc_ms = sitting.number, player.utc_ms
    if (seat := sitting.table.room.seat_of(player.token)) is not None and seat.number == number:
        player.send_on(_quietly(player, sitting.table, _leaving(number, utc_ms)))
    put_away(player)


def put_away(player: Player) -> None:
    """Be in no room any more."""
    if (sitting := player.sitting) is not None:
        player.sitting = None
        player.rise()
        player.matches.tables.leave(sitting.table, player)


# Changing a room


def _change(player: Player, code: str, change: Change) -> Errand[Room]:
    """Change a room, with what is due in it, and tell everybody."""
    utc_ms, tables = player.utc_ms, player.matches.tables
    room = yield from change_room(
        code, lambda room: change(room.pass_time(utc_ms)), player.now_s, player.tokens
    )
    tables.publish(tables.table_of(room))
    return room


def _quietly(player: Player, table: Table, change: Change) -> Errand[None]:
    """Change a room in the background; if that cannot be done any more, nothing is lost."""
    try:
        yield from _change(player, table.code, change)
    except RoomError:
        table.is_doubtful = True
        player.matches.tables.note(table)


def _change_or_say(player: Player, change: Change) -> Flow:
    sitting = player.sitting
    if sitting is None:
        return STAY
    try:
        room = yield from _change(player, sitting.table.code, change)
    except RoomError as error:
        player.say("room", text=str(error))
        return STAY
    if room.is_ready:
        yield from _begin_round(player, room)
    return STAY


# A round


def be_ready(player: Player, packet: Ready) -> None:
    """Say whether to begin; whoever is the last to be ready has the board drawn."""
    sitting = player.sitting
    if sitting is None:
        player.say("room.none")
        return
    player.hush()
    is_ready, number = bool(packet.is_ready), sitting.number
    player.begin_talk(_change_or_say(player, lambda room: room.ready(number, is_ready=is_ready)))


def draw_board(player: Player, board: Variant) -> Generator[Any, Any, Setup]:
    """Draw a board with its first cell, without guesses if that is wanted and can be had."""
    draw, size = player.entropy, board.size
    # The first cell is away from the edge, where the board has room: a larger opening.
    first = Cell(_within(size.columns, draw(16)), _within(size.rows, draw(16)))
    setup = Setup(board, seed=draw(SEED_BITS))
    if board.safe_count and board.is_no_guess and player.config.has_solver:
        laid = yield LayBoard(setup, first)
        if laid is not None:
            setup = replace(setup, layout=laid.mines)
    if setup.layout is None:
        rules = replace(board.rules, first_reveal=FirstReveal.ZERO)
        setup = Setup(replace(board, rules=rules, is_no_guess=False), seed=setup.seed)
    if board.safe_count and not (setup.layout or 0) & board.grid.bit(first):
        setup = replace(setup, first=first)
    return setup


def _begin_round(player: Player, room: Room) -> Flow:
    setup = yield from draw_board(player, room.variant)
    try:
        begun = yield from start_round(room.code, setup, player.utc_ms, player.tokens)
    except RoomError:
        return STAY
    tables = player.matches.tables
    tables.publish(tables.table_of(begun))
    return STAY


def _within(length: int, drawn: int) -> int:
    margin = min(2, (length - 1) // 2)
    return margin + drawn % (length - 2 * margin)


def keep_up(player: Player) -> None:
    """Do what follows from the room as it is now."""
    if player.looking_for is not None and player.now_ms >= player.next_look_ms:
        player.begin_talk(look_for(player, player.looking_for))
    sitting = player.sitting
    if sitting is None or player.out.question is not None:
        return
    room = sitting.table.at(player.utc_ms)
    seat = room.seat_of(player.token)
    if seat is None and (not room.seats or player.token in room.removed):
        put_away(player)
        player.resume_parked()
        player.say("room.removed" if room.seats else "room.gone")
        return
    if seat is None or not seat.is_here:
        # The others thought that this server had died.
        player.send_on(_once(player, "sit", _sitting_down(player)))
    if seat is not None:
        sitting.number = seat.number
        _keep_up_with_round(player, sitting, room, seat)


def _keep_up_with_round(player: Player, sitting: Sitting, room: Room, seat: Seat) -> None:
    """Open the board of a round, or take it away; note how the player's copy ended."""
    code = seat.code if room.kind is Kind.RACE else room.game
    has_round, match = not room.is_open, player.match
    if has_round and code and sitting.tried != code:
        sitting.tried = code
        player.talks.close()
        player.begin_talk(_open_game(player, room, code))
        return
    if not has_round and match is not None:
        player.rise()
        player.forget_end()
        player.hush()
    elif match is not None and match.is_over and room.is_playing:
        if room.kind is Kind.SHARED:
            player.send_on(_once(player, f"end {code}", Room.end))
        elif seat.finish is None:
            change = _finishing(seat.number, finish_of(match.game), player.utc_ms)
            player.send_on(_once(player, f"finish {code}", change))
    if match is not None and room.kind is Kind.SHARED and has_round:
        _keep_up_with_pause(player, sitting, match, room)
    _tell_progress(player, sitting, player.match)
    sitting.table.count_watchers(player.now_ms)
    _miss_the_silent(player, room)


def tell_end(player: Player, sitting: Sitting, game: Game) -> None:
    """Say how a round ended; in a race the lines of all say who was first."""
    room, is_won = sitting.table.room, game.status is Status.WON
    if room.kind is Kind.RACE and is_won:
        player.say("race.finished", seconds=game.elapsed_ms / 1000)
    elif room.kind is Kind.RACE:
        player.say("lost")
    elif is_won:
        player.say("shared.won")
    else:
        who = entry_author(game.log.entries[-1])
        names = (seat.name for seat in room.seats if seat.number == who)
        player.say("shared.lost", name=next(names, "Somebody"))


def _finishing(number: int, finish: Finish, utc_ms: int) -> Change:
    return lambda room: room.finish(number, finish, utc_ms)


def _once(player: Player, what: str, change: Change) -> Errand[None] | None:
    """Change the room in the background, unless that is under way."""
    sitting = player.sitting
    if sitting is None or (sitting.done == what and player.now_ms < sitting.again_ms):
        return None
    sitting.done, sitting.again_ms = what, player.now_ms + TELL_AGAIN_MS
    return _quietly(player, sitting.table, change)


def _open_game(player: Player, room: Room, code: str) -> Flow:
    """Open the record of the round; its clock has run since the round began."""
    match = player.matches.find(code)
    if match is None:
        opened = yield from open_game(code)
        game = None if opened is None else (yield from rebuild(opened))
        if opened is None or game is None:
            player.say("unreadable")
            return STAY
        match = player.matches.find(code)
        if match is None:
            held = player.account.held or Held(player.token, player.tokens)
            journal = Journal.of(opened, game, held, player.tokens)
            match = Match(game, journal, opened.game.begun_at_ms)
    set_clock(player, match, room)
    first = match.game.setup.first
    player.take_seat(match, first or Cell(0, 0))
    if player.sitting is not None and room.kind is Kind.SHARED:
        _keep_up_with_pause(player, player.sitting, match, room)
    if player.account.is_in and room.kind is Kind.SHARED:
        player.send_on(join_record(code, player.token, player.now_s, player.tokens))
    if player.account.is_in:
        player.send_on(remember_partners(player.token, room.seats, player.now_s, player.tokens))
    return STAY


def set_clock(player: Player, match: Match, room: Room) -> None:
    """Have the clock of a match run, or stand, as the one of its round does."""
    if room.is_paused:
        match.stop_at(room.clock_ms(player.utc_ms))
    elif not (match.is_over or (match.always_runs and match.clock_runs)):
        match.run_since(room.clock_ms(player.utc_ms), player.now_ms)


def vote_for_pause(player: Player) -> None:
    """Want a pause of a shared game, or end it."""
    if (sitting := player.sitting) is not None:
        number, utc_ms = sitting.number, player.utc_ms
        player.begin_talk(_change_or_say(player, lambda room: room.vote(number, utc_ms)))


def _keep_up_with_pause(player: Player, sitting: Sitting, match: Match, room: Room) -> None:
    """Stop and hide a shared game for a pause, and say who wants one."""
    votes = {seat.number: seat.name for seat in room.seats if seat.is_ready and room.is_playing}
    if room.is_paused != player.is_paused:
        player.is_paused = room.is_paused
        player.touch()
        player.hush()
    elif news := votes.keys() - sitting.votes:
        if sitting.number in news:
            player.say("pause.vote")
        else:
            player.say("pause.wanted", name=votes[max(news)])
    sitting.votes = votes.keys()
    set_clock(player, match, room)


def progress_of(match: Match) -> Progress:
    game = match.game
    hits = game.known.bit_count() + (game.exploded is not None)
    return Progress(int(match.opened_share * 1000), game.flagged.bit_count(), hits)


def _tell_progress(player: Player, sitting: Sitting, match: Match | None) -> None:
    """Tell how far the player's copy is; from time to time, that somebody is there."""
    since_ms = player.now_ms - sitting.told_ms
    progress = NO_PROGRESS if match is None else progress_of(match)
    if since_ms >= TELL_AGAIN_MS or (progress != sitting.told and since_ms >= TELL_MS):
        sitting.told, sitting.told_ms = progress, player.now_ms
        player.matches.tables.publish(sitting.table, "p", sitting.number, *progress)


def _miss_the_silent(player: Player, room: Room) -> None:
    """Take note that the servers of some seats have gone."""
    sitting, utc_ms = player.sitting, player.utc_ms
    if sitting is None:
        return
    was_away = player.now_ms > sitting.checked_ms + TELL_AGAIN_MS
    sitting.checked_ms = player.now_ms
    if was_away:
        # Whoever has not looked for so long cannot say who is silent.
        sitting.table.hear_all(player.now_ms)
        return
    for seat in room.seats:
        if seat.number != sitting.number and sitting.table.is_silent(seat, player.now_ms):
            number = seat.number
            player.send_on(_once(player, f"miss {number}", _leaving(number, utc_ms)))


def _leaving(number: int, utc_ms: int) -> Change:
    return lambda room: room.leave(number, utc_ms)


# What is told


def show_cursor(player: Player) -> None:
    """Show the others where the player is, in a shared game."""
    sitting, match = player.sitting, player.match
    if sitting is None or match is None or sitting.table.room.kind is not Kind.SHARED:
        return
    if player.now_ms < sitting.next_cursor_ms:
        return
    sitting.next_cursor_ms = player.now_ms + CURSOR_MS
    column, row = player.cursor
    cell = row * match.game.grid.size.columns + column
    player.matches.tables.publish(sitting.table, "c", sitting.number, cell)


def say(player: Player, packet: Say) -> None:
    """Say one of the phrases, once a second."""
    sitting = player.sitting
    if sitting is None:
        player.say("room.none")
        return
    if packet.phrase > MOST_PHRASES:
        player.say("bad.phrase", number=packet.phrase)
        return
    if player.now_ms < sitting.next_say_ms:
        player.say("slow")
        return
    sitting.next_say_ms = player.now_ms + SAY_MS
    size = sitting.table.room.variant.size
    is_on_board = packet.column < size.columns and packet.row < size.rows
    cell = packet.row * size.columns + packet.column if is_on_board else -1
    player.matches.tables.publish(sitting.table, "s", sitting.number, packet.phrase, cell)


# The menu of a room


def room_menu(player: Player) -> Flow:
    """Offer what can be done in the room; the board, bots and seats are the host's."""
    sitting = player.sitting
    if sitting is None:
        player.say("room.none")
        return STAY
    menu = Menu("room", f"Room {sitting.table.code}", partial(_rows, player))
    pick: Pick | None
    while (pick := (yield menu)) is not None:
        menu.selected, number = pick.row, sitting.number
        what, _, which = pick.row.partition(".")
        match what:
            case "continue":
                return LEAVE_MENUS
            case "leave":
                stand_up(player)
                player.resume_parked()
                player.say("room.left")
                return LEAVE_MENUS
            case "remove":
                utc_ms = player.utc_ms
                change = _removing(number, int(which), utc_ms)
                yield from _change_or_say(player, change)
            case _:
                board = _changed(sitting.table.room, what, pick.value)
                yield from _change_or_say(player, _choosing(number, board))
        menu.refresh()
    return STAY


def _removing(host: int, number: int, utc_ms: int) -> Change:
    return lambda room: room.remove(host, number, utc_ms)


def _choosing(host: int, board: Variant) -> Change:
    return lambda room: room.choose(host, board)


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
        Row(row_id, label, value, CHOICE, listed, disabled=running)
        for row_id, label, value, listed in choices
    ]
    rows += [
        Row(f"remove.{seat.number}", f"Remove {seat.name}")
        for seat in room.seats
        if seat.number != sitting.number
    ]
    return rows


def join_row() -> Row:
    """Let a player type a room's code."""
    return Row("join", "Join a room", kind=TEXT, range=(1, 20), help="Five letters, from a friend.")


def describe(room: Room, number: int) -> Mapping[str, Any]:
    """Describe a room for a view."""
    return {
        "code": room.code,
        "kind": room.kind.value,
        "state": room.stage.value,
        "label": room.variant.label,
        "mine": room.variant.rules.mine.value,
        "host": room.host,
        "you": number,
        "bots": room.allows_bots,
    }
