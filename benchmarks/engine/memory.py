"""How much memory a game takes that was played through."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from enum import Enum

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.rules import PRESETS, Level, Rules
from jminesweeper.core.setup import Setup

SIZE = Size(20, 10)
AIM_BYTES = 4096


def play_through(seed: int) -> Game:
    """Flag every mine and reveal every other cell, the default game of 20x10 at level 1."""
    setup = Setup.of(SIZE, Level.EASY.mines(SIZE), PRESETS["classic"], seed=seed)
    game = Game(setup)
    game.reveal(Cell(0, 0), 0)
    truth = game.reveal_truth()
    for number, cell in enumerate(truth.grid.cells(truth.mines)):
        game.flag(cell, number * 700)
    for number, cell in enumerate(truth.grid.cells(truth.safe)):
        game.reveal(cell, 9000 + number * 400)
    return game


def allocated(games: int = 50) -> int:
    """Return the bytes allocated for each game, as the allocator sees it."""
    play_through(0)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = [play_through(seed) for seed in range(games)]
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) // len(kept)


def counted(game: Game) -> int:
    """Sum up every object that belongs to the game alone."""
    seen: set[int] = set()
    total = 0
    waiting: list[object] = [game]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, Grid | Rules | Enum | type | str):
            continue
        seen.add(id(thing))
        total += sys.getsizeof(thing)
        waiting += gc.get_referents(thing)
    return total


def report() -> dict[str, int]:
    game = play_through(0)
    return {
        "aim": AIM_BYTES,
        "allocated": allocated(),
        "counted": counted(game),
        "actions": len(game.log),
    }
