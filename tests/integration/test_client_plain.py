"""The line mode, through pipes and on a terminal."""

import subprocess
from pathlib import Path

import pytest

from jminesweeper.client.identity import key_path, load_key
from jminesweeper.protocol.packets import Act, Hello, Hint, Start
from jminesweeper.protocol.vocabulary import Button, Command
from tests.integration.scripted_server import TIMEOUT_S, count_packets, count_packets_2, serving
from tests.integration.terminal import CLIENT, at_play, client_environment


def run_plain(home: Path, lines: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*CLIENT, "--plain", *arguments],
        input=lines,
        env=client_environment(home, TERM="dumb"),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_a_program_plays_through_pipes(tmp_path: Path) -> None:
    with serving(count_packets_2) as server:
        result = run_plain(tmp_path, "open 3 4\nfly\nhint\nquit\n", server.address)
        assert (result.returncode, result.stderr) == (0, "")
        first, opened, unknown, hinted, end = result.stdout.split("\n\n")
        assert first.startswith("A game: ")
        assert opened.startswith("view 2: Act\n")
        assert unknown == "Unknown command 'fly'. Type help for a list."
        assert hinted == "view 3: Hint"
        assert end == ""
        server.expect(Start(20, 10, 1))
        hello = server.received.get(timeout=TIMEOUT_S)
        assert isinstance(hello, Hello)
        server.expect(Act(3, 4, Button.REVEAL, 16), Hint(3, 4), Command.QUIT)


def test_no_server_is_sent_the_players_own_key(tmp_path: Path) -> None:
    with serving(count_packets_2) as server:
        run_plain(tmp_path, "quit\n", server.address)
        server.expect(Start(20, 10, 1))
        hello = server.received.get(timeout=TIMEOUT_S)
    assert isinstance(hello, Hello)
    own = load_key(key_path({"XDG_DATA_HOME": str(tmp_path)}))
    assert len(hello.key) == len(own)
    assert hello.key != own


def test_a_server_of_version_1_has_no_plain_text(tmp_path: Path) -> None:
    with serving(count_packets) as server:
        result = run_plain(tmp_path, "", server.address)
        assert (result.returncode, result.stdout) == (1, "")
        assert "version 1" in result.stderr
        assert "Traceback" not in result.stderr


def test_a_person_answers_at_a_terminal(tmp_path: Path) -> None:
    arguments = ["--plain", "--resume"]
    with at_play(tmp_path, count_packets_2, options=arguments) as (_server, client):
        client.wait_for_screen("Hello")
        client.press("show\r", "REFRESH")
        client.type("quit\r")
        assert client.finish() == 0
        assert b"\x1b" not in client.output
        assert client.attributes() == client.found


@pytest.mark.parametrize(("keys", "exit_code"), [("\x04", 0), ("\x03", 130)])
def test_control_d_and_control_c_end_it(tmp_path: Path, keys: str, exit_code: int) -> None:
    arguments = ["--plain", "--resume"]
    with at_play(tmp_path, count_packets_2, options=arguments) as (_server, client):
        client.wait_for_screen("Hello")
        client.type(keys)
        assert client.finish() == exit_code
        assert b"Traceback" not in client.output


def test_a_pipe_that_nobody_reads_ends_it_without_a_word(tmp_path: Path) -> None:
    with serving(count_packets_2) as server:
        client = subprocess.Popen(
            [*CLIENT, "--plain", server.address],
            env=client_environment(tmp_path, TERM="dumb"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert client.stdin is not None
        assert client.stdout is not None
        assert client.stderr is not None
        with client.stdin, client.stderr:
            with client.stdout:
                assert client.stdout.readline().startswith("A game: ")
            client.stdin.write("help\nhint\n")
            client.stdin.flush()
            assert client.stderr.read() == ""
            assert client.wait(TIMEOUT_S) == 1
        server.expect(Start(20, 10, 1))
        assert isinstance(server.received.get(timeout=TIMEOUT_S), Hello)
        server.expect(Command.QUIT)
