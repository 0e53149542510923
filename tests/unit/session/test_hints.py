"""Hints: what a solver is asked, and what its answer does to the game."""

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import Rules
from jminesweeper.protocol.packets import Act, Hint, NewGame, Packet, Start, Undo
from jminesweeper.protocol.vocabulary import Button, Command, FirstRevealCode, GameKind
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import FindHint, FoundHint
from tests.unit.session.backstage import ANONYMOUS, Backstage, seated
from tests.unit.session.player import SEEN, Player

BOARD = "*....\n.....\n.....\n....*"
HINT = FoundHint("It is safe there.", Cell(2, 1), (Cell(1, 0),))
PROTECTED = NewGame(GameKind.OWN, 4, 4, 2, rules=1)


@pytest.fixture
def backstage() -> Backstage:
    backstage = Backstage()
    backstage.hints += [HINT, None]
    return backstage


@pytest.fixture
def player(backstage: Backstage) -> Player:
    """Somebody in a game in which the first reveal is not protected."""
    player = backstage.player()
    player.send(ANONYMOUS, Start(9, 9, 1))
    return player


def test_a_hint_is_shown_and_marks_the_game() -> None:
    player, backstage = seated(BOARD)
    backstage.hints.append(HINT)
    player.send(Hint(0, 0))
    assert player.message == "It is safe there."
    assert (player.entry("cursor"), player.entry("hint")) == ("2 1", "2 1, 1 0")
    assert player.entry("remark") == "assisted"
    player.send_after(1_000, Command.REFRESH)
    kept = backstage.running
    assert (len(kept.entries), kept.cursor) == (8, Cell(2, 1))


def test_it_is_asked_for_by_what_the_player_sees(player: Player, backstage: Backstage) -> None:
    player.send(Hint(3, 2))
    (asked,) = backstage.questions
    assert isinstance(asked, FindHint)
    assert asked.cursor == Cell(3, 2)
    assert asked.view.shown_mines is None
    assert (asked.view.mine_count, asked.view.visible) == (4, 0)


def test_it_does_not_start_the_clock(player: Player) -> None:
    player.send(Hint(0, 0))
    player.send_after(5_000, Command.REFRESH)
    assert player.entry("clock") == "0 s"


def test_it_does_not_stop_the_clock(player: Player) -> None:
    player.send(Command.TOGGLE_BOMB_MARK)
    player.send_after(1_000, Hint(0, 0))
    player.send_after(2_000, Command.REFRESH)
    assert player.entry("clock") == "3 s"


def test_it_goes_with_the_next_action_and_not_with_a_move(player: Player) -> None:
    player.send(Hint(0, 0), Command.MOVE_RIGHT)
    assert player.message == "It is safe there."
    assert player.entry("hint")
    player.send(Command.TOGGLE_BOMB_MARK)
    assert (player.message, player.entry("hint")) == ("", "")


def test_a_hint_that_took_too_long_marks_nothing(player: Player, backstage: Backstage) -> None:
    backstage.hints.popleft()
    player.send(Hint(0, 0))
    assert player.message == "No hint was found in time."
    assert (player.entry("remark"), player.entry("cursor")) == ("", "0 0")


def test_without_a_solver_there_is_none() -> None:
    player = Player(SessionConfig())
    player.send(ANONYMOUS, Start(9, 9, 1), Hint(0, 0))
    assert player.message == "This server gives no hints."


@pytest.mark.parametrize("end", [(Act(0, 0, Button.REVEAL, SEEN),), (Command.PAUSE,)])
def test_who_cannot_play_gets_none(end: tuple[Packet, ...]) -> None:
    player, backstage = seated(BOARD)
    player.send(*end)
    before = player.text
    assert player.send(Hint(0, 0)) == before
    assert backstage.questions == []


def test_without_a_game_there_is_none(backstage: Backstage) -> None:
    player = backstage.player()
    player.send(Hint(0, 0))
    assert "Start a game to play" in player.text
    assert backstage.questions == []


class TestBeforeTheFirstReveal:
    """The rules may protect it, which a solver does not know."""

    def test_the_rules_say_it_and_the_game_is_not_marked(
        self, player: Player, backstage: Backstage
    ) -> None:
        player.send(PROTECTED, Hint(0, 0))
        assert player.message == "Reveal any cell: the first one is safe."
        assert player.entry("remark") == ""
        assert backstage.questions == []

    @pytest.mark.parametrize(
        "packet",
        [
            NewGame(GameKind.OWN, 4, 4, 2, rules=1, first_reveal=FirstRevealCode.OFF),
            NewGame(GameKind.OWN, 4, 4, 2, rules=0),
            NewGame(GameKind.OWN, 1, 1, 1, rules=1),
        ],
    )
    def test_where_they_do_not_a_solver_is_asked(
        self, player: Player, backstage: Backstage, packet: NewGame
    ) -> None:
        player.send(packet, Hint(0, 0))
        assert len(backstage.questions) == 1

    def test_a_board_laid_by_hand_protects_nothing(self) -> None:
        player, backstage = seated(BOARD, Rules("classic"))
        backstage.hints.append(None)
        player.send(Hint(0, 0))
        assert len(backstage.questions) == 1

    def test_a_first_reveal_that_was_taken_back_was_the_first(
        self, player: Player, backstage: Backstage
    ) -> None:
        player.send(PROTECTED, Command.REVEAL, Undo(1), Hint(0, 0))
        assert len(backstage.questions) == 1
