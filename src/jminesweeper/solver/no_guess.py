"""Boards that need no guess: certain steps lead from the first reveal to the end.

The dealer knows the mines; the prover plays the board as a player who never guesses, seeing clues
only. `Deal` is the dealer's side: it opens cells and hands out clues at speed, without the engine's
bookkeeping.

**Rejection** comes first: whole layouts are drawn and proved, and the first one that passes is
taken. These are uniform among the boards that can be solved: nothing favours one of them.

**Repair** follows if that is hopeless, as on dense boards where one layout in millions passes.
Where the proof is stuck, mines move between cells that it knows nothing about (no clue shown so far
may change), and the proof goes on. Every repaired board is then solved once more from its first
reveal, so that it is proved as a whole. Repair favours some boards over others, and the result says
which method was used.

Both are functions of the seed: the same seed and first cell lay the same board everywhere, which is
what makes a seed code of a no-guess board possible. So the order of draws is part of the format:
changing it gives another board to every code that was shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple, TypeVar

from jminesweeper.core.errors import NoBoardError, SetupError, check_kind
from jminesweeper.core.grid import Cell, Grid, Size, bits, indices
from jminesweeper.core.minefield import RandomBits, below, place_mines, protect, seeded_bits
from jminesweeper.core.rules import PRESETS, FirstReveal, Spread
from jminesweeper.core.setup import Setup
from jminesweeper.solver.components import Component, TooManyStatesError, count_layouts
from jminesweeper.solver.knowledge import (
    MINE,
    SHOWN,
    UNKNOWN,
    Deadline,
    check,
    neighbour_table,
    never,
)
from jminesweeper.solver.position import Position

_CROWDED = 0.18
"""Between Intermediate, where (2,2) wins more than (3,3), and Expert, where it wins less."""


class Deal:
    """The mines and numbers of one board by index; its mines may still move."""

    def __init__(self, size: Size, mines: int, spread: Spread = Spread.EIGHT) -> None:
        self.grid = Grid.of(size)
        self.neighbours = neighbour_table(self.grid)
        self.mine_count = mines.bit_count()
        self.mined = bytearray(len(self.neighbours))
        self.clues = [0] * len(self.neighbours)
        for index in indices(mines):
            self.put(index, mine=True)
        stride = self.grid.stride
        beside = {1, -1, stride, -stride}
        across = {stride + 1, stride - 1, 1 - stride, -stride - 1}
        self._spreads_to = beside if spread is Spread.FOUR else beside | across
        """Differences of index to the neighbours that a zero opens."""
        self.cover()

    @property
    def mines(self) -> int:
        return bits(index for index, mined in enumerate(self.mined) if mined)

    def put(self, index: int, *, mine: bool) -> None:
        change = int(mine) - self.mined[index]
        if change:
            self.mined[index] = mine
            for near in self.neighbours[index]:
                self.clues[near] += change

    def cover(self) -> None:
        self.shown = bytearray(len(self.neighbours))
        self.left = self.grid.size.cells - self.mine_count
        """Safe cells still covered; at 0 the game is won."""

    def open(self, cells: Iterable[int]) -> list[tuple[int, int]] | None:
        """Open cells and what zeros open; return the new ones with their clues, None at a mine."""
        clues, shown, neighbours = self.clues, self.shown, self.neighbours
        opened: list[tuple[int, int]] = []
        for index in cells:
            if self.mined[index]:
                return None
            if not shown[index]:
                shown[index] = 1
                opened.append((index, clues[index]))
        for at, clue in opened:
            if clue:
                continue
            for near in neighbours[at]:
                if not shown[near] and near - at in self._spreads_to:
                    shown[near] = 1
                    opened.append((near, clues[near]))
        self.left -= len(opened)
        return opened


@dataclass(frozen=True, slots=True)
class Contest:
    """The boards that are played, and the first move on each."""

    size: Size
    mine_count: int
    first: Cell
    protection: FirstReveal


class Opening(Enum):
    """The two customary kinds of first click: any safe cell, or one without mines around it."""

    SAFE_CORNER = "S"
    ZERO_INSIDE = "Z"

    def contest(self, size: Size, mine_count: int) -> Contest:
        """Choose the first cell that wins most."""
        if self is Opening.SAFE_CORNER:
            return Contest(size, mine_count, Cell(0, 0), FirstReveal.SAFE)
        # On crowded boards a cell further from the corner wins more: it opens a larger part.
        inset = 3 if mine_count > _CROWDED * size.cells else 2
        first = Cell(min(inset, size.columns - 1), min(inset, size.rows - 1))
        return Contest(size, mine_count, first, FirstReveal.ZERO)


def deal(contest: Contest, seed: int) -> Deal:
    """Return the board of a seed: the same for every player that is compared."""
    rules = replace(PRESETS["classic"], first_reveal=contest.protection)
    setup = Setup.of(contest.size, contest.mine_count, rules, seed=seed)
    return Deal(contest.size, setup.minefield(contest.first).mines)


REJECTION_TRIES = 12
_HOPELESS_DENSITY = 0.225
_MANY_CELLS = 2_000
_ROUNDS_OF_A_DRAFT = 400
_MOST_STEPS = 8_000
_MOST_WORK = 4_000_000
"""Steps times cells: beyond that there seems to be no such board. It takes ten seconds at most."""
_FEW_UNKNOWN = 60
Item = TypeVar("Item")


class Method(Enum):
    """The way in which a board was found."""

    REJECTION = "rejection"
    """Whole layouts were drawn until one passed: uniform among those that pass."""
    REPAIR = "repair"
    """A layout was changed until it passed: not uniform."""


class GeneratedBoard(NamedTuple):
    """A board that certain steps alone finish, from its first cell on."""

    setup: Setup
    method: Method
    tries: int
    """Layouts drawn, or rounds of repair."""


def generate_no_guess(setup: Setup, deadline: Deadline = never) -> GeneratedBoard:
    """Lay the mines of a seed so that no guess is needed after the first cell.

    The first cell and its neighbours hold no mine where the board has room. The same seed always
    gives the same board. Raises `NoBoardError` after many rounds without one, and `OutOfTimeError`
    when the deadline passes.
    """
    check_kind("setup", setup, Setup, "a Setup")
    if setup.seed is None or setup.first is None:
        raise SetupError("a no-guess board is laid from a seed, around a first cell")
    asked = Setup(replace(setup.variant, is_no_guess=True), setup.seed, first=setup.first)
    generator = _Generator(asked, setup.first, seeded_bits(setup.seed))
    board, method, tries = generator.draw(deadline) or generator.repair(deadline)
    return GeneratedBoard(replace(asked, layout=board.mines), method, tries)


_Found = tuple[Deal, Method, int]


@dataclass(frozen=True)
class _Generator:
    """Draws boards until one needs no guess."""

    setup: Setup
    first: Cell
    random_bits: RandomBits

    def new_proof(self) -> _Proof:
        """Draw a layout whose first cell is a zero where the board has room."""
        setup, grid = self.setup, self.setup.variant.grid
        mines = place_mines(setup.size, setup.mine_count, self.random_bits)
        mines = protect(grid, mines, self.first, FirstReveal.ZERO, self.random_bits)
        board = Deal(setup.size, mines, setup.rules.spread)
        return _Proof(board, grid.index(self.first), self.random_bits)

    def draw(self, deadline: Deadline) -> _Found | None:
        """Draw whole layouts until one passes; not where hardly any would."""
        cells = self.setup.size.cells
        if cells > _MANY_CELLS or self.setup.mine_count > _HOPELESS_DENSITY * cells:
            return None
        for tried in range(1, REJECTION_TRIES + 1):
            check(deadline)
            proof = self.new_proof()
            if proof.run():
                return proof.board, Method.REJECTION, tried
        return None

    def repair(self, deadline: Deadline) -> _Found:
        """Change layouts, each for a number of rounds, until one is proved without a change."""
        proof, rounds = self.new_proof(), 1
        for _ in range(min(_MOST_STEPS, 300 + _MOST_WORK // self.setup.size.cells)):
            check(deadline)
            is_finished = proof.run()
            if is_finished and not proof.is_changed:
                return proof.board, Method.REPAIR, rounds
            if is_finished or not proof.loosen():
                proof = proof.again() if rounds % _ROUNDS_OF_A_DRAFT else self.new_proof()
                rounds += 1
        raise NoBoardError("no board was found that needs no guess; try fewer mines")


class _Proof:
    """One attempt to finish a board from its first reveal without a guess.

    Where it is stuck, the board may be changed. What a player knows so far stays true, or else the
    attempt has to start again.
    """

    def __init__(self, board: Deal, start: int, random_bits: RandomBits) -> None:
        self.board = board
        self._start = start
        self._random_bits = random_bits
        self._position = Position(board.grid.size, board.mine_count)
        self._knowledge = self._position.knowledge
        self.is_changed = False
        self._stuck: list[Component] = []
        """The components in which nothing is certain, after a run that did not finish."""
        board.cover()
        self._open([start])

    def again(self) -> _Proof:
        """Begin anew, on the board as it is now."""
        return _Proof(self.board, self._start, self._random_bits)

    def run(self) -> bool:
        """Take all certain steps; return whether they finish the board."""
        knowledge = self._knowledge
        while True:
            if knowledge.deduce():
                self._open(knowledge.take_safe())
            elif knowledge.unknown_left == knowledge.mines_left:
                return True
            elif not knowledge.mines_left:
                knowledge.mark_safe(knowledge.unknown())
            elif not self._count_components():
                # Near the end the mine count makes cells certain, too.
                is_late = knowledge.unknown_left <= _FEW_UNKNOWN
                if not (is_late and self._position.assess().mark_certain()):
                    return False

    def _open(self, cells: list[int]) -> None:
        # What a proof opens is safe.
        self._knowledge.show(self.board.open(cells) or [])

    def _count_components(self) -> bool:
        """Look for cells that their own component makes certain under any mine count."""
        knowledge = self._knowledge
        self._stuck = self._position.components()
        found = False
        for component in self._stuck:
            try:
                counts = count_layouts(component, self._position.state_limit)
            except TooManyStatesError:
                continue
            for box, mined in zip(component.boxes, counts.mined, strict=True):
                if not any(mined):
                    knowledge.mark_safe(box.cells)
                    found = True
                elif mined == counts.layouts:
                    knowledge.mark_mines(box.cells)
                    found = True
        return found

    def loosen(self) -> bool:
        """Change the board where the proof is stuck; return whether the proof can continue."""
        self.is_changed = True
        if not self._stuck:
            # Open a way to the unknown part: swap a mine of its wall with a safe cell.
            status, neighbours = self._knowledge.status, self._knowledge.neighbours
            walls = [
                index
                for index, each in enumerate(status)
                if each == MINE and {UNKNOWN, SHOWN} <= {status[near] for near in neighbours[index]}
            ]
            behind = [index for index in self._knowledge.unknown() if not self.board.mined[index]]
            if walls and behind:
                self.board.put(self._draw(walls), mine=False)
                self.board.put(self._draw(behind), mine=True)
            return False
        number = self._pick(self._pick(self._stuck).numbers)
        if self._ease(number):
            return True
        for component in self._stuck:
            self._ease_from_afar(self._pick(component.numbers))
        return False

    def _ease(self, number: int) -> bool:
        """Empty or fill a number's cells; the unknown rest of the board takes up the change."""
        knowledge, mined = self._knowledge, self.board.mined
        cells = knowledge.unknown_around(number)
        # The other unknown cells: only those that no number sees, if there are enough.
        own, room, neighbours = set(cells), knowledge.room, knowledge.neighbours
        unknown = [index for index in knowledge.unknown() if index not in own]
        unseen = [index for index in unknown if not any(room[near] for near in neighbours[index])]
        rest = unseen if len(unseen) * 2 > len(unknown) else unknown
        dense = knowledge.mines_left * self.board.grid.size.cells > (
            self.board.mine_count * knowledge.unknown_left
        )
        fills = (dense, not dense) if self._random_bits(2) else (not dense, dense)
        for fill in fills:
            changing = [cell for cell in cells if mined[cell] != fill]
            partners = [cell for cell in rest if mined[cell] == fill]
            if changing and len(partners) >= len(changing):
                for cell in changing:
                    self._revise(cell, mine=fill)
                    self._revise(self._draw(partners), mine=not fill)
                return True
        return False

    def _revise(self, index: int, *, mine: bool) -> None:
        """Lay a mine in an unknown cell that has none, or take it away."""
        self.board.put(index, mine=mine)
        self._knowledge.correct_clues(index, 1 if mine else -1)

    def _ease_from_afar(self, number: int) -> None:
        """Empty or fill a number's cells; settled cells take up the change."""
        mined = self.board.mined
        zone = {self._start, *self.board.neighbours[self._start]}
        fill = bool(self._random_bits(1))
        wanted = MINE if fill else SHOWN
        partners = [
            index
            for index, status in enumerate(self._knowledge.status)
            if status == wanted and mined[index] == fill and index not in zone
        ]
        for cell in self._knowledge.unknown_around(number):
            if mined[cell] != fill and partners and cell not in zone:
                self.board.put(cell, mine=fill)
                self.board.put(self._draw(partners), mine=not fill)

    def _pick(self, items: Sequence[Item]) -> Item:
        return items[below(len(items), self._random_bits)]

    def _draw(self, items: list[int]) -> int:
        position = below(len(items), self._random_bits)
        items[position], items[-1] = items[-1], items[position]
        return items.pop()
