"""A player: packets go to a server as bytes, and what comes back is read as a client reads it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pytest

from jminesweeper.check.version_2 import KeptView
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import Level
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import level_variant
from jminesweeper.core.view import COVERED, EXPLODED, MINED, Status, read_faces
from jminesweeper.protocol.packets import (
    Act,
    Hello,
    NewGame,
    OpenMenu,
    Packet,
    Pick,
    RecordingContent,
    ScreenContent,
    Start,
    View,
    encode,
)
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Command, Direction, PickWhat
from jminesweeper.server.connection import Connection
from jminesweeper.server.conversation import Phase
from jminesweeper.session.player import Player as PlayerInside
from jminesweeper.store.port import Commit
from tests.painted import PaintedTerminal
from tests.world.loop import FakeTransport, hear

if TYPE_CHECKING:
    from tests.world.server import World

SEED = 20_260_731
ANSWER_MS: Final = 30_000
"""The longest time that passes until a packet is answered: a room may ask the store again."""

SEEN: Final = 0xFF
"""In place of the face in an ACT: the cell is as the player sees it."""
BACK: Final = OpenMenu("")
"""Opens the main menu, or goes back."""


def same_seed(bits: int) -> int:
    """Draw the same number every time: every board is known beforehand."""
    return SEED & ((1 << bits) - 1)


Step: TypeAlias = Packet | int | str | tuple[str, str]


def case(sentence: str, *steps: Step, **seen: Any) -> Any:
    """Write a row of a table: what somebody does, and then sees."""
    return pytest.param(steps, seen, id=sentence)


table = partial(pytest.mark.parametrize, ("steps", "seen"))


class Player:
    """Sends packets to a server, and looks at what comes back, as a client does.

    A client of version 1 has a terminal, one of version 2 what the views add up to.
    """

    def __init__(self, world: World, connection: Connection, transport: FakeTransport) -> None:
        self.world = world
        """The server at which the player is connected."""
        self.connection = connection
        self.transport = transport
        self.replies: list[ScreenContent | View | RecordingContent] = []
        self.is_connected = True
        self._terminal: PaintedTerminal | None = None
        self._unpainted: list[bytes] = []
        """Frames that nobody has looked at: to paint all of them takes longer than to play."""
        self._kept = KeptView()
        self._cursor: Sequence[int] = ()
        self.said: dict[str, Any] = {}
        """The members of the last view."""
        self.agrees_to_help = True
        """Agree where a ranked game asks before its first help."""
        self._reader = PacketReader(Direction.FROM_SERVER)
        self._read = 0
        self._looked = 0
        """Replies that were there when the player looked last."""
        self._games_before = 0

    # Doing

    def send(self, *packets: Packet) -> Player:
        """Send packets one by one."""
        for packet in packets:
            self.say(self._as_seen(packet))
            if self.agrees_to_help and self.screen == "assist":
                self.send(Pick("assist", "yes"))
        self._looked = len(self.replies)
        return self

    def say(self, *packets: Packet) -> None:
        """Send packets in one segment, and wait for what is answered."""
        self.hear(b"".join(map(encode, packets)))

    def hear(self, data: bytes) -> None:
        """Have the server hear bytes, and wait for what is answered."""
        world, conversation = self.world, self.connection.conversation
        world.have(hear, self.connection, data)
        until_ms = world.now_ms + ANSWER_MS
        while conversation.phase is Phase.ASKING and not world.line.waiting:
            assert world.now_ms < until_ms, "a question without an answer"
            world.loop.pass_to_next_timer()
            world.settle()

    def _as_seen(self, packet: Packet) -> Packet:
        if isinstance(packet, Hello):
            # From now on the client knows nothing but the defaults.
            self._kept, self._cursor = KeptView(), ()
        if not isinstance(packet, Act) or packet.seen != SEEN:
            return packet
        size = self.members.get("size", (0, 0))
        is_on_board = packet.column < size[0] and packet.row < size[1]
        face = self.faces[packet.row * size[0] + packet.column] if is_on_board else COVERED
        return replace(packet, seen=face)

    def do(self, *steps: Step) -> Player:
        """Send packets, wait for milliseconds, and pick rows by their labels, one by one."""
        for step in steps:
            match step:
                case int():
                    self.world.let_pass(step)
                case str():
                    self.choose(step)
                case (str(label), str(value)):
                    self.choose(label, value)
                case _:
                    self.send(step)
        return self

    def sees(self, seen: dict[str, Any]) -> None:
        """Assert what there is to see, by its name."""
        found = {name: self._look_at(name) for name in seen}
        assert found == seen, f"{found}, not {seen}"

    def _look_at(self, name: str) -> Any:
        if name in {"message", "screen", "board", "items", "games_ended", "saves"}:
            return getattr(self, name)
        match name:
            case "status":
                return self.lines[0].removeprefix("JMinesweeper  ")
            case "line":
                return self.lines[1]
            case "top":
                return self.board.splitlines()[0]
            case _:
                return self.entry(name.replace("_", " "))

    @property
    def saves(self) -> list[str]:
        """The names of Ada's saves, the latest first."""
        return self.world.saves

    def send_after(self, wait_ms: int, *packets: Packet) -> Player:
        self.world.let_pass(wait_ms)
        return self.send(*packets)

    def choose(self, label: str, value: str = "") -> Player:
        """Pick a row of the menu by its label, with a value if it takes one."""
        return self.send(Pick(self.members["menu"]["id"], self.row(label)["id"], value))

    def walk(self, *labels: str) -> Player:
        """Pick rows of one menu after the other."""
        for label in labels:
            self.choose(label)
        return self

    def drop(self, label: str) -> Player:
        """Drop a row of the menu."""
        row = self.row(label)
        return self.send(Pick(self.members["menu"]["id"], row["id"], what=PickWhat.DROP))

    def open(self, *labels: str) -> Player:
        """Open the main menu, and walk to a menu or page within."""
        self.send(BACK)
        for label in labels:
            self.choose(label)
        return self

    def hang_up(self) -> None:
        """Go without a word."""
        if self.is_connected:
            self.is_connected = False
            self.world.have(self.connection.connection_lost, None)

    def disconnect(self, message: str, *, is_final: bool = False) -> None:
        """Have the server say goodbye."""
        self.world.have(partial(self.connection.disconnect, is_final=is_final), message)

    def look(self) -> bool:
        """Look at what others have done; return whether there was anything new."""
        self.world.settle()
        before, self._looked = self._looked, len(self.replies)
        return self._looked > before

    def see(self) -> None:
        """Read what the server has written."""
        writes = self.transport.writes
        while self._read < len(writes):
            written = writes[self._read]
            self._read += 1
            packets = self._reader.feed(written)
            assert sum(len(encode(packet)) for packet in packets) == len(written)
            for packet in packets:
                self._read_one(packet)
        if self.is_connected and (self.transport.is_half_closed or self.transport.is_closed):
            self.is_connected = False
            with self.world.loop.running():
                self.connection.connection_lost(None)

    def _read_one(self, packet: object) -> None:
        assert isinstance(packet, ScreenContent | View | RecordingContent)
        self.replies.append(packet)
        if isinstance(packet, ScreenContent):
            self._unpainted.append(packet.text)
        elif isinstance(packet, View):
            self.said = {**packet.members()}
            self._kept.apply(packet)
            self._cursor = self.said.get("cursor", self._cursor)

    @property
    def inside(self) -> PlayerInside:
        """The server's knowledge of the player, where no packet tells."""
        return self.connection.conversation.session._player

    @property
    def is_kept_waiting(self) -> bool:
        """True if a reply waits for the store."""
        return self.connection.conversation.replies.is_waiting

    # Looking

    @property
    def terminal(self) -> PaintedTerminal:
        """A terminal's text after all frames so far."""
        self._terminal = self._terminal or PaintedTerminal()
        unpainted, self._unpainted = self._unpainted, []
        for frame in unpainted:
            self._terminal.feed(frame)
        return self._terminal

    @property
    def members(self) -> dict[str, Any]:
        """The views so far."""
        return self._kept.members

    @property
    def faces(self) -> bytearray:
        """The cells as the views said so far."""
        return self._kept.faces

    @property
    def text(self) -> str:
        """All there is to read: a frame as it was painted, or the words of a view."""
        if not self.replies or isinstance(self.replies[-1], ScreenContent):
            return self.terminal.text
        layer = self.members.get("menu") or self.members.get("page")
        title = layer["title"] if layer else self.entry("label")
        lines = ["JMinesweeper" if title == "JMinesweeper" else f"JMinesweeper {title}"]
        if layer is None and "size" in self.members:
            lines += [
                f"{name}: {said}" for name in (*_ENTRIES, "cursor") if (said := self.entry(name))
            ]
            lines += ["field:", *self._field()]
        elif layer is not None:
            for row in layer.get("rows", ()):
                lines.append("  ".join(filter(None, (row["label"], row.get("value")))))
                lines += filter(None, (row.get("help"), row.get("disabled")))
                lines += row.get("figures", ())
            for line in layer.get("lines", ()):
                lines.append(line if isinstance(line, str) else str([line["head"], *line["rows"]]))
        return "\n".join([*lines, *([f"message: {self.message}"] if self.message else [])])

    def _field(self) -> list[str]:
        """Draw the board; small letters are mines that only debug mode shows."""
        columns, _ = self.members["size"]
        if self.members["state"] in {"paused", None}:
            return []
        board = "".join(str(self.board).split("\n"))
        drawn = [
            {"?": "b", "F": "f"}.get(sign, sign) if face & MINED else sign
            for sign, face in zip(board, self.faces, strict=True)
        ]
        return ["".join(drawn[at : at + columns]) for at in range(0, len(drawn), columns)]

    @property
    def message(self) -> str:
        """The message; empty if there is none."""
        said = self.members.get("message")
        return said["text"] if said else ""

    @property
    def messages(self) -> list[str]:
        """The message of each view so far; empty where it has none."""
        said = KeptView()
        messages = []
        for view in self.replies:
            if isinstance(view, View):
                said.apply(view)
                messages.append((said.members.get("message") or {"text": ""})["text"])
        return messages

    def entry(self, name: str) -> str:
        """Return a member in words; empty if there is none."""
        if name == "solved":
            columns, rows = self.members["size"]
            opened = sum(not face & (COVERED | EXPLODED) for face in self.faces)
            return f"{100 * opened // (columns * rows - self.members['mines'])} %"
        if name == "cursor":
            return " ".join(map(str, self._cursor))
        return _ENTRIES[name](self.members) if "size" in self.members else ""

    @property
    def screen(self) -> str:
        """The top layer: the id of a menu or a page, or `game`."""
        layer = self.members.get("menu") or self.members.get("page")
        return layer["id"] if layer else "game"

    @property
    def board(self) -> str:
        """The field, in core's notation."""
        columns, rows = self.members["size"]
        status = _STATUSES[self.members["state"]]
        view = read_faces(self.faces, Size(columns, rows), self.members["mines"], status)
        return str(view)

    @property
    def items(self) -> list[str]:
        """The labels of the rows that can be picked."""
        rows = self.members["menu"]["rows"]
        kinds = {row["label"]: row.get("kind") for row in rows if "disabled" not in row}
        return [label for label, kind in kinds.items() if kind != "heading"]

    def row(self, label: str) -> dict[str, Any]:
        """Find a row of the menu by its label."""
        menu = self.members.get("menu")
        assert menu, f"no menu, but {self.text}"
        (row,) = [
            row for row in menu["rows"] if row["label"] == label and row.get("kind") != "heading"
        ]
        found: dict[str, Any] = row
        return found

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.terminal.lines]

    @property
    def frame(self) -> bytes:
        """The last frame as it came."""
        last = self.replies[-1]
        assert isinstance(last, ScreenContent)
        return last.text

    def field(self, size: Size) -> list[str]:
        """Return the field of a version 1 screen with cells of two columns, without blanks."""
        rows = self.terminal.lines[2 : 2 + size.rows]
        return [row[1 : 1 + 2 * size.columns : 2] for row in rows]

    def start_counting(self) -> None:
        """Forget what was asked of the store, and which games have ended."""
        self.world.take_operations()
        self._games_before = self.connection.conversation.games

    @property
    def games_ended(self) -> int:
        """Number of games that ended since the counting started."""
        return self.connection.conversation.games - self._games_before

    @property
    def writes(self) -> list[Commit]:
        """The commits since the effects were taken."""
        return [commit for commit in self.world.commits if not _is_note(commit)]

    @property
    def notes(self) -> list[Commit]:
        """The notes of games since the effects were taken."""
        return [commit for commit in self.world.commits if _is_note(commit)]


def _is_note(commit: Commit) -> bool:
    return [put.key.partition(":")[0] for put in commit.puts] == ["note"]


_STATUSES: Final = {
    **dict.fromkeys(("playing", "starting"), Status.ONGOING),
    "paused": Status.ONGOING,
    "won": Status.WON,
    "lost": Status.LOST,
    "given up": Status.TERMINATED,
}
_ENTRIES: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "state": lambda known: known.get("state", ""),
    "label": lambda known: known.get("label", ""),
    "remark": lambda known: " ".join(known.get("remark", ())),
    "aim": lambda known: (known.get("aim") or {}).get("text", ""),
    "size": lambda known: "x".join(map(str, known["size"])),
    "mines": lambda known: str(known.get("mines", 0)),
    "mines left": lambda known: str(known.get("left", 0)),
    "clock": lambda known: f"{known.get('clock', 0) // 1000} s",
    "hint": lambda known: _places(known, known.get("hint", ())),
    "around": lambda known: _places(known, known.get("flash", ())),
    "odds": lambda known: ", ".join(
        f"{_places(known, [cell])} {percent} %" for cell, percent in known.get("odds") or ()
    ),
    "replay": lambda known: (
        f"{known.get('position', 0)} of {len(known['replay'])}" if known.get("replay") else ""
    ),
    "figures": lambda known: ", ".join(" ".join(pair) for pair in known.get("figures", ())),
}


def _places(known: dict[str, Any], cells: Any) -> str:
    columns = known["size"][0]
    return ", ".join(f"{cell % columns} {cell // columns}" for cell in cells)


def minefield_of(start: Start) -> Minefield:
    """Lay the board that a START gets from `same_seed`."""
    size = Size(start.columns, start.rows)
    return Setup(level_variant(size, Level(start.level)), seed=SEED).minefield()


def new_game(seed: int) -> NewGame:
    """Ask for a board on which the first cell is no mine."""
    return NewGame(f"beginner seed={seed}")


def cells_of(field: Minefield, mask: int) -> list[Cell]:
    return list(Grid.of(field.size).cells(mask))


def steps(start: Cell, goal: Cell) -> list[Packet]:
    """Return the cursor keys from one cell to another."""
    columns, rows = goal.column - start.column, goal.row - start.row
    sideways = Command.MOVE_RIGHT if columns > 0 else Command.MOVE_LEFT
    upwards = Command.MOVE_DOWN if rows > 0 else Command.MOVE_UP
    return [*[sideways] * abs(columns), *[upwards] * abs(rows)]
