"""The cells of a frame: their faces, and the pens that write them.

The faces of a board are kept. Most actions change one cell, whose face is set alone; otherwise
those from the first row that has changed to the last are made again. Faces are written by tables:
what to write for a face depends on the style that was on before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from struct import Struct
from typing import Final, Generic, TypeAlias, TypeVar

from jminesweeper.core.faces import COVERED, FLAGGED, MINED, QUESTIONED, Layers, faces_of
from jminesweeper.core.grid import Grid
from jminesweeper.core.minefield import Planes, read_clue
from jminesweeper.core.view import PlayerView

_PAIR: Final = Struct("=H")

Layering: TypeAlias = Callable[[PlayerView, int], Layers]
StyleT = TypeVar("StyleT", bound=Hashable)


class KeptFaces:
    """The faces of some rows of one board, kept in step with what its player sees."""

    __slots__ = (
        "_clue_planes",
        "_debug_mines",
        "_flagged",
        "_grid",
        "_known",
        "_layering",
        "_over",
        "_questioned",
        "_rows",
        "_start",
        "_visible",
        "faces",
    )

    def __init__(self, grid: Grid, rows: range, layering: Layering) -> None:
        """Begin with a covered board."""
        self._grid = grid
        self._rows = rows
        self._layering = layering
        self._start = rows.start * grid.stride
        self._visible = self._flagged = self._questioned = self._debug_mines = self._known = 0
        self._clue_planes: Planes = (0, 0, 0, 0)
        self._over: PlayerView | None = None
        """The view of a game that had ended; the faces may then show anything."""
        self.faces = bytearray((bytes((COVERED,)) * grid.size.columns + b"\0") * len(rows))

    def update(self, view: PlayerView, debug_mines: int) -> Sequence[int]:
        """Update the faces from a view; return the rows of the board in which something changed."""
        visible, flagged, questioned = view.visible, view.flagged, view.questioned
        clue_planes, shown_mines = view.clue_planes, view.shown_mines
        changed = (
            self._visible ^ visible
            | self._flagged ^ flagged
            | self._questioned ^ questioned
            | self._debug_mines ^ debug_mines
            | self._known ^ view.known
        )
        if clue_planes != self._clue_planes:
            for old, new in zip(self._clue_planes, clue_planes, strict=True):
                # A cell that is visible in two games in a row may have two numbers.
                if new & self._visible != old:
                    changed |= old ^ new
            self._clue_planes = clue_planes
        self._visible, self._flagged, self._questioned = visible, flagged, questioned
        self._debug_mines, self._known = debug_mines, view.known
        if shown_mines is not None or self._over is not None:
            before, self._over = self._over, None if shown_mines is None else view
            return self._remake(view, self._rows) if changed or view != before else ()
        if not changed:
            return ()
        if changed & (changed - 1):
            spanned = self._grid.rows_spanned(changed)
            first, stop = self._rows.start, self._rows.stop
            return self._remake(view, range(max(spanned.start, first), min(spanned.stop, stop)))
        return self._remake_cell(changed.bit_length() - 1)

    def row(self, row: int, columns: slice) -> bytes:
        """Return the faces of part of a row of the board."""
        start = row * self._grid.stride - self._start
        return bytes(self.faces[start + columns.start : start + columns.stop])

    def _remake(self, view: PlayerView, rows: range) -> Sequence[int]:
        stride, faces = self._grid.stride, self.faces
        new = faces_of(self._grid, self._layering(view, self._debug_mines), rows)
        first = rows.start * stride - self._start
        old = faces[first : first + len(new)]
        faces[first : first + len(new)] = new
        return [
            row
            for row, start in zip(rows, range(0, len(new), stride), strict=True)
            if old[start : start + stride] != new[start : start + stride]
        ]

    def _remake_cell(self, index: int) -> Sequence[int]:
        """Set the face of one cell of a running game."""
        row = index // self._grid.stride
        if row not in self._rows:
            return ()
        if self._visible >> index & 1:
            face = read_clue(self._clue_planes, index)
        elif self._known >> index & 1:
            face = MINED
        else:
            face = COVERED
            if self._flagged >> index & 1:
                face |= FLAGGED
            elif self._questioned >> index & 1:
                face |= QUESTIONED
            if self._debug_mines >> index & 1:
                face |= MINED
        self.faces[index - self._start] = face
        return (row,)


class FacePen(dict[int, tuple[bytes, "FacePen[StyleT]"]], Generic[StyleT]):
    """What to write for each face after some style, and the pen for the face that follows.

    Two cells cost one look-up, in `pairs`. Entries are made when first needed: few of all faces
    occur in a game.
    """

    def __init__(
        self,
        style: StyleT,
        write: Callable[[StyleT, int], tuple[bytes, StyleT]],
        pens: dict[StyleT, FacePen[StyleT]] | None = None,
    ) -> None:
        """Begin with a style; `write` returns the bytes of a face and the style after it."""
        super().__init__()
        self.style = style
        self._write = write
        self._pens = {} if pens is None else pens
        self._pens[style] = self
        self.pairs = PairPen(self)

    def __missing__(self, face: int) -> tuple[bytes, FacePen[StyleT]]:
        text, style = self._write(self.style, face)
        self[face] = entry = (text, self.after(style))
        return entry

    def after(self, style: StyleT) -> FacePen[StyleT]:
        """Return the pen for the same cells after another style."""
        pen = self._pens.get(style)
        return FacePen(style, self._write, self._pens) if pen is None else pen


class PairPen(dict[int, tuple[bytes, "PairPen[StyleT]"]], Generic[StyleT]):
    """What to write for two faces at once, by the number that their bytes make in this machine."""

    def __init__(self, pen: FacePen[StyleT]) -> None:
        super().__init__()
        self.pen = pen

    def __missing__(self, pair: int) -> tuple[bytes, PairPen[StyleT]]:
        left, right = _PAIR.pack(pair)
        first, pen = self.pen[left]
        second, pen = pen[right]
        self[pair] = entry = (first + second, pen.pairs)
        return entry


def write_faces(
    pen: FacePen[StyleT], faces: bytes | bytearray, pieces: list[bytes]
) -> FacePen[StyleT]:
    """Add the pieces that show faces side by side; return the pen after them."""
    if len(faces) % 2:
        piece, pen = pen[faces[0]]
        pieces.append(piece)
        faces = faces[1:]
    pairs = pen.pairs
    for pair in memoryview(faces).cast("H"):
        piece, pairs = pairs[pair]
        pieces.append(piece)
    return pairs.pen
