"""The terminal client in the server's process, on one channel of SSH.

It is the program that players run at home, driven by the same driver. Its outlet is the channel,
its uplink the `Connection` in this process: so a player here is a player like any other to
everything behind it, and a bug in the screen costs this channel alone.

While the peer leaves output unread, nothing is painted and the session sends nothing: what is
painted afterwards is the difference from what the peer has, however much happened in between.

The words after `ssh -t HOST` name what to play, as the client's options do. They come as the
command that OpenSSH would have a shell run. Here they are a list of words and nothing else; a wrong
word is answered with a sentence that names the right ones.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import asyncssh

from jminesweeper.client import events
from jminesweeper.client.capabilities import asks_background, canvas_for, is_dumb
from jminesweeper.client.conversation import Backoff, Profile, Wire
from jminesweeper.client.driver import Driver, TerminalScreen
from jminesweeper.client.events import Leave, OutletEffect
from jminesweeper.client.own_files import OwnFileError, format_looks, parse_looks
from jminesweeper.client.request import GameRequest
from jminesweeper.client.terminal_client import TerminalClient
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol.packets import Join, Packet, Watch
from jminesweeper.protocol.vocabulary import RoomFlag, RoomKind
from jminesweeper.records.players import keep_looks
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.layout import TerminalSize
from jminesweeper.terminal.looks import Looks

if TYPE_CHECKING:
    from jminesweeper.ssh.line import SshLine


LARGEST: Final = TerminalSize(400, 150)
"""A peer may name any size, and a screen is composed for it."""
_UNKNOWN_SIZE: Final = TerminalSize(80, 24)
_ENDING_KEYS: Final = frozenset(b"\x03\x1c")
"""Ctrl-C and Ctrl-\\, which are signals on a terminal of one's own."""
_INTERRUPTED: Final = 130
_ANSWER_S: Final = 0.008
"""Time a screen waits for an answer, which comes from this process: the store needs some 3 ms,
and to paint an action twice, before its answer and after, costs a millisecond more than once."""
NEEDS_TERMINAL: Final = "JMinesweeper needs a terminal: ssh -t -p PORT HOST [WORDS]"
IS_DUMB: Final = "TERM={term} cannot place text. Try TERM=xterm ssh -t -p PORT HOST"
PRINTED_LATER: Final = "Over SSH there are no files; the game is printed when you quit."
GUEST: Final = "You play as a guest. ssh-keygen makes a key that keeps games."
BUG: Final = "Sorry, a bug in the server has ended this game."

logger = logging.getLogger("jminesweeper.server")


class Terminal(asyncssh.SSHServerSession[bytes]):
    """One player's terminal, from the request for a session to its end."""

    _chan: asyncssh.SSHServerChannel[bytes]

    def __init__(self, line: SshLine, account: str, looks: str) -> None:
        self.is_unread = False
        self._line = line
        self._account = account
        self._kept_looks = looks
        self._command = ""
        self._driver: SshDriver | None = None
        self._running: asyncio.Task[None] | None = None
        self._screen = TerminalScreen(self._write)
        self._answer_due_s = 0.0
        """Time until which a screen waits for the answer to the last packet."""
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
        """Begin to play, or say why not."""
        term = self._chan.get_terminal_type() or ""
        environ = {**self._chan.get_environment(), "TERM": term}
        try:
            wish = parse_words(self._command)
        except WordsError as error:
            self._leave(Leave(2, str(error)))
            return
        if wish.wants_help:
            self._leave(Leave(0, USAGE))
        elif is_dumb(environ):
            self._leave(Leave(2, IS_DUMB.format(term=term[:20]) if term else NEEDS_TERMINAL))
        else:
            self._line.begin_game(self, self._account)
            driver = self._driver = SshDriver(self._program(wish, environ), self._line)
            self._running = asyncio.get_running_loop().create_task(self._play(driver))

    def data_received(self, data: bytes, datatype: object) -> None:
        is_end = not _ENDING_KEYS.isdisjoint(data)
        self.deliver(events.Stopped(_INTERRUPTED) if is_end else events.Typed(data))

    def terminal_size_changed(self, *_size: int) -> None:
        self.deliver(events.Resized(self._size()))

    def eof_received(self) -> bool:
        """End: a program, and not a hand, has closed its side."""
        self.deliver(events.Stopped(0))
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop playing: the player is gone."""
        if self._running is not None:
            self._running.cancel()
        self._line.hang_up_soon()

    def pause_writing(self) -> None:
        self.is_unread = True
        self._line.see_unread()

    def resume_writing(self) -> None:
        self.is_unread = False
        self._line.see_unread()

    # The game

    def _program(self, wish: SshWish, environ: Mapping[str, str]) -> TerminalClient:
        looks = Looks()
        # An older version may have known other looks.
        with suppress(OwnFileError):
            looks = parse_looks(self._kept_looks, "looks")
        # The locale names the encoding; most clients send none, and have UTF-8.
        locale = next(
            (environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(key)), ""
        )
        encoding = locale.partition(".")[2].partition("@")[0] or "utf-8"
        canvas = canvas_for(self._size(), encoding, looks, environ)
        return TerminalClient(
            Profile(
                GameRequest().start(),
                wish.packet,
                Wire.TWO,
                needs_version_2=True,
                is_live=True,
                resumes=wish.resumes,
                reconnects=False,
            ),
            Backoff(random.random),
            canvas,
            KeyMap({}),
            has_mouse=True,
            asks_background=asks_background(canvas, environ),
        )

    async def _play(self, driver: Driver) -> None:
        try:
            leave = await driver.run(self, self)
        # A bug in one screen may raise anything, and must not reach the other players.
        except Exception:
            logger.exception("the terminal of %s failed", self._line.connection.peer)
            leave = Leave(1, BUG)
        self._leave(leave)

    def _leave(self, leave: Leave) -> None:
        """Give the screen back, print the last message, and hang up."""
        self._screen.give_back()
        for said in (self._recording, leave.screen, leave.message):
            if said:
                self._write(f"{said.rstrip()}\n".replace("\n", "\r\n"))
        self._chan.exit(leave.exit_code)
        self._line.hang_up_soon()

    def deliver(self, event: events.Event) -> None:
        """Deliver an event to the program, if there is one yet."""
        if isinstance(event, events.Received):
            self._answer_due_s = 0.0
        if self._driver is not None:
            self._driver.deliver(event)

    def wake(self) -> None:
        """Paint the latest screen."""
        if self._driver is not None:
            self._driver.wake()

    def _size(self) -> TerminalSize:
        columns, rows, *_ = self._chan.get_terminal_size()
        return TerminalSize(
            min(columns or _UNKNOWN_SIZE.columns, LARGEST.columns),
            min(rows or _UNKNOWN_SIZE.rows, LARGEST.rows),
        )

    def _write(self, text: str) -> None:
        # A peer may have closed the channel, and then nobody sees this.
        if not self._chan.is_closing():
            self._chan.write(text.encode())
            self._line.see_unread()

    # The outlet of the program

    @property
    def is_ready(self) -> bool:
        is_due = asyncio.get_running_loop().time() >= self._answer_due_s
        return is_due and not self._line.is_stalled

    def write(self, text: str) -> None:
        self._screen.show(text)

    def perform(self, effect: OutletEffect) -> None:
        match effect:
            case events.EnableMouse() | events.AskBackground():
                self._screen.perform(effect)
            case events.KeepRecording(text):
                self._recording = text.decode()
                self.deliver(events.Kept(PRINTED_LATER))
            case events.KeepLooks(looks) if self._account:
                hub = self._line.hub
                now_s = (hub.now_ms() + hub.backend.matches.epoch_ms()) // 1000
                body, draw = format_looks(looks), hub.backend.tokens
                hub.keeper.run(keep_looks(self._account, body, draw, now_s), lambda _result: None)
            case _:
                # There is no shell to go back to, and a notice is on the screen.
                pass

    # The uplink of the program

    async def connect(self) -> None:
        """Say that the server is there; a session that is lost is the end."""
        self.deliver(events.Connected("" if self._account else GUEST))

    def send(self, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        self._answer_due_s = due_s = loop.time() + _ANSWER_S
        self._line.connection.hear(data)
        if self._answer_due_s:
            loop.call_at(due_s, self.wake)

    def resume(self) -> None:
        pass

    def abort(self) -> None:
        """Drop nothing: the channel ends with the program, and the connection with the channel."""


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


# The words of a command

_ROOMS: Final = {"race": RoomKind.RACE, "coop": RoomKind.SHARED}
_LONGEST: Final = 200
"""Characters of a command that are looked at; a seed code and a name fit."""
_BOARDS: Final = ", ".join(CLASSIC_BOARDS)

USAGE: Final = f"""\
Usage: ssh -t -p PORT HOST [WORDS]

  (nothing)         a game; the one that waits for you, if there is one
  BOARD             {_BOARDS}
  daily [BOARD]     the board of the day
  resume            the game that waits for you
  race [BOARD]      open a room for a race; with open at the end, to everybody
  coop [BOARD]      open a room to share a board; likewise
  join CODE         sit down in a room
  watch CODE|NAME   watch a game, a room or a player

In a game ? names the keys. Your own keys and games as files need the client.
"""
UNKNOWN: Final = (
    "{word!r} is not known. Say race, coop, join, watch, daily, resume, help or a board: "
    f"{_BOARDS}."
)


class WordsError(ValueError):
    """The words name nothing to play; the message says what would."""


@dataclass(frozen=True, slots=True)
class SshWish:
    """A player's wish: a packet to ask for it, or the game that waits, or help."""

    packet: Packet | None = None
    resumes: bool = False
    wants_help: bool = False


def parse_words(command: str) -> SshWish:
    """Read what to play; WordsError if the words mean nothing."""
    match command[:_LONGEST].split():
        case []:
            return SshWish()
        case ["--help" | "-h" | "help", *_]:
            return SshWish(wants_help=True)
        case ["resume"]:
            return SshWish(resumes=True)
        case ["join", *codes]:
            if len(codes) != 1:
                raise WordsError("join takes one code.")
            return SshWish(Join(codes[0]))
        case ["watch", *name]:
            if not name:
                raise WordsError("watch takes a code or a name.")
            return SshWish(Watch(" ".join(name)))
        case [("race" | "coop") as kind, *board, "open"]:
            return SshWish(_request(board).room(_ROOMS[kind], RoomFlag.OPEN))
        case [("race" | "coop") as kind, *board]:
            return SshWish(_request(board).room(_ROOMS[kind]))
        case ["daily", *board]:
            return SshWish(_request(board, daily=True).new_game(asks_first=True))
        case board:
            return SshWish(_request(board).new_game(asks_first=True))


def _request(board: list[str], *, daily: bool = False) -> GameRequest:
    """Ask for the board that the words name, if they name one."""
    for place, name in enumerate(board):
        if place or name.lower() not in CLASSIC_BOARDS:
            raise WordsError(UNKNOWN.format(word=name))
    return GameRequest(preset=CLASSIC_BOARDS[board[0].lower()] if board else None, daily=daily)
