"""The player's looks in a file of this machine: a line for each, as in `palette classic`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jminesweeper.client.errors import LooksError
from jminesweeper.client.places import config_folder
from jminesweeper.terminal.looks import LOOKS, Looks


def looks_path(environ: Mapping[str, str]) -> Path:
    """Return where the file is."""
    return config_folder(environ) / "looks"


def read_looks(path: Path) -> Looks:
    """Read the file; the usual looks if there is none. LooksError if it makes no sense."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Looks()
    except (OSError, UnicodeDecodeError) as error:
        raise LooksError(f"{path} cannot be read; the usual looks are used.") from error
    return parse_looks(text, str(path))


def parse_looks(text: str, name: str) -> Looks:
    """Read looks, all that are not named as usual."""
    read: dict[str, Any] = {}
    for number, line in enumerate(text.splitlines(), 1):
        look, _, value = line.partition("#")[0].strip().partition(" ")
        if not look:
            continue
        try:
            read[look] = LOOKS[look](value.strip())
        except (KeyError, ValueError) as error:
            words = f"{name}, line {number}: no such look: {line.strip()[:40]!r}"
            raise LooksError(f"{words}; the usual looks are used.") from error
    return Looks(**read)


def format_looks(looks: Looks) -> str:
    """Write looks as the file has them."""
    return "".join(f"{name} {getattr(looks, name).value}\n" for name in LOOKS)


def keep_looks(looks: Looks, path: Path) -> str:
    """Write the file anew; return a sentence if that cannot be."""
    draft = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(format_looks(looks), "utf-8")
        draft.replace(path)
    except OSError as error:
        return f"{path} cannot be written: {error.strerror}."
    return ""
