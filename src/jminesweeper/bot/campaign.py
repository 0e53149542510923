"""Many games on this machine, in several processes, and their totals.

A campaign names its boards by seeds, so that every strategy plays the same ones and no difference
between two strategies is luck.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Final, NamedTuple

from jminesweeper.recordings.figures import wilson_interval
from jminesweeper.solver.guess import Strategy
from jminesweeper.solver.no_guess import Contest
from jminesweeper.solver.playing import simulate

_BATCH_GAMES: Final = 50


class CampaignGame(NamedTuple):
    """One game."""

    won: bool
    guesses: int
    cpu_ns: int


@dataclass(frozen=True, slots=True)
class Campaign:
    """Which games to play, and with which part of the solver's strategy."""

    contest: Contest
    first_seed: int
    games: int
    strategy: Strategy = Strategy.FULL


@dataclass(frozen=True, slots=True)
class CampaignScore:
    """The totals of a campaign."""

    games: int
    won: int
    low: float
    high: float
    guesses_a_game: float
    mean_ms: float
    p99_ms: float
    worst_ms: float

    @property
    def rate(self) -> float:
        return self.won / self.games

    @staticmethod
    def of(results: Sequence[CampaignGame]) -> CampaignScore:
        games, won = len(results), sum(result.won for result in results)
        low, high = wilson_interval(won, games)
        times_ms = sorted(result.cpu_ns / 1e6 for result in results)
        return CampaignScore(
            games,
            won,
            low,
            high,
            sum(result.guesses for result in results) / games,
            sum(times_ms) / games,
            times_ms[min(games - 1, games * 99 // 100)],
            times_ms[-1],
        )


def play_game(contest: Contest, strategy: Strategy, seed: int) -> CampaignGame:
    """Play one game to its end."""
    started_ns = time.process_time_ns()
    played = simulate(contest, seed, strategy)
    return CampaignGame(played.won, played.guesses, time.process_time_ns() - started_ns)


def play_campaign(campaign: Campaign, jobs: int) -> Iterator[CampaignGame]:
    """Play all games; results come in the order of their seeds."""
    play = partial(play_game, campaign.contest, campaign.strategy)
    seeds = range(campaign.first_seed, campaign.first_seed + campaign.games)
    if jobs <= 1:
        yield from map(play, seeds)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        yield from pool.map(play, seeds, chunksize=_BATCH_GAMES)
