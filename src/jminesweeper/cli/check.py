"""`jminesweeper check`: the protocol as checks of any server and any client."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from importlib import import_module
from itertools import tee

import click

from jminesweeper.check.checker import CLIENT_CHECKS, SERVER_CHECKS, NoCheckError, check_server
from jminesweeper.check.client import ClientUnderTest
from jminesweeper.check.server import ServerProcess, ServerUnderTest
from jminesweeper.check.suite import (
    Budget,
    CheckVerdict,
    NoConnectionError,
    as_json,
    as_text,
    run_checks,
)
from jminesweeper.cli.options import ServerAddress, pyte_is_needed
from jminesweeper.client.address import Address

SERVER_NAMES = [check.name for check in SERVER_CHECKS]
CLIENT_NAMES = [check.name for check in CLIENT_CHECKS]
NO_TIME_LEFT = 3
"""The exit code if all is well so far, and the time was too short for the rest."""


class NothingToCheckError(click.ClickException):
    """There is no server, or no check is left."""

    exit_code = 2


def _read_command(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> Sequence[str] | None:
    if text is None:
        return None
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise click.BadParameter(f"{text} cannot be split into words: {error}.") from error
    if not words:
        raise click.BadParameter("A command has at least one word.")
    return words


def require_program(command: Sequence[str] | None) -> None:
    if command and shutil.which(command[0]) is None:
        raise NothingToCheckError(f"There is no program {command[0]}.")


@click.command(
    "check",
    epilog="""
    \b
    Examples:
      jminesweeper check 127.0.0.1:9999
      jminesweeper check 127.0.0.1:9999 --only quit-closes-without-a-reply
      jminesweeper check 127.0.0.1:9999 --restart 'java -jar server.jar'
      jminesweeper check --client './my-client {host} {port}'

    The exit code is 0 if all checks pass, 1 if one does not, 2 if there is nothing to check, and 3
    if none failed, but the time was too short for all of them.
    """,
)
@click.argument("server", metavar="[HOST:PORT]", type=ServerAddress(), required=False)
@click.option(
    "--client",
    "command",
    metavar="COMMAND",
    callback=_read_command,
    help="Check a client: run this command; {host} and {port}, or {address}, are filled in.",
)
@click.option(
    "--restart",
    metavar="COMMAND",
    callback=_read_command,
    help="Start the server anew for each connection, by this command: for one that ends with it.",
)
@click.option(
    "--wire",
    type=click.Choice(["1", "2"]),
    help="Check this version of the protocol alone; by default what the server announces.",
)
@click.option(
    "--unknown",
    "with_unknown",
    is_flag=True,
    help="Also send packets of unknown types, last of all: some servers end on them.",
)
@click.option(
    "--time",
    "time_s",
    metavar="SECONDS",
    type=click.FloatRange(1, min_open=False),
    help="Take no longer than this; by default a server far away is given more time.",
)
@click.option(
    "--only",
    metavar="NAME",
    multiple=True,
    shell_complete=lambda _context, _option, incomplete: [
        name for name in SERVER_NAMES + CLIENT_NAMES if name.startswith(incomplete)
    ],
    help="Run this check; may be repeated.",
)
@click.option("--json", "in_json", is_flag=True, help="Print one JSON object.")
def check_command(
    *,
    server: Address | None,
    command: Sequence[str] | None,
    restart: Sequence[str] | None,
    wire: str | None,
    with_unknown: bool,
    time_s: float | None,
    only: Sequence[str],
    in_json: bool,
) -> None:
    """Check whether a server or a client keeps to the protocol.

    Each check has a name and proves a clause of docs/protocol.md. Where one fails, it says what was
    sent, what came, and what was expected.
    """
    require_program(command or restart)
    with pyte_is_needed("This command"):
        import_module("pyte")
    known = SERVER_NAMES if command is None else CLIENT_NAMES
    for name in only:
        if name not in known:
            names = "\n  ".join(known)
            raise click.UsageError(f"There is no check {name!r}. There are:\n  {names}")
    budget = Budget(time_s) if time_s else None
    with ExitStack() as stack:
        if server is not None and command is None:
            process = ServerProcess(restart) if restart else None
            subject = stack.enter_context(closing(ServerUnderTest(server, budget, process)))
            try:
                facts, findings = check_server(
                    subject, int(wire or 0), only, with_unknown=with_unknown
                )
            except NoConnectionError as error:
                raise NothingToCheckError(f"{server}: {error.came}.") from error
            except NoCheckError as error:
                raise NothingToCheckError(str(error)) from error
        elif command is not None and (server, restart, wire) == (None, None, None):
            client = stack.enter_context(ClientUnderTest(command, budget))
            checks = [check for check in CLIENT_CHECKS if not only or check.name in only]
            facts = {"client": shlex.join(command)}
            findings = run_checks(checks, client, client.budget)
        else:
            wanted = "HOST:PORT or --client COMMAND, the latter without --wire and --restart"
            raise click.UsageError(f"Give either {wanted}.")
        # Each is printed as soon as it is known.
        printed, seen = tee(findings)
        for line in as_json(facts, printed) if in_json else as_text(facts, printed):
            click.echo(line)
    verdicts = {finding.verdict for finding in seen}
    if CheckVerdict.FAILED in verdicts:
        sys.exit(1)
    sys.exit(NO_TIME_LEFT if CheckVerdict.NOT_RUN in verdicts else 0)
