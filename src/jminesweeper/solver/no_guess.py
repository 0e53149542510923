"""Boards that need no guess: from the first reveal on, certain steps alone finish them.

First whole layouts are tried: what passes is uniform among the boards that can be solved. Where
that is hopeless a layout is repaired: near where the solver is stuck, mines are moved between
cells it knows nothing about. Every board is then solved once more from its first reveal, so that
what is handed out was proved as a whole; repair favours some boards over others, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from jminesweeper.core import (
    Cell,
    FirstReveal,
    Grid,
    RandomBits,
    Size,
    Spread,
    place_mines,
    protect,
)
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.draft import Draft
from jminesweeper.solver.proof import Proof
from jminesweeper.solver.repair import Repair

REJECTION_TRIES = 12
_HOPELESS_DENSITY = 0.225
_MANY_CELLS = 2_000
_MOST_ROUNDS = 400


class Method(Enum):
    """How a board was found."""

    REJECTION = "rejection"
    """Whole layouts were drawn until one passed: uniform among those that pass."""
    REPAIR = "repair"
    """A layout was changed until it passed: not uniform."""


@dataclass(frozen=True, slots=True)
class GeneratedBoard:
    """A board that certain steps alone finish, from its first reveal on."""

    size: Size
    mines: int
    first: Cell
    method: Method
    tries: int
    """Layouts drawn, or rounds of repair."""


def never() -> bool:
    """Wait for the result, however long it takes."""
    return False


def generate_no_guess(
    size: Size,
    mine_count: int,
    first: Cell,
    random_bits: RandomBits,
    deadline: Callable[[], bool] = never,
    spread: Spread = Spread.EIGHT,
) -> GeneratedBoard | None:
    """Make a board that needs no guess after the first reveal, or say None when time is up.

    The first cell and its neighbours hold no mine where the board has room. `deadline` is asked
    now and then whether to give up.
    """
    counter = Counter()
    start = Grid.of(size).index(first)
    for tried in range(_tries(size, mine_count)):
        draft = Draft(size, _draw(size, mine_count, first, random_bits), spread)
        if Proof(draft, start, counter).run():
            return GeneratedBoard(size, draft.mines, first, Method.REJECTION, tried + 1)
        if deadline():
            return None
    return _repair(size, mine_count, first, random_bits, deadline, spread, counter)


def _tries(size: Size, mine_count: int) -> int:
    """How many layouts to try before repair: none where one would hardly ever pass."""
    if size.cells > _MANY_CELLS or mine_count > _HOPELESS_DENSITY * size.cells:
        return 0
    return REJECTION_TRIES


def _draw(size: Size, mine_count: int, first: Cell, random_bits: RandomBits) -> int:
    mines = place_mines(size, mine_count, random_bits)
    return protect(Grid.of(size), mines, first, FirstReveal.ZERO, random_bits)


def _repair(
    size: Size,
    mine_count: int,
    first: Cell,
    random_bits: RandomBits,
    deadline: Callable[[], bool],
    spread: Spread,
    counter: Counter,
) -> GeneratedBoard | None:
    start = Grid.of(size).index(first)
    rounds = 0
    while True:
        draft = Draft(size, _draw(size, mine_count, first, random_bits), spread)
        for _ in range(_MOST_ROUNDS):
            rounds += 1
            proof = Proof(draft, start, counter)
            repair = Repair(draft, proof, start, random_bits)
            changed = False
            while not proof.run():
                if deadline():
                    return None
                changed = True
                if not repair.loosen():
                    break
            if not changed:
                return GeneratedBoard(size, draft.mines, first, Method.REPAIR, rounds)
