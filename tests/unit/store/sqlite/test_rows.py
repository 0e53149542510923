from jminesweeper.core import Cell
from jminesweeper.store.sqlite.rows import (
    finished_of,
    finished_row_of,
    format_mapping,
    game_of,
    row_of,
    speed_of,
)
from jminesweeper.store.values import RunningGame
from tests.contract.examples import ANN, GAME, WIN, win


def test_a_running_game_survives_its_row() -> None:
    for game in (GAME, RunningGame("c", "h", b"", 5, Cell(9, 1), is_paused=True)):
        assert game_of(row_of(game)) == game


def test_a_finished_game_survives_its_row() -> None:
    for game in (WIN, win("x", is_assisted=True, is_repeat=True, daily="d", figures={})):
        assert finished_of(finished_row_of(game), ANN, game.header, game.entries) == game


def test_the_speed_is_a_number_that_sqlite_can_keep() -> None:
    assert speed_of(win("x", figures={})) is None
    assert isinstance(speed_of(win("x", figures={"3bv/s": 10**30})), float)


def test_mappings_are_compact_and_readable() -> None:
    assert format_mapping({"name": "Änne"}) == '{"name":"Änne"}'
