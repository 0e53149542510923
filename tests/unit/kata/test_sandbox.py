"""The sandbox: every user story of the backlog that is about one board."""

import pytest

from jminesweeper.core.view import Status
from jminesweeper.kata.sandbox import (
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
CLEARED = "[Sandbox 3x3] the land is cleared! GOOD JOB!"


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


@pytest.mark.requirement("K:UAT 3.1")
@pytest.mark.parametrize("seed", range(20))
def test_one_bomb_asked_for_is_one_bomb_placed(seed: int) -> None:
    assert bombs_placed(Sandbox.of_seed(1, seed)) == 1


@pytest.mark.requirement("K:UAT 3.2")
@pytest.mark.parametrize("seed", range(20))
def test_three_bombs_asked_for_are_three_bombs_placed(seed: int) -> None:
    assert bombs_placed(Sandbox.of_seed(3, seed)) == 3


@pytest.mark.requirement("K:UAT 5.1")
def test_on_an_empty_board_all_nine_squares_are_possible_steps() -> None:
    assert len(set(possible_steps(Sandbox.of_seed(3, seed=0).view))) == 9


@pytest.mark.requirement("K:UAT 5.2")
def test_open_squares_are_no_possible_steps() -> None:
    steps = possible_steps(parse_picture("1--\n23-\n--1", bomb_count=3))
    assert list(map(str, steps)) == ["1;2", "2;2", "2;1", "0;0", "1;0"]


@pytest.mark.requirement("K:UAT 5.3")
def test_flagged_squares_are_possible_steps() -> None:
    steps = possible_steps(parse_picture("22-\n**2\n3*2", bomb_count=3))
    assert list(map(str, steps)) == ["2;2", "0;1", "1;1", "1;0"]


@pytest.mark.parametrize("bombs", ["b--/---/---", "--b/---/---"])
def test_after_the_end_no_step_is_possible(bombs: str) -> None:
    game = sandbox(bombs)
    game.play(Move.parse("step 0;2"))
    assert game.view.status.is_over
    assert possible_steps(game.view) == ()


# User story 6 writes "1 bombs" and "0 bomb" where the examples write "1 bomb" and "No bomb".


@pytest.mark.requirement("K:UAT 6.1")
def test_a_step_beside_one_bomb_returns_1() -> None:
    answer = sandbox("--b\n---\n---").play(Move.parse("step 2;1"))
    assert answer == Answer("1", "[Sandbox 3x3] 1 bomb around your square.")


@pytest.mark.requirement("K:UAT 6.2")
def test_a_step_beside_three_bombs_returns_3() -> None:
    answer = sandbox("---\nbb-\n-b-").play(Move.parse("step 0;0"))
    assert answer == Answer("3", "[Sandbox 3x3] 3 bombs around your square.")


@pytest.mark.requirement("K:UAT 6.3")
def test_a_step_on_a_bomb_returns_x() -> None:
    answer = sandbox("---\n-b-\n---").play(Move.parse("step 1;1"))
    assert answer == Answer("X", "[Sandbox 3x3] BOOM! \u2013 Game Over.")


@pytest.mark.requirement("K:UAT 6.4")
def test_a_step_in_a_running_game_returns_its_number() -> None:
    game = played("-b-/--b/b--", "step 0;2, step 1;1, step 0;1, step 2;0")
    answer = game.play(Move.parse("step 1;0"))
    assert answer == Answer("2", "[Sandbox 3x3] 2 bombs around your square.")


@pytest.mark.requirement("K:UAT 6.5")
def test_a_step_beside_no_bomb_returns_an_empty_square() -> None:
    answer = sandbox("-bb\n---\nb--").play(Move.parse("step 2;0"))
    assert answer == Answer("_", "[Sandbox 3x3] No bomb around your square.")


# In 6.6 and 6.7 the step also wins, and a square that wins tells only that.


@pytest.mark.requirement("K:UAT 6.6")
def test_a_step_beside_no_bomb_opens_the_land_around_it() -> None:
    game = sandbox("--b\n---\n---")
    assert game.play(Move.parse("step 0;0")) == Answer("_", CLEARED)
    assert compact(game) == "_1-\n_11\n___"


@pytest.mark.requirement("K:UAT 6.7")
def test_a_step_beside_no_bomb_opens_up_to_the_column_of_bombs() -> None:
    game = sandbox("--b\n--b\n--b")
    assert game.play(Move.parse("step 0;2")) == Answer("_", CLEARED)
    assert compact(game) == "_2-\n_3-\n_2-"


@pytest.mark.requirement("K:UAT 7.1")
def test_a_marked_square_shows_a_star() -> None:
    game = Sandbox.of_seed(1, seed=0)
    game.play(Move.parse("mark 0;0"))
    assert compact(game) == "---\n---\n*--"


@pytest.mark.requirement("K:UAT 7.2")
def test_an_unmarked_square_is_hidden_again() -> None:
    game = played("-bb/---/b--", "step 2;0, step 0;2, mark 0;1")
    answer = game.play(Move.parse("unmark 0;1"))
    assert answer == Answer("-", "[Sandbox 3x3] Square unflagged as bomb.")
    assert compact(game) == "1--\n-32\n-1_"


@pytest.mark.requirement("K:UAT 7.3")
def test_a_mark_returns_a_star_with_its_message() -> None:
    game = played("---/bb-/-b-", "step 0;0, mark 0;1, mark 1;1")
    answer = game.play(Move.parse("mark 1;0"))
    assert answer == Answer("*", "[Sandbox 3x3] Square flagged as bomb.")


@pytest.mark.requirement("K:UAT 8.1")
def test_one_number_has_not_won() -> None:
    assert not has_won(parse_picture("---\n--1\n---", bomb_count=3))


@pytest.mark.requirement("K:UAT 8.2")
def test_flags_and_numbers_have_not_won_while_a_safe_square_is_hidden() -> None:
    assert not has_won(parse_picture("*2*\n132\n---", bomb_count=3))


@pytest.mark.requirement("K:UAT 8.3")
def test_every_safe_square_open_has_won() -> None:
    assert has_won(parse_picture("221\n**2\n3*2", bomb_count=3))


@pytest.mark.requirement("K:UAT 8.4")
def test_a_massive_opening_that_leaves_the_bomb_has_won() -> None:
    assert has_won(parse_picture("_1-\n_11\n___", bomb_count=1))


@pytest.mark.requirement("K:UAT 8.5")
def test_a_flag_on_a_safe_square_has_not_won() -> None:
    assert not has_won(parse_picture("1--\n*32\n-1_", bomb_count=3))


def test_an_exploded_bomb_has_not_won_however_many_squares_are_open() -> None:
    assert not has_won(parse_picture("X11/111/11-", bomb_count=1))


@pytest.mark.requirement("K:Game Rules")
def test_the_first_square_may_be_a_bomb() -> None:
    first = Move.parse("step 1;1")
    lost = [Sandbox.of_seed(3, seed).play(first).symbol == "X" for seed in range(60)]
    assert 0 < sum(lost) < 60


@pytest.mark.requirement("K:Game Rules")
def test_stepping_on_a_bomb_loses() -> None:
    game = sandbox("b--/---/---")
    game.play(Move.parse("step 0;2"))
    assert game.view.status is Status.LOST


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


@pytest.mark.requirement("K:Game Rules")
def test_an_empty_square_opens_what_is_around_it_and_so_on() -> None:
    game = sandbox("---/---/--b")
    game.play(Move.parse("step 0;2"))
    assert compact(game).splitlines() == ["___", "_11", "_1-"]


@pytest.mark.requirement("K:Game Rules")
def test_opening_every_safe_square_wins_and_one_less_does_not() -> None:
    game = sandbox("b-b/b--/---")
    safe = ["1;2", "1;1", "2;1", "0;0", "1;0", "2;0"]
    for square in safe:
        assert game.view.status is Status.ONGOING
        move = Move.parse(f"step {square}")
        if game.allows(move):
            game.play(move)
    assert game.view.status is Status.WON


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
