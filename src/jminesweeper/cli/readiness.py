"""Log lines with which a server begins: what it would be better with, and what will soon end.

None of it keeps a server from starting; what does is an error, which says what to do.
"""

from __future__ import annotations

import logging
import os
import resource
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from jminesweeper.cli.options import how_to_install
from jminesweeper.cli.stores import Place
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.tls import CertificateError, certificate_end, load_certificate

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
