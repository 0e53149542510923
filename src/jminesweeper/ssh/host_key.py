"""The key by which players recognise the server: an Ed25519 key in a file of OpenSSH's format.

It is made on the first start and never replaced, not even when it is damaged: clients refuse a
server whose key has changed, and only the operator knows whether a copy exists. Servers that stand
in for one another share one file.

The fingerprint is read without a library, since the log names it at every start and most servers
start without an SSH player.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from jminesweeper.client.identity import write_secret
from jminesweeper.server.config import HostKeyError

_OWNER_ONLY: Final = 0o600
_BEGIN: Final = b"-----BEGIN OPENSSH PRIVATE KEY-----"
_END: Final = b"-----END OPENSSH PRIVATE KEY-----"
_ONE_PLAIN_KEY: Final = (
    b"openssh-key-v1\0" + b"\0\0\0\4none" * 2 + b"\0\0\0\0" + (1).to_bytes(4, "big")
)
"""No cipher, no key derivation, no options of it, one key; then comes the public key."""


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
            f"The SSH host key {path} has a passphrase, which `ssh-keygen -p` removes, or is "
            "damaged. Restore it from a copy, or remove it: then every player is warned that the "
            "server has changed."
        ) from error


def _create(path: Path) -> None:
    ed25519 = import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
    formats = import_module("cryptography.hazmat.primitives.serialization")
    private: bytes = ed25519.Ed25519PrivateKey.generate().private_bytes(
        formats.Encoding.PEM, formats.PrivateFormat.OpenSSH, formats.NoEncryption()
    )
    write_secret(path, private)


def _fingerprint(private: bytes) -> str:
    """Return `SHA256:...` of the public key; ValueError if this is no unencrypted private key."""
    body, ended, _ = private.partition(_BEGIN)[2].partition(_END)
    data = b64decode(b"".join(body.split()), validate=True)
    begin = len(_ONE_PLAIN_KEY) + 4
    end = begin + int.from_bytes(data[begin - 4 : begin], "big")
    if not (ended and data.startswith(_ONE_PLAIN_KEY) and end < len(data)):
        raise ValueError("not an unencrypted private key in OpenSSH's format")
    return f"SHA256:{b64encode(sha256(data[begin:end]).digest()).decode().rstrip('=')}"
