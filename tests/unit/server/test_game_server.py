from __future__ import annotations

import asyncio
import logging
import socket
from typing import Any

import pytest

from jminesweeper.protocol.packets import encode
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.records.keys import DUE, REVIEWS, ROUNDS
from jminesweeper.server.config import ALL_INTERFACES, ServerConfig
from jminesweeper.server.conversation import IDLE
from jminesweeper.server.game_server import STOPPING, GameServer
from jminesweeper.server.listening import own_hosts
from jminesweeper.session.session import Session
from tests.unit.server.fakes import MOVE_BYTE, START, FakeStore, backend_of, turn
from tests.unit.server.loop_peer import LOOPBACK, serving

REFRESH_BYTE = encode(Command.REFRESH)


@pytest.mark.requirement("J:Networking Protocol", "J:port 9999", "U:port")
def test_the_port_is_that_of_the_protocol() -> None:
    assert ServerConfig().port == 9999


def test_a_server_listens_everywhere_unless_told_otherwise() -> None:
    assert ServerConfig().host == ALL_INTERFACES


async def test_players_do_not_share_a_session() -> None:
    async with serving() as server:
        one, other = await server.come(), await server.come()
        board = await one.play(START + REFRESH_BYTE, 2)
        await other.play(START + MOVE_BYTE, 2)
        assert await one.play(REFRESH_BYTE) == board
        await one.leave()
        assert await other.play(REFRESH_BYTE) != board


async def test_the_chosen_port_is_known() -> None:
    async with serving() as server:
        assert server.addresses == ((LOOPBACK, server.port),)
        assert server.port > 0


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"host": LOOPBACK}, LOOPBACK),
        ({"host": LOOPBACK, "public_url": "https://play.example/mines"}, "play.example"),
        ({"host": ALL_INTERFACES}, next(own_hosts(), "")),
    ],
)
async def test_friends_are_told_the_address_that_reaches_the_server(
    settings: dict[str, Any], named: str
) -> None:
    async with serving(**settings) as server:
        doors = server._hub.backend.doors
        assert (doors.port, doors.host) == (server.port, named)
        player = await server.come()
        await player.play(MOVE_BYTE)


async def test_what_fell_due_while_no_server_ran_is_asked_for_at_once() -> None:
    store = FakeStore()
    async with GameServer(ServerConfig(port=None), backend_of(store=store)):
        for _ in range(10):
            await turn()
    asked = [part.board for job in store.jobs for part in getattr(job.operation, "parts", ())]
    assert {DUE, REVIEWS, ROUNDS} <= {*asked}


async def test_stopping_says_goodbye_to_everybody() -> None:
    async with serving() as server:
        players = [await server.come() for _ in range(3)]
        for player in players:
            await player.play(MOVE_BYTE)
        stopping = asyncio.create_task(server.stop())
        for player in players:
            assert STOPPING in await player.last_words()
        await stopping
        assert server.totals.packets == 3


async def test_a_player_who_does_not_hang_up_does_not_keep_the_server_from_stopping() -> None:
    async with serving(stop_timeout_s=0.05) as server:
        player = await server.come()
        await player.play(MOVE_BYTE)
        await server.stop()
        assert STOPPING in await player.last_words()


async def test_a_player_who_comes_at_the_last_moment_is_told_as_well() -> None:
    async with serving() as server:
        with socket.create_connection((LOOPBACK, server.port)) as late:
            late.setblocking(False)
            while not server._arrivals:
                await turn()
            stopping = asyncio.create_task(server.stop())
            loop = asyncio.get_running_loop()
            assert STOPPING.encode() in await loop.sock_recv(late, 1000)
        await stopping


async def test_a_server_that_was_never_started_can_be_stopped() -> None:
    await GameServer(ServerConfig(), backend_of()).stop()


async def test_silent_players_are_swept_out() -> None:
    async with serving(idle_timeout_s=0.05) as server:
        player = await server.come()
        await player.play(MOVE_BYTE)
        assert IDLE in await player.last_words()


async def test_an_embedded_player_needs_no_port() -> None:
    async with serving(port=None) as server:
        assert server.addresses == ()
        player = await server.embed()
        await player.play(MOVE_BYTE)


async def test_a_session_that_cannot_begin_costs_its_player_alone(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with caplog.at_level(logging.ERROR):
        async with serving(max_per_address=1) as server:
            with monkeypatch.context() as broken:
                broken.delattr(Session, "arrive")
                unlucky = await server.come()
                assert await unlucky.to_the_end() == b""
            lucky = await server.come()
            await lucky.play(MOVE_BYTE)
            await lucky.leave()
    assert caplog.messages == ["a connection could not be set up"]


async def test_an_embedded_player_counts_like_any_other() -> None:
    async with serving(port=None, max_per_address=1) as server:
        first = await server.embed()
        await first.play(MOVE_BYTE)
        second = await server.embed()
        assert b"too many connections" in await second.to_the_end()


async def test_replies_are_not_delayed_by_the_network() -> None:
    async with serving() as server:
        player = await server.come()
        await player.play(MOVE_BYTE)
        (player_there,) = server._hub.connections
        ours = player_there._transport.get_extra_info("socket")
        assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
