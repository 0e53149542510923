"""The client in tmux, which knows what no emulator in Python does: a second screen, and jobs."""

import os
import re
import shlex
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest

from jminesweeper.protocol.packets import Start
from jminesweeper.protocol.vocabulary import Command
from tests.integration.scripted_server import Peer, count_packets, serving
from tests.integration.server_process import running_server
from tests.integration.terminal import Tmux, client_command, in_tmux
from tests.ports import free_port


def hang_up(_peer: Peer) -> None:
    """Take the connection by which the client sees that there is a server."""


@pytest.fixture
def window(tmux: str, tmp_path: Path) -> Iterator[Tmux]:
    with in_tmux(tmux, tmp_path) as opened:
        opened.run("stty -a > $HOME/before; echo this stays")
        opened.wait_for("\nthis stays")
        yield opened


def assert_as_before(window: Tmux, home: Path) -> None:
    """The shell's screen is back, and its line discipline is what it was."""
    window.run("stty -a > $HOME/after; echo compared")
    window.wait_for("\ncompared")
    assert (home / "after").read_text() == (home / "before").read_text()
    assert "this stays" in window.text()
    assert window.shows("alternate_on") == "0"
    assert window.shows("mouse_any_flag") == "0"
    assert window.shows("cursor_flag") == "1"


@pytest.mark.requirement("J:Client Requirements", "J:ANSI terminal")
def test_the_game_has_the_screen_to_itself_and_gives_it_back(window: Tmux, tmp_path: Path) -> None:
    with serving(count_packets) as server:
        window.run(client_command("--resume", server.address))
        window.wait_for("screen 1")
        assert "this stays" not in window.text()
        assert window.shows("alternate_on") == "1"
        window.type("w", "Left", "Enter")
        window.wait_for("screen 4", "REVEAL")
        assert window.lines()[:2] == ["screen 4", "REVEAL"]
        window.type("X")
        window.wait_for("this stays", "ready>")
        assert "screen" not in window.text().replace("alternate", "")
        assert_as_before(window, tmp_path)


def test_control_z_gives_the_shell_back_and_fg_the_game(window: Tmux, tmp_path: Path) -> None:
    with serving(count_packets) as server:
        window.run(client_command("--resume", server.address))
        window.wait_for("screen 1")
        window.type("C-z")
        window.wait_for("this stays", "Stopped")
        assert_as_before(window, tmp_path)
        window.run("fg")
        window.wait_for("screen 1")
        assert window.shows("alternate_on") == "1"
        window.type("d")
        window.wait_for("screen 2", "MOVE_RIGHT")
        window.type("x")
        window.wait_for("this stays")
        assert_as_before(window, tmp_path)
        server.expect(Start(20, 10, 1), Command.MOVE_RIGHT, Command.QUIT)


def test_control_z_stops_the_clock_of_ones_own_game(window: Tmux) -> None:
    with running_server("--store=memory") as server:
        window.run(client_command("--preset", "beginner", f"127.0.0.1:{server.port}"))
        window.wait_for("mines  10")
        began_s = monotonic()
        window.type("f")
        window.wait_for("mines   9")
        window.type("C-z")
        window.wait_for("Stopped")
        window.run("sleep 2; echo slept")
        window.wait_for("\nslept")
        window.run("fg")
        window.wait_for("Paused")
        window.type("p")
        window.wait_for("mines   9")
        clock = re.search(r"mines +9 +(\d+):(\d\d)", window.text())
        assert clock is not None
        assert 60 * int(clock[1]) + int(clock[2]) <= monotonic() - began_s - 2
        window.type("x")
        window.wait_for("this stays")


def test_being_stopped_and_continued_from_outside_repaints(window: Tmux, tmp_path: Path) -> None:
    with serving(count_packets) as server:
        window.run(client_command("--resume", server.address))
        window.wait_for("screen 1")
        window.type("C-z")
        window.wait_for("Stopped")
        # In the background it stops once more, as it may not touch the terminal. A shell that has
        # not seen that by the time of its `fg` takes it for the end of that.
        window.run("kill -CONT %1; until jobs -s | grep -q jminesweeper; do :; done; fg")
        window.wait_for("screen 1")
        window.type("x")
        window.wait_for("this stays")
        assert_as_before(window, tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_killed_game_leaves_the_terminal_as_it_was(
    window: Tmux, tmp_path: Path, number: signal.Signals
) -> None:
    with serving(count_packets) as server:
        game = f"echo $$ > $HOME/pid; exec {client_command('--resume', server.address)}"
        window.run(f"sh -c {shlex.quote(game)}; echo ended $?")
        window.wait_for("screen 1")
        os.kill(int((tmp_path / "pid").read_text()), number)
        window.wait_for(f"\nended {128 + number}")
        assert_as_before(window, tmp_path)


def test_a_lost_server_is_explained_on_the_normal_screen(window: Tmux, tmp_path: Path) -> None:
    with serving(count_packets) as server:
        window.run(client_command("--resume", server.address))
        window.wait_for("screen 1")
    window.wait_for("closed the connection.", "this stays")
    assert_as_before(window, tmp_path)


def test_a_resized_window_is_repainted(window: Tmux) -> None:
    with serving(count_packets) as server:
        window.run(client_command("--resume", server.address))
        window.wait_for("screen 1")
        window.resize(60, 15)
        window.wait_until(lambda: window.lines()[:2] == ["screen 1", "Start"], "a repaint")
        window.type("x")
        window.wait_for("this stays")


@pytest.mark.requirement("J:ask")
def test_what_was_not_said_is_asked_for_until_the_answer_is_possible(window: Tmux) -> None:
    with serving(hang_up, count_packets) as server:
        window.run(client_command("-c", "30", server.address))
        window.wait_for("Rows (1 to 255) [10]:")
        window.type("300", "Enter")
        window.wait_for("300 is not in the range 1 to 255.")
        window.type("abc", "Enter")
        window.wait_for("'abc' is not a valid number")
        window.type("16", "Enter")
        window.wait_for("Level (1, 2, 3, easy, medium, hard) [1]:")
        window.type("4", "Enter")
        window.wait_for("type 1, 2, 3, easy, medium or hard.")
        window.type("Hard", "Enter")
        window.wait_for("screen 1")
        window.type("X")
        server.expect(Start(30, 16, 3), Command.QUIT)


def test_escape_closes_the_menu_in_gnu_screen(
    window: Tmux, tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    screen = require_program("screen")
    sockets = tmp_path / "sockets"
    sockets.mkdir(mode=0o700)
    command = client_command("--port", f"{free_port()}", "--resume")
    window.run(f"SCREENDIR={shlex.quote(str(sockets))} {screen} -c /dev/null {command}")
    window.wait_for("JMinesweeper")
    window.type("m")
    window.wait_for("New game", "Settings")
    window.type("Escape")
    window.wait_until(lambda: "Settings" not in window.text(), "the menu is closed")
    window.type("x")
    window.wait_for("this stays")
