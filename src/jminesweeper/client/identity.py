"""The player's own folders, where the XDG base directories say, and the secret key.

The key never leaves the machine: a server gets a hash of its own name keyed with it, so it can
recognise a player, and cannot pass for that player on another server. A server's name is what the
player typed, and all names of this machine count as one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

from jminesweeper.client import ClientError
from jminesweeper.protocol.packets import KEY_LENGTH

_OWNER_ONLY: Final = 0o600


class IdentityError(ClientError):
    """The player's key can neither be read nor created."""


def config_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of files that a player writes or chooses: keys, looks."""
    return _folder(environ.get("XDG_CONFIG_HOME", ""), ".config")


def data_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of files that the program has to keep: the player's key."""
    return _folder(environ.get("XDG_DATA_HOME", ""), ".local/share")


def _folder(named: str, usual: str) -> Path:
    # The specification says to ignore a relative path.
    base = Path(named) if named.startswith("/") else Path.home() / usual
    return base / "jminesweeper"


def key_path(environ: Mapping[str, str]) -> Path:
    """Return where the key is kept."""
    return data_folder(environ) / "key"


def key_for(server: str, key: bytes) -> bytes:
    """Return the key by which the server of this name knows the player."""
    return blake2b(server.encode(), digest_size=KEY_LENGTH, key=key).digest()


def load_key(path: Path) -> bytes:
    """Read the player's key, or create one the first time."""
    try:
        key = _read_key(path)
        return _create(path) if key is None else key
    except OSError as error:
        raise IdentityError(f"The player key {path} cannot be used: {error.strerror}.") from error


def _read_key(path: Path) -> bytes | None:
    try:
        text = path.read_text("ascii", "replace")
    except FileNotFoundError:
        return None
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_LENGTH:
        # Not replaced: it may be the only way back to the player's statistics.
        raise IdentityError(
            f"The player key {path} is damaged: expected {2 * KEY_LENGTH} hex digits."
        )
    if path.stat().st_mode & ~_OWNER_ONLY & 0o777:
        path.chmod(_OWNER_ONLY)
    return key


def write_secret(path: Path, secret: bytes) -> None:
    """Write a file that its owner alone may read, whole or not at all, unless there is one."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret)
            file.flush()
            os.fsync(descriptor)
        # If two programs start for the first time at once, one wins and both use its file.
        with suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()


def _create(path: Path) -> bytes:
    key = os.urandom(KEY_LENGTH)
    write_secret(path, key.hex().encode() + b"\n")
    kept = _read_key(path)
    return key if kept is None else kept
