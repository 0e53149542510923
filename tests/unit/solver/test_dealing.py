import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS, FirstReveal
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import parse_board
from jminesweeper.solver.no_guess import Contest, Deal, Opening, deal
from jminesweeper.solver.playing import simulate


def board_of(text: str) -> Deal:
    field = parse_board(text)
    return Deal(field.size, field.mines)


def test_a_mine_ends_the_game_and_shows_nothing() -> None:
    board = board_of("* .\n. .")
    assert board.open([0]) is None
    assert board.left == 3


def test_a_number_opens_alone_and_only_once() -> None:
    board = board_of("* .\n. .")
    assert board.open([1]) == [(1, 1)]
    assert board.open([1]) == []
    assert board.left == 2


def test_a_zero_opens_what_the_game_opens() -> None:
    field = Minefield(Size(9, 9), deal(Opening.ZERO_INSIDE.contest(Size(9, 9), 10), 5).mines)
    board = Deal(field.size, field.mines)
    opened = board.open([field.grid.index(Cell(2, 2))])
    game = Game(Setup.of(field.size, rules=PRESETS["classic"], layout=field.mines))
    game.reveal(Cell(2, 2), 0)
    assert opened is not None
    assert dict(opened) == {
        field.grid.index(cell): field.clue(cell) for cell in field.grid.cells(game.visible)
    }
    assert board.left == 81 - 10 - len(opened)


def test_both_openings_are_what_solvers_are_compared_by() -> None:
    size = Size(30, 16)
    for seed in range(20):
        corner = deal(Opening.SAFE_CORNER.contest(size, 99), seed)
        assert not corner.mines & 1
        inside = deal(Opening.ZERO_INSIDE.contest(size, 99), seed)
        assert inside.clues[inside.grid.index(Cell(3, 3))] == 0
        assert corner.mine_count == inside.mine_count == 99


@pytest.mark.parametrize(
    ("size", "mines", "first"),
    [
        (Size(9, 9), 10, Cell(2, 2)),
        (Size(16, 16), 40, Cell(2, 2)),
        (Size(30, 16), 99, Cell(3, 3)),
        (Size(2, 1), 1, Cell(1, 0)),
    ],
)
def test_an_opening_is_looked_for_where_it_wins_most(size: Size, mines: int, first: Cell) -> None:
    assert Opening.ZERO_INSIDE.contest(size, mines).first == first


def test_a_seed_always_deals_the_same_board() -> None:
    contest = Opening.SAFE_CORNER.contest(Size(9, 9), 10)
    assert deal(contest, 3).mines == deal(contest, 3).mines != deal(contest, 4).mines


def test_a_simulated_game_is_won_or_lost_and_counts_its_guesses() -> None:
    contest = Opening.ZERO_INSIDE.contest(Size(16, 16), 40)
    games = [simulate(contest, seed) for seed in range(60)]
    assert games == [simulate(contest, seed) for seed in range(60)]
    assert sum(game.won for game in games) > 42
    assert all(game.guesses for game in games if not game.won)
    assert any(not game.guesses for game in games)


def test_a_first_reveal_on_a_mine_loses() -> None:
    contest = Contest(Size(2, 1), 2, Cell(0, 0), FirstReveal.OFF)
    assert not simulate(contest, 1).won


def test_cells_opened_together_end_at_the_first_mine() -> None:
    board = board_of("*.\n..")
    assert board.open([1, 3]) == [(1, 1), (3, 1)]
    assert board.open([4, 0]) is None
    assert board.open([]) == []


def test_mines_that_move_change_the_numbers_around_them() -> None:
    board = board_of("* . .\n. . .")
    board.put(0, mine=False)
    board.put(2, mine=True)
    assert board.mines == 0b100
    assert board.open([0]) == [(0, 0), (1, 1), (4, 0), (5, 1)]
    board.cover()
    assert (board.left, board.open([2])) == (5, None)
