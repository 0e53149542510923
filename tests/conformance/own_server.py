"""Our own server as a process, for when no other is named."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import IO

from jminesweeper.client.address import Address

SOURCE = Path(__file__).parents[2] / "src"
COMMAND = ["-m", "jminesweeper", "server", "--host", "127.0.0.1", "--port", "0", "--seed", "1"]
TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 30.0
LISTENING = re.compile(r"listening on (?P<host>\S+):(?P<port>\d+)")


@contextmanager
def own_server(data_folder: Path) -> Iterator[Address]:
    """Run the server until the block ends; whatever it keeps, it keeps in `data_folder`."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(SOURCE),
        "XDG_DATA_HOME": str(data_folder),
        "XDG_STATE_HOME": str(data_folder),
        "XDG_CONFIG_HOME": str(data_folder),
    }
    process = subprocess.Popen(
        [sys.executable, *COMMAND], stderr=subprocess.PIPE, text=True, env=environment
    )
    assert process.stderr is not None
    answers: Queue[Address | str] = Queue()
    log_reader = threading.Thread(target=_read_log, args=(process.stderr, answers))
    log_reader.start()
    try:
        answer = answers.get(timeout=TIMEOUT_S)
        assert not isinstance(answer, str), f"the server ended:\n{answer}"
        yield answer
    finally:
        process.terminate()
        _wait_or_kill(process)
        log_reader.join()
        process.stderr.close()


def _wait_or_kill(process: subprocess.Popen[str]) -> None:
    try:
        process.wait(STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _read_log(log: IO[str], answers: Queue[Address | str]) -> None:
    """Report the address once, and read on: a full pipe would stop the server."""
    lines: list[str] = []
    for line in log:
        lines.append(line)
        if found := LISTENING.search(line):
            answers.put(Address(found["host"], int(found["port"])))
    answers.put("".join(lines))
