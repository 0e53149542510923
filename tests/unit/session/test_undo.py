"""Taking back what was done, and games that have grown too long for it."""

import pytest

from jminesweeper.protocol.packets import Act, Hint, Packet, Start, Undo
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.session.board import MOST_UNDO_STEPS
from tests.unit.session.backstage import KNOWN, Backstage, flagged, seated
from tests.unit.session.player import SEEN, Player

BOARD = "*..\n...\n...\n..*"
FLAGS = (Act(1, 0, Button.FLAG, SEEN), Act(2, 0, Button.FLAG, SEEN))


def come_back(diagram: str, times: int) -> tuple[Player, Backstage]:
    """Go on with a game in which a cell was flagged and unflagged so many times."""
    backstage = Backstage()
    backstage.put(flagged(diagram, times))
    player = backstage.player()
    player.send(KNOWN)
    return player, backstage


def test_one_step_is_taken_back() -> None:
    player, _ = seated(BOARD)
    player.send(*FLAGS, Undo(1))
    assert player.board.splitlines()[0] == "?F?"
    assert player.message == "1 step undone."


def test_any_number_of_steps_is_taken_back() -> None:
    player, _ = seated(BOARD)
    player.send(*FLAGS, Undo(7))
    assert player.board.splitlines()[0] == "???"
    assert player.message == "2 steps undone."


def test_the_step_that_lost_is_undone_and_the_game_continues() -> None:
    player, backstage = seated(BOARD)
    player.send(Act(1, 0, Button.REVEAL, SEEN))
    player.send_after(4_000, Act(0, 0, Button.REVEAL, SEEN))
    assert player.entry("state") == "lost"
    player.send_after(60_000, Undo(1))
    assert (player.entry("state"), player.entry("remark")) == ("playing", "assisted")
    player.send_after(1_000, Command.REFRESH)
    assert player.entry("clock") == "5 s"
    kept = backstage.running
    assert len(kept.entries) == 3 * 8


@pytest.mark.parametrize("packets", [(Undo(1),), (Act(1, 0, Button.FLAG, SEEN), Undo(0))])
def test_without_steps_nothing_is_taken_back(packets: tuple[Packet, ...]) -> None:
    player, _ = seated(BOARD)
    player.send(*packets)
    assert player.message == "There is nothing to undo."
    assert player.entry("remark") == ""


def test_one_packet_takes_back_only_so_many_steps() -> None:
    player, _ = come_back(BOARD, MOST_UNDO_STEPS + 5)
    player.send(Undo(65_535))
    assert player.message == f"{MOST_UNDO_STEPS} steps undone."
    player.send(Undo(65_535))
    assert player.message == "5 steps undone."


def test_a_game_that_is_full_takes_nothing_but_a_new_one() -> None:
    player, backstage = come_back("*.", 20_000)
    packets = (
        Command.REVEAL,
        Command.TOGGLE_BOMB_MARK,
        Command.TOGGLE_DEBUG_MODE,
        Hint(0, 0),
        Undo(5),
    )
    before = player.board
    for packet in packets:
        player.send(packet)
        assert player.message == "This game is too long. Begin a new one."
        assert (player.board, player.entry("remark")) == (before, "")
    player.send(Start(9, 9, 1))
    assert player.entry("size") == "9x9"
    assert len(backstage.finished) == 1
