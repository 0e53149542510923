"""Looking into the store's file beside SQLite, without giving SQLite's locks away.

POSIX drops all locks that a process has on a file when it closes any descriptor of that file.
SQLite takes care of its own; after one of ours another program would take the file for unused, and
clear away the write-ahead log into which this process goes on writing what it acknowledges. So what
was opened here stays open until this process has no connection to the file any more.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Final, TypeAlias

_Identity: TypeAlias = tuple[int, int]


@dataclass(slots=True)
class _File:
    descriptors: list[int] = field(default_factory=list)
    holds: int = 0


# Of the whole process, as the locks are.
_FILES: Final[dict[_Identity, _File]] = {}
_LOCK: Final = Lock()


class Hold:
    """One user's part in an open file; the last one to release it closes it."""

    def __init__(self, path: Path, flags: int, mode: int = 0o600) -> None:
        with _LOCK:
            identity = _identity_of(path)
            if identity is None or identity not in _FILES:
                descriptor = os.open(path, flags, mode)
                status = os.fstat(descriptor)
                identity = status.st_dev, status.st_ino
                _FILES.setdefault(identity, _File()).descriptors.append(descriptor)
            self._file = _FILES[identity]
            self._file.holds += 1
        self._identity = identity
        self._is_released = False

    def start(self, length: int) -> bytes:
        """Read the first bytes of the file."""
        return os.pread(self._file.descriptors[0], length, 0)

    def release(self) -> None:
        with _LOCK:
            if self._is_released:
                return
            self._is_released = True
            self._file.holds -= 1
            if not self._file.holds:
                del _FILES[self._identity]
                for descriptor in self._file.descriptors:
                    os.close(descriptor)


def _identity_of(path: Path) -> _Identity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
