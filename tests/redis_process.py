"""A Redis server of our own: on a free port, in a folder of its own, started and stopped by us."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from redis import Redis, RedisError
from redis.sentinel import Sentinel

from tests.ports import HOST, free_port

WAIT_S = 60.0
"""Before a test fails; a Sentinel that a busy machine held up does nothing for half a minute."""


class RedisProcess:
    """One server, which may be killed, stopped for a while, and started again on what it kept."""

    def __init__(self, program: str, folder: Path, settings: Mapping[str, str | int]) -> None:
        folder.mkdir(exist_ok=True)
        self._program = program
        self.port = free_port()
        self.url = f"redis://{HOST}:{self.port}"
        self.client = Redis(HOST, self.port, socket_timeout=WAIT_S)
        self._settings = {
            "port": self.port,
            "bind": HOST,
            "dir": folder,
            "save": "",
            "appendonly": "yes",
            # By `everysec` a kill may take what was acknowledged, if the disk is slow.
            "appendfsync": "always",
            # A replica gets what there is at once, rather than with others that might come.
            "repl-diskless-sync-delay": 0,
            **settings,
        }
        self._process: subprocess.Popen[str] | None = None
        self._reader = Thread()

    @property
    def process(self) -> subprocess.Popen[str]:
        assert self._process is not None
        return self._process

    def start(self, **settings: str | int) -> None:
        """Start the server, and wait until it serves."""
        self.start_loading(**settings)
        self.wait_until_ready()

    def start_loading(self, **settings: str | int) -> None:
        """Start the server, and wait until it answers that it is loading or that it serves."""
        words = [self._program]
        for name, value in {**self._settings, **settings}.items():
            words += f"--{name.replace('_', '-')}", str(value)
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        self._read_until("Server initialized")

    def wait_until_ready(self) -> None:
        self._read_until("Ready to accept connections")
        # The rest of the log is read so that the server can go on writing it.
        self._reader = Thread(target=self.process.communicate)
        self._reader.start()

    def await_replicas(self, count: int = 1) -> None:
        """Wait until so many replicas have all that this master has."""
        self.client.incr("awaited")
        assert self.client.wait(count, round(WAIT_S * 1000)) >= count

    def kill(self) -> None:
        """End the server as a power cut does to a process."""
        self._end(signal.SIGKILL)

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """End the server, whatever state it is in."""
        if self._process is not None and self._process.poll() is None:
            self._end(signal.SIGKILL)
        self.client.close()

    def _end(self, number: signal.Signals) -> None:
        self.process.send_signal(number)
        if self._reader.is_alive():
            self._reader.join(WAIT_S)
        else:
            self.process.communicate(timeout=WAIT_S)
        self.client.connection_pool.disconnect()

    def _read_until(self, text: str) -> None:
        assert self.process.stdout is not None
        log = []
        for line in self.process.stdout:
            log.append(line)
            if text in line:
                return
        raise AssertionError(f"redis-server ended:\n{''.join(log)}")


@contextmanager
def running_sentinel(
    program: str, folder: Path, service: str, master: RedisProcess
) -> Iterator[int]:
    """Watch over a master that has one replica; gives the port of the Sentinel."""
    folder.mkdir()
    configuration = folder / "sentinel.conf"
    # Beside its port on another interface somebody's connection may have the same number.
    configuration.write_text(
        f"bind {HOST}\n"
        f"sentinel monitor {service} {HOST} {master.port} 1\n"
        f"sentinel down-after-milliseconds {service} 300\n"
        f"sentinel failover-timeout {service} 3000\n"
    )
    port = free_port()
    command = [program, str(configuration), "--sentinel", "--port", str(port), "--logfile", "log"]
    with subprocess.Popen([*command, "--dir", str(folder)]) as process:
        try:
            _await_replicas(process, Sentinel([(HOST, port)]), service)
            yield port
        finally:
            process.kill()


def _await_replicas(process: subprocess.Popen[bytes], sentinel: Sentinel, service: str) -> None:
    while process.poll() is None:
        with suppress(RedisError):
            if sentinel.discover_slaves(service):
                return
        Event().wait(0.05)
    raise AssertionError("the Sentinel ended")


@contextmanager
def running_redis(program: str, folder: Path, **settings: str | int) -> Iterator[RedisProcess]:
    """Run a server with settings whose names have underscores for hyphens."""
    redis = RedisProcess(program, folder, settings)
    try:
        redis.start()
        yield redis
    finally:
        redis.close()
