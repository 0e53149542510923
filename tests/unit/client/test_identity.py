from pathlib import Path

import pytest

from jminesweeper.client.errors import IdentityError
from jminesweeper.client.own_files import key_for, key_path, load_key


def test_the_key_lies_in_the_players_data_directory(tmp_path: Path) -> None:
    assert key_path({"XDG_DATA_HOME": str(tmp_path)}) == tmp_path / "jminesweeper" / "key"


@pytest.mark.parametrize("environ", [{}, {"XDG_DATA_HOME": ""}, {"XDG_DATA_HOME": "relative"}])
def test_without_a_usable_xdg_data_home_it_is_the_usual_place(environ: dict[str, str]) -> None:
    assert key_path(environ) == Path.home() / ".local" / "share" / "jminesweeper" / "key"


def test_a_key_is_made_once_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "key"
    key = load_key(path)
    assert len(key) == 16
    assert load_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["key"]


def test_two_players_have_two_keys(tmp_path: Path) -> None:
    assert load_key(tmp_path / "a") != load_key(tmp_path / "b")


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
