"""`jminesweeper check`: the protocol as checks of any server and any client."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

import click

from jminesweeper.check.client import CLIENT_CHECKS
from jminesweeper.check.client_under_test import ClientUnderTest
from jminesweeper.check.deviation import NoConnectionError
from jminesweeper.check.report import as_json, as_tap, as_text
from jminesweeper.check.server import SERVER_CHECKS, checks_for
from jminesweeper.check.server_under_test import ServerUnderTest
from jminesweeper.check.suite import Budget, Finding, ProtocolCheck, Subject, run_checks
from jminesweeper.client.address import Address
from jminesweeper.client.errors import AddressError

_S = TypeVar("_S", bound=Subject)

_FORMS: Final[Mapping[str, Callable[[Mapping[str, str], Iterable[Finding]], Iterator[str]]]] = {
    "text": as_text,
    "json": as_json,
    "tap": as_tap,
}


class NothingToCheckError(click.ClickException):
    """There is no server, or no check is left."""

    exit_code = 2


def _read_address(
    _context: click.Context, _argument: click.Parameter, text: str | None
) -> Address | None:
    try:
        return None if text is None else Address.parse(text)
    except AddressError as error:
        raise click.BadParameter(str(error)) from error


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


@click.command(
    "check",
    context_settings={"max_content_width": 100},
    epilog="""
    \b
    Examples:
      jminesweeper check 127.0.0.1:9999
      jminesweeper check 127.0.0.1:9999 --only quit-closes-without-a-reply
      jminesweeper check --client './my-client {host} {port}'

    The exit code is 0 if all checks pass, 1 if one does not, and 2 if there is nothing to check.
    """,
)
@click.argument("server", metavar="[HOST:PORT]", required=False, callback=_read_address)
@click.option(
    "--client",
    "command",
    metavar="COMMAND",
    callback=_read_command,
    help="Check a client: run this command; {host} and {port}, or {address}, are filled in.",
)
@click.option(
    "--wire",
    type=click.Choice(["1", "2"]),
    help="Check this version of the protocol alone; by default what the server announces.",
)
@click.option("--only", metavar="NAME", multiple=True, help="Run this check; may be repeated.")
@click.option("--json", "form", flag_value="json", help="Print one JSON object.")
@click.option("--tap", "form", flag_value="tap", help="Print lines of the Test Anything Protocol.")
def check_command(
    *,
    server: Address | None,
    command: Sequence[str] | None,
    wire: str | None,
    only: Sequence[str],
    form: str | None,
) -> None:
    """Check whether a server or a client keeps to the protocol.

    Each check has a name and proves a clause of docs/protocol.md. Where one fails, it says what was
    sent, what came, and what was expected.
    """
    budget = Budget()
    if server is not None and command is None:
        facts, findings = _check_server(server, wire, only, budget)
    elif command is not None and server is None and wire is None:
        facts, findings = _check_client(command, only, budget)
    else:
        raise click.UsageError(
            "Give either HOST:PORT or --client COMMAND, the latter without --wire."
        )
    seen: list[Finding] = []
    for line in _FORMS[form or "text"](facts, _noting(findings, seen)):
        click.echo(line)
    sys.exit(not all(finding.is_fine for finding in seen))


def _check_server(
    address: Address, wire: str | None, only: Sequence[str], budget: Budget
) -> tuple[Mapping[str, str], Iterator[Finding]]:
    chosen = _choose(SERVER_CHECKS, only)
    server = ServerUnderTest(address, budget)
    try:
        habits = server.learn()
    except NoConnectionError as error:
        raise NothingToCheckError(f"{address}: {error.came}.") from error
    checks = [
        check
        for check in checks_for(habits.version, int(wire) if wire else None)
        if check in chosen
    ]
    if not checks:
        raise NothingToCheckError(f"No check of that name is for version {habits.version}.")
    return {"server": str(address), **habits.facts()}, run_checks(checks, server, budget)


def _check_client(
    command: Sequence[str], only: Sequence[str], budget: Budget
) -> tuple[Mapping[str, str], Iterator[Finding]]:
    chosen = _choose(CLIENT_CHECKS, only)
    if shutil.which(command[0]) is None:
        raise NothingToCheckError(f"There is no program {command[0]}.")
    return {"client": shlex.join(command)}, _run_client(chosen, command, budget)


def _run_client(
    checks: Sequence[ProtocolCheck[ClientUnderTest]], command: Sequence[str], budget: Budget
) -> Iterator[Finding]:
    with ClientUnderTest(command, budget) as client:
        yield from run_checks(checks, client, budget)


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


def _noting(findings: Iterable[Finding], seen: list[Finding]) -> Iterator[Finding]:
    for finding in findings:
        seen.append(finding)
        yield finding
