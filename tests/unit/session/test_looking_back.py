"""Replay, analysis and export of the game that has just ended."""

from dataclasses import replace

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Jump, LookBack, MoveTo, Packet, RecordingContent, Start
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction, JumpTo, LookBackAt
from jminesweeper.recordings.text import parse_game
from jminesweeper.session import messages
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.looking_back import MOST_ACTIONS, MOST_EXPORTED
from jminesweeper.session.reply import Analyse, FindOdds, FoundOdds
from tests.unit.session.backstage import ANSI, PLAIN, Backstage, seated
from tests.unit.session.player import Player, same_seed

BOARD = "*..\n...\n..*"
REPLAY = LookBack(LookBackAt.REPLAY)
ANALYSIS = LookBack(LookBackAt.ANALYSIS)
RECORDING = LookBack(LookBackAt.RECORDING)
FLAG, RIGHT, BACK = Command.TOGGLE_BOMB_MARK, Command.MOVE_RIGHT, Command.MENU


def lost() -> tuple[Player, Backstage]:
    """Set two flags a second apart, take the first one off, and step on its mine."""
    player, backstage = seated(BOARD)
    player.send(FLAG, RIGHT)
    player.send_after(1_000, FLAG, FLAG, Command.MOVE_LEFT, FLAG)
    player.send_after(20_000, Command.REVEAL)
    assert player.entry("state") == "lost"
    return player, backstage


def test_a_replay_begins_before_the_first_action_and_steps_on_and_back() -> None:
    player, _ = lost()
    player.send(REPLAY)
    assert player.entry("remark") == "replay"
    assert player.entry("replay") == "0 of 5"
    assert player.entry("message") == "Before the first action"
    assert player.board == "???\n???\n???"
    player.send(RIGHT, Command.REVEAL)
    assert player.entry("replay") == "2 of 5"
    assert player.entry("message") == "flag (1,0): set"
    assert player.board == "FF?\n???\n???"
    assert (player.entry("cursor"), player.entry("clock")) == ("1 0", "1 s")
    player.send(Command.MOVE_LEFT)
    assert player.entry("replay") == "1 of 5"
    assert player.board == "F??\n???\n???"


@pytest.mark.parametrize(
    ("packets", "position"),
    [
        ([Jump(JumpTo.ROW_END)], 5),
        ([Command.MOVE_DOWN], 5),
        ([Command.MOVE_DOWN, Command.MOVE_UP], 0),
        ([Jump(JumpTo.ROW_END), Jump(JumpTo.ROW_START)], 0),
        ([Jump(JumpTo.PAGE_DOWN)], 4),
        ([Jump(JumpTo.PAGE_DOWN), Jump(JumpTo.PAGE_UP)], 0),
        ([Jump(JumpTo.ROW_END), Jump(JumpTo.PAGE_UP)], 4),
        ([Jump(JumpTo.RIGHT), Jump(JumpTo.LEFT)], 0),
        ([Jump(99)], 0),
        ([Command.MOVE_LEFT], 0),
    ],
)
def test_keys_go_through_a_replay_and_stop_at_its_ends(
    packets: list[Packet], position: int
) -> None:
    player, _ = lost()
    player.send(REPLAY, *packets)
    assert player.entry("replay") == f"{position} of 5"


def test_a_replay_shows_odds_until_the_next_step_and_for_free() -> None:
    player, backstage = lost()
    # Indices have a column of padding: 5 is the second cell of the second row.
    backstage.hints += [FoundOdds({0: 67, 5: 0}, is_exact=True)] * 2
    player.send(REPLAY, RIGHT, Command.ODDS)
    assert player.entry("odds") == "0 0 67 %, 1 1 0 %"
    assert (player.entry("replay"), player.entry("remark")) == ("1 of 5", "replay")
    assert player.send(Command.ODDS) == player.send(Command.REFRESH)
    assert player.entry("odds") == ""
    player.send(Jump(JumpTo.ROW_END), Command.ODDS)
    asked = backstage.questions[-1]
    assert isinstance(asked, FindOdds)
    assert (asked.view.status, asked.view.shown_mines) == (Status.ONGOING, None)
    assert player.entry("odds")
    player.send(Command.MOVE_LEFT)
    assert player.entry("odds") == ""
    assert [game.is_assisted for game in backstage.finished] == [False]


def test_a_replay_without_odds_says_so() -> None:
    player, backstage = lost()
    backstage.hints.append(None)
    player.send(REPLAY, Command.ODDS)
    assert player.entry("message") == messages.NO_ODDS
    assert player.send(RIGHT, Command.REFRESH).count("replay: 1 of 5") == 1


def test_a_server_without_a_solver_has_no_odds_in_a_replay() -> None:
    player = Player(SessionConfig(), entropy=same_seed)
    player.send(PLAIN, *menu_game(), REPLAY, Command.ODDS)
    assert player.entry("message") == messages.NO_HINTS


def test_no_other_page_has_odds() -> None:
    player, backstage = lost()
    before = player.send(Command.HELP)
    assert player.send(Command.ODDS) == before
    assert backstage.questions == []


def test_the_end_is_there_again_after_a_replay() -> None:
    player, _ = lost()
    end = player.board
    player.send(REPLAY, RIGHT, BACK)
    assert (player.board, player.entry("state")) == (end, "lost")


@pytest.mark.parametrize(("columns", "rows", "rows_seen"), [(80, 24, 16), (40, 20, 15)])
def test_nothing_covers_the_board_at_the_end_nor_in_a_replay(
    columns: int, rows: int, rows_seen: int
) -> None:
    board = "\n".join(["." * 16] * 15 + ["." * 15 + "*"])
    player, _ = seated(board, hello=replace(ANSI, columns=columns, rows=rows))
    for packet in (MoveTo(15, 15), Command.REVEAL):
        player.send(packet)
    assert len(field_rows(player)) == rows_seen
    assert "B*" in field_rows(player)[-1]
    player.send(REPLAY, Jump(JumpTo.BOTTOM))
    assert "1/1" in player.text
    assert len(field_rows(player)) == rows_seen
    assert "B*" in field_rows(player)[-1]


def field_rows(player: Player) -> list[str]:
    """The lines in which cells are seen, between the sides of the frame."""
    return [line for line in player.lines if line.count("|") == 2]


def test_a_game_that_runs_is_not_looked_back_at() -> None:
    player, backstage = seated(BOARD)
    for packet in (REPLAY, ANALYSIS, RECORDING):
        player.send(FLAG, packet)
        assert player.entry("message") == messages.NOT_ENDED
        assert player.entry("state") == "playing"
    assert backstage.questions == []


def test_without_hello_there_is_nothing_to_look_at() -> None:
    player = Player()
    assert messages.NO_HELLO in player.send(REPLAY)
    assert messages.NO_HELLO in player.send(RECORDING)


def test_something_else_to_look_at_is_refused() -> None:
    player, _ = lost()
    player.send(LookBack(9))
    assert player.entry("message") == "There is no look back 9."


def test_a_long_game_is_exported_and_not_shown() -> None:
    player, _ = seated(BOARD)
    player.send(*[FLAG] * MOST_ACTIONS, Command.REVEAL, REPLAY)
    assert player.entry("message") == messages.TOO_LONG_TO_REPLAY
    assert len(exported(player).log) == MOST_ACTIONS + 1


def test_a_very_long_game_is_neither() -> None:
    player, _ = seated(BOARD)
    player.send(*[FLAG] * MOST_EXPORTED, Command.REVEAL, RECORDING)
    assert player.entry("message") == messages.TOO_LONG_TO_EXPORT


def test_an_analysis_is_a_page_made_by_a_worker() -> None:
    player, backstage = lost()
    backstage.analyses.append(("1 reveal, 1 guess", "luck -0.78"))
    screen = player.send(ANALYSIS)
    assert "Analysis" in screen.splitlines()[0]
    assert "luck -0.78" in screen
    (asked,) = backstage.questions
    assert isinstance(asked, Analyse)
    assert len(asked.entries) == 5
    player.send(BACK)
    assert player.entry("state") == "lost"


def test_an_analysis_that_takes_too_long_is_none() -> None:
    player, backstage = lost()
    backstage.analyses.append(None)
    player.send(ANALYSIS)
    assert player.entry("message") == messages.NO_ANALYSIS
    assert player.entry("state") == "lost"


def test_a_server_without_a_solver_makes_no_analyses() -> None:
    player = Player(SessionConfig(), entropy=same_seed)
    player.send(PLAIN, *menu_game())
    player.send(ANALYSIS)
    assert player.entry("message") == messages.NO_ANALYSES


def menu_game() -> list[Packet]:
    """Begin a board of one mine, and step on it."""
    return [Start(1, 1, 1), Command.REVEAL]


def exported(player: Player) -> Game:
    reply = player.session.receive(RECORDING, player.now_ms)
    (packet,) = PacketReader(Direction.FROM_SERVER).feed(reply.screen)
    assert isinstance(packet, RecordingContent)
    return parse_game(packet.text.decode())


def test_a_recording_is_the_reply_and_the_screen_stays() -> None:
    player, _ = lost()
    end = player.text
    game = exported(player)
    assert [action.kind.name for _, action, _ in game.log] == ["FLAG"] * 4 + ["REVEAL"]
    assert player.send(Command.REFRESH) == end


def test_the_menu_offers_all_three_once_the_game_is_over() -> None:
    player, backstage = seated(BOARD)
    player.send(FLAG, Command.MENU)
    assert "Look back" not in player.items
    player, backstage = lost()
    player.send(Command.MENU)
    player.choose("Look back")
    assert player.items == ["Replay", "Analysis", "Export"]
    player.choose("Replay")
    assert player.entry("replay") == "0 of 5"
    player.send(BACK)
    backstage.analyses.append(("luck +1.00",))
    assert "luck +1.00" in player.choose("Analysis")
    player.send(BACK)
    screen = player.choose("Export")
    assert "  jminesweeper replay FILE" in screen
    assert "0 flag 0 0" in screen
    assert len(exported(player).log) == 5
    player.send(BACK)
    assert player.items == ["Replay", "Analysis", "Export"]
    player.send(REPLAY)
    assert player.items == ["Replay", "Analysis", "Export"]


def test_the_text_of_a_long_recording_ends_with_how_many_lines_more_there_are() -> None:
    player, _ = seated(BOARD)
    player.send(*[FLAG] * 600, Command.REVEAL, Command.MENU)
    player.choose("Look back")
    assert "and 108 more" in player.choose("Export")
