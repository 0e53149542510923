"""Joining components under one mine count, on integers and on floats."""

from math import comb

import pytest

from jminesweeper.solver import ImpossiblePositionError
from jminesweeper.solver.balance import Balance, find_odds, join
from jminesweeper.solver.counting import Counts

PAIR = Counts(1, (2,), ((1,),))
LOOSE = Counts(1, (3, 6), ((1, 4), (2, 2)))


def chances(part: int, joined: Balance, parts: list[Counts]) -> list[float]:
    weights, counts = joined.weights[part], parts[part]
    norm = sum(a * b for a, b in zip(counts.layouts, weights, strict=True))
    return [
        sum(a * b for a, b in zip(mined, weights, strict=True)) / norm for mined in counts.mined
    ]


def test_the_total_is_the_number_of_layouts() -> None:
    joined = join([PAIR, LOOSE], 5, 4)
    assert joined.exact
    assert joined.total == 2 * (3 * comb(5, 2) + 6 * comb(5, 1))
    assert joined.unseen_mined == 2 * (3 * comb(4, 1) + 6 * comb(4, 0))


def test_weights_times_layouts_give_the_total_for_every_component() -> None:
    parts = [PAIR, LOOSE, LOOSE]
    joined = join(parts, 9, 6)
    for counts, weights in zip(parts, joined.weights, strict=True):
        assert sum(a * b for a, b in zip(counts.layouts, weights, strict=True)) == joined.total


@pytest.mark.parametrize(("unseen", "mines"), [(0, 1), (5, 9), (0, 4), (3, 0)])
def test_a_mine_count_that_does_not_fit_is_impossible(unseen: int, mines: int) -> None:
    with pytest.raises(ImpossiblePositionError):
        join([PAIR, LOOSE], unseen, mines)


def test_a_gap_between_the_possible_counts_is_found_out() -> None:
    with pytest.raises(ImpossiblePositionError):
        join([Counts(0, (1, 0, 1), ((0, 0, 1),))], 0, 1)


def test_without_unseen_cells_none_of_them_is_mined() -> None:
    assert join([LOOSE], 0, 2).unseen_mined == 0


def test_floats_agree_with_integers() -> None:
    parts = [PAIR, LOOSE] * 12
    exact = join(parts, 40, 38)
    tilted = join(parts, 40, 38, most_exact=0)
    assert exact.exact
    assert not tilted.exact
    for part in (0, 1):
        assert chances(part, tilted, parts) == pytest.approx(chances(part, exact, parts), abs=1e-12)
    assert tilted.unseen_mined / tilted.total == pytest.approx(exact.unseen_mined / exact.total)


def test_many_components_are_joined_without_underflow() -> None:
    parts = [LOOSE] * 400
    joined = join(parts, 10_000, 1_100)
    assert 0 < joined.unseen_mined / joined.total < 1
    assert all(0 < chance < 1 for chance in chances(399, joined, parts))


def test_the_odds_make_the_expected_mines_the_known_ones() -> None:
    odds = find_odds([], 30, 10)
    assert odds / (1 + odds) == pytest.approx(1 / 3, rel=1e-2)
