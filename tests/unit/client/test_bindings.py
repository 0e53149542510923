"""The player's own keys, from their file to what they do."""

from __future__ import annotations

from pathlib import Path

import pytest
from readchar import key

from jminesweeper.client.errors import OwnFileError
from jminesweeper.client.keys import Controls, KeyDecoder
from jminesweeper.client.own_files import (
    ACTIONS,
    Bindings,
    bindings_path,
    parse_bindings,
    read_bindings,
)
from jminesweeper.terminal.keys import NAMES, Action, KeyMap


def done(bindings: Bindings, typed: bytes) -> list[Action | None]:
    return [each.action for each in Controls(KeyMap(bindings)).decode(typed, 0.0)]


def test_every_action_and_every_name_of_a_key_is_documented() -> None:
    text = (Path(__file__).parents[3] / "docs/playing.md").read_text()
    section = text.partition("### Keys of your own")[2].partition("\n## ")[0]
    functions = {"f2", "f3", "f4"}  # written `f1` to `f5`
    wanted = (ACTIONS.keys() | NAMES.keys()) - functions
    assert {name for name in wanted if f"`{name}`" not in section} == set()


def test_a_key_does_what_the_file_says_and_the_others_what_they_did() -> None:
    bindings = parse_bindings("# mine\n\ne up   # like an arrow\nCTRL-u undo\n")
    assert done(bindings, b"e\x15w") == [Action.UP, Action.UNDO, Action.UP]


def test_a_key_can_be_without_a_meaning() -> None:
    assert done(parse_bindings("x nothing"), b"xX") == [None, Action.QUIT]


def test_screens_name_the_players_own_keys_first() -> None:
    assert KeyMap(parse_bindings("z undo\nm nothing")).label(Action.UNDO) == "z"
    assert KeyMap(parse_bindings("m nothing")).label(Action.MENU) == "M"
    assert KeyMap({"#": None}).label(Action.DEBUG) == ""


def test_every_name_of_a_key_is_a_key_and_every_action_can_be_bound() -> None:
    for name, pressed in NAMES.items():
        bindings = parse_bindings(f"{name} hint")
        decoder = KeyDecoder()
        decoded = decoder.feed(pressed.encode(), 0.0) or decoder.expire()
        assert [bindings.get(str(each)) for each in decoded] == [Action.HINT]
    for action in ACTIONS:
        assert key.F5 in parse_bindings(f"f5 {action}")


def test_letters_and_capitals_are_keys_of_their_own() -> None:
    assert done(parse_bindings("N hint"), b"Nn") == [Action.HINT, Action.NEW]


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


def test_without_a_file_nothing_is_bound(tmp_path: Path) -> None:
    assert read_bindings(tmp_path / "keys") == {}


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


def test_the_file_is_in_the_config_directory(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert bindings_path(environ) == tmp_path / "jminesweeper" / "keys"
    home = Path.home() / ".config" / "jminesweeper" / "keys"
    assert bindings_path({}) == bindings_path({"XDG_CONFIG_HOME": "relative"}) == home


def test_the_example_binds_nothing_as_it_is_and_every_line_of_it_is_right() -> None:
    text = (Path(__file__).parents[3] / "docs/keys.example").read_text()
    assert parse_bindings(text) == {}
    lines = [line.removeprefix("# ") for line in text.splitlines()]
    bindings = [line for line in lines if len(line.split()) == 2 and "." not in line]
    assert len(parse_bindings("\n".join(bindings))) == len(bindings) == 9
