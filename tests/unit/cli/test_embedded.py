import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from jminesweeper.cli.backends import EmbeddedServer
from jminesweeper.protocol.packets import ScreenContent, Start, encode
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Direction


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
