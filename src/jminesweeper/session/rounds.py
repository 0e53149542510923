"""A round in a room: what may be done in it, its beginning and its end, pauses, and what is told.

`keep_up` does what follows from the room as it is now, and may be called at any time: it opens the
board when a round begins, notes how the player's copy ended, and tells how far it is. What is only
told goes over the bus.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any, Final

from jminesweeper.core.actions import entry_author
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import FirstReveal
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Ready, Say
from jminesweeper.records.flows import Flow as StoreFlow
from jminesweeper.records.meeting import join_record, keep_room, remember_partners, start_round
from jminesweeper.records.players import open_game
from jminesweeper.records.rooms import Kind, Room, RoomError, Seat, Stage, finish_of
from jminesweeper.session.matches import Match
from jminesweeper.session.opening import open_match
from jminesweeper.session.player import Player
from jminesweeper.session.reply import LayBoard
from jminesweeper.session.tables import NO_PROGRESS, Progress, Sitting
from jminesweeper.session.talks import STAY, Flow
from jminesweeper.session.together import (
    Change,
    change_now,
    change_quietly,
    count_races,
    leaving,
    look_again,
    put_away,
    sitting_down,
)

TELL_MS: Final = 250
"""How often a seat tells how far it is, at most; and how often at least, or it is given up."""
TELL_AGAIN_MS: Final = 5_000
OPEN_AGAIN_MS: Final = 1_000
"""How soon to try again to open the record of a round that could not be read."""
KEEP_MS: Final = 600_000
"""How often a room is kept for another hour while somebody plays in it."""
CURSOR_MS: Final = 100
SAY_MS: Final = 1_000
MOST_PHRASES: Final = 6


# Beginning


def be_ready(player: Player, packet: Ready) -> None:
    """Say whether to begin; whoever is the last to be ready has the board drawn."""
    sitting = player.sitting
    if sitting is None:
        player.say("room.none")
        return
    room = sitting.table.at(player.utc_ms)
    if room.is_playing:
        player.say("room.wait")
        return
    player.clear_message()
    is_ready, number = bool(packet.is_ready), sitting.number
    if is_ready and not room.has_enough:
        player.say("race.two")
    player.begin_talk(change_or_say(player, lambda room: room.ready(number, is_ready=is_ready)))


def change_or_say(player: Player, change: Change) -> Flow:
    sitting = player.sitting
    if sitting is None:
        return STAY
    try:
        room = yield from change_now(player, sitting.table.code, change)
    except RoomError as error:
        player.say("room", text=str(error))
        return STAY
    if room.is_ready:
        yield from _begin_round(player, room)
    return STAY


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


# What follows from the room


def keep_up(player: Player) -> None:
    """Do what follows from the room as it is now, one question at a time."""
    if player.out.question is not None:
        return
    if (search := player.search) is not None and player.now_ms >= search.next_look_ms:
        player.begin_talk(look_again(player, search.board))
    sitting = player.sitting
    if sitting is None or player.out.question is not None:
        return
    room = sitting.table.at(player.utc_ms)
    seat = room.seat_of(player.token)
    is_shared = room.kind is Kind.SHARED
    is_removed = player.token in room.removed and (seat is None or is_shared)
    if is_removed or not room.seats:
        put_away(player, sitting)
        player.say("room.removed" if room.seats else "room.gone")
        return
    if seat is None or not seat.is_here:
        # The others thought that this server had died.
        player.begin_errand(_once(player, "sit", sitting_down(player)))
    if seat is not None:
        sitting.number = seat.number
        _keep_up_with_round(player, sitting, room, seat)


def _keep_up_with_round(player: Player, sitting: Sitting, room: Room, seat: Seat) -> None:
    """Open the board of a round, or take it away; note how the player's copy ended."""
    code = seat.code if room.kind is Kind.RACE else room.game
    has_round, match = not room.is_open, player.match
    if has_round and code and (match is None or match.code != code):
        if player.now_ms < sitting.next_open_ms:
            return
        sitting.next_open_ms = player.now_ms + OPEN_AGAIN_MS
        player.talks.close()
        player.begin_talk(_open_game(player, room, code))
        return
    if not has_round and match is not None:
        player.leave_seat()
        player.clear_message()
    elif match is not None and match.is_over and room.is_playing:
        if room.kind is Kind.SHARED:
            player.begin_errand(_once(player, f"end {code}", Room.end))
        elif seat.finish is None:
            number, finish, utc_ms = seat.number, finish_of(match.game), player.utc_ms
            player.begin_errand(
                _once(player, f"finish {code}", lambda room: room.finish(number, finish, utc_ms))
            )
    if match is not None and room.kind is Kind.SHARED and has_round:
        _keep_up_with_pause(player, sitting, match, room)
    if room.kind is Kind.RACE and room.stage is Stage.OVER and sitting.counted != seat.code:
        _count_race(player, sitting, room, seat)
    _tell_progress(player, sitting, player.match)
    _tell_cursor(player, sitting)
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


def _count_race(player: Player, sitting: Sitting, room: Room, own: Seat) -> None:
    """Have a race counted in the player's statistics; the host's server counts who has gone."""
    what, is_host = f"count {own.code}", room.host == own.number
    if sitting.done == what and player.now_ms < sitting.again_ms:
        return
    sitting.done, sitting.again_ms = what, player.now_ms + TELL_AGAIN_MS
    counted = [each for each in room.seats if each == own or (is_host and not each.is_here)]

    def count() -> StoreFlow[None]:
        yield from count_races(player, room, counted)
        sitting.counted = own.code

    player.begin_errand(count())


def _once(player: Player, what: str, change: Change) -> StoreFlow[None] | None:
    """Change the room in the background, unless that is under way."""
    sitting = player.sitting
    if sitting is None or (sitting.done == what and player.now_ms < sitting.again_ms):
        return None
    sitting.done, sitting.again_ms = what, player.now_ms + TELL_AGAIN_MS
    return change_quietly(player, sitting.table, change)


def _open_game(player: Player, room: Room, code: str) -> Flow:
    """Open the record of the round; its clock has run since the round began."""
    match = player.matches.find(code)
    if match is None:
        opened = yield from open_game(code)
        match = None if opened is None else (yield from open_match(player, opened))
    if match is None:
        player.say("unreadable")
        return STAY
    set_clock(player, match, room)
    player.play(match, match.game.setup.first or Cell(0, 0))
    player.clear_message()
    if player.sitting is not None and room.kind is Kind.SHARED:
        _keep_up_with_pause(player, player.sitting, match, room)
    if player.account.is_in and room.kind is Kind.SHARED:
        player.begin_errand(join_record(code, player.token, player.now_s, player.tokens))
    if player.account.is_in:
        player.begin_errand(
            remember_partners(player.token, room.seats, player.now_s, player.tokens)
        )
    return STAY


def set_clock(player: Player, match: Match, room: Room) -> None:
    """Have the clock of a match run, or stand, as the one of its round does."""
    if room.is_paused:
        match.stop_at(room.clock_ms(player.utc_ms))
    elif not (match.is_over or (match.always_runs and match.clock_runs)):
        match.run_since(room.clock_ms(player.utc_ms), player.now_ms)


# A pause


def vote_for_pause(player: Player) -> None:
    """Want a pause of a shared game, or end it."""
    if (sitting := player.sitting) is not None:
        number, utc_ms = sitting.number, player.utc_ms
        player.begin_talk(change_or_say(player, lambda room: room.vote(number, utc_ms)))


def _keep_up_with_pause(player: Player, sitting: Sitting, match: Match, room: Room) -> None:
    """Stop and hide a shared game for a pause, and say who wants one."""
    votes = {seat.number: seat.name for seat in room.seats if seat.is_ready and room.is_playing}
    if (seat := player.seat) is not None and room.is_paused != seat.is_paused:
        seat.follow_pause(is_paused=room.is_paused)
        player.clear_message()
    elif news := votes.keys() - sitting.votes:
        if sitting.number in news:
            player.say("pause.vote")
        else:
            player.say("pause.wanted", name=votes[max(news)])
    sitting.votes = votes.keys()
    set_clock(player, match, room)


def blocked_ms(player: Player, match: Match) -> int:
    """Return how long a mine still keeps the player from playing."""
    sitting = player.sitting
    if sitting is None or match.is_over:
        return 0
    return match.game.blocked_until_ms(sitting.number) - match.elapsed_ms(player.now_ms)


# What is told


def progress_of(match: Match) -> Progress:
    game = match.game
    hits = game.known.bit_count() + (game.exploded is not None)
    return Progress(int(match.opened_share * 1000), game.flagged.bit_count(), hits)


def _tell_progress(player: Player, sitting: Sitting, match: Match | None) -> None:
    """Tell how far the player's copy is; from time to time, that somebody is there."""
    since_ms = player.now_ms - sitting.told_ms
    progress = NO_PROGRESS if match is None else progress_of(match)
    if since_ms >= TELL_AGAIN_MS or (progress != sitting.told and since_ms >= TELL_MS):
        if progress != sitting.told and player.now_ms >= sitting.kept_ms + KEEP_MS:
            sitting.kept_ms = player.now_ms
            player.begin_errand(keep_room(sitting.table.code, player.now_s))
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
            player.begin_errand(_once(player, f"miss {number}", leaving(number, utc_ms)))


def show_cursor(player: Player) -> None:
    """Show the others where the player is, in a shared game."""
    sitting, seat = player.sitting, player.seat
    if sitting is None or seat is None or sitting.table.room.kind is not Kind.SHARED:
        return
    sitting.has_moved = True
    _tell_cursor(player, sitting)


def _tell_cursor(player: Player, sitting: Sitting) -> None:
    """Tell where the cursor is; after a run of moves, where it came to rest."""
    seat = player.seat
    if seat is not None and sitting.has_moved and player.now_ms >= sitting.next_cursor_ms:
        sitting.has_moved, sitting.next_cursor_ms = False, player.now_ms + CURSOR_MS
        (cell,) = seat.places((seat.cursor,))
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
