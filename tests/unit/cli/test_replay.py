"""`jminesweeper replay`, as it is typed where there is no terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from jminesweeper.recordings.text import format_game
from tests.unit.cli.kept_games import LOST, WON, furnish, run
from tests.unit.core.boards import play


def field(text: str) -> str:
    """Return the board, which comes last."""
    return "\n".join(line for line in text.splitlines() if not set(line) - set("?FBX!.12345678*"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    furnish(tmp_path)
    return tmp_path


def test_without_a_terminal_the_last_position_is_printed(home: Path) -> None:
    result = run(home, "replay", "won1")
    assert result.exit_code == 0
    assert result.output.startswith("Custom 4x2: 4 columns, 2 rows, 1 mine.\n")
    assert "\nreveal (0,1): opens 1 cell, the game is won\nWon.\n" in result.output
    assert "\n3BV 2 of 2" in result.output
    assert field(result.output) == str(WON.view)
    assert run(home, "replay", "won1", "--plain").output == result.output


def test_help_that_was_taken_is_told(home: Path) -> None:
    output = run(home, "replay", "lost1").output
    assert "\nAssisted.\n" in output
    assert field(output) == str(LOST.view)


def test_a_game_in_progress_is_shown_as_far_as_it_went(home: Path) -> None:
    (home / "g.txt").write_text(format_game(play("*..\n..*", "kata", "flag 0 0", "reveal 1 1")))
    output = run(home, "replay", str(home / "g.txt")).output
    assert "\nPlaying.\n" in output
    assert "3BV" not in output
    assert "B" not in field(output)


@pytest.mark.parametrize("speed", ["0", "-1", "nan", "inf", "1001", "fast"])
def test_a_speed_is_a_number_within_reason(home: Path, speed: str) -> None:
    result = run(home, "replay", "won1", "--speed", speed)
    assert result.exit_code == 2
    assert "Invalid value for '--speed'" in result.output
