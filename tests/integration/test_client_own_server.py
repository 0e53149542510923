"""The client with our own server: what only both together can do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jminesweeper.recordings.text import parse_game
from tests.integration.server_process import running_server
from tests.integration.terminal import (
    CLIENT,
    PtyProcess,
    Tmux,
    client_command,
    client_environment,
    in_tmux,
    on_pty,
)

GAME = ["--preset", "beginner", "--seed", "7"]


@pytest.fixture
def server() -> Iterator[str]:
    with running_server("--seed=1") as own:
        yield f"127.0.0.1:{own.port}"


def wait_for_board(client: PtyProcess) -> None:
    client.wait_for_screen("beginner 9x9")


def test_a_game_is_left_and_resumed(server: str, tmp_path: Path) -> None:
    with on_pty([*GAME, server], tmp_path) as client:
        wait_for_board(client)
        client.press("f", "mines   9")
        client.quit()
    with on_pty(["--resume", server], tmp_path) as client:
        client.wait_for_screen("mines   9")
        client.wait_for_screen("beginner 9x9")
        client.quit()


def test_with_no_game_waiting_a_new_one_is_told_to_be_one(server: str, tmp_path: Path) -> None:
    with on_pty(["--resume", server], tmp_path) as client:
        client.wait_for_screen("No game was waiting, so this is a new one.")
        client.wait_for_screen("easy 20x10")
        client.quit()


def test_a_save_is_named_however_fast_the_keys_come(server: str, tmp_path: Path) -> None:
    with on_pty([*GAME, server], tmp_path) as client:
        wait_for_board(client)
        client.press("mkkkkk\r\rmix, Žofie\x7fe 2\r", "Saved as mix, Žofie 2.")
        client.press("\x0f", "mix, Žofie 2  ")
        client.press("j\x1b[3~", "Delete mix, Žofie 2?")
        client.press("j\r", "mix, Žofie 2 is deleted.")
        client.quit()


def test_a_game_is_not_given_up_in_a_menu_unasked(server: str, tmp_path: Path) -> None:
    with on_pty([*GAME, server], tmp_path) as client:
        wait_for_board(client)
        client.press("\rmj\r\r", "Give up this game?")
        client.press("\x1b[A\r", "m menu", "beginner 9x9")
        client.quit()


def test_quitting_in_the_menu_ends_the_program(server: str, tmp_path: Path) -> None:
    with on_pty([*GAME, server], tmp_path) as client:
        wait_for_board(client)
        client.press("m", "> Continue")
        client.type("\x1b[A\r")
        assert client.finish() == 0
        assert client.attributes() == client.found


def test_the_line_mode_plays_the_same_game(server: str, tmp_path: Path) -> None:
    with on_pty([*GAME, "--plain", server], tmp_path, environment={"TERM": "dumb"}) as client:
        client.wait_for("Playing.")
        client.type("flag 3 4\r")
        client.wait_for("9 mines left.")
        client.type("open 9 9\r")
        client.wait_for("There is no cell at 9 9.")
        client.type("menu\r")
        client.wait_for("Menu: ")
        client.type("menu\rquit\r")
        assert client.finish() == 0
        assert b"\x1b" not in client.output


def test_both_versions_are_played_on_one_server_in_tmux(
    server: str, tmux: str, tmp_path: Path
) -> None:
    with in_tmux(tmux, tmp_path) as window:
        play(window, client_command("-r", "3", "-c", "5", "-l", "1", "--wire", "1", server))
        play(window, client_command("-r", "3", "-c", "5", "-l", "1", server))


def play(window: Tmux, command: str) -> None:
    window.run(f"clear; {command}")
    window.wait_for("5x3")
    window.type("Right", "Down", "Space")
    window.wait_until(lambda: window.shows("alternate_on") == "1", "the alternate screen")
    window.type("X")
    window.wait_until(lambda: window.text().strip() == "ready>", "the prompt")
    assert window.shows("alternate_on") == "0"


def test_a_game_at_two_terminals_is_one_game(server: str, tmp_path: Path) -> None:
    with on_pty([*GAME, server], tmp_path) as first:
        wait_for_board(first)
        first.press("f", "mines   9")
        with on_pty(["--resume", server], tmp_path) as second:
            second.wait_for_screen("mines   9")
            second.press("df", "mines   8")
            first.wait_for_screen("mines   8")
            first.type("ssf")
            second.wait_for_screen("mines   7")
            for client in (first, second):
                client.quit()


def test_a_game_that_has_ended_is_looked_back_at_and_kept(server: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    one_cell = ["--rows", "1", "--columns", "1", "--level", "1"]
    command = ["env", "-C", str(folder), *CLIENT, *one_cell, server]
    with PtyProcess(command, client_environment(tmp_path)) as client:
        client.wait_for_screen("easy 1x1")
        client.press("\r", "LOST")
        client.press("b", "Before the first action")
        client.press("\x1b[C", "reveal (0,0): hits a mine")
        client.press("\x1b", "TAB play again")
        client.press("y", "1 reveal, 1 guess")
        client.press("\x1b", "TAB play again")
        client.press("t", "Saved to game-")
        client.quit()
    (path,) = folder.iterdir()
    assert parse_game(path.read_text()).exploded == (0, 0)
