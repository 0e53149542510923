import asyncio
import os
import pty
import select
import signal
import socket
import termios
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from jminesweeper.client.conversation import Backoff, Profile
from jminesweeper.client.events import Deliver, Leave
from jminesweeper.client.own_files import read_looks
from jminesweeper.client.shell import Shell, Tty
from jminesweeper.client.terminal_client import TerminalClient
from jminesweeper.client.transport import ConnectError, Link, adopt
from jminesweeper.protocol.packets import ScreenContent, Start, View, encode
from jminesweeper.protocol.vocabulary import ANNOUNCEMENT, Command
from jminesweeper.terminal import escapes
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.looks import Canvas, Looks, Palette

START = Start(20, 10, 1)
PROFILE = Profile(START, is_live=True)
WAIT_S = 60


class Stage:
    """A shell on a pseudo-terminal, with the test at both its other ends."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.found = termios.tcgetattr(self.slave)
        self.dialled: asyncio.Queue[socket.socket] = asyncio.Queue()
        self.peers: list[socket.socket] = []
        self.told: list[str] = []
        self.refusals = 0
        self.notice = ""
        self.looks: Path | None = None
        self.shell = self.shell_on(Tty(self.slave, self.slave))

    def shell_on(self, terminal: Tty) -> Shell:
        canvas, backoff = Canvas(*terminal.size()), Backoff(lambda: 1.0)
        client = TerminalClient(PROFILE, backoff, canvas, KeyMap(), has_mouse=True)
        return Shell(client, terminal, self.told.append, self.dial, looks=self.looks)

    async def dial(self, deliver: Deliver) -> Link:
        if self.refusals:
            self.refusals -= 1
            raise ConnectError("Nobody is there.")
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        self.dialled.put_nowait(theirs)
        return Link(await adopt(ours, "The server", deliver), self.notice)

    async def is_dialled(self) -> None:
        """Wait for the client to connect, once more."""
        async with asyncio.timeout(WAIT_S):
            self.peers.append(await self.dialled.get())

    async def server_reads(self, expected: bytes) -> None:
        loop = asyncio.get_running_loop()
        data = b""
        async with asyncio.timeout(WAIT_S):
            while len(data) < len(expected):
                received = await loop.sock_recv(self.peers[-1], 65536)
                assert received, f"hung up after {data!r}"
                data += received
        assert data == expected

    def server_sends(self, packet: ScreenContent | View) -> None:
        self.peers[-1].send(encode(packet))

    async def terminal_shows(self, text: str) -> None:
        data = b""
        async with asyncio.timeout(WAIT_S):
            while text.encode() not in data:
                data += await self._terminal_writes()

    async def _terminal_writes(self) -> bytes:
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        loop.add_reader(self.master, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self.master)
        return os.read(self.master, 65536)

    def types(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def run(self, scene: Callable[[], Awaitable[None]]) -> Leave:
        """Play the scene; how the player left."""

        async def both() -> Leave:
            async with asyncio.TaskGroup() as tasks:
                playing = tasks.create_task(self.shell.run())
                await scene()
            return playing.result()

        return asyncio.run(both())

    def close(self) -> None:
        for peer in self.peers:
            peer.close()
        for descriptor in (self.master, self.slave):
            if descriptor >= 0:
                os.close(descriptor)


@pytest.fixture
def stage() -> Iterator[Stage]:
    built = Stage()
    yield built
    built.close()


async def begin(stage: Stage) -> None:
    await stage.is_dialled()
    await stage.server_reads(encode(START))
    stage.server_sends(ScreenContent(b"a game\r\nof two lines"))
    await stage.terminal_shows("two lines")


def hang_up(stage: Stage) -> None:
    stage.peers[-1].close()


async def leave(stage: Stage) -> None:
    stage.types(b"x")
    await stage.server_reads(encode(Command.QUIT))
    hang_up(stage)


def test_keys_go_out_screens_come_in_and_the_terminal_is_given_back(stage: Stage) -> None:
    async def scene() -> None:
        await begin(stage)
        stage.types(b"w\r")
        await stage.server_reads(encode(Command.MOVE_UP) + encode(Command.REVEAL))
        stage.types(b"x")
        await stage.server_reads(encode(Command.QUIT))
        await stage.terminal_shows(escapes.NORMAL_SCREEN)
        hang_up(stage)

    assert stage.run(scene) == Leave(0)
    assert termios.tcgetattr(stage.slave) == stage.found


def test_nobody_to_play_with_leaves_the_screen_alone(stage: Stage) -> None:
    async def scene() -> None:
        """Nothing happens at the other ends."""

    stage.refusals = 1
    assert stage.run(scene) == Leave(1, "Nobody is there.")
    assert select.select([stage.master], [], [], 0)[0] == []
    assert termios.tcgetattr(stage.slave) == stage.found


def test_news_are_told_before_the_screen_is_taken(stage: Stage) -> None:
    async def scene() -> None:
        await begin(stage)
        assert stage.told == ["All alone."]
        await leave(stage)

    stage.notice = "All alone."
    assert stage.run(scene) == Leave(0)


def test_a_terminal_that_cannot_be_written_to_ends_the_game(stage: Stage) -> None:
    async def scene() -> None:
        await stage.is_dialled()
        stage.server_sends(ScreenContent(b"a game"))
        await stage.server_reads(encode(START) + encode(Command.QUIT))
        hang_up(stage)

    stage.shell = stage.shell_on(Tty(stage.slave, -1))
    assert stage.run(scene) == Leave(129)
    assert termios.tcgetattr(stage.slave) == stage.found


def test_continuing_without_a_terminal_ends_the_game(stage: Stage) -> None:
    async def scene() -> None:
        await begin(stage)
        os.close(stage.master)
        stage.master = -1
        os.kill(os.getpid(), signal.SIGCONT)
        hang_up(stage)

    assert stage.run(scene).exit_code in {1, 129}


def test_looks_are_kept_in_the_players_file(stage: Stage, tmp_path: Path) -> None:
    async def scene() -> None:
        await stage.is_dialled()
        await stage.server_reads(encode(START))
        stage.server_sends(ScreenContent(ANNOUNCEMENT))
        await stage.server_reads(encode(PROFILE.hello()))
        menu = b'{"menu":{"id":"settings","title":"Settings","rows":[]}}'
        stage.server_sends(View(menu))
        await stage.terminal_shows("Settings")
        stage.types(b"l")
        await stage.terminal_shows("classic")
        stage.types(b"x")
        await stage.server_reads(encode(Command.QUIT))
        hang_up(stage)

    stage.looks = tmp_path / "config" / "looks"
    stage.shell = stage.shell_on(Tty(stage.slave, stage.slave))
    assert stage.run(scene) == Leave(0)
    assert read_looks(stage.looks) == Looks(Palette.CLASSIC)
