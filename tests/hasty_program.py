"""A program that begins, plays, saves, loads and undoes games at random, and waits for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from jminesweeper.core.view import COVERED
from jminesweeper.protocol.packets import Act, Load, Packet, Pick, Save, Undo
from jminesweeper.protocol.vocabulary import Button
from tests.world.player import new_game

NAMES = ("one", "two")


def some_packets(random: Random) -> Sequence[Packet]:
    """Draw what a program sends in one segment."""
    return [_draw(random) for _ in range(random.choice([1, 2, 5, 9]))]


def _draw(random: Random) -> Packet:
    chance = random.random()
    if chance < 0.12:
        return new_game(random.getrandbits(16))
    if chance < 0.24:
        return Save(random.choice(NAMES))
    if chance < 0.32:
        return Load(random.choice([*NAMES, "auto 1", "auto 2"]))
    if chance < 0.36:
        return Undo(1)
    if chance < 0.40:
        return Pick("assist", "yes")
    button = random.choice([Button.FLAG, Button.FLAG, Button.REVEAL])
    return Act(random.randrange(9), random.randrange(9), button, COVERED)


def names_saved(said: Sequence[str]) -> set[str]:
    """Return the names under which a game was saved, by what replies said; none is deleted."""
    return {name for name in NAMES if f"Saved as {name}." in said}
