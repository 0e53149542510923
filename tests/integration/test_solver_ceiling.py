"""The bound on what any player can win, which a document rests on."""

import pytest
from benchmarks.solver.ceiling import Start, find_ceiling, first_guess, value_of

from jminesweeper.core.grid import Size
from jminesweeper.core.notation import parse_position
from jminesweeper.solver.dealing import Opening
from jminesweeper.solver.knowledge import Knowledge
from jminesweeper.solver.playing import simulate

SMALL = Opening.SAFE_CORNER.contest(Size(4, 4), 3)


def knowledge(text: str, mines: int) -> Knowledge:
    return Knowledge.of(parse_position(text, mines))


def test_a_coin_toss_is_worth_a_half() -> None:
    assert value_of(knowledge("? 1\n? 1", 1)) == (0.5, True)


def test_what_is_too_large_to_be_worked_out_is_bounded_by_its_safest_cell() -> None:
    value = value_of(knowledge("\n".join(["? ? ? ? ? ? ?"] * 7), 7))
    assert not value.exact
    assert value.chance == pytest.approx(6 / 7)


def test_a_game_without_guesses_is_won() -> None:
    starts = [Start(SMALL, seed) for seed in range(40)]
    free = [start for start in starts if first_guess(start) is None]
    assert 0 < len(free) < len(starts)
    assert all(simulate(SMALL, start.seed).won for start in free)


def test_nobody_wins_more_than_the_ceiling() -> None:
    # On boards as small as this every first guess is worked out, and the solver plays perfectly:
    # it wins as often as the bound says, but for the luck of 400 games.
    ceiling = find_ceiling(SMALL, 0, 400, 1)
    assert ceiling.bounded == 0
    assert ceiling.without_guess + ceiling.solved == pytest.approx(100)
    won = sum(simulate(SMALL, seed).won for seed in range(400)) / 4
    assert won == pytest.approx(ceiling.most, abs=5)
    assert f"no player wins more than {ceiling.most:.2f}" in str(ceiling)
