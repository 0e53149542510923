"""The plain C engine, compiled on the spot."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from jminesweeper.core.grid import Grid, Size
from jminesweeper.core.minefield import Minefield

SOURCE = Path(__file__).with_name("plain.c")


class PlainC:
    """What `plain.c` does, in nanoseconds."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        for name in ("new_board", "reveal_each", "flag_each"):
            getattr(library, name).restype = ctypes.c_int64

    @staticmethod
    def compile() -> PlainC | None:
        """Compile it with gcc -O2; without gcc there is none."""
        compiler = shutil.which("gcc")
        if compiler is None:
            return None
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "plain.so"
            command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
            subprocess.run(command, check=True)
            return PlainC(ctypes.CDLL(str(library)))

    def new_board(self, size: Size, count: int, seed: int) -> int:
        seed_ = ctypes.c_uint64(seed)
        return int(self._library.new_board(size.columns, size.rows, count, seed_))

    def load(self, field: Minefield) -> None:
        grid = field.grid
        mined = bytearray(field.size.cells)
        for cell in grid.cells(field.mines):
            mined[cell.row * field.size.columns + cell.column] = 1
        self._library.load(field.size.columns, field.size.rows, bytes(mined))

    def cascade(self, cell: int, *, diagonal: bool) -> tuple[int, int]:
        """Return how many cells opened, and the nanoseconds."""
        took = ctypes.c_int64()
        opened = self._library.cascade(cell, int(diagonal), ctypes.byref(took))
        return int(opened), took.value

    def three_bv(self, *, diagonal: bool) -> tuple[int, int]:
        """Return the 3BV of the board loaded, and the nanoseconds."""
        took = ctypes.c_int64()
        bbbv = self._library.three_bv(int(diagonal), ctypes.byref(took))
        return int(bbbv), took.value

    def reveal_each(self, cells: Sequence[int]) -> int:
        return int(self._library.reveal_each(_ints(cells), len(cells)))

    def flag_each(self, cells: Sequence[int]) -> int:
        return int(self._library.flag_each(_ints(cells), len(cells)))


def plain_index(grid: Grid, index: int) -> int:
    """Find the number that a cell has in an array without padding."""
    row, column = divmod(index, grid.stride)
    return row * grid.size.columns + column


def _ints(values: Sequence[int]) -> ctypes.Array[ctypes.c_int]:
    return (ctypes.c_int * len(values))(*values)
