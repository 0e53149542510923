"""`jminesweeper server`, as it is typed."""

from __future__ import annotations

import logging
import os
import signal
import socket

import pytest

from jminesweeper.cli.main import main


def run(*arguments: str) -> int:
    """Type the command; return its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(["server", *arguments], prog_name="jminesweeper")
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_a_busy_port_is_one_clear_line_and_no_success(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert run("--host=127.0.0.1", f"--port={port}") == 1
    assert capfd.readouterr().err == (
        f"Error: Cannot listen on 127.0.0.1, port {port}: the port is in use already; "
        "stop the program that has it, or choose another.\n"
    )


class StopOnceStarted(logging.Handler):
    """Sends the signal that stops the server as soon as the server says that it has started."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == "started":
            os.kill(os.getpid(), signal.SIGTERM)


def test_the_command_serves_until_a_signal(capfd: pytest.CaptureFixture[str]) -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    logger, stop = logging.getLogger("jminesweeper.server"), StopOnceStarted()
    logger.addHandler(stop)
    try:
        assert run("--host=127.0.0.1", "--port=0") == 0
    finally:
        logger.removeHandler(stop)
        for number, handler in before.items():
            signal.signal(number, handler)
    assert "listening on 127.0.0.1:" in capfd.readouterr().err
