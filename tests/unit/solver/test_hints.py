"""Hints: what they advise, and that what they say is true."""

import pytest

from jminesweeper.core import (
    PRESETS,
    Action,
    ActionKind,
    Cell,
    Game,
    PlayerView,
    Setup,
    Size,
    Status,
    parse_position,
)
from jminesweeper.solver import (
    EveryLayout,
    Hint,
    ImpossiblePositionError,
    MinesFound,
    NoHintError,
    NothingSure,
    analyse,
    explain,
)
from tests.unit.solver.hint_checker import Checker


def check(view: PlayerView, hint: Hint) -> None:
    """The advice is right by counting, and its argument holds by itself."""
    analysis = analyse(view)
    assert hint.chance == analysis.chance(hint.cell)
    assert not view.is_visible(hint.cell)
    assert hint.text
    bit = view.grid.bit(hint.cell)
    match hint.argument:
        case NothingSure():
            assert not analysis.safe
            assert hint.argument.lowest == min(analysis.chances.values())
        case EveryLayout() | MinesFound():
            assert (analysis.safe | analysis.mines) & bit
        case argument:
            trusted = set(view.grid.cells(view.flagged & analysis.mines))
            safe, _ = Checker(view, trusted).proves(argument)
            assert hint.cell in safe
            assert analysis.safe & bit


def games(size: Size, mines: int, seeds: range, flags: bool) -> list[type]:
    """Play games by hints alone, each hint checked; the kinds of argument that came up."""
    kinds = []
    for seed in seeds:
        game = Game(Setup(size, mines, PRESETS["classic"], seed=seed))
        game.reveal(Cell(size.columns // 2, size.rows // 2), 0)
        while game.status is Status.ONGOING:
            view = game.view()
            hint = explain(view)
            check(view, hint)
            kinds.append(type(hint.argument))
            if flags and not view.flagged.bit_count() % 3:
                mined = analyse(view).mines & ~view.flagged
                if mined:
                    game.toggle_flag(next(view.grid.cells(mined)), 0)
            game.apply(Action(hint.action, hint.cell), 0)
    return kinds


@pytest.mark.requirement("E:Solver")
def test_every_hint_of_whole_games_is_true() -> None:
    kinds = games(Size(16, 16), 40, range(20), flags=False)
    assert len(kinds) > 1_000
    assert len(set(kinds)) >= 3


def test_every_hint_is_true_when_the_player_flags_as_well() -> None:
    assert len(games(Size(12, 12), 26, range(12), flags=True)) > 300


def test_a_wrong_flag_is_pointed_out() -> None:
    hint = explain(parse_position("? ? ? F\n1 2 2 1", 2)._replace(flagged=0b1001))
    assert hint.action is ActionKind.FLAG
    assert "is wrong" in hint.text


def test_the_last_mines_are_to_be_flagged() -> None:
    hint = explain(parse_position("? 1\n1 1", 1))
    assert (hint.cell, hint.action) == (Cell(0, 0), ActionKind.FLAG)
    assert hint.chance == 1


def test_found_mines_make_the_rest_safe() -> None:
    hint = explain(parse_position("? ? 2 ? ? ?", 2))
    assert hint.argument == MinesFound((Cell(1, 0), Cell(3, 0)))
    assert hint.cell == Cell(0, 0)
    assert hint.chance == 0


def test_the_mine_count_alone_can_make_a_cell_safe() -> None:
    hint = explain(parse_position("? ? 1 ? ?", 1))
    assert hint.argument == EveryLayout((Cell(2, 0),), 1)
    assert hint.cell == Cell(0, 0)
    assert hint.chance == 0


def test_a_guess_says_how_risky_it_is() -> None:
    hint = explain(parse_position("? 1\n? 1", 1))
    assert isinstance(hint.argument, NothingSure)
    assert "50 %" in hint.text


def test_there_is_no_hint_after_the_end_or_when_all_is_settled() -> None:
    with pytest.raises(NoHintError):
        explain(parse_position("X 1\n1 1", 1))
    with pytest.raises(NoHintError):
        explain(parse_position("F 1\n1 1", 1))


def test_there_is_no_hint_for_a_position_that_cannot_be() -> None:
    with pytest.raises(ImpossiblePositionError):
        explain(parse_position("? 3\n? .", 2))
