"""The key by which players recognise the server: an Ed25519 key in a file of OpenSSH's format.

It is made on the first start and never replaced, not even when it is damaged: clients refuse a
server whose key has changed, and only the operator knows whether a copy exists. Servers that stand
in for one another share one file.

The fingerprint is read without a library, since the log names it at every start and most servers
start without an SSH player.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from jminesweeper.client.identity import write_secret
from jminesweeper.server.config import HostKeyError

_OWNER_ONLY: Final = 0o600
_BEGIN: Final = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_END: Final = b"-----END OPENSSH PRIVATE KEY-----"
_MAGIC: Final = b"openssh-key-v1\0"
_FIELDS_BEFORE_PUBLIC: Final = 3
"""Cipher, key derivation and its options; then the number of keys."""


class HostKey(NamedTuple):
    """The private key as its file has it, and the public key's fingerprint as OpenSSH shows it."""

    private: bytes
    fingerprint: str


def load_host_key(path: Path) -> HostKey:
    """Read the host key, or make one the first time."""
    try:
        if not path.exists():
            _create(path)
        if path.stat().st_mode & ~_OWNER_ONLY & 0o777:
            path.chmod(_OWNER_ONLY)
        private = path.read_bytes()
    except OSError as error:
        raise HostKeyError(
            f"The SSH host key {path} cannot be used: {error.strerror}. --no-ssh starts without it."
        ) from error
    try:
        return HostKey(private, _fingerprint(private))
    except ValueError as error:
        raise HostKeyError(
            f"The SSH host key {path} is damaged. Restore it from a copy, or remove it: "
            "then every player is warned that the server has changed."
        ) from error


def _create(path: Path) -> None:
    ed25519 = import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
    formats = import_module("cryptography.hazmat.primitives.serialization")
    private: bytes = ed25519.Ed25519PrivateKey.generate().private_bytes(
        formats.Encoding.PEM, formats.PrivateFormat.OpenSSH, formats.NoEncryption()
    )
    write_secret(path, private)


def _fingerprint(private: bytes) -> str:
    """Return `SHA256:...` of the public key; ValueError if this is no private key."""
    _, begun, rest = private.partition(_BEGIN)
    body, ended, _ = rest.partition(_END)
    try:
        data = b64decode(b"".join(body.split()), validate=True)
    except Base64Error as error:
        raise ValueError("not base64") from error
    if not (begun and ended and data.startswith(_MAGIC)):
        raise ValueError("not a private key of OpenSSH's format")
    data = data.removeprefix(_MAGIC)
    for _ in range(_FIELDS_BEFORE_PUBLIC):
        _, data = _take_field(data)
    public, _ = _take_field(data[4:])
    return f"SHA256:{b64encode(sha256(public).digest()).decode().rstrip('=')}"


def _take_field(data: bytes) -> tuple[bytes, bytes]:
    """Take a field with its length in front; return it and the rest."""
    end = 4 + int.from_bytes(data[:4], "big")
    if len(data) < end:
        raise ValueError("cut off")
    return data[4:end], data[end:]
