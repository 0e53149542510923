"""How long the exact chances of a position take."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import process_time

from jminesweeper.core.grid import Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.solver.analysis import analyse
from jminesweeper.solver.dealing import DealtBoard, Opening, deal
from jminesweeper.solver.playing import Solver, simulate

EXPERT = Size(30, 16)
HUGE = Size(255, 255)


def measure_positions(count: int, seed: int) -> Iterator[str]:
    """Time mid-game Expert positions, scattered ones, and whole games on the largest board."""
    views = [middle_game(number) for number in range(seed, seed + count)]
    taken = sorted(timed(view) for view in views)
    yield (
        f"mid-game Expert positions: {count}, mean {1000 * sum(taken) / count:.2f} ms, "
        f"99 % {1000 * taken[int(count * 0.99)]:.2f} ms, worst {1000 * taken[-1]:.2f} ms"
    )
    for size, mines in ((EXPERT, 99), (HUGE, 3_251), (HUGE, 16_256)):
        for share in (0.05, 0.2, 0.5):
            view = scattered(size, mines, share, seed)
            begin = process_time()
            exact = analyse(view).exact
            kind = "exact" if exact else "estimated"
            yield (
                f"{size}, {mines} mines, {share:.0%} of the safe cells shown at random: "
                f"{1000 * (process_time() - begin):.0f} ms, {kind}"
            )
    contest = Opening.ZERO_INSIDE.contest(HUGE, 3_251)
    for number in range(seed, seed + 5):
        begin = process_time()
        won = simulate(contest, number).won
        seconds = process_time() - begin
        yield f"whole game on {HUGE} at level 1: {seconds:.2f} s, {'won' if won else 'lost'}"


def timed(view: PlayerView) -> float:
    begin = process_time()
    _ = analyse(view).chances
    return process_time() - begin


def middle_game(seed: int) -> PlayerView:
    """A position from a game on an Expert board, with a fifth to four fifths of it open."""
    contest = Opening.ZERO_INSIDE.contest(EXPERT, 99)
    field = deal(contest, seed)
    board = DealtBoard(field)
    solver = Solver(EXPERT, 99)
    goal = Random(seed).uniform(0.2, 0.8) * (EXPERT.cells - 99)
    opened = board.reveal(field.grid.index(contest.first))
    while opened is not None and EXPERT.cells - 99 - board.left < goal:
        solver.knowledge.show(opened)
        plan = solver.decide()
        if plan.guess is not None:
            opened = board.reveal(plan.guess.index)
            continue
        # One cell at a time, so that positions in between come up as well.
        solver.knowledge.safe.extend(plan.cells[1:])
        opened = board.reveal(plan.cells[0])
    return shown(field, board.visible)


def scattered(size: Size, mines: int, share: float, seed: int) -> PlayerView:
    """A board with some of its safe cells visible here and there: the worst that can be asked."""
    field = deal(Opening.ZERO_INSIDE.contest(size, mines), seed)
    random = Random(seed)
    cells = (cell for cell in field.grid.cells(field.safe) if random.random() < share)
    return shown(field, sum(field.grid.bit(cell) for cell in cells))


def shown(field: Minefield, visible: int) -> PlayerView:
    ones, twos, fours, eights = (plane & visible for plane in field.clue_planes)
    planes = (ones, twos, fours, eights)
    return PlayerView(field.size, field.mine_count, Status.ONGOING, visible, 0, planes, None, None)
