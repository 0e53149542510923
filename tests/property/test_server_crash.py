"""Whatever programs send and whenever a server dies, the store makes sense and keeps each save."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings

from jminesweeper.core.faces import COVERED
from jminesweeper.protocol.packets import Act, Load, Packet, Pick, Save, Undo
from jminesweeper.protocol.vocabulary import Button
from tests.late_server import HELLO, LatePlayer, LateServer, ada_in, new_game, problems_of

# Eight lives each by default; with `--hypothesis-profile=long` eight hundred.
LIVES = settings().max_examples * 2 // 25
NAMES = ("one", "two")


class Program:
    """Sends whatever it likes on one connection, and remembers which saves were acknowledged."""

    def __init__(self, random: Random, player: LatePlayer) -> None:
        self._random = random
        self._player = player
        player.say(HELLO)

    def send_some(self) -> None:
        self._player.say(*(self._draw() for _ in range(self._random.choice([1, 2, 5, 9]))))

    def saved(self) -> set[str]:
        """Return the names that were acknowledged, and which no deletion may have followed."""
        said = self._player.look_at_replies()
        return {name for name in NAMES if f"Saved as {name}." in said}

    def _draw(self) -> Packet:
        chance, draw = self._random.random(), self._random
        if chance < 0.12:
            return new_game(draw.getrandbits(16))
        if chance < 0.24:
            return Save(draw.choice(NAMES))
        if chance < 0.32:
            return Load(draw.choice([*NAMES, "auto 1", "auto 2"]))
        if chance < 0.36:
            return Undo(1)
        if chance < 0.40:
            return Pick("assist", "yes")
        button = draw.choice([Button.FLAG, Button.FLAG, Button.REVEAL])
        return Act(draw.randrange(9), draw.randrange(9), button, COVERED)


async def live(server: LateServer, random: Random, saved: set[str]) -> None:
    """Play with two devices of one player, which wait for nothing, until the server dies."""
    programs = [Program(random, server.connect()) for _ in range(2)]
    for _ in range(random.randrange(60)):
        if random.random() < 0.35:
            random.choice(programs).send_some()
        else:
            await server.let_through()
    for program in programs:
        saved |= program.saved()


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
