"""Files of the player's own: keys, looks, the secret key, and games that were exported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from readchar import key

from jminesweeper.client.identity import IdentityError, key_for, key_path, load_key
from jminesweeper.client.keys import Controls, KeyDecoder
from jminesweeper.client.own_files import (
    ACTIONS,
    Bindings,
    OwnFileError,
    bindings_path,
    format_looks,
    keep_looks,
    keep_recording,
    looks_path,
    parse_bindings,
    parse_looks,
    read_bindings,
    read_looks,
)
from jminesweeper.recordings.text import format_game
from jminesweeper.terminal.keys import NAMES, KeyAction, KeyMap
from jminesweeper.terminal.layout import CellSize
from jminesweeper.terminal.looks import Characters, Ground, Looks, Palette
from tests.unit.core.boards import play


def done(bindings: Bindings, typed: bytes) -> list[KeyAction | None]:
    return [each.action for each in Controls(KeyMap(bindings)).decode(typed, 0.0)]


def test_every_action_and_every_name_of_a_key_is_documented() -> None:
    text = (Path(__file__).parents[3] / "docs/playing.md").read_text()
    section = text.partition("### Keys of your own")[2].partition("\n## ")[0]
    functions = {"f2", "f3", "f4"}  # written `f1` to `f5`
    wanted = (ACTIONS.keys() | NAMES.keys()) - functions
    assert {name for name in wanted if f"`{name}`" not in section} == set()


@pytest.mark.parametrize(
    ("text", "typed", "actions"),
    [
        (
            "# mine\n\ne up   # like an arrow\nCTRL-u undo\n",
            b"e\x15w",
            [KeyAction.UP, KeyAction.UNDO, KeyAction.UP],
        ),
        ("x nothing", b"xX", [None, KeyAction.QUIT]),
        ("N hint", b"Nn", [KeyAction.HINT, KeyAction.NEW]),
    ],
    ids=["others do what they did", "a key without a meaning", "capitals are keys of their own"],
)
def test_a_key_does_what_the_file_says(
    text: str, typed: bytes, actions: list[KeyAction | None]
) -> None:
    assert done(parse_bindings(text), typed) == actions


def test_screens_name_the_players_own_keys_first() -> None:
    assert KeyMap(parse_bindings("z undo\nm nothing")).label(KeyAction.UNDO) == "z"
    assert KeyMap(parse_bindings("m nothing")).label(KeyAction.MENU) == "M"
    assert KeyMap({"#": None}).label(KeyAction.DEBUG) == ""


def test_every_name_of_a_key_is_a_key_and_every_action_can_be_bound() -> None:
    for name, pressed in NAMES.items():
        bindings = parse_bindings(f"{name} hint")
        decoder = KeyDecoder()
        decoded = decoder.feed(pressed.encode(), 0.0) or decoder.expire()
        assert [bindings.get(str(each)) for each in decoded] == [KeyAction.HINT]
    for action in ACTIONS:
        assert key.F5 in parse_bindings(f"f5 {action}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("e", "line 1: expected a key and an action, for instance: e up"),
        ("e up down", "line 1: expected a key and an action"),
        ("\n\ne fly", "line 3: unknown action 'fly'; known are up, down"),
        ("super-e up", "line 1: unknown key 'super-e'; names are space"),
        ("ctrl-c up", "line 1: the terminal keeps 'ctrl-c' for itself."),
        ("e up\nf down\ne left", "line 3: line 1 binds 'e' already."),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(OwnFileError) as refusal:
        parse_bindings(text)
    assert str(refusal.value).startswith(reason)


def test_without_files_everything_is_as_usual(tmp_path: Path) -> None:
    assert read_bindings(tmp_path / "keys") == {}
    assert read_looks(tmp_path / "looks") == Looks()


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text("e fly")
    with pytest.raises(OwnFileError, match=f"^{path}, line 1: unknown action"):
        read_bindings(path)
    path.write_bytes(b"\xff up")
    with pytest.raises(OwnFileError, match=r"is not text in UTF-8\.$"):
        read_bindings(path)
    with pytest.raises(OwnFileError, match="cannot be read: Is a directory"):
        read_bindings(tmp_path)


CONFIG, DATA = Path.home() / ".config", Path.home() / ".local" / "share"


@pytest.mark.parametrize(
    ("path_of", "variable", "usual"),
    [
        (bindings_path, "XDG_CONFIG_HOME", CONFIG / "jminesweeper" / "keys"),
        (looks_path, "XDG_CONFIG_HOME", CONFIG / "jminesweeper" / "looks"),
        (key_path, "XDG_DATA_HOME", DATA / "jminesweeper" / "key"),
    ],
)
def test_files_are_in_the_players_own_directories(
    tmp_path: Path, path_of: Callable[[Mapping[str, str]], Path], variable: str, usual: Path
) -> None:
    assert path_of({variable: str(tmp_path)}) == tmp_path / "jminesweeper" / usual.name
    assert {path_of({}), path_of({variable: ""}), path_of({variable: "relative"})} == {usual}


def test_the_example_binds_nothing_as_it_is_and_every_line_of_it_is_right() -> None:
    text = (Path(__file__).parents[3] / "docs/keys.example").read_text()
    assert parse_bindings(text) == {}
    lines = [line.removeprefix("# ") for line in text.splitlines()]
    bindings = [line for line in lines if len(line.split()) == 2 and "." not in line]
    assert len(parse_bindings("\n".join(bindings))) == len(bindings) == 9


CHOSEN = Looks(Palette.OKABE_ITO, Ground.LIGHT, CellSize.FIVE, characters=Characters.ASCII)


def test_looks_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "looks"
    assert keep_looks(CHOSEN, path) == ""
    assert read_looks(path) == CHOSEN
    assert [each.name for each in path.parent.iterdir()] == ["looks"]


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


def test_a_key_is_made_once_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "key"
    key = load_key(path)
    assert len(key) == 16
    assert load_key(path) == key != load_key(tmp_path / "other")
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["key"]


def test_a_key_that_others_could_read_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("00112233445566778899aabbccddeeff\n")
    path.chmod(0o644)
    assert load_key(path) == bytes.fromhex("00112233445566778899aabbccddeeff")
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damage", ["", "0011", "not hex at all", "\xff" * 32])
def test_a_damaged_key_is_reported_and_left_alone(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "key"
    path.write_text(damage)
    with pytest.raises(IdentityError, match="damaged"):
        load_key(path)
    assert path.read_text() == damage


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IdentityError, match="cannot be used"):
        load_key(tmp_path / "file" / "key")


def test_every_server_is_sent_another_key_and_none_the_players_own() -> None:
    key = bytes(range(16))
    sent = {key_for(server, key) for server in ("localhost", "a.example:9999", "a.example:9998")}
    assert len(sent) == 3
    assert key not in sent
    assert {len(each) for each in sent} == {16}


def test_a_server_is_sent_the_same_key_each_time() -> None:
    assert key_for("localhost", bytes(16)).hex() == "95834eec723209b67e98de9213b771f1"


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
