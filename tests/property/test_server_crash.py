"""Whatever programs send and whenever a server dies, the store makes sense and keeps each save."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings

from tests.hasty_program import names_saved, some_packets
from tests.late_server import HELLO, LateServer, ada_in, problems_of

# Eight lives each by default; with `--hypothesis-profile=long` eight hundred.
LIVES = settings().max_examples * 2 // 25


async def live(server: LateServer, random: Random, saved: set[str]) -> None:
    """Play with two devices of one player, which wait for nothing, until the server dies."""
    devices = [server.connect() for _ in range(2)]
    for device in devices:
        device.say(HELLO)
    for _ in range(random.randrange(60)):
        if random.random() < 0.35:
            random.choice(devices).say(*some_packets(random))
        else:
            await server.let_through()
    for device in devices:
        saved |= names_saved(device.look_at_replies())


@pytest.mark.parametrize("seed", range(12))
async def test_a_server_that_dies_at_any_moment_leaves_a_store_that_makes_sense(seed: int) -> None:
    random, server, saved = Random(seed), LateServer(), set[str]()
    for _ in range(LIVES):
        await live(server, random, saved)
        kept = server.copy()
        assert problems_of(kept) == []
        assert saved <= {*ada_in(kept).saves}
        server = LateServer(kept, seed=random.getrandbits(64))
        if random.random() < 0.5:
            await server.settle()
            assert problems_of(server.store.kept) == []
