"""What stands behind a server's connections."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from jminesweeper.cli.backends import BackendOptions, open_backend
from jminesweeper.core.rules import Level
from jminesweeper.protocol.packets import Hello, NewGame, Start
from jminesweeper.protocol.vocabulary import Command, GameKind
from jminesweeper.store.errors import StoreOpenError
from jminesweeper.store.port import Commit, Found, Job, Operation, Put, Read

START = Start(9, 9, Level.MEDIUM.value)


def debug_frame(options: BackendOptions) -> bytes:
    async def play() -> bytes:
        async with open_backend(options) as backend:
            session = backend.new_session()
            session.receive(START, 0)
            return session.receive(Command.TOGGLE_DEBUG_MODE, 0).screen

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
        session = backend.new_session()
        session.receive(Hello(), 0)
        session.receive(NewGame(GameKind.DAILY), 0)
        assert b"debug.today" in session.receive(Command.TOGGLE_DEBUG_MODE, 0).screen
        tomorrow_ns = time.time_ns() + 86_400_000_000_000
        monkeypatch.setattr(time, "time_ns", lambda: tomorrow_ns)
        assert b"debug.on" in session.receive(Command.TOGGLE_DEBUG_MODE, 0).screen


def test_without_a_seed_no_two_boards_are_the_same() -> None:
    assert debug_frame(BackendOptions()) != debug_frame(BackendOptions())


def test_debug_mode_can_be_forbidden() -> None:
    reply = debug_frame(BackendOptions(seed=5, debug_allowed=False))
    assert b"does not allow debug mode" in reply
    assert b"?B" not in reply


def test_players_are_kept_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "games.sqlite3"

    async def submit(operation: Operation) -> object:
        async with open_backend(BackendOptions(store=path)) as backend:
            answer = asyncio.get_running_loop().create_future()
            backend.store.submit([Job(operation, answer.set_result)])
            return await answer

    assert asyncio.run(submit(Commit(1, puts=(Put("player:ada", "Ada"),)))) is True
    found = asyncio.run(submit(Read(("player:ada",))))
    assert isinstance(found, Found)
    assert found.documents[0].body == "Ada"


def test_the_server_can_tell_where_games_are_kept(tmp_path: Path) -> None:
    async def kept(store: Path | None) -> str:
        async with open_backend(BackendOptions(store=store)) as backend:
            return backend.kept

    path = tmp_path / "games.sqlite3"
    assert asyncio.run(kept(path)) == f"in {path}"
    assert asyncio.run(kept(None)) == "until the server stops"


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_text("This is a letter." * 1_000)
    with pytest.raises(StoreOpenError, match="is not a store"):
        debug_frame(BackendOptions(store=path))
