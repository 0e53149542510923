"""Where this program keeps what is the player's own, as the XDG base directories say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def config_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of what a player writes or chooses: keys, looks."""
    return _folder(environ.get("XDG_CONFIG_HOME", ""), ".config")


def data_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of what the program needs to keep: the player's key."""
    return _folder(environ.get("XDG_DATA_HOME", ""), ".local/share")


def _folder(named: str, usual: str) -> Path:
    # The specification says to ignore a relative path.
    base = Path(named) if named.startswith("/") else Path.home() / usual
    return base / "jminesweeper"
