"""TLS to a server: which certificates to trust, and what went wrong, in a sentence.

A server speaks TLS on the same port as the plain game, so only the player can say which is meant:
`--tls` or `tls://HOST`. Nothing falls back to plain text, which an attacker could force.
"""

from __future__ import annotations

import ssl
from pathlib import Path

from jminesweeper.client.address import Address
from jminesweeper.client.errors import ConnectError


def trusting(authority: Path | None) -> ssl.SSLContext:
    """Trust the certificates in a file, or those that this system trusts."""
    try:
        return ssl.create_default_context(cafile=authority)
    except OSError as error:
        raise ConnectError(f"{authority} holds no certificate to trust.") from error


def explain_tls(address: Address, error: OSError) -> str:
    """Explain why TLS failed on a connection that was made."""
    match error:
        case ssl.SSLCertVerificationError(verify_message=reason):
            return f"The certificate of {address} is not trusted: {reason.rstrip('.')}."
        case ssl.SSLError(reason="WRONG_VERSION_NUMBER" | "RECORD_LAYER_FAILURE"):
            return f"{address} does not speak TLS; connect without it."
        case ssl.SSLError(reason=reason):
            return (
                f"TLS with {address} failed: {(reason or 'no reason').replace('_', ' ').lower()}."
            )
        case _:
            return f"{address} hung up on TLS; connect without it."
