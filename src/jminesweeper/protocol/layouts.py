"""Which packets exist in which direction, and how long their payloads may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from jminesweeper.protocol.fields import LONGEST_NAME
from jminesweeper.protocol.packets import (
    KEY_LENGTH,
    Act,
    Drop,
    Hello,
    Jump,
    Load,
    MoveTo,
    NewGame,
    Packet,
    Pointer,
    Resize,
    Save,
    ScreenContent,
    ScreenPatch,
    Start,
    Text,
    Undo,
)
from jminesweeper.protocol.vocabulary import FIRST_WITH_LENGTH, Command, Direction


class PayloadFormat(NamedTuple):
    """How many bytes a payload has, and what they mean; no `longest`: as the reader's cap says."""

    shortest: int
    longest: int | None
    parse: Callable[[bytes], Packet]

    def allows(self, length: int) -> bool:
        return self.shortest <= length and (self.longest is None or length <= self.longest)

    def describe_length(self) -> str:
        if self.longest is None:
            return f"at least {self.shortest}"
        if self.shortest == self.longest:
            return f"{self.shortest}"
        return f"{self.shortest} to {self.longest}"


Formats: TypeAlias = Mapping[int, PayloadFormat]

SINGLE_BYTE: Mapping[Direction, Mapping[int, Command]] = {
    Direction.FROM_CLIENT: {
        command.packet_type: command
        for command in Command
        if command.packet_type < FIRST_WITH_LENGTH
    },
    Direction.FROM_SERVER: {},
}


def _empty(command: Command) -> PayloadFormat:
    return PayloadFormat(0, 0, lambda _: command)


_FIXED: tuple[type[Start | Resize | MoveTo | NewGame | Undo | Pointer | Jump | Act], ...] = (
    Start,
    Resize,
    MoveTo,
    NewGame,
    Undo,
    Pointer,
    Jump,
    Act,
)
_NAMED: tuple[type[Save | Load | Drop | Text], ...] = (Save, Load, Drop, Text)

_EMPTY_FORMATS: Formats = {
    command.packet_type: _empty(command)
    for command in Command
    if command.packet_type >= FIRST_WITH_LENGTH
}
_FIXED_FORMATS: Formats = {
    packet.packet_type: PayloadFormat(packet.layout.size, packet.layout.size, packet.parse)
    for packet in _FIXED
}
_NAMED_FORMATS: Formats = {
    packet.packet_type: PayloadFormat(1, 1 + LONGEST_NAME, packet.parse) for packet in _NAMED
}
_HELLO_FORMAT = PayloadFormat(
    Hello.layout.size + 1, Hello.layout.size + KEY_LENGTH + 1 + LONGEST_NAME, Hello.parse
)

FORMATS: Mapping[Direction, Formats] = {
    Direction.FROM_CLIENT: {
        **_FIXED_FORMATS,
        **_NAMED_FORMATS,
        **_EMPTY_FORMATS,
        Hello.packet_type: _HELLO_FORMAT,
    },
    Direction.FROM_SERVER: {
        ScreenContent.packet_type: PayloadFormat(0, None, ScreenContent.parse),
        ScreenPatch.packet_type: PayloadFormat(ScreenPatch.layout.size, None, ScreenPatch.parse),
    },
}
