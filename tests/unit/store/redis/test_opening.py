import logging
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Fault, Scan, StoreOpenError, StoreUnavailableError
from jminesweeper.store.redis import LIBRARY, VERSION, RedisStore, open_archive
from tests.contract.examples import append, begin, body_of
from tests.ports import free_port
from tests.redis_process import RedisProcess, running_redis

POLICIES = ["allkeys-lru", "allkeys-random", "volatile-lru", "volatile-ttl"]


def refusal(url: str) -> Fault:
    with pytest.raises(StoreOpenError) as refused:
        RedisStore(url)
    return refused.value.fault


def test_a_server_that_nobody_used_becomes_a_store(empty_redis: RedisProcess) -> None:
    with closing(RedisStore(empty_redis.url)) as store:
        perform(store, begin(1))
    assert empty_redis.client.get("jm:schema") == str(VERSION).encode()
    with closing(RedisStore(empty_redis.url)) as store:
        assert body_of(store) == "{}"


@pytest.mark.parametrize(
    ("setting", "value", "fault"),
    [
        ("appendonly", "no", Fault.VOLATILE),
        *(("maxmemory-policy", policy, Fault.EVICTING) for policy in POLICIES),
        ("requirepass", "secret", Fault.DENIED),
    ],
)
def test_a_server_that_is_not_fit_is_refused(
    redis: RedisProcess, setting: str, value: str, fault: Fault
) -> None:
    redis.client.config_set(setting, value)
    assert refusal(redis.url) is fault


def test_a_server_that_hides_its_settings_is_warned_of(
    redis: RedisProcess, caplog: pytest.LogCaptureFixture
) -> None:
    redis.client.acl_setuser(
        "games", enabled=True, passwords=["+secret"], keys="*", channels="*",
        commands=["+@all", "-config"],
    )  # fmt: skip
    with closing(RedisStore(f"redis://games:secret@127.0.0.1:{redis.port}")) as store:
        perform(store, begin(1))
    assert "make sure that it has appendonly yes" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize(("appendfsync", "warnings"), [("everysec", 1), ("always", 0)])
def test_the_last_second_of_a_server_on_its_own_is_warned_of(
    redis: RedisProcess, caplog: pytest.LogCaptureFixture, appendfsync: str, warnings: int
) -> None:
    redis.client.config_set("appendfsync", appendfsync)
    RedisStore(redis.url).close()
    assert caplog.text.count("a power cut may lose the last second") == warnings


def test_with_a_replica_nothing_is_warned_of(
    redis: RedisProcess, replica: RedisProcess, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        RedisStore(redis.url).close()
    assert caplog.text == ""
    assert refusal(replica.url) is Fault.READ_ONLY


def test_fewer_replicas_than_were_asked_for_are_refused(redis: RedisProcess) -> None:
    assert refusal(f"{redis.url}?replicas=1") is Fault.UNREPLICATED


def test_where_nobody_listens_there_is_no_store() -> None:
    port = free_port()
    with pytest.raises(StoreOpenError, match=f"^The store redis://127.0.0.1:{port} cannot be"):
        RedisStore(f"redis://:secret@127.0.0.1:{port}")


def test_a_wrong_password_is_named(redis: RedisProcess) -> None:
    redis.client.config_set("requirepass", "secret")
    assert refusal(f"redis://:wrong@127.0.0.1:{redis.port}") is Fault.DENIED
    RedisStore(f"redis://:secret@127.0.0.1:{redis.port}").close()


@pytest.mark.parametrize(
    ("kept", "fault"),
    [
        (str(VERSION + 1), Fault.NEWER),
        (str(VERSION - 1), Fault.OLDER),
        ("other", Fault.FOREIGN),
    ],
)
def test_what_another_version_or_program_wrote_is_left_alone(
    empty_redis: RedisProcess, kept: str, fault: Fault
) -> None:
    empty_redis.client.set("jm:schema", kept)
    assert refusal(empty_redis.url) is fault
    assert empty_redis.client.keys() == [b"jm:schema"]


def test_a_key_of_another_kind_is_left_alone(empty_redis: RedisProcess) -> None:
    empty_redis.client.lpush("jm:schema", "other")
    assert refusal(empty_redis.url) is Fault.FOREIGN


def test_databases_of_one_server_are_stores_of_their_own(empty_redis: RedisProcess) -> None:
    stores = [closing(RedisStore(f"{empty_redis.url}/{number}")) for number in (1, 2)]
    with stores[0] as first, stores[1] as second:
        perform(first, begin(1))
        assert body_of(second) == ""


def test_a_socket_of_the_machine_will_do(redis_program: str, tmp_path: Path) -> None:
    # A socket's path has a length limit that a test's folder may be beyond.
    with running_redis(redis_program, tmp_path / "redis", unixsocket="redis.sock") as redis:
        place = Path("/proc") / str(redis.process.pid) / "cwd" / "redis.sock"
        with closing(RedisStore(f"unix://{place}")) as store:
            perform(store, begin(1))


@pytest.fixture
def certificate(require_program: Callable[[str], str], tmp_path: Path) -> tuple[Path, Path]:
    """Sign a certificate of this machine with its own key."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    words = "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 2 -subj /CN=redis"
    files = ["-out", str(certificate), "-keyout", str(key)]
    subject = ["-addext", "subjectAltName=IP:127.0.0.1"]
    command = [require_program("openssl"), *words.split(), *subject, *files]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


def test_a_server_may_speak_tls(
    redis_program: str, tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    trusted, key = map(str, certificate)
    port = free_port()
    settings: dict[str, str | int] = {
        "tls_port": port,
        "tls_cert_file": trusted,
        "tls_key_file": key,
        "tls_ca_cert_file": trusted,
        "tls_auth_clients": "no",
    }
    with running_redis(redis_program, tmp_path / "redis", **settings):
        with closing(RedisStore(f"rediss://127.0.0.1:{port}?ssl_ca_certs={trusted}")) as store:
            perform(store, begin(1))
        assert refusal(f"rediss://127.0.0.1:{port}") is Fault.UNREACHABLE


def test_functions_are_loaded_once_and_beside_those_of_other_versions(
    empty_redis: RedisProcess,
) -> None:
    other = "#!lua name=jminesweeper_other\nredis.register_function('other', function() end)"
    empty_redis.client.function_load(other, replace=True)
    for _ in range(2):
        RedisStore(empty_redis.url).close()
    names = [library[1].decode() for library in empty_redis.client.function_list()]
    assert sorted(names) == sorted(["jminesweeper_other", LIBRARY])


def test_an_archive_needs_a_store(empty_redis: RedisProcess) -> None:
    with pytest.raises(StoreOpenError) as refused:
        open_archive(empty_redis.url)
    assert refused.value.fault is Fault.MISSING
    assert empty_redis.client.keys() == []


def test_an_archive_reads_on_a_replica(redis: RedisProcess, replica: RedisProcess) -> None:
    # A store that needs the replica's answer would give up on a machine that is busy.
    with closing(RedisStore(f"{redis.url}?replicas=0")) as store:
        perform(store, begin(1))
    redis.await_replicas()
    with closing(open_archive(replica.url)) as archive:
        assert body_of(archive) == "{}"
        assert perform(archive, Scan()).commits
        with pytest.raises(StoreUnavailableError, match="is a replica"):
            perform(archive, append(1, 1, 2))
