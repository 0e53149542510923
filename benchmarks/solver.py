"""The solver: how often it wins and how fast, beside a player who reads one number at a time.

`python -m benchmarks.solver --preset expert --first Z --games 10000 --jobs 2` plays more games of
one kind; the same seeds are the same boards, in this checkout and in any other.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from multiprocessing import Pool
from random import Random
from time import process_time
from typing import Final, NamedTuple

from benchmarks.tables import Run, Table
from jminesweeper.core.grid import Grid, bits
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.solver.no_guess import Contest, Opening, deal
from jminesweeper.solver.playing import simulate

GAMES, QUICK_GAMES = 10_000, 100
NORMAL_95: Final = 1.96
"""Half the width of a 95 % interval, in standard deviations."""
CHUNK: Final = 50
HEAD: Final = ("board, first cell", "games", "won, %", "mean, ms", "p99, ms", "single numbers, %")


class Played(NamedTuple):
    won: bool
    ms: float


def measure(run: Run) -> Iterator[Table]:
    games = QUICK_GAMES if run.is_quick else GAMES
    boards = ((name, opening) for name in ("expert", "intermediate") for opening in Opening)
    yield Table("solver", HEAD, [row(*board, games, seed=0, jobs=2) for board in boards])


def row(preset: str, opening: Opening, games: int, seed: int, jobs: int) -> list[str | float]:
    board = CLASSIC_BOARDS[preset]
    contest = opening.contest(board.size, board.mine_count)
    with Pool(jobs) as pool:
        solved = pool.map(partial(play_ours, contest), range(seed, seed + games), CHUNK)
        simple = pool.map(partial(play_simply, contest), range(seed, seed + games), CHUNK)
    share, times = sum(each.won for each in solved) / games, sorted(each.ms for each in solved)
    interval = 100 * NORMAL_95 * (share * (1 - share) / games) ** 0.5
    won = f"{100 * share:.1f} ± {interval:.1f}"
    simply = f"{100 * sum(simple) / games:.1f}"
    name = f"{preset}, {opening.value}"
    return [name, games, won, sum(times) / games, times[int(games * 0.99)], simply]


def play_ours(contest: Contest, seed: int) -> Played:
    begin = process_time()
    won = simulate(contest, seed).won
    return Played(won, 1000 * (process_time() - begin))


def play_simply(contest: Contest, seed: int) -> bool:
    """Open and mark what a single number settles, and anything at random where none does."""
    random, grid = Random(seed), Grid.of(contest.size)
    board = deal(contest, seed)
    clues: dict[int, int] = {}
    marked, opened = 0, board.open([grid.index(contest.first)])
    while opened is not None and board.left:
        clues.update(opened)
        visible = bits(clues)
        safe = 0
        for index, clue in clues.items():
            covered = grid.around(index) & grid.mask & ~visible
            if clue == covered.bit_count():
                marked |= covered
            elif clue == (covered & marked).bit_count():
                safe |= covered & ~marked
        unknown = [grid.index(cell) for cell in grid.cells(grid.mask & ~visible & ~marked)]
        settled = [grid.index(cell) for cell in grid.cells(safe)]
        opened = board.open(settled or [random.choice(unknown)])
    return opened is not None


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solver", description=__doc__)
    parser.add_argument("--preset", choices=sorted(CLASSIC_BOARDS), default="expert")
    parser.add_argument("--first", choices=[each.value for each in Opening], default="S")
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first game; others follow")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parser.parse_args()
    opening = Opening(chosen.first)
    rows = [row(chosen.preset, opening, chosen.games, chosen.seed, chosen.jobs)]
    print(Table("solver", HEAD, rows))


if __name__ == "__main__":
    main()
