"""The engine beside loops in plain Python and the same in C, on the same boards, turn by turn."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import thread_time_ns
from typing import Final, NamedTuple

from benchmarks.naive import EIGHT, FOUR, NaiveBoard
from benchmarks.tables import Run, Table
from jminesweeper.core.game import Game
from jminesweeper.core.generator import place_mines, seeded_bits
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS, Level, Spread
from jminesweeper.core.setup import Setup
from jminesweeper.recordings.figures import measure_board

ROUNDS, QUICK_ROUNDS = 60, 7
NAIVE_EVERY: Final = 20
"""Plain Python is thousands of times slower, so it runs in few of the rounds."""
EXPERT, LARGEST = Size(30, 16), Size(255, 255)
CLICKS: Final = 50
C_SOURCE: Final = Path(__file__).with_name("plain.c")


class Work(NamedTuple):
    """Something to do on the board of a seed; each contestant returns nanoseconds a unit."""

    name: str
    ours: Callable[[int], int]
    naive: Callable[[int], int]
    c: Callable[[ctypes.CDLL, int], int]


def measure(run: Run) -> Iterator[Table]:
    library, rounds = compile_c(), QUICK_ROUNDS if run.is_quick else ROUNDS
    rows = [(work.name, *best_us(work, library, rounds)) for work in all_work()]
    yield Table("engine", ("best of all rounds, µs", "ours", "C", "loops in Python"), rows)


def best_us(work: Work, library: ctypes.CDLL | None, rounds: int) -> Sequence[float | None]:
    """Run the contestants in turn: whatever else the machine does hits them alike."""
    ours, in_c, naive = [], [], []
    work.ours(0)
    for seed in range(rounds):
        ours.append(work.ours(seed))
        if library is not None:
            in_c.append(work.c(library, seed))
        if seed % NAIVE_EVERY == 0:
            naive.append(work.naive(seed))
    return [min(each) / 1000 if each else None for each in (ours, in_c, naive)]


def all_work() -> Iterator[Work]:
    yield from (new_board(level) for level in Level)
    yield from (cascade(spread) for spread in Spread)
    yield from (clicks(kind, size) for kind in ("reveal", "flag") for size in (EXPERT, LARGEST))
    yield three_bv(EXPERT, 99)
    # One mine in ten cells: the openings are just about to join, the hardest to count.
    yield three_bv(LARGEST, LARGEST.cells // 10)


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

    def c(library: ctypes.CDLL, seed: int) -> int:
        return int(library.new_board(LARGEST.columns, LARGEST.rows, count, ctypes.c_uint64(seed)))

    return Work(f"new board {LARGEST} {level.name.lower()}", ours, naive, c)


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

    def c(library: ctypes.CDLL, seed: int) -> int:
        field, first = largest_cascade(seed, spread)
        load(library, field)
        column, row = field.grid.cell(first)
        took = ctypes.c_int64()
        place = row * LARGEST.columns + column
        opened = library.cascade(place, int(is_diagonal), ctypes.byref(took))
        agree(field.flood(1 << first, 0, spread).bit_count(), opened)
        return took.value

    return Work(f"largest cascade {LARGEST}, {spread.value} neighbours", ours, naive, c)


def clicks(kind: str, size: Size) -> Work:
    """Reveal numbers, or set flags, of a medium board: what most clicks of a game do."""

    def ours(seed: int) -> int:
        field, cells = numbers(size, seed)
        game = Game(Setup.of(size, rules=PRESETS["classic"], layout=field.mines))
        act = game.reveal if kind == "reveal" else game.flag
        start = thread_time_ns()
        for cell in cells:
            act(cell)
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

    def c(library: ctypes.CDLL, seed: int) -> int:
        field, cells = numbers(size, seed)
        load(library, field)
        places = [cell.row * size.columns + cell.column for cell in cells]
        act = library.reveal_each if kind == "reveal" else library.flag_each
        return int(act((ctypes.c_int * len(places))(*places), len(places))) // len(places)

    return Work(f"{kind} {size}", ours, naive, c)


def three_bv(size: Size, count: int) -> Work:
    rules = replace(PRESETS["classic"], spread=Spread.EIGHT)

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
        bbbv = board.three_bv(EIGHT)
        took = thread_time_ns() - start
        agree(measure_board(field, rules).bbbv, bbbv)
        return took

    def c(library: ctypes.CDLL, seed: int) -> int:
        field = draw(seed)
        load(library, field)
        took = ctypes.c_int64()
        bbbv = library.three_bv(1, ctypes.byref(took))
        agree(measure_board(field, rules).bbbv, bbbv)
        return took.value

    return Work(f"3BV and islands {size} {count} mines", ours, naive, c)


def compile_c() -> ctypes.CDLL | None:
    """Compile the engine in C with gcc -O2; without gcc there is none."""
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder) / "plain.so"
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", built, C_SOURCE], check=True)
        library = ctypes.CDLL(str(built))
    for name in ("new_board", "reveal_each", "flag_each"):
        getattr(library, name).restype = ctypes.c_int64
    return library


def load(library: ctypes.CDLL, field: Minefield) -> None:
    size, mines = field.size, field.mines
    mined = bytes(bool(mines & field.grid.bit(cell)) for cell in field.grid.cells(field.grid.mask))
    library.load(size.columns, size.rows, mined)


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
