"""A server that leaves: what health checks hear, and who is said goodbye to when."""

from __future__ import annotations

import asyncio

from jminesweeper.server import draining
from jminesweeper.server.draining import ENOUGH, HealthChecks, say_goodbye_in_turn
from tests.unit.server.fakes import MOVE_BYTE, Wire, turn

GOODBYE = b"<the end>"


async def test_until_it_drains_a_server_is_well() -> None:
    checks = HealthChecks()
    assert checks.answer()
    assert not checks.is_draining


async def test_draining_waits_until_two_checks_have_heard_no() -> None:
    checks = HealthChecks()
    checks.answer()
    refusing = asyncio.create_task(checks.refuse(wait_s=60))
    await turn()
    for _ in range(ENOUGH):
        assert not refusing.done()
        assert not checks.answer()
    await refusing


async def test_where_nobody_asks_draining_waits_for_nobody() -> None:
    checks = HealthChecks()
    await checks.refuse(wait_s=60)
    assert checks.is_draining


async def test_checks_that_stop_coming_are_not_waited_for_for_ever() -> None:
    checks = HealthChecks()
    checks.answer()
    await checks.refuse(wait_s=0.001)


async def test_everybody_is_said_goodbye_to_in_the_end() -> None:
    first = Wire()
    wires = [first, *(Wire(beside=first) for _ in range(2 * draining.STEPS + 1))]
    for wire in wires:
        wire.send(MOVE_BYTE)
    await say_goodbye_in_turn(first.hub, "the end", spread_s=0)
    assert [wire.written for wire in wires] == [b"<1>" + GOODBYE] * len(wires)


async def test_farewells_are_spread() -> None:
    first = Wire()
    wires = [first, *(Wire(beside=first) for _ in range(2 * draining.STEPS))]
    for wire in wires:
        wire.send(MOVE_BYTE)
    leaving = asyncio.create_task(say_goodbye_in_turn(first.hub, "the end", spread_s=0))
    await turn()
    gone = sum(GOODBYE in wire.written for wire in wires)
    assert 0 < gone <= 9
    await leaving


async def test_who_has_just_come_gets_a_screen_first() -> None:
    played = Wire()
    played.send(MOVE_BYTE)
    new = Wire(beside=played)
    leaving = asyncio.create_task(say_goodbye_in_turn(played.hub, "the end", spread_s=0.1))
    while GOODBYE not in played.written:
        await turn()
    assert new.written == b""
    new.send(MOVE_BYTE)
    await leaving
    assert new.written == b"<1>" + GOODBYE


async def test_who_leaves_meanwhile_is_not_said_goodbye_to() -> None:
    first = Wire()
    second = Wire(beside=first)
    for wire in (first, second):
        wire.send(MOVE_BYTE)
    leaving = asyncio.create_task(say_goodbye_in_turn(first.hub, "the end", spread_s=0.1))
    await turn()
    for wire in (first, second):
        wire.hang_up()
    await leaving
    assert sum(GOODBYE in wire.written for wire in (first, second)) == 1


async def test_whoever_comes_too_late_is_told_so() -> None:
    first = Wire()
    await say_goodbye_in_turn(first.hub, "the end", spread_s=0)
    assert Wire(beside=first).written == GOODBYE
