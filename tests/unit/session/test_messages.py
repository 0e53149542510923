"""What is said."""

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.view import Status
from jminesweeper.screen.models import Message
from jminesweeper.session import messages
from jminesweeper.session.reply import LaidBoard


def state(status: Status = Status.ONGOING, **differing: bool) -> str:
    words = {"is_paused": False, "is_debugged": False, "is_assisted": False, "is_saved": True}
    return messages.state_of(status, **{**words, **differing}, pace="")


def test_the_welcome_says_how_to_start_or_what_is_wrong() -> None:
    assert any("Start a game to play" in line for line in messages.welcome(""))
    assert "  No such level." in messages.welcome("No such level.")


@pytest.mark.parametrize(
    ("preset", "aim"),
    [
        ("jminesweeper", "Flag every mine and nothing else."),
        ("classic", "Open every safe cell."),
        ("kata", "Open every safe cell."),
        ("formal", "Open every safe cell, or flag every mine."),
    ],
)
def test_every_game_says_what_wins_and_whether_it_is_ranked(preset: str, aim: str) -> None:
    rules = PRESETS[preset]
    assert messages.aim_of(rules, is_repeat=False).text == aim
    assert messages.aim_of(rules, is_repeat=True).text == f"{aim} Seen before, so not ranked."


def test_version_1_explains_its_characters_on_the_one_line_it_has() -> None:
    lost, debug = messages.OUTCOMES[Status.LOST], Message(messages.DEBUG_ON)
    assert "BF is a marked mine" in messages.classic_text(lost, is_wide=True)
    assert "# marked mine" in messages.classic_text(lost, is_wide=False)
    assert "FB a mine under a mark" in messages.classic_text(debug, is_wide=True)
    assert "# a mine under a mark" in messages.classic_text(debug, is_wide=False)
    assert messages.classic_text(Message("Hm."), is_wide=True) == "Hm."


def test_no_message_is_too_long_for_a_line() -> None:
    texts = [text for name, text in vars(messages).items() if name.isupper()]
    outcomes = [
        messages.classic_text(message, is_wide=is_wide)
        for message in messages.OUTCOMES.values()
        for is_wide in (True, False)
    ]
    aims = [messages.aim_of(rules, is_repeat=True).text for rules in PRESETS.values()]
    boards = [messages.laid(LaidBoard(0, is_uniform=uniform)) for uniform in (True, False)]
    lines = [text for text in (*texts, *outcomes, *aims, *boards) if isinstance(text, str)]
    assert max(map(len, lines)) <= 80


def test_no_message_is_longer_than_twelve_words() -> None:
    texts = [text for name, text in vars(messages).items() if name.isupper()]
    sentences = [text for text in texts if isinstance(text, str) and text.endswith(".")]
    assert [text for text in sentences if len(text.split()) > 12] == []
    assert len(sentences) > 20


def test_the_state_lists_everything_that_is_out_of_the_ordinary() -> None:
    assert state() == ""
    assert state(Status.TERMINATED) == "GIVEN UP"
    words = state(Status.LOST, is_paused=True, is_debugged=True, is_assisted=True, is_saved=False)
    assert words == "LOST paused DEBUG assisted not saved"


def test_the_status_line_of_version_1_counts_mines_and_minutes() -> None:
    line = messages.status_line("custom 2x2", 0, 61, Status.ONGOING, is_debugged=False)
    assert line == "JMinesweeper  custom 2x2  mines left 0  1:01"
    line = messages.status_line("custom 2x2", -1, 3_600, Status.LOST, is_debugged=True)
    assert line == "JMinesweeper  custom 2x2  mines left -1  60:00  LOST DEBUG"


def test_steps_and_cells_are_named() -> None:
    assert messages.undone(1) == "Undone."
    assert messages.undone(3) == "3 steps undone."
    assert messages.no_cell(Cell(9, 8)) == "There is no cell at (9,8)."
    assert "in time" in messages.laid(None)
