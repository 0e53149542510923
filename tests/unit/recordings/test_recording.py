"""Positions of a recorded game, and what each action did, in figures and in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import MineEffect, Rules
from jminesweeper.core.view import Status
from jminesweeper.recordings.recording import Caption, Recording, ReplayedAction, caption
from tests.property.core_strategies import actions as any_actions
from tests.property.core_strategies import setups
from tests.unit.core.boards import play

FIELD = "*..\n..*"


@st.composite
def games(draw: st.DrawFn) -> Game:
    setup = draw(setups(5))
    game = Game(setup)
    moves = st.tuples(any_actions(setup.size), st.integers(0, 2))
    for number, (action, author) in enumerate(draw(st.lists(moves, max_size=15))):
        game.apply(action, 100 * number, author)
    return game


@given(games(), st.data())
def test_every_position_is_the_game_after_so_many_actions(game: Game, data: st.DataObject) -> None:
    recording = Recording(game)
    assert recording.last == len(game.log)
    for number in data.draw(st.lists(st.integers(0, recording.last), max_size=8)):
        expected = Game.replay(game.setup, game.log.entries[:number])
        assert recording.position(number).view == expected.view


@given(games())
def test_what_the_actions_did_adds_up(game: Game) -> None:
    actions = Recording(game).actions
    assert sum(action.opened for action in actions) == game.visible.bit_count()
    assert sum(action.flagged for action in actions) == game.flagged.bit_count()
    assert [action.at_ms for action in actions] == [at_ms for at_ms, _, _ in game.log]


def test_a_replayed_action_tells_what_came_of_an_action() -> None:
    game = play(FIELD, "classic", "flag 0 0", "reveal 1 1", "reveal 2 1")
    assert Recording(game).actions == (
        ReplayedAction(0, ActionKind.FLAG, Cell(0, 0), 0, 1, Status.ONGOING),
        ReplayedAction(1000, ActionKind.REVEAL, Cell(1, 1), 1, 0, Status.ONGOING),
        ReplayedAction(2000, ActionKind.REVEAL, Cell(2, 1), 1, 0, Status.LOST),
    )


def test_an_undo_looks_at_what_it_takes_back_and_an_action_on_no_cell_stays_where_it_is() -> None:
    game = play(FIELD, "classic", "flag 0 0", "reveal 1 1", "hint", "reveal 0 0", "undo", "undo")
    recording = Recording(game)
    assert [action.taken_back for action in recording.actions] == [*[None] * 4, 2, 1]
    looks = [recording.cell(number) for number in range(7)]
    assert looks == [(0, 0), (0, 0), (1, 1), (1, 1), (0, 0), (1, 1), (0, 0)]


def test_a_game_given_up_before_its_first_action_ends_so() -> None:
    game = play(FIELD, "classic")
    game.terminate()
    assert Recording(game).position(0).status is Status.TERMINATED


def test_the_work_that_is_done_grows_and_shrinks_with_the_cells_shown() -> None:
    game = play("*...\n....", "classic", "reveal 3 1", "undo", "reveal 3 1", "reveal 0 1")
    recording = Recording(game)
    assert [recording.solved_share(number) for number in range(5)] == [0.0, 0.5, 0.0, 0.5, 1.0]
    assert Recording(play("*", "classic")).solved_share(0) == 0.0


WIDE_FIELD = "*...\n...."


PENALTY = Rules("own", mine=MineEffect.PENALTY)


@pytest.mark.parametrize(
    ("rules", "moves", "words", "tone"),
    [
        ("classic", "", "Before the first action", "plain"),
        ("classic", "flag 0 0", "flag (0,0): set", "plain"),
        ("classic", "flag 0 0, flag 0 0", "flag (0,0): removed", "plain"),
        ("classic", "flag 0 0, undo, flag 1 0", "flag (1,0): set", "plain"),
        ("jminesweeper", "flag 0 0", "flag (0,0): set, the game is won", "good"),
        ("classic", "reveal 1 0", "reveal (1,0): opens 1 cell", "plain"),
        ("classic", "reveal 3 1", "reveal (3,1): opens 6 cells", "plain"),
        ("classic", "reveal 3 1, flag 3 1", "flag (3,1): changes nothing", "plain"),
        (
            *("classic", "reveal 3 1, reveal 0 1"),
            *("reveal (0,1): opens 1 cell, the game is won", "good"),
        ),
        (
            *("classic", "flag 0 0, reveal 1 1, chord 1 1"),
            *("chord (1,1): opens 6 cells, the game is won", "good"),
        ),
        ("classic", "reveal 0 0", "reveal (0,0): hits a mine", "bad"),
        (PENALTY, "reveal 0 0", "reveal (0,0): hits a mine", "plain"),
        ("classic", "flag 0 0, undo", "undo: takes back action 1, flag (0,0)", "warning"),
        ("classic", "hint", "a hint", "plain"),
        ("classic", "debug", "debug mode: the mines were shown", "plain"),
        ("classic", "reveal 1 0, terminate", "the game is given up", "warning"),
    ],
)
def test_an_action_is_told_with_what_came_of_it(
    rules: str | Rules, moves: str, words: str, tone: str
) -> None:
    recording = Recording(play(WIDE_FIELD, rules, *filter(None, moves.split(", "))))
    assert caption(recording, recording.last) == Caption(words, tone)


def test_a_penalty_is_for_whoever_hit_the_mine() -> None:
    game = play(WIDE_FIELD, PENALTY)
    for author, cell in enumerate((Cell(0, 0), Cell(1, 0)), 1):
        game.apply(Action(ActionKind.REVEAL, cell), author=author)
    assert [action.opened for action in Recording(game).actions] == [0, 1]
