"""The packets that carry a payload, each beside the layout of its bytes.

Fields hold what was on the wire, in range of their bytes and nothing more: whether a level or a
preset exists is for the session to say, which answers on the screen instead of hanging up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from struct import Struct
from typing import ClassVar, Final, Self, TypeAlias

from jminesweeper.protocol.errors import EncodeError, ProtocolError
from jminesweeper.protocol.fields import decode_name, encode_name, pack_fields
from jminesweeper.protocol.vocabulary import (
    Colours,
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


class FixedPacket:
    """A packet whose fields always take the same bytes; subclasses name type and layout."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, object]]
    packet_type: ClassVar[PacketType]
    layout: ClassVar[Struct]

    def payload(self) -> bytes:
        values = [getattr(self, name) for name in self.__dataclass_fields__]
        return pack_fields(self.layout, self.packet_type, values)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        return cls(*cls.layout.unpack(payload))


@dataclass(frozen=True, slots=True)
class Start(FixedPacket):
    """A new game as version 1 asks for it."""

    packet_type = PacketType.START
    layout = Struct(">BBB")

    columns: int
    rows: int
    level: int


@dataclass(frozen=True, slots=True)
class Resize(FixedPacket):
    """The client's terminal has another size now."""

    packet_type = PacketType.RESIZE
    layout = Struct(">HH")

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class MoveTo(FixedPacket):
    """The cursor goes to a cell of the field, counted from the top-left, from 0."""

    packet_type = PacketType.MOVE_TO
    layout = Struct(">BB")

    column: int
    row: int


@dataclass(frozen=True, slots=True)
class NewGame(FixedPacket):
    """A new game with everything that version 2 lets a player choose."""

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
    """The last `steps` actions are taken back."""

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
    """The cursor goes to a cell of the field, and a button is pressed there."""

    packet_type = PacketType.ACT
    layout = Struct(">BBB")

    column: int
    row: int
    button: int


@dataclass(frozen=True, slots=True)
class Jump(FixedPacket):
    """The cursor leaps; see JumpTo."""

    packet_type = PacketType.JUMP
    layout = Struct(">B")

    direction: int


@dataclass(frozen=True, slots=True)
class NamedPacket:
    """A packet that carries one name: a byte for its length, then UTF-8."""

    packet_type: ClassVar[PacketType]

    name: str

    def payload(self) -> bytes:
        return encode_name(self.name, self.packet_type)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        return cls(decode_name(payload, cls.packet_type))


class Save(NamedPacket):
    """The game is kept under a name."""

    __slots__ = ()
    packet_type = PacketType.SAVE


class Load(NamedPacket):
    """The game kept under a name continues."""

    __slots__ = ()
    packet_type = PacketType.LOAD


class Drop(NamedPacket):
    """The game kept under a name is forgotten."""

    __slots__ = ()
    packet_type = PacketType.DROP


@dataclass(frozen=True, slots=True)
class Text:
    """What was typed, for a value that can be typed."""

    packet_type: ClassVar[PacketType] = PacketType.TEXT

    text: str

    def payload(self) -> bytes:
        return encode_name(self.text, self.packet_type)

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        return cls(decode_name(payload, cls.packet_type))


@dataclass(frozen=True, slots=True)
class Hello:
    """Who plays, and on what; from now on the client gets the screens of version 2."""

    packet_type: ClassVar[PacketType] = PacketType.HELLO
    layout: ClassVar[Struct] = Struct(">BHHBBBBB")

    columns: int
    rows: int
    colours: int = Colours.NONE
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
        fixed = pack_fields(self.layout, self.packet_type, (*values, self.features, len(self.key)))
        return fixed + self.key + encode_name(self.name, self.packet_type)

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
        name = decode_name(payload[name_at:], cls.packet_type)
        values = (columns, rows, colours, glyphs, screen_format, features)
        return cls(*values, key, name, version)


@dataclass(frozen=True, slots=True)
class ScreenContent:
    """A whole screen, as the bytes that came: only who paints them needs them as text."""

    packet_type: ClassVar[PacketType] = PacketType.SCREEN_CONTENT

    text: bytes

    def payload(self) -> bytes:
        return self.text

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        return cls(payload)


@dataclass(frozen=True, slots=True)
class ScreenPatch:
    """What changes on the client's screen, and where the cursor stands after it."""

    packet_type: ClassVar[PacketType] = PacketType.SCREEN_PATCH
    layout: ClassVar[Struct] = Struct(">BBB")

    flags: int = PatchFlag(0)
    cursor_row: int = 0
    cursor_column: int = 0
    text: bytes = b""

    def payload(self) -> bytes:
        values = (self.flags, self.cursor_row, self.cursor_column)
        return pack_fields(self.layout, self.packet_type, values) + self.text

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        flags, cursor_row, cursor_column = cls.layout.unpack_from(payload)
        return cls(flags, cursor_row, cursor_column, payload[cls.layout.size :])


@dataclass(frozen=True, slots=True)
class UnknownPacket:
    """A packet of a later version, skipped: only its size is known."""

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
    | UnknownPacket
)
Packet: TypeAlias = Command | FramedPacket
