"""BOT mode, on every board there is."""

from itertools import combinations

import pytest

from jminesweeper.core.grid import Cell, Grid
from jminesweeper.core.minefield import Minefield, seeded_bits
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.kata import (
    BOMB_COUNTS,
    SANDBOX,
    KataError,
    MoveKind,
    Sandbox,
    Square,
    parse_bombs,
    parse_picture,
    play_bot,
    random_bot,
)


def every_board() -> list[Minefield]:
    grid = Grid.of(SANDBOX)
    cells = [grid.bit(cell) for cell in grid.cells(grid.mask)]
    return [
        Minefield(SANDBOX, sum(bombs))
        for count in BOMB_COUNTS
        for bombs in combinations(cells, count)
    ]


@pytest.mark.requirement("K:UAT 9.1")
def test_on_every_board_the_bot_either_wins_or_loses() -> None:
    boards = every_board()
    ends = []
    for seed, field in enumerate(boards):
        sandbox = Sandbox.of_bombs(field)
        moves = list(play_bot(sandbox, random_bot(seeded_bits(seed))))
        assert 1 <= len(moves) <= 9
        ends.append(sandbox.view.status)
    assert len(boards) == 9 + 84
    assert set(ends) == {Status.WON, Status.LOST}


def test_the_random_bot_chooses_each_hidden_square_equally_often() -> None:
    view = Sandbox.of_bombs(parse_bombs("---/bb-/-b-")).view
    bot = random_bot(seeded_bits(1))
    chosen = [bot(view) for _ in range(9000)]
    assert all(850 < chosen.count(cell) < 1150 for cell in view.grid.cells(view.grid.mask))


def test_the_random_bot_leaves_open_and_flagged_squares_alone() -> None:
    view = parse_picture("22-/**2/3*2", bomb_count=3)
    bot = random_bot(seeded_bits(1))
    assert {bot(view) for _ in range(20)} == {Square(2, 2).cell}


def test_the_random_bot_gives_up_where_every_square_is_open_or_flagged() -> None:
    view = parse_picture("22*/**2/3*2", bomb_count=3)
    with pytest.raises(KataError, match="every square is open or flagged"):
        random_bot(seeded_bits(1))(view)


def test_the_bot_steps_where_it_says() -> None:
    moves = play_bot(Sandbox.of_bombs(parse_bombs("--b/---/---")), lambda _: Cell(0, 2))
    assert list(moves) == [(MoveKind.STEP, Square(0, 0))]


def test_a_bot_that_steps_on_an_open_square_is_stopped() -> None:
    def stubborn(_view: PlayerView) -> Cell:
        return Cell(0, 2)

    moves = play_bot(Sandbox.of_bombs(parse_bombs("---/bb-/-b-")), stubborn)
    assert next(moves).square == Square(0, 0)
    with pytest.raises(KataError, match="open already"):
        next(moves)
