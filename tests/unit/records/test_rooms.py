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
    BARRED_S,
    COUNTDOWN_MS,
    MAX_GUESTS_OF_ADDRESS,
    MAX_SEATS,
    MOST_REMOVED,
    Finish,
    Kind,
    Line,
    Result,
    Room,
    RoomError,
    RoundSeries,
)

EXPERT = CLASSIC_BOARDS["expert"]
RACING = replace(EXPERT, rules=replace(EXPERT.rules, mine=MineEffect.PENALTY))
SETUP = Setup(RACING, seed=1, first=Cell(4, 4))
NOW_MS = 1_800_000_000_000
WON, GAVE_UP = Finish(True, 61_000, 381, 1), Finish(False, 9_000, 40, 0)


def room_of(*players: str, kind: Kind = Kind.RACE) -> Room:
    room = Room("KRTPWX", kind, RACING, "key")
    for player in players:
        room = room.sit(player, player.title())
    return room


def ready(room: Room, *numbers: int) -> Room:
    for number in numbers or [seat.number for seat in room.seats]:
        room = room.be_ready(number, is_ready=True)
    return room


def running(*players: str, kind: Kind = Kind.RACE) -> Room:
    return ready(room_of(*players, kind=kind)).deal(1, SETUP, NOW_MS)


def players_of(room: Room) -> tuple[int, ...]:
    assert room.round is not None
    return room.round.players


def test_the_first_one_is_the_host_and_the_next_one_when_the_host_goes() -> None:
    room = room_of("ada", "bob", "cy")
    assert room.host == 1
    assert room.leave(1).host == 2
    assert room.lose((1, 2)).host == 3
    assert room.leave(2).host == 1


def test_nobody_has_two_seats() -> None:
    room = room_of("ada", "bob").sit("ada", "Ada again")
    assert [(seat.number, seat.name) for seat in room.seats] == [(1, "Ada again"), (2, "Bob")]


def test_a_seat_that_is_free_is_given_again() -> None:
    room = room_of("ada", "bob", "cy").leave(2).sit("dan", "Dan")
    assert [seat.number for seat in room.seats] == [1, 3, 2]


@pytest.mark.parametrize(
    ("room", "player", "is_bot", "why"),
    [
        (room_of(*map(str, range(MAX_SEATS))), "ada", False, "room.full"),
        (replace(room_of("ada"), allows_bots=False), "bot", True, "room.people"),
        (room_of("ada").lock(1, is_locked=True), "bob", False, "room.locked"),
        (room_of("ada", "bob").remove(1, "bob"), "bob", False, "room.removed"),
    ],
)
def test_who_cannot_sit_down_is_told_why(room: Room, player: str, is_bot: bool, why: str) -> None:
    with pytest.raises(RoomError, match=why):
        room.sit(player, "", is_bot=is_bot)


def test_a_locked_room_takes_those_back_whose_seat_is_kept() -> None:
    room = room_of("ada", "bob").lock(1, is_locked=True).lose((2,))
    assert room.sit("bob", "Bob").seat(2).away is None


@pytest.mark.parametrize(("kind", "players"), [(Kind.RACE, (1, 2)), (Kind.SHARED, (1, 2, 3))])
@pytest.mark.parametrize("is_dealt", [False, True])
def test_late_comers_sit_out_a_race_and_take_part_in_a_shared_board(
    kind: Kind, players: tuple[int, ...], *, is_dealt: bool
) -> None:
    room = ready(room_of("ada", "bob", kind=kind))
    room = room.deal(1, SETUP, NOW_MS) if is_dealt else room
    assert players_of(room.sit("cy", "Cy")) == players


def test_who_was_not_ready_takes_part_in_a_shared_board_by_being_ready() -> None:
    room = ready(room_of("ada", "bob", "cy", kind=Kind.SHARED), 1, 2).begin(1)
    assert players_of(ready(room, 3)) == (1, 2, 3)
    assert ready(room, 1) == room
    race = ready(room_of("ada", "bob", "cy"), 1, 2).begin(1)
    assert ready(race, 3) == race


def test_only_the_host_chooses_locks_begins_and_removes() -> None:
    room = room_of("ada", "bob")
    changes: list[Callable[[], Room]] = [
        lambda: room.choose(2, EXPERT),
        lambda: room.lock(2, is_locked=True),
        lambda: room.open_up(2, is_open=True),
        lambda: room.begin(2),
        lambda: room.remove(2, "ada"),
    ]
    for change in changes:
        with pytest.raises(RoomError, match=r"room\.host"):
            change()
    with pytest.raises(RoomError, match=r"room\.yourself"):
        room.remove(1, "ada")


def test_everybody_in_a_room_has_a_name_of_their_own_and_keeps_it() -> None:
    room = room_of("ada").sit("other", "ADA").sit("third", "Ada")
    assert [seat.name for seat in room.seats] == ["Ada", "ADA#2", "Ada#3"]
    # Whoever leaves gives nobody another name, and whoever comes back has the old one.
    room = room.lose((2,)).leave(1)
    assert [seat.name for seat in room.sit("other", "ADA").seats] == ["ADA#2", "Ada#3"]
    assert [seat.name for seat in room.sit("other", "ADA#2").seats] == ["ADA#2", "Ada#3"]
    assert [seat.name for seat in room.sit("third", "Bob").seats] == ["ADA#2", "Bob"]
    assert room.sit("fourth", "ada").seats[-1].name == "ada"


def test_guests_of_one_address_take_half_the_seats_at_most() -> None:
    room = room_of("ada")
    for number in range(MAX_GUESTS_OF_ADDRESS):
        room = room.sit(f"~{number}", "Eve", address="cafe")
    with pytest.raises(RoomError, match=r"room\.guests"):
        room.sit("~late", "Eve", address="cafe")
    # Whoever has a seat comes back, and known players and guests from elsewhere have seats left.
    assert len(room.lose((2,)).sit("~0", "Eve", address="cafe").here) == MAX_GUESTS_OF_ADDRESS + 1
    assert room.sit("bob", "Bob", address="cafe").sit("~x", "Cy", address="home").seat_of("~x")


def test_the_guests_of_an_address_stay_out_for_ten_minutes_once_one_was_removed() -> None:
    now_s = 1_800_000_000
    room = room_of("ada").sit("~eve", "Eve", address="cafe", now_s=now_s).remove(1, "~eve", now_s)
    for at_s in (now_s, now_s + BARRED_S - 1):
        with pytest.raises(RoomError, match=r"room\.barred"):
            room.sit("~eve again", "Eve", address="cafe", now_s=at_s)
    assert room.sit("bob", "Bob", address="cafe", now_s=now_s).seat_of("bob")
    assert room.sit("~cy", "Cy", address="home", now_s=now_s).seat_of("~cy")
    late = room.sit("~dan", "Dan", address="cafe", now_s=now_s + BARRED_S)
    # What is over is forgotten.
    assert late.remove(1, "~dan", now_s + BARRED_S).barred == (("cafe", now_s + 2 * BARRED_S),)


def test_a_room_does_not_grow_with_those_who_are_sent_away() -> None:
    room = room_of("ada")
    for number in range(MOST_REMOVED + 10):
        room = room.sit(f"~{number}", "Eve", address=f"{number}").remove(1, f"~{number}")
    assert len(room.removed) == len(room.barred) == MOST_REMOVED
    with pytest.raises(RoomError, match=r"room\.removed"):
        room.sit(f"~{MOST_REMOVED + 9}", "Eve")


def test_another_board_wants_everybody_ready_again() -> None:
    room = ready(room_of("ada", "bob", "cy"), 1, 2).choose(1, CLASSIC_BOARDS["beginner"])
    assert room.variant == CLASSIC_BOARDS["beginner"]
    assert (room.ready, room.is_patient) == ((), False)
    with pytest.raises(RoomError, match=r"room\.running"):
        running("ada", "bob").choose(1, EXPERT)


@pytest.mark.parametrize(
    ("room", "players"),
    [
        (room_of("ada", "bob"), None),
        (ready(room_of("ada", "bob"), 1), None),
        (ready(room_of("ada")), None),
        (ready(room_of("ada", "bob")), (1, 2)),
        (ready(room_of("ada", kind=Kind.SHARED)), (1,)),
        (ready(room_of("ada", "bob", "cy"), 1, 2), None),
        (ready(room_of("ada", "bob", "cy"), 1, 2).leave(3), (1, 2)),
        (ready(room_of("ada", "bob", "cy"), 1, 2).lose((3,)), (1, 2)),
        (ready(room_of("ada", "bob", "cy"), 1, 2).remove(1, "cy"), (1, 2)),
        (ready(room_of("ada", "bob", "cy"), 1, 2).begin(1), (1, 2)),
    ],
)
def test_a_round_is_called_once_all_who_are_there_are_ready_or_the_host_begins(
    room: Room, players: tuple[int, ...] | None
) -> None:
    assert (None if room.round is None else room.round.players) == players


@pytest.mark.parametrize(
    ("room", "is_patient"),
    [
        (ready(room_of("ada", "bob", "cy"), 1), False),
        (ready(room_of("ada", "bob", "cy"), 1, 2), True),
        (ready(room_of("ada", "bob", kind=Kind.SHARED), 1), True),
        (ready(room_of("ada", "bob", "cy"), 1, 2).sit("dan", "Dan").sit("eve", "Eve"), True),
        (ready(room_of("ada", "bob", "cy"), 1, 2).be_ready(2, is_ready=False), False),
    ],
)
def test_the_others_are_waited_for_from_when_half_are_ready(room: Room, is_patient: bool) -> None:
    assert room.is_patient is is_patient


def test_too_few_who_are_ready_begin_nothing() -> None:
    room = ready(room_of("ada", "bob", "cy"), 1)
    assert room.call() == room
    with pytest.raises(RoomError, match=r"room\.few"):
        room.begin(1)


def test_a_round_that_was_called_is_called_off_if_too_few_are_left() -> None:
    room = ready(room_of("ada", "bob")).leave(2)
    assert room.round is None
    assert room.ready == ()
    assert ready(room_of("ada", "bob", "cy")).leave(3).round is not None


def test_what_somebody_does_in_a_countdown_stops_nothing() -> None:
    room = running("ada", "bob")
    assert room.round is not None
    assert room.round.starts_at_ms == NOW_MS + COUNTDOWN_MS
    for after in (room.leave(2), room.sit("cy", "Cy"), room.be_ready(1, is_ready=False)):
        assert after.round == room.round


def test_of_two_boards_the_first_counts() -> None:
    room = running("ada", "bob")
    assert room.deal(1, replace(SETUP, seed=2), NOW_MS + 9) == room
    assert room.deal(2, replace(SETUP, seed=2), NOW_MS + 9) == room


def test_records_follow_from_room_round_and_seat() -> None:
    room = running("ada", "bob")
    assert list(room.records.values()) == [(1,), (2,)]
    assert len({*room.records, *replace(room, key="another").records}) == 4
    again = ready(room.end(Result(1, ()))).deal(2, SETUP, NOW_MS)
    assert not room.records.keys() & again.records.keys()
    shared = running("ada", "bob", kind=Kind.SHARED)
    assert list(shared.records.values()) == [(1, 2)]
    assert shared.record_of(1) == shared.record_of(2)
    assert shared.record_of(3) == ""


def test_who_leaves_a_round_has_the_seat_again_by_sitting_down() -> None:
    room = running("ada", "bob").leave(2)
    assert room.seat(2).is_gone
    back = room.sit("bob", "Bob")
    assert back.seat(2).away is None
    assert back.record_of(2) == room.record_of(2)


def test_in_a_full_shared_game_others_come_in_place_of_those_who_have_gone() -> None:
    players = [f"p{number}" for number in range(MAX_SEATS)]
    room = running(*players, kind=Kind.SHARED)
    with pytest.raises(RoomError, match=r"room\.full"):
        room.sit("late", "Late")
    late = room.leave(3).sit("late", "Late").seat_of("late")
    assert late is not None
    assert late.number == 3
    with pytest.raises(RoomError, match=r"room\.full"):
        running(*players).leave(3).sit("late", "Late")


def test_who_is_removed_plays_the_round_no_more() -> None:
    room = running("ada", "bob", "cy").remove(1, "bob")
    assert players_of(room) == (1, 3)
    assert room.remove(1, "bob") == room


def rated_race() -> Room:
    room = room_of()
    for name in ("ada", "bob", "cy"):
        room = room.sit(name, name.title(), address=f"of {name}", ratings={})
    return ready(room).deal(1, SETUP, NOW_MS)


def test_who_is_removed_from_a_race_that_moves_ratings_plays_it_to_its_end() -> None:
    room = rated_race().remove(1, "bob")
    assert players_of(room) == (1, 2, 3)
    assert room.lose((2,)).sit("bob", "Bob").seat(2).away is None
    # Neither do the others come under the rule of somebody who is removed.
    assert room.leave(1).host == 3
    ended = room.end(Result(1, (Line(2, "Bob", WON, 1), Line(1, "Ada", GAVE_UP))))
    assert [seat.player for seat in ended.seats] == ["ada", "cy"]
    with pytest.raises(RoomError, match=r"room\.removed"):
        ended.sit("bob", "Bob")


@pytest.mark.parametrize(
    "room",
    [
        ready(room_of("ada", "bob", "cy")),
        replace(rated_race(), kind=Kind.SHARED),
        replace(rated_race(), variant=replace(RACING, board="custom")),
        ready(replace(rated_race(), round=None)),
    ],
)
def test_who_is_removed_from_any_other_round_is_out_at_once(room: Room) -> None:
    assert players_of(room.remove(1, "bob")) == (1, 3)


def test_a_seat_that_was_lost_for_long_is_given_up() -> None:
    room = room_of("ada", "bob").lose((2,))
    assert [seat.player for seat in room.drop((1, 2)).seats] == ["ada"]


def test_the_end_of_a_round_counts_its_winner_and_keeps_the_result() -> None:
    result = Result(1, (Line(2, "Bob", WON, 1), Line(1, "Ada", GAVE_UP)))
    room = running("ada", "bob", "cy").leave(3).end(result)
    assert [(seat.player, seat.points) for seat in room.seats] == [("ada", 0), ("bob", 1)]
    assert (room.round, room.ready) == (None, ())
    assert room.last is not None
    assert [(line.name, line.points) for line in room.last.lines] == [("Bob", 1), ("Ada", 0)]
    assert ready(room).leave(1).last == room.last


def test_in_a_race_there_is_a_point_for_everybody_beaten() -> None:
    lines = (Line(2, "Bob", WON, 1), Line(3, "Cy", WON, 2), Line(1, "Ada", GAVE_UP))
    room = running("ada", "bob", "cy").end(Result(1, lines))
    room = ready(room).deal(2, SETUP, NOW_MS).end(Result(2, lines))
    assert {seat.name: seat.points for seat in room.seats} == {"Ada": 0, "Bob": 4, "Cy": 2}


def test_a_board_that_is_won_together_is_a_point_for_each() -> None:
    lines = (Line(1, "Ada", WON), Line(2, "Bob", WON))
    room = running("ada", "bob", kind=Kind.SHARED).end(Result(1, lines))
    assert [seat.points for seat in room.seats] == [1, 1]


def test_a_series_is_over_once_its_first_cannot_be_caught_up() -> None:
    series = RoundSeries(rounds=5, is_on=True)
    for points, is_on in (((1, 0), True), ((2, 0), True), ((3, 0), False)):
        series = series.after_round(60_000, points)
        assert series.is_on is is_on
    assert RoundSeries(rounds=3, played=2, is_on=True).after_round(1, (2, 2, 2)).is_on is False
    assert RoundSeries(minutes=15, is_on=True).after_round(14 * 60_000, (1, 0)).is_on
    assert not RoundSeries(minutes=15, is_on=True).after_round(15 * 60_000, (1, 0)).is_on


def test_points_are_kept_for_who_leaves_and_comes_back() -> None:
    room = running("ada", "bob", "cy").leave(2)
    room = room.end(Result(1, (Line(2, "Bob", WON, 1), Line(1, "Ada", GAVE_UP))))
    assert room.seat_of("bob") is None
    back = room.sit("dan", "Dan").sit("bob", "Bob").seat_of("bob")
    assert back is not None
    assert back.points == 1


@pytest.mark.parametrize("wants", [True, False])
def test_every_change_may_be_made_twice(wants: bool) -> None:
    race, shared = running("ada", "bob", "cy"), running("ada", "bob", kind=Kind.SHARED)
    gathering = room_of("ada", "bob", "cy")
    voted = shared.vote(1, wants=True).vote(2, wants=True)
    changes: list[tuple[Room, Callable[[Room], Room]]] = [
        (gathering, lambda room: room.sit("dan", "Dan")),
        (gathering, lambda room: room.be_ready(1, is_ready=wants)),
        (gathering, lambda room: room.lock(1, is_locked=wants)),
        (gathering, lambda room: room.lose((2,))),
        (ready(gathering, 1, 2), Room.call),
        (race, lambda room: room.remove(1, "bob")),
        (race, lambda room: room.leave(2)),
        (shared, lambda room: room.vote(1, wants=wants)),
        (voted, lambda room: room.pause(5_000)),
        (voted.pause(5_000), lambda room: room.resume(NOW_MS)),
    ]
    for before, change in changes:
        assert change(change(before)) == change(before)


def test_a_pause_begins_once_all_who_are_there_want_it_and_ends_with_one_of_them() -> None:
    room = running("ada", "bob", "cy", kind=Kind.SHARED).leave(3).vote(1, wants=True)
    assert not room.wants_pause
    assert room.pause(5_000) == room
    assert room.leave(2).wants_pause
    paused = room.vote(2, wants=True).pause(5_000)
    assert paused.round is not None
    assert paused.round.stopped_ms == 5_000
    resumed = paused.resume(NOW_MS).round
    assert resumed is not None
    assert (resumed.stopped_ms, resumed.votes) == (None, ())
    assert resumed.starts_at_ms == NOW_MS - 5_000
    with pytest.raises(RoomError, match=r"room\.pause"):
        running("ada", "bob").vote(1, wants=True)


def test_a_room_is_as_it_was_once_read_again() -> None:
    ended = running("ada", "bob").end(Result(1, (Line(1, "Ada", WON, 1),)))
    barred = (
        room_of("ada").sit("~eve", "Eve", address="cafe").remove(1, "~eve").open_up(1, is_open=True)
    )
    for room in (
        room_of("ada"),
        barred,
        running("ada", "bob"),
        running("x", kind=Kind.SHARED),
        ended,
    ):
        assert Room.parse(room.code, room.text) == room


def something_happens(room: Room, draw: random.Random) -> Room:
    number = draw.choice(room.seats).number if room.seats else 1
    rounds, lines = room.rounds, (Line(number, "", draw.choice((WON, GAVE_UP)), 1),)
    events: dict[str, Callable[[], Room]] = {
        "sit": lambda: room.sit(f"p{draw.randrange(20)}", ""),
        "leave": lambda: room.leave(number),
        "lose": lambda: room.lose((number,)),
        "drop": lambda: room.drop((number,)),
        "remove": lambda: room.remove(room.host, f"p{draw.randrange(20)}"),
        "ready": lambda: room.be_ready(number, is_ready=draw.random() < 0.9),
        "all": lambda: ready(room),
        "deal": lambda: room.deal(rounds, SETUP, NOW_MS),
        "end": lambda: room.end(Result(rounds, lines)) if room.setup is not None else room,
        "vote": lambda: room.vote(number, wants=draw.random() < 0.9),
        "pause": lambda: room.pause(1_000),
        "resume": lambda: room.resume(NOW_MS),
        "choose": lambda: room.choose(room.host, RACING),
        "begin": lambda: room.begin(room.host),
        "series": lambda: room.choose_series(room.host, RoundSeries(rounds=3)),
        "go on": room.go_on,
    }
    return events[draw.choice([*events])]()


@pytest.mark.parametrize("seed", range(60))
def test_whatever_happens_a_room_keeps_its_promises(seed: int) -> None:
    draw = random.Random(seed)
    room = room_of("p0", kind=draw.choice(list(Kind)))
    for _ in range(120):
        with suppress(RoomError):
            room = something_happens(room, draw)
        numbers, here = [seat.number for seat in room.seats], room.here
        assert len(set(numbers)) == len(numbers) <= MAX_SEATS
        assert len({seat.player for seat in room.seats}) == len(numbers)
        assert not here or room.host in {seat.number for seat in here}
        assert not {seat.player for seat in room.seats} & set(room.removed)
        assert room.round is None or {*room.round.votes} <= {*room.round.players} <= {*numbers}
        assert room.round is not None or len(room.ready) < max(room.least, len(here))
        assert Room.parse(room.code, room.text) == room
