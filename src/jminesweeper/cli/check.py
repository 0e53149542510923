"""`jminesweeper check`: the protocol as checks of any server and any client."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import tee
from typing import TypeVar

import click

from jminesweeper.check.catalogue import CLIENT_CHECKS, SERVER_CHECKS, checks_for
from jminesweeper.check.client_under_test import ClientUnderTest
from jminesweeper.check.report import as_json, as_text
from jminesweeper.check.server_under_test import ServerProcess, ServerUnderTest
from jminesweeper.check.suite import (
    RESTARTED_SECONDS,
    Budget,
    Finding,
    NoConnectionError,
    ProtocolCheck,
    Subject,
    run_checks,
)
from jminesweeper.cli.options import ServerAddress
from jminesweeper.client.address import Address

_S = TypeVar("_S", bound=Subject)


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


def _complete_name(
    _context: click.Context, _option: click.Parameter, incomplete: str
) -> Sequence[str]:
    names = [check.name for check in SERVER_CHECKS] + [check.name for check in CLIENT_CHECKS]
    return [name for name in names if name.startswith(incomplete)]


@click.command(
    "check",
    epilog="""
    \b
    Examples:
      jminesweeper check 127.0.0.1:9999
      jminesweeper check 127.0.0.1:9999 --only quit-closes-without-a-reply
      jminesweeper check 127.0.0.1:9999 --restart 'java -jar server.jar'
      jminesweeper check --client './my-client {host} {port}'

    The exit code is 0 if all checks pass, 1 if one does not, and 2 if there is nothing to check.
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
    "--only",
    metavar="NAME",
    multiple=True,
    shell_complete=_complete_name,
    help="Run this check; may be repeated.",
)
@click.option("--json", "in_json", is_flag=True, help="Print one JSON object.")
def check_command(
    *,
    server: Address | None,
    command: Sequence[str] | None,
    restart: Sequence[str] | None,
    wire: str | None,
    only: Sequence[str],
    in_json: bool,
) -> None:
    """Check whether a server or a client keeps to the protocol.

    Each check has a name and proves a clause of docs/protocol.md. Where one fails, it says what was
    sent, what came, and what was expected.
    """
    with ExitStack() as stack:
        if server is not None and command is None:
            facts, findings = _check_server(stack, server, restart, wire, only)
        elif command is not None and (server, restart, wire) == (None, None, None):
            client = ClientUnderTest(_runnable(command), Budget(RESTARTED_SECONDS))
            checks = _choose(CLIENT_CHECKS, only)
            facts = {"client": shlex.join(command)}
            findings = run_checks(checks, stack.enter_context(client), client.budget)
        else:
            wanted = "HOST:PORT or --client COMMAND, the latter without --wire and --restart"
            raise click.UsageError(f"Give either {wanted}.")
        # Each is printed as soon as it is known.
        printed, seen = tee(findings)
        for line in as_json(facts, printed) if in_json else as_text(facts, printed):
            click.echo(line)
    sys.exit(not all(finding.is_fine for finding in seen))


def _check_server(
    stack: ExitStack,
    address: Address,
    restart: Sequence[str] | None,
    wire: str | None,
    only: Sequence[str],
) -> tuple[Mapping[str, str], Iterator[Finding]]:
    chosen = _choose(SERVER_CHECKS, only)
    process = ServerProcess(_runnable(restart)) if restart else None
    server = ServerUnderTest(address, Budget(RESTARTED_SECONDS) if restart else Budget(), process)
    stack.enter_context(closing(server))
    try:
        habits = server.learn()
    except NoConnectionError as error:
        raise NothingToCheckError(f"{address}: {error.came}.") from error
    known = checks_for(habits.version, int(wire) if wire else None)
    checks = [check for check in known if check in chosen]
    if not checks:
        raise NothingToCheckError(f"No check of that name is for version {habits.version}.")
    return {"server": str(address), **habits.facts()}, run_checks(checks, server, server.budget)


def _runnable(command: Sequence[str]) -> Sequence[str]:
    if shutil.which(command[0]) is None:
        raise NothingToCheckError(f"There is no program {command[0]}.")
    return command


def _choose(
    checks: Sequence[ProtocolCheck[_S]], only: Sequence[str]
) -> Sequence[ProtocolCheck[_S]]:
    """Return the checks of these names; all if none is named."""
    by_name = {check.name: check for check in checks}
    for name in only:
        if name not in by_name:
            known = "\n  ".join(by_name)
            raise click.UsageError(f"There is no check {name!r}. There are:\n  {known}")
    return [by_name[name] for name in only] or checks
