"""Until when a certificate is good, as a client finds it out: by a handshake, here on memory alone.

Whatever keeps TLS from being served, or a client from accepting it in any case, is an error. Who
signed the certificate is not asked: a client may trust an authority that this machine does not.
"""

from __future__ import annotations

import ssl
from pathlib import Path

from jminesweeper.server import CertificateError
from jminesweeper.server.tls import TlsStream, load_certificate


def certificate_end(certificate: Path, key: Path) -> float:
    """Return when the certificate ends, in seconds since 1970; CertificateError if it is no use."""
    server = TlsStream(load_certificate(certificate, key))
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.check_hostname = False
    trusting.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    trusting.load_verify_locations(certificate)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting.wrap_bio(incoming, outgoing)
    while True:
        try:
            client.do_handshake()
        except ssl.SSLWantReadError:
            server.receive(outgoing.read())
            incoming.write(server.outgoing)
        except ssl.SSLCertVerificationError as error:
            raise CertificateError(f"{certificate}: {error.verify_message}.") from error
        else:
            shown = client.getpeercert() or {}
            return ssl.cert_time_to_seconds(str(shown["notAfter"]))
