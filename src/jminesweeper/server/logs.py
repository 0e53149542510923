"""Log lines for people (text) and for programs (JSON), written without holding up the loop.

Logging only puts a record into a queue. A separate thread takes the records out, formats them and
writes them in one piece: making a line takes longer than answering a key, and a log pipe that
nobody empties blocks its writer. After the first record the thread waits for `GATHER_S`, so that a
busy server wakes it fifty times a second and not for each line, and an idle one never.

Records are made without looking up the caller, thread and process, which no line shows.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from queue import SimpleQueue
from typing import Final

GATHER_S: Final = 0.02
MAX_WAITING: Final = 10_000
"""More records are dropped, and counted in a line."""
MAX_TOGETHER: Final = 1_000
FLUSH_TIMEOUT_S: Final = 2.0
"""How long closing the log may take if nobody reads it."""

_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_LOOKED_UP: Final = ("_srcfile", "logThreads", "logProcesses", "logMultiprocessing")
# Peers influence some messages; none may forge a line or control an operator's terminal.
_ESCAPES: Final = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


class LogFormat(Enum):
    """How log lines look."""

    TEXT = "text"
    JSON = "json"


def _time_of(record: logging.LogRecord) -> str:
    return f"{_second_of(int(record.created))}.{int(record.created % 1 * 1000):03}Z"


@lru_cache(maxsize=4)
def _second_of(at_s: int) -> str:
    return datetime.fromtimestamp(at_s, UTC).replace(tzinfo=None).isoformat()


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
    """Puts records into the queue, which the thread writes."""

    def __init__(self, descriptor: int, style: LogFormat = LogFormat.TEXT) -> None:
        super().__init__()
        self.setFormatter(FORMATTERS[style]())
        self._descriptor = descriptor
        self._records: SimpleQueue[logging.LogRecord | None] = SimpleQueue()
        self._is_closing = threading.Event()
        self._dropped = 0
        # A daemon: a thread that is stuck in a write must not keep the process alive.
        self._thread = threading.Thread(target=self._write_all, name="log", daemon=True)
        self._thread.start()

    def handle(self, record: logging.LogRecord) -> bool:
        """Put a record into the queue; a lock as `logging.Handler` takes it is not needed."""
        if self._records.qsize() < MAX_WAITING:
            self._records.put(record)
        else:
            self._dropped += 1
        return True

    def close(self) -> None:
        """Write what waits, unless that takes too long."""
        self._is_closing.set()
        self._records.put(None)
        self._thread.join(FLUSH_TIMEOUT_S)
        super().close()

    def _write_all(self) -> None:
        while (first := self._records.get()) is not None:
            self._is_closing.wait(GATHER_S)
            lines = "".join(map(self._line_of, (first, *self._take_waiting())))
            self._write(lines.encode(errors="backslashreplace"))

    def _take_waiting(self) -> Iterator[logging.LogRecord]:
        for _ in range(min(self._records.qsize(), MAX_TOGETHER)):
            record = self._records.get()
            if record is None:
                self._records.put(None)  # An event ends the thread, and is set for `close`.
                break
            yield record
        if self._dropped:
            dropped, self._dropped = self._dropped, 0
            message = "%d log lines were dropped: nobody read them in time"
            yield logging.LogRecord(__name__, logging.WARNING, "", 0, message, (dropped,), None)

    def _line_of(self, record: logging.LogRecord) -> str:
        try:
            return f"{self.format(record)}\n"
        except (KeyError, TypeError, ValueError):  # The message and its values do not fit.
            self.handleError(record)
            return ""

    def _write(self, lines: bytes) -> None:
        with suppress(OSError):  # Standard error may be gone; the games go on.
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
        with _records_without_caller():
            yield
    finally:
        root.setLevel(level_before)
        root.removeHandler(handler)
        handler.close()


@contextmanager
def _records_without_caller() -> Iterator[None]:
    """Make records cheap, as the manual of `logging` recommends under Optimization."""
    before = {name: vars(logging)[name] for name in _LOOKED_UP}
    vars(logging).update(dict.fromkeys(_LOOKED_UP))
    try:
        yield
    finally:
        vars(logging).update(before)
