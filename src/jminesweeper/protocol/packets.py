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

from jminesweeper.protocol.errors import EncodeError, ProtocolError
from jminesweeper.protocol.vocabulary import (
    Command,
    Feature,
    FirstRevealCode,
    Glyphs,
    NewGameFlag,
    PacketType,
    PatchFlag,
    RulesCode,
    ScreenFormat,
)

KEY_LENGTH: Final = 16
LONGEST_NAME: Final = 255
LONGEST_MEMBERS: Final = 0xFFFF
"""In bytes of UTF-8."""


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


class FixedPacket:
    """A packet whose fields always take the same bytes; subclasses name type and layout."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]
    packet_type: ClassVar[PacketType]
    layout: ClassVar[Struct]

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
class Resize(FixedPacket):
    """Report the new size of the client's terminal."""

    packet_type = PacketType.RESIZE
    layout = Struct(">HH")
    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class MoveTo(FixedPacket):
    """Move the cursor to a cell of the field, counted from 0 at the top-left."""

    packet_type = PacketType.MOVE_TO
    layout = Struct(">BB")
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class NewGame(FixedPacket):
    """Start a new game with everything that version 2 lets a player choose."""

    packet_type = PacketType.NEW_GAME
    layout = Struct(">BBBHBBBBQ")
    kind: int
    columns: int = 0
    rows: int = 0
    mines: int = 0
    level: int = 0
    rules: int = RulesCode.JMINESWEEPER
    first_reveal: int = FirstRevealCode.AS_RULES
    flags: int = NewGameFlag(0)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Undo(FixedPacket):
    """Take back the last `steps` actions."""

    packet_type = PacketType.UNDO
    layout = Struct(">H")
    steps: int = 1


@dataclass(frozen=True, slots=True)
class Pointer(FixedPacket):
    """A press or a turn of the wheel at a position of the screen, from 0."""

    packet_type = PacketType.POINTER
    layout = Struct(">HHB")
    column: int
    row: int
    button: int


@dataclass(frozen=True, slots=True)
class Act(FixedPacket):
    """Move the cursor to a cell of the field and press a button there."""

    packet_type = PacketType.ACT
    layout = Struct(">BBB")
    column: int
    row: int
    button: int


@dataclass(frozen=True, slots=True)
class Jump(FixedPacket):
    """Move the cursor far; see JumpTo."""

    packet_type = PacketType.JUMP
    layout = Struct(">B")
    direction: int


@dataclass(frozen=True, slots=True)
class LookBack(FixedPacket):
    """Ask for something about the game that has ended; see LookBackAt."""

    packet_type = PacketType.LOOK_BACK
    layout = Struct(">B")
    what: int


@dataclass(frozen=True, slots=True)
class NamedPacket:
    """A packet that carries one name: a byte for its length, then UTF-8."""

    packet_type: ClassVar[PacketType]

    name: str

    def payload(self) -> bytes:
        return _encode_name(self.name, self.packet_type)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        return cls(_decode_name(payload, cls.packet_type))


class Save(NamedPacket):
    """Save the game under a name."""

    __slots__ = ()
    packet_type = PacketType.SAVE


class Load(NamedPacket):
    """Continue the game saved under a name."""

    __slots__ = ()
    packet_type = PacketType.LOAD


class Drop(NamedPacket):
    """Delete the game saved under a name."""

    __slots__ = ()
    packet_type = PacketType.DROP


@dataclass(frozen=True, slots=True)
class Text:
    """Type into a field."""

    packet_type: ClassVar[PacketType] = PacketType.TEXT

    text: str

    def payload(self) -> bytes:
        return _encode_name(self.text, self.packet_type)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        return cls(_decode_name(payload, cls.packet_type))


@dataclass(frozen=True, slots=True)
class Hello:
    """Introduce player and terminal; from now on the client gets screens of version 2."""

    packet_type: ClassVar[PacketType] = PacketType.HELLO
    layout: ClassVar[Struct] = Struct(">BHHBBBBB")

    columns: int
    rows: int
    colours: int = 0
    """How many the terminal shows: 0 none, 1 sixteen, 2 indexed (256), 3 true colour."""
    glyphs: int = Glyphs.ASCII
    format: int = ScreenFormat.ANSI
    features: int = Feature(0)
    # A log line or an assertion that prints a packet must not print a player's secret.
    key: bytes = field(default=b"", repr=False)
    name: str = ""
    version: int = 2

    def payload(self) -> bytes:
        if len(self.key) not in (0, KEY_LENGTH):
            raise EncodeError(f"a key has {KEY_LENGTH} bytes or none, not {len(self.key)}")
        values = (self.version, self.columns, self.rows, self.colours, self.glyphs, self.format)
        fixed = _pack_fields(self.layout, self.packet_type, (*values, self.features, len(self.key)))
        return fixed + self.key + _encode_name(self.name, self.packet_type)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        fixed: tuple[int, ...] = cls.layout.unpack_from(payload)
        version, columns, rows, colours, glyphs, screen_format, features, key_length = fixed
        if key_length not in (0, KEY_LENGTH):
            raise ProtocolError(
                f"The key in HELLO has {key_length} bytes; it has {KEY_LENGTH} or none."
            )
        name_at = cls.layout.size + key_length
        key = payload[cls.layout.size : name_at]
        name = _decode_name(payload[name_at:], cls.packet_type)
        values = (columns, rows, colours, glyphs, screen_format, features)
        return cls(*values, key, name, version)


@dataclass(frozen=True, slots=True)
class TextPacket:
    """A packet that is a text, as bytes: only a display needs it decoded."""

    packet_type: ClassVar[PacketType]

    text: bytes

    def payload(self) -> bytes:
        return self.text

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        return cls(payload)


class ScreenContent(TextPacket):
    """A whole screen."""

    __slots__ = ()
    packet_type = PacketType.SCREEN_CONTENT


class RecordingContent(TextPacket):
    """A whole game as text, for the client to keep; shows nothing."""

    __slots__ = ()
    packet_type = PacketType.RECORDING


@dataclass(frozen=True, slots=True)
class ScreenPatch:
    """What changes on the client's screen, and where the cursor is after that."""

    packet_type: ClassVar[PacketType] = PacketType.SCREEN_PATCH
    layout: ClassVar[Struct] = Struct(">BBB")

    flags: int = PatchFlag(0)
    cursor_row: int = 0
    cursor_column: int = 0
    text: bytes = b""

    def payload(self) -> bytes:
        values = (self.flags, self.cursor_row, self.cursor_column)
        return _pack_fields(self.layout, self.packet_type, values) + self.text

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        flags, cursor_row, cursor_column = cls.layout.unpack_from(payload)
        return cls(flags, cursor_row, cursor_column, payload[cls.layout.size :])


@dataclass(frozen=True, slots=True)
class View:
    """What changed on a screen of cells, as the bytes that came; see `view`."""

    packet_type: ClassVar[PacketType] = PacketType.VIEW
    layout: ClassVar[Struct] = Struct(">H")

    text: bytes = b"{}"
    cells: bytes = b""

    def payload(self) -> bytes:
        if len(self.text) > LONGEST_MEMBERS:
            raise EncodeError(f"the members of a VIEW are over {LONGEST_MEMBERS} bytes long")
        return self.layout.pack(len(self.text)) + self.text + self.cells

    @classmethod
    def parse(cls, payload: bytes) -> View:
        end = cls.layout.size + cls.layout.unpack_from(payload)[0]
        if end > len(payload):
            raise ProtocolError("The members in VIEW are longer than the packet.")
        return cls(payload[cls.layout.size : end], payload[end:])

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


FramedPacket: TypeAlias = (
    Start
    | ScreenContent
    | Hello
    | Resize
    | ScreenPatch
    | MoveTo
    | NewGame
    | Undo
    | Save
    | Load
    | Drop
    | Text
    | Pointer
    | Jump
    | Act
    | LookBack
    | View
    | RecordingContent
    | UnknownPacket
)
Packet: TypeAlias = Command | FramedPacket
