"""`jminesweeper replay`, as it is typed where there is no terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from jminesweeper.recordings.text import format_game
from tests.unit.cli.kept_games import LOST, WON, furnish, run
from tests.unit.core.boards import play


def field(text: str) -> str:
    """Return the cells below the numbers of their columns."""
    lines = text.partition("field:\n")[2].splitlines()
    return "\n".join(line[4:].replace(" ", "") for line in lines if line[:4].strip().isdigit())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    furnish(tmp_path)
    return tmp_path


def test_without_a_terminal_the_last_position_is_printed(home: Path) -> None:
    result = run(home, "replay", "won1")
    assert result.exit_code == 0
    assert result.output.startswith("JMinesweeper custom 4x2\nscreen: game\nstate: won\n")
    assert "message: reveal (0,1): opens 1 cell, the game is won\n" in result.output
    assert "figure: 3BV 2 of 2" in result.output
    assert field(result.output) == str(WON.view)
    assert run(home, "replay", "won1", "--plain").output == result.output


def test_help_that_was_taken_is_told(home: Path) -> None:
    output = run(home, "replay", "lost1").output
    assert "remark: assisted\n" in output
    assert field(output) == str(LOST.view)


def test_a_game_in_progress_is_shown_as_far_as_it_went(home: Path) -> None:
    (home / "g.txt").write_text(format_game(play("*..\n..*", "kata", "flag 0 0", "reveal 1 1")))
    output = run(home, "replay", str(home / "g.txt")).output
    assert "state: playing\n" in output
    assert "figure" not in output
    assert "B" not in output.partition("field:")[2].partition("message:")[0]


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "1001", "fast"])
def test_a_speed_is_a_number_within_reason(home: Path, speed: str) -> None:
    result = run(home, "replay", "won1", "--speed", speed)
    assert result.exit_code == 2
    assert "Invalid value for '--speed'" in result.output
