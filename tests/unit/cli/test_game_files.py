"""Games in files."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from jminesweeper.cli.finding import (
    FORMATS,
    MOST_BYTES,
    GameFileError,
    Imports,
    parse_either,
    read_game,
    write_game,
)
from jminesweeper.core.errors import NotationError
from jminesweeper.recordings.rawvf.writing import format_rawvf
from jminesweeper.recordings.text import format_game
from tests.unit.core.boards import play

GAME = play("*..\n..*", "classic", "flag 0 0", "reveal 1 0", "reveal 2 1")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("mark", ["", "\ufeff", "\n  \r\n"])
def test_either_format_is_recognised(name: str, mark: str) -> None:
    assert parse_either(mark + FORMATS[name](GAME)).log.entries == GAME.log.entries


def test_our_own_format_of_a_newer_version_is_not_taken_for_a_video() -> None:
    with pytest.raises(NotationError, match="begins with the line 'jminesweeper game 1'"):
        parse_either(format_game(GAME).replace("game 1", "game 2"))


def test_a_file_is_read_whatever_its_players_are_called(tmp_path: Path) -> None:
    path = tmp_path / "game.rawvf"
    path.write_bytes(b"Player: J\xf6rg\n" + format_rawvf(GAME).encode())
    assert read_game(path).view == GAME.view


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        GameFileError, match=r"nowhere cannot be read: No such file or directory\.$"
    ):
        read_game(tmp_path / "nowhere")
    with pytest.raises(GameFileError, match=r"cannot be read: Is a directory\.$"):
        read_game(tmp_path)


def test_what_is_no_game_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(GameFileError, match=r"game.txt is not a game: line 1: .*\.$"):
        read_game(path)


def test_a_file_that_has_no_end_is_not_read_to_it() -> None:
    with pytest.raises(GameFileError, match="/dev/zero is larger than any game"):
        read_game(Path("/dev/zero"))


def test_the_longest_game_of_the_largest_board_is_not_too_large() -> None:
    most_actions = 2 * 255 * 255 + 16_384
    assert most_actions * len("12345678 reveal 254 254\n") < MOST_BYTES


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    write_game(path, "one")
    write_game(path, "two")
    assert path.read_text() == "two"
    with pytest.raises(GameFileError, match="cannot be written: No such file or directory"):
        write_game(tmp_path / "missing" / "game.txt", "three")
    with pytest.raises(GameFileError, match="cannot be written: Is a directory"):
        write_game(tmp_path, "three")
    assert list(tmp_path.iterdir()) == [path]


def test_an_imported_game_is_found_by_its_id(tmp_path: Path) -> None:
    imports = Imports(tmp_path / "imported")
    code, is_new = imports.add(GAME)
    assert is_new
    path = imports.find(code)
    assert path is not None
    assert read_game(path).log.entries == GAME.log.entries
    assert stat.S_IMODE(imports.folder.stat().st_mode) == 0o700


def test_the_same_game_has_the_same_id_and_another_one_another(tmp_path: Path) -> None:
    imports = Imports(tmp_path)
    code, _ = imports.add(GAME)
    assert imports.add(GAME) == (code, False)
    other, is_new = imports.add(play("*..\n..*", "classic"))
    assert is_new
    assert other != code


@pytest.mark.parametrize(
    "code", ["", "..", "../key", "/etc/passwd", "nothing", "a" * 300, "KEY", "a\0"]
)
def test_nothing_else_is_found_by_an_id(tmp_path: Path, code: str) -> None:
    (tmp_path / "key.txt").write_text("secret")
    assert Imports(tmp_path / "imported").find(code) is None


def test_imported_games_are_listed_the_latest_first(tmp_path: Path) -> None:
    imports = Imports(tmp_path)
    assert list(Imports(tmp_path / "none").paths()) == []
    for name, at_s in (("old", 10), ("new", 30), ("middle", 20)):
        path = tmp_path / f"{name}.txt"
        path.write_text("")
        os.utime(path, (0, at_s))
    (tmp_path / "NOT-ONE.txt").write_text("")
    assert [path.stem for path in imports.paths()] == ["new", "middle", "old"]


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GameFileError, match="cannot be made: Not a directory"):
        Imports(tmp_path / "file" / "imported").add(GAME)


def test_by_default_imported_games_lie_beside_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Imports().folder == tmp_path / "jminesweeper" / "imported"
