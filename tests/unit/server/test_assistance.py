"""The work of the worker processes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import parse_board, parse_position
from jminesweeper.protocol.view import Listing
from jminesweeper.records.reviews import Verdict
from jminesweeper.server import assistance
from jminesweeper.server.assistance import (
    analyse,
    find_hint,
    find_odds,
    find_solved,
    lay_board,
    look_back,
    race,
)
from jminesweeper.session.reply import (
    Analyse,
    FindHint,
    FindOdds,
    FindSolved,
    FoundOdds,
    FoundReview,
    FoundSolved,
    LayBoard,
    RaceSolver,
    Review,
)
from tests.unit.core.boards import play

NO_GUESS = FoundReview((("guesses", "0"),), Verdict(1.0))
EXPERT = Setup.of(Size(30, 16), 99, PRESETS["classic"], seed=4)


def test_a_hint_names_a_cell_and_says_why() -> None:
    tip = find_hint(FindHint(parse_position("? 1\n1 1", mine_count=1), Cell(0, 0)), 1.0)
    assert tip is not None
    assert tip.cell == Cell(0, 0)
    assert tip.cell not in tip.because
    assert tip.text


def test_there_is_no_hint_in_a_position_that_cannot_be() -> None:
    assert find_hint(FindHint(parse_position("? 3\n1 1", mine_count=1), Cell(0, 0)), 1.0) is None


def test_odds_and_the_next_solved_cell_are_found() -> None:
    view, corner = parse_position("? 1\n1 1", mine_count=1), Cell(0, 0)
    assert find_odds(FindOdds(view, corner), 1.0) == FoundOdds({0: 100}, is_exact=True)
    assert find_solved(FindSolved(view, corner), 1.0) == FoundSolved(corner, is_mine=True)


def test_where_nothing_is_solved_that_is_the_answer() -> None:
    view = parse_position("? ?", mine_count=1)
    assert find_solved(FindSolved(view, Cell(0, 0)), 1.0) == FoundSolved(None)


def test_there_are_no_odds_in_a_position_that_cannot_be() -> None:
    view = parse_position("? 3\n1 1", mine_count=1)
    assert find_odds(FindOdds(view, Cell(0, 0)), 1.0) is None
    assert find_solved(FindSolved(view, Cell(0, 0)), 1.0) is None


def test_a_board_without_guesses_opens_at_the_first_cell() -> None:
    laid = lay_board(LayBoard(EXPERT, Cell(3, 3)), 30.0)
    assert laid is not None
    assert laid.bit_count() == 99
    game = Game(Setup.of(EXPERT.size, rules=EXPERT.rules, layout=laid))
    game.reveal(Cell(3, 3), 0)
    assert game.view.clue(Cell(3, 3)) == 0


def test_no_time_gives_no_board() -> None:
    crowded = Setup.of(Size(30, 16), 220, PRESETS["classic"], seed=4)
    assert lay_board(LayBoard(crowded, Cell(3, 3)), -1.0) is None


def test_a_board_that_was_laid_by_hand_stays_as_it_is() -> None:
    field = parse_board("* .\n. .")
    setup = Setup.of(field.size, rules=PRESETS["classic"], layout=field.mines)
    assert lay_board(LayBoard(setup, Cell(1, 1)), 1.0) is None


def test_a_finished_game_is_looked_back_at() -> None:
    field = parse_board("* . .\n. . .\n. . .")
    setup = Setup.of(field.size, rules=PRESETS["classic"], layout=field.mines)
    game = Game(setup)
    game.reveal(Cell(1, 0), 0)
    game.reveal(Cell(0, 0), 0)
    found = look_back(Review(setup, game.log.entries), 1.0)
    # Of nine cells one has the mine; the second reveal need not have been a guess.
    luck = ("luck", "89 %, the chance to survive forced guesses")
    assert found == FoundReview((("guesses", "2, needless 1"), luck), Verdict(8 / 9, (1,)))


def test_the_first_reveal_of_a_board_that_needs_no_guess_is_none() -> None:
    field = parse_board("* . .\n. . .\n. . .")
    setup = Setup.of(field.size, layout=field.mines, first=(2, 2))
    game = Game(setup)
    game.reveal(Cell(2, 2), 0)
    assert look_back(Review(setup, game.log.entries), 1.0) == NO_GUESS


def test_a_game_without_guesses_has_no_chance_to_tell() -> None:
    game = Game(EXPERT)
    game.reveal(Cell(0, 0), 0)
    assert look_back(Review(EXPERT, game.log.entries), 1.0) == NO_GUESS


def test_a_game_of_endless_length_is_not_looked_back_at() -> None:
    game = Game(EXPERT)
    for _ in range(5_001):
        game.flag(Cell(0, 0), 0)
    assert look_back(Review(EXPERT, game.log.entries), 1.0) is None


@pytest.mark.parametrize("failure", [MemoryError, ZeroDivisionError])
def test_a_failure_that_nobody_expects_is_left_to_the_server(
    failure: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise failure

    monkeypatch.setattr(assistance, "explain", fail)
    with pytest.raises(failure):
        find_hint(FindHint(parse_position("? ?\n1 1", mine_count=1), Cell(0, 0)), 1.0)


def test_without_time_there_is_neither_a_hint_nor_a_look_back() -> None:
    assert find_hint(FindHint(parse_position("? ?\n1 1", mine_count=1), Cell(0, 0)), -1.0) is None
    game = Game(EXPERT)
    game.reveal(Cell(0, 0), 0)
    assert look_back(Review(EXPERT, game.log.entries), -1.0) is None


def test_a_large_board_with_a_single_mine_has_a_hint() -> None:
    fresh = Game(Setup.of(Size(30, 30), 1, PRESETS["jminesweeper"], seed=1)).view
    tip = find_hint(FindHint(fresh, Cell(0, 0)), 60.0)
    assert tip is not None
    assert "0.1 % risk" in tip.text


def lost_expert() -> Game:
    """Lose an expert's game after a few reveals."""
    game = Game(EXPERT)
    for number, cell in enumerate(game.grid.cells(game.grid.mask)):
        game.reveal(cell, 100 * number)
    assert game.status.is_over
    return game


def test_an_analysis_is_a_page_of_guesses_and_figures() -> None:
    game = lost_expert()
    lines = analyse(Analyse(game.setup, game.log.entries), 30.0)
    assert lines is not None
    assert lines[0] == "Reveals that might have hit a mine:"
    assert isinstance(lines[1], Listing)
    assert any("luck " in line for line in lines if isinstance(line, str))


def test_no_time_gives_no_analysis() -> None:
    game = lost_expert()
    assert analyse(Analyse(game.setup, game.log.entries), -1.0) is None


def test_an_analysis_lists_so_many_guesses_and_counts_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(assistance, "MOST_GUESSES", 1)
    game = play("*..*..\n......", "kata", "reveal 1 0", "reveal 2 1", "reveal 5 1", "reveal 0 0")
    lines = analyse(Analyse(game.setup, game.log.entries), 30.0)
    assert lines is not None
    assert isinstance(lines[1], Listing)
    assert len(lines[1].rows) == 1
    assert any(str(line).startswith("and ") for line in lines)


@pytest.mark.parametrize("pace_ms", [350, 2_000])
def test_a_rival_plays_a_board_at_the_intervals_of_a_person(pace_ms: int) -> None:
    setup = Setup.of("beginner", seed=5)
    setup = replace(setup, variant=replace(setup.variant, is_no_guess=True))
    laid = lay_board(LayBoard(setup, Cell(4, 4)), 10.0)
    assert laid is not None
    setup = replace(setup, layout=laid, first=Cell(4, 4))
    rival = race(RaceSolver(setup, pace_ms, "Solver"), 10.0)
    assert rival is not None
    assert (rival.name, rival.is_bot) == ("Solver", True)
    assert rival.finish.is_won
    assert rival.times[0] == 0
    assert [*rival.times] == sorted(rival.times)
    assert rival.shares[-1] == 1_000
    pauses = [later - sooner for sooner, later in pairwise(rival.times)]
    assert pace_ms / 2 <= min(pauses)
    assert rival.finish.time_ms == rival.times[-1]


def test_a_rival_guesses_where_it_must() -> None:
    field = parse_board("*..\n...\n..*")
    setup = Setup.of(field.size, layout=field.mines, first=Cell(1, 1))
    rival = race(RaceSolver(setup, 1_000, "Solver"), 10.0)
    assert rival is not None
    assert rival.finish.time_ms > 0


def test_no_time_gives_no_rival() -> None:
    request = RaceSolver(Setup.of("expert", seed=5, first=Cell(4, 4)), 900, "Solver")
    assert race(request, -1.0) is None
