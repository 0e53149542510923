"""The packets that carry a payload, each beside the layout of its bytes.

Fields hold what was on the wire and fits their bytes, nothing more: whether a level or a preset
exists is for the session to say, which answers on the screen instead of hanging up. A name
is a byte for its length, then UTF-8.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from struct import Struct
from typing import Any, ClassVar, Final, Self, TypeAlias

from jminesweeper.protocol.vocabulary import (
    ANOTHER_GAME,
    FIRST_WITH_LENGTH,
    Command,
    EncodeError,
    Feature,
    MineCode,
    NewGameFlag,
    PacketType,
    PickWhat,
    ProtocolError,
    RoomFlag,
)

KEY_LENGTH: Final = 16
LONGEST_NAME: Final = 255
"""In bytes of UTF-8."""
_BYTE: Final = Struct(">B")


def _pack_fields(layout: Struct, packet_type: PacketType, values: Sequence[int]) -> bytes:
    """Write numbers side by side; EncodeError if one is too large for its field."""
    try:
        return layout.pack(*values)
    except struct.error as error:
        raise EncodeError(f"{packet_type.name} does not fit the wire: {error}") from error


def _encode_name(name: str, packet_type: PacketType) -> bytes:
    try:
        text = name.encode()
    except UnicodeEncodeError as error:
        raise EncodeError(f"the name in {packet_type.name} has no UTF-8 form") from error
    if len(text) > LONGEST_NAME:
        raise EncodeError(f"the name in {packet_type.name} is over {LONGEST_NAME} bytes long")
    return bytes((len(text),)) + text


def _decode_name(field_bytes: bytes, packet_type: PacketType) -> str:
    """Read a name that must fill the rest of a payload."""
    if not field_bytes or len(field_bytes) != 1 + field_bytes[0]:
        raise ProtocolError(f"The name in {packet_type.name} is not as long as it says.")
    try:
        return field_bytes[1:].decode()
    except UnicodeDecodeError as error:
        raise ProtocolError(f"The name in {packet_type.name} is not valid UTF-8.") from error


@dataclass(frozen=True, slots=True)
class FramedPacket:
    """A packet with a payload of so many bytes; without a most the reader's own limit counts."""

    packet_type: ClassVar[PacketType]
    shortest: ClassVar[int]
    longest: ClassVar[int | None] = None

    def payload(self) -> bytes:
        """Return the bytes after the header; EncodeError if a value does not fit its field."""
        raise NotImplementedError

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        """Read a payload whose length is allowed; ProtocolError if it makes no sense."""
        raise NotImplementedError


class FixedPacket(FramedPacket):
    """A packet whose fields always take the same bytes; subclasses name type and layout."""

    __match_args__: ClassVar[tuple[str, ...]]
    layout: ClassVar[Struct]

    def __init_subclass__(cls) -> None:
        if hasattr(cls, "layout"):
            cls.shortest = cls.longest = cls.layout.size

    def payload(self) -> bytes:
        values = [getattr(self, name) for name in self.__match_args__]
        return _pack_fields(self.layout, self.packet_type, values)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        return cls(*cls.layout.unpack(payload))


@dataclass(frozen=True, slots=True)
class Start(FixedPacket):
    """Start a new game, as in version 1."""

    packet_type = PacketType.START
    layout = Struct(">BBB")
    columns: int
    rows: int
    level: int


@dataclass(frozen=True, slots=True)
class CellPacket(FixedPacket):
    """A packet about a cell of the field, counted from 0 at the top-left."""

    layout = Struct(">BB")
    column: int
    row: int


class MoveTo(CellPacket):
    """Note where the player's cursor is."""

    packet_type = PacketType.MOVE_TO


class Hint(CellPacket):
    """Ask for a cell near this one that can be reasoned out."""

    packet_type = PacketType.HINT


class Odds(CellPacket):
    """Ask for the chances of a mine around this cell, or hide them."""

    packet_type = PacketType.ODDS


class Seek(CellPacket):
    """Ask for the next cell after this one that one or two numbers settle."""

    packet_type = PacketType.SEEK


@dataclass(frozen=True, slots=True)
class Ready(FixedPacket):
    """Say whether to begin the round, or after one the next."""

    packet_type = PacketType.READY
    layout = Struct(">B")
    is_ready: int = 1


@dataclass(frozen=True, slots=True)
class Say(FixedPacket):
    """Say one of the phrases to a room; 0 points at a cell."""

    packet_type = PacketType.SAY
    layout = Struct(">BBB")
    phrase: int
    column: int = 0
    row: int = 0


@dataclass(frozen=True, slots=True)
class Undo(FixedPacket):
    """Take back the last `steps` actions."""

    packet_type = PacketType.UNDO
    layout = Struct(">H")
    steps: int = 1


@dataclass(frozen=True, slots=True)
class Act(FixedPacket):
    """Press a button on a cell, if it still looks as it did when it was pressed."""

    packet_type = PacketType.ACT
    layout = Struct(">BBBB")
    column: int
    row: int
    button: int
    seen: int
    """The face of the cell, as the player saw it."""


@dataclass(frozen=True, slots=True)
class Replay(FixedPacket):
    """Show a replay at a position."""

    packet_type = PacketType.REPLAY
    layout = Struct(">H")
    position: int


@dataclass(frozen=True, slots=True)
class LookBack(FixedPacket):
    """Ask for something about the game that has ended; see LookBackAt."""

    packet_type = PacketType.LOOK_BACK
    layout = Struct(">B")
    what: int


@dataclass(frozen=True, slots=True)
class NamedPacket(FramedPacket):
    """A packet that carries one name: a byte for its length, then UTF-8."""

    shortest = 1
    longest = 1 + LONGEST_NAME
    name: str

    def payload(self) -> bytes:
        return _encode_name(self.name, self.packet_type)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        return cls(_decode_name(payload, cls.packet_type))


class Save(NamedPacket):
    """Save the game under a name."""

    packet_type = PacketType.SAVE


class Load(NamedPacket):
    """Continue the game saved under a name."""

    packet_type = PacketType.LOAD


class Drop(NamedPacket):
    """Delete the game saved under a name."""

    packet_type = PacketType.DROP


class OpenMenu(NamedPacket):
    """Open a menu or a page by its id; without one the main menu, or go back."""

    packet_type = PacketType.MENU


class Code(NamedPacket):
    """Play the board of a seed code."""

    packet_type = PacketType.CODE


class Join(NamedPacket):
    """Sit down in the room of a code."""

    packet_type = PacketType.JOIN


class Watch(NamedPacket):
    """Watch a game, a room or a player, by code or name."""

    packet_type = PacketType.WATCH


class BoardPacket(FramedPacket):
    """A packet that asks for a board: numbers of a byte each, then the text of the board."""

    __match_args__: ClassVar[tuple[str, ...]]
    layout: ClassVar[Struct]
    board: str

    def __init_subclass__(cls) -> None:
        cls.shortest = cls.layout.size + 1
        cls.longest = cls.shortest + LONGEST_NAME

    @classmethod
    def numbers(cls) -> Sequence[str]:
        """Name the fields before the text."""
        return [name for name in cls.__match_args__ if name != "board"]

    def payload(self) -> bytes:
        values = [getattr(self, name) for name in self.numbers()]
        fixed = _pack_fields(self.layout, self.packet_type, values)
        return fixed + _encode_name(self.board, self.packet_type)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        values = zip(cls.numbers(), cls.layout.unpack_from(payload), strict=True)
        board = _decode_name(payload[cls.layout.size :], cls.packet_type)
        fields: Mapping[str, Any] = {**dict(values), "board": board}
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class NewGame(BoardPacket):
    """Start a new game: a board, perhaps with its seed, or a word of `vocabulary`."""

    packet_type = PacketType.NEW_GAME
    layout = Struct(">B")
    board: str = ANOTHER_GAME
    flags: int = NewGameFlag(0)


@dataclass(frozen=True, slots=True)
class OpenRoom(BoardPacket):
    """Open a room in which a board is played."""

    packet_type = PacketType.ROOM
    layout = Struct(">BBB")
    kind: int
    mine: int = MineCode.USUAL
    flags: int = RoomFlag(0)
    board: str = "expert"


@dataclass(frozen=True, slots=True)
class Pick(FramedPacket):
    """Choose a row of a menu, give it a value, or drop it."""

    packet_type = PacketType.PICK
    shortest = 4
    longest = 4 + 3 * LONGEST_NAME
    menu: str
    row: str
    value: str = ""
    what: int = PickWhat.CHOOSE

    def payload(self) -> bytes:
        names = (_encode_name(name, self.packet_type) for name in (self.menu, self.row, self.value))
        return _pack_fields(_BYTE, self.packet_type, (self.what,)) + b"".join(names)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        # The names of the menu and the row have their lengths before them.
        row_at = 2 + payload[1]
        value_at = row_at + 1 + sum(payload[row_at : row_at + 1])
        parts = payload[1:row_at], payload[row_at:value_at], payload[value_at:]
        menu, row, value = (_decode_name(part, cls.packet_type) for part in parts)
        return cls(menu, row, value, payload[0])


@dataclass(frozen=True, slots=True)
class Hello(FramedPacket):
    """Introduce a player; from now on the client gets views."""

    packet_type = PacketType.HELLO
    layout: ClassVar[Struct] = Struct(">BBB")
    shortest = layout.size + 1
    longest = layout.size + KEY_LENGTH + 1 + LONGEST_NAME
    features: int = Feature(0)
    # A log line or an assertion that prints a packet must not print a player's secret.
    key: bytes = field(default=b"", repr=False)
    name: str = ""
    version: int = 2

    def payload(self) -> bytes:
        if len(self.key) not in (0, KEY_LENGTH):
            raise EncodeError(f"a key has {KEY_LENGTH} bytes or none, not {len(self.key)}")
        values = (self.version, self.features, len(self.key))
        fixed = _pack_fields(self.layout, self.packet_type, values)
        return fixed + self.key + _encode_name(self.name, self.packet_type)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        version, features, key_length = cls.layout.unpack_from(payload)
        name_at = cls.layout.size + key_length
        name = payload[name_at:]
        if key_length not in (0, KEY_LENGTH) or len(name) != sum(name[:1], 1):
            # Of a client from when HELLO began with the size of a terminal.
            raise ProtocolError("HELLO has another layout now: please update the client.")
        key = payload[cls.layout.size : name_at]
        return cls(features, key, _decode_name(name, cls.packet_type), version)


@dataclass(frozen=True, slots=True)
class TextPacket(FramedPacket):
    """A packet that is a text, as bytes: only a display needs it decoded."""

    shortest = 0
    text: bytes

    def payload(self) -> bytes:
        return self.text

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        return cls(payload)


class ScreenContent(TextPacket):
    """A whole screen."""

    packet_type = PacketType.SCREEN_CONTENT


class RecordingContent(TextPacket):
    """A whole game as text, for the client to keep; shows nothing."""

    packet_type = PacketType.RECORDING
    shortest = 1


@dataclass(frozen=True, slots=True)
class View(FramedPacket):
    """A VIEW packet, still encoded; see `view`."""

    packet_type = PacketType.VIEW
    layout: ClassVar[Struct] = Struct(">H")
    shortest = layout.size + 2
    text: bytes = b"{}"
    cells: bytes = b""

    def payload(self) -> bytes:
        length = _pack_fields(self.layout, self.packet_type, (len(self.cells),))
        return length + self.cells + self.text

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        end = cls.layout.size + cls.layout.unpack_from(payload)[0]
        if end > len(payload):
            raise ProtocolError("The cells in VIEW are longer than the packet.")
        return cls(payload[end:], payload[cls.layout.size : end])

    def members(self) -> Mapping[str, Any]:
        """Read the members that changed; ProtocolError if they are not a JSON object."""
        try:
            members = json.loads(self.text)
        except (ValueError, RecursionError) as error:
            raise ProtocolError("The members in VIEW are not JSON.") from error
        if not isinstance(members, dict):
            raise ProtocolError("The members in VIEW are not an object.")
        return members


@dataclass(frozen=True, slots=True)
class UnknownPacket:
    """A packet of a later version, which is skipped: only its size is known."""

    packet_type: int
    length: int

    def payload(self) -> bytes:
        return bytes(self.length)


FROM_CLIENT: Final[Sequence[type[FramedPacket]]] = (
    *(Start, Hello, MoveTo, NewGame, Undo, Hint, Save, Load, OpenMenu, Code, Drop, Act, Pick),
    *(Odds, Seek, LookBack, Replay, Join, Watch, OpenRoom, Ready, Say),
)
FROM_SERVER: Final[Sequence[type[FramedPacket]]] = (ScreenContent, View, RecordingContent)
Packet: TypeAlias = Command | FramedPacket | UnknownPacket


# Packets to bytes

HEADER: Final = Struct(">BI")
HEADER_BYTES: Final = HEADER.size
_SCREEN: Final = int(PacketType.SCREEN_CONTENT)
_VIEW_HEADER: Final = Struct(">BIH")


_COMMANDS: Mapping[Command, bytes] = {
    command: bytes((command.packet_type,))
    if command.packet_type < FIRST_WITH_LENGTH
    else HEADER.pack(command.packet_type, 0)
    for command in Command
}


def encode(packet: Packet) -> bytes:
    """Return all bytes of one packet; EncodeError if a value does not fit its field."""
    if isinstance(packet, Command):
        return _COMMANDS[packet]
    payload = packet.payload()
    return HEADER.pack(packet.packet_type, len(payload)) + payload


def encode_screen(text: bytes) -> bytes:
    """Return SCREEN_CONTENT."""
    return HEADER.pack(_SCREEN, len(text)) + text


def encode_view(cells: bytes, text: bytes) -> bytes:
    """Return VIEW of cells as `view` describes them, and of members that are JSON already."""
    length = View.layout.size + len(cells) + len(text)
    return b"".join((_VIEW_HEADER.pack(PacketType.VIEW, length, len(cells)), cells, text))
