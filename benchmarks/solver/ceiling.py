"""How often any player at all could win: a bound that no strategy passes.

Until the first guess there is nothing to choose. From there on the value of a position is worked
out to the end where that is possible; where it is not, it is at most the safety of the safest
cell, as if nothing had to be guessed after it.
"""

from __future__ import annotations

from multiprocessing import Pool
from typing import NamedTuple

from benchmarks.solver.strength import CHUNK, NORMAL_95
from jminesweeper.core.grid import Grid
from jminesweeper.solver.assessment import assess
from jminesweeper.solver.counting import Components, Counter
from jminesweeper.solver.dealing import Contest, DealtBoard, deal
from jminesweeper.solver.endgame import Endgame, TooManyNodesError
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.playing import Solver
from jminesweeper.solver.strategy import PARTS

MOST_LAYOUTS = 2_000
MOST_NODES = 200_000


class Start(NamedTuple):
    """One board, to be played up to its first guess."""

    contest: Contest
    seed: int


class Value(NamedTuple):
    """What the first guess of a game is worth to a perfect player, or more than that."""

    chance: float
    exact: bool


class Ceiling(NamedTuple):
    """The bound, in percent with its 95 % interval, and where it comes from."""

    most: float
    interval: float
    without_guess: float
    solved: float
    """Games in percent that come to a guess whose value is exact."""
    bounded: float

    def __str__(self) -> str:
        return (
            f"no player wins more than {self.most:.2f} +- {self.interval:.2f} %: "
            f"{self.without_guess:.2f} % of the games need no guess, the first guess of "
            f"{self.solved:.2f} % was worked out to the end, that of {self.bounded:.2f} % was not"
        )


_counter = Counter()


def find_ceiling(contest: Contest, seed: int, games: int, jobs: int) -> Ceiling:
    starts = [Start(contest, number) for number in range(seed, seed + games)]
    with Pool(jobs) as pool:
        values = pool.map(first_guess, starts, CHUNK)
    chances = [1.0 if value is None else value.chance for value in values]
    mean = sum(chances) / games
    spread = sum([(chance - mean) ** 2 for chance in chances]) / games
    found = [value for value in values if value is not None]
    exact = sum(value.exact for value in found)
    return Ceiling(
        100 * mean,
        100 * NORMAL_95 * (spread / games) ** 0.5,
        100 * (games - len(found)) / games,
        100 * exact / games,
        100 * (len(found) - exact) / games,
    )


def first_guess(start: Start) -> Value | None:
    """Play what is sure; the value of the first position where nothing is."""
    contest, seed = start
    board = DealtBoard(deal(contest, seed))
    solver = Solver(contest.size, contest.mine_count, PARTS["risk"], _counter)
    knowledge = Knowledge(contest.size, contest.mine_count)
    opened = board.reveal(Grid.of(contest.size).index(contest.first))
    while opened is not None and board.left:
        solver.knowledge.show(opened)
        knowledge.show(opened)
        plan = solver.decide()
        if plan.guess is not None:
            return value_of(knowledge)
        opened = board.reveal_all(plan.cells)
    return None


def value_of(knowledge: Knowledge) -> Value:
    """Say how often the best player wins from here, exactly or at most."""
    knowledge.deduce_all()
    assessment = assess(knowledge, Components(knowledge), _counter)
    if not assessment.exact:
        return Value(1.0, exact=False)
    if assessment.balance.layouts <= MOST_LAYOUTS:
        layouts = assessment.layouts()
        neighbours = knowledge.terrain.neighbours
        try:
            best = Endgame(layouts, list(assessment.chance), neighbours, MOST_NODES).best()
        except TooManyNodesError:
            pass
        else:
            return Value(best.wins / len(layouts), exact=True)
    return Value(1 - assessment.lowest, exact=False)
