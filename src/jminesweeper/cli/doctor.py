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
from contextlib import contextmanager, suppress
from enum import Enum
from importlib.util import find_spec
from itertools import chain, cycle
from logging.handlers import BufferingHandler
from pathlib import Path
from typing import Final, NamedTuple

import click

from jminesweeper.bot.link import BotError, link_to
from jminesweeper.cli.options import Number, ServerAddress, how_to_install, option, version_option
from jminesweeper.cli.places import Place, StoreUrl, store_option
from jminesweeper.cli.server import host_option, port_option
from jminesweeper.cli.stores import open_archive, open_store
from jminesweeper.client.address import Address
from jminesweeper.client.profile import Profile
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


class Grade(Enum):
    """How a check ended."""

    FINE = "ok"
    ADVICE = "note"
    PROBLEM = "fail"


class Diagnosis(NamedTuple):
    """What a check found, and what to do about it."""

    grade: Grade
    subject: str
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        remedy = f": {self.remedy}" if self.remedy else ""
        return f"{self.grade.value:<5}{self.subject:<13}{self.text}{remedy}"


def check_port(host: str, port: int) -> Iterator[Diagnosis]:
    """Listen for a moment."""
    try:
        for listener in open_listeners(host, port):
            listener.close()
    except ListenError as error:
        remedy = "ask that server by --server, or stop it, or choose another by --port"
        yield Diagnosis(Grade.PROBLEM, "port", str(error).rstrip("."), remedy)
    else:
        where = host or "all interfaces"
        yield Diagnosis(Grade.FINE, "port", f"{port} is free on {where}")


def check_server(address: Address) -> Iterator[Diagnosis]:
    """Ask a server for its first screen, as a client does."""

    async def greet() -> int:
        async with link_to(address, _GUEST, SERVER_WAIT_S) as link:
            return link.version

    try:
        version = asyncio.run(greet())
    except BotError as error:
        remedy = "start it, or correct the address"
        yield Diagnosis(Grade.PROBLEM, "server", str(error).rstrip("."), remedy)
    else:
        yield Diagnosis(Grade.FINE, "server", f"{address} plays version {version}")


def check_store(place: Place | None) -> Iterator[Diagnosis]:
    """Check whether games can be stored, and whether they stay."""
    match place:
        case None:
            text = "games are lost when the server stops"
            yield Diagnosis(Grade.ADVICE, "store", text, "name a file or Redis by --store")
        case StoreUrl():
            yield from _check_redis(place)
        case Path():
            yield from _check_file(place)


def _check_redis(place: StoreUrl) -> Iterator[Diagnosis]:
    with _heard_from("jminesweeper.store") as warnings:
        try:
            open_store(place).close()
        except StoreOpenError as error:
            remedy = _REMEDIES.get(error.fault, "")
            yield Diagnosis(Grade.PROBLEM, "store", str(error).rstrip("."), remedy)
        except click.ClickException as error:  # The extra is missing.
            yield Diagnosis(Grade.PROBLEM, "store", error.message)
        else:
            for warning in warnings:
                yield Diagnosis(Grade.ADVICE, "store", warning.getMessage())
            yield Diagnosis(Grade.FINE, "store", f"{place} stores games durably")


def _check_file(path: Path) -> Iterator[Diagnosis]:
    folder = next(each for each in path.absolute().parents if each.exists())
    remedy = _REMEDIES[Fault.FORBIDDEN]
    if not os.access(folder, os.W_OK | os.X_OK):
        yield Diagnosis(Grade.PROBLEM, "store", f"{folder} cannot be written", remedy)
        return
    if path.exists():
        if not os.access(path, os.R_OK | os.W_OK):
            yield Diagnosis(Grade.PROBLEM, "store", f"{path} cannot be written", remedy)
            return
        try:
            with open_archive(path):
                pass
        except click.ClickException as error:
            cause = error.__cause__
            remedy = _REMEDIES.get(cause.fault, "") if isinstance(cause, StoreOpenError) else ""
            yield Diagnosis(Grade.PROBLEM, "store", error.message.rstrip("."), remedy)
            return
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        text = f"only {free >> 20} MiB are free at {folder}"
        yield Diagnosis(Grade.ADVICE, "store", text, "make room, or set --store-limit")
    state = "can be written" if path.exists() else "will be made"
    yield Diagnosis(Grade.FINE, "store", f"{path} {state}, {free >> 30} GiB free")


def check_certificate(certificate: Path, key: Path, now_s: float) -> Iterator[Diagnosis]:
    """See whether TLS can be served, and for how long."""
    try:
        days = int((certificate_end(certificate, key) - now_s) // DAY_S)
    except CertificateError as error:
        yield Diagnosis(Grade.PROBLEM, "certificate", str(error).rstrip("."), "name another pair")
        return
    text = f"{certificate} ends in {days} days"
    if days < SOON_DAYS:
        yield Diagnosis(Grade.ADVICE, "certificate", text, "renew it, then send the server SIGHUP")
    else:
        yield Diagnosis(Grade.FINE, "certificate", text)


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


def check_files(max_connections: int) -> Iterator[Diagnosis]:
    """See whether as many sockets may be open as players may come."""
    _soft, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max_connections + BESIDE_PLAYERS
    if limit != resource.RLIM_INFINITY and limit < wanted:
        text = f"{limit} may be open, {max_connections} players need {wanted}"
        yield Diagnosis(Grade.PROBLEM, "files", text, "raise ulimit -Hn, or set LimitNOFILE=")
    else:
        many = "any number" if limit == resource.RLIM_INFINITY else str(limit)
        yield Diagnosis(Grade.FINE, "files", f"{many} may be open")


def check_extras() -> Iterator[Diagnosis]:
    """See what is installed beside the base."""
    for module, (extra, gain) in _EXTRAS.items():
        if find_spec(module) is not None:
            yield Diagnosis(Grade.FINE, "extra", f"{module} is installed: {gain}")
        else:
            text = f"{module} is not installed; with it {gain}"
            yield Diagnosis(Grade.ADVICE, "extra", text, how_to_install(extra))


@contextmanager
def _heard_from(name: str) -> Iterator[list[logging.LogRecord]]:
    """Collect a part's warnings instead of printing them."""
    logger, listener = logging.getLogger(name), BufferingHandler(_MOST_WARNINGS)
    listener.setLevel(logging.WARNING)
    before = logger.propagate
    logger.addHandler(listener)
    logger.propagate = False
    try:
        yield listener.buffer
    finally:
        logger.removeHandler(listener)
        logger.propagate = before


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
