"""A player without a network: packets go to a session, replies to a terminal, wishes to a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from jminesweeper.core import (
    PRESETS,
    Cell,
    Grid,
    Level,
    Minefield,
    Setup,
    Size,
    format_position,
)
from jminesweeper.protocol import (
    Command,
    Direction,
    Packet,
    PacketReader,
    ScreenContent,
    ScreenPatch,
    Start,
    encode,
)
from jminesweeper.screen import parse_plain_entries, parse_plain_field
from jminesweeper.session import (
    Ask,
    Close,
    Commit,
    Effect,
    Jot,
    Session,
    SessionConfig,
)
from tests.conformance.terminal import Terminal

SEED = 20_260_731

Answers = Mapping[type, Callable[[Any], object]]


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
        submit: Callable[[Any], object] = lambda _operation: None,
        answers: Answers | None = None,
    ) -> None:
        self.session = Session(config or SessionConfig(), entropy)
        self.now_ms = 1_000
        self.effects: list[Effect] = []
        self.replies: list[ScreenContent | ScreenPatch] = []
        self.is_connected = True
        self.terminal = Terminal()
        self._submit = submit
        self._answers = answers or {}
        self._reader = PacketReader(Direction.FROM_SERVER)

    # Doing

    def send(self, *packets: Packet) -> str:
        """Send packets one by one; return the screen after the last."""
        for sent in packets:
            (packet,) = PacketReader(Direction.FROM_CLIENT).feed(encode(sent))
            self._take(*self.session.receive(packet, self.now_ms), is_answered=True)
        return self.text

    def send_after(self, wait_ms: int, *packets: Packet) -> str:
        self.now_ms += wait_ms
        return self.send(*packets)

    def hang_up(self) -> None:
        """Go without a word."""
        self._carry_out(self.session.leave(self.now_ms))

    def show(self, reply: bytes) -> str:
        """Look at bytes that the session gave for sending."""
        self._read(reply)
        return self.text

    def _take(self, reply: bytes, effects: Sequence[Effect], *, is_answered: bool = False) -> None:
        self._carry_out(effects)
        if effects and isinstance(effects[-1], Ask):
            assert reply == b""
            answer = self._answer(effects[-1].request)
            self._take(*self.session.resolve(answer, self.now_ms), is_answered=is_answered)
            return
        if is_answered and not (reply == b"" and Close() in effects):
            self._read(reply)

    def _answer(self, request: object) -> object:
        return self._answers[type(request)](request)

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            self.effects.append(effect)
            match effect:
                case Commit(operation) | Jot(operation):
                    self.session.settle(operation, self._submit(operation))
                case Close():
                    self.is_connected = False

    def _read(self, reply: bytes) -> None:
        packets = self._reader.feed(reply)
        assert len(packets) == 1, f"one reply to one packet, not {len(packets)}"
        assert self._reader.at_boundary
        (packet,) = packets
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
        return format_position(view)

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

    def take_effects(self) -> list[Effect]:
        """Return what was entailed since the last time."""
        taken, self.effects = self.effects, []
        return taken


def is_plain(reply: ScreenContent | ScreenPatch) -> bool:
    return isinstance(reply, ScreenContent) and b"\x1b" not in reply.text


def minefield_of(start: Start) -> Minefield:
    """Lay the board that a START gets from `same_seed`."""
    size = Size(start.columns, start.rows)
    mines = Level(start.level).mines(size)
    return Setup(size, mines, PRESETS["jminesweeper"], seed=SEED).minefield()


def cells_of(field: Minefield, mask: int) -> list[Cell]:
    return list(Grid.of(field.size).cells(mask))


def steps(start: Cell, goal: Cell) -> list[Packet]:
    """Return the cursor keys from one cell to another."""
    columns, rows = goal.column - start.column, goal.row - start.row
    sideways = Command.MOVE_RIGHT if columns > 0 else Command.MOVE_LEFT
    upwards = Command.MOVE_DOWN if rows > 0 else Command.MOVE_UP
    return [*[sideways] * abs(columns), *[upwards] * abs(rows)]
