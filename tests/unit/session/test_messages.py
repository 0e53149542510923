"""What is said."""

import pytest

from jminesweeper.core import PRESETS, ActionKind, Cell, Status
from jminesweeper.screen import Message
from jminesweeper.session import Laid, messages
from tests.unit.session.backstage import a_play


def test_the_welcome_says_how_to_start_or_what_is_wrong() -> None:
    assert any("Start a game to play" in line for line in messages.welcome(""))
    assert "  No such level." in messages.welcome("No such level.")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_game_says_what_wins(preset: str) -> None:
    assert messages.aim_of(PRESETS[preset], is_repeat=False).text.endswith(".")


def test_version_1_explains_its_characters_on_the_one_line_it_has() -> None:
    assert "* went off" in messages.classic_text(messages.OUTCOMES[Status.LOST])
    assert messages.classic_text(Message("Hm.")) == "Hm."


def test_no_message_is_too_long_for_a_line() -> None:
    texts = [text for name, text in vars(messages).items() if name.isupper()]
    outcomes = [messages.classic_text(message) for message in messages.OUTCOMES.values()]
    aims = [messages.aim_of(rules, is_repeat=True).text for rules in PRESETS.values()]
    boards = [messages.laid(Laid(0, is_uniform=uniform)) for uniform in (True, False)]
    lines = [text for text in (*texts, *outcomes, *aims, *boards) if isinstance(text, str)]
    assert max(map(len, lines)) <= 80


def test_the_state_lists_everything_that_is_out_of_the_ordinary() -> None:
    play = a_play("*.")
    assert messages.state_of(play, is_saved=True) == ""
    play.toggle_debug(0)
    play.is_paused = True
    assert messages.state_of(play, is_saved=False) == "paused DEBUG assisted not saved"


def test_the_status_line_of_version_1_counts_bombs_and_minutes() -> None:
    play = a_play("*.\n..")
    play.act(ActionKind.FLAG, 0)
    line = messages.status_line(play, 61)
    assert line == "JMinesweeper  custom 2x2  bombs left 0  1:01"
    play.toggle_debug(0)
    assert messages.status_line(play, 61).endswith("1:01  DEBUG")
    play.act(ActionKind.FLAG, 0)
    play.act(ActionKind.REVEAL, 0)
    assert messages.status_line(play, 61).endswith("1:01  LOST DEBUG")


def test_steps_and_cells_are_named() -> None:
    assert messages.undone(1) == "Taken back."
    assert messages.undone(3) == "3 steps taken back."
    assert messages.no_cell(Cell(9, 8)) == "There is no cell at (9,8)."
    assert "in time" in messages.laid(None)
