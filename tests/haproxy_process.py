"""HAProxy with the configuration that is shipped; its hosts are addresses of this machine."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import AF_UNIX, create_connection, socket
from threading import Event

from tests.ports import HOST, free_port
from tests.redis_process import WAIT_S

SHIPPED = Path(__file__).parents[1] / "deploy" / "haproxy.cfg"
LOOK_S = 0.02
CHECK = "timeout check 300ms"
PATIENT_CHECK = "timeout check 5s"
"""A server that waits for a busy machine's processors must not be taken for one that froze."""
HOSTS = ("127.0.0.11", "127.0.0.12")


class HaproxyProcess:
    """A running HAProxy; both servers listen on the same two ports, each on its own address."""

    def __init__(self, folder: Path, check: str) -> None:
        self._check = check
        self.port, self.server_port, self.admin_port = free_port(), free_port(), free_port()
        self.control = folder / "control"
        self.configuration = folder / "haproxy.cfg"
        self.configuration.write_text(self._substituted(SHIPPED.read_text(encoding="utf-8")))

    def _substituted(self, text: str) -> str:
        text = text.replace(CHECK, self._check)
        for number, host in enumerate(HOSTS, start=1):
            text = text.replace(f" game-{number}:9999", f" {host}:{self.server_port}")
        text = text.replace("bind :9999", f"bind {HOST}:{self.port}")
        text = text.replace("check port 9998", f"check port {self.admin_port}")
        return text.replace("global\n", f"global\n    stats socket {self.control}\n")

    def state_of(self, host: str) -> str:
        """Return a server's state at HAProxy: UP, DOWN, NOLB (it drains) or between two of them."""
        name = f"game-{HOSTS.index(host) + 1}"
        with socket(AF_UNIX) as control:
            control.connect(str(self.control))
            control.sendall(b"show stat\n")
            lines = b"".join(iter(lambda: control.recv(65536), b"")).decode().splitlines()
        (found,) = (row["status"] for row in csv.DictReader(lines) if row["svname"] == name)
        return found

    def await_state(self, host: str, state: str) -> None:
        wait_until(lambda: self.state_of(host) == state)

    def listens(self) -> bool:
        with suppress(OSError), create_connection((HOST, self.port)):
            return True
        return False


def wait_until(is_so: Callable[[], bool]) -> None:
    """Look again and again, where nothing tells when something has changed."""
    for _ in range(round(WAIT_S / LOOK_S)):
        if is_so():
            return
        Event().wait(LOOK_S)
    raise AssertionError("waited in vain")


@contextmanager
def running_haproxy(
    program: str, folder: Path, check: str = PATIENT_CHECK
) -> Iterator[HaproxyProcess]:
    folder.mkdir()
    haproxy = HaproxyProcess(folder, check)
    command = [program, "-db", "-f", str(haproxy.configuration)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(haproxy.listens)
            yield haproxy
        finally:
            process.kill()
