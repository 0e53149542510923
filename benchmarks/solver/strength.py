"""Win rates on the same boards for every strategy that is compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pool
from time import process_time
from typing import NamedTuple

from jminesweeper.solver.counting import Counter
from jminesweeper.solver.dealing import Contest
from jminesweeper.solver.playing import simulate
from jminesweeper.solver.strategy import PARTS

# Half the width of a 95 % interval, in standard deviations.
NORMAL_95 = 1.96
CHUNK = 50


class Result(NamedTuple):
    won: bool
    guesses: int
    seconds: float


@dataclass(frozen=True)
class Figures:
    """What a run of games came to; win rates in percent, with 95 % intervals."""

    parts: str
    games: int
    won: float
    won_interval: float
    gain: float
    gain_interval: float
    guesses: float
    mean_ms: float
    p99_ms: float
    max_ms: float


class Game(NamedTuple):
    contest: Contest
    seed: int
    parts: str


_counters: dict[str, Counter] = {}


def play(game: Game) -> Result:
    """Play one game; a process keeps what it counted from game to game."""
    counter = _counters.setdefault(game.parts, Counter())
    begin = process_time()
    played = simulate(game.contest, game.seed, PARTS[game.parts], counter)
    return Result(played.won, played.guesses, process_time() - begin)


def compare(
    contest: Contest, parts: Sequence[str], seed: int, games: int, jobs: int
) -> Iterator[Figures]:
    """Play the same boards with each strategy in turn."""
    first: list[Result] = []
    with Pool(jobs) as pool:
        for each in parts:
            orders = [Game(contest, number, each) for number in range(seed, seed + games)]
            results = pool.map(play, orders, CHUNK)
            first = first or results
            yield summary(each, results, first)


def summary(parts: str, results: list[Result], first: list[Result]) -> Figures:
    games = len(results)
    share = sum(result.won for result in results) / games
    better = sum(now.won > then.won for now, then in zip(results, first, strict=True))
    worse = sum(now.won < then.won for now, then in zip(results, first, strict=True))
    taken = sorted(result.seconds * 1000 for result in results)
    return Figures(
        parts,
        games,
        100 * share,
        100 * NORMAL_95 * (share * (1 - share) / games) ** 0.5,
        100 * (better - worse) / games,
        100 * NORMAL_95 * (better + worse) ** 0.5 / games,
        sum(result.guesses for result in results) / games,
        sum(taken) / games,
        taken[int(games * 0.99)],
        taken[-1],
    )
