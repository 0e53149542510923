"""The beginning of a game, also where there is no server."""

import os
import subprocess
from pathlib import Path

import pytest

from jminesweeper.protocol.packets import Start
from jminesweeper.protocol.vocabulary import Command
from tests.integration.scripted_server import Peer, count_packets, serving
from tests.integration.terminal import CLIENT, at_play, client_environment, on_pty
from tests.ports import free_port

# Whatever measures the tests' coverage would be measured as well.
ALTERNATE = b"\x1b[?1049h"
UNMEASURED = {name: "" for name in os.environ if name.startswith("COVERAGE_")}


def hang_up(_peer: Peer) -> None:
    """Take the connection by which the client sees that there is a server."""


def test_who_plays_on_a_server_does_not_load_one(tmp_path: Path) -> None:
    with serving(count_packets) as server:
        result = subprocess.run(
            [CLIENT[0], "-X", "importtime", *CLIENT[1:], "--plain", server.address],
            env=client_environment(tmp_path, **UNMEASURED),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    loaded = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert "jminesweeper.client.shell" in loaded
    unwanted = ("jminesweeper.server", "jminesweeper.session", "jminesweeper.solver", "sqlite3")
    assert [name for name in loaded if name.startswith(unwanted)] == []


@pytest.mark.requirement("J:Client Requirements")
def test_one_command_on_a_fresh_machine_and_you_play(tmp_path: Path) -> None:
    environment = {"JMINESWEEPER_PORT": str(free_port())}
    with on_pty([], tmp_path, environment=environment) as client:
        client.wait_for_screen("JMinesweeper  easy 20x10")
        told = b"No server found; playing offline."
        # For a few seconds only, on the screen of the game.
        client.wait_until(lambda: told in client.output.rpartition(ALTERNATE)[2], "the notice")
        assert any("RETURN" in line for line in client.lines), client.lines
        client.type("sd\r")
        client.quit()
        assert client.attributes() == client.found
        assert told in client.output.partition(ALTERNATE)[0]


@pytest.mark.parametrize("option", ["--race", "--coop", "--join=KRTPWX", "--watch=Ada"])
def test_company_is_not_looked_for_offline(tmp_path: Path, option: str) -> None:
    environment = {"JMINESWEEPER_PORT": str(free_port())}
    with on_pty([option], tmp_path, environment=environment) as client:
        assert client.finish() == 1
        told = b" ".join(client.output.split())
        assert b"Name the host that your friends play on, or start a server" in told


def test_a_server_that_was_named_is_not_replaced_by_an_embedded_one(tmp_path: Path) -> None:
    with on_pty(["--resume", f"127.0.0.1:{free_port()}"], tmp_path) as client:
        assert client.finish() == 1
        assert b"There is no server at" in client.output


@pytest.mark.requirement("J:ask")
def test_without_a_terminal_nothing_can_be_asked(tmp_path: Path) -> None:
    result = subprocess.run(
        [*CLIENT, "-r", "5"],
        env=client_environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert "--plain" in result.stderr


def test_nobody_answers_questions_for_a_server_that_is_not_there(tmp_path: Path) -> None:
    with on_pty([f"127.0.0.1:{free_port()}"], tmp_path) as client:
        assert client.finish() == 1
        assert b"There is no server at" in client.output
        assert b"Rows" not in client.output


def test_one_return_answers_every_question(tmp_path: Path) -> None:
    with at_play(tmp_path, hang_up, count_packets, options=[]) as (server, client):
        client.wait_for_screen("RETURN plays 20x10, level 1")
        # The board that it plays is in sight above the question.
        top, *cells = client.lines[1:12]
        assert top.strip() == f"╭{'─' * 42}╮"
        assert all(line.strip()[:1] == "│" for line in cells)
        assert "easy 20x10" in client.lines[0]
        client.type("\n")
        client.wait_for_screen("screen 1")
        client.quit()
        server.expect(Start(20, 10, 1), Command.QUIT)


def test_control_c_at_a_question_ends_the_program(tmp_path: Path) -> None:
    with at_play(tmp_path, count_packets, options=["-r", "5"]) as (server, client):
        client.wait_for("Columns")
        # A line as well: a signal that comes just before the read is only seen after it.
        client.type("\x03\n")
        assert client.finish() == 130
        assert b"Traceback" not in client.output
        assert Command.QUIT not in list(server.received.queue)
