"""The line mode: a command in, sentences out, for screen readers and for pipes.

Every command is answered before the next line is read. An answer says what changed. If the
connection is lost before the answer, the answer tells of the resumed game, and the command is not
repeated.
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
    CommandError,
    CommandNames,
    Order,
    explain_commands,
    is_for_board,
    is_help,
    parse_command,
)
from jminesweeper.client.conversation import (
    QUIET_S,
    Backoff,
    ClientConversation,
    ClientState,
    Profile,
    SilenceTimer,
    earliest,
    is_due,
)
from jminesweeper.client.driver import Driver, Program
from jminesweeper.client.events import (
    ClientEvent,
    ConnectionRequest,
    Effect,
    Event,
    Leave,
    OutletEffect,
)
from jminesweeper.client.own_files import keep_recording
from jminesweeper.client.transport import Dial, Network
from jminesweeper.protocol.packets import Packet
from jminesweeper.protocol.vocabulary import Command
from jminesweeper.terminal.front_end import FrontEnd
from jminesweeper.terminal.keys import KeyAction, Keystroke
from jminesweeper.terminal.looks import Canvas
from jminesweeper.terminal.narrator import Narrator
from jminesweeper.terminal.view import ViewError

ANSWER_WAIT_S: Final = 30.0
_STILL_CONNECTING: Final = "The server does not answer; still connecting."
_COVERED: Final = {
    "menu": "A menu is open: choose NUMBER chooses a row, menu goes back.",
    "page": "A page is open: menu goes back.",
}
_SILENCE_REPEAT_S: Final = 5.0
_PIPE_CLOSED: Final = 1
"""The exit code of every other command of this program whose output nobody reads."""
_QUIT: Final = Order(strokes=[Keystroke(action=KeyAction.QUIT)])


class PlainClient:
    """Plays line by line; a `Program` whose effects are lines read and answers printed."""

    def __init__(
        self,
        profile: Profile,
        backoff: Backoff,
        *,
        answer_wait_s: float = ANSWER_WAIT_S,
        quiet_s: float = QUIET_S,
    ) -> None:
        self._conversation = ClientConversation(profile, backoff, answer_wait_s)
        self._front = FrontEnd(
            Canvas(),
            CommandNames(),
            look_rows=lambda _looks: (),
            help_lines=lambda _keys, _view: (),
        )
        self._narrator = Narrator()
        self._silence = SilenceTimer(quiet_s, _SILENCE_REPEAT_S)
        self._is_answering = True
        """A command, or the beginning of the game, has no answer yet."""
        self._told = ""
        """The answer to the last command, in place of the view."""
        self._awaits_file = False
        """A recording is being written, and the answer says where."""
        self._was_interrupted = False

    @property
    def deadline(self) -> float | None:
        return earliest(self._conversation.deadline, self._silence.deadline)

    def begin(self, now_s: float, /) -> list[Effect]:
        """Connect for the first time."""
        self._silence.note(now_s, is_owed=True)
        return [ConnectionRequest.DIAL]

    def handle(self, event: Event, now_s: float, /) -> list[Effect]:
        """Handle an event; a command that is answered asks for the next one."""
        effects = self._effects(event, now_s)
        conversation = self._conversation
        if data := conversation.data_to_send():
            effects.insert(0, events.Send(data))
        self._silence.note(
            now_s,
            is_owed=conversation.is_waiting,
            has_heard=isinstance(event, events.Received),
        )
        is_answered = conversation.is_playing and not (conversation.owed or self._awaits_file)
        if self._is_answering and is_answered:
            front = self._front
            answer = self._told or self._narrator.tell(
                front.facts(now_s), front.view, front.board.cursor
            )
            self._is_answering = self._was_interrupted = False
            self._told = ""
            effects += [events.Print(answer), events.ReadLine()]
        return effects

    def paint(self, _now_s: float, /) -> str:
        """Return nothing: answers are printed."""
        return ""

    def _effects(self, event: Event, now_s: float) -> list[Effect]:
        conversation = self._conversation
        match event:
            case events.LineRead(line):
                return self._obey(line, now_s)
            case events.Received(data):
                return self._follow(conversation.receive(data, now_s), now_s)
            case events.Lost(reason):
                return self._follow(conversation.lose(reason, now_s), now_s)
            case events.Connected(notice):
                conversation.connected(now_s)
                return [events.Tell(notice)] if notice else []
            case events.Kept(notice):
                self._told, self._awaits_file = notice, False
            case events.Stopped(exit_code):
                conversation.quit()
                return [events.Leave(exit_code)]
            case events.Expired():
                is_dialling = conversation.state is ClientState.DIALLING
                effects = self._follow(conversation.expire(now_s), now_s)
                if is_due(self._silence.deadline, now_s):
                    silent_s = self._silence.expire(now_s)
                    told = f"The server has not answered for {silent_s} s."
                    effects.append(events.Tell(_STILL_CONNECTING if is_dialling else told))
                return effects
            case _:
                # Keys and sizes belong to screens.
                pass
        return []

    def _obey(self, line: str | None, now_s: float) -> list[Effect]:
        """Do what a line asks for; at the end of the input, quit."""
        conversation = self._conversation
        if line is not None and is_help(line):
            return [events.Print(explain_commands()), events.ReadLine()]
        try:
            order = _QUIT if line is None else parse_command(line)
            if order is None:
                return [events.ReadLine()]
            if order == _QUIT:
                conversation.quit()
                return [events.Leave(0)]
            packets = self._carry_out(order, line or "", now_s)
        except CommandError as error:
            return [events.Print(str(error)), events.ReadLine()]
        if packets:
            self._narrator.expect_message()
            conversation.send(packets, now_s)
        self._is_answering = True
        return []

    def _carry_out(self, order: Order, line: str, now_s: float) -> list[Packet]:
        """Do what an order asks for; return what the server has to know.

        A game that was lost before that is not meant: the answer is then what is there instead.
        """
        front = self._front
        if not self._conversation.is_playing:
            return []
        if is_for_board(line) and front.cover:
            raise CommandError(_COVERED[front.cover])
        if order.cell is not None and not front.board.go_to(order.cell, front.view):
            raise CommandError(f"There is no cell at {order.cell.column} {order.cell.row}.")
        if order.read_out is not None:
            self._told = order.read_out(front.view, front.board.cursor)
        if order.packet is Command.REFRESH:
            self._narrator.forget()
        if order.row is not None:
            chosen = front.choose_row(order.row - 1)
            if chosen is None:
                raise CommandError(f"There is no row {order.row} to choose.")
            return chosen
        if order.other is not None:
            done = front.do_other(order.other - 1)
            if done is None:
                raise CommandError(f"Row {order.other} offers nothing else.")
            return done
        packets = [] if order.packet is None else [order.packet]
        for stroke in order.strokes:
            packets += front.press(stroke, now_s)
        return packets

    def _follow(self, happened: Iterable[ClientEvent], now_s: float) -> list[Effect]:
        effects: list[Effect] = []
        for event in happened:
            match event:
                case ConnectionRequest():
                    effects.append(event)
                case events.KeepRecording():
                    self._awaits_file = True
                    effects.append(event)
                case events.Viewed(members, cells, answers):
                    if answers is None and not members.get("last"):
                        # The goodbye of a server that is being stopped answers no command.
                        continue
                    try:
                        self._front.apply_view(members, cells, answers, now_s)
                    except ViewError as error:
                        effects.append(events.Leave(1, str(error)))
                case events.Interrupted(reason):
                    if not self._was_interrupted:
                        effects.append(events.Tell(f"{reason} Reconnecting."))
                    self._was_interrupted = True
                case events.Dismissed(was_asked_for):
                    message = self._front.view.message.text
                    effects.append(events.Leave(0 if was_asked_for else 1, message))
                case events.Over(reason):
                    effects.append(events.Leave(1, reason))
                case events.FirstScreen():
                    # HELLO is on its way, and its answer says everything.
                    self._front.forget()
                case events.FrameReceived():
                    pass
        return effects


class PlainShell:
    """Standard input and output, or what stands for them: the outlet of the line mode."""

    def __init__(
        self,
        program: Program,
        dial: Dial,
        lines: AsyncIterator[str],
        *,
        write: Callable[[str], None],
        tell: Callable[[str], None],
        folder: Path | None = None,
    ) -> None:
        self._lines = lines
        self._tell = tell
        self._folder = folder or Path.cwd()
        self.write = write
        self._driver = Driver(program)
        self._network = Network(self._driver.deliver, dial)

    async def run(self) -> Leave:
        """Play until the input ends, the player quits, or Ctrl-C."""
        # asyncio's own handling of Ctrl-C does not wake a loop that was just about to wait.
        loop, interrupted = asyncio.get_running_loop(), events.Stopped(128 + signal.SIGINT)
        loop.add_signal_handler(signal.SIGINT, self._driver.deliver, interrupted)
        try:
            leave = await self._driver.run(self, self._network)
        finally:
            loop.remove_signal_handler(signal.SIGINT)
        await self._network.finish()
        return leave

    @property
    def is_ready(self) -> bool:
        return True

    def perform(self, effect: OutletEffect) -> None:
        match effect:
            case events.Print(text):
                try:
                    # A blank line tells programs that the answer is complete.
                    self.write(f"{text}\n")
                except BrokenPipeError:
                    # Nobody reads on, as after `| head`: quit as if asked to.
                    self._driver.deliver(events.Stopped(_PIPE_CLOSED))
            case events.ReadLine():
                self._driver.spawn(self._read_line())
            case events.Tell(text):
                self._tell(text)
            case events.KeepRecording(text):
                now = datetime.now().astimezone()
                self._driver.deliver(events.Kept(keep_recording(text, self._folder, now)))
            case _:
                # There is no screen, and no mouse.
                pass

    async def _read_line(self) -> None:
        self._driver.deliver(events.LineRead(await anext(self._lines, None)))
