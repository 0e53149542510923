"""`jminesweeper doctor`: all the checks, and their result."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import shutil
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from itertools import cycle
from logging.handlers import BufferingHandler
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import click

from jminesweeper.bot.link import BotError, link_to
from jminesweeper.cli.options import Number, ServerAddress, how_to_install, option, version_option
from jminesweeper.cli.server import host_option, port_option
from jminesweeper.cli.stores import Place, StoreUrl, open_archive, open_store, store_option
from jminesweeper.client.address import Address
from jminesweeper.client.conversation import Profile
from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.protocol.packets import Start
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.listening import ListenError, open_listeners
from jminesweeper.server.tls import CertificateError, load_certificate
from jminesweeper.store.errors import Fault, StoreOpenError

LEAST_FREE: Final = 1 << 30
BESIDE_PLAYERS: Final = 64
"""Open files besides one for each player."""
SERVER_WAIT_S: Final = 5.0
DAY_S: Final = 86_400
SOON_DAYS: Final = 14
_MOST_WARNINGS: Final = 100

_GUEST: Final = Profile(Start(20, 10, 1))
_EXTRAS: Final[Mapping[str, tuple[str, str]]] = {
    "uvloop": ("fast", "a key press costs a tenth less"),
    "websockets": ("web", "the page in the browser works"),
    "redis": ("redis", "several hosts can share a store"),
}
_REMEDIES: Final[Mapping[Fault, str]] = {
    Fault.DAMAGED: "restore a backup, or run 'jminesweeper store check' to see what is left",
    Fault.DENIED: "correct the user and password in the address",
    Fault.BROKEN: "replace the disk, and restore a backup",
    Fault.FOREIGN: "name another one; this one is left as it is",
    Fault.FAILING: "look into the log of Redis",
    Fault.FORBIDDEN: "let the server's user read and write the file and its folder",
    Fault.FULL: "make room on the disk",
    Fault.LOADING: "wait, then try again",
    Fault.LOCKED: "stop the other process",
    Fault.NEWER: "install that version or a newer one",
    Fault.OUT_OF_MEMORY: "raise maxmemory in Redis",
    Fault.READ_ONLY: "name the master, or its Sentinels by redis+sentinel://",
    Fault.UNREACHABLE: "start Redis, or correct the address",
    Fault.UNREPLICATED: "connect a replica, or ask for fewer by ?replicas=",
}


class Note(NamedTuple):
    """What keeps nothing from starting, and what to do about it."""

    text: str
    remedy: str = ""


class ProblemError(JMinesweeperError):
    """What keeps a server from starting."""


Findings: TypeAlias = Iterator[str | Note]
"""What is fine, and what is worth a note; a problem is an error."""


def check_port(host: str, port: int) -> Findings:
    """Listen for a moment."""
    for listener in open_listeners(host, port):
        listener.close()
    yield f"{port} is free on {host or 'all interfaces'}"


def check_server(address: Address) -> Findings:
    """Ask a server for its first screen, as a client does."""

    async def greet() -> int:
        async with link_to(address, _GUEST, SERVER_WAIT_S) as link:
            return link.version

    yield f"{address} plays version {asyncio.run(greet())}"


def check_store(place: Place | None) -> Findings:
    """Check whether games can be stored, and whether they stay."""
    match place:
        case None:
            text = "games are lost when the server stops"
            yield Note(text, "name a file or Redis by --store")
        case StoreUrl():
            yield from _check_redis(place)
        case Path():
            yield from _check_file(place)


def _check_redis(place: StoreUrl) -> Findings:
    logger, heard = logging.getLogger("jminesweeper.store"), BufferingHandler(_MOST_WARNINGS)
    heard.setLevel(logging.WARNING)
    logger.addHandler(heard)
    try:
        open_store(place).close()
    finally:
        logger.removeHandler(heard)
    yield from [Note(warning.getMessage()) for warning in heard.buffer]
    yield f"{place} stores games durably"


def _check_file(path: Path) -> Findings:
    folder = next(each for each in path.absolute().parents if each.exists())
    for needed, mode in ((folder, os.W_OK | os.X_OK), (path, os.R_OK | os.W_OK)):
        if needed.exists() and not os.access(needed, mode):
            raise ProblemError(f"{needed} cannot be written: {_REMEDIES[Fault.FORBIDDEN]}")
    state = "will be made"
    if path.exists():
        with open_archive(path):
            state = "can be written"
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        text = f"only {free >> 20} MiB are free at {folder}"
        yield Note(text, "make room, or set --store-limit")
    yield f"{path} {state}, {free >> 30} GiB free"


def check_certificate(certificate: Path, key: Path, now_s: float) -> Findings:
    """See whether TLS can be served, and for how long."""
    days = int((certificate_end(certificate, key) - now_s) // DAY_S)
    text = f"{certificate} ends in {days} days"
    yield Note(text, "renew it, then send the server SIGHUP") if days < SOON_DAYS else text


def certificate_end(certificate: Path, key: Path) -> float:
    """Return when the certificate ends, in seconds since 1970; CertificateError if it is no use.

    A client finds it out by a handshake, and so does this, on memory alone. Whatever keeps TLS from
    being served, or a client from accepting it in any case, is an error. Who signed the certificate
    is not asked: a client may trust an authority that this machine does not.
    """
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = load_certificate(certificate, key).wrap_bio(outgoing, incoming, server_side=True)
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname = False
    trusting.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    trusting.load_verify_locations(certificate)
    client = trusting.wrap_bio(incoming, outgoing)
    try:
        for end in cycle((client, server)):
            with suppress(ssl.SSLWantReadError):
                end.do_handshake()
                if end is client:
                    break
    except ssl.SSLCertVerificationError as error:
        raise CertificateError(f"{certificate}: {error.verify_message}.") from error
    except ssl.SSLError as error:
        reason = (error.reason or "broken").replace("_", " ").lower()
        raise CertificateError(f"{certificate} cannot be used for TLS: {reason}.") from error
    shown = client.getpeercert() or {}
    return ssl.cert_time_to_seconds(str(shown["notAfter"]))


def check_files(max_connections: int) -> Findings:
    """See whether as many sockets may be open as players may come."""
    _soft, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max_connections + BESIDE_PLAYERS
    is_limited = limit != resource.RLIM_INFINITY
    if is_limited and limit < wanted:
        text = f"{limit} may be open, {max_connections} players need {wanted}"
        raise ProblemError(f"{text}: raise ulimit -Hn, or set LimitNOFILE=")
    yield f"{limit if is_limited else 'any number'} may be open"


def check_extras() -> Findings:
    """See what is installed beside the base."""
    for module, (extra, gain) in _EXTRAS.items():
        if find_spec(module) is not None:
            yield f"{module} is installed: {gain}"
        else:
            yield Note(f"{module} is not installed; with it {gain}", how_to_install(extra))


def diagnose(subject: str, findings: Findings, remedy: str = "") -> bool:
    """Print what is found about a subject; return whether there is no problem."""
    try:
        for found in findings:
            match found:
                case Note(text, advice):
                    _print("note", subject, text, advice)
                case text:
                    _print("ok", subject, text)
    except (BotError, CertificateError, ListenError, ProblemError) as error:
        _print("fail", subject, str(error), remedy)
        return False
    except (StoreOpenError, click.ClickException) as error:
        # Without the extra for Redis there is no fault, and the error says what to do.
        cause = error if isinstance(error, StoreOpenError) else error.__cause__
        remedy = _REMEDIES.get(cause.fault, "") if isinstance(cause, StoreOpenError) else ""
        _print("fail", subject, str(error), remedy)
        return False
    return True


def _print(grade: str, subject: str, text: str, remedy: str = "") -> None:
    click.echo(f"{grade:<5}{subject:<13}{': '.join(filter(None, (text.rstrip('.'), remedy)))}")


PROBLEMS_FOUND: Final = 1
_FILE: Final = click.Path(path_type=Path)


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
    type=Number(0),
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
    in_use = "ask that server by --server, or stop it, or choose another by --port"
    outcomes = [
        diagnose("port", check_port(host, port), in_use)
        if server is None
        else diagnose("server", check_server(server), "start it, or correct the address"),
        diagnose("store", check_store(store)),
        diagnose("files", check_files(max_connections)),
        diagnose("extra", check_extras()),
    ]
    if tls_cert is not None:
        pair = check_certificate(tls_cert, tls_key or tls_cert, time.time())
        outcomes.append(diagnose("certificate", pair, "name another pair"))
    if not all(outcomes):
        context.exit(PROBLEMS_FOUND)
