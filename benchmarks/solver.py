"""The solver: how often it wins and how fast, beside a player who reads one number at a time.

`python -m benchmarks.solver --preset expert --first Z --games 10000 --jobs 2` plays more games of
one kind; the same seeds are the same boards, in this checkout and in any other. With `--against
progress` a second strategy plays the same boards, and the difference has its standard error: an
idea gets a name in `Strategy` while it is on trial.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import Pool
from random import Random
from time import process_time
from typing import Final, NamedTuple

from benchmarks.tables import Run, Table
from jminesweeper.core.grid import Grid, bits
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.solver.guess import Strategy
from jminesweeper.solver.no_guess import Contest, Opening, deal
from jminesweeper.solver.playing import simulate

GAMES, QUICK_GAMES = 10_000, 100
NORMAL_95: Final = 1.96
"""Half the width of a 95 % interval, in standard deviations."""
CHUNK: Final = 50
PAIRED_HEAD: Final = ("board, first cell", "games", "won, %", "other, %", "differ", "gain, points")
HEAD: Final = ("board, first cell", "games", "won, %", "mean, ms", "p99, ms", "single numbers, %")


class Played(NamedTuple):
    won: bool
    ms: float


def measure(run: Run) -> Iterator[Table]:
    seeds = range(QUICK_GAMES if run.is_quick else GAMES)
    kinds = [(name, opening) for name in ("expert", "intermediate") for opening in Opening]
    yield Table("solver", HEAD, [row(*kind, Strategy.FULL, seeds, jobs=2) for kind in kinds])


def row(
    preset: str, opening: Opening, strategy: Strategy, seeds: range, jobs: int
) -> list[str | float]:
    contest = contest_of(preset, opening)
    with Pool(jobs) as pool:
        solved = pool.map(partial(play_ours, contest, strategy), seeds, CHUNK)
        simple = pool.map(partial(play_simply, contest), seeds, CHUNK)
    games = len(seeds)
    share, times = sum(each.won for each in solved) / games, sorted(each.ms for each in solved)
    interval = 100 * NORMAL_95 * (share * (1 - share) / games) ** 0.5
    won = f"{100 * share:.1f} ± {interval:.1f}"
    simply = f"{100 * sum(simple) / games:.1f}"
    name = f"{preset}, {opening.value}"
    return [name, games, won, sum(times) / games, times[int(games * 0.99)], simply]


def paired_row(
    name: str, contest: Contest, pair: Sequence[Strategy], seeds: range, jobs: int
) -> list[str | float]:
    """Compare two strategies: only the boards that one of them wins tell them apart."""
    with Pool(jobs) as pool:
        results = pool.map(partial(play_each, contest, pair), seeds, CHUNK)
    games = len(seeds)
    won, other = (100 * sum(each) / games for each in zip(*results, strict=True))
    differ = sum(one != another for one, another in results)
    gain = f"{won - other:+.3f} ± {100 * differ**0.5 / games:.3f}"
    return [name, games, f"{won:.2f}", f"{other:.2f}", differ, gain]


def contest_of(preset: str, opening: Opening) -> Contest:
    board = CLASSIC_BOARDS[preset]
    return opening.contest(board.size, board.mine_count)


def play_each(contest: Contest, strategies: Sequence[Strategy], seed: int) -> list[bool]:
    return [simulate(contest, seed, strategy).won for strategy in strategies]


def play_ours(contest: Contest, strategy: Strategy, seed: int) -> Played:
    begin = process_time()
    won = simulate(contest, seed, strategy).won
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
    names = [each.value for each in Strategy]
    parser.add_argument("--strategy", choices=names, default=Strategy.FULL.value)
    parser.add_argument("--against", choices=names, help="plays the same boards, to be compared")
    chosen = parser.parse_args()
    opening, strategy = Opening(chosen.first), Strategy(chosen.strategy)
    seeds = range(chosen.seed, chosen.seed + chosen.games)
    if chosen.against:
        pair = (strategy, Strategy(chosen.against))
        name = f"{chosen.preset}, {opening.value}, {chosen.strategy} against {chosen.against}"
        contest = contest_of(chosen.preset, opening)
        table = Table("solver", PAIRED_HEAD, [paired_row(name, contest, pair, seeds, chosen.jobs)])
    else:
        one = row(chosen.preset, opening, strategy, seeds, chosen.jobs)
        table = Table("solver", HEAD, [one])
    print(table)


if __name__ == "__main__":
    main()
