"""The line mode, through pipes and on a terminal."""

import subprocess
from pathlib import Path

import pytest

from jminesweeper.client.identity import key_path, load_key
from jminesweeper.protocol.packets import Act, Hello, Packet, ScreenContent, Start
from jminesweeper.protocol.vocabulary import Button, Command, ScreenFormat
from tests.integration.scripted_server import TIMEOUT_S, Peer, count_packets, serving
from tests.integration.terminal import CLIENT, client_environment, on_pty


def answer_plainly(peer: Peer) -> None:
    packet: Packet | None = peer.announce()
    while packet is not None and packet is not Command.QUIT:
        name = packet.name if isinstance(packet, Command) else type(packet).__name__
        peer.send(ScreenContent(f"a board\n{name}\n".encode()))
        packet = peer.receive()


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
    with serving(answer_plainly) as server:
        result = run_plain(tmp_path, "open 3 4\nfly\nhint\nquit\n", server.address)
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout.split("\n\n") == [
            "a board\nHello",
            "a board\nAct",
            "Unknown command 'fly'. Type help for a list.",
            "a board\nHINT",
            "",
        ]
        server.expect(Start(20, 10, 1))
        hello = server.received.get(timeout=TIMEOUT_S)
        assert isinstance(hello, Hello)
        assert hello.format == ScreenFormat.PLAIN
        server.expect(Act(3, 4, Button.REVEAL), Command.HINT, Command.QUIT)


def test_no_server_is_sent_the_players_own_key(tmp_path: Path) -> None:
    with serving(answer_plainly) as server:
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
    with (
        serving(answer_plainly) as server,
        on_pty([*arguments, server.address], tmp_path) as client,
    ):
        client.wait_for_screen("Hello")
        client.type("show\r")
        client.wait_for_screen("REFRESH")
        client.type("quit\r")
        assert client.finish() == 0
        assert b"\x1b" not in client.output
        assert client.attributes() == client.found


@pytest.mark.parametrize(("keys", "exit_code"), [("\x04", 0), ("\x03", 130)])
def test_control_d_and_control_c_end_it(tmp_path: Path, keys: str, exit_code: int) -> None:
    arguments = ["--plain", "--resume"]
    with (
        serving(answer_plainly) as server,
        on_pty([*arguments, server.address], tmp_path) as client,
    ):
        client.wait_for_screen("Hello")
        client.type(keys)
        assert client.finish() == exit_code
        assert b"Traceback" not in client.output
