"""`jminesweeper server`, as it is typed."""

from __future__ import annotations

import logging
import os
import signal
import socket
from ipaddress import ip_network
from pathlib import Path

import pytest

from jminesweeper.cli import server
from jminesweeper.cli.main import main
from jminesweeper.server.config import ServerConfig


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[ServerConfig]:
    """Collect what the command would serve with, instead of serving."""
    configs: list[ServerConfig] = []
    monkeypatch.setattr(server, "run_server", lambda config, _open: configs.append(config))
    monkeypatch.setattr(server, "log_readiness", lambda *_arguments: None)
    return configs


@pytest.fixture(autouse=True)
def _own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def run(*arguments: str) -> int:
    """Type the command; return its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(["server", *arguments], prog_name="jminesweeper")
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_without_options_the_server_is_the_protocols(served: list[ServerConfig]) -> None:
    assert run() == 0
    assert served == [ServerConfig()]


@pytest.mark.requirement("U:options")
def test_options_arrive(served: list[ServerConfig]) -> None:
    run("--host=::1", "--port=0", "--max-connections=5", "--max-per-address=0")
    run("--idle-timeout=.5", "--silence-timeout=2")
    assert served == [
        ServerConfig(host="::1", port=0, max_connections=5, max_per_address=0),
        ServerConfig(idle_timeout_s=0.5, silence_timeout_s=2.0),
    ]


@pytest.mark.requirement("E:Configuration Manager")
@pytest.mark.requirement("U:options")
def test_options_can_be_environment_variables(
    served: list[ServerConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {
        "HOST": "127.0.0.1",
        "PORT": "1234",
        "MAX_CONNECTIONS": "5",
        "MAX_PER_ADDRESS": "6",
        "IDLE_TIMEOUT": "7",
        "NO_DEBUG_MODE": "1",
        "SEED": "8",
        "LOG_FORMAT": "json",
        "LOG_LEVEL": "warning",
    }
    for name, value in environment.items():
        monkeypatch.setenv(f"JMINESWEEPER_{name}", value)
    run()
    assert served == [
        ServerConfig(
            host="127.0.0.1", port=1234, max_connections=5, max_per_address=6, idle_timeout_s=7
        )
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--port", "65536"),
        ("--port", "none"),
        ("--max-connections", "-1"),
        ("--idle-timeout", "0"),
        ("--silence-timeout", "0"),
        ("--worker-memory", "63"),
        ("--log-format", "xml"),
        ("--log-level", "loud"),
        ("--seed", "x"),
        ("elsewhere",),
    ],
)
def test_a_wrong_option_is_refused(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    assert "Error: " in capsys.readouterr().err


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


# TLS and proxies


def test_a_certificate_may_hold_its_key(served: list[ServerConfig], tmp_path: Path) -> None:
    both, key = tmp_path / "both.pem", tmp_path / "key.pem"
    both.touch()
    key.touch()
    run(f"--tls-cert={both}")
    run(f"--tls-cert={both}", f"--tls-key={key}")
    assert [config.tls_files for config in served] == [(both, both), (both, key)]


def test_a_key_without_a_certificate_is_refused(
    served: list[ServerConfig], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = tmp_path / "key.pem"
    key.touch()
    assert run(f"--tls-key={key}") == 2
    assert "--tls-key needs --tls-cert." in capsys.readouterr().err
    assert served == []


def test_proxies_are_networks_and_may_be_several(
    served: list[ServerConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    run("--proxy-from=10.0.0.0/8", "--proxy-from=2001:db8::1")
    monkeypatch.setenv("JMINESWEEPER_PROXY_FROM", "10.0.0.0/8 2001:db8::1")
    run()
    networks = (ip_network("10.0.0.0/8"), ip_network("2001:db8::1"))
    assert [config.proxies for config in served] == [networks, networks]


@pytest.mark.parametrize("network", ["10.0.0.1/8", "proxy.example.org", "10.0.0.0/33", ""])
def test_what_is_no_network_is_refused(
    served: list[ServerConfig], network: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(f"--proxy-from={network}") == 2
    assert "is not a network such as 10.0.0.0/8." in capsys.readouterr().err
    assert served == []
