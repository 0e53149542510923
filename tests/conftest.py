"""Fixtures of every test: hypothesis profiles, and programs that a machine may lack."""

import asyncio
import gc
import inspect
import os
import shutil
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.certificates import CertificateFiles, make_certificate
from tests.redis_process import RedisProcess, running_redis

IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}

# No deadlines: the machine's other work is no property of the code. In CI the examples are the same
# every time, so that a red run means a change, and `make fuzz` is where new ones are sought.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "long", deadline=None, max_examples=10_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci" if IN_CI else "default")

# Started in the background of a script, pytest ignores Ctrl-C, and so would all that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

UNMEASURED = (
    "architecture/",
    "fuzz/",
    "integration/test_check_examples.py",
    "integration/test_client_together.py",
    "integration/test_durability_",
    "integration/test_examples.py",
    "integration/test_forgetting.py",
    "integration/test_many_hosts.py",
    "integration/test_puzzles.py",
    "integration/test_rooms_killed.py",
    "integration/test_run_scripts.py",
    "integration/test_server_hostile.py",
    "integration/test_ssh.py",
    "integration/test_together.py",
    "integration/test_torture.py",
    "integration/test_version_2_players.py",
    "property/",
)
"""Tests that run lines again which others reach: where lines are counted, all takes twice as long.

So coverage is what the examples reach; these find what nobody thought of. Single tests that play
many games are marked.
"""

LONG = (
    "fuzz/test_session.py",
    "integration/test_container.py",
    "integration/test_durability_crashes.py",
    "integration/test_examples.py::test_the_bot_wins_as_often_as_its_page_says",
    "integration/test_run_scripts.py::test_two_first_starts_at_once_both_work",
    "integration/test_torture.py",
)
"""Tests of many seconds, which begin first: whoever begins one last keeps all others waiting."""


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart() -> None:
    """Leave it to pytest-cov alone to measure this process; it pauses where a test says `no_cover`.

    A process of pytest-xdist also measures itself, as every program does that a test starts, and
    knew of no pause: tests that are not to be measured took three times as long.
    """
    # Where packages are tested there is no coverage.
    if "PYTEST_XDIST_WORKER" in os.environ and (coverage := sys.modules.get("coverage")):
        while (measuring := coverage.Coverage.current()) is not None:
            measuring.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def is_one_of(item: pytest.Item, names: tuple[str, ...]) -> bool:
        return item.nodeid.removeprefix("tests/").startswith(names)

    items.sort(key=lambda item: not is_one_of(item, LONG))
    for item in items:
        if is_one_of(item, UNMEASURED):
            item.add_marker(pytest.mark.no_cover)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the tests themselves, a million objects, from being looked through for garbage.

    While they are collected, hardly anything is garbage; to look for it takes two fifths of the
    time, in each process.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure the programs that a test starts only where the test is measured."""
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("no_cover"):
            patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        return (yield)


def pytest_runtest_teardown() -> None:
    """End the worlds of a test with it; most tests have none, and need not load it."""
    if (server := sys.modules.get("tests.world.server")) is not None:
        server.end_worlds()


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an asynchronous test on an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}))
    return True


@pytest.fixture(scope="session", autouse=True)
def data_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep keys and games apart from those of who runs the tests, also in subprocesses."""
    path = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(path))
        yield path


@pytest.fixture(scope="session")
def require_program() -> Callable[[str], str]:
    """The path of a program; without it the test is skipped, or failed where nothing may be."""

    def path_of(program: str) -> str:
        path = shutil.which(program)
        if path is None:
            reason = f"{program} is not installed"
            (pytest.fail if IN_CI else pytest.skip)(reason)
        return path

    return path_of


@pytest.fixture(scope="session")
def redis_program(require_program: Callable[[str], str]) -> str:
    return require_program("redis-server")


@pytest.fixture(scope="session")
def haproxy_program(require_program: Callable[[str], str]) -> str:
    return require_program("haproxy")


@pytest.fixture(scope="session")
def shared_redis(
    redis_program: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RedisProcess]:
    """A server for all tests of this process; who uses it empties it first."""
    with running_redis(redis_program, tmp_path_factory.mktemp("redis"), appendfsync="no") as redis:
        yield redis


@pytest.fixture
def empty_redis(shared_redis: RedisProcess) -> RedisProcess:
    shared_redis.client.flushall()
    return shared_redis


@pytest.fixture(scope="session")
def tmux(require_program: Callable[[str], str]) -> str:
    return require_program("tmux")


@pytest.fixture(scope="session")
def certificate(
    require_program: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> CertificateFiles:
    """A certificate for localhost that is its own authority."""
    require_program("openssl")
    return make_certificate(tmp_path_factory.mktemp("certificate"))
