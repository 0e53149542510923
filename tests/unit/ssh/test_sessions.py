"""Sessions by SSH: what a player is shown and told, and what a peer can cost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import asyncssh
import pytest

from jminesweeper.records.keys import looks_key
from jminesweeper.server.config import SshConfig
from jminesweeper.server.game_server import GameServer
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Matches
from jminesweeper.session.session import Session
from jminesweeper.ssh.door import CROWDED, FULL, MOST_LOGINS, SshDoor
from jminesweeper.ssh.line import ENDED, LOGIN_BYTES, SshLine, account_of_key
from jminesweeper.ssh.terminal import BUG, GUEST, NEEDS_TERMINAL, PRINTED_LATER
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.port import ABSENT, Commit, Found, Job, Put, Read
from tests.unit.server.fakes import FakeStore, come, turn
from tests.unit.ssh.peer import HOST, TIMEOUT_S, Player, log_in, playing, serving, sit_down
from tests.world.loop import FakeTransport, hear

KEY = asyncssh.generate_private_key("ssh-ed25519")
MSG_KEX_ECDH_INIT = 30


async def test_a_guest_is_told_how_to_keep_games_and_a_player_with_a_key_is_not(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        async with log_in(server) as connection:
            guest = await sit_down(connection)
            await guest.sees("mines +10")
            await guest.sees(GUEST)
        async with log_in(server, KEY) as connection:
            player = await sit_down(connection)
            await player.sees("mines +10")
            assert not player.shows(GUEST)


@pytest.mark.parametrize(
    ("words", "terminal", "code", "said"),
    [
        ("bogus", {}, 2, "'bogus' is not known."),
        ("help", {}, 0, "Usage: ssh -t -p PORT HOST [WORDS]"),
        (None, {"term_type": None}, 2, NEEDS_TERMINAL),
        (None, {"term_type": "dumb"}, 2, "TERM=dumb cannot place text."),
    ],
)
async def test_a_session_without_a_game_says_why_in_its_exit_code_as_well(
    tmp_path: Path, words: str | None, terminal: dict[str, object], code: int, said: str
) -> None:
    async with serving(tmp_path) as server, log_in(server) as connection:
        player = await sit_down(connection, words, **terminal)
        assert await player.end() == code
        assert said in player.output.decode()


@pytest.mark.parametrize(("keys", "code"), [(b"\x03", 130), (b"\x1c", 130), (b"x", 0), (b"", 0)])
async def test_a_key_or_the_end_of_input_ends_the_game_and_gives_the_screen_back(
    tmp_path: Path, keys: bytes, code: int
) -> None:
    async with playing(tmp_path) as (_, _, player):
        if keys:
            player.type(keys)
        else:
            player.channel.write_eof()
        assert await player.end() == code
        assert b"\x1b[?1049l" in player.output


async def test_keys_from_before_the_first_picture_count(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, log_in(server, KEY) as connection:
        player = await sit_down(connection)
        player.type(b" ")
        await player.sees("mines +9")


@pytest.mark.parametrize(
    ("size", "columns"), [((0, 0), 80), ((1 << 31, 1 << 31), 400), ((100, 30), 100)]
)
async def test_a_terminal_of_any_size_gets_a_picture_within_bounds(
    tmp_path: Path, size: tuple[int, int], columns: int
) -> None:
    async with serving(tmp_path) as server, log_in(server) as connection:
        player = await sit_down(connection, "expert", term_size=size)
        player.screen.clear(405, 155)
        await player.sees("mines +99")
        widest = max(map(len, player.screen.lines))
        assert columns / 4 < widest <= columns


async def test_the_picture_follows_the_window(tmp_path: Path) -> None:
    async with playing(tmp_path, "expert", "mines +99") as (_, _, player):
        player.screen.clear(40, 12)
        player.channel.change_terminal_size(40, 12)
        await player.sees("expert")
        assert max(map(len, player.screen.lines)) <= 40


async def test_no_colour_and_the_locale_of_a_player_are_heeded(tmp_path: Path) -> None:
    env = {"NO_COLOR": "1", "LC_ALL": "de_DE.ISO-8859-1@euro"}
    async with playing(tmp_path, env=env) as (_, _, player):
        assert b"\x1b[38;" not in player.output
        assert player.output.isascii()


async def test_variables_are_bounded(tmp_path: Path) -> None:
    env = {f"V{number}": "1" for number in range(200)}
    async with playing(tmp_path, env=env) as (server, _, _):
        (line,) = lines_of(server)
        assert line._channel is not None
        assert len(line._channel._env) == 64


async def test_a_second_session_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    async with playing(tmp_path) as (_, connection, player):
        with pytest.raises(asyncssh.ChannelOpenError):
            await sit_down(connection)
        player.type(b" ")
        await player.sees("mines +9")


async def test_looks_that_an_older_version_kept_are_left_out(tmp_path: Path) -> None:
    store = MemoryStore()
    put = Put(looks_key(account_of_key(KEY.public_data)), "a look of yore\n", 1 << 40)
    store.submit([Job(Commit(1, puts=(put,)), lambda _answer: None)])
    async with serving(tmp_path, store=store) as server, log_in(server, KEY) as connection:
        await (await sit_down(connection)).sees("mines +10")


async def test_who_types_and_closes_the_channel_at_once_leaves_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with playing(tmp_path) as (server, _, player):
        player.type(b" ?m")
        player.channel.close()
        await until(lambda: not server._hub.connections)
    assert "failed" not in caplog.text


async def test_a_server_that_stops_says_goodbye_and_ends_a_login(tmp_path: Path) -> None:
    async with playing(tmp_path) as (server, _, player):
        reader, writer = await asyncio.open_connection(HOST, server.port)
        writer.write(b"SSH-2.0-stranger\r\n")
        await reader.readuntil(b"\r\n")
        server._hub.say_goodbye("The server was stopped.")
        assert await player.end() == 1
        assert b"The server was stopped." in player.output
        assert b"The server ends this login." in await reader.read()
        writer.close()


async def test_a_session_that_is_lost_tells_its_player_to_connect_again(tmp_path: Path) -> None:
    async with playing(tmp_path) as (server, _, player):
        (line,) = lines_of(server)
        line.close()
        assert await player.end() == 1
        assert ENDED.encode() in player.output


async def test_an_exported_game_is_printed_when_its_player_quits(tmp_path: Path) -> None:
    async with playing(tmp_path) as (_, _, player):
        player.type(b"#")
        await player.sees("Debug mode")
        place = next(
            (row, line.index("B"))
            for row, line in enumerate(player.screen.lines)
            if line.count("│") == 2 and "B" in line
        )
        left = player.screen.lines[place[0]].index("│") + 1
        top = next(row for row, line in enumerate(player.screen.lines) if line.count("│") == 2)
        player.type(b"\x1b[H\x1b[5~" + b"\x1b[B" * (place[0] - top))
        player.type(b"\x1b[C" * ((place[1] - left) // 2) + b"\r")
        await player.sees("LOST")
        player.type(b"t")
        await player.sees(PRINTED_LATER[:40])
        player.type(b"x")
        assert await player.end() == 0
        assert b"jminesweeper game 1" in player.output


# Bugs cost one line


async def test_a_bug_in_a_screen_ends_one_session_with_an_apology(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with playing(tmp_path) as (server, _, player):
        (line,) = lines_of(server)
        assert line._terminal is not None
        line._terminal.deliver(cast(Any, None))
        assert await player.end() == 1
        assert BUG.encode() in player.output
    assert "the terminal of" in caplog.text


class BrokenSession(Session):
    """Fails as soon as it is to know who plays."""

    def believe(self, account: str, login: str) -> None:
        raise ZeroDivisionError("a bug")


async def test_a_bug_that_the_library_would_swallow_is_logged_and_ends_the_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def new_session() -> Session:
        return BrokenSession(SessionConfig(), random.Random(0).getrandbits, Matches())

    async with serving(tmp_path, new_session=new_session) as server, log_in(server) as connection:
        with suppress(asyncssh.Error, OSError):
            await sit_down(connection)
        await until(lambda: not server._hub.connections)
    assert "the SSH of" in caplog.text
    assert "ZeroDivisionError" in caplog.text


# Bounds


async def test_a_full_window_keeps_nobody_from_saying_that_it_was_read(tmp_path: Path) -> None:
    """Keys are held back while a player reads nothing; reading on is heard all the same."""
    async with serving(tmp_path) as server, log_in(server) as connection:
        player, line = await sit_down_and_read_nothing(server, connection)

        def holds_keys() -> bool:
            player.type(MANY_FRAMES)
            return line.is_stalled and not line.connection.conversation.is_reading

        await until(holds_keys)
        player.channel.resume_reading()
        await until(lambda: not line.is_stalled)
        await player.until(lambda: not player.shows("mines +99"))
        player.type(b"x")
        assert await player.end() == 0


async def test_nothing_is_painted_while_the_socket_is_unread_and_one_picture_afterwards(
    tmp_path: Path,
) -> None:
    async with playing(tmp_path) as (server, _, player):
        (line,) = lines_of(server)
        line.pause_writing()
        assert not line._transport.is_reading()
        sent = line._speaker._send_seq
        line.connection.show()
        for _ in range(20):
            await turn()
        assert line._speaker._send_seq == sent
        line.resume_writing()
        player.type(b" ")
        await player.sees("mines +9")


async def test_a_socket_that_is_read_again_is_listened_to_while_the_window_is_full(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server, log_in(server) as connection:
        player, line = await sit_down_and_read_nothing(server, connection)

        def is_stalled() -> bool:
            player.type(MANY_FRAMES)
            return line.is_stalled

        await until(is_stalled)
        line.pause_writing()
        assert not line._transport.is_reading()
        line.resume_writing()
        assert line.is_stalled
        player.channel.resume_reading()
        await until(lambda: not line.is_stalled)


async def test_who_hangs_up_while_the_store_is_asked_for_looks_disturbs_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store, key = FakeStore(), looks_key(account_of_key(KEY.public_data))

    def asked() -> list[Job]:
        return [job for job in store.jobs if job.operation == Read((key,))]

    async with serving(tmp_path, store=store) as server:
        async with log_in(server, KEY) as connection:
            opening = asyncio.create_task(sit_down(connection))
            await until(lambda: bool(asked()))
            connection.abort()
            with suppress(asyncssh.Error, OSError):
                await opening
        await until(lambda: not server._hub.connections)
        (job,) = asked()
        job.done(Found((ABSENT,)))
    assert "failed" not in caplog.text


class Slow(asyncssh.SSHClientConnection):
    """A client that begins to exchange keys anew, and takes its time."""

    is_slow = False
    held: Sequence[tuple[int, tuple[bytes, ...]]] = ()

    def send_packet(self, pkttype: int, *args: bytes, **kwargs: Any) -> None:
        if self.is_slow and pkttype == MSG_KEX_ECDH_INIT:
            self.held = [*self.held, (pkttype, args)]
        else:
            super().send_packet(pkttype, *args, **kwargs)

    def go_on(self) -> None:
        self.is_slow = False
        for pkttype, args in self.held:
            self.send_packet(pkttype, *args)


async def test_an_unfinished_exchange_of_keys_holds_one_picture_back_and_no_more(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        loop = asyncio.get_running_loop()
        options = asyncssh.SSHClientConnectionOptions(
            username="ada", known_hosts=None, config=[], client_keys=[KEY], agent_path=None
        )
        options.waiter = loop.create_future()
        connection = Slow(loop, options, wait="auth")
        await loop.create_connection(lambda: connection, HOST, server.port)
        await options.waiter
        player = await sit_down(connection, "expert")
        await player.sees("mines +99")
        (line,) = lines_of(server)
        connection.is_slow = True
        assert line._terminal is not None
        connection._send_kexinit()
        connection._kexinit_sent = True
        await until(lambda: bool(connection.held))
        for number in range(40):
            line._terminal.data_received(b" " if number % 2 else b"\x1b[C", None)
            await turn()
        await until(lambda: line.is_stalled)
        assert len(line._speaker._deferred_packets) < 4
        connection.go_on()
        await until(lambda: not line.is_stalled)
        await player.until(lambda: not player.shows("mines +99"))
        connection.abort()


async def test_a_stranger_who_sends_without_end_is_dropped(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(tmp_path) as server:
        reader, writer = await asyncio.open_connection(HOST, server.port)
        writer.write(b"SSH-2.0-stranger\r\n")
        await reader.readuntil(b"\r\n")
        ignored = bytes.fromhex("0000000c 06 02 00000000") + bytes(6)
        writer.write(ignored * (LOGIN_BYTES // len(ignored) + 1))
        with suppress(ConnectionError):
            await reader.read()
        await until(lambda: not server._hub.connections)
        writer.close()
    assert "sends too much before a game" in caplog.text


async def test_a_crowd_of_logins_is_bounded_and_so_are_the_players(tmp_path: Path) -> None:
    door = SshConfig(tmp_path / "key", max_players=MOST_LOGINS + 1, max_logins_per_address=1000)
    async with serving(tmp_path, door=door) as server, log_in(server) as connection:
        await (await sit_down(connection)).sees("mines +10")
        strangers = [await knock(server) for _ in range(MOST_LOGINS - 1)]
        assert b"JMinesweeper" in await strangers[-1][0].readuntil(b"\r\n")
        ssh = server.ssh
        assert isinstance(ssh, SshDoor)
        ssh._config = replace(door, max_players=0)
        strangers.append(await knock(server))
        await until(lambda: len(ssh.logins) == MOST_LOGINS)
        reader, writer = await knock(server)
        assert CROWDED.encode() in await reader.read()
        writer.close()
        ssh._config = door
        reader, writer = await knock(server)
        assert FULL.format(places=MOST_LOGINS + 1).encode() in await reader.read()
        writer.close()
        for _, writer in strangers:
            writer.close()
        await until(lambda: not ssh.logins)
        reader, writer = await knock(server)
        assert b"JMinesweeper" in await reader.readuntil(b"\r\n")
        writer.close()


async def test_who_goes_while_the_library_is_loaded_leaves_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ssh = server.ssh
        assert isinstance(ssh, SshDoor)
        transport, (connection,) = FakeTransport(), [come(server._hub, FakeTransport())]
        ssh.welcome(connection, transport, b"SSH-2.0-stranger\r\n")
        assert ssh.players == ssh.logins == {connection}
        transport.close()
        await until(lambda: not ssh.players)
        assert not ssh.logins
        assert not transport.writes
        connection.connection_lost(None)


async def test_a_line_that_has_had_its_turn_waits_for_the_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        _, writer = await asyncio.open_connection(HOST, server.port)
        writer.write(b"SSH-2.0-stra")
        await until(lambda: bool(lines_of(server)))
        (line,) = lines_of(server)
        server._hub.turns.charge(line, 10**9)
        for heard in (b"nger", b"\r\n"):
            hear(line, heard)
        assert line._held == b"nger\r\n"
        assert not line._transport.is_reading()
        await until(line._transport.is_reading)
        assert not line._held
        writer.close()


async def knock(server: GameServer) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(HOST, server.port)
    writer.write(b"SSH-2.0-stranger\r\n")
    return reader, writer


MANY_FRAMES = b"\x1b[B \x1b[C "
"""Keys each of which is answered with something to read."""


async def sit_down_and_read_nothing(
    server: GameServer, connection: asyncssh.SSHClientConnection
) -> tuple[Player, SshLine]:
    """Begin a game with a small window, and stop reading."""
    player = await sit_down(connection, "expert", window=4096, max_pktsize=1024)
    await player.sees("mines +99")
    (line,) = lines_of(server)
    player.channel.pause_reading()
    return player, line


def lines_of(server: GameServer) -> list[SshLine]:
    """Return the connections that speak SSH."""
    transports = [each._transport for each in server._hub.connections]
    return [each for each in transports if isinstance(each, SshLine)]


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so in the server."""
    async with asyncio.timeout(TIMEOUT_S):
        while not is_so():
            await turn()
