"""A server that leaves: what health checks hear, and who is said goodbye to when."""

from __future__ import annotations

import asyncio

from jminesweeper.protocol.packets import Start
from jminesweeper.server.game_server import ENOUGH, STEPS, HealthChecks, say_goodbye_in_turn
from tests.unit.server.fakes import turn
from tests.world.player import Player
from tests.world.server import World

GOODBYE = "The server moves."


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


def leave(world: World, spread_s: float = 60) -> None:
    """Begin to say goodbye to everybody, within so many seconds."""
    with world.loop.running():
        world.loop.create_task(say_goodbye_in_turn(world.hub, GOODBYE, spread_s=spread_s))
    world.settle()


def parted(*players: Player) -> list[bool]:
    """Say of each player whether they were said goodbye to, and disconnected."""
    return [GOODBYE in player.text and not player.is_connected for player in players]


def test_farewells_are_spread_and_everybody_is_said_goodbye_to_in_the_end() -> None:
    world = World()
    players = [world.player().do(Start(9, 9, 1)) for _ in range(2 * STEPS)]
    leave(world)
    assert 0 < sum(parted(*players)) <= 9
    world.let_pass(60_000)
    assert all(parted(*players))


def test_who_has_just_come_gets_a_screen_first() -> None:
    world = World()
    player, new = world.player().do(Start(9, 9, 1)), world.player()
    leave(world, 10)
    assert (parted(player), new.transport.writes) == ([True], [])
    new.send(Start(9, 9, 1))
    assert "mines left" in new.text
    world.let_pass(10_000)
    assert parted(new) == [True]


def test_who_leaves_meanwhile_is_not_said_goodbye_to() -> None:
    world = World()
    players = [world.player().do(Start(9, 9, 1)) for _ in range(2)]
    leave(world)
    for player in players:
        player.hang_up()
    world.let_pass(60_000)
    assert sum(GOODBYE in player.text for player in players) == 1


def test_whoever_comes_too_late_is_told_so() -> None:
    world = World()
    world.player().do(Start(9, 9, 1))
    leave(world)
    late = world.player()
    world.settle()
    assert parted(late) == [True]
