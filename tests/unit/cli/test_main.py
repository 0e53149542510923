import os
import signal
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner, Result

from jminesweeper import __version__
from jminesweeper.cli.main import SUBCOMMANDS, load, main

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


def test_help_lists_every_subcommand_and_shows_examples() -> None:
    output = run("--help").output
    assert "Examples:" in output
    for name, summary in SUBCOMMANDS.items():
        assert f"  {name}" in output
        assert summary in output


def test_the_short_help_option_works_as_well() -> None:
    assert run("-h").output == run("--help").output


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").output == f"JMinesweeper {__version__}\n"


def test_an_unknown_subcommand_is_a_usage_error() -> None:
    result = run("dig")
    assert result.exit_code == 2
    assert "No such command 'dig'" in result.output


@pytest.mark.parametrize("name", ["client", "server"])
def test_what_the_run_scripts_start_knows_its_version(name: str) -> None:
    assert run(name, "--version").output == f"JMinesweeper {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("client", "--preset", "foo"),
        ("client", "--daily", "--preset", "foo"),
        ("bot", "--preset", "foo"),
        ("scores", "--preset", "foo"),
        ("scores", "--daily", "foo"),
        ("client", "--plain", "--daily", "expert"),
        ("client", "--plain", "--preset", "expert", "--mines", "9"),
        ("bot", "--preset", "expert", "--mines", "9"),
    ],
)
def test_what_names_no_board_is_refused_by_every_command(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.output


@pytest.mark.parametrize("name", ["client", "server"])
def test_every_option_of_what_the_run_scripts_start_is_a_variable(name: str) -> None:
    variables = [each.envvar for each in load(name).params if each.name != "version"]
    assert None not in variables
    # A client's seed is a board, a server's a series of them.
    assert ("JMINESWEEPER_SEED" in variables) is (name == "client")


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_loads_and_its_first_line_of_help_is_the_one_listed(name: str) -> None:
    command = load(name)
    assert command.name == name
    assert command.get_short_help_str(limit=200) == SUBCOMMANDS[name]


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_every_subcommand_explains_itself(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"Usage: jminesweeper {name}" in result.output
    assert "\\b" not in result.output  # a paragraph meant to keep its lines, in a raw string


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


def test_the_module_runs_as_the_command() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "jminesweeper", "--help"], capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith("Usage: jminesweeper [OPTIONS]")


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
