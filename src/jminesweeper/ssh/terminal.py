"""The terminal client in the server's process, on one channel of SSH.

It is the program that players run at home, driven by the same driver. Its outlet is the channel,
its uplink a pipe to a `Connection`: so whoever plays here is a player like any other to everything
behind it, and a bug in the screen costs this channel alone.

While the peer leaves output unread, nothing is painted and the session sends nothing: what is
painted afterwards is the difference from what the peer has, however much happened in between.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import asyncssh

from jminesweeper.client import events
from jminesweeper.client.capabilities import (
    ColourChoice,
    asks_background,
    chosen_colours,
    has_unicode,
    is_dumb,
    told_background,
)
from jminesweeper.client.conversation import Backoff, Profile, Wire
from jminesweeper.client.driver import Driver
from jminesweeper.client.errors import OwnFileError
from jminesweeper.client.events import Leave, OutletEffect
from jminesweeper.client.own_files import format_looks, parse_looks
from jminesweeper.client.request import GameRequest
from jminesweeper.client.terminal_client import TerminalClient
from jminesweeper.records.looks import keep_looks, read_looks
from jminesweeper.ssh.words import USAGE, SshWish, WordsError, parse_words
from jminesweeper.terminal import escapes
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.layout import TerminalSize
from jminesweeper.terminal.looks import Canvas, Ground, Looks

if TYPE_CHECKING:
    from jminesweeper.ssh.line import SshLine

LARGEST: Final = TerminalSize(400, 150)
"""A peer may name any size, and a screen is composed for it."""
_UNKNOWN_SIZE: Final = TerminalSize(80, 24)
_ENDING_KEYS: Final = frozenset(b"\x03\x1c")
"""Ctrl-C and Ctrl-\\, which are signals on a terminal of one's own."""
_INTERRUPTED: Final = 130
_MOST_VARIABLES: Final = 64
_ANSWER_S: Final = 0.008
"""Time a picture waits for an answer, which comes from this process: the store needs some 3 ms,
and to paint an action twice, before its answer and after, costs a millisecond more than once."""
NEEDS_TERMINAL: Final = "JMinesweeper needs a terminal: ssh -t -p PORT HOST [WORDS]"
IS_DUMB: Final = "TERM={term} cannot place text. Try TERM=xterm ssh -t -p PORT HOST"
ENDED: Final = "The server ended this connection. Connect again to play on."
PRINTED_LATER: Final = "Over SSH there are no files; the game is printed when you quit."
GUEST: Final = "You play as a guest. ssh-keygen makes a key that keeps games."
BUG: Final = "Sorry, a bug in the server has ended this game."

logger = logging.getLogger("jminesweeper.server")


class Channel(asyncssh.SSHServerChannel[bytes]):
    """A channel that holds a bounded number of variables: a client may send them for ever."""

    def _process_env_request(self, packet: asyncssh.packet.SSHPacket) -> bool:
        return len(self._env) < _MOST_VARIABLES and super()._process_env_request(packet)


class Terminal(asyncssh.SSHServerSession[bytes]):
    """One player's terminal, from the request for a session to its end."""

    _chan: asyncssh.SSHServerChannel[bytes]

    def __init__(self, line: SshLine) -> None:
        self.has_begun = False
        self._line = line
        self._command = ""
        self._typed = b""
        """Keys from before the store had answered."""
        self._driver: SshDriver | None = None
        self._running: asyncio.Task[None] | None = None
        self._held = b""
        """Packets that the session does not take now."""
        self._is_unread = self._is_stalled = False
        self._answer_due_s: float | None = None
        """Time until which a picture waits for the answer to what was sent last."""
        self._has_screen = self._has_mouse = False
        self._recording = ""
        """The game exported last, to be copied from the terminal: nothing here writes a file."""

    # What the channel reports

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._chan = chan
        chan.set_write_buffer_limits(high=0)

    def pty_requested(self, term_type: str, term_size: object, term_modes: object) -> bool:
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        """Take words that say what to play; nothing is ever run."""
        self._command = command
        return True

    def session_started(self) -> None:
        """Begin to play, once the store has said how this player wants things to look."""
        environ = {
            name.decode("ascii", "replace"): value.decode("ascii", "replace")
            for name, value in self._chan.get_environment_bytes().items()
        }
        environ["TERM"] = self._chan.get_terminal_type() or ""
        try:
            wish = parse_words(self._command)
        except WordsError as error:
            self._leave(Leave(2, str(error)))
            return
        if wish.wants_help:
            self._leave(Leave(0, USAGE.rstrip()))
            return
        if is_dumb(environ):
            term = environ["TERM"]
            self._leave(Leave(2, IS_DUMB.format(term=term[:20]) if term else NEEDS_TERMINAL))
            return

        def begin(kept: object) -> None:
            looks = Looks()
            # An older version may have known other looks.
            with suppress(OwnFileError):
                looks = parse_looks(kept if isinstance(kept, str) else "", "looks")
            if not self._chan.is_closing():
                self._running = asyncio.get_running_loop().create_task(
                    self._play(wish, environ, looks)
                )

        if self._line.account:
            self._line.hub.keeper.run(read_looks(self._line.account), begin)
        else:
            begin("")

    def data_received(self, data: bytes, datatype: object) -> None:
        if self._driver is None:
            self._typed += data
        elif not _ENDING_KEYS.isdisjoint(data):
            self._driver.deliver(events.Stopped(_INTERRUPTED))
        else:
            self._driver.deliver(events.Typed(data))

    def terminal_size_changed(self, *_size: int) -> None:
        if self._driver is not None:
            self._driver.deliver(events.Resized(self._size()))

    def eof_received(self) -> bool:
        """End: a program, and not a hand, has closed its side."""
        if self._driver is not None:
            self._driver.deliver(events.Stopped(0))
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self.end()

    def pause_writing(self) -> None:
        self._is_unread = True

    def resume_writing(self) -> None:
        self._is_unread = False
        self.catch_up()

    # The game

    async def _play(self, wish: SshWish, environ: Mapping[str, str], looks: Looks) -> None:
        """Run the terminal client until its player or its session leaves."""
        canvas = Canvas(
            *self._size(),
            colours=chosen_colours(ColourChoice.AUTO, environ),
            has_unicode=has_unicode(_encoding(environ), environ),
            looks=looks,
            background=told_background(environ) or Ground.DARK,
        )
        profile = Profile(
            GameRequest().start(),
            wish.packet,
            Wire.TWO,
            needs_version_2=True,
            is_live=True,
            resumes=wish.resumes,
            reconnects=False,
        )
        program = TerminalClient(
            profile,
            Backoff(random.random),
            canvas,
            KeyMap({}),
            has_mouse=True,
            asks_background=asks_background(canvas, environ),
        )
        self._driver = driver = SshDriver(program, self._line)
        self._line.begin_game()
        self.has_begun = True
        if self._typed:
            self.data_received(self._typed, None)
        try:
            leave = await driver.run(self, self)
        # A bug in one screen may raise anything, and must not reach the other players.
        except Exception:
            logger.exception("the terminal of %s failed", self._line.connection.peer)
            leave = Leave(1, BUG)
        self._leave(leave)

    def _leave(self, leave: Leave) -> None:
        """Give the screen back, say what there is to say, and hang up."""
        closing = escapes.closing(has_mouse=self._has_mouse) if self._has_screen else ""
        parts = (self._recording, leave.screen, leave.message)
        said = "".join(f"{part.rstrip()}\n" for part in parts if part)
        self._chan.write((closing + said.replace("\n", "\r\n")).encode())
        self._chan.exit(leave.exit_code)
        self._line.hang_up_soon()

    def end(self) -> None:
        """Stop playing, because nobody is there any more."""
        if self._running is not None:
            self._running.cancel()

    def _size(self) -> TerminalSize:
        columns, rows, *_ = self._chan.get_terminal_size()
        return TerminalSize(
            min(columns or _UNKNOWN_SIZE.columns, LARGEST.columns),
            min(rows or _UNKNOWN_SIZE.rows, LARGEST.rows),
        )

    # The outlet of the program

    @property
    def is_ready(self) -> bool:
        """True while the peer has read everything; else the session waits as well."""
        if self._awaits_answer:
            return False
        is_ready = not (self._is_unread or self._line.is_blocked)
        if not (is_ready or self._is_stalled):
            self._is_stalled = True
            self._line.connection.pause_writing()
        return is_ready

    @property
    def _awaits_answer(self) -> bool:
        due_s = self._answer_due_s
        return due_s is not None and asyncio.get_running_loop().time() < due_s

    def catch_up(self) -> None:
        """Paint what has happened, if the peer reads again."""
        if self._is_stalled and not (self._is_unread or self._line.is_blocked):
            self._is_stalled = False
            self._line.connection.resume_writing()
            if self._driver is not None:
                self._driver.wake()

    def write(self, text: str) -> None:
        if not self._has_screen:
            self._has_screen = True
            text = escapes.opening(has_mouse=self._has_mouse) + text
        self._chan.write(text.encode())

    def perform(self, effect: OutletEffect) -> None:
        match effect:
            case events.EnableMouse():
                if self._has_screen and not self._has_mouse:
                    self._chan.write(escapes.MOUSE_ON.encode())
                self._has_mouse = True
            case events.AskBackground():
                self._chan.write(escapes.ASK_BACKGROUND.encode())
            case events.KeepRecording(text) if self._driver is not None:
                self._recording = text.decode()
                self._driver.deliver(events.Kept(PRINTED_LATER))
            case events.KeepLooks(looks) if self._line.account:
                hub = self._line.hub
                now_s = (hub.now_ms() + hub.backend.matches.epoch_ms()) // 1000
                body, draw = format_looks(looks), hub.backend.tokens
                hub.keeper.run(
                    keep_looks(self._line.account, body, draw, now_s), lambda _result: None
                )
            case _:
                # There is no shell to go back to, and a notice is on the screen.
                pass

    # The uplink of the program

    async def connect(self) -> None:
        """Open the pipe; there is no second one, so a lost session is the end."""
        if self._driver is not None:
            self._driver.deliver(events.Connected("" if self._line.account else GUEST))

    def send(self, data: bytes) -> None:
        self._held += data
        self.send_held()

    def send_held(self) -> None:
        """Hand packets to the session, as long as it takes them."""
        held, self._held = self._held, b""
        if held and self._driver is not None:
            loop = asyncio.get_running_loop()
            self._answer_due_s = loop.time() + _ANSWER_S
            self._line.connection.hear(held)
            if self._answer_due_s is not None:
                loop.call_at(self._answer_due_s, self._driver.wake)

    def resume(self) -> None:
        pass

    def abort(self) -> None:
        """Drop nothing: the channel ends with the program, and the pipe with the channel."""

    def take_in(self, data: bytes) -> None:
        """Show what the session sent."""
        self._answer_due_s = None
        if self._driver is not None:
            self._driver.deliver(events.Received(data))

    def end_soon(self) -> None:
        """Follow a session that hangs up, once everything it sent is shown."""
        if self._driver is not None:
            self._driver.deliver(events.Lost(ENDED))


class SshDriver(Driver):
    """A driver whose time counts as its line's."""

    def __init__(self, program: TerminalClient, line: SshLine) -> None:
        super().__init__(program)
        self._line = line

    def take_turn(self) -> Leave | None:
        begun_ns = self._line.hub.clock_ns()
        leave = super().take_turn()
        self._line.charge(begun_ns)
        return leave


def _encoding(environ: Mapping[str, str]) -> str:
    """Return the encoding that the locale names; most clients send none, and have UTF-8."""
    named = next((environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(key)), "")
    return named.partition(".")[2].partition("@")[0] or "utf-8"
