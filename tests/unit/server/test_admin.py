"""Answers to an operator's programs, over real connections to a server in this process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from prometheus_client.parser import text_string_to_metric_families

from jminesweeper.protocol.packets import Hello, encode
from jminesweeper.server.admin import MAX_CONNECTIONS
from jminesweeper.server.config import AdminConfig, Backend, ServerConfig
from jminesweeper.server.game_server import GameServer
from jminesweeper.server.listening import ListenError
from jminesweeper.session.config import SessionConfig
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import Fault, Job, Read
from tests.unit.server.fakes import GARBAGE, MOVE_BYTE, START, backend_of
from tests.unit.server.loop_peer import Peer
from tests.world.loop import FakeClock

HOST = "127.0.0.1"
WITH_STORE = SessionConfig(has_store=True)


class SlowStore(MemoryStore):
    """Answers what it is asked for a player once it may; what the server asks itself never."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[Job] = []
        self.has_jobs = asyncio.Event()

    def submit(self, jobs: Sequence[Job]) -> None:
        if any(isinstance(job.operation, Read) and job.operation.keys for job in jobs):
            self.waiting += jobs
            self.has_jobs.set()

    def let_through(self) -> int:
        """Answer what waits; return how much that was."""
        waiting, self.waiting = self.waiting, []
        super().submit(waiting)
        return len(waiting)


@asynccontextmanager
async def serving(
    backend: Backend | None = None, *, needs_store: bool = False, max_per_address: int = 1000
) -> AsyncIterator[tuple[GameServer, FakeClock]]:
    """A server with both ports, and a clock that only a test moves."""
    clock = FakeClock()
    config = ServerConfig(
        host=HOST,
        port=0,
        admin=AdminConfig(HOST, 0, needs_store=needs_store),
        max_per_address=max_per_address,
    )
    async with GameServer(config, backend or backend_of(), clock) as server:
        yield server, clock


def admin_port(server: GameServer) -> int:
    assert server._admin is not None
    return server._admin.addresses[0][1]


async def send(port: int, data: bytes) -> bytes:
    """All that comes back until the server hangs up."""
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(data)
    answer = await reader.read()
    writer.close()
    return answer


async def get(server: GameServer, path: str, method: str = "GET") -> tuple[int, str]:
    answer = await send(admin_port(server), f"{method} {path} HTTP/1.0\r\n\r\n".encode())
    head, _, body = answer.decode().partition("\r\n\r\n")
    return int(head.split()[1]), body


async def figures(server: GameServer) -> dict[str, float]:
    status, text = await get(server, "/metrics")
    assert status == 200
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@asynccontextmanager
async def player(server: GameServer, *packets: bytes) -> AsyncIterator[Peer]:
    """A player who has the replies to some packets, and stays."""
    peer = Peer(*await asyncio.open_connection(HOST, server.port))
    try:
        for packet in packets:
            await peer.play(packet)
        yield peer
    finally:
        await peer.leave()


async def test_a_server_that_plays_is_well() -> None:
    async with serving() as (server, _):
        assert await get(server, "/healthz") == (200, "ok\n")
        assert await get(server, "/haproxy") == (200, "ok\n")


async def test_a_server_that_stops_is_not() -> None:
    async with serving() as (server, _):
        server.health.is_draining = True
        assert await get(server, "/healthz") == (503, "draining\n")
        assert await get(server, "/haproxy") == (404, "draining\n")
        assert (await figures(server))["jminesweeper_draining"] == 1


@pytest.mark.parametrize(
    ("needs_store", "told"),
    [(False, (200, "ok\n")), (True, (503, "the store cannot be reached\n"))],
)
async def test_without_its_store_a_server_is_well_unless_it_needs_it(
    needs_store: bool, told: tuple[int, str]
) -> None:
    backend = replace(backend_of(), store_fault=lambda: Fault.UNREACHABLE)
    async with serving(backend, needs_store=needs_store) as (server, _):
        assert await get(server, "/healthz") == told
        assert (await figures(server))["jminesweeper_store_away"] == 1


async def test_while_the_last_players_leave_health_is_still_told() -> None:
    store = SlowStore()
    async with serving(backend_of(WITH_STORE, store)) as (server, _), player(server) as peer:
        await peer.say(encode(Hello(key=bytes(16))))
        await store.has_jobs.wait()
        stopping = asyncio.create_task(server.stop())
        assert await get(server, "/healthz") == (503, "draining\n")
        store.let_through()
        await peer.to_the_end()
        await stopping
        with pytest.raises(ConnectionRefusedError):
            await get(server, "/healthz")


async def test_figures_tell_who_is_here_and_what_came() -> None:
    async with serving() as (server, _):
        async with (
            player(server, START, MOVE_BYTE, MOVE_BYTE),
            player(server, MOVE_BYTE, MOVE_BYTE),
        ):
            told = await figures(server)
        assert told["jminesweeper_connections"] == 2
        assert told["jminesweeper_connections_total"] == 2
        assert told["jminesweeper_packets_total start"] == 1
        assert told["jminesweeper_packets_total move_right"] == 4
        assert told["jminesweeper_packets_total new_game"] == 0
        assert told["jminesweeper_packet_seconds_count"] == 5
        assert told["jminesweeper_turn_queue"] == 0
        assert told["jminesweeper_workers"] == 2
        assert told["jminesweeper_workers_busy"] == 1
        assert told["process_cpu_seconds_total"] > 0


async def test_refusals_are_told_by_their_reason() -> None:
    async with serving(max_per_address=1) as (server, _):
        async with player(server, START):
            assert b"too many connections" in await send(server.port, START)
            told = await figures(server)
        assert told["jminesweeper_refused_total address_full"] == 1
        assert told["jminesweeper_refused_total server_full"] == 0


async def test_who_sends_no_packets_is_counted() -> None:
    async with serving() as (server, _):
        assert b"no packet of type 0" in await send(server.port, GARBAGE)
        assert (await figures(server))["jminesweeper_protocol_errors_total"] == 1


async def test_the_store_is_timed_by_batches() -> None:
    store = SlowStore()
    async with (
        serving(backend_of(WITH_STORE, store)) as (server, clock),
        player(server) as peer,
    ):
        before = await figures(server)
        await peer.say(encode(Hello(key=bytes(16))))
        await store.has_jobs.wait()
        clock.advance(0.5)
        operations = store.let_through()
        clock.advance(1)
        told = await figures(server)
        for figure, more in (("sum", operations), ("count", 1)):
            name = f"jminesweeper_store_batch_operations_{figure}"
            assert told[name] == before[name] + more
        assert told["jminesweeper_store_seconds_sum"] == pytest.approx(0.5)


async def test_figures_are_worked_out_once_a_second() -> None:
    async with serving() as (server, clock):
        before = await get(server, "/metrics")
        async with player(server, START):
            assert await get(server, "/metrics") == before
            clock.advance(1)
            assert (await figures(server))["jminesweeper_connections"] == 1


async def test_no_figure_names_an_address() -> None:
    async with serving() as (server, _), player(server, START):
        _, text = await get(server, "/metrics")
        assert HOST not in text


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        ("GET / HTTP/1.0", 404),
        ("POST /metrics HTTP/1.0", 405),
        ("nonsense", 400),
        ("GET /healthz HTTP/1.0\r\nContent-Length: 5", 413),
        ("GET /healthz HTTP/1.1\r\n" + "a" * 9000, 431),
    ],
)
async def test_what_is_no_question_is_refused(request_line: str, status: int) -> None:
    async with serving() as (server, _):
        answer = await send(admin_port(server), f"{request_line}\r\n\r\n".encode())
        assert answer.startswith(f"HTTP/1.1 {status} ".encode())


async def test_head_gets_no_body() -> None:
    async with serving() as (server, _):
        assert await get(server, "/healthz", "HEAD") == (200, "")


async def test_a_question_may_come_in_pieces_and_is_answered_once() -> None:
    async with serving() as (server, _):
        reader, writer = await asyncio.open_connection(HOST, admin_port(server))
        for piece in (b"GET /hea", b"lthz HTTP/1.0\r\n", b"\r\nGET /metrics HTTP/1.0\r\n\r\n"):
            writer.write(piece)
            await writer.drain()
        assert (await reader.read()).count(b"HTTP/1.1 ") == 1
        writer.close()


async def test_those_who_ask_nothing_keep_no_health_check_out() -> None:
    async with serving() as (server, _):
        silent = [
            await asyncio.open_connection(HOST, admin_port(server)) for _ in range(MAX_CONNECTIONS)
        ]
        assert await get(server, "/healthz") == (200, "ok\n")
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await silent[0][0].readexactly(1)
        for _, writer in silent:
            writer.close()


async def test_a_busy_admin_port_keeps_a_server_from_starting() -> None:
    async with serving() as (server, _):
        config = ServerConfig(host=HOST, port=0, admin=AdminConfig(HOST, admin_port(server)))
        with pytest.raises(ListenError, match="already"):
            await GameServer(config, backend_of()).start()


async def test_a_server_that_cannot_start_answers_no_health_check() -> None:
    with socket.create_server((HOST, 0)) as busy:
        config = ServerConfig(host=HOST, port=busy.getsockname()[1], admin=AdminConfig(HOST, 0))
        server = GameServer(config, backend_of())
        with pytest.raises(ListenError, match="already"):
            await server.start()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(HOST, admin_port(server))
