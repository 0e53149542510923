"""The certificate that TLS is served with.

It is read into a new context each time. The context in use is replaced only by one that works, and
open connections keep the old one.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from itertools import cycle
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


async def speaks_tls(connection: socket.socket) -> bool:
    """Return True if a connection begins with a TLS handshake; nothing is taken off it.

    A packet of the game may begin with the first byte of a handshake, but not with the second.
    """
    beginning = await peek(connection, 1)
    if beginning == _HANDSHAKE[:1]:
        beginning = await peek(connection, 2)
    return beginning.startswith(_HANDSHAKE)
