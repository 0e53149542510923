"""The sandbox: every user story of the backlog that is about one board."""

from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.kata import (
    Answer,
    KataError,
    Move,
    MoveKind,
    PictureStyle,
    Sandbox,
    has_won,
    parse_bombs,
    parse_moves,
    parse_picture,
    possible_steps,
)

EMPTY = """\
+-+-+-+
| | | |
+-+-+-+
| | | |
+-+-+-+
| | | |
+-+-+-+
[Sandbox 3x3] Game created"""


def story(number: str, *values: object) -> Any:
    """Make a case that is a user story."""
    return pytest.param(*values, marks=pytest.mark.requirement(f"K:UAT {number}"), id=number)


def sandbox(bombs: str) -> Sandbox:
    return Sandbox.of_bombs(parse_bombs(bombs))


def played(bombs: str, script: str) -> Sandbox:
    """A game after these moves."""
    game = sandbox(bombs)
    for move in parse_moves(script):
        game.play(move)
    return game


def compact(game: Sandbox) -> str:
    return game.picture(PictureStyle.COMPACT)


def bombs_placed(game: Sandbox) -> int:
    """Count the bombs of a game by playing it to its end, when they are shown."""
    for square in possible_steps(game.view):
        if game.allows(Move(MoveKind.STEP, square)):
            game.play(Move(MoveKind.STEP, square))
    return game.view.mines.bit_count()


@pytest.mark.requirement("K:UAT 1.2")
def test_an_empty_board_is_an_empty_grid_with_its_message() -> None:
    assert Sandbox.of_seed(1, seed=0).show(PictureStyle.GRID) == EMPTY


@pytest.mark.requirement("K:UAT 2.1")
@pytest.mark.parametrize("count", [0, 2, 4, 9])
def test_a_game_has_one_bomb_or_three(count: int) -> None:
    assert Sandbox.of_seed(1, seed=0).view.mine_count == 1
    assert Sandbox.of_seed(3, seed=0).view.mine_count == 3
    with pytest.raises(KataError, match=f"a sandbox holds 1 or 3 bombs, not {count}"):
        Sandbox.of_seed(count, seed=0)


@pytest.mark.requirement("K:UAT 2.1")
@pytest.mark.parametrize("bombs", ["---/---/---", "bb-/---/---", "bbb/bbb/bbb"])
def test_bombs_put_by_hand_are_one_or_three(bombs: str) -> None:
    with pytest.raises(KataError):
        sandbox(bombs)


@pytest.mark.parametrize("count", [story("3.1", 1), story("3.2", 3)])
def test_as_many_bombs_are_placed_as_are_asked_for(count: int) -> None:
    assert {bombs_placed(Sandbox.of_seed(count, seed)) for seed in range(20)} == {count}


def numbers(bombs: str) -> str:
    """The bomb board of user story 4: the number of every square, and b for the bombs."""
    field = parse_bombs(bombs)
    rows = range(field.size.rows)
    cells = [Cell(column, row) for row in rows for column in range(field.size.columns)]
    mined = set(field.grid.cells(field.mines))
    letters = ["b" if cell in mined else str(field.clue(cell)) for cell in cells]
    return "\n".join("".join(letters[row * 3 : row * 3 + 3]) for row in rows)


@pytest.mark.parametrize(
    ("bombs", "expected"),
    [
        story("4.1", "--b\n--b\n--b", "02b\n03b\n02b"),
        story("4.2", "--b\n---\n---", "01b\n011\n000"),
        story("4.3", "---\n-b-\n---", "111\n1b1\n111"),
        story("4.4", "b-b\n---\n--b", "b2b\n132\n01b"),
    ],
)
def test_the_bomb_board_has_the_number_of_every_square(bombs: str, expected: str) -> None:
    assert numbers(bombs) == expected


@pytest.mark.requirement("K:UAT 5.1")
def test_on_an_empty_board_all_nine_squares_are_possible_steps() -> None:
    assert len(set(possible_steps(Sandbox.of_seed(3, seed=0).view))) == 9


@pytest.mark.parametrize(
    ("picture", "steps"),
    [
        story("5.2", "1--\n23-\n--1", "1;2 2;2 2;1 0;0 1;0"),
        story("5.3", "22-\n**2\n3*2", "2;2 0;1 1;1 1;0"),
    ],
)
def test_covered_and_flagged_squares_are_possible_steps(picture: str, steps: str) -> None:
    found = possible_steps(parse_picture(picture, bomb_count=3))
    assert list(map(str, found)) == steps.split()


@pytest.mark.parametrize("bombs", ["b--/---/---", "--b/---/---"])
def test_after_the_end_no_step_is_possible(bombs: str) -> None:
    game = sandbox(bombs)
    game.play(Move.parse("step 0;2"))
    assert game.view.status.is_over
    assert possible_steps(game.view) == ()


# User story 6 writes "1 bombs" and "0 bomb" where the examples write "1 bomb" and "No bomb".


MOVES = [
    story("6.1", "--b/---/---", "", "step 2;1",
          "1", "1 bomb around your square.", "---/--1/---"),
    story("6.2", "---/bb-/-b-", "", "step 0;0",
          "3", "3 bombs around your square.", "---/---/3--"),
    story("6.3", "---/-b-/---", "", "step 1;1",
          "X", "BOOM! \u2013 Game Over.", "---/-X-/---"),
    story("6.4", "-b-/--b/b--", "step 0;2, step 1;1, step 0;1, step 2;0", "step 1;0",
          "2", "2 bombs around your square.", "1--/23-/-21"),
    story("6.5", "-bb/---/b--", "", "step 2;0",
          "_", "No bomb around your square.", "---/-32/-1_"),
    # The steps of 6.6 and 6.7 win as well, and a square that wins tells only that.
    story("6.6", "--b/---/---", "", "step 0;0",
          "_", "the land is cleared! GOOD JOB!", "_1-/_11/___"),
    story("6.7", "--b/--b/--b", "", "step 0;2",
          "_", "the land is cleared! GOOD JOB!", "_2-/_3-/_2-"),
    story("7.1", "--b/---/---", "", "mark 0;0",
          "*", "Square flagged as bomb.", "---/---/*--"),
    story("7.2", "-bb/---/b--", "step 2;0, step 0;2, mark 0;1", "unmark 0;1",
          "-", "Square unflagged as bomb.", "1--/-32/-1_"),
    story("7.3", "---/bb-/-b-", "step 0;0, mark 0;1, mark 1;1", "mark 1;0",
          "*", "Square flagged as bomb.", "---/**-/3*-"),
]  # fmt: skip


@pytest.mark.parametrize(("bombs", "done", "move", "symbol", "message", "picture"), MOVES)
def test_a_move_returns_what_it_finds_and_shows_it(
    bombs: str, done: str, move: str, symbol: str, message: str, picture: str
) -> None:
    game = played(bombs, done)
    assert game.play(Move.parse(move)) == Answer(symbol, f"[Sandbox 3x3] {message}")
    assert compact(game) == picture.replace("/", "\n")


@pytest.mark.parametrize(
    ("picture", "bombs", "is_won"),
    [
        story("8.1", "---\n--1\n---", 3, False),
        story("8.2", "*2*\n132\n---", 3, False),
        story("8.3", "221\n**2\n3*2", 3, True),
        story("8.4", "_1-\n_11\n___", 1, True),
        story("8.5", "1--\n*32\n-1_", 3, False),
        ("X11/111/11-", 1, False),
    ],
)
def test_every_safe_square_open_and_no_flag_on_one_has_won(
    picture: str, bombs: int, is_won: bool
) -> None:
    assert has_won(parse_picture(picture, bombs)) is is_won


@pytest.mark.requirement("K:Game Rules")
def test_the_first_square_may_be_a_bomb() -> None:
    first = Move.parse("step 1;1")
    lost = [Sandbox.of_seed(3, seed).play(first).symbol == "X" for seed in range(60)]
    assert 0 < sum(lost) < 60


@pytest.mark.requirement("K:Game Rules")
@pytest.mark.parametrize(
    ("bombs", "square", "count"),
    [
        ("bb-/b--/---", "1;1", "3"),
        ("--b/---/bb-", "1;1", "3"),
        ("-b-/---/---", "0;2", "1"),
        # All of these lie around it only for somebody who walks over an edge.
        ("--b/--b/--b", "0;1", "_"),
    ],
)
def test_a_number_counts_the_eight_squares_around_and_none_beyond_an_edge(
    bombs: str, square: str, count: str
) -> None:
    game = sandbox(bombs)
    game.play(Move.parse(f"step {square}"))
    column, row = (int(part) for part in square.split(";"))
    assert compact(game).splitlines()[2 - row][column] == count


@pytest.mark.parametrize(
    ("bombs", "done", "move", "complaint"),
    [
        ("---/bb-/-b-", "step 0;0", "step 0;0", "step on 0;0: the square is open already"),
        ("---/bb-/-b-", "step 0;0", "mark 0;0", "mark 0;0: the square is open already"),
        ("---/bb-/-b-", "mark 0;0", "step 0;0", "step on 0;0: the square is flagged"),
        ("---/bb-/-b-", "mark 0;0", "mark 0;0", "mark 0;0: the square is flagged"),
        ("---/bb-/-b-", "mark 1;0", "unmark 0;0", "unmark 0;0: the square is not flagged"),
        ("---/bb-/-b-", "step 1;1", "step 0;0", "step on 0;0: the game is over"),
        ("--b/---/---", "step 0;0", "mark 2;2", "mark 2;2: the game is over"),
    ],
)
def test_a_move_that_would_do_nothing_is_refused(
    bombs: str, done: str, move: str, complaint: str
) -> None:
    game = sandbox(bombs)
    game.play(Move.parse(done))
    before = game.show(PictureStyle.GRID)
    with pytest.raises(KataError, match=complaint):
        game.play(Move.parse(move))
    assert game.show(PictureStyle.GRID) == before
