"""Log lines for people (text) and for programs (JSON), written without holding up the loop."""

from __future__ import annotations

import json
import logging
import os
import queue
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from enum import Enum
from typing import Final

MAX_WAITING: Final = 10_000
FLUSH_TIMEOUT_S: Final = 2.0

_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
# A peer has a say in some messages; none of them may forge a line or paint an operator's terminal.
_ESCAPES: Final = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


class LogFormat(Enum):
    """How log lines look."""

    TEXT = "text"
    JSON = "json"


def _time_of(record: logging.LogRecord) -> str:
    when = datetime.fromtimestamp(record.created, UTC)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TextFormatter(logging.Formatter):
    """`time LEVEL message`, and the traceback below it."""

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage().translate(_ESCAPES)
        line = f"{_time_of(record)} {record.levelname} {message}"
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


class JsonFormatter(logging.Formatter):
    """One object per line; what was given as `extra` becomes fields of its own."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {
            "time": _time_of(record),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        fields |= {key: value for key, value in vars(record).items() if key not in _STANDARD}
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str)


FORMATTERS: Mapping[LogFormat, type[logging.Formatter]] = {
    LogFormat.TEXT: TextFormatter,
    LogFormat.JSON: JsonFormatter,
}


class BackgroundHandler(logging.Handler):
    """Writes lines from a thread of its own.

    A log pipe that nobody empties blocks whoever writes to it; that must not be the event loop.
    Lines that find the queue full are dropped.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._lines: queue.Queue[bytes | None] = queue.Queue(MAX_WAITING)
        # A daemon: a thread that is stuck in a write must not keep the process alive.
        self._thread = threading.Thread(target=self._write_lines, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(queue.Full):
            self._lines.put_nowait(self.format(record).encode(errors="backslashreplace") + b"\n")

    def close(self) -> None:
        """Write what waits, unless that takes too long."""
        with suppress(queue.Full):
            self._lines.put(None, timeout=FLUSH_TIMEOUT_S)
            self._thread.join(FLUSH_TIMEOUT_S)
        super().close()

    def _write_lines(self) -> None:
        while (line := self._lines.get()) is not None:
            with suppress(OSError):  # Standard error may be gone; the games go on.
                os.write(self._descriptor, line)


@contextmanager
def logging_to_stderr(style: LogFormat, level: str) -> Iterator[None]:
    """Send the log of the whole program to standard error for as long as the block runs."""
    handler = BackgroundHandler(sys.stderr.fileno())
    handler.setFormatter(FORMATTERS[style]())
    root = logging.getLogger()
    level_before = root.level
    root.addHandler(handler)
    root.setLevel(level.upper())
    try:
        yield
    finally:
        root.setLevel(level_before)
        root.removeHandler(handler)
        handler.close()
