"""Programs send anything, a server dies at any time: the store makes sense and keeps each save."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings

from tests.hasty_program import names_saved, some_packets
from tests.world.games import ada_in, problems_of
from tests.world.server import KNOWN, World, late

# Eight lives each by default; with `--hypothesis-profile=long` eight hundred.
LIVES = settings().max_examples * 2 // 25


def live(world: World, random: Random, saved: set[str]) -> None:
    """Play with two devices of one player, which wait for nothing, until the server dies."""
    devices = [world.player() for _ in range(2)]
    for device in devices:
        device.say(KNOWN)
    for _ in range(random.randrange(60)):
        if random.random() < 0.35:
            random.choice(devices).say(*some_packets(random))
        else:
            world.let_through()
    for device in devices:
        saved |= names_saved(device.messages)


@pytest.mark.parametrize("seed", range(12))
def test_a_server_that_dies_at_any_moment_leaves_a_store_that_makes_sense(seed: int) -> None:
    random, world, saved = Random(seed), late(), set[str]()
    for _ in range(LIVES):
        live(world, random, saved)
        kept = world.copy()
        assert problems_of(kept) == []
        assert saved <= {*ada_in(kept).saves}
        world.die()
        world = late(kept, seed=random.getrandbits(64))
        if random.random() < 0.5:
            world.line.is_held = False
            world.pass_seconds(20)
            world.line.is_held = True
            assert problems_of(world.store) == []
