"""Boards that need no guess: certain steps lead from the first reveal to the end.

First whole layouts are tried: those that pass are uniform among the boards that can be solved.
If that is hopeless, a layout is repaired: where the proof is stuck, mines move between cells that
it knows nothing about. Every board is then solved once more from its first reveal, so that it is
proved as a whole. Repair favours some boards over others, and the result says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from jminesweeper.core.generator import RandomBits, below, place_mines, protect
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.rules import FirstReveal, Spread
from jminesweeper.solver.counting import Counter
from jminesweeper.solver.draft import Draft, Proof
from jminesweeper.solver.errors import Deadline, never
from jminesweeper.solver.knowledge import MINE, SHOWN, UNKNOWN

REJECTION_TRIES = 12
_HOPELESS_DENSITY = 0.225
_MANY_CELLS = 2_000
_MOST_ROUNDS = 400
Item = TypeVar("Item")


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


def generate_no_guess(
    size: Size,
    mine_count: int,
    first: Cell,
    random_bits: RandomBits,
    deadline: Deadline = never,
    *,
    spread: Spread = Spread.EIGHT,
) -> GeneratedBoard | None:
    """Make a board that needs no guess after the first reveal; None when time is up.

    The first cell and its neighbours hold no mine where the board has room. `deadline` is asked
    from time to time whether to give up.
    """
    generator = _Generator(size, mine_count, first, spread, random_bits)
    for tried in range(_tries(size, mine_count)):
        draft = generator.new_draft()
        if generator.prove(draft).run():
            return GeneratedBoard(size, draft.mines, first, Method.REJECTION, tried + 1)
        if deadline():
            return None
    return generator.repair(deadline)


def _tries(size: Size, mine_count: int) -> int:
    """Return how many layouts to try before repair: none where hardly any would pass."""
    if size.cells > _MANY_CELLS or mine_count > _HOPELESS_DENSITY * size.cells:
        return 0
    return REJECTION_TRIES


@dataclass(frozen=True)
class _Generator:
    """Draws boards of one size and mine count until one needs no guess."""

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

    def repair(self, deadline: Deadline) -> GeneratedBoard | None:
        """Change layouts, each for a number of rounds, until one is proved without a change."""
        rounds = 0
        draft = self.new_draft()
        while not deadline():
            rounds += 1
            if rounds % _MOST_ROUNDS == 0:
                draft = self.new_draft()
            if self._is_sound(draft, deadline):
                return GeneratedBoard(self.size, draft.mines, self.first, Method.REPAIR, rounds)
        return None

    def _is_sound(self, draft: Draft, deadline: Deadline) -> bool:
        """Prove a draft from its first reveal; where that gets stuck, change it and continue."""
        proof = self.prove(draft)
        if proof.run():
            return True
        repair = Repair(draft, proof, self.start, self.random_bits)
        while not deadline() and repair.loosen():
            if proof.run():
                break
        return False


class Repair:
    """The changes made during one proof."""

    __slots__ = ("_draft", "_proof", "_random_bits", "_zone")

    def __init__(self, draft: Draft, proof: Proof, start: int, random_bits: RandomBits) -> None:
        self._draft = draft
        self._proof = proof
        self._random_bits = random_bits
        self._zone = {start, *draft.terrain.neighbours[start]}

    def loosen(self) -> bool:
        """Change the board where the proof is stuck; return whether the proof can continue."""
        stuck = self._proof.stuck
        if not stuck:
            self._open_wall()
            return False
        number = self._pick(self._pick(stuck).numbers)
        if self._ease(number):
            return True
        for component in stuck:
            self._ease_from_afar(self._pick(component.numbers))
        return False

    def _ease(self, number: int) -> bool:
        """Empty or fill a number's cells; the unknown rest of the board takes up the change."""
        knowledge, mined = self._proof.knowledge, self._draft.mined
        cells = knowledge.unknown_around(number)
        rest = self._unknown_except(set(cells))
        dense = knowledge.mines_left * self._draft.terrain.size.cells > (
            self._draft.mine_count * knowledge.unknown_left
        )
        fills = (dense, not dense) if self._random_bits(2) else (not dense, dense)
        for fill in fills:
            changing = [cell for cell in cells if mined[cell] != fill]
            partners = [cell for cell in rest if mined[cell] == fill]
            if changing and len(partners) >= len(changing):
                for cell in changing:
                    partner = self._take(partners)
                    self._revise(cell, mine=fill)
                    self._revise(partner, mine=not fill)
                return True
        return False

    def _unknown_except(self, cells: set[int]) -> list[int]:
        """Return the other unknown cells: only those that no number sees, if there are enough."""
        knowledge = self._proof.knowledge
        status, room, neighbours = knowledge.status, knowledge.room, knowledge.terrain.neighbours
        unknown = [
            index
            for index in knowledge.terrain.cells
            if status[index] == UNKNOWN and index not in cells
        ]
        unseen = [index for index in unknown if not any(room[near] for near in neighbours[index])]
        return unseen if len(unseen) * 2 > len(unknown) else unknown

    def _revise(self, index: int, *, mine: bool) -> None:
        change = int(mine) - self._draft.mined[index]
        self._draft.put(index, mine=mine)
        self._proof.knowledge.correct_clues(index, change)

    def _ease_from_afar(self, number: int) -> None:
        """Empty or fill a number's cells; settled cells take up the change."""
        knowledge, draft = self._proof.knowledge, self._draft
        status, mined = knowledge.status, draft.mined
        fill = bool(self._random_bits(1))
        wanted = MINE if fill else SHOWN
        partners = [
            index
            for index in knowledge.terrain.cells
            if status[index] == wanted and mined[index] == fill and index not in self._zone
        ]
        for cell in knowledge.unknown_around(number):
            if mined[cell] != fill and partners and cell not in self._zone:
                draft.put(cell, mine=fill)
                draft.put(self._take(partners), mine=not fill)

    def _open_wall(self) -> None:
        """Open a way to the unknown part: swap a mine of its wall with a safe cell."""
        knowledge, draft = self._proof.knowledge, self._draft
        status, neighbours = knowledge.status, knowledge.terrain.neighbours
        walls = [
            index
            for index in knowledge.terrain.cells
            if status[index] == MINE
            and any(status[near] == UNKNOWN for near in neighbours[index])
            and any(status[near] == SHOWN for near in neighbours[index])
        ]
        behind = [
            index
            for index in knowledge.terrain.cells
            if status[index] == UNKNOWN and not draft.mined[index]
        ]
        if walls and behind:
            draft.put(self._take(walls), mine=False)
            draft.put(self._take(behind), mine=True)

    def _pick(self, items: Sequence[Item]) -> Item:
        return items[below(len(items), self._random_bits)]

    def _take(self, items: list[int]) -> int:
        position = below(len(items), self._random_bits)
        items[position], items[-1] = items[-1], items[position]
        return items.pop()
