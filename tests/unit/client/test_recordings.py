"""Recordings that a server hands over, in files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jminesweeper.client.own_files import keep_recording
from jminesweeper.recordings.text import format_game, parse_game
from tests.unit.core.boards import play

GAME = format_game(play("*..\n..*", "classic", "flag 0 0", "reveal 2 1"))
NOW = datetime(2026, 11, 19, 1, 2, 3, tzinfo=UTC)
NAME = "game-2026-11-19-010203"


def test_a_game_is_written_as_we_write_it_and_found_by_its_name(tmp_path: Path) -> None:
    said = keep_recording(GAME.replace("\n", "\r\n").encode(), tmp_path, NOW)
    assert said == f"Saved to {NAME}.txt."
    assert (tmp_path / f"{NAME}.txt").read_text() == GAME


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / f"{NAME}.txt").write_text("mine")
    (tmp_path / f"{NAME}-2.txt").symlink_to(tmp_path / "elsewhere")
    assert keep_recording(GAME.encode(), tmp_path, NOW) == f"Saved to {NAME}-3.txt."
    assert (tmp_path / f"{NAME}.txt").read_text() == "mine"
    assert not (tmp_path / "elsewhere").exists()


def test_names_come_to_an_end(tmp_path: Path) -> None:
    said = {keep_recording(GAME.encode(), tmp_path, NOW) for _ in range(101)}
    assert "Too many games were exported just now; try again." in said
    assert len(list(tmp_path.iterdir())) == 99


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe",
        b"rm -rf /",
        GAME.replace("board custom", "board \x1b]2;x\x07").encode(),
        GAME.replace("reveal", "explode").encode(),
    ],
)
def test_what_is_no_game_is_not_written(tmp_path: Path, text: bytes) -> None:
    said = keep_recording(text, tmp_path, NOW)
    assert said == "The server sent no game; nothing was written."
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_takes_no_file_is_one_sentence(tmp_path: Path) -> None:
    said = keep_recording(GAME.encode(), tmp_path / "missing", NOW)
    assert said == f"{NAME}.txt cannot be written: No such file or directory."


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    keep_recording(GAME.encode(), tmp_path, NOW)
    (path,) = tmp_path.iterdir()
    assert parse_game(path.read_text()).status is parse_game(GAME).status
