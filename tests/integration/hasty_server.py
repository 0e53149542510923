"""A server for tests.

Its rooms count down in no time and have the same board each time, its players are looked after all
the time, and are taken for people however fast they play.
"""

from __future__ import annotations

from collections.abc import Generator
from random import Random
from types import ModuleType
from typing import Any

from jminesweeper.cli.main import main
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.records import results, rooms, table
from jminesweeper.server import game_server, keeper
from jminesweeper.session import matches, watching
from jminesweeper.session.reply import LayBoard
from jminesweeper.session.tables import draw_board


def hurry(module: ModuleType, name: str, value: object) -> None:
    """Set a constant that there is."""
    assert name in vars(module)
    setattr(module, name, value)


def draw_the_same(
    _draw: RandomBits, board: Variant, *, has_solver: bool
) -> Generator[LayBoard, Any, Setup]:
    """Draw a room's board by chance no more: of such, one in thirty is won with a few cells."""
    return draw_board(Random(7).getrandbits, board, has_solver=has_solver)


if __name__ == "__main__":
    hurry(keeper, "draw_board", draw_the_same)
    for module in (rooms, table):
        hurry(module, "COUNTDOWN_MS", 100)
    hurry(results, "LEAST_3BV", 1_000)
    hurry(watching, "FOLLOW_MS", 200)
    hurry(matches, "EVERY", {**table.EVERY, "follow": (200, 1), "online": (200, 1)})
    hurry(game_server, "LONGEST_SWEEP_S", 0.1)
    main()
