"""Turns, with a clock that moves only when a turn takes its time."""

from __future__ import annotations

import asyncio
from collections import Counter

from jminesweeper.server.connection import Connection
from jminesweeper.server.hub import FORGIVEN_AFTER, REST_NS, RESTED_NS, ROUND_NS, SHARE_NS, Turns
from tests.unit.server.fakes import turn
from tests.world.loop import FakeClock

MS = 1_000_000


class Taker(Connection):
    """Takes as long as it was told to, and notes that it had its turn."""

    def __init__(self, crowd: Crowd, name: str, takes_ns: int, turns: int) -> None:
        self.debt_ns = SHARE_NS
        self.served_ns = crowd.clock.now_ns
        self._crowd = crowd
        self._name = name
        self._takes_ns = takes_ns
        self._turns_left = turns

    def take_turn(self) -> bool:
        self._crowd.had.append(self._name)
        self._crowd.clock.now_ns += self._takes_ns
        self._turns_left -= 1
        return self._turns_left > 0


class Crowd:
    """Those who want turns, on a machine that does nothing else."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.had: list[str] = []
        self.rounds = 0
        self.turns = Turns(self.clock, self._count_round)

    def _count_round(self) -> None:
        self.rounds += 1

    def taker(self, name: str, takes_ns: int, turns: int = 1) -> Taker:
        return Taker(self, name, takes_ns, turns)

    def queue(self, name: str, takes_ns: int, turns: int = 1) -> Taker:
        taker = self.taker(name, takes_ns, turns)
        self.turns.queue(taker)
        return taker

    def may_go(self, taker: Taker) -> bool:
        return self.turns.may_go(taker, self.clock.now_ns)

    async def over(self, turns: int) -> list[str]:
        """Return who had a turn, once so many were had."""
        while len(self.had) < turns:
            await turn()
        return self.had


async def test_nobody_who_queues_gets_a_turn_at_once() -> None:
    crowd = Crowd()
    crowd.queue("a", 0)
    assert crowd.had == []
    await turn()
    assert crowd.had == ["a"]


async def test_short_turns_are_all_given_in_one_round() -> None:
    crowd = Crowd()
    for name in "abc":
        crowd.queue(name, 0)
    await turn()
    assert crowd.had == ["a", "b", "c"]
    assert crowd.rounds == 1


async def test_a_cheap_flood_and_a_costly_one_get_the_same_time() -> None:
    crowd = Crowd()
    crowd.queue("cheap", MS // 2, turns=400)
    crowd.queue("costly", 10 * MS, turns=400)
    had = Counter(await crowd.over(60))
    # A costly turn takes as long as twenty cheap ones.
    assert 4 * had["costly"] <= had["cheap"] <= 20 * had["costly"]


async def test_a_turn_waits_for_a_share_of_each_flood_at_most() -> None:
    crowd = Crowd()
    for number in range(30):
        crowd.queue(f"flood {number}", 10 * MS, turns=100)
    await crowd.over(90)
    begun_ns = crowd.clock.now_ns
    crowd.queue("player", MS)
    while "player" not in crowd.had:
        await turn()
    assert crowd.clock.now_ns - begun_ns <= 30 * 10 * MS


async def test_who_is_new_queues_once() -> None:
    crowd = Crowd()
    crowd.queue("flood", ROUND_NS, turns=9)
    taker = crowd.taker("new", 0)
    assert not crowd.may_go(taker)
    crowd.turns.queue(taker)
    await crowd.over(2)
    assert crowd.may_go(taker)


async def test_while_nobody_queues_nobody_has_to() -> None:
    crowd = Crowd()
    taker = crowd.taker("new", 0)
    taker.debt_ns = 100 * SHARE_NS
    assert crowd.may_go(taker)


async def test_who_asks_for_little_need_not_wait_until_that_is_a_share() -> None:
    crowd = Crowd()
    taker = crowd.queue("player", 0)
    await turn()
    crowd.queue("flood", ROUND_NS, turns=9)
    crowd.turns.charge(taker, SHARE_NS - 1)
    assert crowd.may_go(taker)
    crowd.turns.charge(taker, 1)
    assert not crowd.may_go(taker)


async def test_a_debt_is_forgiven_after_forty_times_as_long() -> None:
    crowd = Crowd()
    crowd.queue("flood", ROUND_NS, turns=9)
    taker = crowd.taker("player", 0)
    taker.debt_ns = 5 * SHARE_NS
    crowd.clock.now_ns += FORGIVEN_AFTER * 4 * SHARE_NS
    assert not crowd.may_go(taker)
    crowd.clock.now_ns += FORGIVEN_AFTER
    assert crowd.may_go(taker)


async def test_who_came_in_a_busy_step_waits_for_one_costly_turn_at_most() -> None:
    crowd = Crowd()
    for number in range(8):
        crowd.queue(f"flood {number}", 10 * MS, turns=9)
    await turn()
    player = crowd.taker("player", 0)
    player.debt_ns = 0
    crowd.turns.queue(player)
    before = len(crowd.had)
    had = await crowd.over(before + 4)
    assert "player" in had[before : before + 2]


async def test_when_those_who_need_not_wait_have_had_a_round_all_wait_until_the_next_step() -> None:
    crowd = Crowd()
    greedy, other = crowd.queue("greedy", 0), crowd.queue("other", 0)
    await turn()
    crowd.turns.charge(greedy, ROUND_NS)
    assert not crowd.may_go(other)
    await turn()
    assert crowd.may_go(other)


async def test_who_rested_goes_before_those_who_flood() -> None:
    crowd = Crowd()
    greedy, player = crowd.queue("greedy", 0), crowd.queue("player", 0)
    await turn()
    crowd.clock.now_ns += REST_NS
    crowd.turns.charge(greedy, ROUND_NS)
    assert crowd.may_go(player)
    crowd.clock.now_ns += REST_NS
    crowd.turns.charge(greedy, RESTED_NS)
    assert not crowd.may_go(player)


async def test_after_a_long_turn_the_loop_looks_around_before_the_next() -> None:
    crowd = Crowd()
    crowd.queue("a", ROUND_NS)
    crowd.queue("b", 0)
    loop = asyncio.get_running_loop()
    loop.call_soon(crowd.had.append, "key")
    assert await crowd.over(3) == ["a", "key", "b"]
