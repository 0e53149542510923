"""Log lines for people (text) and for programs (JSON), written without holding up the loop.

A thread writes the lines: a pipe that nobody empties blocks its writer.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from enum import Enum
from typing import Final

GATHER_S: Final = 0.02
"""Time that the thread waits for more lines. Woken for each, as a `QueueListener` is, it would make
a short visit, which has two, cost the processor 1.8 times as much."""
MAX_WAITING: Final = 10_000
"""More lines are dropped, and counted in a line."""
FLUSH_TIMEOUT_S: Final = 2.0
"""Time that closing the log may take if nobody reads it."""

_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
# Peers influence some messages; none may forge a line or control an operator's terminal.
_ESCAPES: Final = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


class LogFormat(Enum):
    """The look of log lines."""

    TEXT = "text"
    JSON = "json"


def _time_of(record: logging.LogRecord) -> str:
    at = datetime.fromtimestamp(record.created, UTC).replace(tzinfo=None)
    return f"{at.isoformat(timespec='milliseconds')}Z"


class TextFormatter(logging.Formatter):
    """`time LEVEL message`, and the traceback below it."""

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage().translate(_ESCAPES)
        line = f"{_time_of(record)} {record.levelname} {message}"
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


class JsonFormatter(logging.Formatter):
    """One object per line; each value of `extra` becomes a field."""

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
    """Collects lines, which a thread writes together.

    Neither `sys.stderr` nor a handler's lock is involved: while a write blocks, the end of the
    program would wait for them.
    """

    def __init__(self, descriptor: int, style: LogFormat = LogFormat.TEXT) -> None:
        super().__init__()
        self.setFormatter(FORMATTERS[style]())
        self._descriptor = descriptor
        self._lines: deque[str] = deque()
        self._has_lines = threading.Event()
        self._is_closing = threading.Event()
        self._dropped = 0
        # A daemon: a thread that is stuck in a write must not keep the process alive.
        self._thread = threading.Thread(target=self._write_all, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = f"{self.format(record)}\n"
        except (KeyError, TypeError, ValueError):  # The message and its values do not fit.
            self.handleError(record)
            return
        if len(self._lines) >= MAX_WAITING:
            self._dropped += 1
            return
        self._lines.append(line)
        self._has_lines.set()

    def close(self) -> None:
        """Write pending lines, unless that takes too long."""
        self._is_closing.set()
        self._has_lines.set()
        self._thread.join(FLUSH_TIMEOUT_S)
        super().close()

    def _write_all(self) -> None:
        while not (self._is_closing.is_set() and not self._lines):
            self._has_lines.wait()
            self._is_closing.wait(GATHER_S)
            self._has_lines.clear()
            lines = "".join(self._lines.popleft() for _ in range(len(self._lines)))
            if self._dropped:
                dropped, self._dropped = self._dropped, 0
                message = "%d log lines were dropped: nobody read them in time"
                self.emit(
                    logging.LogRecord(__name__, logging.WARNING, "", 0, message, (dropped,), None)
                )
            self._write(lines.encode(errors="backslashreplace"))

    def _write(self, lines: bytes) -> None:
        with suppress(OSError):  # Standard error may be gone; the games continue.
            while lines:
                lines = lines[os.write(self._descriptor, lines) :]


@contextmanager
def logging_to_stderr(style: LogFormat, level: str) -> Iterator[None]:
    """Send the log of the whole program to standard error for as long as the block runs."""
    handler = BackgroundHandler(sys.stderr.fileno(), style)
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
