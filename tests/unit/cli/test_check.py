"""`jminesweeper check`, as it is typed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
from click.testing import CliRunner, Result

from jminesweeper.check.checker import SERVER_CHECKS
from jminesweeper.cli.check import check_command
from jminesweeper.cli.main import main
from tests.integration.documented import changed, example, example_server
from tests.integration.scripted_server import HEAR, Peer, scripted, serving

START = "start-is-answered-with-a-screen"
QUIT = "quit-closes-without-a-reply"
SEEDS = "the-same-seed-is-the-same-board"


def check(*arguments: str) -> Result:
    return CliRunner().invoke(check_command, arguments)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with example_server(example("A server")) as address:
        yield str(address)


def test_a_server_is_checked_and_what_was_learnt_of_it_told(server: str) -> None:
    result = check(server, "--only", QUIT)
    learnt, *lines = result.output.splitlines()
    assert learnt.startswith(f"server {server}, version 1, cell step 1x1, mark F, answer ")
    assert lines == [f"ok    {QUIT}", "1 check: 1 passed."]
    assert result.exit_code == 0


def test_a_deviation_is_exit_code_1() -> None:
    # QUIT is answered with a screen, and then the connection ends: there is nothing to wait for.
    answers_quit = changed(example("A server"), r'b"\x00", b"\x08"', r'b"\x00"')
    hang_up = "\n            if kind == bytes([8]): return"
    broken = changed(answers_quit, "  # in one send", hang_up)
    with example_server(broken) as address:
        result = check(str(address), "--only", QUIT)
    assert f"FAIL  {QUIT}" in result.output
    assert result.exit_code == 1


def test_the_form_is_chosen(server: str) -> None:
    report = json.loads(check(server, "--only", QUIT, "--json").output)
    assert report["conforms"] is True


def test_a_server_that_announces_nothing_fails_version_2_and_gets_none_of_it(server: str) -> None:
    result = check(server, "--wire", "2")
    assert "FAIL  the-first-screen-announces-version-2-and-no-other-does" in result.output
    assert "1 check: 1 failed." in result.output
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--only", "quit"], f"There is no check 'quit'. There are:\n  {START}"),
        (["--only", SEEDS], "No check of that name is for version 1."),
        (["--wire", "1", "--only", SEEDS], "No check of that name"),
    ],
)
def test_a_check_that_is_not_there_is_no_success(
    server: str, arguments: list[str], reason: str
) -> None:
    result = check(server, *arguments)
    assert (result.exit_code, reason in result.output) == (2, True)


def test_a_server_that_hangs_up_at_once_fails_and_says_why() -> None:
    def hang_up(_peer: Peer) -> None:
        pass

    with serving(hang_up) as server:
        address = server.address
        result = check(address, "--only", "every-packet-is-answered-with-one-screen")
    assert f"server {address}, version 1\n" in result.output
    assert "the connection broke" in result.output or "closed the connection" in result.output


def test_a_server_of_something_else_is_told_by_its_first_line() -> None:
    speak_http = scripted(HEAR, b"HTTP/1.1 400 Bad Request\r\n\r\n")
    with serving(speak_http) as server:
        result = check(server.address)
    *_, late, summary = result.output.splitlines()
    assert result.output.count("FAIL") == 1
    assert "'HTTP/1.1 400 Bad Request'" in result.output
    assert late == f"----  45 not run: {START} failed"
    assert summary == "46 checks: 1 failed, 45 not run."
    assert result.exit_code == 1


def test_a_client_is_checked() -> None:
    command = f"{sys.executable} -c pass"
    result = check("--client", command, "--only", "it-begins-with-start")
    assert f"client {command}\nFAIL  it-begins-with-start\n" in result.output
    assert "no packet; the program has ended" in result.output
    assert result.exit_code == 1


def test_a_check_that_is_chosen_twice_is_run_once(server: str) -> None:
    assert "1 check:" in check(server, "--only", QUIT, "--only", QUIT).output
    assert len({each.name for each in SERVER_CHECKS}) == len(SERVER_CHECKS)


def test_without_pyte_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyte", None)
    result = CliRunner().invoke(main, ["check", "127.0.0.1:9999"])
    assert result.exit_code == 1
    assert "needs the extra check:" in result.output
    assert "pip install 'jminesweeper[check]'" in result.output


def test_help_needs_no_extra() -> None:
    program = (
        "import sys; sys.modules['pyte'] = None;"
        "from jminesweeper.cli.main import main; main(['check', '--help'])"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "--only NAME" in shown.stdout


def test_no_time_left_is_an_exit_code_of_its_own() -> None:
    slow = changed(
        example("A server"),
        "            text = self.screen().encode()",
        "            __import__('time').sleep(0.4)\n            text = self.screen().encode()",
    )
    with example_server(slow) as address:
        result = check(str(address), "--time", "1.5")
    assert "not run: no time was left" in result.output
    assert "FAIL" not in result.output
    assert result.exit_code == 3


def test_names_of_checks_are_completed() -> None:
    (option,) = [each for each in check_command.params if each.name == "only"]
    context = check_command.make_context("check", [], resilient_parsing=True)
    completed = [each.value for each in option.shell_complete(context, "quit")]
    assert completed == [QUIT]
