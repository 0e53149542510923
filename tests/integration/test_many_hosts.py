"""Two servers that share Redis, behind HAProxy as it is shipped: players outlive their server.

Each server has an address of its own on the loopback network. HAProxy tells it by PROXY protocol
where players come from, and asks its admin port whether it is well.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event, Thread

import pytest

from jminesweeper.check.suite import DeviationError
from jminesweeper.check.wire import Peer
from jminesweeper.client.address import Address
from jminesweeper.protocol.packets import Join
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.meeting import find_room
from jminesweeper.store.blocking import run
from jminesweeper.store.redis import RedisStore
from tests.haproxy_process import HOSTS, wait_until
from tests.integration.hosts import FLAG, Hosts, residents, running_hosts
from tests.integration.server_process import TIMEOUT_S
from tests.integration.test_together import Friend, begin, finish
from tests.ports import HOST
from tests.redis_process import RedisProcess, running_redis, running_sentinel

SERVICE = "games"


@pytest.fixture
def redis(redis_program: str, tmp_path: Path) -> Iterator[RedisProcess]:
    with running_redis(redis_program, tmp_path / "redis", appendfsync="always") as process:
        yield process


@pytest.fixture
def hosts(haproxy_program: str, redis: RedisProcess, tmp_path: Path) -> Iterator[Hosts]:
    with running_hosts(haproxy_program, tmp_path, redis.url) as running:
        yield running


def test_who_plays_on_a_host_that_is_killed_finds_the_same_board_on_another(hosts: Hosts) -> None:
    with residents(hosts, 4) as players:
        hosts.kill(HOSTS[0])
        for player in players:
            player.press()
            player.press()
            assert hosts.home_of(player.player) == HOSTS[1]


def test_a_race_goes_on_when_one_of_its_hosts_is_killed(hosts: Hosts, redis: RedisProcess) -> None:
    with ExitStack() as opened:

        def come(number: int) -> Friend:
            key = bytes((number,)) * 16
            return opened.enter_context(Friend(hosts.haproxy.port, f"Racer {number}", key))

        racers = [come(number) for number in range(1, 16)]
        code = begin(*racers)
        with closing(RedisStore(redis.url)) as store:
            room = run(store, find_room(code))
        assert room is not None
        assert room.setup is not None
        field = room.setup.minefield()
        homes = [hosts.home_of(racer) for racer in racers]
        assert {*homes} == {*HOSTS}
        hosts.kill(HOSTS[0])
        for number, home in enumerate(homes, start=1):
            if home == HOSTS[0]:
                racers[number - 1] = back = come(number)
                back.say_and_see(Join(code), lambda known: known.get("state") == "playing")
        for racer in racers:
            finish(racer, field)
        places = {f"Racer {number}": number for number in range(1, 16)}
        for racer in racers:
            racer.see(lambda known: known["room"]["state"] == "over")
            assert {seat["name"]: seat["place"] for seat in racer.known["seats"]} == places
            assert len({seat["time"] for seat in racer.known["seats"]}) > 1


def test_a_host_that_froze_loses_its_players_and_undoes_nothing_when_it_wakes(
    hosts: Hosts,
) -> None:
    with residents(hosts, 2) as players:
        frozen = hosts.home_of(players[0].player)
        port = players[0].player.local_port
        hosts[frozen].send_signal(signal.SIGSTOP)
        # It reads this when it wakes. By then the flag is there, and must not be taken off.
        players[0].player.send(players[0].next_cell, FLAG)
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
                with Peer(Address(HOST, self._port), patience=lambda: TIMEOUT_S) as peer:
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
