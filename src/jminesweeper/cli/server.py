"""`jminesweeper server`: options to a server process, and the lines with which its log begins.

The lines name what is missing or scarce, and a certificate that ends soon. None of it keeps a
server from starting; what does is an error, which says what to do.
"""

from __future__ import annotations

import logging
import os
import resource
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import click

from jminesweeper import __version__
from jminesweeper.cli.backends import BackendOptions, open_backend
from jminesweeper.cli.options import (
    Decorated,
    ListenPlace,
    Number,
    Quantity,
    how_to_install,
    option,
    version_option,
)
from jminesweeper.cli.stores import Place, StoreUrl, default_store_path, store_option
from jminesweeper.server.config import (
    ALL_INTERFACES,
    DEFAULT_PORT,
    AdminConfig,
    HostKeyError,
    Network,
    ServerConfig,
    SshConfig,
)
from jminesweeper.server.door import CertificateError, certificate_end, load_certificate
from jminesweeper.server.listening import ListenError
from jminesweeper.server.logs import LogFormat, logging_to_stderr
from jminesweeper.server.process import run_server
from jminesweeper.store.port import StoreOpenError
from jminesweeper.store.sqlite import sole_server

LOG_LEVELS = ("debug", "info", "warning", "error")
DEFAULTS = ServerConfig()
DEFAULT_BACKEND = BackendOptions()
_FILE = click.Path(dir_okay=False, path_type=Path)
_OF_SERVER = (
    *("host", "port", "max_connections", "max_per_address", "idle_timeout_s"),
    *("silence_timeout_s", "proxies", "public_url"),
)
_OF_BACKEND = ("seed", "store", "workers", "worker_memory_mib")
"""Options with the names of the arguments that they set."""


class NetworkType(click.ParamType[Network]):
    """An address, or a network of them."""

    name = "cidr"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Network:
        try:
            return ip_network(value)
        except ValueError:
            self.fail(f"{value} is not a network such as 10.0.0.0/8.", param, ctx)


def host_option(text: str) -> Callable[[Decorated], Decorated]:
    return option("--host", default=ALL_INTERFACES, show_default="all interfaces", help=text)


def port_option(text: str) -> Callable[[Decorated], Decorated]:
    return option("--port", type=Number(0, 65535), default=DEFAULT_PORT, help=text)


@click.command("server")
@host_option("Name or address to listen on.")
@port_option("TCP port; 0: any free one.")
@option(
    "--max-connections",
    type=Number(0),
    default=DEFAULTS.max_connections,
    help="Players at a time; 0: no limit.",
)
@option(
    "--max-per-address",
    type=Number(0),
    default=DEFAULTS.max_per_address,
    help="Players at a time from one address; 0: no limit.",
)
@option(
    "--idle-timeout",
    "idle_timeout_s",
    type=Quantity(0, min_open=True),
    default=DEFAULTS.idle_timeout_s,
    help="Seconds without a packet after which a player is disconnected.",
)
@option(
    "--tls-cert",
    type=_FILE,
    metavar="FILE",
    help="Serve TLS on the same port, too, with this certificate chain; SIGHUP reads it again.",
)
@option(
    "--tls-key",
    type=_FILE,
    metavar="FILE",
    show_default="in the file of the certificate",
    help="The certificate's key.",
)
@option(
    "--proxy-from",
    "proxies",
    type=NetworkType(),
    multiple=True,
    metavar="CIDR",
    help="Connections from here are a proxy's, and begin with a header of PROXY protocol 2.",
)
@option(
    "--public-url",
    metavar="URL",
    default="",
    help="Where browsers find the page, by a name or behind a proxy: https://example.org/mines/.",
)
@option(
    "--silence-timeout",
    "silence_timeout_s",
    type=Quantity(0, min_open=True),
    default=DEFAULTS.silence_timeout_s,
    help="Seconds that a new connection may take to its first packet.",
)
@option(
    "--no-ssh",
    is_flag=True,
    help="Let nobody in by SSH, also where the extra `ssh` is installed.",
)
@option(
    "--ssh-key",
    type=_FILE,
    metavar="FILE",
    show_default="ssh_host_key beside the store",
    help="The SSH host key; made where there is none. Servers of one store share it.",
)
@option(
    "--max-ssh",
    type=Number(0),
    default=SshConfig.max_players,
    help="Players by SSH at a time; 0: no limit.",
)
@option(
    "--ssh-logins",
    type=Number(1),
    default=SshConfig.max_logins_per_address,
    help="SSH logins under way at a time from one address.",
)
@option("--no-debug-mode", is_flag=True, help="Forbid debug mode, which shows the mines.")
@option(
    "--seed",
    variable="JMINESWEEPER_SERVER_SEED",
    type=int,
    help="Every connection gets the same series of boards.",
)
@store_option(
    "Where games and players are stored: a file, or Redis by its address (redis://HOST). "
    "memory: only until the server stops.",
    may_be_memory=True,
)
@option(
    "--store-limit",
    type=Number(0),
    default=0,
    metavar="MIB",
    help="Largest size of the store in MiB; above it the oldest games go. 0: no limit.",
)
@option(
    "--workers",
    type=Number(0, 64),
    default=2,
    help="Processes for hints and boards without guesses, started when needed; 0: have none.",
)
@option(
    "--worker-memory",
    "worker_memory_mib",
    type=Number(64),
    default=DEFAULT_BACKEND.worker_memory_mib,
    metavar="MIB",
    help="Memory for each of these processes; work that needs more is given up.",
)
@option(
    "--admin",
    type=ListenPlace(),
    help="Where to serve /healthz and /metrics; of a port alone: on this machine only.",
)
@option(
    "--health-needs-store",
    is_flag=True,
    help="/healthz fails while the store cannot be used.",
)
@option(
    "--log-format",
    type=click.Choice([style.value for style in LogFormat]),
    default=LogFormat.TEXT.value,
    help="How log lines look.",
)
@option(
    "--log-level",
    type=click.Choice(LOG_LEVELS, case_sensitive=False),
    default="info",
    help="The least level that is logged.",
)
@version_option
def server_command(**given: Any) -> None:
    """Let players on the network play, each their own game.

    Logs to standard error. SIGTERM and Ctrl-C say goodbye to every player and stop the server;
    a second one stops it at once.
    """
    store, certificate, key = given["store"], given["tls_cert"], given["tls_key"]
    admin, public_url = given["admin"], given["public_url"]
    if given["store_limit"] and isinstance(store, StoreUrl):
        raise click.UsageError("--store-limit is for a file; on Redis, set maxmemory.")
    if key is not None and certificate is None:
        raise click.UsageError("--tls-key needs --tls-cert.")
    if public_url and urlsplit(public_url).scheme not in {"http", "https"}:
        raise click.UsageError("--public-url begins with http:// or https://.")
    config = ServerConfig(
        admin=admin
        and AdminConfig(admin.host, admin.port, given["health_needs_store"], __version__),
        tls_files=None if certificate is None else (certificate, key or certificate),
        **{name: given[name] for name in _OF_SERVER},
    )
    options = BackendOptions(
        debug_allowed=not given["no_debug_mode"],
        store_limit_bytes=given["store_limit"] << 20 or None,
        ssh=_ssh(given),
        **{name: given[name] for name in _OF_BACKEND},
    )
    try:
        with logging_to_stderr(LogFormat(given["log_format"]), given["log_level"]):
            log_readiness(config, store, time.time())
            with sole_server(store) if isinstance(store, Path) else nullcontext():
                run_server(config, partial(open_backend, options))
    except (CertificateError, HostKeyError, ListenError, StoreOpenError) as error:
        raise click.ClickException(str(error)) from error


def _ssh(given: Mapping[str, Any]) -> SshConfig | None:
    """Return how players come in by SSH; None if they do not."""
    has_library = find_spec("asyncssh") is not None
    if given["ssh_key"] is not None and not has_library:
        raise click.UsageError("--ssh-key needs the extra `ssh`: pip install 'jminesweeper[ssh]'.")
    if given["no_ssh"] or not has_library:
        return None
    store = given["store"] if isinstance(given["store"], Path) else default_store_path()
    key = given["ssh_key"] or store.with_name("ssh_host_key")
    return SshConfig(key, given["max_ssh"], given["ssh_logins"])


# The first lines of the log

LEAST_FREE: Final = 1 << 30
BESIDE_PLAYERS: Final = 64
"""Open files besides one for each player."""
SOON_DAYS: Final = 14
_DAY_S: Final = 86_400
_EXTRAS: Final = {
    "uvloop": ("fast", "a key press costs a tenth less"),
    "websockets": ("web", "browsers get a page to play on"),
    "asyncssh": ("ssh", "players come by ssh, without a client"),
}

logger = logging.getLogger("jminesweeper.server")


def log_readiness(config: ServerConfig, store: Place | None, now_s: float) -> None:
    """Log what an operator should know before players come; CertificateError if there is no TLS."""
    for module, (extra, gain) in _EXTRAS.items():
        if find_spec(module) is None:
            logger.info("without %s; with it %s: %s", module, gain, how_to_install(extra))
    _soft, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    players = config.max_connections
    if limit != resource.RLIM_INFINITY and limit < players + BESIDE_PLAYERS:
        logger.warning(
            "%d files may be open, %d players need %d: raise ulimit -Hn, or set LimitNOFILE=",
            *(limit, players, players + BESIDE_PLAYERS),
        )
    if isinstance(store, Path):
        folder = next(each for each in store.absolute().parents if each.exists())
        disk = os.statvfs(folder)
        free = disk.f_bavail * disk.f_frsize
        if free < LEAST_FREE:
            advice = "make room, or set --store-limit"
            logger.warning("only %d MiB are free at %s: %s", free >> 20, folder, advice)
    if config.tls_files is None:
        return
    load_certificate(*config.tls_files)
    try:
        days = int((certificate_end(*config.tls_files) - now_s) // _DAY_S)
    except CertificateError as error:
        logger.warning("clients will refuse the certificate: %s", error)
        return
    if days < SOON_DAYS:
        certificate = config.tls_files[0]
        logger.warning("%s ends in %d days: renew it, then send SIGHUP", certificate, days)
