"""The bot's command against real servers: ours, and some that are none of ours."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.integration.scripted_server import HEAR, Peer, Script, count_packets, scripted, serving
from tests.integration.server_process import ServerProcess, running_server
from tests.integration.terminal import PtyProcess, client_environment
from tests.unit.bot.servers import OwnServer

BOT = [sys.executable, "-m", "jminesweeper", "bot"]
TIMEOUT_S = 60

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with running_server("--store=memory", "--seed=7") as process:
        yield process


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(host: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*BOT, f"--host={host}", *arguments],
            env=client_environment(tmp_path),
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )

    return run


def facts_of(result: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert (result.returncode, result.stderr) == (0, "")
    facts = json.loads(result.stdout)
    assert isinstance(facts, dict)
    return facts


@pytest.mark.requirement("J:Networking Protocol")
@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (20, 10), (41, 5), (255, 3)])
def test_document_js_game_is_played_on_our_server(
    server: ServerProcess, run: Run, columns: int, rows: int
) -> None:
    board = (f"--columns={columns}", f"--rows={rows}", "--level=easy")
    result = run(f"127.0.0.1:{server.port}", "--games=5", "--json", *board)
    facts = facts_of(result)
    assert facts["games"] == 5
    assert facts["moves"] >= 5
    # Narrow boards need many guesses, and may all be lost.
    if rows >= 5 and columns >= 20:
        assert facts["won"] >= 1


@pytest.mark.requirement("E:Solver")
def test_classic_games_are_won_on_our_server(server: ServerProcess, run: Run) -> None:
    options = ("--preset=beginner", "--first-click=zero", "--games=20", "--seed=1", "--json")
    facts = facts_of(run(f"127.0.0.1:{server.port}", *options))
    assert facts["won"] >= 15


def hang_up_in_the_middle(peer: Peer) -> None:
    server = OwnServer()
    for _ in range(3):
        packet = peer.receive()
        assert packet is not None
        peer.send(server.ask(packet))


def say_nothing_of_a_game(peer: Peer) -> None:
    peer.announce()
    peer.view("Welcome!")
    while peer.receive() is not None:
        peer.view("What is your name?")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (hang_up_in_the_middle, "The server closed the connection."),
        (
            scripted(HEAR, b"SSH-2.0-OpenSSH_9.6\r\n", HEAR),
            "does not speak JMinesweeper's protocol: ",
        ),
        (count_packets, "only version 1"),
        (say_nothing_of_a_game, "shows no game"),
    ],
)
def test_a_server_without_a_game_is_one_sentence(run: Run, script: Script, message: str) -> None:
    with serving(script) as listener:
        result = run(listener.address, "--preset=beginner")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def test_on_a_terminal_each_move_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    options = ("--preset=beginner", "--first-click=zero", "--seed=5", "--games=1")
    command = [*BOT, *options, "--show", "--pace=merciless"]
    process = PtyProcess(command, client_environment(tmp_path))
    try:
        process.wait_for_screen("Seed 5.")
        process.wait_for_screen(" end ")
        process.type("x")
        assert process.finish() == 0
    finally:
        process.close()
    assert process.output.count(b"\x1b[2J") < 4
    assert b"of 1 games" in process.output


@contextmanager
def campaign_under_way(home: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Begin a campaign that would take hours; yield it once all its processes are there."""
    command = [*BOT, "--games=1000000", "--jobs=2"]
    environment = client_environment(home)
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as bot:
        children = Path(f"/proc/{bot.pid}/task/{bot.pid}/children")
        # One for each job, and one that tracks what they share.
        while len(children.read_text().split()) < 3:
            assert bot.poll() is None
        yield bot


def test_processes_that_play_end_with_a_campaign_that_is_killed(tmp_path: Path) -> None:
    with campaign_under_way(tmp_path) as bot:
        bot.kill()
        # Its end closes only once nobody holds it any more.
        bot.communicate(timeout=TIMEOUT_S)


def test_a_campaign_that_is_stopped_leaves_nothing_behind_to_complain_about(
    tmp_path: Path,
) -> None:
    with campaign_under_way(tmp_path) as bot:
        bot.terminate()
        _, errors = bot.communicate(timeout=TIMEOUT_S)
    # A process that was just being made may complain; nothing is leaked.
    assert (bot.returncode, b"leaked" in errors) == (128 + signal.SIGTERM, False)
