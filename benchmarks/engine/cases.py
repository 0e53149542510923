"""What is measured: each case runs ours, naive Python and plain C on the same work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from time import thread_time_ns

from benchmarks.engine.compiled import PlainC, plain_index
from benchmarks.engine.naive import EIGHT, FOUR, NaiveBoard
from jminesweeper.core.game import Game
from jminesweeper.core.generator import place_mines, seeded_bits
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS, Level, Spread
from jminesweeper.core.setup import Setup
from jminesweeper.recordings.figures import measure_board

LARGEST = Size(255, 255)
SIZES = (Size(9, 9), Size(30, 16), Size(100, 100), LARGEST)
CLICKS = 50
MEASURED_BOARDS = (
    (Size(30, 16), 99, 200),
    (LARGEST, Level.EASY.mines(LARGEST), 5000),
    # One mine in ten cells: the openings are just about to join, the hardest to count.
    (LARGEST, LARGEST.cells // 10, 5000),
    (LARGEST, Level.MEDIUM.mines(LARGEST), 5000),
)

Contestant = Callable[[int], int]
"""Runs one round and returns nanoseconds for one unit of work."""


@dataclass(frozen=True)
class Case:
    """One line of the table. The aim is in microseconds."""

    name: str
    aim_us: float
    ours: Contestant
    naive: Contestant
    c: Contestant | None


def all_cases(c: PlainC | None) -> Iterator[Case]:
    for level in Level:
        yield new_board(level, c)
    for spread in Spread:
        yield cascade(spread, c)
    for size in SIZES:
        yield clicks("reveal", size, c)
    for size in SIZES:
        yield clicks("flag", size, c)
    for board in MEASURED_BOARDS:
        for spread in Spread:
            yield three_bv(*board, spread, c)


def new_board(level: Level, c: PlainC | None) -> Case:
    count = level.mines(LARGEST)

    def ours(seed: int) -> int:
        start = thread_time_ns()
        field = Minefield(LARGEST, place_mines(LARGEST, count, seeded_bits(seed)))
        _ = field.clue_planes
        return thread_time_ns() - start

    def naive(seed: int) -> int:
        start = thread_time_ns()
        NaiveBoard.draw(LARGEST.columns, LARGEST.rows, count, seed)
        return thread_time_ns() - start

    def in_c(c: PlainC, seed: int) -> int:
        return c.new_board(LARGEST, count, seed)

    name = f"new board {LARGEST} {level.name.lower()}"
    return Case(name, 300, ours, naive, with_c(c, in_c))


def cascade(spread: Spread, c: PlainC | None) -> Case:
    """Open the largest cascade of a level-1 board, a new board every round."""
    diagonal = spread is Spread.EIGHT

    def ours(seed: int) -> int:
        field, first = largest_cascade(seed, spread)
        start = thread_time_ns()
        field.flood(1 << first, 0, spread)
        return thread_time_ns() - start

    def naive(seed: int) -> int:
        field, first = largest_cascade(seed, spread)
        board = naive_copy(field)
        column, row = field.grid.cell(first)
        start = thread_time_ns()
        opened = board.reveal(column, row, EIGHT if diagonal else FOUR)
        took = thread_time_ns() - start
        agree(field.flood(1 << first, 0, spread).bit_count(), opened)
        return took

    def in_c(c: PlainC, seed: int) -> int:
        field, first = largest_cascade(seed, spread)
        c.load(field)
        opened, took = c.cascade(plain_index(field.grid, first), diagonal=diagonal)
        agree(field.flood(1 << first, 0, spread).bit_count(), opened)
        return took

    name = f"largest cascade {LARGEST} easy, {spread.value} neighbours"
    return Case(name, 1000, ours, naive, with_c(c, in_c))


def clicks(kind: str, size: Size, c: PlainC | None) -> Case:
    """Reveal numbers, or set flags, of a medium board: what most clicks of a game do."""

    def ours(seed: int) -> int:
        field, cells = numbers(size, seed)
        game = Game(Setup.of(size, rules=PRESETS["classic"], layout=field.mines))
        game.flag(cells[-1], 0)
        game.flag(cells[-1], 0)
        act = game.reveal if kind == "reveal" else game.flag
        start = thread_time_ns()
        for cell in cells:
            act(cell, 1000)
        return (thread_time_ns() - start) // len(cells)

    def naive(seed: int) -> int:
        field, cells = numbers(size, seed)
        board = naive_copy(field)
        start = thread_time_ns()
        for column, row in cells:
            if kind == "reveal":
                board.reveal(column, row, EIGHT)
            else:
                board.toggle_flag(column, row)
            board.is_won()
        return (thread_time_ns() - start) // len(cells)

    def in_c(c: PlainC, seed: int) -> int:
        field, cells = numbers(size, seed)
        c.load(field)
        act = c.reveal_each if kind == "reveal" else c.flag_each
        return act([cell.row * size.columns + cell.column for cell in cells]) // len(cells)

    return Case(f"{kind} {size}", 20, ours, naive, with_c(c, in_c))


def three_bv(size: Size, count: int, aim_us: float, spread: Spread, c: PlainC | None) -> Case:
    diagonal = spread is Spread.EIGHT
    rules = replace(PRESETS["classic"], spread=spread)

    def draw(seed: int) -> Minefield:
        field = Minefield(size, place_mines(size, count, seeded_bits(seed)))
        _ = field.zeros
        return field

    def ours(seed: int) -> int:
        field = draw(seed)
        start = thread_time_ns()
        measure_board(field, rules)
        return thread_time_ns() - start

    def naive(seed: int) -> int:
        field = draw(seed)
        board = naive_copy(field)
        start = thread_time_ns()
        bbbv = board.three_bv(EIGHT if diagonal else FOUR)
        took = thread_time_ns() - start
        agree(measure_board(field, rules).bbbv, bbbv)
        return took

    def in_c(c: PlainC, seed: int) -> int:
        field = draw(seed)
        c.load(field)
        bbbv, took = c.three_bv(diagonal=diagonal)
        agree(measure_board(field, rules).bbbv, bbbv)
        return took

    name = f"3BV and islands {size} {count} mines, {spread.value}"
    return Case(name, aim_us, ours, naive, with_c(c, in_c))


def with_c(c: PlainC | None, run: Callable[[PlainC, int], int]) -> Contestant | None:
    return None if c is None else partial(run, c)


def largest_cascade(seed: int, spread: Spread) -> tuple[Minefield, int]:
    """Draw a board and find a cell of its largest cascade: one of the middle of its zeros."""
    field = Minefield(LARGEST, place_mines(LARGEST, Level.EASY.mines(LARGEST), seeded_bits(seed)))
    left = field.zeros
    best, first = 0, 0
    while left.bit_count() > best:
        seed_bit = left & -left
        opened = field.flood(seed_bit, 0, spread)
        zeros = opened & field.zeros
        if zeros.bit_count() > best:
            best, first = zeros.bit_count(), middle_of(field.grid, zeros)
        left &= ~zeros
    return field, first


def middle_of(grid: Grid, cells: int) -> int:
    listed = list(grid.cells(cells))
    return grid.index(listed[len(listed) // 2])


def numbers(size: Size, seed: int) -> tuple[Minefield, list[Cell]]:
    field = Minefield(size, place_mines(size, Level.MEDIUM.mines(size), seeded_bits(seed)))
    grid = Grid.of(size)
    cells = list(grid.cells(field.safe & ~field.zeros))
    step = max(1, len(cells) // CLICKS)
    return field, cells[::step][:CLICKS]


def naive_copy(field: Minefield) -> NaiveBoard:
    mines = {(cell.column, cell.row) for cell in field.grid.cells(field.mines)}
    return NaiveBoard(field.size.columns, field.size.rows, mines)


def agree(ours: int, theirs: int) -> None:
    """Make sure that the same work was done."""
    if ours != theirs:
        raise ArithmeticError(f"the results differ: {ours} and {theirs}")
