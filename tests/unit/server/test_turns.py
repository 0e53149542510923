"""Turns, with clocks that move only when a turn takes its time."""

from __future__ import annotations

import asyncio
from collections import Counter

from jminesweeper.server.turns import (
    CREDIT_NS,
    KEYS_SHARE,
    LARGE_NS,
    PATIENCE_NS,
    QUICK_NS,
    REST_NS,
    ROUND_NS,
    SAMPLE_NS,
    Turns,
)
from tests.unit.server.fakes import FakeClock, on_loop, turn

MS = 1_000_000


class Taker:
    """Takes as long as it was told to, and notes that it had its turn."""

    def __init__(self, crowd: Crowd, name: str, takes_ns: int, turns: int) -> None:
        self.account_ns = self.cost_ns = 0
        self.served_ns = crowd.clock.now_ns
        self._crowd = crowd
        self._name = name
        self._takes_ns = takes_ns
        self._turns_left = turns
        self.waits_for_key = False

    def take_turn(self) -> bool:
        self._crowd.had.append(self._name)
        self._crowd.spend(self._takes_ns)
        self._turns_left -= 1
        return self._turns_left > 0


class Crowd:
    """Those who want turns, on a machine that does nothing else."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.cpu_clock = FakeClock()
        self.had: list[str] = []
        self.rounds = 0
        self.turns = Turns(self.clock, self.cpu_clock, self._count_round)

    def _count_round(self) -> None:
        self.rounds += 1

    def spend(self, taken_ns: int, *, waited_ns: int = 0) -> None:
        self.cpu_clock.now_ns += taken_ns
        self.clock.now_ns += taken_ns + waited_ns

    def taker(
        self,
        name: str,
        takes_ns: int,
        turns: int = 1,
        *,
        account_ns: int = 0,
        cost_ns: int = 0,
        rested: bool = False,
    ) -> Taker:
        taker = Taker(self, name, takes_ns, turns)
        taker.account_ns = account_ns
        taker.cost_ns = cost_ns
        if rested:
            taker.served_ns -= REST_NS
        return taker

    def queue(self, name: str, takes_ns: int, turns: int = 1, account_ns: int = 0) -> Taker:
        taker = self.taker(name, takes_ns, turns, account_ns=account_ns)
        self.turns.queue(taker)
        return taker

    async def over(self, turns: int) -> list[str]:
        """Return who had a turn, once so many were had."""
        while len(self.had) < turns:
            await turn()
        return self.had


@on_loop
async def test_nobody_gets_a_turn_at_once() -> None:
    crowd = Crowd()
    crowd.queue("a", 0)
    assert crowd.had == []
    await turn()
    assert crowd.had == ["a"]


@on_loop
async def test_short_turns_are_all_given_in_one_round() -> None:
    crowd = Crowd()
    for name in "abc":
        crowd.queue(name, 0)
    await turn()
    assert crowd.had == ["a", "b", "c"]
    assert crowd.rounds == 1


@on_loop
async def test_who_has_had_less_comes_first() -> None:
    crowd = Crowd()
    for name, account_ns in (("glutton", 90), ("guest", 7), ("modest", 1), ("guest too", 7)):
        crowd.queue(name, 0, account_ns=account_ns)
    assert await crowd.over(4) == ["modest", "guest", "guest too", "glutton"]


@on_loop
async def test_a_cheap_flood_and_a_costly_one_get_the_same_time() -> None:
    crowd = Crowd()
    cheap = crowd.queue("cheap", MS // 2, turns=400)
    costly = crowd.queue("costly", 10 * MS, turns=400)
    had = Counter(await crowd.over(210))
    assert abs(had["cheap"] - 20 * had["costly"]) <= 20
    assert abs(cheap.account_ns - costly.account_ns) <= 10 * MS


@on_loop
async def test_who_was_idle_begins_in_the_present_and_saves_nothing_up() -> None:
    crowd = Crowd()
    crowd.queue("old", 10 * MS, turns=100)
    await crowd.over(10)
    newcomer = crowd.queue("new", 10 * MS, turns=100)
    had = Counter((await crowd.over(30))[10:])
    assert abs(had["new"] - had["old"]) <= 1
    assert newcomer.account_ns > 90 * MS


@on_loop
async def test_a_player_who_rests_is_not_held_up_by_any_number_of_floods() -> None:
    crowd = Crowd()
    for number in range(1_000):
        crowd.queue(f"flood {number}", 3 * MS, turns=100)
    await crowd.over(1_500)
    player = crowd.taker("player", 3 * MS, account_ns=1_000 * MS, rested=True)
    crowd.turns.queue(player)
    assert "player" in (await crowd.over(1_504))[1_500:]
    assert player.account_ns == crowd.turns.virtual_ns + 3 * MS


@on_loop
async def test_those_who_rest_and_those_who_press_get_the_same_time() -> None:
    crowd = Crowd()
    for number in range(20):
        crowd.turns.queue(crowd.taker(f"rested {number}", 8 * MS, rested=True))
    crowd.queue("pressing", 2 * MS, turns=100)
    had = await crowd.over(60)
    assert abs(had.count("pressing") - 4 * (60 - had.count("pressing"))) <= 4


@on_loop
async def test_of_those_who_rest_who_asks_for_little_comes_first_and_who_is_new_last() -> None:
    crowd = Crowd()
    for name, cost_ns in (("new", 0), ("huge", 9 * LARGE_NS), ("large", LARGE_NS), ("small", MS)):
        crowd.turns.queue(crowd.taker(name, ROUND_NS, rested=True, cost_ns=cost_ns))
    assert await crowd.over(4) == ["small", "huge", "large", "new"]


@on_loop
async def test_of_those_who_rest_keys_come_first_whatever_the_last_turn_cost() -> None:
    crowd = Crowd()
    starter = crowd.taker("starter", ROUND_NS, rested=True, cost_ns=MS)
    player = crowd.taker("player", ROUND_NS, rested=True, cost_ns=LARGE_NS)
    player.waits_for_key = True
    for taker in (starter, player):
        crowd.turns.queue(taker)
    assert await crowd.over(2) == ["player", "starter"]


@on_loop
async def test_a_full_house_of_players_still_lets_somebody_in() -> None:
    crowd = Crowd()
    for number in range(100):
        player = crowd.taker(f"player {number}", MS, rested=True, cost_ns=MS)
        player.waits_for_key = True
        crowd.turns.queue(player)
    for name in ("first", "second"):
        crowd.turns.queue(crowd.taker(name, MS, rested=True))
    had = await crowd.over(102)
    assert had.index("first") == PATIENCE_NS // MS
    assert had.index("second") == had.index("first") + 1 + KEYS_SHARE


@on_loop
async def test_nobody_who_rested_waits_for_ever_behind_cheaper_turns() -> None:
    crowd = Crowd()
    crowd.turns.queue(crowd.taker("large", ROUND_NS, rested=True, cost_ns=LARGE_NS))
    crowd.spend(LARGE_NS)
    crowd.turns.queue(crowd.taker("small", ROUND_NS, rested=True, cost_ns=MS))
    assert await crowd.over(2) == ["large", "small"]


@on_loop
async def test_when_those_who_need_not_wait_have_had_a_round_all_wait_until_the_next_step() -> None:
    crowd = Crowd()
    crowd.queue("a", 0)
    crowd.turns.end_direct()
    assert crowd.turns.direct_limit_ns < 0
    await turn()
    assert crowd.turns.direct_limit_ns == CREDIT_NS


@on_loop
async def test_who_takes_a_round_in_many_steps_need_not_wait_for_it() -> None:
    crowd = Crowd()
    for _ in range(3):
        crowd.turns.direct_ns = ROUND_NS
        crowd.turns.end_direct()
        assert (crowd.turns.direct_limit_ns, crowd.turns.direct_ns) == (CREDIT_NS, 0)
        await turn()
    crowd.turns.end_direct()
    assert crowd.turns.direct_limit_ns == CREDIT_NS
    crowd.turns.end_direct()
    assert crowd.turns.direct_limit_ns < 0


@on_loop
async def test_after_a_long_turn_the_loop_looks_around_before_the_next() -> None:
    crowd = Crowd()
    crowd.queue("a", ROUND_NS)
    crowd.queue("b", 0)
    loop = asyncio.get_running_loop()
    loop.call_soon(crowd.had.append, "key")
    assert await crowd.over(3) == ["a", "key", "b"]


@on_loop
async def test_what_is_charged_for_is_work_and_not_waiting_for_the_processor() -> None:
    crowd = Crowd()
    crowd.turns.sample(crowd.clock())
    crowd.spend(2 * MS, waited_ns=50 * MS)
    assert crowd.turns.work_ns(52 * MS) == 2 * MS


@on_loop
async def test_a_long_turn_is_never_charged_more_than_it_took() -> None:
    crowd = Crowd()
    crowd.turns.sample(crowd.clock())
    crowd.spend(MS)  # Somebody else's, since the clock was looked at.
    crowd.spend(2 * MS)
    assert crowd.turns.work_ns(2 * MS) == 2 * MS


@on_loop
async def test_a_quick_turn_is_charged_without_a_look_at_the_processors_clock() -> None:
    crowd = Crowd()
    assert crowd.turns.work_ns(QUICK_NS - 1) == QUICK_NS - 1


@on_loop
async def test_the_processors_clock_is_looked_at_now_and_then() -> None:
    crowd = Crowd()
    assert crowd.turns.sample_due_ns <= crowd.clock()
    crowd.turns.sample(crowd.clock())
    assert crowd.turns.sample_due_ns == crowd.clock() + SAMPLE_NS
