"""Two servers that share Redis, behind HAProxy as it is shipped: players outlive their server.

Each server has an address of its own on the loopback network. HAProxy tells it by PROXY protocol
where players come from, and asks its admin port whether it is well.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from jminesweeper.check.deviation import DeviationError, NoConnectionError, ServerClosedError
from jminesweeper.check.peer import Peer
from jminesweeper.client.address import Address
from jminesweeper.protocol import Command, GameKind, MoveTo, NewGame, RulesCode
from jminesweeper.server.game_server import STOPPING
from tests.haproxy_process import HOSTS, HaproxyProcess, running_haproxy, wait_until
from tests.integration.plain_player import PlainPlayer
from tests.integration.server_process import ServerProcess, running_server
from tests.redis_process import HOST, RedisProcess, running_redis, running_sentinel

BEGINNER = NewGame(GameKind.BEGINNER, rules=RulesCode.CLASSIC)
MINES = 10
COLUMNS = 9
FLAG = Command.TOGGLE_BOMB_MARK
NOT_SAVED = "not saved"
SERVICE = "games"
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

    def home_of(self, player: PlainPlayer) -> str:
        """The host that knows the player's own address, which only HAProxy can have told it."""
        line = f"{HOST}:{player.local_port} connected"
        wait_until(lambda: any(line in server.log for _, server in self._running.values()))
        (home,) = (host for host, (_, server) in self._running.items() if line in server.log)
        return home

    def close(self) -> None:
        for host in tuple(self._running):
            self.end(host)


class Resident:
    """A player who flags one cell after the other, and comes back whenever the connection ends."""

    def __init__(self, port: int, key: bytes) -> None:
        self._port, self._key = port, key
        self.flags = 0
        self.visits = 0
        self.player = self.come_back()
        self.player.play(BEGINNER)

    def come_back(self) -> PlainPlayer:
        while True:
            try:
                self.player = PlainPlayer(self._port, self._key)
            except CUT:
                Event().wait(0.02)
            else:
                self.visits += 1
                return self.player

    def press(self) -> None:
        """Flag the next cell; an unanswered key press is repeated elsewhere."""
        cell = MoveTo(self.flags % COLUMNS, self.flags // COLUMNS)
        while True:
            try:
                self.player.play(cell)
                self.player.play(FLAG)
                if STOPPING not in self.player.screen:
                    break
            except CUT:
                pass
            self.player.close()
            self.come_back()
        self.flags += 1
        self.assert_all_is_there()

    def assert_all_is_there(self) -> None:
        """Every flag that was acknowledged, and none twice: the next press would take it off."""
        assert self.player.entries["mines left"] == str(MINES - self.flags)

    def is_saved(self) -> bool:
        return NOT_SAVED not in self.player.play(Command.REFRESH).get("remark", "")

    def close(self) -> None:
        self.player.close()


@pytest.fixture
def redis(redis_program: str, tmp_path: Path) -> Iterator[RedisProcess]:
    with running_redis(redis_program, tmp_path / "redis", appendfsync="always") as process:
        yield process


@contextmanager
def running_hosts(haproxy_program: str, folder: Path, store: str) -> Iterator[Hosts]:
    with running_haproxy(haproxy_program, folder / "haproxy") as haproxy:
        hosts = Hosts(haproxy, store)
        try:
            for host in HOSTS:
                hosts.start(host)
            for host in HOSTS:
                haproxy.await_state(host, "UP")
            yield hosts
        finally:
            hosts.close()


@pytest.fixture
def hosts(haproxy_program: str, redis: RedisProcess, tmp_path: Path) -> Iterator[Hosts]:
    with running_hosts(haproxy_program, tmp_path, redis.url) as running:
        yield running


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


def test_who_plays_on_a_host_that_is_killed_finds_the_same_board_on_another(hosts: Hosts) -> None:
    with residents(hosts, 4) as players:
        hosts.kill(HOSTS[0])
        for player in players:
            player.press()
            player.press()
            assert hosts.home_of(player.player) == HOSTS[1]


def test_a_host_that_froze_loses_its_players_and_writes_nothing_when_it_wakes(
    hosts: Hosts,
) -> None:
    with residents(hosts, 2) as players:
        frozen = hosts.home_of(players[0].player)
        port = players[0].player.local_port
        hosts[frozen].send_signal(signal.SIGSTOP)
        # What it has not read yet it will read when it wakes, and must not do.
        players[0].player.send(MoveTo(8, 8), FLAG)
        for player in players:
            player.press()
            assert hosts.home_of(player.player) != frozen
        hosts[frozen].send_signal(signal.SIGCONT)
        hosts[frozen].await_log(rf":{port} left after")
        hosts.haproxy.await_state(frozen, "UP")
        for player in players:
            player.press()
            player.player.close()
            player.come_back()
            player.assert_all_is_there()


def test_a_host_that_drains_answers_every_key_press_or_leaves_it_to_another(hosts: Hosts) -> None:
    with residents(hosts, 6) as players:
        hosts[HOSTS[0]].send_signal(signal.SIGTERM)
        moved = 0
        while moved < 3:
            for player in players:
                if player.flags < 80:
                    player.press()
            moved = sum(player.visits - 1 for player in players)
        assert hosts[HOSTS[0]].wait() == 0
        for player in players:
            assert hosts.home_of(player.player) == HOSTS[1]
            assert player.visits <= 2
            player.assert_all_is_there()


def test_redis_that_dies_and_comes_back_costs_no_board(hosts: Hosts, redis: RedisProcess) -> None:
    with residents(hosts, 2) as players:
        redis.kill()
        for player in players:
            player.press()
        redis.start()
        for player in players:
            player.press()
            wait_until(player.is_saved)
        hosts.kill(HOSTS[0])
        for player in players:
            player.press()


def test_a_replica_that_takes_over_costs_no_board(
    haproxy_program: str, redis_program: str, redis: RedisProcess, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        address = f"{HOST} {redis.port}"
        stack.enter_context(running_redis(redis_program, tmp_path / "replica", replicaof=address))
        redis.await_replicas()
        sentinel = running_sentinel(redis_program, tmp_path / "sentinel", SERVICE, redis)
        store = f"redis+sentinel://{HOST}:{stack.enter_context(sentinel)}/{SERVICE}"
        hosts = stack.enter_context(running_hosts(haproxy_program, tmp_path, store))
        players = stack.enter_context(residents(hosts, 2))
        redis.kill()
        for player in players:
            player.press()
            wait_until(player.is_saved)
        hosts.kill(HOSTS[0])
        for player in players:
            player.press()


class Visitors:
    """Those who come, see a screen and go, one after the other, all the time."""

    def __init__(self, port: int, count: int) -> None:
        self._port = port
        self._is_over = Event()
        self.seen = 0
        self.failures: list[Exception] = []
        self._threads = [Thread(target=self._visit_often) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def _visit_often(self) -> None:
        while not self._is_over.is_set():
            try:
                with Peer(Address(HOST, self._port)) as peer:
                    peer.ask(Command.MOVE_LEFT)
                    peer.send(Command.QUIT)
            except (DeviationError, ConnectionError) as failure:
                self.failures.append(failure)
            self.seen += 1

    def close(self) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()


def test_no_connection_fails_while_one_host_after_the_other_is_restarted(hosts: Hosts) -> None:
    visitors = Visitors(hosts.haproxy.port, 4)
    with ExitStack() as stack:
        stack.callback(visitors.close)
        for host in HOSTS:
            before = visitors.seen
            hosts[host].send_signal(signal.SIGTERM)
            assert hosts[host].wait() == 0
            hosts.end(host)
            hosts.start(host)
            hosts.haproxy.await_state(host, "UP")
            assert visitors.seen > before
    assert visitors.failures == []
