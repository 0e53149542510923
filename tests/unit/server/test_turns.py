"""Turns, with a clock that moves only when a turn takes its time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from jminesweeper.server.turns import ROUND_NS, Turns
from tests.unit.server.fakes import FakeClock, on_loop, turn


class Crowd:
    """Guests who take as long as they were told to, and note that they had their turn."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.turns = Turns(self.clock)
        self.had: list[str] = []

    def guest(self, name: str, takes_ns: int, *, comes_again: bool = False) -> Callable[[], None]:
        def take() -> None:
            self.had.append(name)
            self.clock.now_ns += takes_ns
            if comes_again:
                self.turns.ask(take)

        return take

    async def over(self, turns: int) -> None:
        """Return when so much has happened."""
        while len(self.had) < turns:
            await turn()


@on_loop
async def test_nobody_gets_a_turn_at_once() -> None:
    crowd = Crowd()
    crowd.turns.ask(crowd.guest("a", 0))
    assert crowd.had == []
    await turn()
    assert crowd.had == ["a"]


@on_loop
async def test_short_turns_are_all_given_in_one_round() -> None:
    crowd = Crowd()
    for name in "abc":
        crowd.turns.ask(crowd.guest(name, 0))
    await turn()
    assert crowd.had == ["a", "b", "c"]


@on_loop
async def test_who_has_taken_less_time_comes_first() -> None:
    crowd = Crowd()
    for name, spent_ns in (("glutton", 90), ("guest", 7), ("modest", 1), ("guest too", 7)):
        crowd.turns.ask(crowd.guest(name, 0), spent_ns)
    await crowd.over(4)
    assert crowd.had == ["modest", "guest", "guest too", "glutton"]


@on_loop
async def test_after_a_long_turn_the_loop_looks_around_before_the_next() -> None:
    crowd = Crowd()
    long = crowd.guest("a", ROUND_NS)

    def take_while_a_key_arrives() -> None:
        asyncio.get_running_loop().call_soon(crowd.had.append, "key")
        long()

    crowd.turns.ask(take_while_a_key_arrives)
    crowd.turns.ask(crowd.guest("b", 0))
    await crowd.over(3)
    assert crowd.had == ["a", "key", "b"]


@on_loop
async def test_who_asks_again_comes_after_those_who_wait() -> None:
    crowd = Crowd()
    crowd.turns.ask(crowd.guest("a", ROUND_NS, comes_again=True))
    crowd.turns.ask(crowd.guest("b", ROUND_NS))
    await crowd.over(3)
    assert crowd.had[:3] == ["a", "b", "a"]
