"""Random interleavings of everything that people and machines do to a room, in simulated time."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from hypothesis import settings

from jminesweeper.records.rooms import Kind, Parting, Room
from jminesweeper.records.rounds import LAST_MINUTE_MS, LOOK_MS, QUIET_MS
from tests.property.rooms_world import Faults, Guest, Process, World

RUNS = max(1, settings().max_examples // 5)
"""Twenty in the suite, two thousand in the long profile."""
TROUBLE = {
    "kill a server": 3,
    "kill all servers": 1,
    "lose the connection": 5,
    "leave": 5,
    "storm": 5,
    "set a clock back": 2,
    "remove": 1,
    "come and go": 3,
    "sleep": 2,
}


class Evening:
    """Some minutes of a room in which much goes wrong, and then some of quiet."""

    def __init__(self, seed: int) -> None:
        kind = Kind.SHARED if seed % 3 == 0 else Kind.RACE
        self.world = world = World(seed, kind, is_rated=kind is Kind.RACE and seed % 4 == 1)
        self.chance = chance = world.chance
        often = [chance.choice([0, 0.01, 0.05]) for _ in range(3)]
        world.faults = Faults(often[0], often[1], often[2], chance.choice([0, 0.02]))
        self.processes = [self._start() for _ in range(chance.randint(2, 3))]
        self.guests = [
            Guest(world, f"p{number}", chance.choice([1, 0.95, 0.8]))
            for number in range(chance.randint(2, 5))
        ]
        for guest in self.guests:
            guest.is_idle = chance.random() < 0.15
            self._come(guest, chance.randint(0, 5_000))

    def spend(self) -> None:
        world = self.world
        for _ in range(self.chance.randint(5, 25)):
            what = self.chance.choices([*TROUBLE], [*TROUBLE.values()])[0]
            world.at(self.chance.randint(5_000, 240_000), partial(self._trouble, what))
        world.run(240_000)
        world.faults = Faults()
        for guest in self.guests:
            guest.is_eager = False
        world.run(700_000)
        if world.room.round is not None:
            # Nobody acts any more.
            quiet_ms = QUIET_MS[world.room.kind]
            world.run(world.now_ms + quiet_ms + 3 * LOOK_MS)

    def _start(self) -> Process:
        return Process(self.world, self.chance.randint(-3_000, 3_000))

    def _come(self, guest: Guest, in_ms: int) -> None:
        def come() -> None:
            alive = [each for each in self.processes if each.is_alive]
            if guest.process is None and alive:
                guest.come(self.chance.choice(alive))

        self.world.at(self.world.now_ms + in_ms, come)

    def _trouble(self, what: str) -> None:
        chance, world = self.chance, self.world
        guest = chance.choice(self.guests)
        match what:
            case "kill a server" | "kill all servers":
                self._kill(1 if what == "kill a server" else len(self.processes))
            case "lose the connection" | "leave" if guest.process is not None:
                guest.go(Parting.LEAVES if what == "leave" else Parting.LOST)
                self._come(guest, chance.choice([100, 2_000, 30_000]))
            case "storm":
                for number in range(200):
                    is_ready = chance.random() < 0.7
                    do = partial(guest.be_ready, is_ready=is_ready)
                    world.at(world.now_ms + 10 * number, do)
            case "set a clock back":
                chance.choice(self.processes).skew_ms -= chance.choice([3_000, 3_600_000])
            case "remove":
                room = world.room
                host = next((each for each in self.guests if each.number == room.host), None)
                if host is not None and guest.number and guest is not host:
                    host.wish(partial(self._remove, host.number, guest.token))
            case "come and go":
                flitting = Guest(world, f"g{world.now_ms}")
                flitting.is_eager = False
                for number in range(10):
                    world.at(world.now_ms + 1_500 * number, partial(self._flit, flitting))
            case "sleep":
                guest.is_eager = False
                world.at(world.now_ms + 40_000, partial(self._wake, guest))

    def _kill(self, count: int) -> None:
        dead = self.chance.sample(self.processes, count)
        for process in dead:
            process.kill()
            for guest in tuple(process.players):
                guest.vanish()
                if self.chance.random() < 0.7:
                    self._come(guest, self.chance.choice([150, 1_000, 15_000, 40_000]))
        self.processes = [each for each in self.processes if each.is_alive]
        self.processes += [self._start() for _ in dead]

    def _remove(self, host: int, token: str, room: Room) -> Room:
        seat = room.seat_of(token)
        return room if seat is None or room.host != host else room.remove(host, token)

    def _flit(self, guest: Guest) -> None:
        if guest.process is not None and guest.process.is_alive:
            guest.go()
        else:
            guest.vanish()
            self._come(guest, 0)

    def _wake(self, guest: Guest) -> None:
        guest.is_eager = self.world.now_ms < 240_000


# In the last one an action was done while the first made its record, and was never stored.
@pytest.mark.parametrize("seed", sorted({*range(RUNS), 342}))
def test_whatever_happens_each_win_counts_and_each_round_ends(seed: int) -> None:
    evening = Evening(seed)
    evening.spend()
    world = evening.world
    room, results = world.room, world.results
    assert room.round is None, "a round is on for ever"
    for number, seat in world.acknowledged:
        lines = {line.number: line for line in results[number].lines} if number in results else {}
        # Those who were removed are in no result, except of a race that moves ratings.
        if seat not in lines:
            is_out = room.removed and not world.is_rated
            assert is_out, f"round {number}: the win of seat {seat} is lost"
            continue
        assert lines[seat].finish.is_won
        assert lines[seat].place or room.kind is Kind.SHARED
    for result in results.values():
        if room.kind is Kind.RACE:
            won = [line for line in result.lines if line.finish.is_won]
            times = [line.finish.time_ms for line in won]
            assert times == sorted(times)
            assert [line.place for line in won] == list(range(1, len(won) + 1))
    check_commits(evening)


def check_commits(evening: Evening) -> None:
    """A change writes one document; a result counts once for each who raced."""
    world = evening.world
    played: Counter[str] = Counter()
    first: Counter[str] = Counter()
    before = None
    for _, commit in world.commits:
        (body,) = [put.body for put in commit.puts if put.key.startswith("room:")]
        if body is None:
            continue
        after = Room.parse("KRTPWX", body)
        if before is not None and after.last != before.last:
            players = {seat.number: seat.player for seat in before.seats}
            if after.last is not None and after.kind is Kind.RACE:
                for line in after.last.lines:
                    played[players[line.number]] += 1
                    first[players[line.number]] += line.place == 1
        else:
            assert len(commit.puts) == 1
            assert not commit.appends
        assert len(commit.places) <= 2
        assert before is None or before.key != after.key or after.revision == before.revision + 1
        if after.round is None:
            ready, here = after.ready, after.here
            assert len(ready) < max(after.least, len(here)), "all are ready, and nothing happens"
        before = after
    for player in {*played, *(guest.token for guest in evening.guests)}:
        assert world.races_of(player) == (played[player], first[player])


def test_a_winner_whose_server_dies_with_the_answer_is_first() -> None:
    world = World(7, Kind.RACE)
    one, other = Process(world), Process(world)
    ada, bob = Guest(world, "ada"), Guest(world, "bob")
    ada.come(one)
    bob.come(other)
    world.run_until(lambda: ada.record)
    ada.skill = 0.0
    world.run_until(lambda: world.acknowledged)
    other.kill()
    ada.skill = 1.0
    world.run(world.now_ms + 200_000)
    first = world.results[1].lines[0]
    assert (first.name, first.place) == ("bob", 1)
    assert (world.races_of("bob"), world.races_of("ada")) == ((1, 1), (1, 0))


def test_a_race_whose_servers_all_die_at_its_end_is_counted_by_the_next_one() -> None:
    world = World(7, Kind.RACE)
    processes = [Process(world), Process(world)]
    for name, process in zip(("ada", "bob"), processes, strict=True):
        Guest(world, name).come(process)
    world.run_until(lambda: world.acknowledged)
    for process in processes:
        process.kill()
    Process(world)
    world.run(world.now_ms + 400_000)
    races = [world.races_of(name) for name in ("ada", "bob")]
    assert [sum(counts) for counts in zip(*races, strict=True)] == [2, 1]


def test_an_hour_back_on_a_servers_clock_keeps_nobody_waiting() -> None:
    world = World(5, Kind.RACE)
    one, other = Process(world), Process(world)
    ada, bob = Guest(world, "ada"), Guest(world, "bob")
    ada.come(one)
    bob.come(other)
    world.run_until(lambda: world.called)
    one.skew_ms -= 3_600_000
    world.run_until(lambda: world.results, world.now_ms + 130_000)
    assert {line.name for line in world.results[1].lines} == {"ada", "bob"}


def begin_race(seed: int, *idle: bool) -> tuple[World, list[Guest]]:
    """Have guests race, some of whom only stay; the others reveal any cell."""
    world = World(seed, Kind.RACE)
    process = Process(world)
    guests = [Guest(world, f"p{number}", skill=0.0) for number in range(len(idle))]
    for guest, is_idle in zip(guests, idle, strict=True):
        guest.is_idle = is_idle
        guest.come(process)
    world.run_until(lambda: {guest.record for guest in guests} == {*process.journals})
    for guest in guests:
        guest.is_eager = False
    return world, guests


def test_the_last_one_left_in_a_race_keeps_the_others_waiting_for_a_minute() -> None:
    world, guests = begin_race(1, True, False, False)
    process = guests[0].process
    assert process is not None
    others = {guest.record for guest in guests[1:]}
    world.run_until(lambda: all(process.journals[code].game.status.is_over for code in others))
    lost_ms = world.now_ms
    world.run_until(lambda: world.results, lost_ms + LAST_MINUTE_MS + 2_000)
    assert world.now_ms >= lost_ms + LAST_MINUTE_MS - 1_000
    assert not any(line.finish.is_won for line in world.results[1].lines)


def test_a_race_in_which_nobody_acts_any_more_is_over_after_ten_minutes() -> None:
    world, _ = begin_race(12, True, True)
    begun_ms = world.now_ms
    world.run(begun_ms + 9 * 60_000)
    assert not world.results
    world.run(begun_ms + QUIET_MS[Kind.RACE] + 3 * LOOK_MS)
    assert world.results


def test_whoever_is_left_alone_in_a_race_has_won_it_at_once() -> None:
    world, (_, bob) = begin_race(13, True, False)
    bob.go()
    world.run_until(lambda: world.results, world.now_ms + 5_000)
    assert [(line.name, line.place) for line in world.results[1].lines] == [("p0", 1), ("p1", 0)]


@pytest.mark.parametrize(("ready", "most_ms"), [(3, 5_000), (2, 30_000)])
def test_a_round_begins_whatever_others_do(ready: int, most_ms: int) -> None:
    world = World(9, Kind.RACE)
    process, other = Process(world), Process(world)
    guests = [Guest(world, f"p{number}") for number in range(3)]
    for number, guest in enumerate(guests):
        guest.is_eager = number < ready
        guest.come(process)
    griefer = Guest(world, "griefer")
    griefer.is_eager = False

    def flit() -> None:
        if griefer.process is None:
            griefer.come(other)
        else:
            griefer.go()
        world.at(world.now_ms + 700, flit)

    def storm() -> None:
        guests[0].be_ready()
        world.at(world.now_ms + 50, storm)

    if ready < 3:
        flit()
    world.run_until(lambda: len(world.room.seats) >= 3)
    storm()
    begun_ms = world.now_ms
    world.run_until(lambda: world.began, begun_ms + most_ms - 3_000)


def test_a_storm_writes_a_document_a_second_and_no_record() -> None:
    world = World(3, Kind.RACE)
    process = Process(world)
    ada, bob = Guest(world, "ada"), Guest(world, "bob")
    ada.is_eager = bob.is_eager = False
    ada.come(process)
    bob.come(process)
    world.run(2_000)
    before = len(world.commits)
    for number in range(1_000):
        ada.be_ready(is_ready=bool(number % 2))
        world.run(world.now_ms + 10)
    # A few may come at once.
    assert len(world.commits) - before <= 10 + 5
    assert world.written["game"] == 0
    ada.be_ready()
    bob.be_ready()
    world.run_until(lambda: world.began)
    before = len(world.commits)
    for number in range(200):
        ada.be_ready(is_ready=bool(number % 2))
        world.run(world.now_ms + 10)
    assert len(world.commits) == before
    assert world.written["game"] == 0
