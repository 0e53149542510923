"""Known players on the real server: one game each wherever they connect, and what is counted."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from signal import SIGKILL, SIGTERM
from threading import Event
from typing import Any

import pytest

from jminesweeper.check.wire import Peer
from jminesweeper.client.address import LOCAL_NAME, Address
from jminesweeper.client.identity import key_for
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.protocol.packets import Act, Hello, MoveTo, NewGame, Packet, Pick, Start
from jminesweeper.protocol.vocabulary import Button, Command, Feature
from jminesweeper.session.matches import CLOCK_TOLERANCE_MS
from tests.integration.server_process import SOURCE, TIMEOUT_S, running_server
from tests.integration.view_player import ViewPlayer
from tests.redis_process import RedisProcess

ADA, BOB = b"A" * 16, b"B" * 16
BEGINNER = NewGame("beginner")
# Won with the first reveal, which is safe.
EASY = NewGame("2x1/1 first-reveal=safe")
FLAG = Command.TOGGLE_BOMB_MARK


def live(port: int, key: bytes) -> ViewPlayer:
    """Connect somebody who is shown what others do."""
    player = ViewPlayer(port, key)
    player.play(Hello(Feature.RESUME | Feature.LIVE, key, "Ada"))
    return player


def await_entry(player: ViewPlayer, name: str, value: str) -> None:
    """Read what comes until something is as it has to be."""
    while player.entries[name] != value:
        player.read()


@pytest.mark.parametrize("is_on_another_server", [False, True])
def test_two_devices_of_a_player_show_one_game_live(
    empty_redis: RedisProcess, is_on_another_server: bool
) -> None:
    store = f"--store={empty_redis.url}"
    with running_server(store) as here, running_server(store) as there:
        port = there.port if is_on_another_server else here.port
        with live(here.port, ADA) as first, ViewPlayer(here.port, BOB) as other:
            first.play(BEGINNER, MoveTo(3, 4), FLAG)
            other.play(BEGINNER, FLAG)
            with live(port, ADA) as second:
                assert second.entries["cursor"] == "3 4"
                assert second.play(MoveTo(5, 5), FLAG)["mines left"] == "8"
                await_entry(first, "mines left", "8")
                assert first.play(MoveTo(6, 6), FLAG)["mines left"] == "7"
                await_entry(second, "mines left", "7")
                assert first.field.flagged == second.field.flagged
                first.play(BEGINNER, FLAG)
                await_entry(second, "mines left", "9")
            assert other.play(FLAG)["mines left"] == "10"


def test_the_clock_on_another_server_is_that_of_the_first(empty_redis: RedisProcess) -> None:
    store = f"--store={empty_redis.url}"
    with (
        running_server(store) as here,
        running_server(store) as there,
        live(here.port, ADA) as first,
    ):
        first.play(BEGINNER, FLAG)
        Event().wait(1.2)
        with live(there.port, ADA) as second:
            while second.clock_ms < 1_200 - CLOCK_TOLERANCE_MS:
                second.read()


def test_nothing_is_answered_before_it_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with running_server(f"--store={path}") as here, ViewPlayer(here.port, ADA) as first:
        first.play(BEGINNER, FLAG)
        with closing(sqlite3.connect(path)) as rival:
            rival.execute("BEGIN IMMEDIATE")
            first.send(MoveTo(3, 3), FLAG)
            first.read()
            assert first.entries["mines left"] == "9"
            assert not first.has_something_to_read(0.3)
            rival.rollback()
        first.read()
        assert (first.entries["mines left"], first.entries["remark"]) == ("8", "")
        here.send_signal(SIGKILL)
    with running_server(f"--store={path}") as there, ViewPlayer(there.port, ADA) as back:
        assert back.entries["mines left"] == "8"


def test_who_returns_before_the_server_noticed_that_they_left_finds_the_game(
    tmp_path: Path,
) -> None:
    with running_server(f"--store={tmp_path / 'games'}") as server:
        for number in range(5):
            player = ViewPlayer(server.port, ADA)
            if number:
                assert player.entries["mines left"] == str(10 - number)
            else:
                player.play(BEGINNER)
            player.play(MoveTo(number, 0), FLAG)
            # Typed and not waited for: whatever of it arrives is played.
            player.send(Command.MOVE_RIGHT)
            player.close()
        server.await_log(r"(?s)(left after.*){4}")


@pytest.mark.requirement("F:games_played", "F:games_won", "E:Statistics")
def test_what_has_ended_is_counted_and_ranked(tmp_path: Path) -> None:
    store = tmp_path / "jminesweeper" / "games.sqlite3"
    with running_server(f"--store={store}", "--seed=7") as server:
        with ViewPlayer(server.port, key_for(LOCAL_NAME, ADA), "Ada") as ada:
            assert ada.play(BEGINNER, *first_beginner_won(7))["state"] == "won"
            assert ada.play(EASY, Command.REVEAL)["state"] == "won"
            lose(ada, BEGINNER)
            ada.play(BEGINNER, FLAG, BEGINNER)  # given up for another one
        with ViewPlayer(server.port, key_for(LOCAL_NAME, BOB), "Bob") as bob:
            assert bob.play(BEGINNER, *first_beginner_won(7))["state"] == "won"
            # What was won with the mines in sight is no score.
            cheated = bob.play(
                EASY, Command.TOGGLE_DEBUG_MODE, Pick("assist", "yes"), Command.REVEAL
            )
            assert cheated["state"] == "won"
        with Peer(Address("127.0.0.1", server.port)) as stranger:
            stranger.send(Start(255, 255, 3), *[Command.REVEAL, Command.MOVE_RIGHT] * 50)
            for _ in range(101):
                stranger.receive_screen()
        check_statistics(tmp_path, ADA, played=4, won=2)
        check_statistics(tmp_path, BOB, played=2, won=2)
        (board,) = report(tmp_path, "scores")
        assert board["board"] == "beginner classic"
        assert sorted(score["name"] for score in board["scores"]) == ["Ada", "Bob"]
        assert [score["rank"] for score in board["scores"]] == [1, 2]
        # Games without a key are counted once a second, and the last when the server stops.
        server.send_signal(SIGTERM)
        assert server.wait() == 0
    everybody = report(tmp_path, "stats", "--everybody")
    totals = {each["board"].split()[0]: each for each in everybody}
    assert totals["custom"]["won"] == totals["beginner"]["won"] == 2
    assert totals["beginner"]["lost"] == totals["beginner"]["terminated"] == 1
    assert totals["hard"]["lost"] == 1


def test_the_first_win_on_a_board_is_called_a_best(tmp_path: Path) -> None:
    with (
        running_server(f"--store={tmp_path / 'games'}", "--seed=7") as server,
        ViewPlayer(server.port, ADA, "Ada") as ada,
    ):
        assert "Your best" in ada.play(BEGINNER, *first_beginner_won(7))["message"]
        assert "Your best" in ada.play(EASY, Command.REVEAL)["message"]


def first_beginner_won(seed: int) -> list[Packet]:
    """Open every safe cell of the first board that a connection gets from a server's seed."""
    setup = Setup.of("beginner", seed=Random(seed).getrandbits(SEED_BITS))
    field = setup.minefield(first=Cell(0, 0))
    return [Act(cell.column, cell.row, Button.OPEN, 16) for cell in field.grid.cells(field.safe)]


def lose(player: ViewPlayer, game: Packet) -> None:
    player.play(game)
    for row in range(9):
        for column in range(9):
            if player.play(MoveTo(column, row), Command.REVEAL)["state"] == "lost":
                return
            assert player.entries["state"] == "playing"


def check_statistics(data_home: Path, key: bytes, *, played: int, won: int) -> None:
    key_file = data_home / "key"
    key_file.write_text(key.hex(), encoding="utf-8")
    key_file.chmod(0o600)
    found = report(data_home, "stats", "--key", str(key_file))
    assert (found["games_played"], found["games_won"]) == (played, won)


def report(data_home: Path, *arguments: str) -> Any:
    """Read the store beside the running server, as an operator does."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(SOURCE),
        "XDG_DATA_HOME": str(data_home),
    }
    command = [sys.executable, "-m", "jminesweeper", *arguments, "--json"]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=True
    )
    return json.loads(done.stdout)
