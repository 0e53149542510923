"""Finding games, their files, and what commands over finished games print."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import click
import pytest

from jminesweeper.cli.archives import (
    FORMATS,
    MOST_BYTES,
    GameFileError,
    Imports,
    complete_game,
    describe,
    find_game,
    parse_either,
    printable,
    read_game,
    write_game,
)
from jminesweeper.core.errors import NotationError
from jminesweeper.core.game import Game
from jminesweeper.recordings.rawvf import format_rawvf
from jminesweeper.recordings.text import format_game
from tests.unit.cli.kept_games import (
    CUSTOM,
    DAY,
    EXPERT,
    WON,
    finished,
    furnish,
    store_games,
    with_variant,
)
from tests.unit.core.boards import play


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return furnish(tmp_path)


def complaint(name: str, store: Path) -> str:
    with pytest.raises(click.ClickException) as refusal:
        find_game(name, store)
    return refusal.value.message


def completed(typed: str, store: Path) -> list[tuple[str, str]]:
    context = click.Context(click.Command("replay"))
    context.params["store"] = store
    items = complete_game(context, click.Argument(["game"]), typed)
    return [(item.value, item.type) for item in items]


def test_the_ids_of_finished_and_imported_games_complete(store: Path) -> None:
    code, _ = Imports().add(WON)
    assert ("won1", "plain") in completed("wo", store)
    assert ("lost1", "plain") not in completed("wo", store)
    assert (code, "plain") in completed(code[:4], store)


def test_what_is_no_id_completes_as_a_file(store: Path) -> None:
    assert completed("./ga", store) == [("./ga", "file")]
    assert completed("won", store.with_name("none")) == [("won", "file")]


def is_same(found: Game, label: str) -> bool:
    return found.setup.variant.label == label and found.view == WON.view


def test_a_file_comes_before_an_id(store: Path, tmp_path: Path) -> None:
    (tmp_path / "lost1").write_text(format_game(WON))
    assert is_same(find_game("lost1", store), "custom 4x2")
    assert is_same(find_game(str(tmp_path / "lost1"), store), "custom 4x2")


def test_an_imported_game_is_found_without_any_store(store: Path) -> None:
    code, _ = Imports().add(WON)
    assert is_same(find_game(code, store.with_name("none")), "custom 4x2")


@pytest.mark.parametrize("name", ["nothing", "a" * 5000, "", "\x1b[2J", "\udcff"])
def test_what_is_nowhere_is_one_sentence(store: Path, name: str) -> None:
    for place in (store, store.with_name("none")):
        message = complaint(name or "no-such-game", place)
        assert message.startswith("No file and no finished game is called")
        assert message.isprintable()


def test_a_stored_game_is_called_by_what_was_played(store: Path) -> None:
    setup = with_variant(WON, is_no_guess=True, is_repeat=True)
    store_games(store, finished("kept1", WON, setup=setup))
    found = find_game("kept1", store)
    assert found.setup.variant == setup.variant
    assert found.setup.variant.label == "custom no-guess 4x2"


GAME = play("*..\n..*", "classic", "flag 0 0", "reveal 1 0", "reveal 2 1")


@pytest.mark.parametrize("name", ["text", "rawvf"])
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


def test_a_file_that_has_no_end_is_not_read_to_it() -> None:
    with pytest.raises(GameFileError, match="/dev/zero is larger than any game"):
        read_game(Path("/dev/zero"))


def test_the_longest_game_of_the_largest_board_is_not_too_large() -> None:
    most_actions = 2 * 255 * 255 + 16_384
    assert most_actions * len("12345678 reveal 254 254\n") < MOST_BYTES


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    write_game(path, "one")
    with pytest.raises(GameFileError, match="exists already; --force overwrites it"):
        write_game(path, "two")
    assert path.read_text() == "one"
    write_game(path, "two", overwrites=True)
    assert path.read_text() == "two"
    with pytest.raises(GameFileError, match="cannot be written: No such file or directory"):
        write_game(tmp_path / "missing" / "game.txt", "three")
    with pytest.raises(GameFileError, match="cannot be written: Is a directory"):
        write_game(tmp_path, "three", overwrites=True)
    assert list(tmp_path.iterdir()) == [path]


def test_an_imported_game_is_found_by_its_id(tmp_path: Path) -> None:
    imports = Imports(tmp_path / "imported")
    code, is_new = imports.add(GAME)
    assert is_new
    path = imports.find(code)
    assert path is not None
    assert read_game(path).log.entries == GAME.log.entries
    assert stat.S_IMODE(imports.folder.stat().st_mode) == 0o700


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


# Printing


@pytest.mark.parametrize("hostile", ["\x1b[2J", "a\nb", "\x9b31m", "\u202eevil", "\x07"])
def test_what_players_call_themselves_does_nothing_to_the_terminal(hostile: str) -> None:
    assert printable(hostile).isprintable()
    assert len(printable(hostile)) == len(hostile)


def test_honest_names_stay_as_they_are() -> None:
    assert printable("Änne ⚑ 李") == "Änne ⚑ 李"


def test_what_is_played_is_described_in_one_line() -> None:
    assert describe(EXPERT) == "expert 30x16, 99 mines"
    one_mine = replace(CUSTOM, mine_count=1, is_no_guess=True)
    assert describe(one_mine) == "custom no-guess 5x4, 1 mine"
    assert describe(replace(EXPERT, board="e\x9b", daily=DAY)) == (
        "daily e? 2026-11-18 30x16, 99 mines"
    )
