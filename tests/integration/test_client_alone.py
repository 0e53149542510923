"""One person at a real terminal, and the games of before: replayed, raced against, shared."""

from __future__ import annotations

import re
from pathlib import Path

from tests.integration.days import let_rank, todays_board
from tests.integration.server_process import hasty, running_server
from tests.integration.terminal import PtyProcess, on_pty
from tests.integration.test_client_together import go_and_open
from tests.ports import free_port

HOME, END, UP, DOWN = "\x1b[H", "\x1b[F", "\x1b[A", "\x1b[B"


def win_todays_board(player: PtyProcess, store: Path) -> None:
    player.wait_for_screen("daily beginner")
    field = todays_board(store).minefield()
    go_and_open(player, field, field.safe & -field.safe)
    let_rank(store)
    go_and_open(player, field, field.safe)
    # The first press opens the day's first cell, wherever it is made.
    go_and_open(player, field, 1)
    player.wait_for_screen("won")


def test_a_row_of_the_days_board_is_replayed_once_it_is_won(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    with running_server(command=hasty("--workers=0", f"--store={store}")) as server:
        host = f"127.0.0.1:{server.port}"
        with on_pty(["--daily", "--preset=beginner", host, "--name=Ada"], tmp_path) as ada:
            win_todays_board(ada, store)
            ada.wait_for_screen("You won! 1st of 1 today.")
            result = r"JMinesweeper beginner \d{4}-\d\d-\d\d: won in 0:"
            ada.wait_until(lambda: shows(ada, result), "the result as a line to share")
            ada.press("m", "> Continue")
            ada.choose("Records")
            ada.wait_for_screen("Best times")
            ada.choose("Best times")
            ada.wait_for_screen("> daily beginner")
            ada.press("\r", "Your best")
            ada.press("\r", "the game is won")
            assert any("1x" in line for line in ada.lines)
            ada.press("\x1b", "Your best")
            ada.type("x")
            assert ada.finish() == 0


def test_a_race_alone_has_the_rival_beside_the_board(tmp_path: Path) -> None:
    with running_server("--workers=1", f"--store={tmp_path / 'store.db'}") as server:
        host = f"127.0.0.1:{server.port}"
        with on_pty(["--preset=beginner", host, "--name=Ada"], tmp_path, columns=100) as ada:
            ada.wait_for_screen("beginner 9x9")
            ada.press("z", "Race alone")
            ada.press(5 * DOWN + "\r", "The solver, merciless")
            ada.press(HOME + 2 * DOWN + "\r", "The race begins with your first move.")
            ada.wait_for_screen("Solver, merciless")
            ada.press("\r", "1 Solver, merciless")
            ada.wait_until(lambda: shows(ada, r"0:\d\d\.\d") and shows(ada, "you"), "the times")
            ada.type("x")
            assert ada.finish() == 0


def test_without_a_server_playing_together_says_how_to_get_one(tmp_path: Path) -> None:
    with on_pty([f"--port={free_port()}", "--preset=beginner"], tmp_path) as ada:
        ada.wait_for_screen("beginner 9x9")
        ada.press("z", "No server here. Start one (./run_server.sh)")
        ada.press("\r", "The solver, calm")
        ada.type("x")
        assert ada.finish() == 0


def shows(client: PtyProcess, pattern: str) -> bool:
    return any(re.search(pattern, line) for line in client.lines)


def test_luck_stands_beside_the_time_of_the_days_board_once_it_is_reviewed(tmp_path: Path) -> None:
    store, is_there = tmp_path / "store.db", False
    with running_server(command=hasty("--workers=1", f"--store={store}")) as server:
        host = f"127.0.0.1:{server.port}"
        with on_pty(["--daily", "--preset=beginner", host, "--name=Ada"], tmp_path) as ada:
            win_todays_board(ada, store)
            ada.wait_for_screen("You won! 1st of 1 today.")
            while not is_there:
                ada.press("m", "> Continue")
                ada.press(2 * DOWN, "> Board of the day")
                ada.press("\r", "Seeds")
                row = next(line for line in ada.lines if "1st of 1" in line)
                is_there = re.search(r"won in \d+\.\d+ s, 1st of 1, luck \d+ %", row) is not None
                ada.press("\x1b", "> Board of the day")
                ada.press("\x1b", "TAB")
            ada.type("x")
            assert ada.finish() == 0
