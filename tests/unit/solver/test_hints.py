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
    AllFlagged,
    Clash,
    EveryLayout,
    Hint,
    ImpossiblePositionError,
    LastMines,
    NoHintError,
    NothingSure,
    Number,
    OnlyMines,
    analyse,
    explain,
)
from tests.unit.solver.hint_checker import Checker, Reader


def check(view: PlayerView, hint: Hint) -> None:
    """The advice is right by counting, and its argument holds by itself, as do its words."""
    analysis = analyse(view)
    assert hint.chance == analysis.chance(hint.cell)
    assert not view.is_visible(hint.cell)
    mines = set(view.grid.cells(analysis.mines))
    Reader(view, mines).check(hint)
    bit = view.grid.bit(hint.cell)
    checker = Checker(view, mines & set(view.grid.cells(view.flagged)))
    match hint.argument:
        case NothingSure(_, lowest):
            assert not analysis.safe
            assert lowest == min(analysis.chances.values())
        case OnlyMines():
            assert checker.all_are_mines(hint.argument)
            assert analysis.mines & bit
        case EveryLayout(count):
            assert count == view.mine_count
            assert analysis.safe & bit
        case argument:
            assert checker.frees(hint.cell, argument)
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


def test_every_hint_on_crowded_boards_is_true() -> None:
    kinds = games(Size(9, 9), 20, range(60), flags=False)
    assert {NothingSure, Clash} < set(kinds)


def test_every_hint_is_true_when_the_player_flags_as_well() -> None:
    assert len(games(Size(12, 12), 26, range(12), flags=True)) > 300


def test_a_wrong_flag_is_pointed_out() -> None:
    hint = explain(parse_position("? ? ? F\n1 2 2 1", 2)._replace(flagged=0b1001))
    assert hint.action is ActionKind.FLAG
    assert "is wrong" in hint.text


def test_the_last_mines_are_to_be_flagged() -> None:
    hint = explain(parse_position("? 1\n1 1", 1))
    assert (hint.cell, hint.action) == (Cell(0, 0), ActionKind.FLAG)
    assert hint.argument == OnlyMines(1)
    assert hint.chance == 1


def test_numbers_that_need_all_mines_make_the_rest_safe() -> None:
    hint = explain(parse_position("? ? 2 ? ? ?", 2))
    assert hint.argument == LastMines((Number(Cell(2, 0), 2),), 2)
    assert hint.cell == Cell(0, 0)
    assert hint.chance == 0


def test_where_all_mines_are_flagged_the_rest_is_safe() -> None:
    hint = explain(parse_position("? F 2 F ? ?", 2))
    assert hint.argument == AllFlagged(2)
    assert hint.cell == Cell(0, 0)


def test_three_numbers_can_make_a_cell_safe() -> None:
    hint = explain(parse_position("? ? ?\n? 3 1\n? 1 ?", 3))
    assert isinstance(hint.argument, Clash)
    assert hint.cell == Cell(2, 2)


def test_the_mine_count_alone_can_make_a_cell_safe() -> None:
    hint = explain(parse_position("1 ? ?\n? ? 1", 2))
    assert hint.argument == EveryLayout(2)
    assert hint.cell == Cell(1, 0)
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
