"""Certificates that cannot be served."""

from pathlib import Path

import pytest

from jminesweeper.server.door import CertificateError, load_certificate
from tests.certificates import CertificateFiles, make_certificate


def test_a_file_that_holds_no_certificate_is_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pem"
    empty.write_text("nothing\n")
    with pytest.raises(
        CertificateError, match=r"empty.pem and .*empty.pem are not a pair for TLS: "
    ):
        load_certificate(empty, empty)


def test_a_missing_file_is_named(tmp_path: Path, certificate: CertificateFiles) -> None:
    with pytest.raises(CertificateError, match=r"gone.pem cannot be read: No such file"):
        load_certificate(certificate.certificate, tmp_path / "gone.pem")


def test_another_certificates_key_is_refused(tmp_path: Path, certificate: CertificateFiles) -> None:
    other = make_certificate(tmp_path, "other")
    with pytest.raises(CertificateError, match="key values mismatch"):
        load_certificate(certificate.certificate, other.key)


def test_nobody_is_asked_for_the_password_of_a_key(tmp_path: Path) -> None:
    protected = make_certificate(tmp_path, "protected", password="secret")
    with pytest.raises(CertificateError, match="has a password"):
        load_certificate(*protected)
