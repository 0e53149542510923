import os
import signal
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli.main import SUBCOMMANDS, main
from jminesweeper.cli.options import option

HEAVY = {"asyncio", "socket", "logging", "ssl", "sqlite3", "readchar", "jminesweeper.solver"}

NOT_BEFORE_A_SERVER_LISTENS = {
    "http",
    "jminesweeper.bus.redis",
    "jminesweeper.client.conversation",
    "jminesweeper.client.events",
    "jminesweeper.terminal",
    "jminesweeper.server.admin",
    "jminesweeper.server.web_socket",
    "jminesweeper.server.browser",
    "jminesweeper.solver",
    "jminesweeper.store.redis",
    "jminesweeper.web",
    "multiprocessing",
    "readchar",
    "redis",
    "websockets",
}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="jminesweeper")


@click.command()
def interrupted() -> None:
    raise KeyboardInterrupt


@click.command()
def answered_with_ctrl_c() -> None:
    raise click.Abort


@pytest.mark.parametrize("command", [interrupted, answered_with_ctrl_c])
def test_ctrl_c_exits_as_a_shell_expects(
    command: click.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.cli.main.load", lambda _name: command)
    assert run("client").exit_code == 128 + signal.SIGINT


def loaded_by(module: str) -> set[str]:
    report = f"import sys, {module}; print(*sys.modules)"
    # Measuring coverage would itself import half of the library.
    unmeasured = {name: value for name, value in os.environ.items() if "COVERAGE" not in name}
    output = subprocess.run(
        [sys.executable, "-c", report], env=unmeasured, capture_output=True, text=True, check=True
    ).stdout
    return set(output.split())


def test_only_the_subcommand_that_is_called_is_imported() -> None:
    loaded = loaded_by("jminesweeper.cli.main")
    assert not loaded & HEAVY
    assert not loaded & {f"jminesweeper.cli.{name}" for name in SUBCOMMANDS}


def test_a_server_loads_only_what_it_needs_to_listen() -> None:
    assert not loaded_by("jminesweeper.cli.server") & NOT_BEFORE_A_SERVER_LISTENS


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("jminesweeper se", "server"),
        ("jminesweeper cl", "client"),
        ("jminesweeper --v", "--version"),
    ],
)
def test_subcommands_and_options_complete(typed: str, completed: str) -> None:
    answer = completion("bash_complete", COMP_WORDS=typed, COMP_CWORD="1")
    assert answer == f"plain,{completed}\n"


def completion(instruction: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "jminesweeper"],
        env=os.environ | {"_JMINESWEEPER_COMPLETE": instruction} | environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize(
    ("names", "variable"),
    [
        (("--host",), "JMINESWEEPER_HOST"),
        (("-c", "--idle-timeout"), "JMINESWEEPER_IDLE_TIMEOUT"),
        (("--mouse/--no-mouse",), "JMINESWEEPER_MOUSE"),
    ],
)
def test_an_option_is_an_environment_variable_named_after_its_long_form(
    names: tuple[str, ...], variable: str
) -> None:
    @click.command()
    @option(*names)
    def say(**given: object) -> None:
        click.echo(" ".join(map(str, given.values())))

    assert CliRunner().invoke(say, env={variable: "1"}).output in {"1\n", "True\n"}
    assert variable in CliRunner().invoke(say, ["--help"]).output
