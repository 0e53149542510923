"""The figures of a game."""

import pytest

from jminesweeper.core import (
    PRESETS,
    Action,
    ActionKind,
    Cell,
    Game,
    Setup,
    Size,
    parse_seed_code,
)
from jminesweeper.session.summary import figures_by_name, seed_text, shown_share, summarise
from tests.unit.session.backstage import a_play

SEEDED = Setup(Size(9, 9), 10, PRESETS["classic"], seed=7)


def won() -> Game:
    """Win after three clicks and 4 s: a flag, a zero with its border, the last lone cell."""
    game = a_play("*.*..\n.....").game
    game.toggle_flag(Cell(0, 0), 0)
    for cell in ((4, 0), (1, 0), (0, 1), (1, 1), (2, 1)):
        game.reveal(Cell(*cell), 4_000)
    return game


def test_a_seed_is_written_as_the_code_that_others_can_play() -> None:
    assert parse_seed_code(seed_text(SEEDED)) == SEEDED


def test_a_board_laid_by_hand_has_no_code() -> None:
    assert seed_text(a_play("*.").game.setup) == ""


def test_figures_have_names_and_no_empty_values() -> None:
    figures = figures_by_name(won())
    assert figures["3bv"] == figures["3bv solved"] == 5
    assert figures["3bv/s"] == pytest.approx(1.25)
    assert (figures["left clicks"], figures["right clicks"], figures["chords"]) == (5, 1, 0)
    assert "3bv/s" not in figures_by_name(Game(SEEDED))


def test_the_end_is_told_in_short_lines() -> None:
    assert [*summarise(won(), is_repeat=False)] == [
        "time 4.000 s",
        "3BV 5 of 5, 1.25 a second",
        "openings 1, islands 1",
        "clicks 6: 5 left, 1 right, 0 chords",
        "efficiency 83 %",
    ]


def test_seed_and_what_counts_apart_are_told() -> None:
    game = Game(SEEDED)
    game.apply(Action(ActionKind.DEBUG), 0)
    lines = summarise(game, is_repeat=True)
    assert f"seed {seed_text(SEEDED)}" in lines
    assert lines[-1] == "counts apart: with help"
    assert summarise(Game(SEEDED), is_repeat=True)[-1] == "counts apart: a repeat"


def test_lines_are_short_enough_to_stand_beside_a_board() -> None:
    assert max(map(len, summarise(won(), is_repeat=True))) <= 40


class TestShownShare:
    def test_it_is_the_visible_part_of_the_safe_cells(self) -> None:
        game = a_play("*.*..\n.....").game
        shares = [shown_share(game)]
        for cell in (Cell(4, 0), Cell(4, 0), Cell(1, 0)):
            game.reveal(cell, 0)
            shares.append(shown_share(game))
        assert shares == [0, 4 / 8, 4 / 8, 5 / 8]

    def test_it_does_not_tell_whether_a_hidden_cell_is_a_zero(self) -> None:
        beside_a_zero, beside_none = a_play("*....\n.....").game, a_play("*.*.*\n.....").game
        for game in (beside_a_zero, beside_none):
            game.reveal(Cell(1, 0), 0)
        assert shown_share(beside_a_zero) == 1 / 9
        assert shown_share(beside_none) == 1 / 7

    def test_a_won_game_is_whole(self) -> None:
        assert shown_share(won()) == 1

    def test_a_mine_that_went_off_is_no_part_of_it(self) -> None:
        game = a_play("*").game
        game.reveal(Cell(0, 0), 0)
        assert shown_share(game) == 0
