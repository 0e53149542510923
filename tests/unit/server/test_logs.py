from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from jminesweeper.server import logs
from jminesweeper.server.logs import (
    MAX_WAITING,
    BackgroundHandler,
    JsonFormatter,
    LogFormat,
    TextFormatter,
    logging_to_stderr,
)
from tests.unit.server.fakes import fail


def record_of(message: str, *arguments: object, **fields: object) -> logging.LogRecord:
    record = logging.LogRecord("test", logging.INFO, "file", 1, message, arguments, None)
    record.created = 0.25
    vars(record).update(fields)
    return record


def record_with_traceback() -> logging.LogRecord:
    record = record_of("it failed")
    try:
        _ = 1 / 0
    except ZeroDivisionError:
        record.exc_info = sys.exc_info()
    return record


def test_a_text_line_has_time_level_and_message() -> None:
    line = TextFormatter().format(record_of("listening on %s", "here"))
    assert line == "1970-01-01T00:00:00.250Z INFO listening on here"


def test_a_peer_cannot_forge_a_line_or_paint_the_terminal() -> None:
    line = TextFormatter().format(record_of("%s", "a\n1970 INFO forged\x1b[2J\x9b1m"))
    assert line.endswith(r"a\x0a1970 INFO forged\x1b[2J\x9b1m")


def test_a_traceback_follows_its_line() -> None:
    lines = TextFormatter().format(record_with_traceback()).splitlines()
    assert lines[0].endswith("INFO it failed")
    assert lines[-1] == "ZeroDivisionError: division by zero"


def test_a_json_line_has_fields_of_its_own() -> None:
    line = JsonFormatter().format(record_of("%d games", 3, games=3, path=Path("x")))
    assert json.loads(line) == {
        "time": "1970-01-01T00:00:00.250Z",
        "level": "info",
        "message": "3 games",
        "games": 3,
        "path": "x",
    }


def test_a_json_line_stays_one_line_with_a_traceback() -> None:
    line = JsonFormatter().format(record_with_traceback())
    assert "\n" not in line
    assert "ZeroDivisionError" in json.loads(line)["traceback"]


@contextmanager
def log_into(descriptor: int) -> Iterator[BackgroundHandler]:
    handler = BackgroundHandler(descriptor)
    yield handler
    handler.close()
    os.close(descriptor)


def test_lines_are_written_in_order_and_all_of_them_by_the_end() -> None:
    reading, writing = os.pipe()
    with log_into(writing) as handler:
        for number in range(100):
            handler.handle(record_of("%d", number))
    with os.fdopen(reading) as lines:
        assert [int(line.rpartition(" ")[2]) for line in lines] == list(range(100))


def test_lines_that_nobody_read_in_time_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MAX_WAITING", 3)
    reading, writing = os.pipe()
    with ThreadPoolExecutor(1) as reader, os.fdopen(reading) as lines:
        with log_into(writing) as handler:
            handler.handle(record_of("x" * 100_000))  # More than a pipe holds.
            begun = os.read(reading, 1)  # The thread is in the midst of its first write.
            for number in range(5):
                handler.handle(record_of("%d", number))
            rest = reader.submit(lines.read)
            while handler._lines:
                continue
            handler.handle(record_of("after"))
        written = begun.decode() + rest.result()
    said = [line.partition("Z ")[2] for line in written.splitlines()[1:]]
    assert said[:3] == ["INFO 0", "INFO 1", "INFO 2"]
    assert said[3].startswith("WARNING 2 log lines were dropped")
    assert said[4] == "INFO after"


def test_a_line_that_cannot_be_made_costs_no_other(capfd: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    with log_into(writing) as handler:
        handler.handle(record_of("%d", "no number"))
        handler.handle(record_of("after"))
    with os.fdopen(reading) as lines:
        assert [line.rpartition(" ")[2] for line in lines] == ["after\n"]
    assert "Logging error" in capfd.readouterr().err


def test_a_log_that_nobody_reads_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "FLUSH_TIMEOUT_S", 0.01)
    reading, writing = os.pipe()
    with log_into(os.dup(writing)) as handler:
        for _ in range(MAX_WAITING * 2):
            handler.handle(record_of("x" * 1000))
    os.close(reading)  # What ends the thread: the write fails.
    os.close(writing)


@pytest.mark.parametrize("style", LogFormat)
def test_the_log_goes_to_standard_error_while_the_block_runs(
    style: LogFormat, capfd: pytest.CaptureFixture[str]
) -> None:
    logger = logging.getLogger("jminesweeper.server")
    with logging_to_stderr(style, "info"):
        logger.info("within")
        logger.debug("too fine")
    logger.warning("after")
    error = capfd.readouterr().err
    assert "within" in error
    assert "too fine" not in error
    assert "after" not in error


def test_what_was_logged_before_a_crash_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    with suppress(ZeroDivisionError), logging_to_stderr(LogFormat.TEXT, "info"):
        logging.getLogger("jminesweeper.server").info("last words")
        fail()
    assert "last words" in capfd.readouterr().err
