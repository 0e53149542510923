"""What the worker processes do: the solver's part in a game."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from jminesweeper.core import Grid, Log, seeded_bits
from jminesweeper.session import FindHint, Laid, LayBoard, Review, Tip
from jminesweeper.solver import (
    ImpossiblePositionError,
    Method,
    SolverError,
    cells_of,
    explain,
    generate_no_guess,
    review,
)
from jminesweeper.solver.words import percent

MOST_REVIEWED_ACTIONS = 5_000
"""Longer games are for `jminesweeper analyse`, which may take its time."""


def find_hint(request: FindHint, _limit_s: float) -> Tip | None:
    """Find the next step and say why; no position takes the solver for long."""
    try:
        hint = explain(request.view)
    except SolverError:
        return None
    grid = Grid.of(request.view.size)
    cells = 0
    for cell in (hint.cell, *cells_of(hint.argument)):
        cells |= grid.bit(cell)
    return Tip(hint.text, hint.cell, cells)


def lay_board(request: LayBoard, limit_s: float) -> Laid | None:
    """Lay a board on which certain steps alone lead from the first reveal to the end."""
    setup = request.setup
    if setup.seed is None:
        return None
    board = generate_no_guess(
        setup.size,
        setup.mine_count,
        request.first,
        seeded_bits(setup.seed),
        _deadline(limit_s),
        spread=setup.rules.spread,
    )
    return None if board is None else Laid(board.mines, board.method is Method.REJECTION)


def look_back(request: Review, _limit_s: float) -> tuple[str, ...] | None:
    """Judge a finished game in a line or two, for the end screen."""
    if len(request.entries) > MOST_REVIEWED_ACTIONS:
        return None
    log = Log(Grid.of(request.setup.size), request.entries)
    try:
        judged = review(request.setup, log, is_no_guess=request.is_no_guess)
    except ImpossiblePositionError:
        return None
    if not judged.guesses:
        return ("guesses 0",)
    return (
        f"guesses {len(judged.guesses)}, needless {len(judged.needless)}",
        f"chance to survive them {percent(judged.survival)}",
    )


def _deadline(limit_s: float) -> Callable[[], bool]:
    end_s = monotonic() + limit_s
    return lambda: monotonic() > end_s
