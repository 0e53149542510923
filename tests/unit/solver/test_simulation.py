from jminesweeper.core import PRESETS, Cell, FirstReveal, Game, Minefield, Setup, Size, parse_board
from jminesweeper.solver import Contest, Opening, Table, deal
from jminesweeper.solver.simulation import simulate


def test_a_mine_ends_the_game_and_shows_nothing() -> None:
    table = Table(parse_board("* .\n. ."))
    assert table.reveal(0) is None
    assert table.left == 3


def test_a_number_opens_alone_and_only_once() -> None:
    table = Table(parse_board("* .\n. ."))
    assert table.reveal(1) == [(1, 1)]
    assert table.reveal(1) == []
    assert table.left == 2


def test_a_zero_opens_what_the_game_opens() -> None:
    field = Minefield(Size(9, 9), deal(Opening.ZERO_INSIDE.contest(Size(9, 9), 10), 5).mines)
    table = Table(field)
    opened = table.reveal(field.grid.index(Cell(3, 3)))
    game = Game(Setup.of_layout(field.size, field.mines, PRESETS["classic"]))
    game.reveal(Cell(3, 3), 0)
    assert opened is not None
    assert table.visible == game.visible
    assert dict(opened) == {
        field.grid.index(cell): field.clue(cell) for cell in field.grid.cells(game.visible)
    }
    assert table.left == 81 - 10 - len(opened)


def test_both_openings_are_what_solvers_are_compared_by() -> None:
    size = Size(30, 16)
    for seed in range(20):
        corner = deal(Opening.SAFE_CORNER.contest(size, 99), seed)
        assert not corner.mines & 1
        inside = deal(Opening.ZERO_INSIDE.contest(size, 99), seed)
        assert inside.clue(Cell(3, 3)) == 0
        assert corner.mine_count == inside.mine_count == 99


def test_a_seed_always_deals_the_same_board() -> None:
    contest = Opening.SAFE_CORNER.contest(Size(9, 9), 10)
    assert deal(contest, 3) == deal(contest, 3) != deal(contest, 4)


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
    table = Table(parse_board("*.\n.."))
    assert table.reveal_all([1, 3]) == [(1, 1), (3, 1)]
    assert table.reveal_all([4, 0]) is None
    assert table.reveal_all([]) == []
