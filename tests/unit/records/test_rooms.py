import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import MineEffect
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.records.rooms import (
    COUNTDOWN_MS,
    LAST_MINUTE_MS,
    MAX_SEATS,
    MOST_REMOVED,
    SEAT_KEPT_MS,
    Finish,
    Kind,
    Room,
    RoomError,
    Stage,
)

EXPERT = CLASSIC_BOARDS["expert"]
RACING = replace(EXPERT, rules=replace(EXPERT.rules, mine=MineEffect.PENALTY))
SETUP = Setup(RACING, seed=1, first=Cell(4, 4))
NOW_MS = 1_800_000_000_000
WON, GAVE_UP = Finish(True, 61_000, 381, 1), Finish(False, 9_000, 40, 0)


def race(*players: str, kind: Kind = Kind.RACE) -> Room:
    room = Room("KRTPW", kind, RACING)
    for player in players:
        room = room.sit(player, player.title())
    return room


def readied(room: Room) -> Room:
    for seat in room.seats:
        room = room.ready(seat.number, is_ready=True)
    return room


def running(*players: str, kind: Kind = Kind.RACE) -> Room:
    room = readied(race(*players, kind=kind))
    room = room.count_down(SETUP, (f"game{number}" for number in range(99)), NOW_MS)
    return room.pass_time(NOW_MS + COUNTDOWN_MS)


def test_the_first_one_is_the_host_and_the_next_one_when_the_host_goes() -> None:
    room = race("ada", "bob", "cy")
    assert room.host == 1
    assert room.leave(1, NOW_MS).host == 2
    assert room.leave(2, NOW_MS).host == 1


def test_nobody_has_two_seats() -> None:
    room = race("ada", "bob").sit("ada", "Ada again")
    assert [(seat.number, seat.name) for seat in room.seats] == [(1, "Ada again"), (2, "Bob")]


def test_a_seat_that_is_free_is_given_again() -> None:
    room = race("ada", "bob", "cy").leave(2, NOW_MS).sit("dan", "Dan")
    assert [seat.number for seat in room.seats] == [1, 3, 2]


@pytest.mark.parametrize(
    ("room", "player", "is_bot", "why"),
    [
        (race(*map(str, range(MAX_SEATS))), "ada", False, "15 players"),
        (running("ada", "bob"), "cy", False, "you can watch"),
        (replace(race("ada"), allows_bots=False), "bot", True, "people only"),
        (race("ada", "bob").remove(1, 2, NOW_MS), "bob", False, "removed you"),
    ],
)
def test_who_cannot_sit_down_is_told_why(room: Room, player: str, is_bot: bool, why: str) -> None:
    with pytest.raises(RoomError, match=why):
        room.sit(player, "", is_bot=is_bot)


def test_late_comers_of_a_shared_game_play_at_once() -> None:
    room = running("ada", kind=Kind.SHARED).sit("bob", "Bob")
    assert room.is_playing
    assert room.game == "game0"


def test_only_the_host_chooses_and_removes() -> None:
    room = race("ada", "bob")
    with pytest.raises(RoomError, match="Only the host"):
        room.choose(2, EXPERT)
    with pytest.raises(RoomError, match="Only the host"):
        room.remove(2, 1, NOW_MS)
    with pytest.raises(RoomError, match="leave instead"):
        room.remove(1, 1, NOW_MS)


def test_a_room_does_not_grow_with_those_who_are_sent_away() -> None:
    room = race("ada")
    for number in range(MOST_REMOVED + 10):
        room = room.sit(f"~{number}", "Eve").remove(1, 2, NOW_MS)
    assert len(room.removed) == MOST_REMOVED
    with pytest.raises(RoomError, match="removed you"):
        room.sit(f"~{MOST_REMOVED + 9}", "Eve")


def test_another_board_wants_everybody_ready_again() -> None:
    room = readied(race("ada", "bob")).choose(1, CLASSIC_BOARDS["beginner"])
    assert room.variant == CLASSIC_BOARDS["beginner"]
    assert not room.is_ready


@pytest.mark.parametrize(
    ("room", "is_ready"),
    [
        (race("ada", "bob"), False),
        (race("ada", "bob").ready(1, is_ready=True), False),
        (readied(race("ada", "bob")), True),
        (readied(race("ada")), False),
        (readied(race("ada", kind=Kind.SHARED)), True),
        (readied(race("ada", "bob")).ready(2, is_ready=False), False),
        (readied(race("ada", "bob")).sit("cy", "Cy"), False),
        (readied(race("ada", "bob", "cy")).leave(3, NOW_MS), True),
    ],
)
def test_a_round_begins_once_everybody_who_is_there_is_ready(room: Room, is_ready: bool) -> None:
    assert room.is_ready is is_ready
    if not is_ready:
        with pytest.raises(RoomError, match="Not everybody"):
            room.count_down(SETUP, iter(()), NOW_MS)


def test_three_seconds_are_counted_down_unless_somebody_comes_or_goes() -> None:
    room = readied(race("ada", "bob")).count_down(SETUP, iter(["a", "b"]), NOW_MS)
    assert room.next_moment_ms() == NOW_MS + COUNTDOWN_MS
    assert room.pass_time(NOW_MS + COUNTDOWN_MS - 1).stage is Stage.COUNTDOWN
    assert room.pass_time(NOW_MS + COUNTDOWN_MS).is_playing
    for stopped in (room.sit("cy", "Cy"), room.leave(2, NOW_MS), room.ready(1, is_ready=False)):
        assert stopped.stage is Stage.WAITING


def test_each_racer_has_a_record_on_the_same_board() -> None:
    room = running("ada", "bob")
    assert [seat.code for seat in room.seats] == ["game0", "game1"]
    assert room.setup == SETUP


def test_the_first_to_finish_leaves_the_others_a_minute() -> None:
    room = running("ada", "bob").finish(2, WON, NOW_MS + 61_000)
    assert room.next_moment_ms() == NOW_MS + 61_000 + LAST_MINUTE_MS
    assert room.pass_time(NOW_MS + 61_000 + LAST_MINUTE_MS).stage is Stage.OVER
    assert room.places == {2: 1}


def test_a_finish_counts_once() -> None:
    room = running("ada", "bob").finish(2, WON, NOW_MS)
    assert room.finish(2, GAVE_UP, NOW_MS) == room


def test_a_race_is_over_when_everybody_has_finished() -> None:
    room = running("ada", "bob").finish(1, WON._replace(time_ms=62_000), NOW_MS)
    room = room.finish(2, WON, NOW_MS)
    assert room.stage is Stage.OVER
    assert [seat.player for seat in room.standings] == ["bob", "ada"]


def test_who_did_not_win_is_listed_by_what_was_opened() -> None:
    room = running("ada", "bob", "cy", "dan").finish(1, GAVE_UP, NOW_MS)
    room = room.finish(2, GAVE_UP._replace(opened=90), NOW_MS).finish(3, WON, NOW_MS)
    assert [seat.player for seat in room.standings] == ["cy", "bob", "ada", "dan"]


def test_a_seat_is_kept_for_two_minutes_with_what_it_owes() -> None:
    room = running("ada", "bob").finish(1, GAVE_UP, NOW_MS).leave(2, NOW_MS)
    assert room.next_moment_ms() == NOW_MS + SEAT_KEPT_MS
    assert room.sit("bob", "Bob").seat(2).code == room.seat(2).code
    assert room.pass_time(NOW_MS + SEAT_KEPT_MS - 1).is_playing
    assert room.pass_time(NOW_MS + SEAT_KEPT_MS).stage is Stage.OVER


def test_who_leaves_after_a_race_stays_in_its_result() -> None:
    players = [f"p{number}" for number in range(MAX_SEATS)]
    room = running(*players)
    for seat in room.seats:
        room = room.finish(seat.number, WON, NOW_MS)
    room = room.leave(2, NOW_MS)
    assert room.seat(2).finish == WON
    assert room.pass_time(NOW_MS).sit("late", "Late").seat(2).player == "late"
    for seat in room.seats:
        room = room.leave(seat.number, NOW_MS)
    assert not room.seats


def test_in_a_full_shared_game_others_come_in_place_of_those_who_have_gone() -> None:
    players = [f"p{number}" for number in range(MAX_SEATS)]
    room = running(*players, kind=Kind.SHARED).leave(3, NOW_MS)
    with pytest.raises(RoomError, match="15 players"):
        room.pass_time(NOW_MS + SEAT_KEPT_MS - 1).sit("late", "Late")
    late = room.pass_time(NOW_MS + SEAT_KEPT_MS).sit("late", "Late").seat_of("late")
    assert late is not None
    assert late.number == 3


def test_nobody_waits_for_a_player_who_was_removed() -> None:
    room = running("ada", "bob").finish(1, GAVE_UP, NOW_MS)
    assert room.remove(1, 2, NOW_MS).stage is Stage.OVER


def test_the_next_round_is_for_those_who_are_there() -> None:
    room = running("ada", "bob", "cy").leave(3, NOW_MS).finish(1, WON, NOW_MS)
    room = room.finish(2, GAVE_UP, NOW_MS).pass_time(NOW_MS + LAST_MINUTE_MS)
    again = room.ready(2, is_ready=True)
    assert [(seat.player, seat.is_ready, seat.finish) for seat in again.seats] == [
        ("ada", False, WON),
        ("bob", True, GAVE_UP),
    ]
    assert again.stage is Stage.WAITING
    assert again.setup is None


def test_the_results_stay_until_the_next_round_or_another_board() -> None:
    over = running("ada", "bob").finish(1, WON, NOW_MS).finish(2, GAVE_UP, NOW_MS)
    begun = readied(over).count_down(SETUP, iter("ab"), NOW_MS)
    for room in (begun, over.choose(1, EXPERT)):
        assert [seat.finish for seat in room.seats] == [None, None]


def test_a_room_is_as_it_was_once_read_again() -> None:
    for room in (
        race("ada"),
        running("ada", "bob").finish(1, WON, NOW_MS),
        running("x", kind=Kind.SHARED),
    ):
        assert Room.parse(room.code, room.format()) == room


def test_a_round_that_is_paused_has_a_clock_without_its_pauses() -> None:
    start_ms = NOW_MS + COUNTDOWN_MS
    room = running("ada", "bob", kind=Kind.SHARED).vote(1, start_ms + 1_000)
    assert not room.is_paused
    room = room.vote(2, start_ms + 2_000)
    assert room.is_paused
    assert room.clock_ms(start_ms + 9_000) == 2_000
    room = room.vote(1, start_ms + 12_000)
    assert not room.is_paused
    assert room.clock_ms(start_ms + 13_000) == 3_000
    with pytest.raises(RoomError, match="Only a shared game"):
        running("ada", "bob").vote(1, NOW_MS)


def something_happens(room: Room, draw: random.Random, now_ms: int) -> Room:
    number = draw.choice(room.seats).number if room.seats else 1
    events: dict[str, Callable[[], Room]] = {
        "sit": lambda: room.sit(f"p{draw.randrange(20)}", ""),
        "leave": lambda: room.leave(number, now_ms),
        "remove": lambda: room.remove(room.host, number, now_ms),
        "ready": lambda: room.ready(number, is_ready=draw.random() < 0.9),
        "count": lambda: readied(room).count_down(SETUP, map(str, range(99)), now_ms),
        "finish": lambda: room.finish(number, draw.choice((WON, GAVE_UP)), now_ms),
        "vote": lambda: room.vote(number, now_ms),
        "choose": lambda: room.choose(room.host, RACING),
        "time": lambda: room.pass_time(now_ms),
    }
    return events[draw.choice([*events])]()


@pytest.mark.parametrize("seed", range(60))
def test_whatever_happens_a_room_keeps_its_promises(seed: int) -> None:
    draw = random.Random(seed)
    room, now_ms = race("p0", kind=draw.choice(list(Kind))), NOW_MS
    for _ in range(120):
        now_ms += draw.choice((0, 1_000, 30_000))
        with suppress(RoomError):
            room = something_happens(room, draw, now_ms)
        numbers = [seat.number for seat in room.seats]
        here = [seat for seat in room.seats if seat.is_here]
        assert len(set(numbers)) == len(numbers) <= MAX_SEATS
        assert len({seat.player for seat in room.seats}) == len(numbers)
        assert not here or room.host in {seat.number for seat in here}
        assert not room.is_paused or room.kind is Kind.SHARED
        assert room.setup is not None or room.stage is Stage.WAITING
        assert not {seat.player for seat in here} & set(room.removed)
        assert Room.parse(room.code, room.format()) == room
