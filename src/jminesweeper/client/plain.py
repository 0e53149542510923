"""The line mode: a command in, a screen of plain text out, for pipes and for screen readers."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Final

from jminesweeper.client import events
from jminesweeper.client.backoff import Backoff
from jminesweeper.client.commands import Packets, explain_commands, is_question, parse_command
from jminesweeper.client.connection import Connection
from jminesweeper.client.errors import ClientError, CommandError, ConnectError
from jminesweeper.client.events import Event, Leave
from jminesweeper.client.farewell import STOPPED, is_last_screen
from jminesweeper.client.frame_filter import plain_text, strip_controls
from jminesweeper.client.profile import Profile
from jminesweeper.client.shell import Dialler
from jminesweeper.client.terminal import TerminalSize
from jminesweeper.protocol import (
    Command,
    MoveTo,
    Packet,
    ScreenContent,
    ScreenFormat,
    ScreenPatch,
    announced_version,
    encode,
)
from jminesweeper.screen import parse_plain_entries

ANSWER_WAIT_S: Final = 30.0
_SIZE: Final = TerminalSize(80, 24)
_QUIT_WAIT_S: Final = 1.0
_ONLY_VERSION_1: Final = "The server speaks version 1 of the protocol, which has no plain text."


class _DismissedError(ClientError):
    """The server is done with this client, which is not to come back by itself."""


class PlainShell:
    """Plays line by line; every command is answered before the next one is read."""

    def __init__(
        self,
        profile: Profile,
        dial: Dialler,
        backoff: Backoff,
        *,
        write: Callable[[str], None],
        tell: Callable[[str], None],
        answer_wait_s: float = ANSWER_WAIT_S,
    ) -> None:
        self._profile = profile
        self._dial = dial
        self._backoff = backoff
        self._write = write
        self._tell = tell
        self._answer_wait_s = answer_wait_s
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._screens: deque[bytes] = deque()
        self._connection: Connection | None = None

    async def run(self, lines: AsyncIterator[str]) -> Leave:
        """Play until the input ends or says so."""
        opening = () if self._profile.new_game is None else (self._profile.new_game,)
        try:
            self._show(await self._enter(opening))
            return await self._obey(lines)
        except _DismissedError as error:
            return Leave(0, str(error))
        except ClientError as error:
            return Leave(1, str(error))
        finally:
            await self._drop_connection()

    async def _obey(self, lines: AsyncIterator[str]) -> Leave:
        async for line in lines:
            try:
                packets = parse_command(line)
            except CommandError as error:
                self._show(str(error))
                continue
            if Command.QUIT in packets:
                break
            await self._answer(line, packets)
        await self._hang_up()
        return Leave(0)

    async def _answer(self, line: str, packets: Packets) -> None:
        if is_question(line):
            self._show(explain_commands())
        elif packets:
            self._show(await self._insist(packets))

    def _show(self, answer: str) -> None:
        """Write an answer and a blank line after it, by which programs see that it is whole."""
        self._write(f"{answer}\n")

    async def _insist(self, packets: Packets) -> str:
        try:
            screen = await self._ask(packets)
        except ConnectError as error:
            self._tell(f"{error} Trying again by itself.")
            return await self._return()
        self._backoff.reset()
        return screen

    async def _return(self) -> str:
        """Come back to the game, as often as it takes; what was not answered is not repeated."""
        while True:
            await asyncio.sleep(self._backoff.next_wait_s())
            try:
                return await self._enter((), returns=True)
            except ConnectError:
                continue

    async def _enter(self, opening: Packets, *, returns: bool = False) -> str:
        await self._drop_connection()
        self._events = asyncio.Queue()
        self._screens.clear()
        self._connection, notice = await self._dial(self._events.put_nowait)
        if notice:
            self._tell(notice)
        first = await self._exchange(self._profile.start)
        if announced_version(first) < 2:
            # A server that is full says so in a screen of one line that announces nothing.
            lines = plain_text(first)
            raise ConnectError(lines[0] if len(lines) == 1 else _ONLY_VERSION_1)
        hello = self._profile.hello(_SIZE, ScreenFormat.PLAIN, returns=returns)
        return await self._ask((hello, *opening))

    async def _ask(self, packets: Packets) -> str:
        """Send packets one by one and give the last answer.

        Nothing is done to any other cell than the one that was named: where the cursor could not
        be moved, the answer that says so is the last.
        """
        screen = ""
        for packet in packets:
            screen = strip_controls(await self._exchange(packet)).rstrip("\n")
            if isinstance(packet, MoveTo) and not _is_at(packet, screen):
                break
        return screen

    def _hear_what_came_unasked(self) -> None:
        """Take the last screen of a server that was stopped for what it is, and for no answer."""
        while not self._events.empty():
            self._take(self._events.get_nowait())
        if self._screens:
            raise ConnectError(STOPPED)

    async def _exchange(self, packet: Packet) -> bytes:
        self._hear_what_came_unasked()
        if self._connection is not None:
            self._connection.send(encode(packet))
        while not self._screens:
            try:
                async with asyncio.timeout(self._answer_wait_s):
                    event = await self._events.get()
            except TimeoutError:
                raise ConnectError("The server does not answer.") from None
            self._take(event)
        return self._screens.popleft()

    def _take(self, event: Event) -> None:
        match event:
            case events.Received():
                self._screens.extend(map(_text, event.packets))
                if any(map(is_last_screen, event.packets)):
                    raise _DismissedError(strip_controls(self._screens[-1]).strip())
                if self._connection is not None:
                    self._connection.resume()
            case events.Garbled():
                raise ClientError(event.reason)
            case events.Lost():
                raise ConnectError(STOPPED if self._screens else event.reason)

    async def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.abort()
            await self._connection.closed.wait()

    async def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.send(encode(Command.QUIT))
            await self._connection.finish(_QUIT_WAIT_S)


def _is_at(packet: MoveTo, screen: str) -> bool:
    return parse_plain_entries(screen).get("cursor") == f"{packet.column} {packet.row}"


def _text(packet: Packet) -> bytes:
    return packet.text if isinstance(packet, ScreenContent | ScreenPatch) else b""
