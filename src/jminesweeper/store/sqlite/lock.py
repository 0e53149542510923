"""The right to serve a file: one server at a time has it, until its process ends in any way.

Servers tell each other nothing on a file, so the players of one would see what those of the other
do only with their next action. Commands, and clients that play offline, need no such right.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jminesweeper.store.port import Fault, StoreOpenError
from jminesweeper.store.sqlite.file import FILE_MODE, FOLDER_MODE, fault_of


@contextmanager
def sole_server(path: Path) -> Iterator[None]:
    """Hold the lock beside a store's file; StoreOpenError if another server has it."""
    try:
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        # It stays: deleting it could delete one that another server has just locked.
        descriptor = os.open(f"{path}-server", os.O_RDWR | os.O_CREAT, FILE_MODE)
    except OSError as error:
        raise StoreOpenError(str(path), fault_of(error)) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        is_taken = isinstance(error, BlockingIOError)
        raise StoreOpenError(str(path), Fault.SERVED if is_taken else fault_of(error)) from error
    try:
        yield
    finally:
        os.close(descriptor)
