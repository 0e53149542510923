"""A player without a network: packets go to a session, replies to a terminal, writes to a store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import Level
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import level_variant
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import Packet, ScreenContent, ScreenPatch, Start
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction
from jminesweeper.screen.plain import parse_plain_entries, parse_plain_field
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import Effects, Event, Reply
from jminesweeper.session.session import Session
from jminesweeper.store import Operation
from tests.unit.terminal import Terminal

SEED = 20_260_731

Answer = Callable[[Any], Any]
"""Answers an operation of the store, or a question to a worker."""


def same_seed(bits: int) -> int:
    """Draw the same number every time: every board is known beforehand."""
    return SEED & ((1 << bits) - 1)


class Player:
    """Sends packets, carries out what they entail, and looks at the painted screen."""

    def __init__(
        self,
        config: SessionConfig | None = None,
        *,
        entropy: Callable[[int], int] = same_seed,
        answer: Answer = lambda _asked: None,
    ) -> None:
        self.session = Session(config or SessionConfig(), entropy)
        self.now_ms = 1_000
        self.effects: list[Effects] = []
        self.replies: list[ScreenContent | ScreenPatch] = []
        self.is_connected = True
        self.terminal = Terminal()
        self.reads_overtake_writes = False
        """What is asked is answered before what is written with it is carried out."""
        self._answer = answer
        self._reader = PacketReader(Direction.FROM_SERVER)

    # Doing

    def send(self, *packets: Packet) -> str:
        """Send packets one by one; return the screen after the last."""
        for sent in packets:
            (packet,) = PacketReader(Direction.FROM_CLIENT).feed(encode(sent))
            self._take(self.session.receive(packet, self.now_ms), is_answered=True)
        return self.text

    def send_after(self, wait_ms: int, *packets: Packet) -> str:
        self.now_ms += wait_ms
        return self.send(*packets)

    def choose(self, label: str) -> str:
        """Walk down a plain menu to an item and choose it; the menu goes round."""
        numbers = self._numbers
        start, _, _ = self.selected.partition(".")
        downwards = [*numbers].index(label) - [*numbers.values()].index(start)
        return self.send(*[Command.MOVE_DOWN] * (downwards % len(numbers)), Command.REVEAL)

    def hang_up(self) -> None:
        """Go without a word."""
        self._carry_out(self.session.leave(self.now_ms).effects)

    def notice(self, event: Event, *, may_show: bool = True) -> bool:
        """Tell the session of an event; return whether it sent a screen."""
        reply = self.session.notice(event, self.now_ms, may_show=may_show)
        self._carry_out(reply.effects)
        if reply.screen:
            self._read(reply.screen)
        return bool(reply.screen)

    def show(self, reply: bytes) -> str:
        """Look at bytes that the session gave for sending."""
        self._read(reply)
        return self.text

    def _take(self, reply: Reply, *, is_answered: bool) -> None:
        effects = reply.effects
        if effects is not None and effects.question is not None:
            assert reply.screen == b""
            answer = self._answer_question(effects, effects.question)
            self._take(self.session.resolve(answer, self.now_ms), is_answered=is_answered)
            return
        self._carry_out(effects)
        if is_answered and (reply.screen or self.is_connected):
            self._read(reply.screen)

    def _answer_question(self, effects: Effects, question: object) -> object:
        if self.reads_overtake_writes:
            answer = self._answer(question)
            self._carry_out(effects)
            return answer
        self._carry_out(effects)
        return self._answer(question)

    def _carry_out(self, effects: Effects | None) -> None:
        if effects is None:
            return
        self.effects.append(effects)
        for operation in (*effects.writes, *effects.notes):
            self.session.settle(operation, self._answer(operation))
        if effects.closes:
            self.is_connected = False

    def _read(self, reply: bytes) -> None:
        packets = self._reader.feed(reply)
        assert len(packets) == 1, f"one reply to one packet, not {len(packets)}"
        (packet,) = packets
        assert len(encode(packet)) == len(reply)
        assert isinstance(packet, ScreenContent | ScreenPatch)
        self.replies.append(packet)
        if not is_plain(packet):
            self.terminal.paint(packet.text)

    # Looking

    @property
    def text(self) -> str:
        """The screen: painted, or as it came if it came as plain text."""
        if self.replies and is_plain(self.replies[-1]):
            return self.frame.decode()
        return self.terminal.text

    def entry(self, name: str) -> str:
        """Return the value of a ``name: value`` line of a plain screen; empty if there is none."""
        return parse_plain_entries(self.text).get(name, "")

    @property
    def board(self) -> str:
        """The field of a plain screen, in core's notation."""
        view = parse_plain_field(self.text)
        assert view is not None, f"no field on\n{self.text}"
        return str(view)

    @property
    def items(self) -> list[str]:
        """The items of a plain menu that can be chosen."""
        return [*self._numbers]

    @property
    def selected(self) -> str:
        """The line of a plain menu that is selected."""
        (line,) = [line for line in self.text.splitlines() if line.startswith(">")]
        return line[1:].strip()

    @property
    def _numbers(self) -> dict[str, str]:
        """The items of a plain menu that can be chosen, and their numbers."""
        numbers = {}
        for line in self.text.splitlines():
            number, dot, label = line[1:].partition(". ")
            if dot and number.strip().isdigit() and not label.startswith("("):
                numbers[label.split("  ")[0]] = number.strip()
        return numbers

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.terminal.lines]

    @property
    def patch(self) -> ScreenPatch:
        """The last reply, which is a patch."""
        last = self.replies[-1]
        assert isinstance(last, ScreenPatch)
        return last

    @property
    def frame(self) -> bytes:
        """The last reply's text as it came."""
        return self.replies[-1].text

    def field(self, size: Size) -> list[str]:
        """Return the field of a version 1 screen with cells of two columns, without blanks."""
        rows = self.terminal.lines[2 : 2 + size.rows]
        return [row[1 : 1 + 2 * size.columns : 2] for row in rows]

    def take_effects(self) -> list[Effects]:
        """Return what was entailed since the last time."""
        taken, self.effects = self.effects, []
        return taken

    @property
    def games_ended(self) -> int:
        """How many games ended since the effects were taken."""
        return sum(one.games_ended for one in self.effects)

    @property
    def works(self) -> list[Any]:
        """The work that was started so far."""
        return [one.work for one in self.effects if one.work is not None]

    @property
    def writes(self) -> list[Operation[Any]]:
        """What was stored before a screen was shown."""
        return [operation for one in self.effects for operation in one.writes]

    @property
    def notes(self) -> list[Operation[Any]]:
        """What was stored without a screen waiting for it."""
        return [operation for one in self.effects for operation in one.notes]


def is_plain(reply: ScreenContent | ScreenPatch) -> bool:
    return isinstance(reply, ScreenContent) and b"\x1b" not in reply.text


def minefield_of(start: Start) -> Minefield:
    """Lay the board that a START gets from `same_seed`."""
    size = Size(start.columns, start.rows)
    return Setup(level_variant(size, Level(start.level)), seed=SEED).minefield()


def cells_of(field: Minefield, mask: int) -> list[Cell]:
    return list(Grid.of(field.size).cells(mask))


def steps(start: Cell, goal: Cell) -> list[Packet]:
    """Return the cursor keys from one cell to another."""
    columns, rows = goal.column - start.column, goal.row - start.row
    sideways = Command.MOVE_RIGHT if columns > 0 else Command.MOVE_LEFT
    upwards = Command.MOVE_DOWN if rows > 0 else Command.MOVE_UP
    return [*[sideways] * abs(columns), *[upwards] * abs(rows)]
