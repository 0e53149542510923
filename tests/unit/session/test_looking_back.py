"""Replay, analysis and export of the game that has just ended."""

import pytest

from jminesweeper.core.game import Game
from jminesweeper.core.view import COVERED, Status
from jminesweeper.protocol.packets import (
    Act,
    LookBack,
    NewGame,
    Odds,
    OpenMenu,
    Packet,
    RecordingContent,
    Replay,
    Start,
)
from jminesweeper.protocol.vocabulary import Button, Command, LookBackAt
from jminesweeper.recordings.text import parse_game
from jminesweeper.session import looking_back
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.looking_back import MOST_ACTIONS
from jminesweeper.session.reply import Analyse, FindOdds, FoundOdds
from tests.world.player import BACK, Player, same_seed
from tests.world.server import KNOWN, World, alone, seated

BOARD = "*..\n...\n..*"
REPLAY = LookBack(LookBackAt.REPLAY)
ANALYSIS = LookBack(LookBackAt.ANALYSIS)
RECORDING = LookBack(LookBackAt.RECORDING)
PICTURE = LookBack(LookBackAt.PICTURE)
FLAG, RIGHT = Command.TOGGLE_BOMB_MARK, Command.MOVE_RIGHT


RECORDS = ["Statistics", "Best times", "Ladder", "Your games", "Replay", "Analysis", "Export"]


def lost() -> tuple[Player, World]:
    """Set two flags a second apart, take the first one off, and step on its mine."""
    player, world = seated(BOARD)
    player.do(FLAG, RIGHT, 1_000, FLAG, FLAG, Command.MOVE_LEFT, FLAG, 20_000, Command.REVEAL)
    assert player.entry("state") == "lost"
    return player, world


def test_a_replay_begins_before_the_first_action_and_steps_on_and_back() -> None:
    player, _ = lost()
    player.send(REPLAY)
    assert player.members["replay"] == [0, 1_000, 1_000, 1_000, 21_000]
    assert player.entry("replay") == "0 of 5"
    assert player.message == "Before the first action"
    assert player.board == "???\n???\n???"
    player.do(Replay(2)).sees({"replay": "2 of 5"})
    assert "replay" not in player.said
    assert player.message == "flag (1,0): set"
    assert player.board == "FF?\n???\n???"
    assert (player.entry("cursor"), player.entry("clock")) == ("1 0", "1 s")
    player.do(Replay(1)).sees({"replay": "1 of 5", "board": "F??\n???\n???"})


@pytest.mark.parametrize(("asked", "position"), [(0, 0), (4, 4), (5, 5), (6, 5), (65_535, 5)])
def test_a_replay_ends_with_the_game(asked: int, position: int) -> None:
    player, _ = lost()
    player.do(REPLAY, Replay(asked)).sees({"replay": f"{position} of 5"})


def test_a_replay_shows_odds_until_the_next_step_and_for_free() -> None:
    player, world = lost()
    # Indices have a column of padding: 5 is the second cell of the second row.
    world.hints += [FoundOdds({0: 67, 5: 0}, is_exact=True)] * 2
    player.send(REPLAY, Replay(1), Odds(0, 0))
    assert player.entry("odds") == "0 0 67 %, 1 1 0 %"
    assert player.message == "Each covered cell shows its chance of a mine."
    assert player.entry("replay") == "1 of 5"
    assert player.send(Odds(0, 0)).text == player.send(Command.REFRESH).text
    assert player.entry("odds") == ""
    player.send(Replay(5), Odds(0, 0))
    asked = world.questions[-1]
    assert isinstance(asked, FindOdds)
    assert (asked.view.status, asked.view.shown_mines) == (Status.ONGOING, None)
    assert player.entry("odds")
    player.do(Replay(4)).sees({"odds": ""})
    assert [game.is_assisted for game in world.finished] == [False]


def test_a_replay_without_odds_says_so() -> None:
    player, world = lost()
    world.hints.append(None)
    player.do(REPLAY, Odds(0, 0)).sees({"message": "The chances were not found in time."})
    player.do(Replay(1)).sees({"replay": "1 of 5"})


def test_a_server_without_a_solver_has_no_odds_in_a_replay() -> None:
    player = alone(SessionConfig(), entropy=same_seed)
    player.send(KNOWN, *menu_game(), REPLAY, Odds(0, 0))
    assert player.message == "This server gives no hints."


def test_no_other_page_has_odds() -> None:
    player, world = lost()
    before = player.send(OpenMenu("help")).text
    assert player.send(Odds(0, 0)).text == before
    assert world.questions == []


def test_the_end_is_there_again_after_a_replay() -> None:
    player, _ = lost()
    end = player.board
    player.do(REPLAY, Replay(1), BACK).sees({"board": end, "state": "lost"})


def test_a_game_that_runs_is_not_looked_back_at() -> None:
    player, world = seated(BOARD)
    for packet in (REPLAY, ANALYSIS, RECORDING, PICTURE):
        player.do(FLAG, packet).sees({"message": "Finish the game first.", "state": "playing"})
    assert world.questions == []


def test_something_else_to_look_at_is_refused() -> None:
    player, _ = lost()
    player.do(LookBack(9)).sees({"message": "Unknown look-back: 9."})


def test_a_long_game_is_exported_and_not_shown() -> None:
    player, _ = seated(BOARD)
    player.send(*[FLAG] * MOST_ACTIONS, Command.REVEAL, REPLAY)
    assert player.message == "This game is too long to replay here; it can be exported."
    assert len(exported(player).log) == MOST_ACTIONS + 1


def test_a_very_long_game_is_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking_back, "MOST_EXPORTED", 100)
    player, _ = seated(BOARD)
    player.send(*[FLAG] * 100, Command.REVEAL, RECORDING)
    assert player.message == "This game is too long to export here."


def test_an_analysis_is_a_page_made_by_a_worker() -> None:
    player, world = lost()
    world.analyses.append(("1 reveal, 1 guess", "luck -0.78"))
    screen = player.send(ANALYSIS).text
    assert player.screen == "analysis"
    assert "luck -0.78" in screen
    (asked,) = world.questions
    assert isinstance(asked, Analyse)
    assert len(asked.entries) == 5
    player.do(BACK).sees({"state": "lost"})


def test_an_analysis_that_takes_too_long_is_none() -> None:
    player, world = lost()
    world.analyses.append(None)
    player.send(ANALYSIS)
    assert player.message == "The analysis took too long. Export the game to analyse it."
    assert player.entry("state") == "lost"


def test_a_server_without_a_solver_makes_no_analyses() -> None:
    player = alone(SessionConfig(), entropy=same_seed)
    player.do(KNOWN, *menu_game(), ANALYSIS).sees(
        {"message": "This server does not analyse games."}
    )


def menu_game() -> list[Packet]:
    """Begin a board of one mine, and step on it."""
    return [Start(1, 1, 1), Command.REVEAL]


def handed_over(player: Player, packet: Packet) -> str:
    player.send(packet)
    reply = player.replies[-1]
    assert isinstance(reply, RecordingContent)
    return reply.text.decode()


def exported(player: Player) -> Game:
    return parse_game(handed_over(player, RECORDING))


def test_a_picture_is_the_reply_as_a_recording_is() -> None:
    player, _ = lost()
    end = player.text
    assert handed_over(player, PICTURE).startswith("<svg")
    assert player.send(Command.REFRESH).text == end


def test_a_picture_of_a_large_board_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking_back, "MOST_DRAWN", 3)
    player, _ = lost()
    player.do(PICTURE).sees({"message": "This game is too large for a picture; export it as text."})


def test_what_is_on_top_is_exported_while_another_game_runs() -> None:
    player, _ = lost()
    older = player.do(NewGame(), OpenMenu("records"), "Your games").items[0]
    player.do(older, "Export")
    assert handed_over(player, PICTURE).startswith("<svg")
    shown = exported(player)
    player.do(BACK, "Replay")
    assert exported(player).setup == shown.setup


def test_a_recording_is_the_reply_and_the_screen_stays() -> None:
    player, _ = lost()
    end = player.text
    game = exported(player)
    assert [action.kind.name for _, action, _ in game.log] == ["FLAG"] * 4 + ["REVEAL"]
    assert player.send(Command.REFRESH).text == end


def test_the_menu_offers_all_three_once_the_game_is_over() -> None:
    player, world = seated(BOARD)
    player.do(FLAG, BACK, "Records").sees({"items": RECORDS[:4]})
    player, world = lost()
    player.do(BACK, "Records")
    assert player.items == RECORDS
    player.do("Replay").sees({"replay": "0 of 5"})
    player.send(BACK)
    world.analyses.append(("luck +1.00",))
    assert "luck +1.00" in player.choose("Analysis").text
    player.send(BACK)
    screen = player.choose("Export").text
    assert "  jminesweeper replay FILE" in screen
    assert "0 flag 0 0" in screen
    assert len(exported(player).log) == 5
    player.do(BACK).sees({"items": RECORDS})
    player.do(REPLAY).sees({"items": RECORDS})


def test_every_game_of_a_player_is_looked_at_later() -> None:
    player, world = lost()
    player.do(Start(20, 10, 1), FLAG, BACK, "Records", "Your games")
    assert player.items == ["custom 3x3"]
    assert player.row("custom 3x3")["figures"][:2] == ["lost", "21.000 s"]
    player.do("custom 3x3").sees({"items": ["Replay", "Analysis", "Export"]})
    player.do("Replay", Replay(2)).sees({"replay": "2 of 5", "board": "FF?\n???\n???"})
    assert "export" in player.members["keys"]
    player.send(BACK)
    world.analyses.append(("luck +1.00",))
    assert "luck +1.00" in player.choose("Analysis").text
    player.send(BACK)
    assert "0 flag 0 0" in player.choose("Export").text
    assert player.members["keys"] == ["export", "back", "quit"]
    player.do(BACK, BACK).sees({"items": ["custom 3x3"]})


def test_who_has_finished_no_game_is_told_so() -> None:
    player, _ = seated(BOARD)
    player.do(BACK, "Records", "Your games").sees({"message": "No game of yours has ended yet."})


PLAY_ON = LookBack(LookBackAt.PLAY_ON)


def test_a_replay_is_played_on_from_any_moment_as_a_repeat() -> None:
    player, world = lost()
    player.do(REPLAY, Replay(2), PLAY_ON)
    player.sees({"state": "playing", "board": "FF?\n???\n???", "remark": "repeat"})
    assert player.message == "Your turn from here. Seen before, so not ranked."
    assert world.running.length == 2


def test_a_game_that_was_lost_is_played_on_before_its_last_step() -> None:
    player, _ = lost()
    player.do(REPLAY, Replay(5), PLAY_ON).sees({"state": "playing"})


def test_playing_on_asks_before_it_ends_a_running_game() -> None:
    player, _ = lost()
    player.do(NewGame("beginner"), Act(4, 4, Button.REVEAL, COVERED))
    player.do(BACK, "Records", "Your games", "custom 3x3", "Replay", Replay(1), PLAY_ON)
    assert player.items[-1] == "Keep playing"
    player.do("Keep playing").sees({"size": "9x9", "state": "playing"})


def test_without_a_replay_there_is_nothing_to_play_on() -> None:
    player, _ = lost()
    player.do(PLAY_ON).sees({"state": "lost", "message": "Open a replay first."})
