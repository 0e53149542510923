"""`jminesweeper doctor`, as it is typed."""

from __future__ import annotations

import resource
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import time
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from jminesweeper.cli.main import main
from jminesweeper.store.sqlite.store import SqliteStore
from tests.certificates import CertificateFiles
from tests.integration.server_process import running_server
from tests.ports import free_port
from tests.redis_process import RedisProcess


class Usage(NamedTuple):
    total: int
    used: int
    free: int


@pytest.fixture
def port() -> int:
    return free_port()


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["doctor", "--host=127.0.0.1", *map(str, arguments)])


def lines(result: Result, subject: str) -> list[str]:
    return [line for line in result.output.splitlines() if line.split()[1] == subject]


def test_where_all_is_well_every_line_says_so(tmp_path: Path, port: int) -> None:
    result = run(f"--port={port}", f"--store={tmp_path / 'new' / 'games.sqlite3'}")
    assert result.exit_code == 0
    assert {line.split()[0] for line in result.output.splitlines()} == {"ok"}
    assert not list(tmp_path.iterdir())


def test_a_port_in_use_is_a_problem_with_a_remedy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        result = run(f"--port={listener.getsockname()[1]}", "--store=memory")
    assert result.exit_code == 1
    (line,) = lines(result, "port")
    assert line.startswith("fail")
    assert "is in use already: ask that server by --server, or stop it" in line


def test_a_server_that_runs_is_asked() -> None:
    with running_server() as server:
        result = run(f"--server=127.0.0.1:{server.port}", "--store=memory")
    assert result.exit_code == 0
    assert lines(result, "server")[0].endswith(f"127.0.0.1:{server.port} plays version 2")
    assert not lines(result, "port")


def test_a_server_that_does_not_run_is_a_problem(port: int) -> None:
    result = run(f"--server=127.0.0.1:{port}", "--store=memory")
    assert result.exit_code == 1
    assert "There is no server at" in lines(result, "server")[0]


def test_an_address_that_is_none_is_refused() -> None:
    result = run("--server=[")
    assert result.exit_code == 2
    assert "is not HOST" in result.output


def test_a_store_in_memory_is_worth_a_note(port: int) -> None:
    result = run(f"--port={port}", "--store=memory")
    assert result.exit_code == 0
    assert lines(result, "store")[0].startswith("note")


def test_a_store_that_exists_is_read_and_left_as_it_is(tmp_path: Path, port: int) -> None:
    path = tmp_path / "games.sqlite3"
    SqliteStore(path).close()
    before = path.read_bytes()
    result = run(f"--port={port}", f"--store={path}")
    assert f"{path} can be written" in lines(result, "store")[0]
    assert path.read_bytes() == before


def test_a_file_that_is_no_store_is_a_problem(tmp_path: Path, port: int) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 100)
    result = run(f"--port={port}", f"--store={path}")
    assert result.exit_code == 1
    assert "is not a store of JMinesweeper: name another one" in lines(result, "store")[0]


def test_a_file_that_is_damaged_is_a_problem_with_a_remedy(tmp_path: Path, port: int) -> None:
    path = tmp_path / "games.sqlite3"
    SqliteStore(path).close()
    with path.open("r+b") as file:
        file.truncate(5000)
    result = run(f"--port={port}", f"--store={path}")
    assert result.exit_code == 1
    assert "is damaged or cut short: restore a backup" in lines(result, "store")[0]


@pytest.mark.parametrize("closed", ["folder", "file"])
def test_what_cannot_be_written_is_a_problem(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, port: int, closed: str
) -> None:
    path = tmp_path / "games.sqlite3"
    path.touch()
    shut = tmp_path if closed == "folder" else path
    # The tests may run as root, who may write anything.
    monkeypatch.setattr("os.access", lambda path, _mode: path != shut)
    result = run(f"--port={port}", f"--store={path}")
    assert result.exit_code == 1
    assert f"{shut} cannot be written: let the server's user" in lines(result, "store")[0]


def test_a_disk_that_is_nearly_full_is_worth_a_note(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, port: int
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(1 << 40, 0, 5 << 20))
    result = run(f"--port={port}", f"--store={tmp_path / 'games.sqlite3'}")
    assert result.exit_code == 0
    assert "only 5 MiB are free" in lines(result, "store")[0]


def test_redis_is_asked_as_a_server_asks_it(empty_redis: RedisProcess, port: int) -> None:
    result = run(f"--port={port}", f"--store={empty_redis.url}")
    assert result.exit_code == 0
    note, fine = lines(result, "store")
    assert "a power cut may lose the last second" in note
    assert fine == f"ok   store        {empty_redis.url} stores games durably"


@pytest.fixture
def forgetful_redis(empty_redis: RedisProcess) -> Iterator[RedisProcess]:
    empty_redis.client.config_set("maxmemory-policy", "allkeys-lru")
    yield empty_redis
    empty_redis.client.config_set("maxmemory-policy", "noeviction")


def test_a_redis_that_forgets_is_a_problem(forgetful_redis: RedisProcess, port: int) -> None:
    result = run(f"--port={port}", f"--store={forgetful_redis.url}")
    assert result.exit_code == 1
    assert "set maxmemory-policy noeviction" in lines(result, "store")[0]


def test_a_redis_that_is_away_is_a_problem_and_its_password_no_secret_told(port: int) -> None:
    result = run(f"--port={port}", f"--store=redis://:sesame@127.0.0.1:{free_port()}")
    assert result.exit_code == 1
    assert "cannot be reached: start Redis" in lines(result, "store")[0]
    assert "sesame" not in result.output


DAY_S = 86_400


@pytest.mark.parametrize(
    ("later_days", "grade", "end"),
    [
        (-30.5, "ok", "ends in 32 days"),
        (0.5, "note", "ends in 1 days: renew it, then send the server SIGHUP"),
    ],
)
def test_a_certificate_is_renewed_in_time(
    certificate: CertificateFiles,
    monkeypatch: pytest.MonkeyPatch,
    port: int,
    later_days: float,
    grade: str,
    end: str,
) -> None:
    now_s = time() + later_days * DAY_S
    monkeypatch.setattr("jminesweeper.cli.doctor.time.time", lambda: now_s)
    files = (f"--tls-cert={certificate.certificate}", f"--tls-key={certificate.key}")
    result = run(f"--port={port}", "--store=memory", *files)
    assert result.exit_code == 0
    (line,) = lines(result, "certificate")
    assert line.startswith(grade)
    assert line.endswith(end)


def test_a_certificate_that_no_client_accepts_is_a_problem(
    require_program: Callable[[str], str], tmp_path: Path, port: int
) -> None:
    both = tmp_path / "both.pem"
    command = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=player"
    for_clients = [
        "-addext",
        "extendedKeyUsage=clientAuth",
        "-keyout",
        str(both),
        "-out",
        str(both),
    ]
    subprocess.run(
        [require_program("openssl"), *command.split(), *for_clients],
        check=True,
        capture_output=True,
    )
    result = run(f"--port={port}", "--store=memory", f"--tls-cert={both}")
    assert result.exit_code == 1
    assert "unsuitable certificate purpose: name another pair" in lines(result, "certificate")[0]


def test_a_certificate_without_its_key_is_a_problem(
    certificate: CertificateFiles, port: int
) -> None:
    result = run(f"--port={port}", "--store=memory", f"--tls-cert={certificate.certificate}")
    assert result.exit_code == 1
    assert lines(result, "certificate")[0].endswith(": name another pair")


def test_too_few_files_for_all_players_are_a_problem(
    monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (1024, 4096))
    result = run(f"--port={port}", "--store=memory")
    assert result.exit_code == 1
    assert "4096 may be open, 10000 players need 10064" in lines(result, "files")[0]
    assert run(f"--port={port}", "--store=memory", "--max-connections=4000").exit_code == 0


def test_files_without_a_limit_are_enough(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    infinite = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (infinite, infinite))
    assert "any number" in lines(run(f"--port={port}", "--store=memory"), "files")[0]


def test_what_is_not_installed_is_worth_a_note_with_what_it_gives(
    monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    monkeypatch.setattr("jminesweeper.cli.doctor.find_spec", lambda _name: None)
    result = run(f"--port={port}", "--store=memory")
    assert result.exit_code == 0
    assert f"{sys.executable} -m pip install 'jminesweeper[web]'" in result.output


def test_redis_without_its_extra_is_a_problem(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    def fail(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("jminesweeper.cli.stores.import_module", fail)
    result = run(f"--port={port}", "--store=redis://127.0.0.1")
    assert result.exit_code == 1
    assert "needs the extra redis" in lines(result, "store")[0]
