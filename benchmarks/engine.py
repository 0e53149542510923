"""The engine beside loops in plain Python, on the same boards, turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import thread_time_ns
from typing import Final, NamedTuple

from benchmarks.naive import EIGHT, FOUR, NaiveBoard
from benchmarks.tables import Run, Table
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield, place_mines, seeded_bits
from jminesweeper.core.rules import PRESETS, Level, Spread
from jminesweeper.core.setup import Setup

ROUNDS, QUICK_ROUNDS = 60, 7
NAIVE_EVERY: Final = 20
"""Plain Python is thousands of times slower, so it runs in few of the rounds."""
EXPERT, LARGEST = Size(30, 16), Size(255, 255)
CLICKS: Final = 50


class Work(NamedTuple):
    """Something to do on the board of a seed; each contestant returns nanoseconds a unit."""

    name: str
    ours: Callable[[int], int]
    naive: Callable[[int], int]


def measure(run: Run) -> Iterator[Table]:
    rounds = QUICK_ROUNDS if run.is_quick else ROUNDS
    rows: list[list[str | float]] = [[work.name, *best_us(work, rounds)] for work in all_work()]
    yield Table("engine", ("best of all rounds, µs", "ours", "loops in Python"), rows)


def best_us(work: Work, rounds: int) -> Sequence[float]:
    """Run the contestants in turn: whatever else the machine does hits them alike."""
    work.ours(0)
    ours = [work.ours(seed) for seed in range(rounds)]
    naive = [work.naive(seed) for seed in range(0, rounds, NAIVE_EVERY)]
    return [min(each) / 1000 for each in (ours, naive)]


def all_work() -> Iterator[Work]:
    yield from (new_board(level) for level in Level)
    yield from (cascade(spread) for spread in Spread)
    yield from (clicks(size) for size in (EXPERT, LARGEST))


def new_board(level: Level) -> Work:
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

    return Work(f"new board {LARGEST} {level.name.lower()}", ours, naive)


def cascade(spread: Spread) -> Work:
    """Open the largest cascade of a level 1 board, a new board every round."""
    is_diagonal = spread is Spread.EIGHT

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
        opened = board.reveal(column, row, EIGHT if is_diagonal else FOUR)
        took = thread_time_ns() - start
        agree(field.flood(1 << first, 0, spread).bit_count(), opened)
        return took

    return Work(f"largest cascade {LARGEST}, {spread.value} neighbours", ours, naive)


def clicks(size: Size) -> Work:
    """Reveal numbers of a medium board: what most clicks of a game do."""

    def ours(seed: int) -> int:
        field, cells = numbers(size, seed)
        game = Game(Setup.of(size, rules=PRESETS["classic"], layout=field.mines))
        start = thread_time_ns()
        for cell in cells:
            game.reveal(cell)
        return (thread_time_ns() - start) // len(cells)

    def naive(seed: int) -> int:
        field, cells = numbers(size, seed)
        board = naive_copy(field)
        start = thread_time_ns()
        for column, row in cells:
            board.reveal(column, row, EIGHT)
            board.is_won()
        return (thread_time_ns() - start) // len(cells)

    return Work(f"reveal {size}", ours, naive)


def largest_cascade(seed: int, spread: Spread) -> tuple[Minefield, int]:
    """Draw a board and find a cell of its largest cascade: one of the middle of its zeros."""
    field = Minefield(LARGEST, place_mines(LARGEST, Level.EASY.mines(LARGEST), seeded_bits(seed)))
    left, best, first = field.zeros, 0, 0
    while left.bit_count() > best:
        zeros = field.flood(left & -left, 0, spread) & field.zeros
        if zeros.bit_count() > best:
            cells = list(field.grid.cells(zeros))
            best, first = len(cells), field.grid.index(cells[len(cells) // 2])
        left &= ~zeros
    return field, first


def numbers(size: Size, seed: int) -> tuple[Minefield, list[Cell]]:
    field = Minefield(size, place_mines(size, Level.MEDIUM.mines(size), seeded_bits(seed)))
    cells = list(Grid.of(size).cells(field.safe & ~field.zeros))
    return field, cells[:: max(1, len(cells) // CLICKS)][:CLICKS]


def naive_copy(field: Minefield) -> NaiveBoard:
    mines = {(cell.column, cell.row) for cell in field.grid.cells(field.mines)}
    return NaiveBoard(field.size.columns, field.size.rows, mines)


def agree(ours: int, theirs: int) -> None:
    """Make sure that the same work was done."""
    if ours != theirs:
        raise ArithmeticError(f"the results differ: {ours} and {theirs}")
