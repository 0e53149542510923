"""A game that waits: only its player's word ends it, whatever replaces it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jminesweeper.protocol.packets import MoveTo, NewGame
from jminesweeper.protocol.vocabulary import Command
from tests.integration.server_process import ServerProcess, running_server
from tests.integration.terminal import PtyProcess, on_pty, wait_for_mines_left
from tests.integration.view_player import ViewPlayer
from tests.redis_process import RedisProcess

ADA, BOB = b"A" * 16, b"B" * 16
EXPERT = NewGame("expert")
FLAG = Command.TOGGLE_BOMB_MARK
FLAGS = 40
KEPT = "Your expert game is kept under Saves."
WAITS = "Your expert game is waiting"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
def server(store: Path) -> Iterator[ServerProcess]:
    with running_server(f"--store={store}", "--workers=0") as running:
        yield running


@contextmanager
def opened(home: Path, server: ServerProcess, *options: str) -> Iterator[PtyProcess]:
    """Run the client of one player."""
    with on_pty([*options, f"127.0.0.1:{server.port}"], home) as client:
        yield client


def leave_an_expert_game(home: Path, server: ServerProcess) -> None:
    """Flag forty cells, and go."""
    with opened(home, server, "--preset", "expert") as client:
        wait_for_mines_left(client, 99)
        # From the middle, where the cursor starts, to the first cell.
        client.type("w" * 8 + "a" * 15 + "fd" * 29 + "fs" + "fa" * 10)
        wait_for_mines_left(client, 99 - FLAGS)
        client.quit()


def resume_from_the_menu(client: PtyProcess) -> None:
    client.press("\x0f", "auto 1")
    client.type("s\r")
    wait_for_mines_left(client, 99 - FLAGS)


@pytest.mark.parametrize("keys", ["\t", "n"])
def test_a_new_game_keeps_the_one_it_replaces(
    tmp_path: Path, server: ServerProcess, keys: str
) -> None:
    leave_an_expert_game(tmp_path, server)
    with opened(tmp_path, server, "--resume") as client:
        wait_for_mines_left(client, 99 - FLAGS)
        client.press(keys, KEPT)
        resume_from_the_menu(client)


@pytest.mark.parametrize(("key", "mines"), [("\r", 99 - FLAGS), ("n", 10)])
def test_who_names_no_board_is_asked_whether_to_resume(
    tmp_path: Path, server: ServerProcess, key: str, mines: int
) -> None:
    leave_an_expert_game(tmp_path, server)
    with opened(tmp_path, server) as client:
        client.wait_for("RETURN plays")
        client.type("\r")
        client.wait_for_screen(WAITS)
        client.type(key)
        wait_for_mines_left(client, mines)


def test_a_player_who_moves_between_two_servers_finds_every_flag(
    empty_redis: RedisProcess,
) -> None:
    option = f"--store={empty_redis.url}"
    with (
        running_server(option, "--workers=0") as here,
        running_server(option, "--workers=0") as there,
        ViewPlayer(here.port, BOB) as left,
        ViewPlayer(there.port, b"C" * 16) as right,
    ):
        with ViewPlayer(here.port, ADA) as ada:
            ada.play(EXPERT, FLAG)
        left.play(EXPERT)
        right.play(EXPERT)
        for flags in range(2, FLAGS + 1):
            # Both servers write all the time.
            for other in (left, right):
                other.send(*[FLAG] * 20)
            with ViewPlayer((here, there)[flags % 2].port, ADA) as ada:
                assert "30x16" in ada.screen
                entries = ada.play(MoveTo((flags - 1) % 30, (flags - 1) // 30), FLAG)
                assert entries["mines left"] == str(99 - flags)
                assert "unsaved" not in ada.screen
            for other in (left, right):
                for _ in range(20):
                    other.read()
        assert "locked" not in here.log + there.log
