"""`jminesweeper doctor`: all the checks, and their result."""

from __future__ import annotations

import time
from itertools import chain
from pathlib import Path

import click

from jminesweeper.cli.addresses import ServerAddress
from jminesweeper.cli.checks import (
    Grade,
    check_certificate,
    check_extras,
    check_files,
    check_port,
    check_server,
    check_store,
)
from jminesweeper.cli.options import option, version_option
from jminesweeper.cli.places import Place, store_option
from jminesweeper.cli.server import host_option, port_option
from jminesweeper.client.address import Address
from jminesweeper.server.config import ServerConfig

PROBLEMS_FOUND = 1
_FILE = click.Path(path_type=Path)


@click.command("doctor")
@click.option("--server", type=ServerAddress(), help="Ask this running server, too.")
@host_option("Where the server will listen.")
@port_option("Its TCP port.")
@store_option(
    "Where it will store games: a file, an address of Redis, or memory.", may_be_memory=True
)
@option("--tls-cert", type=_FILE, metavar="FILE", help="Its certificate chain, if it serves TLS.")
@option("--tls-key", type=_FILE, metavar="FILE", help="The certificate's key.")
@option(
    "--max-connections",
    type=click.IntRange(0),
    default=ServerConfig().max_connections,
    help="How many players it will let in.",
)
@version_option
@click.pass_context
def doctor_command(
    context: click.Context,
    *,
    server: Address | None,
    host: str,
    port: int,
    store: Place | None,
    tls_cert: Path | None,
    tls_key: Path | None,
    max_connections: int,
) -> None:
    """Check what a server needs, and say what to do about each problem.

    Takes the server's options and variables. With --server the port is not tried, because that
    server has it. The exit code is 1 if something keeps a server from starting.
    """
    diagnoses = chain(
        check_port(host, port) if server is None else check_server(server),
        check_store(store),
        check_certificate(tls_cert, tls_key or tls_cert, time.time()) if tls_cert else (),
        check_files(max_connections),
        check_extras(),
    )
    has_problem = False
    for diagnosis in diagnoses:
        click.echo(str(diagnosis))
        has_problem |= diagnosis.grade is Grade.PROBLEM
    if has_problem:
        context.exit(PROBLEMS_FOUND)
