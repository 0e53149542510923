from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress

import pytest

from jminesweeper.server.config import ALL_INTERFACES, ServerConfig
from jminesweeper.server.door import INTRODUCTION
from jminesweeper.server.game_server import STOPPING, GameServer
from jminesweeper.server.hub import MAX_REFUSED
from jminesweeper.server.listening import ListenError
from jminesweeper.server.phases import IDLE
from tests.unit.server.fakes import MOVE_BYTE, FakeSession, backend_of, turn

LOOPBACK = "127.0.0.1"


def server_with(
    new_session: Callable[[], FakeSession] = FakeSession,
    *,
    host: str = LOOPBACK,
    port: int | None = 0,
    max_per_address: int = 0,
    idle_timeout_s: float = 900.0,
    silence_timeout_s: float = 60.0,
    linger_s: float = 5.0,
    stop_timeout_s: float = 5.0,
) -> GameServer:
    config = ServerConfig(
        host=host,
        port=port,
        max_per_address=max_per_address,
        idle_timeout_s=idle_timeout_s,
        silence_timeout_s=silence_timeout_s,
        linger_s=linger_s,
        stop_timeout_s=stop_timeout_s,
    )
    return GameServer(config, backend_of(new_session))


class Player:
    """A peer on the same loop."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, server: GameServer) -> Player:
        return cls(*await asyncio.open_connection(LOOPBACK, server.port))

    async def play(self, packets: bytes, replies: bytes) -> None:
        self.writer.write(packets)
        assert await self.reader.readexactly(len(replies)) == replies

    async def read_to_end(self) -> bytes:
        data = await self.reader.read()
        await self.hang_up()
        return data

    async def is_dropped(self) -> bool:
        """Wait for the end of a connection on which nothing comes."""
        with suppress(ConnectionResetError):
            assert await self.reader.read() == b""
        self.writer.close()
        return True

    async def hang_up(self) -> None:
        self.writer.close()
        await self.writer.wait_closed()


@pytest.mark.requirement("J:Networking Protocol", "J:port 9999", "U:port")
def test_the_port_is_that_of_the_protocol() -> None:
    assert ServerConfig().port == 9999


def test_a_server_listens_everywhere_unless_told_otherwise() -> None:
    assert ServerConfig().host == ALL_INTERFACES


async def test_players_do_not_share_a_session() -> None:
    async with server_with() as server:
        one, other = await Player.connect(server), await Player.connect(server)
        await one.play(MOVE_BYTE * 2, b"<1><2>")
        await other.play(MOVE_BYTE, b"<1>")
        await one.hang_up()
        await other.play(MOVE_BYTE, b"<2>")
        await other.hang_up()


async def test_the_chosen_port_is_known() -> None:
    async with server_with() as server:
        assert server.addresses == ((LOOPBACK, server.port),)
        assert server.port > 0


async def test_all_interfaces_include_loopback() -> None:
    async with server_with(host="") as server:
        player = await Player.connect(server)
        await player.play(MOVE_BYTE, b"<1>")
        await player.hang_up()


async def test_stopping_says_goodbye_to_everybody() -> None:
    async with server_with() as server:
        players = [await Player.connect(server) for _ in range(3)]
        for player in players:
            await player.play(MOVE_BYTE, b"<1>")
        stopping = asyncio.create_task(server.stop())
        for player in players:
            assert await player.read_to_end() == f"<{STOPPING}>".encode()
        await stopping
        assert server.totals.packets == 3


async def test_a_stopped_server_takes_nobody_in() -> None:
    async with server_with() as server:
        port = server.port
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(LOOPBACK, port)


async def test_a_player_who_does_not_hang_up_does_not_keep_the_server_from_stopping() -> None:
    async with server_with(stop_timeout_s=0.05) as server:
        player = await Player.connect(server)
        await player.play(MOVE_BYTE, b"<1>")
    assert await player.read_to_end() == f"<{STOPPING}>".encode()


async def test_a_player_who_comes_at_the_last_moment_is_told_as_well() -> None:
    async with server_with() as server:
        with socket.create_connection((LOOPBACK, server.port)) as late:
            late.setblocking(False)
            while not server._arrivals:
                await turn()
            stopping = asyncio.create_task(server.stop())
            loop = asyncio.get_running_loop()
            assert STOPPING.encode() in await loop.sock_recv(late, 1000)
        await stopping


async def test_a_server_that_was_never_started_can_be_stopped() -> None:
    await server_with().stop()


async def test_silent_players_are_swept_out() -> None:
    async with server_with(idle_timeout_s=0.05) as server:
        player = await Player.connect(server)
        await player.play(MOVE_BYTE, b"<1>")
        assert await player.read_to_end() == f"<{IDLE}>".encode()


async def test_who_says_nothing_at_all_is_swept_out_sooner() -> None:
    async with server_with(silence_timeout_s=0.05) as server:
        player = await Player.connect(server)
        assert await player.read_to_end() == f"<{IDLE}>".encode()


async def test_who_types_is_told_what_this_is() -> None:
    async with server_with() as server:
        person = await Player.connect(server)
        person.writer.write(b"hello\r\n")
        assert await person.read_to_end() == INTRODUCTION


async def test_who_is_one_too_many_is_told_so() -> None:
    async with server_with(max_per_address=1) as server:
        player_there = await Player.connect(server)
        await player_there.play(MOVE_BYTE, b"<1>")
        late = await Player.connect(server)
        late.writer.write(MOVE_BYTE)
        assert b"too many connections from your address" in await late.read_to_end()
        await player_there.play(MOVE_BYTE, b"<2>")
        assert server.totals.refused.total() == 1
        await player_there.hang_up()


async def test_a_crowd_of_refused_peers_is_closed_without_a_word() -> None:
    async with server_with(max_per_address=1, stop_timeout_s=0.05) as server:
        player_there = await Player.connect(server)
        await player_there.play(MOVE_BYTE, b"<1>")
        crowd = [await Player.connect(server) for _ in range(MAX_REFUSED)]
        for player in crowd:
            assert await player.reader.readexactly(1) == b"<"
        late = await Player.connect(server)
        assert await late.is_dropped()
        await server.stop()
        for player in (*crowd, player_there):
            await player.hang_up()


async def test_an_embedded_player_needs_no_port() -> None:
    async with server_with(port=None) as server:
        assert server.addresses == ()
        player = Player(*await asyncio.open_connection(sock=await server.connect_embedded()))
        await player.play(MOVE_BYTE, b"<1>")
        await player.hang_up()


async def test_a_session_that_cannot_begin_costs_its_player_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    made: list[FakeSession] = []

    def new_session() -> FakeSession:
        made.append(FakeSession())
        if len(made) == 1:
            raise ZeroDivisionError("a bug")
        return made[-1]

    with caplog.at_level(logging.ERROR):
        async with server_with(new_session, max_per_address=1) as server:
            unlucky = await Player.connect(server)
            assert await unlucky.is_dropped()
            lucky = await Player.connect(server)
            await lucky.play(MOVE_BYTE, b"<1>")
            await lucky.hang_up()
    assert caplog.messages == ["a connection could not be set up"]


async def test_an_embedded_player_counts_like_any_other() -> None:
    async with server_with(port=None, max_per_address=1) as server:
        first = Player(*await asyncio.open_connection(sock=await server.connect_embedded()))
        await first.play(MOVE_BYTE, b"<1>")
        second = Player(*await asyncio.open_connection(sock=await server.connect_embedded()))
        assert b"too many connections" in await second.read_to_end()
        await first.hang_up()


async def test_replies_are_not_delayed_by_the_network() -> None:
    async with server_with() as server:
        player = await Player.connect(server)
        await player.play(MOVE_BYTE, b"<1>")
        (player_there,) = server._hub.connections
        ours = player_there._transport.get_extra_info("socket")
        assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        await player.hang_up()


async def test_a_server_that_cannot_listen_says_so() -> None:
    async with server_with() as server:
        with pytest.raises(ListenError):
            await GameServer(ServerConfig(host=LOOPBACK, port=server.port), backend_of()).start()
