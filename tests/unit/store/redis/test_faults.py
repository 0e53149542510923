"""Faults of a server that is in use."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from select import select
from threading import Thread

import pytest

from jminesweeper.store.backend import Admission
from jminesweeper.store.port import (
    DONE,
    Commit,
    Conflict,
    Fault,
    Found,
    Importance,
    Put,
    Read,
    Scan,
    StoreFullError,
    StoreUnavailableError,
    Tail,
    deliver_at_once,
)
from jminesweeper.store.redis import LIBRARY
from tests.contract.examples import KEY, append, begin, entries
from tests.ports import HOST, free_port
from tests.redis_process import RedisProcess
from tests.unit.store.asking import AskedRetrier
from tests.unit.store.redis.conftest import open_retrier

LOG = Read(tails=(Tail(KEY),))


def log_at(retrier: AskedRetrier) -> bytes:
    (found,) = retrier.ask(LOG)
    assert isinstance(found, Found), found
    return found.tails[0]


def test_what_is_acknowledged_survives_a_kill(redis: RedisProcess, retrier: AskedRetrier) -> None:
    for number in range(1, 100):
        assert retrier.ask(append(number, number, number + 1)) == [DONE]
    redis.kill()
    assert retrier.fault(append(100, 100, 101)) is Fault.UNREACHABLE
    assert retrier.fault(LOG) is Fault.UNREACHABLE
    redis.start()
    assert log_at(retrier) == entries(*range(1, 101))
    assert retrier.states == [Fault.UNREACHABLE, None]


def test_a_lost_connection_is_made_anew(redis: RedisProcess, retrier: AskedRetrier) -> None:
    redis.client.client_kill_filter(_type="normal", skipme=True)
    assert retrier.fault(append(1, 1, 2)) is Fault.UNREACHABLE
    assert retrier.ask(append(1, 1, 2)) == [DONE]
    assert retrier.states == [Fault.UNREACHABLE, None]


def test_a_connection_that_is_lost_while_nobody_plays_is_made_anew(redis: RedisProcess) -> None:
    with closing(open_retrier(redis.url, measure_s=0)) as retrier:
        retrier.ask(begin(1))
        redis.client.client_kill_filter(_type="normal", skipme=True)
        assert retrier.ask() == []
        assert retrier.ask(append(1, 1, 2)) == [DONE]
        assert retrier.states == [Fault.UNREACHABLE, None]


def test_a_server_that_became_a_replica_takes_no_writes(
    redis: RedisProcess, retrier: AskedRetrier
) -> None:
    redis.client.replicaof(HOST, str(free_port()))
    assert retrier.fault(append(1, 1, 2)) is Fault.READ_ONLY
    redis.client.replicaof("NO", "ONE")
    assert retrier.ask(append(1, 1, 2)) == [DONE]
    assert retrier.states == [Fault.READ_ONLY, None]


def test_a_server_that_loads_is_waited_for(redis: RedisProcess) -> None:
    # While it loads it answers now and then, on a busy machine rarely.
    with closing(open_retrier(f"{redis.url}?socket_timeout=60")) as retrier:
        retrier.ask(begin(1))
        with redis.client.pipeline(transaction=False) as pipeline:
            for number in range(8_000):
                pipeline.set(f"filler:{number}", "x")
            pipeline.execute()
        redis.kill()
        assert retrier.fault(append(1, 1, 2)) is Fault.UNREACHABLE
        # It loads for two seconds, in which a busy machine comes to ask.
        redis.start_loading(key_load_delay=250)
        assert retrier.fault(append(1, 1, 2)) is Fault.LOADING
        redis.wait_until_ready()
        assert retrier.ask(append(1, 1, 2)) == [DONE]
        assert retrier.states == [Fault.UNREACHABLE, Fault.LOADING, None]


def test_a_frozen_server_is_not_waited_for(redis: RedisProcess) -> None:
    # More than a busy machine needs for a reply when nothing is wrong.
    with closing(open_retrier(f"{redis.url}?socket_timeout=2")) as retrier:
        retrier.ask(begin(1))
        redis.freeze()
        assert retrier.fault(append(1, 1, 2)) is Fault.UNREACHABLE
        redis.thaw()
        # Whether the append arrived is not known; that it is stored once is.
        assert retrier.ask(append(1, 1, 2)) == [DONE]
        assert log_at(retrier) == entries(1, 2)


def test_a_function_that_was_deleted_is_loaded_again(
    redis: RedisProcess, retrier: AskedRetrier
) -> None:
    redis.client.function_delete(LIBRARY)
    assert retrier.fault(append(1, 1, 2)) is Fault.FAILING
    assert retrier.ask(append(1, 1, 2)) == [DONE]
    assert retrier.states == [Fault.FAILING, None]


def test_a_store_that_was_emptied_says_so_by_conflicts(
    redis: RedisProcess, retrier: AskedRetrier
) -> None:
    redis.client.flushall()
    assert retrier.ask(append(1, 1, 2), begin(1, 2)) == [Conflict(KEY), DONE]
    assert redis.client.exists("jm:schema")
    assert retrier.states == []


def test_a_damaged_key_concerns_its_commit_alone(
    redis: RedisProcess, retrier: AskedRetrier
) -> None:
    retrier.ask(begin(1, key="other"))
    redis.client.delete("jm:l:other")
    redis.client.lpush("jm:l:other", "something else")
    damaged, fine, read, again, scanned = retrier.ask(
        append(1, 1, 2, key="other"), append(1, 1, 2), Read(tails=(Tail("other"),)), LOG, Scan()
    )
    for refused in (damaged, read, scanned):
        assert isinstance(refused, StoreUnavailableError)
        assert refused.fault is Fault.DAMAGED
    assert fine is DONE
    assert again.tails == [entries(1, 2)]


def test_nothing_is_acknowledged_that_no_replica_has(
    redis: RedisProcess, replica: RedisProcess
) -> None:
    with closing(open_retrier(f"{redis.url}?replicas=1")) as retrier:
        retrier.ask(begin(1))
        replica.kill()
        for _ in range(2):
            assert retrier.fault(append(1, 1, 2)) is Fault.UNREPLICATED
        replica.start()
        redis.await_replicas()
        # On a busy machine the replica may have the append later than it is waited for.
        while (answers := retrier.ask(append(1, 1, 2))) != [DONE]:
            assert answers[0].fault is Fault.UNREPLICATED
        assert retrier.states == [Fault.UNREPLICATED, None]


def test_a_server_that_lost_its_only_replica_serves_alone(
    redis: RedisProcess, replica: RedisProcess
) -> None:
    with closing(open_retrier(redis.url)) as retrier:
        retrier.ask(begin(1))
        replica.kill()
        assert retrier.fault(append(1, 1, 2)) is Fault.UNREPLICATED
        assert retrier.ask(append(1, 1, 2)) == [DONE]
        assert retrier.states == [Fault.UNREPLICATED, None]


def test_a_replica_has_what_is_acknowledged_when_it_takes_over(
    redis: RedisProcess, replica: RedisProcess
) -> None:
    with closing(open_retrier(redis.url)) as retrier:
        retrier.ask(begin(1))
        for number in range(1, 100):
            assert retrier.ask(append(number, number, number + 1)) == [DONE]
        redis.kill()
        replica.client.replicaof("NO", "ONE")
    with closing(open_retrier(replica.url)) as retrier:
        assert log_at(retrier) == entries(*range(1, 101))


class Proxy:
    """Stands before a server, and loses the connection after so many bytes of its replies."""

    def __init__(self, port: int) -> None:
        self.bytes_left = 1 << 30
        self._server = port
        self._listener = socket.create_server((HOST, 0))
        self.url = f"redis://{HOST}:{self._listener.getsockname()[1]}"
        self._thread = Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        """Pass everything on, for one client after the other, until one says nothing at all."""
        while True:
            client, _ = self._listener.accept()
            with client, socket.create_connection((HOST, self._server)) as server:
                if not (data := client.recv(1 << 16)):
                    return
                server.sendall(data)
                self._pass(client, server)

    def _pass(self, client: socket.socket, server: socket.socket) -> None:
        while True:
            for source in select([client, server], [], [])[0]:
                data = source.recv(1 << 16)
                if source is server:
                    data = data[: self.bytes_left]
                    self.bytes_left -= len(data)
                (client if source is server else server).sendall(data)
                if not data or not self.bytes_left:
                    return

    def close(self) -> None:
        socket.create_connection(self._listener.getsockname()).close()
        self._thread.join()
        self._listener.close()


@pytest.fixture
def proxy(redis: RedisProcess) -> Iterator[Proxy]:
    with closing(Proxy(redis.port)) as opened:
        yield opened


@pytest.mark.parametrize("lost_after", [0, 1, 10, 40])
def test_whose_answer_was_lost_may_submit_again(proxy: Proxy, lost_after: int) -> None:
    with closing(open_retrier(proxy.url)) as retrier:
        retrier.ask(begin(1), begin(1, key="other"))
        proxy.bytes_left = lost_after
        batch = [append(1, 1, 2), *(append(9, 9, 9, key="other") for _ in range(9))]
        given = retrier.ask(*batch)
        assert {type(answer) for answer in given} == {StoreUnavailableError}
        proxy.bytes_left = 1 << 30
        assert retrier.ask(append(1, 1, 2)) == [DONE]
        assert log_at(retrier) == entries(1, 2)


def test_a_server_that_fills_up_refuses_what_matters_least_first(redis: RedisProcess) -> None:
    warnings: list[None] = []
    redis.client.config_set("maxmemory", redis.client.info("memory")["used_memory"] + (8 << 20))
    admission = Admission(deliver_at_once, lambda: warnings.append(None))
    with closing(open_retrier(redis.url, admission, measure_s=0)) as retrier:
        retrier.ask(begin(1))
        for importance in Importance:
            move = append(1, 1, 2)._replace(importance=importance)
            for number in range(200):
                put = Put(f"{importance}:{number}", "x" * 200_000)
                (answer,) = retrier.ask(Commit(1, puts=(put,), importance=importance))
                if isinstance(answer, StoreFullError):
                    break
            assert isinstance(retrier.ask(move)[0], StoreFullError)
        gone = tuple(Put(f"{Importance.HIGH}:{number}", None) for number in range(200))
        assert retrier.ask(Commit(puts=gone)) == [DONE]
        assert retrier.ask(append(1, 1, 2)._replace(importance=Importance.HIGH)) == [DONE]
        assert len(warnings) >= 1
        assert retrier.states == []
