from jminesweeper.core import PRESETS, Cell, Game, Setup, Size
from jminesweeper.session import Enter, FindHint, Laid, LayBoard, Review, Tip


def test_a_hint_is_asked_for_by_what_the_player_sees_and_nothing_else() -> None:
    game = Game(Setup(Size(3, 3), 1, PRESETS["classic"], seed=1))
    request = FindHint(game.view())
    assert request == FindHint(game.view())
    assert request.view.shown_mines is None


def test_requests_and_answers_are_values() -> None:
    setup = Setup(Size(3, 3), 1, PRESETS["classic"], seed=1)
    assert LayBoard(setup, Cell(0, 0)) == LayBoard(setup, Cell(0, 0))
    assert Review(setup, (1, 2), is_no_guess=False) != Review(setup, (1,), is_no_guess=False)
    assert Enter("a", "Ada", "x") != Enter("a", "Ada", "y")
    assert Tip("Here.", Cell(1, 1), 2) == Tip("Here.", Cell(1, 1), 2)
    assert Laid(1, is_uniform=True) != Laid(1, is_uniform=False)
