"""Measure the solver: ``python -m benchmarks.solver WHAT [options]``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict

from benchmarks.solver.boards import ORDERS, make_boards
from benchmarks.solver.ceiling import find_ceiling
from benchmarks.solver.positions import measure_positions
from benchmarks.solver.strength import Figures, compare
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.solver.dealing import Contest, Opening
from jminesweeper.solver.strategy import PARTS


def main() -> None:
    options = parse()
    COMMANDS[options.what](options)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solver", description=__doc__)
    parser.add_argument("what", choices=sorted(COMMANDS))
    parser.add_argument("--preset", choices=sorted(CLASSIC_BOARDS), default="expert")
    parser.add_argument("--first", choices=[each.value for each in Opening], default="S")
    parser.add_argument("--parts", nargs="+", choices=sorted(PARTS), default=["full"])
    parser.add_argument("--games", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0, help="of the first game; others follow")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def strength(options: argparse.Namespace) -> None:
    runs = compare(contest(options), options.parts, options.seed, options.games, options.jobs)
    if options.json:
        for figures in runs:
            print(json.dumps(asdict(figures)), flush=True)
        return
    print(f"{options.preset}, first click {options.first}, {options.games} games")
    for line in lines(runs):
        print(line, flush=True)


def ceiling(options: argparse.Namespace) -> None:
    print(find_ceiling(contest(options), options.seed, options.games, options.jobs))


def contest(options: argparse.Namespace) -> Contest:
    board = CLASSIC_BOARDS[options.preset]
    return Opening(options.first).contest(board.size, board.mine_count)


def lines(runs: Iterator[Figures]) -> Iterator[str]:
    yield (
        f"{'parts':<10} {'won %':>15} {'against the first':>19} {'guesses':>8} "
        f"{'mean ms':>8} {'p99 ms':>7} {'max ms':>7}"
    )
    for run in runs:
        yield (
            f"{run.parts:<10} {run.won:>7.2f} +- {run.won_interval:>4.2f} "
            f"{run.gain:>+10.2f} +- {run.gain_interval:>5.2f} {run.guesses:>8.2f} "
            f"{run.mean_ms:>8.2f} {run.p99_ms:>7.1f} {run.max_ms:>7.0f}"
        )


def positions(options: argparse.Namespace) -> None:
    for line in measure_positions(options.games, options.seed):
        print(line, flush=True)


def boards(options: argparse.Namespace) -> None:
    for order in ORDERS:
        print(make_boards(order, options.seed), flush=True)


COMMANDS: Mapping[str, Callable[[argparse.Namespace], None]] = {
    "strength": strength,
    "ceiling": ceiling,
    "positions": positions,
    "boards": boards,
}


if __name__ == "__main__":
    main()
