"""The real client on a real terminal while servers are killed under it."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import monotonic

from tests.integration.server_process import ServerProcess, running_server
from tests.integration.terminal import PtyProcess, on_pty, wait_for_mines_left
from tests.ports import free_port

GAME = ["--preset", "beginner", "--seed", "7"]
LOST = "Reconnecting; RETURN tries now"
BACK = "Welcome back"
HOME = "\x1b[H"


class Servers:
    """One server after the other on one store and one port."""

    def __init__(self, store: Path) -> None:
        self._options = (f"--store={store}", "--workers=0")
        self._port = free_port()

    @contextmanager
    def next(self) -> Iterator[ServerProcess]:
        with running_server(*self._options, f"--port={self._port}") as server:
            yield server


def clock_s(client: PtyProcess) -> int:
    found = re.search(r"mines +\d+ +(\d+):(\d\d)", "\n".join(client.lines))
    assert found is not None, client.lines
    return int(found[1]) * 60 + int(found[2])


def test_the_client_comes_back_by_itself_and_plays_the_same_game_on(tmp_path: Path) -> None:
    servers = Servers(tmp_path / "games.sqlite3")
    with ExitStack() as stack:
        server = stack.enter_context(servers.next())
        client = stack.enter_context(on_pty([*GAME, f"127.0.0.1:{server.port}"], tmp_path))
        wait_for_mines_left(client, 10)
        begun, away_s = monotonic(), 0.0
        for flags, left in enumerate((9, 8, 7)):
            # From the edge: a move of the cursor may be lost with the server, a flag never is.
            typed = monotonic()
            client.type(HOME + flags * "d" + "f")
            wait_for_mines_left(client, left)
            seconds = clock_s(client)
            server.kill()
            killed = monotonic()
            client.wait_for_screen(LOST)
            # What is typed at a dead screen is not meant for the game that returns.
            client.type("f\rfw")
            away_s += monotonic() - killed
            server = stack.enter_context(servers.next())
            client.wait_for_screen(BACK)
            wait_for_mines_left(client, left)
            assert not any(LOST in line for line in client.lines)
            # It stood still while there was no server, from the flag on at the earliest.
            lag_s = 1 + killed - typed
            assert seconds - lag_s <= clock_s(client) <= monotonic() - begun - away_s
        assert any("⚑ ⚑[⚑]" in line for line in client.lines)
        client.quit()
        assert client.attributes() == client.found


def test_who_had_lost_when_the_server_died_still_sees_the_lost_board(tmp_path: Path) -> None:
    servers = Servers(tmp_path / "games.sqlite3")
    lost = ["-c", "4", "-r", "4", "-l", "hard", "--seed", "7"]
    with ExitStack() as stack:
        server = stack.enter_context(servers.next())
        client = stack.enter_context(on_pty([*lost, f"127.0.0.1:{server.port}"], tmp_path))
        client.wait_for_screen("hard 4x4")
        client.press("f" + "d\r" * 3 + "s" + "\ra" * 4, "You lost.")
        board = [line for line in client.lines if "│" in line]
        server.kill()
        client.wait_for_screen(LOST)
        stack.enter_context(servers.next())
        client.wait_until(lambda: not any(LOST in line for line in client.lines), "the server")
        client.wait_for_screen("You lost.")
        assert [line for line in client.lines if "│" in line] == board
        client.type("x")
        assert client.finish() == 0


def stored_clock_s(store: Path) -> float:
    """Return the clock of the game that was noted last."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        notes = connection.execute("SELECT body FROM document WHERE key GLOB 'note:*'")
        return max((json.loads(body)[1] for (body,) in notes), default=0) / 1000


def test_after_a_kill_the_clock_of_a_thinker_lags_some_seconds_at_most(tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite3"
    servers = Servers(store)
    with ExitStack() as stack:
        server = stack.enter_context(servers.next())
        client = stack.enter_context(on_pty([*GAME, f"127.0.0.1:{server.port}"], tmp_path))
        wait_for_mines_left(client, 10)
        client.type("f")
        # Nothing is done meanwhile: the clock alone is to be kept.
        client.wait_until(lambda: clock_s(client) >= 7, "seven seconds on the clock")
        seconds = clock_s(client)
        # The note is on its way, which may be long on a slow disk.
        client.wait_until(lambda: stored_clock_s(store) >= seconds - 6, "the clock in the store")
        server.kill()
        client.wait_for_screen(LOST)
        stack.enter_context(servers.next())
        client.wait_for_screen(BACK)
        assert clock_s(client) >= seconds - 6


def test_two_terminals_of_one_player_show_one_game_live(
    tmp_path: Path,
) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(Servers(tmp_path / "games.sqlite3").next())
        address = f"127.0.0.1:{server.port}"
        first = stack.enter_context(on_pty([*GAME, address], tmp_path))
        wait_for_mines_left(first, 10)
        first.type("f")
        wait_for_mines_left(first, 9)
        second = stack.enter_context(on_pty(["--resume", address], tmp_path))
        wait_for_mines_left(second, 9)
        second.type("df")
        wait_for_mines_left(second, 8)
        wait_for_mines_left(first, 8)
        first.type("sf")
        wait_for_mines_left(second, 7)
        for client in (first, second):
            client.quit()


def test_what_a_server_inside_the_client_kept_is_there_for_the_next_one(tmp_path: Path) -> None:
    with on_pty(["--preset", "beginner", "--port", str(free_port())], tmp_path) as client:
        wait_for_mines_left(client, 10)
        client.type("f")
        wait_for_mines_left(client, 9)
        client.signal(signal.SIGKILL)
        client.process.wait()
    with on_pty(["--resume", "--port", str(free_port())], tmp_path) as client:
        wait_for_mines_left(client, 9)
        client.quit()
