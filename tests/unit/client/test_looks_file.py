"""The player's looks, in a file of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from jminesweeper.client.errors import OwnFileError
from jminesweeper.client.own_files import (
    format_looks,
    keep_looks,
    looks_path,
    parse_looks,
    read_looks,
)
from jminesweeper.terminal.layout import CellSize
from jminesweeper.terminal.looks import Characters, Ground, Looks, Palette

CHOSEN = Looks(Palette.OKABE_ITO, Ground.LIGHT, CellSize.FIVE, characters=Characters.ASCII)


def test_looks_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "looks"
    assert keep_looks(CHOSEN, path) == ""
    assert read_looks(path) == CHOSEN
    assert [each.name for each in path.parent.iterdir()] == ["looks"]


def test_without_a_file_they_are_as_usual(tmp_path: Path) -> None:
    assert read_looks(tmp_path / "looks") == Looks()


def test_it_may_name_some_and_be_written_by_hand() -> None:
    assert parse_looks("# mine\n\ncells  1   # narrow\n", "looks") == Looks(cells=CellSize.ONE)
    assert parse_looks(format_looks(CHOSEN), "looks") == CHOSEN


@pytest.mark.parametrize("line", ["palette red", "weather fine", "palette", "palette\x1b[2J"])
def test_a_damaged_file_is_named_with_its_line(line: str) -> None:
    with pytest.raises(OwnFileError) as refusal:
        parse_looks(f"cells 1\n{line}", "/looks")
    assert str(refusal.value).startswith("/looks, line 2: no such look: ")
    assert str(refusal.value).isprintable()


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "looks").write_bytes(b"\xff")
    with pytest.raises(OwnFileError, match="is not text in UTF-8"):
        read_looks(tmp_path / "looks")
    (tmp_path / "file").write_text("")
    assert keep_looks(CHOSEN, tmp_path / "file" / "looks").endswith(
        "cannot be written: File exists."
    )


def test_it_is_in_the_config_directory(tmp_path: Path) -> None:
    assert looks_path({"XDG_CONFIG_HOME": str(tmp_path)}) == tmp_path / "jminesweeper" / "looks"
