import errno
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store.port import Fault, StoreOpenError, StoreUnavailableError
from jminesweeper.store.sqlite import fault_of, open_archive, open_to_write, translated_errors

BLOCK = 4096
NOBODY = 65534


def open_fault(path: Path) -> Fault:
    with pytest.raises(StoreOpenError) as refusal:
        open_to_write(path, 0).close()
    assert str(path) in str(refusal.value)
    return refusal.value.fault


def make_store(path: Path, padding: int = 0) -> None:
    with closing(open_to_write(path, 0)):
        pass
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("INSERT INTO probe VALUES (zeroblob(?))", (padding,))


def test_a_new_store_is_its_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "jminesweeper" / "games.sqlite3"
    with closing(open_to_write(path, 0)):
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert {"games.sqlite3", "games.sqlite3-wal"} <= modes.keys()
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_commits_are_on_the_disk_before_they_are_acknowledged(path: Path) -> None:
    with closing(open_to_write(path, 0)) as file:
        connection = file.connection()
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_store_that_is_not_there_is_only_created_on_demand(path: Path) -> None:
    with pytest.raises(StoreOpenError) as refusal:
        open_archive(path)
    assert refusal.value.fault is Fault.MISSING
    assert not path.exists()


@pytest.mark.parametrize(
    "content", [b"not a store\n", b"\0" * BLOCK, b"\x7fELF" * 500], ids=["text", "zeros", "binary"]
)
def test_a_foreign_file_is_recognised_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert open_fault(path) is Fault.FOREIGN
    assert path.read_bytes() == content


def test_a_foreign_file_beside_the_log_of_a_store_is_left_alone(path: Path) -> None:
    make_store(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")
        path.rename(path.with_name("aside"))
        path.write_text("not a store")
        assert open_fault(path) is Fault.FOREIGN
    assert path.read_text() == "not a store"


def test_the_database_of_another_program_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url)")
    before = path.read_bytes()
    assert open_fault(path) is Fault.FOREIGN
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("version", "fault", "words"),
    [
        (1_000, Fault.NEWER, "was written by a newer version of JMinesweeper"),
        (3, Fault.OLDER, "was written by an earlier build of JMinesweeper"),
    ],
)
def test_the_store_of_another_build_is_left_alone(
    path: Path, version: int, fault: Fault, words: str
) -> None:
    make_store(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    assert open_fault(path) is fault
    with pytest.raises(StoreOpenError, match=words):
        open_archive(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("length", [16, 50, 1000, BLOCK, 5 * BLOCK])
def test_a_store_that_was_cut_short_is_damaged(path: Path, length: int) -> None:
    make_store(path, padding=10 * BLOCK)
    os.truncate(path, length)
    assert open_fault(path) is Fault.DAMAGED


def test_a_store_whose_pages_were_overwritten_is_damaged(path: Path) -> None:
    make_store(path)
    content = bytearray(path.read_bytes())
    content[100:BLOCK] = b"\xa5" * (BLOCK - 100)
    path.write_bytes(content)
    assert open_fault(path) is Fault.DAMAGED


def test_a_store_that_another_process_locks_is_locked(path: Path) -> None:
    make_store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        assert open_fault(path) is Fault.LOCKED


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    assert open_fault(tmp_path) is Fault.FORBIDDEN


def test_a_file_is_no_folder_for_a_store(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert open_fault(tmp_path / "file" / "games.sqlite3") is Fault.FORBIDDEN
    assert open_fault(tmp_path / "file" / "deep" / "games.sqlite3") is Fault.FORBIDDEN


@pytest.fixture
def theirs(tmp_path: Path) -> Iterator[Path]:
    """Give a folder in which this process may not write, even where it is root's."""
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o555)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    yield folder
    os.seteuid(user)


def test_a_folder_that_cannot_be_written_is_told(theirs: Path) -> None:
    assert open_fault(theirs / "games.sqlite3") is Fault.FORBIDDEN


@pytest.mark.parametrize(
    ("number", "fault"),
    [
        (errno.ENOSPC, Fault.FULL),
        (errno.EDQUOT, Fault.FULL),
        (errno.EROFS, Fault.FORBIDDEN),
        (errno.ENOENT, Fault.MISSING),
        (errno.EIO, Fault.BROKEN),
    ],
)
def test_errors_of_the_system_become_faults(number: int, fault: Fault) -> None:
    with pytest.raises(StoreUnavailableError) as refusal, translated_errors():
        raise OSError(number, "")
    assert refusal.value.fault is fault


def test_errors_without_a_code_are_the_disks(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.close()
    with pytest.raises(StoreUnavailableError) as refusal, translated_errors():
        connection.execute("SELECT 1")
    assert refusal.value.fault is Fault.BROKEN
    assert fault_of(OSError()) is Fault.BROKEN


@pytest.mark.skipif(os.name != "posix", reason="only POSIX opens folders")
def test_new_folders_are_on_the_disk_before_the_store_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[int, int]] = []

    def sync(descriptor: int) -> None:
        status = os.fstat(descriptor)
        synced.append((status.st_dev, status.st_ino))

    monkeypatch.setattr(os, "fsync", sync)
    path = tmp_path / "a" / "b" / "games.sqlite3"
    open_to_write(path, 0).close()
    changed = [path.parent, path.parent.parent, tmp_path]
    assert synced == [(each.stat().st_dev, each.stat().st_ino) for each in changed]
    open_to_write(path, 0).close()
    assert len(synced) == len(changed)
