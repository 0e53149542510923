"""Drawing a board that several play from one first cell: a round's, or that of a race alone."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.rules import FirstReveal
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import Variant
from jminesweeper.session.reply import LayBoard


def draw_board(
    random_bits: RandomBits, board: Variant, *, has_solver: bool
) -> Generator[LayBoard, Any, Setup]:
    """Draw a board with its first cell, without guesses if wanted and possible."""
    size = board.size
    # The first cell is away from the edge, where the board has room: a larger opening.
    first = Cell(_within(size.columns, random_bits(16)), _within(size.rows, random_bits(16)))
    setup = Setup(board, seed=random_bits(SEED_BITS))
    if board.safe_count and board.is_no_guess and has_solver:
        laid = yield LayBoard(setup, first)
        if laid is not None:
            setup = replace(setup, layout=laid)
    if setup.layout is None:
        rules = replace(board.rules, first_reveal=FirstReveal.ZERO)
        setup = Setup(replace(board, rules=rules, is_no_guess=False), seed=setup.seed)
    if board.safe_count and not (setup.layout or 0) & board.grid.bit(first):
        setup = replace(setup, first=first)
    return setup


def _within(length: int, drawn: int) -> int:
    margin = min(2, (length - 1) // 2)
    return margin + drawn % (length - 2 * margin)
