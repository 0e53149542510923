"""The checks of servers and clients, on the programs of the documents and on such as break them."""

from __future__ import annotations

import sys
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from jminesweeper.check.checker import CLIENT_CHECKS, SERVER_CHECKS, checks_for
from jminesweeper.check.client import ClientUnderTest
from jminesweeper.check.server import ServerProcess, ServerUnderTest
from jminesweeper.check.suite import Budget, CheckVerdict, DeviationError, Finding, run_checks
from jminesweeper.client.address import Address
from tests.integration.documented import changed, example, example_server
from tests.integration.terminal import CLIENT, client_environment
from tests.ports import free_port

SERVER = example("A server")
PATIENT = (600.0, 20.0)


def findings_of_server(address: Address) -> list[Finding]:
    server = ServerUnderTest(address, Budget(*PATIENT))
    version = server.learn().version
    return list(run_checks(checks_for(version, None), server, Budget(*PATIENT)))


def findings_of_client(*command: str) -> list[Finding]:
    with ClientUnderTest(command, Budget(*PATIENT)) as client:
        return list(run_checks(CLIENT_CHECKS, client, Budget(*PATIENT)))


def failed(findings: list[Finding]) -> list[Finding]:
    """The findings that name a cause, and not what was not run because of it."""
    return [finding for finding in findings if finding.verdict is CheckVerdict.FAILED]


def test_the_documented_server_keeps_to_the_protocol() -> None:
    with example_server(SERVER) as address:
        findings = findings_of_server(address)
    assert failed(findings) == []
    assert len(findings) == len(checks_for(1))


def test_frames_that_stock_clients_cannot_take_are_a_warning() -> None:
    wide = changed(SERVER, '"".join(self.face', '" ".join(self.face')
    (large,) = [check for check in SERVER_CHECKS if check.name == "the-largest-frames-arrive-whole"]
    with example_server(wide) as address:
        server = ServerUnderTest(address, Budget(*PATIENT))
        (finding,) = run_checks([large], server, Budget(*PATIENT))
    assert (finding.verdict, finding.is_fine) == (CheckVerdict.WARNED, True)
    assert finding.came.endswith("bytes for a field of 255x255")


def test_games_follow_each_other_where_each_ends_its_connection() -> None:
    end = "\n            if self.over: return"
    ends = changed(SERVER, "  # in one send", end)
    with (
        example_server(ends) as address,
        closing(ServerUnderTest(address, Budget(*PATIENT))) as server,
    ):
        games, connections = server.games(9, 9, 3, "what never comes", 3), []
        for player in islice(games, 3):
            player.lose()
            assert player.has_lost()
            connections.append(player.connection)
        with pytest.raises(DeviationError, match="3 games of 9x9 at level 3"):
            next(games)
    assert len(set(map(id, connections))) == 3


@pytest.mark.requirement(
    "J:Client Requirements",
    "J:screen content",
    "J:console mode",
    "J:key w",
    "J:key a",
    "J:key s",
    "J:key d",
    "J:key TAB",
    "J:key SPACE",
    "J:key RETURN",
    "J:key X",
    "J:key #",
)
def test_our_client_keeps_to_the_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in client_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    arguments = ["--columns=20", "--rows=10", "--level=1", "{address}"]
    assert failed(findings_of_client(*CLIENT, *arguments)) == []


ONE_PLAYER = """
class OnePlayerServer(socketserver.TCPServer):
    allow_reuse_address = True

OnePlayerServer(("127.0.0.1", int(sys.argv[1])), Player).handle_request()
"""


def test_a_server_for_one_player_is_judged_when_it_is_started_for_each(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(SERVER.partition("if __name__")[0] + ONE_PLAYER)
    port = free_port()
    process = ServerProcess([sys.executable, str(program), str(port)])
    server = ServerUnderTest(Address("127.0.0.1", port), Budget(600.0, 1.0), process)
    checks = [
        check
        for check in checks_for(server.learn().version, None)
        if check.name
        in {
            "start-is-answered-with-a-screen",
            "another-connection-may-follow-a-quit",
            "every-packet-is-answered-with-one-screen",
            "an-empty-cell-opens-what-is-above-below-left-and-right",
            "two-players-have-a-game-each",
        }
    ]
    with closing(server):
        findings = {each.name: each for each in run_checks(checks, server, server.budget)}
    assert [name for name, each in findings.items() if not each.is_fine] == [
        "two-players-have-a-game-each"
    ]
    assert findings["another-connection-may-follow-a-quit"].verdict is CheckVerdict.SKIPPED
