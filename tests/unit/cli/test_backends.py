"""The store, the bus and the workers behind a server's connections."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from jminesweeper.cli.backends import BackendOptions, open_backend
from jminesweeper.cli.embedded import EmbeddedServer
from jminesweeper.core.rules import Level
from jminesweeper.protocol.packets import Hello, NewGame, ScreenContent, Start, encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction
from jminesweeper.store.blocking import run

START = Start(9, 9, Level.MEDIUM.value)


def debug_frame(options: BackendOptions) -> bytes:
    async def play() -> bytes:
        async with open_backend(options) as backend:
            session = backend.new_session()
            session.receive(START, 0)
            return session.receive(Command.TOGGLE_DEBUG_MODE, 0)[0]

    return asyncio.run(play())


def test_a_seed_gives_every_connection_the_same_boards() -> None:
    five, again, six = (debug_frame(BackendOptions(seed=seed)) for seed in (5, 5, 6))
    assert five == again != six


def test_games_have_different_codes_also_where_boards_are_foreseen() -> None:
    async def draw_twice() -> list[int]:
        async with open_backend(BackendOptions(seed=5)) as backend:
            return [backend.tokens(63) for _ in range(2)]

    one, other = asyncio.run(draw_twice())
    assert one != other


async def test_the_day_is_the_machines_also_after_its_clock_was_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_backend(BackendOptions()) as backend:
        assert backend.day_seeds is not None
        run(backend.store, backend.day_seeds.learn(backend.tokens))
        session = backend.new_session()
        session.receive(Hello(), 0)
        session.receive(NewGame("daily"), 0)
        assert b"debug.today" in session.receive(Command.TOGGLE_DEBUG_MODE, 0)[0]
        tomorrow_ns = time.time_ns() + 86_400_000_000_000
        monkeypatch.setattr(time, "time_ns", lambda: tomorrow_ns)
        assert b"debug.on" in session.receive(Command.TOGGLE_DEBUG_MODE, 0)[0]


def test_without_a_seed_no_two_boards_are_the_same() -> None:
    assert debug_frame(BackendOptions()) != debug_frame(BackendOptions())


def test_the_server_can_tell_where_games_are_kept(tmp_path: Path) -> None:
    async def kept(store: Path | None) -> str:
        async with open_backend(BackendOptions(store=store)) as backend:
            return backend.kept

    path = tmp_path / "games.sqlite3"
    assert asyncio.run(kept(path)) == f"in {path}"
    assert asyncio.run(kept(None)) == "until the server stops"


async def play_twice() -> list[str]:
    """Connect twice to one server; what it remarked."""
    loop = asyncio.get_running_loop()
    remarks = []
    async with AsyncExitStack() as stack:
        server = EmbeddedServer(stack)
        for _ in range(2):
            player, remark = await server.connect()
            player.setblocking(False)
            await loop.sock_sendall(player, encode(Start(5, 4, 1)))
            reader = PacketReader(Direction.FROM_SERVER)
            packets = reader.feed(await loop.sock_recv(player, 65536))
            assert isinstance(packets[0], ScreenContent)
            assert b"5x4" in packets[0].text
            player.close()
            remarks.append(remark)
    return remarks


def test_a_player_and_the_next_connection_meet_the_same_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert asyncio.run(play_twice()) == ["", ""]
    assert (tmp_path / "jminesweeper" / "games.sqlite3").exists()


def test_without_a_place_to_keep_games_they_are_played_and_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "jminesweeper").write_text("in the way")
    remarks = asyncio.run(play_twice())
    assert len(set(remarks)) == 1
    assert remarks[0].endswith("This game will not be saved.")
