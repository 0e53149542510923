"""Records of a round, which their first action makes; and how it ends."""

from __future__ import annotations

import pytest

from jminesweeper.core.actions import ActionKind, unpack_entries
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.records.checking import Checks
from jminesweeper.records.documents import Compute, LongFlow
from jminesweeper.records.journal import State
from jminesweeper.records.players import open_game
from jminesweeper.records.rooms import Kind, Room
from jminesweeper.records.rounds import Outlook, RoundJournal, Settled, record_for, settle, writing
from jminesweeper.store.blocking import perform, run
from jminesweeper.store.port import Commit, Read, Scan
from tests.unit.records.club import Club

SETUP = Setup.of("beginner", seed=1, first=Cell(4, 4))
CODE = "KRTPWX"


def begun(club: Club, kind: Kind = Kind.RACE) -> Room:
    """Store a room in which a round is on."""
    room = Room(CODE, kind, SETUP.variant, "key", revision=1)
    for player in ("ada", "bob"):
        room = room.sit(player, player.title())
    for number in (1, 2):
        room = room.be_ready(number, is_ready=True)
    room = room.deal(1, SETUP, club.now_s * 1000)
    perform(club.store, writing(None, 0, room, club.now_s, club.draw))
    return room


def journal_of(club: Club, room: Room, number: int) -> RoundJournal:
    code, player = room.record_of(number), room.seat(number).player
    return RoundJournal(code, record_for(room, code), club.enter(player), club.draw)


def store_all(club: Club, journal: RoundJournal) -> None:
    while (operation := journal.next_operation(club.now_s * 1000)) is not None:
        journal.take_answer(perform(club.store, operation))


def log_of(club: Club, code: str) -> list[int]:
    opened = club.do(open_game(code))
    return [] if opened is None else [*unpack_entries(opened.entries)]


def finish(club: Club, flow: LongFlow[Settled], asked: Commit | Read | Compute) -> Settled:
    """Carry out the rest of a flow, from an operation that it has asked for."""
    while True:
        answer = asked() if isinstance(asked, Compute) else perform(club.store, asked)
        try:
            asked = flow.send(answer)
        except StopIteration as end:
            settled: Settled = end.value
            return settled


def flag(journal: RoundJournal, club: Club, index: int) -> None:
    journal.act(ActionKind.FLAG, index, 1_000, 1, club.now_s * 1000)


def test_a_record_is_made_by_its_first_action_and_not_before(club: Club) -> None:
    journal = journal_of(club, begun(club), 1)
    assert journal.next_operation(club.now_s * 1000) is None
    assert (journal.is_at_rest, journal.may_show(journal.length)) == (True, True)
    flag(journal, club, 0)
    assert not journal.may_show(journal.length)
    store_all(club, journal)
    assert log_of(club, journal.code) == [*journal.game.log.entries]


def test_an_action_done_while_the_record_is_made_is_stored_after_it(club: Club) -> None:
    journal = journal_of(club, begun(club), 1)
    flag(journal, club, 0)
    asked = journal.next_operation(club.now_s * 1000)
    assert asked is not None
    flag(journal, club, 1)
    journal.take_answer(perform(club.store, asked))
    store_all(club, journal)
    assert log_of(club, journal.code) == [*journal.game.log.entries]
    assert journal.stored == journal.length == 3


def test_of_two_first_actions_at_once_both_are_stored(club: Club) -> None:
    room = begun(club, Kind.SHARED)
    one, other = journal_of(club, room, 1), journal_of(club, room, 2)
    flag(one, club, 0)
    flag(other, club, 1)
    store_all(club, one)
    store_all(club, other)
    one.note_length(other.length)
    store_all(club, one)
    assert log_of(club, one.code) == [*one.game.log.entries] == [*other.game.log.entries]
    assert one.length == 3


def test_a_log_is_closed_by_the_commit_that_notes_the_result(club: Club) -> None:
    room = begun(club)
    played, idle = journal_of(club, room, 1), journal_of(club, room, 2)
    flag(played, club, 0)
    store_all(club, played)
    settled = run(club.store, settle(CODE, 1, Outlook((1, 2), 5_000, club.now_s), club.draw))
    assert settled.room is not None
    assert settled.room.last is not None
    for journal in (played, idle):
        flag(journal, club, 3)
        store_all(club, journal)
        assert journal.game.status.is_over
        assert journal.state is State.IDLE
        assert log_of(club, journal.code) == [*journal.game.log.entries]


def test_a_store_is_sound_after_a_race_that_ran_out_of_time(club: Club) -> None:
    journal = journal_of(club, begun(club), 1)
    flag(journal, club, 0)
    store_all(club, journal)
    run(club.store, settle(CODE, 1, Outlook((), 5_000, club.now_s, is_late=True), club.draw))
    checks = Checks(lambda asked: perform(club.store, asked))
    found = checks.check(perform(club.store, Scan()).commits)
    assert [*found, *checks.check_sums()] == []


def test_an_action_between_judging_and_noting_has_the_round_judged_again(club: Club) -> None:
    room = begun(club)
    journal = journal_of(club, room, 1)
    flag(journal, club, 0)
    store_all(club, journal)
    flow = settle(CODE, 1, Outlook((1, 2), 5_000, club.now_s), club.draw)
    asked = next(flow)
    while not getattr(asked, "appends", ()):
        answer = asked() if isinstance(asked, Compute) else perform(club.store, asked)
        asked = flow.send(answer)
    flag(journal, club, 1)
    store_all(club, journal)
    settled = finish(club, flow, asked)
    assert settled.room is not None
    assert settled.room.last is not None
    closed = log_of(club, journal.code)
    assert closed[:-1] == [*journal.game.log.entries]


def test_a_round_is_not_over_while_somebody_plays(club: Club) -> None:
    room = begun(club)
    settled = run(club.store, settle(CODE, 1, Outlook((), 5_000, club.now_s), club.draw))
    assert settled.room == room
    assert settled.progress.keys() == room.records.keys()


@pytest.mark.parametrize("gives_up", [True, False], ids=["gave up", "left"])
def test_whoever_is_the_last_in_a_race_has_won_it(club: Club, *, gives_up: bool) -> None:
    room, missing = begun(club), () if gives_up else (2,)
    journal = journal_of(club, room, 2)
    journal.act(ActionKind.TERMINATE if gives_up else ActionKind.FLAG, 0, 900, 2, 1)
    store_all(club, journal)
    settled = run(club.store, settle(CODE, 1, Outlook(missing, 5_000, club.now_s), club.draw))
    assert settled.room is not None
    assert settled.room.last is not None
    lines = settled.room.last.lines
    assert [(line.name, line.place, line.points) for line in lines] == [
        ("Ada", 1, 1),
        ("Bob", 0, 0),
    ]
    assert [line.finish.gave_up for line in lines] == [False, gives_up]


def test_on_a_shared_board_who_is_left_plays_on(club: Club) -> None:
    room = begun(club, Kind.SHARED)
    settled = run(club.store, settle(CODE, 1, Outlook((2,), 5_000, club.now_s), club.draw))
    assert settled.room == room
