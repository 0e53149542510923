"""Game servers behind HAProxy, each on an address of its own, and players who outlive them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event

from jminesweeper.check.suite import NoConnectionError, ServerClosedError
from jminesweeper.protocol.packets import MoveTo, NewGame
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.server.game_server import STOPPING
from tests.haproxy_process import HOSTS, PATIENT_CHECK, HaproxyProcess, running_haproxy, wait_until
from tests.integration.server_process import ServerProcess, running_server
from tests.integration.view_player import ViewPlayer
from tests.ports import HOST

BEGINNER = NewGame("beginner")
MINES = 10
COLUMNS = 9
CELLS = COLUMNS * COLUMNS
FLAG = Command.TOGGLE_BOMB_MARK
NOT_SAVED = "unsaved"
CUT = (NoConnectionError, ServerClosedError, ConnectionError)


class Hosts:
    """The servers behind HAProxy; each may end, and be started again."""

    def __init__(self, haproxy: HaproxyProcess, store: str) -> None:
        self.haproxy = haproxy
        self._options = (
            f"--store={store}",
            f"--port={haproxy.server_port}",
            f"--proxy-from={HOST}/32",
            "--workers=0",
        )
        self._running: dict[str, tuple[ExitStack, ServerProcess]] = {}

    def __getitem__(self, host: str) -> ServerProcess:
        return self._running[host][1]

    def start(self, host: str) -> None:
        """Start a server; HAProxy will find out by itself."""
        stack = ExitStack()
        admin = f"--admin={host}:{self.haproxy.admin_port}"
        server = stack.enter_context(running_server(f"--host={host}", admin, *self._options))
        self._running[host] = stack, server

    def end(self, host: str) -> None:
        """Take note that a server has ended, or kill it."""
        stack, _ = self._running.pop(host)
        stack.close()

    def kill(self, host: str) -> None:
        self[host].send_signal(signal.SIGKILL)
        self[host].wait()

    def home_of(self, player: ViewPlayer) -> str:
        """The host that knows the player's own address, which only HAProxy can have told it."""
        line = f"{HOST}:{player.local_port} connected"
        wait_until(lambda: any(line in server.log for _, server in self._running.values()))
        (home,) = (host for host, (_, server) in self._running.items() if line in server.log)
        return home

    def close(self) -> None:
        for host in tuple(self._running):
            self.end(host)


class Resident:
    """A player who flags one cell after the other, and comes back whenever the connection ends.

    When all have flags they are taken off again, and so on.
    """

    def __init__(self, port: int, key: bytes) -> None:
        self._port, self._key = port, key
        self._presses = 0
        self.visits = 0
        self.player = self.come_back()
        self.player.play(BEGINNER)

    def come_back(self) -> ViewPlayer:
        while True:
            try:
                self.player = ViewPlayer(self._port, self._key)
            except CUT:
                Event().wait(0.02)
            else:
                self.visits += 1
                return self.player

    @property
    def next_cell(self) -> MoveTo:
        row, column = divmod(self._presses % CELLS, COLUMNS)
        return MoveTo(column, row)

    def press(self) -> None:
        """Flag the next cell; an unanswered key press is repeated elsewhere."""
        while True:
            try:
                self.player.play(self.next_cell)
                self.player.play(FLAG)
                if STOPPING not in self.player.screen:
                    break
            except CUT:
                pass
            self.player.close()
            self.come_back()
        self._presses += 1
        self.assert_all_is_there()

    def assert_all_is_there(self) -> None:
        """Every key press that was acknowledged, and none twice: it would take its flag off."""
        flags = CELLS - abs(CELLS - self._presses % (2 * CELLS))
        assert self.player.entries["mines left"] == str(MINES - flags)

    def is_saved(self) -> bool:
        return NOT_SAVED not in self.player.play(Command.REFRESH).get("remark", "")

    def close(self) -> None:
        self.player.close()


@contextmanager
def running_hosts(
    haproxy_program: str, folder: Path, store: str, check: str = PATIENT_CHECK
) -> Iterator[Hosts]:
    with running_haproxy(haproxy_program, folder / "haproxy", check) as haproxy:
        hosts = Hosts(haproxy, store)
        try:
            for host in HOSTS:
                hosts.start(host)
            for host in HOSTS:
                haproxy.await_state(host, "UP")
            yield hosts
        finally:
            hosts.close()


@contextmanager
def residents(hosts: Hosts, count: int) -> Iterator[list[Resident]]:
    """Players on all hosts, each with a flag."""
    with ExitStack() as stack:
        players = []
        for number in range(count):
            resident = Resident(hosts.haproxy.port, bytes([number + 1]) * 16)
            stack.callback(resident.close)
            resident.press()
            players.append(resident)
        assert {hosts.home_of(each.player) for each in players} == set(HOSTS)
        yield players
