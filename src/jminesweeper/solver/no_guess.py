"""Boards that need no guess: from the first reveal on, certain steps alone finish them.

First whole layouts are tried: what passes is uniform among the boards that can be solved. Where
that is hopeless a layout is repaired: near where the solver is stuck, mines are moved between
cells it knows nothing about. Every board is then solved once more from its first reveal, so that
what is handed out was proved as a whole; repair favours some boards over others, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
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
    *,
    spread: Spread = Spread.EIGHT,
) -> GeneratedBoard | None:
    """Make a board that needs no guess after the first reveal, or say None when time is up.

    The first cell and its neighbours hold no mine where the board has room. `deadline` is asked
    now and then whether to give up.
    """
    workshop = _Workshop(size, mine_count, first, spread, random_bits)
    for tried in range(_tries(size, mine_count)):
        draft = workshop.new_draft()
        if workshop.prove(draft).run():
            return GeneratedBoard(size, draft.mines, first, Method.REJECTION, tried + 1)
        if deadline():
            return None
    return workshop.repair(deadline)


def _tries(size: Size, mine_count: int) -> int:
    """How many layouts to try before repair: none where one would hardly ever pass."""
    if size.cells > _MANY_CELLS or mine_count > _HOPELESS_DENSITY * size.cells:
        return 0
    return REJECTION_TRIES


@dataclass(frozen=True)
class _Workshop:
    """What all boards of one order have in common."""

    size: Size
    mine_count: int
    first: Cell
    spread: Spread
    random_bits: RandomBits
    counter: Counter = field(default_factory=Counter)

    @property
    def start(self) -> int:
        return Grid.of(self.size).index(self.first)

    def new_draft(self) -> Draft:
        """Draw a layout whose first cell is a zero where the board has room."""
        mines = place_mines(self.size, self.mine_count, self.random_bits)
        grid = Grid.of(self.size)
        mines = protect(grid, mines, self.first, FirstReveal.ZERO, self.random_bits)
        return Draft(self.size, mines, self.spread)

    def prove(self, draft: Draft) -> Proof:
        return Proof(draft, self.start, self.counter)

    def repair(self, deadline: Callable[[], bool]) -> GeneratedBoard | None:
        """Change layouts, each for so many rounds, until one is proved without a change."""
        rounds = 0
        draft = self.new_draft()
        while not deadline():
            rounds += 1
            if rounds % _MOST_ROUNDS == 0:
                draft = self.new_draft()
            if self._is_sound(draft, deadline):
                return GeneratedBoard(self.size, draft.mines, self.first, Method.REPAIR, rounds)
        return None

    def _is_sound(self, draft: Draft, deadline: Callable[[], bool]) -> bool:
        """Prove a draft from its first reveal; where that sticks, change it and go on."""
        proof = self.prove(draft)
        if proof.run():
            return True
        repair = Repair(draft, proof, self.start, self.random_bits)
        while not deadline() and repair.loosen():
            if proof.run():
                break
        return False
