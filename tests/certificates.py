"""Certificates for tests, made by openssl as an operator makes them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2")
_USAGE = "keyUsage=critical,digitalSignature,keyCertSign"


class CertificateFiles(NamedTuple):
    """A certificate that is its own authority, and its key."""

    certificate: Path
    key: Path


def make_certificate(
    folder: Path, name: str = "localhost", *, password: str = ""
) -> CertificateFiles:
    """Make a certificate for a name and for the loopback address."""
    files = CertificateFiles(folder / f"{name}.crt", folder / f"{name}.key")
    protection = ("-passout", f"pass:{password}") if password else ("-nodes",)
    subprocess.run(
        [
            *("openssl", "req", "-x509", *_NEW_KEY, *protection),
            *("-out", files.certificate, "-keyout", files.key, "-subj", f"/CN={name}"),
            *("-addext", f"subjectAltName=DNS:{name},IP:127.0.0.1", "-addext", _USAGE),
        ],
        check=True,
        capture_output=True,
    )
    return files
