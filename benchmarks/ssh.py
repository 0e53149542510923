"""Players over SSH: what a login, a key, an action, an idle board and a session's memory cost.

Processor time of the server alone, bytes on the channel, and how long a player waits: for the first
board on a slow line, and for a key while strangers log in without end. Clients are in this process,
strangers in one of their own (`python -m benchmarks.ssh PORT`).
"""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import asyncssh
from tests.integration.slow_line import slow_line

from benchmarks.tables import Run, Table

LOGINS = 60
SESSIONS = 40
KEYS = 100
BURST = 200
IDLE_S = 20.0
ROUND_TRIP_S = 0.15
STRANGERS = 30
FLOOD_S = 60.0
_LEFT, _RIGHT = b"\x1b[D", b"\x1b[C"
_AROUND = (_RIGHT, b"\x1b[B", _LEFT, b"\x1b[A")


class Screen(asyncssh.SSHClientSession[bytes]):
    """A terminal that counts what it gets."""

    def __init__(self) -> None:
        self.received = 0
        self._news = asyncio.Event()

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self.channel = chan

    def data_received(self, data: bytes, datatype: object) -> None:
        self.received += len(data)
        self._news.set()

    async def rest(self, quiet_s: float = 0.05) -> None:
        """Wait until nothing has come for a moment."""
        while True:
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), quiet_s)
            except TimeoutError:
                return

    async def arrived(self) -> None:
        """Wait for the first picture."""
        await asyncio.wait_for(self._news.wait(), 60)

    async def press(self, keys: bytes) -> None:
        self._news.clear()
        self.channel.write(keys)
        await asyncio.wait_for(self._news.wait(), 10)


class Server:
    """A server as a process of its own."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self._stat = Path(f"/proc/{process.pid}/stat")
        self._status = Path(f"/proc/{process.pid}/status")
        self.port = port

    def cpu_ms(self) -> float:
        """Processor time of the main thread and the others, in milliseconds."""
        fields = self._stat.read_text().rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_kib(self) -> int:
        return int(re.findall(r"VmRSS:\s+(\d+)", self._status.read_text())[0])


@contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jminesweeper", "server", "--host=127.0.0.1", "--port=0"),
                *("--max-ssh=0", "--ssh-logins=1000", f"--store={folder}/games.sqlite3"),
            ],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        try:
            while not (found := re.search(r"listening on \S+:(\d+)", process.stderr.readline())):
                pass
            yield Server(process, int(found[1]))
        finally:
            process.kill()
            process.wait()


async def log_in(
    server: Server, key: asyncssh.SSHKey
) -> tuple[asyncssh.SSHClientConnection, Screen]:
    connection, screen = await begin(server.port, key)
    await screen.rest(0.2)
    return connection, screen


async def begin(port: int, key: asyncssh.SSHKey) -> tuple[asyncssh.SSHClientConnection, Screen]:
    connection = await asyncssh.connect(
        "127.0.0.1", port, username="ada", client_keys=[key], known_hosts=None, config=[]
    )
    screen = Screen()
    await connection.create_session(
        lambda: screen, term_type="xterm-256color", term_size=(80, 24), encoding=None
    )
    return connection, screen


async def measure_all() -> Table:
    """Measure everything, one thing after the other."""
    with serving() as server:
        key = asyncssh.generate_private_key("ssh-ed25519")
        connection, screen = await log_in(server, key)  # loads the library
        rows = [["login to the first board", f"{await logins(server):.1f} ms"]]
        screen.received, begun_ms = 0, server.cpu_ms()
        for number in range(KEYS):
            await screen.press(_AROUND[number % len(_AROUND)])
            await screen.rest(0.02)
        rows.append(["a cursor key", f"{(server.cpu_ms() - begun_ms) / KEYS:.2f} ms"])
        rows.append(["bytes down for it", f"{screen.received / KEYS:.0f}"])
        begun_ms = server.cpu_ms()
        for _ in range(20):
            screen.channel.write((_LEFT + _RIGHT) * (BURST // 2))
            await screen.rest(0.1)
        rows.append(
            [f"{BURST} cursor keys in a burst", f"{(server.cpu_ms() - begun_ms) / 20:.1f} ms"]
        )
        screen.received, begun_ms = 0, server.cpu_ms()
        for _ in range(KEYS):
            await screen.press(b" ")
            await screen.rest(0.02)
        rows.append(["an action: flag", f"{(server.cpu_ms() - begun_ms) / KEYS:.2f} ms"])
        rows.append(["bytes down for it", f"{screen.received / KEYS:.0f}"])
        rows += await sessions(server)
        connection.close()
        with slow_line(server.port, ROUND_TRIP_S) as line:
            begun_s = time.perf_counter()
            connection, screen = await begin(line.near_port, key)
            await screen.arrived()
            rows.append(["first board at 150 ms", f"{time.perf_counter() - begun_s:.2f} s"])
            connection.abort()
        _, screen = await log_in(server, key)
        rows.append([f"{STRANGERS} strangers: another's key", await crowded(server, screen)])
        return Table("players over SSH", ("of the server", "cost"), rows)


async def logins(server: Server) -> float:
    begun_ms = server.cpu_ms()
    for _ in range(LOGINS):
        key = asyncssh.generate_private_key("ssh-ed25519")
        connection, _screen = await log_in(server, key)
        connection.close()
        await connection.wait_closed()
    return (server.cpu_ms() - begun_ms) / LOGINS


async def crowded(server: Server, screen: Screen) -> str:
    """Measure how long a key waits while strangers log in, again and again."""
    program = ("-m", "benchmarks.ssh", str(server.port))
    strangers = await asyncio.create_subprocess_exec(
        sys.executable, *program, stdout=subprocess.PIPE
    )
    assert strangers.stdout is not None
    await strangers.stdout.readline()
    waits_ms = []
    for number in range(KEYS):
        begun_s = time.perf_counter()
        await screen.press(_AROUND[number % len(_AROUND)])
        waits_ms.append(1000 * (time.perf_counter() - begun_s))
        await screen.rest(0.02)
    strangers.kill()
    await strangers.wait()
    *_, slow = statistics.quantiles(waits_ms, n=100)
    return f"{statistics.median(waits_ms):.1f} ms, p99 {slow:.1f}"


async def flood(port: int) -> None:
    """Log in with many clients at once, again and again, for as long as a measurement may take."""
    key = asyncssh.generate_private_key("ssh-ed25519")

    async def come_and_go() -> None:
        while True:
            with suppress(asyncssh.Error, OSError):
                connection, screen = await begin(port, key)
                await screen.rest(0.01)
                connection.abort()

    async with asyncio.timeout(FLOOD_S), asyncio.TaskGroup() as strangers:
        for _ in range(STRANGERS):
            strangers.create_task(come_and_go())
        await asyncio.sleep(1)
        print("flooding", flush=True)


async def sessions(server: Server) -> list[list[str]]:
    """Measure sessions that have begun a game, and then rest at their clocks."""
    before_kib = server.resident_kib()
    players = [
        await log_in(server, asyncssh.generate_private_key("ssh-ed25519")) for _ in range(SESSIONS)
    ]
    for _, screen in players:
        await screen.press(b" ")
    await asyncio.sleep(1)
    memory = (server.resident_kib() - before_kib) / SESSIONS
    begun_ms = server.cpu_ms()
    await asyncio.sleep(IDLE_S)
    idle_ms = (server.cpu_ms() - begun_ms) / IDLE_S / SESSIONS
    for connection, _ in players:
        connection.close()
    return [
        ["a second at a board with its clock", f"{idle_ms:.2f} ms"],
        ["memory of a session that plays", f"{memory:.0f} KiB"],
    ]


def measure(_run: Run) -> list[Table]:
    """Return the suite's table."""
    return [asyncio.run(measure_all())]


if __name__ == "__main__":
    asyncio.run(flood(int(sys.argv[1])))
