"""A few cells as they look on a player's screen, beside the settings that change their look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jminesweeper.core.faces import COVERED, EXPLODED, FLAGGED, MINED
from jminesweeper.screen.layout import Canvas
from jminesweeper.screen.lines import Line
from jminesweeper.screen.shapes import chosen_shape
from jminesweeper.screen.symbols import Stage, cell_tables

_FLAG: Final = COVERED | FLAGGED
_PLAYED: Final[Sequence[bytes]] = (
    bytes((0, 1, 2, COVERED, COVERED)),
    bytes((3, 4, _FLAG, COVERED, _FLAG)),
    bytes((5, 6, 7, 8, COVERED)),
)
_LOST: Final[Sequence[bytes]] = (
    bytes((MINED, FLAGGED | MINED, FLAGGED | 2, EXPLODED | MINED, COVERED | 1)),
)


def compose_preview(canvas: Canvas) -> Sequence[Line]:
    """Compose rows of a game that is played, and one of a game that was lost."""
    rows = [*_lines(canvas, _PLAYED, Stage.PLAYING), Line()]
    return [*rows, *_lines(canvas, _LOST, Stage.ENDED)]


def _lines(canvas: Canvas, rows: Sequence[bytes], stage: Stage) -> Iterator[Line]:
    shape = chosen_shape(canvas.cell_size, has_tiles=canvas.has_tiles)
    for number, faces in enumerate(rows):
        for line in range(shape.rows):
            has_signs = line == shape.sign_row
            tables = cell_tables(canvas.symbols, stage, shape, has_signs=has_signs)
            yield Line(*tables.row(faces, number % 2))
