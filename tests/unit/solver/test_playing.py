"""Whole games, and single decisions."""

import pytest

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, FirstReveal, MineEffect, Rules, Victory
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status, parse_position
from jminesweeper.solver.guess import Reason
from jminesweeper.solver.no_guess import Opening
from jminesweeper.solver.playing import NoMoveError, Solver, decide, simulate
from jminesweeper.solver.position import Position, analyse

FLAGS = PRESETS["jminesweeper"]


def play(rules: Rules, seed: int, size: Size, mines: int) -> Game:
    game = Game(Setup.of(size, mines, rules, seed=seed))
    solver = Solver(rules)
    while game.status is Status.ONGOING:
        move = solver.choose(game.view)
        assert game.apply(Action(move.kind, move.cell), 0)
        assert move.risk or game.exploded is None
    return game


@pytest.mark.requirement("E:Solver")
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS.keys())
def test_games_of_every_preset_are_played_to_the_end_and_mostly_won(rules: Rules) -> None:
    games = [play(rules, seed, Size(9, 9), 10) for seed in range(40)]
    assert sum(game.status is Status.WON for game in games) > 28


@pytest.mark.no_cover
@pytest.mark.requirement("E:Solver")
def test_expert_boards_are_won_as_often_as_strong_players_win_them() -> None:
    contest = Opening.ZERO_INSIDE.contest(Size(30, 16), 99)
    won = sum(simulate(contest, seed).won for seed in range(150))
    # 54 % is the measured mean; three standard deviations below it.
    assert won / 150 > 0.42


def test_one_mine_on_one_cell_is_flagged_where_flags_win() -> None:
    game = play(PRESETS["jminesweeper"], 1, Size(1, 1), 1)
    assert game.status is Status.WON


def test_a_board_without_a_move_says_so() -> None:
    with pytest.raises(NoMoveError):
        Solver().choose(parse_position("?", 1))


def test_a_flag_in_the_way_of_a_safe_cell_is_taken_off_first() -> None:
    view = parse_position("F ? ? ?\n1 2 2 1", 2)
    moves = {Solver().choose(view).kind, Solver().choose(view).kind}
    assert moves <= {ActionKind.FLAG, ActionKind.REVEAL}
    covered = parse_position("F ? ? F\n1 2 2 1", 2)
    assert Solver().choose(covered).kind is ActionKind.FLAG


def test_where_flags_win_wrong_ones_are_taken_off() -> None:
    view = parse_position("F F ? ?\n1 2 2 1", 2)
    move = Solver(FLAGS).choose(view)
    assert (move.kind, move.cell, move.reason) == (ActionKind.FLAG, Cell(0, 0), Reason.SURE)


def test_where_flags_win_nothing_is_flagged_before_all_mines_are_known() -> None:
    view = parse_position("? ? ?\n? 2 ?\n? ? ?", 2)
    assert Solver(FLAGS).choose(view).kind is ActionKind.REVEAL


def test_the_last_flags_are_set_without_more_reveals() -> None:
    view = parse_position("? 1\n1 1", 1)
    assert Solver(FLAGS).choose(view).cell == Cell(0, 0)
    flagged = parse_position("F 1\n1 1", 1)
    with pytest.raises(NoMoveError):
        Solver(FLAGS).choose(flagged)


def test_after_an_undo_the_solver_starts_over() -> None:
    rules = Rules("own", first_reveal=FirstReveal.ZERO)
    game = Game(Setup.of(Size(9, 9), 10, rules, seed=3))
    solver = Solver()
    game.reveal(Cell(4, 4), 0)
    first = solver.choose(game.view)
    game.apply(Action(first.kind, first.cell), 0)
    solver.choose(game.view)
    game.undo(0)
    assert solver.choose(game.view) == first


def test_when_all_mines_are_known_the_rest_is_revealed() -> None:
    view = parse_position("? 1 ? ?\n1 1 ? ?", 1)
    position = Position.of(view)
    plan = decide(position)
    assert plan.guess is None
    assert len(plan.cells) == 2
    position.update(parse_position("? 1 . ?\n1 1 . ?", 1))
    assert len(decide(position).cells) == 2


@pytest.mark.parametrize(("near", "column"), [(0, 0), (3, 0), (5, 8), (8, 8)])
def test_of_sure_cells_one_near_to_the_cursor_is_taken(near: int, column: int) -> None:
    view = parse_position("? . . 1 ? 1 . . ?", 1)
    move = Solver().choose(view, near=Cell(near, 0))
    assert (move.cell, move.risk) == (Cell(column, 0), 0)


def test_of_missing_flags_one_near_to_the_cursor_is_set() -> None:
    view = parse_position("? 1 . 1 ?\n1 1 . 1 1", 2)
    cells = {near: Solver(FLAGS).choose(view, near).cell for near in (Cell(0, 1), Cell(4, 1))}
    assert cells == {Cell(0, 1): Cell(0, 0), Cell(4, 1): Cell(4, 0)}


def test_a_solver_says_in_a_few_words_what_it_knows() -> None:
    solver = Solver()
    view = parse_position("? 1 . 1 ?\n1 1 . 1 1", 2)
    with pytest.raises(NoMoveError):
        solver.choose(view)
    assert repr(solver) == "<Solver of 5x2, 0 cells unknown, 0 mines left>"
    assert repr(analyse(view)) == "<Analysis 5x2, 1 layouts, 0 safe, 2 mines>"


def test_a_solver_plays_one_game_after_the_other() -> None:
    solver = Solver()
    for seed in range(4):
        game = Game(
            Setup.of("beginner" if seed % 2 else Size(12, 8), 0 if seed % 2 else 9, seed=seed)
        )
        while not game.status.is_over:
            assert game.apply(solver.choose(game.view).action)


def test_a_mine_that_was_hit_is_known_to_the_solver() -> None:
    rules = Rules("own", victory=Victory.FLAGS, mine=MineEffect.PENALTY)
    game = Game(Setup.of(Size(9, 9), 20, rules, seed=2))
    solver = Solver(rules)
    game.reveal(next(iter(game.grid.cells(game.reveal_truth().mines))))
    at_ms = 0
    while not game.status.is_over:
        at_ms += 20_000
        assert game.apply(solver.choose(game.view).action, at_ms)
    assert game.status is Status.WON
