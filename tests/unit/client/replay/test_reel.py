"""Positions of a game, and what each action did."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.client.replay import Reel, Scene
from jminesweeper.core import ActionKind, Cell, Game, Status
from tests.property.core_strategies import actions, setups
from tests.unit.core.boards import play

FIELD = "*..\n..*"


@st.composite
def games(draw: st.DrawFn) -> Game:
    setup = draw(setups(5))
    game = Game(setup)
    for number, action in enumerate(draw(st.lists(actions(setup.size), max_size=15))):
        game.apply(action, 100 * number)
    return game


@given(games(), st.data())
def test_every_position_is_the_game_after_so_many_actions(game: Game, data: st.DataObject) -> None:
    reel = Reel(game)
    assert reel.last == len(game.log)
    for number in data.draw(st.lists(st.integers(0, reel.last), max_size=8)):
        expected = Game.replay(game.setup, game.log.entries[:number])
        assert reel.position(number).view() == expected.view()


@given(games())
def test_what_the_scenes_did_adds_up(game: Game) -> None:
    scenes = Reel(game).scenes
    assert sum(scene.opened for scene in scenes) == game.visible.bit_count()
    assert sum(scene.flagged for scene in scenes) == game.flagged.bit_count()
    assert [scene.at_ms for scene in scenes] == [at_ms for at_ms, _ in game.log]


def test_a_scene_tells_what_came_of_an_action() -> None:
    game = play(FIELD, "classic", "flag 0 0", "reveal 1 1", "reveal 2 1")
    assert Reel(game).scenes == (
        Scene(0, ActionKind.FLAG, Cell(0, 0), 0, 1, Status.ONGOING),
        Scene(1000, ActionKind.REVEAL, Cell(1, 1), 1, 0, Status.ONGOING),
        Scene(2000, ActionKind.REVEAL, Cell(2, 1), 1, 0, Status.LOST),
    )


def test_an_undo_looks_at_what_it_takes_back() -> None:
    game = play(FIELD, "classic", "flag 0 0", "reveal 1 1", "reveal 0 0", "undo", "undo")
    reel = Reel(game)
    assert [scene.taken_back for scene in reel.scenes] == [None, None, None, 2, 1]
    assert [reel.cell(number) for number in range(6)] == [
        Cell(0, 0),
        Cell(0, 0),
        Cell(1, 1),
        Cell(0, 0),
        Cell(1, 1),
        Cell(0, 0),
    ]


def test_an_action_on_no_cell_leaves_the_look_where_it_is() -> None:
    game = play(FIELD, "classic", "reveal 1 1", "hint")
    assert Reel(game).cell(2) == Cell(1, 1)


def test_a_game_given_up_before_its_first_action_ends_so() -> None:
    game = play(FIELD, "classic")
    game.terminate()
    assert Reel(game).position(0).status is Status.TERMINATED


def test_the_work_that_is_done_grows_and_shrinks_with_the_cells_shown() -> None:
    game = play("*...\n....", "classic", "reveal 3 1", "undo", "reveal 3 1", "reveal 0 1")
    reel = Reel(game)
    assert [reel.solved_share(number) for number in range(5)] == [0.0, 0.5, 0.0, 0.5, 1.0]
    assert Reel(play("*", "classic")).solved_share(0) == 0.0
