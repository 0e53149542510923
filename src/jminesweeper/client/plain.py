"""The line mode: a command in, plain text out, for pipes and for screen readers.

Every command is answered before the next one is read. If the connection is lost before the answer,
the answer is the screen of the resumed game, and the command is not repeated.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

from jminesweeper.client import events
from jminesweeper.client.commands import (
    CommandNames,
    Order,
    explain_commands,
    is_for_board,
    is_help,
    parse_command,
)
from jminesweeper.client.conversation import ClientConversation, Profile
from jminesweeper.client.errors import CommandError
from jminesweeper.client.events import ClientEvent, ConnectionRequest, Event, Leave
from jminesweeper.client.own_files import keep_recording
from jminesweeper.client.timers import QUIET_S, Backoff, SilenceTimer, earliest, is_due
from jminesweeper.client.transport import Dial, Network
from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.view import ViewError
from jminesweeper.terminal.viewer import Viewer

ANSWER_WAIT_S: Final = 30.0
_STILL_CONNECTING: Final = "The server does not answer; still connecting."
_COVERED: Final = {
    "menu": "A menu is open: choose NUMBER chooses a row, menu goes back.",
    "page": "A page is open: menu goes back.",
}
_SILENCE_REPEAT_S: Final = 5.0


class PlainShell:
    """Plays line by line."""

    def __init__(
        self,
        profile: Profile,
        dial: Dial,
        backoff: Backoff,
        *,
        write: Callable[[str], None],
        tell: Callable[[str], None],
        answer_wait_s: float = ANSWER_WAIT_S,
        quiet_s: float = QUIET_S,
        folder: Path | None = None,
    ) -> None:
        self._conversation = ClientConversation(profile, backoff, answer_wait_s)
        self._viewer = Viewer(
            Canvas(),
            CommandNames(),
            look_rows=lambda _looks: (),
            help_lines=lambda _keys, _view: (),
        )
        self._dial = dial
        self._write = write
        self._tell = tell
        self._folder = folder or Path.cwd()
        self._network = Network()
        self._silence = SilenceTimer(quiet_s, _SILENCE_REPEAT_S)
        self._quiet_s = quiet_s
        self._told = ""
        """What answers the last command in place of the view."""
        self._was_interrupted = False
        self._leave: Leave | None = None

    async def run(self, lines: AsyncIterator[str]) -> Leave:
        """Play until the input ends, or the player quits."""
        try:
            await self._follow([ConnectionRequest.DIAL])
            await self._show_answer()
            if self._leave is None:
                await self._obey(lines)
            return self._leave or Leave(0)
        finally:
            self._network.abort()

    async def run_until_ctrl_c(self, lines: AsyncIterator[str]) -> Leave:
        """Play until then, at the most.

        asyncio's own handling of it does not wake a loop that was just about to wait: then Ctrl-C
        would do nothing before the next event.
        """
        playing = asyncio.ensure_future(self.run(lines))
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, playing.cancel)
        try:
            return await playing
        except asyncio.CancelledError:
            return Leave(128 + signal.SIGINT)

    async def _obey(self, lines: AsyncIterator[str]) -> None:
        async for line in lines:
            try:
                order = parse_command(line)
                packets = [] if order is None else await self._carry_out(order, line)
            except CommandError as error:
                self._show(str(error))
                continue
            if Command.QUIT in packets:
                break
            if is_help(line):
                self._show(explain_commands())
            elif order is not None:
                self._send(packets)
                await self._show_answer()
            if self._leave is not None:
                return
        self._conversation.quit()
        self._flush()
        await self._network.finish()

    async def _carry_out(self, order: Order, line: str) -> list[Packet]:
        """Do what a line asks for; return what the server has to know.

        A game that was lost before that is not meant: the answer is then what is there instead.
        """
        while not self._network.events.empty():
            await self._handle(self._network.events.get_nowait())
        if not self._conversation.is_playing:
            return []
        viewer, now_s = self._viewer, self._now_s()
        if is_for_board(line) and viewer.cover:
            raise CommandError(_COVERED[viewer.cover])
        if order.cell is not None and not viewer.board.go_to(order.cell, viewer.view):
            raise CommandError(f"There is no cell at {order.cell.column} {order.cell.row}.")
        if order.row is not None:
            chosen = viewer.choose_row(order.row - 1)
            if chosen is None:
                raise CommandError(f"There is no row {order.row} to choose.")
            return chosen
        packets = [] if order.packet is None else [order.packet]
        for stroke in order.strokes:
            packets += viewer.press(stroke, now_s)
        return packets

    def _send(self, packets: list[Packet]) -> None:
        if packets and self._conversation.is_playing:
            self._conversation.send(packets, self._now_s())
            self._note_silence()
            self._flush()

    async def _show_answer(self) -> None:
        while self._leave is None and not self._is_answered:
            deadline = earliest(self._conversation.deadline, self._silence.deadline)
            await self._handle(await self._network.next_event(deadline))
        self._was_interrupted = False
        if self._leave is None:
            self._show(self._told or self._viewer.text(self._now_s()).rstrip("\n"))
        self._told = ""

    @property
    def _is_answered(self) -> bool:
        return self._conversation.is_playing and not self._conversation.owed

    def _show(self, answer: str) -> None:
        """Write an answer and a blank line, which tells programs that it is complete."""
        self._write(f"{answer}\n")

    async def _handle(self, event: Event) -> None:
        conversation, now_s = self._conversation, self._now_s()
        match event:
            case events.Connected(notice):
                if notice:
                    self._tell(notice)
                conversation.connected(now_s)
            case events.Received(data):
                await self._follow(conversation.receive(data, now_s))
                self._network.resume()
            case events.Lost(reason):
                await self._follow(conversation.lose(reason, now_s))
            case _:
                await self._expire(now_s)
        self._note_silence(has_heard=isinstance(event, events.Received))
        self._flush()

    async def _expire(self, now_s: float) -> None:
        await self._follow(self._conversation.expire(now_s))
        if is_due(self._silence.deadline, now_s):
            self._tell(f"The server has not answered for {self._silence.expire(now_s)} s.")

    def _note_silence(self, *, has_heard: bool = False) -> None:
        is_owed = self._conversation.is_waiting
        self._silence.note(self._now_s(), is_owed=is_owed, has_heard=has_heard)

    async def _follow(self, happened: Iterable[ClientEvent]) -> None:
        for event in happened:
            match event:
                case ConnectionRequest.DIAL:
                    await self._connect()
                case ConnectionRequest.HANG_UP:
                    self._network.abort()
                case events.Viewed():
                    self._take(event)
                case events.Keep(text):
                    now = datetime.now().astimezone()
                    self._told = keep_recording(text, self._folder, now)
                case events.Interrupted(reason):
                    self._interrupted(reason)
                case events.Dismissed(was_asked_for):
                    message = self._viewer.view.message.text
                    self._leave = Leave(0 if was_asked_for else 1, message)
                case events.Over(reason):
                    self._leave = Leave(1, reason)
                case events.FirstScreen():
                    # HELLO is on its way, and its answer says everything.
                    self._viewer.forget()

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        remark = loop.call_later(self._quiet_s, self._tell, _STILL_CONNECTING)
        try:
            await self._network.connect(self._dial)
        finally:
            remark.cancel()

    def _take(self, viewed: events.Viewed) -> None:
        if viewed.answers is None and not viewed.members.get("last"):
            # The goodbye of a server that is being stopped answers no command.
            return
        try:
            self._viewer.take(viewed.members, viewed.cells, viewed.answers, self._now_s())
        except ViewError as error:
            self._leave = Leave(1, str(error))

    def _interrupted(self, reason: str) -> None:
        if not self._was_interrupted:
            self._tell(f"{reason} Reconnecting.")
        self._was_interrupted = True

    def _flush(self) -> None:
        if data := self._conversation.data_to_send():
            self._network.send(data)

    @staticmethod
    def _now_s() -> float:
        return asyncio.get_running_loop().time()
