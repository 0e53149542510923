"""Hints: what they advise, and that what they say is true."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import count
from random import Random

import pytest

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.minefield import Minefield, place_mines, seeded_bits
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView, Status, parse_position
from jminesweeper.solver.guess import Reason
from jminesweeper.solver.hints import Advice, NoHintError, explain
from jminesweeper.solver.knowledge import Deadline, ImpossiblePositionError
from jminesweeper.solver.position import analyse
from jminesweeper.solver.reasoning import EveryLayout, NothingSure, OnlyMines
from tests.unit.solver.hint_checker import Checker, Reader
from tests.unit.solver.positions import view_of


def check(view: PlayerView, hint: Advice) -> None:
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
        case EveryLayout(count, left):
            assert (count, left) == (view.mine_count, view.mine_count - len(mines))
            assert analysis.safe & bit
        case argument:
            assert hint.cell in checker.proves(argument)[0]
            assert analysis.safe & bit


def games(size: Size, mines: int, seeds: range, flags: bool) -> list[type]:
    """Play games by hints alone, each hint checked; the kinds of argument that came up."""
    kinds = []
    for seed in seeds:
        game = Game(Setup.of(size, mines, PRESETS["classic"], seed=seed))
        game.reveal(Cell(size.columns // 2, size.rows // 2), 0)
        while game.status is Status.ONGOING:
            view = game.view
            hint = explain(view)
            check(view, hint)
            kinds.append(type(hint.argument))
            if flags and not view.flagged.bit_count() % 3:
                mined = analyse(view).mines & ~view.flagged
                if mined:
                    game.flag(next(view.grid.cells(mined)), 0)
            game.apply(Action(hint.action, hint.cell), 0)
    return kinds


@pytest.mark.no_cover
@pytest.mark.requirement("E:Solver")
def test_every_hint_of_whole_games_is_true() -> None:
    kinds = games(Size(16, 16), 40, range(20), flags=False)
    assert len(kinds) > 1_000
    assert len(set(kinds)) >= 3


@pytest.mark.no_cover
def test_every_hint_on_crowded_boards_is_true() -> None:
    kinds = games(Size(9, 9), 20, range(60), flags=False)
    assert {NothingSure, EveryLayout} < set(kinds)
    # Most hints need no counting.
    assert kinds.count(EveryLayout) * 10 <= len(kinds)


@pytest.mark.no_cover
def test_every_hint_is_true_when_the_player_flags_as_well() -> None:
    assert len(games(Size(12, 12), 26, range(12), flags=True)) > 300


def test_a_wrong_flag_is_pointed_out() -> None:
    hint = explain(replace(parse_position("? ? ? F\n1 2 2 1", 2), flagged=0b1001))
    assert hint.action is ActionKind.FLAG
    assert hint.text.startswith("Remove the wrong flag at (0,0): ")


def test_the_last_mines_are_to_be_flagged() -> None:
    hint = explain(parse_position("? 1\n1 1", 1))
    assert (hint.cell, hint.action) == (Cell(0, 0), ActionKind.FLAG)
    assert hint.argument == OnlyMines(1)
    assert hint.chance == 1


@pytest.mark.parametrize(
    ("text", "mines", "left", "cell"),
    [
        ("? ? 2 ? ? ?", 2, 0, Cell(0, 0)),
        ("? F 2 F ? ?", 2, 0, Cell(0, 0)),
        # Only counting proves these mines.
        ("1 ? ?\n? ? 1", 2, 0, Cell(1, 0)),
        ("? ? ? 3 1\n? ? ? ? 2\n? ? ? 4 ?", 5, 0, Cell(0, 0)),
        # It takes three numbers, or the mine count alone.
        ("? ? ?\n? 3 1\n? 1 ?", 3, 2, Cell(2, 2)),
        ("? ? ?\n1 ? 1\n? ? ?", 2, 2, Cell(1, 0)),
    ],
)
def test_what_few_numbers_do_not_show_counting_does(
    text: str, mines: int, left: int, cell: Cell
) -> None:
    hint = explain(parse_position(text, mines))
    assert (hint.cell, hint.chance) == (cell, Fraction(0))
    assert hint.argument == EveryLayout(mines, left)


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


@pytest.mark.parametrize("side", [24, 30, 38])
def test_a_fresh_board_with_one_mine_has_a_hint(side: int) -> None:
    view = Game(Setup.of(Size(side, side), 1, PRESETS["jminesweeper"], seed=1)).view
    assert explain(view).chance == Fraction(1, side * side)


def test_on_a_large_board_the_cells_around_the_cursor_come_first() -> None:
    # A safe cell in each corner, behind the same two numbers.
    width = 200
    end = "? ? ?" + " ?" * (width - 6) + " ? ? ?"
    edge = "1 1 ?" + " ?" * (width - 6) + " ? 1 1"
    view = parse_position("\n".join([edge, end, *["? " * width] * 100]), 2_000)
    for column, far in ((0, 2), (width - 1, width - 3)):
        hint = explain(view, Cell(column, 0))
        assert hint.chance == 0
        assert hint.cell.column == far


def large_board(density: float, share: float) -> PlayerView:
    """A board of the largest size with numbers scattered over it, of which nothing follows."""
    size = Size(255, 255)
    mines = round(size.cells * density)
    field = Minefield(size, place_mines(size, mines, seeded_bits(5)))
    random = Random(5)
    visible = [cell for cell in field.grid.cells(field.safe) if random.random() < share]
    return view_of(field, [cell for cell in visible if field.clue(cell)])


def after(asked: int) -> Deadline:
    """A deadline that passes once it was asked so often."""
    times = count()
    return lambda: next(times) >= asked


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("asked", [0, 40, 400])
def test_the_hardest_boards_have_a_hint_or_politely_none(share: float, asked: int) -> None:
    view = large_board(0.45, share)
    # Without a hint the error says why.
    with suppress(NoHintError):
        hint = explain(view, Cell(100, 100), after(asked))
        assert not view.is_visible(hint.cell)


ISLANDS = "\n".join(
    [*["? ? ? ? ? ? " * 15] * 2, "? 1 ? 2 ? ? " * 15, *["? ? ? ? ? ? " * 15] * 2] * 15
)
"""Many parts, in none of which anything is certain."""


def test_without_time_for_the_whole_board_the_best_guess_near_the_cursor_is_told() -> None:
    view = parse_position(ISLANDS, 1_200)
    hint = explain(view, Cell(40, 40), after(1000))
    assert hint.text.startswith("No safe move near the cursor. Best guess: ")
    assert abs(hint.cell.column - 40) <= 20
    assert abs(hint.cell.row - 40) <= 20
    whole = explain(view, Cell(40, 40))
    assert whole.text.startswith("No safe move. Best guess: ")


def test_a_board_without_a_number_is_looked_at_no_longer_than_there_is_time() -> None:
    view = Game(Setup.of(Size(255, 255), 1, PRESETS["jminesweeper"], seed=1)).view
    hint = explain(view, Cell(100, 100), after(2))
    assert hint.text.startswith("No safe move near the cursor. Best guess: ")


def test_without_time_for_anything_there_is_no_hint() -> None:
    with pytest.raises(NoHintError, match="in time"):
        explain(parse_position(ISLANDS, 1_200), Cell(40, 40), after(0))


def test_whenever_time_is_up_there_is_a_hint_or_politely_none() -> None:
    view = parse_position(
        "? ? ? ? ? ?\n? 1 ? 2 ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?\n? ? 2 ? ? ?\n? ? ? ? ? ?", 7
    )
    reasons = set()
    for asked in range(0, 400, 5):
        with suppress(NoHintError):
            argument = explain(view, deadline=after(asked)).argument
            assert isinstance(argument, NothingSure)
            reasons.add(argument.reason)
    assert reasons == {Reason.LOWEST_RISK, Reason.PROGRESS}


def test_a_position_that_needs_more_mines_than_there_are_has_no_hint() -> None:
    with pytest.raises(ImpossiblePositionError):
        explain(replace(parse_position("? 1\n1 1", 1), mine_count=0))
