"""Whom to trust, and what a player is told when TLS fails."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest

from jminesweeper.client.address import Address
from jminesweeper.client.errors import ConnectError
from jminesweeper.client.transport import explain_tls, trusting
from tests.certificates import CertificateFiles

ADDRESS = Address.parse("tls://example.org")


def failure(reason: str) -> ssl.SSLError:
    error = ssl.SSLError(1, reason)
    error.reason = reason
    return error


def untrusted(reason: str) -> ssl.SSLError:
    error = ssl.SSLCertVerificationError(1, reason)
    error.verify_message = reason
    return error


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            untrusted("self-signed certificate"),
            "The certificate of tls://example.org:9999 is not trusted: self-signed certificate.",
        ),
        (
            untrusted("Hostname mismatch."),
            "The certificate of tls://example.org:9999 is not trusted: Hostname mismatch.",
        ),
        (
            failure("WRONG_VERSION_NUMBER"),
            "tls://example.org:9999 does not speak TLS; connect without it.",
        ),
        (
            failure("RECORD_LAYER_FAILURE"),
            "tls://example.org:9999 does not speak TLS; connect without it.",
        ),
        (
            failure("TLSV1_ALERT_PROTOCOL_VERSION"),
            "TLS with tls://example.org:9999 failed: tlsv1 alert protocol version.",
        ),
        (
            ConnectionResetError(104, "Connection reset by peer"),
            "tls://example.org:9999 hung up on TLS; connect without it.",
        ),
    ],
)
def test_what_went_wrong_is_a_sentence(error: OSError, sentence: str) -> None:
    assert explain_tls(ADDRESS, error) == sentence


def test_what_is_trusted_is_named_or_the_systems(
    certificate: CertificateFiles, tmp_path: Path
) -> None:
    for context in (trusting(None), trusting(certificate.certificate)):
        assert context.verify_mode is ssl.CERT_REQUIRED
        assert context.check_hostname
    with pytest.raises(ConnectError, match=r"gone.pem holds no certificate to trust\."):
        trusting(tmp_path / "gone.pem")
