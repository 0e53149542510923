"""Boards that need no guess: laid at the first reveal, by somebody who takes time for it."""

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import Act, Code, MoveTo, NewGame, Undo
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import LayBoard
from tests.world.player import SEED, SEEN, Player
from tests.world.server import ANONYMOUS, KNOWN, World, alone

NO_GUESS = NewGame("4x4/2 no-guess")
LAID = 0b11 << 5
"""Two mines at the left of the second row."""


@pytest.fixture
def world() -> World:
    world = World()
    world.boards += [LAID, None]
    return world


@pytest.fixture
def player(world: World) -> Player:
    return world.player().do(KNOWN, NO_GUESS)


def test_it_is_asked_for_at_the_first_reveal_with_its_cell(player: Player, world: World) -> None:
    player.send(Command.TOGGLE_BOMB_MARK, MoveTo(3, 1))
    assert world.questions == []
    player.send(Command.REVEAL)
    (asked,) = world.questions
    assert isinstance(asked, LayBoard)
    assert asked.first == Cell(3, 1)
    assert (asked.setup.seed, asked.setup.mine_count) == (SEED, 2)


def test_the_reveal_uses_the_mines_that_were_laid(player: Player) -> None:
    assert player.text.startswith("JMinesweeper custom no-guess 4x4\n")
    player.send(MoveTo(0, 0), Command.REVEAL)
    player.sees({"top": "2???", "message": "This board needs no guess."})
    assert player.text.startswith("JMinesweeper custom no-guess 4x4\n")


def test_its_seed_code_is_the_same_board_for_somebody_else(player: Player, world: World) -> None:
    world.boards.extendleft([LAID, LAID])
    player.do(MoveTo(2, 3), Command.REVEAL, Act(0, 1, Button.REVEAL, SEEN))
    code = dict(player.members["figures"])["seed code"]
    friend = world.player().do(ANONYMOUS, NO_GUESS, Code(code))
    asked = world.questions[-1]
    assert isinstance(asked, LayBoard)
    assert asked.first == Cell(2, 3)
    assert friend.entry("cursor") == "2 3"


def test_it_is_asked_for_once(player: Player, world: World) -> None:
    player.send(Command.REVEAL, Act(2, 0, Button.REVEAL, SEEN), Undo(2), Command.REVEAL)
    assert len(world.questions) == 1


def test_a_flagged_cell_is_not_revealed_and_needs_no_board(player: Player, world: World) -> None:
    player.send(Command.TOGGLE_BOMB_MARK, Command.REVEAL)
    assert world.questions == []


def test_flags_stay_when_the_mines_are_laid(player: Player) -> None:
    player.do(MoveTo(0, 0), Command.TOGGLE_BOMB_MARK, MoveTo(1, 0), Command.REVEAL)
    player.sees({"top": "F2??"})


def test_it_is_stored_with_its_mines(player: Player, world: World) -> None:
    player.send(Command.TOGGLE_BOMB_MARK, MoveTo(1, 0), Command.REVEAL)
    kept = world.running
    assert kept.setup.layout == LAID
    assert kept.setup.variant.is_no_guess
    assert len(kept.entries) == 2 * 8


class TestWithoutSuchABoard:
    @pytest.fixture
    def world(self) -> World:
        world = World()
        world.boards += [None, LAID]
        return world

    def test_the_game_is_an_ordinary_one_and_says_so(self, player: Player) -> None:
        player.send(MoveTo(0, 0), Command.REVEAL)
        assert player.text.startswith("JMinesweeper custom 4x4\n")
        assert player.message == "Found no board without guesses in time; this one may need some."
        assert player.board[0] != "?"

    def test_the_next_game_tries_again(self, player: Player, world: World) -> None:
        player.send(Command.REVEAL, NewGame(), Command.REVEAL)
        assert player.text.startswith("JMinesweeper custom no-guess 4x4\n")
        assert len(world.questions) == 2

    def test_the_end_is_not_talked_over(self, player: Player) -> None:
        player.send(NewGame("1x1/1 no-guess"))
        player.send(Command.REVEAL)
        assert player.message.startswith("You lost.")


def test_a_server_that_cannot_lay_such_boards_says_so_at_once() -> None:
    player = alone(SessionConfig()).do(ANONYMOUS, NO_GUESS)
    assert player.message == "This server cannot make no-guess boards; this one may need guesses."
    assert player.text.startswith("JMinesweeper custom 4x4\n")
    player.send(Command.REVEAL)
    assert player.board[0] != "?"
