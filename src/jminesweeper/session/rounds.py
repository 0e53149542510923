"""A round as one player is shown it, and the player's part in it: ready, a pause, a phrase.

The room's table decides and stores everything; `follow_room` brings the screen in line with it, and
may be called at any time.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any, Final

from jminesweeper.core.actions import ActionKind, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.rules import MineEffect
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Ready, Say
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.journal import State
from jminesweeper.records.meeting import remember_partners
from jminesweeper.records.players import PlayerCopy, open_game
from jminesweeper.records.rooms import Kind, Room, Stage
from jminesweeper.records.rounds import RoundJournal, join_record, record_for
from jminesweeper.records.table import Pointed, Spoke
from jminesweeper.session.matches import Match
from jminesweeper.session.messages import SILENCE
from jminesweeper.session.opening import open_match
from jminesweeper.session.player import Player
from jminesweeper.session.result import headline
from jminesweeper.session.rights import Verb
from jminesweeper.session.tables import Sitting, TableView
from jminesweeper.session.talks import STAY, Flow
from jminesweeper.session.together import change_room, stand_up

MOST_PHRASES: Final = 6

# Beginning


def be_ready(player: Player, packet: Ready) -> None:
    """Say whether to begin; the table begins once all are ready."""
    sitting = player.sitting
    if sitting is None:
        player.say("room.none")
        return
    if sitting.record:
        _leave_board(player, sitting)
        # While the end of a round was shown, the next one may have begun.
        if (why := player.refusal(Verb.READY)).id:
            player.message = why
            return
    player.message = SILENCE
    room, is_ready = sitting.room, bool(packet.is_ready)
    if is_ready and len(room.here) < room.least:
        player.say("race.two")
    ready = partial(Room.be_ready, number=sitting.number, is_ready=is_ready)
    player.talks.begin(change_room(player, ready))


# What the table says


def follow_room(player: Player, sitting: Sitting) -> None:
    """Show the board of a round, its end, or the people who gather."""
    if player.out.question is not None:
        return
    room, table = sitting.room, sitting.table
    changes = table.changes
    seat = room.seat_of(sitting.player)
    if seat is None:
        stand_up(player, sitting)
        player.say("room.removed" if sitting.player in room.removed else "room.gone")
        return
    sitting.number = seat.number
    if sitting.opponent is not None:
        sitting.opponent.follow(room, seat, player.now_ms)
    if sitting.record and sitting.result is None and room.last is not None:
        is_of_it = room.last.round == sitting.round and sitting.record not in room.records
        sitting.result = room.last if is_of_it else None
        if sitting.result is not None and room.kind is Kind.RACE:
            rows = sitting.view.rows(sitting.result)
            series = sitting.result.series
            player.message = headline(room.kind, rows, sitting.number, Status.ONGOING, series)
    stage, current = table.stage_of(seat.number, player.now_ms), room.round
    if stage is Stage.COUNTDOWN and current is not None:
        sitting.saw_begin = current.number
        if sitting.record:
            _leave_board(player, sitting)
    elif stage in {Stage.PLAYING, Stage.PAUSED} and current is not None:
        record = room.record_of(seat.number)
        if player.match is None or player.match.code != record:
            if table.limits.passes("open", player.now_ms, sitting):
                player.talks.close()
                player.talks.begin(_open_board(player, sitting, record))
            return
        if room.kind is Kind.SHARED:
            _follow_pause(player, sitting, player.match)
    sitting.followed = changes


def _leave_board(player: Player, sitting: Sitting) -> None:
    """Leave the board of a round, and return to the waiting room."""
    sitting.record, sitting.result = "", None
    player.leave_seat()
    player.message = SILENCE


def _open_board(player: Player, sitting: Sitting, record: str) -> Flow:
    room = sitting.room
    number = 0 if room.round is None else room.round.number
    match = yield from open_copy(player, sitting.view, record, is_new=sitting.saw_begin == number)
    if match is None:
        player.say("unreadable")
        return STAY
    sitting.record, sitting.round, sitting.saw_begin = record, number, 0
    player.play(match, match.game.setup.start)
    player.matches.publish_progress(match)
    player.message = SILENCE
    if room.kind is Kind.SHARED:
        _follow_pause(player, sitting, match)
    if player.account.is_in:
        partners = remember_partners(sitting.player, room.seats, player.now_s, player.tokens)
        player.begin_errand(partners)
        if room.kind is Kind.SHARED and match.journal.stored:
            player.begin_errand(join_record(record, sitting.player, player.now_s, player.tokens))
    return STAY


def open_copy(
    player: Player, view: TableView, code: str, *, is_new: bool = False
) -> Generator[Any, Any, Match | None]:
    """Open a record of the round, which its first action makes; its clock is the round's."""
    match = player.matches.find(code)
    if match is None and not is_new:
        opened = yield from open_game(code)
        match = player.matches.find(code)
        if match is None and opened is not None:
            match = yield from open_match(player, opened)
            if match is None:
                return None
    room = view.room
    if match is None or match.journal.state is State.NEW:
        if code not in room.records or room.round is None:
            return None
        if match is None:
            held = player.account.held
            if not player.account.is_in:
                held = PlayerCopy(player.token, player.tokens)
            match = new_copy(room, code, held, player.tokens)
        elif isinstance(match.journal, RoundJournal):
            match.journal.document = record_for(room, code)
    if view.room.kind is Kind.SHARED:
        match.audience = view.players
    set_clock(player, match, view)
    return match


def new_copy(room: Room, code: str, held: PlayerCopy, random_bits: RandomBits) -> Match:
    """Return a copy of the round's board in which nobody has acted."""
    document = record_for(room, code)
    journal = RoundJournal(code, document, held, random_bits)
    return Match(journal.game, journal, document.begun_at_ms)


def set_clock(player: Player, match: Match, view: TableView) -> None:
    """Run or stop the clock of a match with that of its round."""
    current = view.room.round
    if current is not None and current.stopped_ms is not None:
        match.stop_at(current.stopped_ms)
    elif not (match.is_over or (match.has_round_clock and match.clock_runs)):
        match.run_since(view.table.clock_ms(player.now_ms), player.now_ms)


def tell_end(player: Player, sitting: Sitting, game: Game) -> None:
    """Say how a round ended; in a race the lines of all say who was first."""
    room = sitting.room
    if game.status is Status.TERMINATED:
        is_on = sitting.record in room.records and room.kind is Kind.RACE
        player.say("race.gave_up" if is_on else "round.over")
    elif room.kind is Kind.RACE and game.status is Status.WON:
        player.say("race.finished", seconds=game.elapsed_ms / 1000)
    elif room.kind is Kind.RACE:
        player.say("lost")
    elif game.status is Status.WON:
        player.say("shared.won")
    else:
        *_, author = unpack_entry(game.log.entries[-1])
        names = (seat.name for seat in room.seats if seat.number == author)
        player.say("shared.lost", name=next(names, "Somebody"))


def give_up(player: Player, _packet: Command) -> None:
    """End the own copy in a race; the others play on."""
    if player.act(ActionKind.TERMINATE):
        player.say("race.gave_up")


# A pause


def vote_for_pause(player: Player) -> None:
    """Want a pause of a shared game, or no more; in a pause, end it for all."""
    if (sitting := player.sitting) is None or (current := sitting.room.round) is None:
        return
    change = partial(Room.resume, utc_ms=player.utc_ms)
    if current.stopped_ms is None:
        wants = sitting.number not in current.votes
        change = partial(Room.vote, number=sitting.number, wants=wants)
    player.talks.begin(change_room(player, change))


def _follow_pause(player: Player, sitting: Sitting, match: Match) -> None:
    """Stop and hide a shared game for a pause, and say who wants one."""
    room, seat = sitting.room, player.seat
    if (current := room.round) is None or seat is None:
        return
    is_paused = current.stopped_ms is not None
    votes = {each.number: each.name for each in room.seats if each.number in current.votes}
    if is_paused != seat.is_paused:
        seat.follow_pause(is_paused=is_paused)
        player.message = SILENCE
    elif news := votes.keys() - sitting.votes:
        if sitting.number in news:
            player.say("pause.vote")
        else:
            player.say("pause.wanted", name=votes[max(news)])
    sitting.votes = votes.keys()
    set_clock(player, match, sitting.view)


def blocked_ms(player: Player, match: Match) -> int:
    """Return the penalty left, in milliseconds."""
    sitting, game = player.sitting, match.game
    if game.setup.variant.rules.mine is not MineEffect.PENALTY or sitting is None or match.is_over:
        return 0
    return game.blocked_until_ms(sitting.number) - match.elapsed_ms(player.now_ms)


# What is told


def show_cursor(player: Player) -> None:
    """Show the others where the player is, in a shared game."""
    sitting, seat = player.sitting, player.seat
    if sitting is not None and seat is not None and sitting.room.kind is Kind.SHARED:
        (cell,) = seat.places((seat.cursor,))
        player.matches.tables.send(sitting.table.code, Pointed(sitting.number, cell))


def say(player: Player, packet: Say) -> None:
    """Say one of the phrases, once a second."""
    sitting = player.sitting
    if sitting is None:
        player.say("room.none")
    elif packet.phrase > MOST_PHRASES:
        player.say("bad.phrase", number=packet.phrase)
    elif player.now_ms < sitting.table.limits.next_ms("say", sitting.number):
        player.say("slow")
    else:
        size = sitting.room.variant.size
        is_on_board = packet.column < size.columns and packet.row < size.rows
        cell = packet.row * size.columns + packet.column if is_on_board else -1
        spoke = Spoke(sitting.number, packet.phrase, cell)
        player.matches.tables.send(sitting.table.code, spoke)
