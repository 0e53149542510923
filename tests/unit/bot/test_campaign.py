"""Many games of the solver's player."""

from __future__ import annotations

from jminesweeper.bot.playing import Campaign, CampaignGame, CampaignScore, play_campaign, play_game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import FirstReveal
from jminesweeper.solver.guess import Strategy
from jminesweeper.solver.no_guess import Contest, Opening

BEGINNER = Opening.SAFE_CORNER.contest(Size(9, 9), 10)


def test_the_same_seeds_give_the_same_games_on_any_number_of_processes() -> None:
    campaign = Campaign(BEGINNER, 1, 51)
    alone, together = (
        [(game.won, game.guesses) for game in play_campaign(campaign, jobs)] for jobs in (1, 2)
    )
    assert alone == together
    assert len(alone) == 51
    assert {won for won, _ in alone} == {True, False}


def test_a_first_click_that_is_not_protected_may_lose_at_once() -> None:
    contest = Contest(Size(2, 2), 3, Cell(0, 0), FirstReveal.OFF)
    results = [play_game(contest, Strategy.FULL, seed) for seed in range(20)]
    assert {result.won for result in results} == {True, False}
    assert all(result.guesses == 0 for result in results)


def test_a_score_counts_wins_guesses_and_times() -> None:
    results = [CampaignGame(True, 1, 2_000_000), CampaignGame(False, 3, 4_000_000)]
    score = CampaignScore.of(results)
    assert (score.games, score.won, score.rate) == (2, 1, 0.5)
    assert (score.guesses_a_game, score.mean_ms, score.p99_ms, score.worst_ms) == (2, 3, 4, 4)
    assert score.low < 0.5 < score.high
