"""The first lines of a server's log, before players come."""

from __future__ import annotations

import logging
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import NamedTuple, Protocol

import pytest

from jminesweeper.cli.server import log_readiness
from jminesweeper.cli.stores import Place, StoreUrl
from jminesweeper.server.config import ServerConfig
from tests.certificates import CertificateFiles

DAY_S = 86_400


class Said(Protocol):
    def __call__(
        self, config: ServerConfig, store: Place | None = None, now_s: float = 0.0
    ) -> list[str]: ...


class Disk(NamedTuple):
    f_bavail: int
    f_frsize: int


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Said:
    """Return what is logged where the system sets no limits."""
    infinite = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (infinite, infinite))

    def begin(config: ServerConfig, store: Place | None = None, now_s: float = 0.0) -> list[str]:
        with caplog.at_level(logging.INFO):
            log_readiness(config, store, now_s)
        return caplog.messages

    return begin


def test_where_all_is_well_nothing_is_said(said: Said, tmp_path: Path) -> None:
    assert said(ServerConfig(), tmp_path / "new" / "games.sqlite3") == []
    assert said(ServerConfig(), StoreUrl("redis://127.0.0.1")) == []
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_nearly_full_is_told(
    said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "statvfs", lambda _path: Disk(f_bavail=5 << 8, f_frsize=4096))
    (line,) = said(ServerConfig(), tmp_path / "games.sqlite3")
    assert line == f"only 5 MiB are free at {tmp_path}: make room, or set --store-limit"


def test_too_few_files_for_all_players_are_told(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (1024, 4096))
    assert said(ServerConfig(max_connections=4000)) == []
    (line,) = said(ServerConfig(max_connections=10_000))
    assert line.startswith("4096 files may be open, 10000 players need 10064: raise ulimit")


def test_what_is_not_installed_is_told_with_what_it_gives(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jminesweeper.cli.server.find_spec", lambda _name: None)
    _fast, web, _ssh = said(ServerConfig())
    assert web == (
        "without websockets; with it browsers get a page to play on: "
        f"{sys.executable} -m pip install 'jminesweeper[web]'"
    )


def test_a_certificate_is_renewed_in_time(said: Said, certificate: CertificateFiles) -> None:
    config = ServerConfig(tls_files=(certificate.certificate, certificate.key))
    assert said(config, now_s=time() - 30.5 * DAY_S) == []
    (line,) = said(config, now_s=time() + 0.5 * DAY_S)
    assert line == f"{certificate.certificate} ends in 1 days: renew it, then send SIGHUP"


def test_a_certificate_that_no_client_accepts_is_told(
    said: Said, require_program: Callable[[str], str], tmp_path: Path
) -> None:
    both = tmp_path / "both.pem"
    command = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=player"
    use = ["-addext", "extendedKeyUsage=clientAuth", "-keyout", str(both), "-out", str(both)]
    subprocess.run(
        [require_program("openssl"), *command.split(), *use], check=True, capture_output=True
    )
    (line,) = said(ServerConfig(tls_files=(both, both)))
    assert line.startswith("clients will refuse the certificate: ")
    assert line.endswith("unsuitable certificate purpose.")
