"""A store that goes bad under a running server, or was bad before it: nobody stops playing."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random
from threading import Event

import pytest

from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import MoveTo, NewGame
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.documents import Due, GameDocument, Outcome
from jminesweeper.records.games import begin
from jminesweeper.records.keys import player_id
from jminesweeper.records.players import PlayerCopy, find_player, put_player
from jminesweeper.records.results import Judgement, settle
from jminesweeper.store.blocking import run
from jminesweeper.store.sqlite import SqliteStore
from tests.integration.server_process import TIMEOUT_S, running_server, server_command
from tests.integration.view_player import ViewPlayer

KEY = b"K" * 16
BEGINNER = NewGame("beginner")
# Won with the first reveal, which is safe.
ONE_CELL = NewGame("2x1/1")
ADA = player_id(b"A" * 16)
FLAG = Command.TOGGLE_BOMB_MARK
NOT_SAVED = "unsaved"
RECOVERED = "the store is available again"


def flag(player: ViewPlayer, column: int) -> str:
    """Do something that has to be stored; what the reply remarks."""
    return player.play(MoveTo(column, 0), FLAG).get("remark", "")


@contextmanager
def displaced(path: Path) -> Iterator[None]:
    """Put something that is no store in its place for a while."""
    aside = path.with_name("aside")
    path.rename(aside)
    path.write_text("not a store, but somebody's only copy of something")
    try:
        yield
    finally:
        assert path.read_text().startswith("not a store")
        path.unlink()
        aside.rename(path)


def await_saved(player: ViewPlayer) -> None:
    """Wait until the server has caught up with what was played meanwhile."""
    while NOT_SAVED in player.play(Command.REFRESH).get("remark", ""):
        Event().wait(0.2)


def assert_all_is_kept(place: Path | str, flags: int) -> None:
    with running_server(f"--store={place}") as server, ViewPlayer(server.port, KEY) as player:
        assert player.entries["mines left"] == str(10 - flags)


def test_play_continues_beside_a_file_that_is_no_store_and_is_saved_when_it_is_back(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.sqlite3"
    with running_server(f"--store={path}") as server, ViewPlayer(server.port, KEY) as player:
        player.play(BEGINNER)
        assert NOT_SAVED not in flag(player, 0)
        with displaced(path):
            assert NOT_SAVED in flag(player, 1)
            assert NOT_SAVED in flag(player, 2)
            server.await_log("the store is not a store of JMinesweeper; games go on from memory")
            # Looked at again and again, and never touched.
            assert NOT_SAVED in flag(player, 3)
        server.await_log(RECOVERED)
        flag(player, 4)
        await_saved(player)
        assert NOT_SAVED not in flag(player, 5)
        server.kill()
    assert_all_is_kept(path, flags=6)


def test_who_comes_while_the_store_is_away_is_told_and_let_in_later(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with running_server(f"--store={path}") as server, ExitStack() as stack:
        with displaced(path):
            player = stack.enter_context(ViewPlayer(server.port, KEY))
            assert "cannot save right now" in player.entries["message"]
            player.play(BEGINNER)
            assert NOT_SAVED in flag(player, 0)
        server.await_log(RECOVERED)
        await_saved(player)
        flag(player, 1)
        server.kill()
    assert_all_is_kept(path, flags=2)


def test_a_store_that_is_deleted_is_made_anew_with_the_games_being_played(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with running_server(f"--store={path}") as server, ViewPlayer(server.port, KEY) as player:
        player.play(BEGINNER)
        flag(player, 0)
        for each in filter(Path.is_file, tmp_path.glob("games.sqlite3*")):
            each.unlink()
        assert NOT_SAVED in flag(player, 1)
        server.await_log(RECOVERED)
        flag(player, 2)
        await_saved(player)
        assert NOT_SAVED not in flag(player, 3)
        server.kill()
    assert_all_is_kept(path, flags=4)


def test_a_log_that_alone_is_deleted_beside_its_store_takes_nothing_with_it(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with running_server(f"--store={path}") as server, ViewPlayer(server.port, KEY) as player:
        player.play(BEGINNER)
        assert NOT_SAVED not in flag(player, 0)
        Path(f"{path}-wal").unlink()
        flag(player, 1)
        server.await_log(RECOVERED)
        await_saved(player)
        assert NOT_SAVED not in flag(player, 2)
        server.kill()
    assert_all_is_kept(path, flags=3)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of one MiB, which only root may."""
    folder, mount = tmp_path / "disk", shutil.which("mount")
    folder.mkdir()
    if mount is None:
        pytest.skip("there is no mount")
    mounting = [mount, "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk is not allowed here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(path: Path) -> None:
    """Take what is left of a disk."""
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)


def test_a_full_disk_is_told_and_forgotten_once_there_is_room(small_disk: Path) -> None:
    path, filler = small_disk / "games.sqlite3", small_disk / "filler"
    with running_server(f"--store={path}") as server, ViewPlayer(server.port, KEY) as player:
        player.play(BEGINNER)
        assert NOT_SAVED not in flag(player, 0)
        fill(filler)
        # What SQLite has room for already is still taken; then no more.
        while NOT_SAVED not in toggle_often(player):
            continue
        server.await_log("the store cannot grow: the disk is full; games go on from memory")
        filler.unlink()
        server.await_log(RECOVERED)
        flag(player, 1)
        await_saved(player)
        assert NOT_SAVED not in flag(player, 2)
        server.kill()
        assert_all_is_kept(path, flags=3)


def test_a_store_at_its_limit_drops_the_oldest_games_and_play_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games"
    fill_with_games(path, 2**20 - 2**15)
    with (
        running_server(f"--store={path}", "--store-limit=1") as server,
        ViewPlayer(server.port, KEY) as player,
    ):
        while "the store is near its limit" not in server.log:
            player.play(ONE_CELL, *[FLAG] * 100, Command.REVEAL)
        player.play(BEGINNER)
        flag(player, 0)
        # Who is new is refused first, until there is room.
        await_saved(player)
        server.kill()
        assert path.stat().st_size <= 1.1 * 2**20
        assert_all_is_kept(path, flags=1)


def fill_with_games(path: Path, size: int) -> None:
    """Record lost games of a player until the store takes so much."""
    draw = Random(1).getrandbits
    setup, now_s = Setup.of("expert", seed=1), int(time.time())
    with closing(SqliteStore(path)) as store, closing(sqlite3.connect(path)) as reader:
        held = PlayerCopy(ADA, draw)
        run(store, put_player(held, "Ada", {}, now_s))
        for number in count():
            game = GameDocument(setup, (ADA,), now_s * 1000)
            due = Due(now_s * 1000, f"{number}", 1024)
            run(store, begin(held, due.code, game, bytes(8192), now_s, due=due))
            verdict = Judgement(Outcome(Status.LOST, 1024, 1, 1, now_s), is_over=True)
            run(store, settle(due, verdict, draw))
            run(store, held.refresh())
            (taken,) = reader.execute(
                "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
            ).fetchone()
            if taken >= size:
                return


def toggle_often(player: ViewPlayer) -> str:
    """Flag and unflag a cell far from the others many times; what the screen remarks then."""
    return player.play(MoveTo(8, 8), *[FLAG] * 20).get("remark", "")


def make_foreign(path: Path) -> None:
    path.write_text("a letter to my aunt")


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (
            make_foreign,
            "is not a store of JMinesweeper: name another one; this one is left as it is",
        ),
        (
            Path.mkdir,
            (
                "cannot be opened for reading and writing:"
                " let the server's user read and write the file and its folder"
            ),
        ),
    ],
)
def test_a_server_that_cannot_use_its_store_says_so_in_one_line_and_does_not_start(
    tmp_path: Path, spoil: Callable[[Path], object], reason: str
) -> None:
    path = tmp_path / "games.sqlite3"
    spoil(path)
    command = server_command(f"--store={path}")
    ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert (ended.returncode, ended.stderr) == (1, f"Error: The store {path} {reason}.\n")


def test_a_second_server_on_a_file_is_refused_until_the_first_one_ends_in_any_way(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.sqlite3"
    command = server_command(f"--store={path}")
    with running_server(f"--store={path}") as server, ViewPlayer(server.port, KEY) as player:
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
        assert ended.returncode == 1
        assert f"The store {path} is another server's: stop that one" in ended.stderr
        player.play(BEGINNER)
        assert NOT_SAVED not in flag(player, 0)
        # What commands and clients do beside it is safe.
        with closing(SqliteStore(path)) as beside:
            assert run(beside, find_player(player_id(KEY)))
        server.kill()
    assert_all_is_kept(path, flags=1)
