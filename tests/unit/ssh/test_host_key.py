"""The file by which players recognise a server."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from jminesweeper.server.config import HostKeyError
from jminesweeper.ssh.door import load_host_key


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "key"
    made = load_host_key(path)
    assert load_host_key(path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["key"]


def test_the_fingerprint_is_the_one_that_openssh_shows(
    tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    path = tmp_path / "key"
    fingerprint = load_host_key(path).fingerprint
    keygen = require_program("ssh-keygen")
    shown = subprocess.run([keygen, "-lf", path], capture_output=True, text=True, check=True)
    assert shown.stdout.split()[1] == fingerprint


def test_a_key_of_another_kind_serves_as_well_and_one_with_a_passphrase_does_not(
    tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    path, keygen = tmp_path / "key", require_program("ssh-keygen")
    subprocess.run([keygen, "-q", "-t", "ecdsa", "-N", "", "-f", path], check=True)
    shown = subprocess.run([keygen, "-lf", path], capture_output=True, text=True, check=True)
    assert shown.stdout.split()[1] == load_host_key(path).fingerprint
    subprocess.run([keygen, "-q", "-p", "-N", "secret", "-f", path], check=True)
    with pytest.raises(HostKeyError, match="has a passphrase"):
        load_host_key(path)


def test_two_servers_that_start_at_once_have_one_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, others = tmp_path / "key", tmp_path / "others"
    others_key = load_host_key(others)

    def race(self: Path, *, exists: Callable[[Path], bool] = Path.exists) -> bool:
        found = exists(self)
        if self == path and not found:
            others.rename(path)
        return found

    monkeypatch.setattr(Path, "exists", race)
    assert load_host_key(path) == others_key
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


def test_a_key_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "key"
    load_host_key(path)
    path.chmod(0o644)
    load_host_key(path)
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda key: key[:60],
        lambda key: key[:60] + b"!" + key[60:],
        lambda _: b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
        lambda key: b"\n".join([*key.split(b"\n")[:2], b"-----END OPENSSH PRIVATE KEY-----"]),
    ],
    ids=["empty", "cut", "no base64", "something else", "half"],
)
def test_a_damaged_key_is_named_and_stays(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "key"
    load_host_key(path)
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)
    with pytest.raises(HostKeyError, match=f"{path} has .* or is damaged"):
        load_host_key(path)
    assert path.read_bytes() == damaged


def test_a_folder_in_its_place_is_an_error_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(HostKeyError, match="cannot be used: Is a directory"):
        load_host_key(tmp_path)
