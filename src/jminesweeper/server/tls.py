"""The certificate that TLS is served with.

It is read into a new context each time. The context in use is replaced only by one that works, and
open connections keep the old one.
"""

from __future__ import annotations

import socket
import ssl
from pathlib import Path
from typing import Final

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.server.listening import peek

_HANDSHAKE: Final = b"\x16\x03"


class CertificateError(JMinesweeperError):
    """TLS cannot be served with these files."""


def load_certificate(certificate: Path, key: Path) -> ssl.SSLContext:
    """Prepare to serve TLS with a certificate chain and its key; both may be one file."""

    def refuse_password() -> str:
        raise CertificateError(f"The key {key} has a password; store it without one.")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    try:
        context.load_cert_chain(certificate, key, refuse_password)
    except ssl.SSLError as error:
        reason = (error.reason or "not a PEM file").replace("_", " ").lower()
        raise CertificateError(
            f"{certificate} and {key} are not a pair for TLS: {reason}."
        ) from error
    except OSError as error:
        raise CertificateError(
            f"{certificate} or {key} cannot be read: {error.strerror}."
        ) from error
    return context


async def speaks_tls(connection: socket.socket) -> bool:
    """Whether a connection begins with a TLS handshake; nothing is taken off it.

    A packet of the game may begin with the first byte of a handshake, but not with the second.
    """
    beginning = await peek(connection, 1)
    if beginning == _HANDSHAKE[:1]:
        beginning = await peek(connection, 2)
    return beginning.startswith(_HANDSHAKE)
