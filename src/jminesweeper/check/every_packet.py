"""Every packet of version 2, with the values that it may have and with others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.protocol.packets import (
    Act,
    Code,
    Drop,
    Hint,
    Load,
    LookBack,
    MoveTo,
    NewGame,
    Odds,
    OpenMenu,
    Packet,
    Pick,
    Replay,
    Save,
    Seek,
    Start,
    Undo,
    UnknownPacket,
)
from jminesweeper.protocol.vocabulary import Button, Command, GameKind

GAME: Final = Start(9, 9, 1)
_COVERED: Final = 16
ODDITIES: Final[Sequence[Packet]] = (
    UnknownPacket(200, 0),
    UnknownPacket(200, 5000),
    MoveTo(255, 255),
    Act(255, 255, 99, 255),
    NewGame(kind=99),
    NewGame(GameKind.OWN, columns=0, rows=0, mines=0),
    NewGame(GameKind.OWN, columns=9, rows=9, mines=65535),
    NewGame(GameKind.LEVEL, columns=9, rows=9, level=7),
    NewGame(GameKind.BEGINNER, rules=77),
    NewGame(GameKind.BEGINNER, first_reveal=78),
    NewGame(GameKind.BEGINNER, flags=0xFF, seed=(1 << 64) - 1),
    Undo(0),
    Undo(65535),
    Hint(255, 255),
    Odds(255, 255),
    Seek(255, 255),
    OpenMenu("no such menu"),
    Pick("no such menu", "row", "value", 99),
    Pick("", ""),
    Replay(65535),
    LookBack(99),
    Save(""),
    Save("\x07"),
    Load("no such game"),
    Drop("no such game"),
    Code("\x07"),
)
PACKETS: Final[Sequence[Packet]] = (
    *[command for command in Command if command is not Command.QUIT],
    *[NewGame(kind, columns=9, rows=9, mines=10, level=1) for kind in GameKind],
    *[Act(3, 4, button, _COVERED) for button in Button],
    GAME,
    MoveTo(3, 4),
    Undo(),
    Hint(3, 4),
    Odds(3, 4),
    Seek(3, 4),
    OpenMenu(""),
    OpenMenu("help"),
    Replay(0),
    Save("slot"),
    Load("slot"),
)
BAD_PACKETS: Final = (
    "0b 00000003 02 00 00",
    "0b 0000000c 02 0050 0018 03 01 00 01 00 01 ff",
    "0e 00000003 000000",
    "0f 00000001 00",
    "12 00000003 04 4142",
    "63 00010001",
)
