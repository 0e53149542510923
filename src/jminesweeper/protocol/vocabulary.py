"""The numbers of the wire and their names, and the errors of bytes and values that do not fit."""

from __future__ import annotations

import re
from enum import Enum, IntEnum, IntFlag
from typing import Final

from jminesweeper.core.errors import JMinesweeperError

ANNOUNCEMENT: Final = b"\x1b]2;JMinesweeper/2\x07"
"""First bytes of a connection's first screen: any terminal takes them for a window title, and a
client that knows them may send the packets of version 2."""

_ANNOUNCED = re.compile(rb"\x1b\]2;JMinesweeper/([1-9][0-9]?)\x07")

FIRST_WITH_LENGTH: Final = 11
"""From this type on every packet carries a length, so that an unknown one can be skipped."""


def announced_version(text: bytes) -> int:
    """Version of the wire that a connection's first screen announces; 1 if it says nothing."""
    announced = _ANNOUNCED.match(text)
    return int(announced[1]) if announced else 1


class Direction(Enum):
    """Sender of the bytes."""

    FROM_CLIENT = "client"
    FROM_SERVER = "server"


class PacketType(IntEnum):
    """First byte of a packet: 1 to 10 are version 1, from 11 on version 2."""

    MOVE_LEFT = 1
    MOVE_RIGHT = 2
    MOVE_UP = 3
    MOVE_DOWN = 4
    REVEAL = 5
    TOGGLE_BOMB_MARK = 6
    START = 7
    QUIT = 8
    SCREEN_CONTENT = 9
    TOGGLE_DEBUG_MODE = 10
    HELLO = 11
    MOVE_TO = 14
    NEW_GAME = 15
    UNDO = 16
    HINT = 17
    SAVE = 18
    LOAD = 19
    MENU = 20
    REFRESH = 21
    PAUSE = 25
    CODE = 27
    DROP = 29
    VIEW = 30
    ACT = 31
    PICK = 32
    ODDS = 33
    SEEK = 34
    LOOK_BACK = 35
    RECORDING = 36
    REPLAY = 37
    JOIN = 38
    WATCH = 39
    ROOM = 40
    READY = 41
    SAY = 42
    LEAVE = 43
    GIVE_UP = 44


class Command(Enum):
    """A packet without a payload; all of them come from the client."""

    MOVE_LEFT = PacketType.MOVE_LEFT
    MOVE_RIGHT = PacketType.MOVE_RIGHT
    MOVE_UP = PacketType.MOVE_UP
    MOVE_DOWN = PacketType.MOVE_DOWN
    REVEAL = PacketType.REVEAL
    TOGGLE_BOMB_MARK = PacketType.TOGGLE_BOMB_MARK
    QUIT = PacketType.QUIT
    TOGGLE_DEBUG_MODE = PacketType.TOGGLE_DEBUG_MODE
    REFRESH = PacketType.REFRESH
    PAUSE = PacketType.PAUSE
    LEAVE = PacketType.LEAVE
    GIVE_UP = PacketType.GIVE_UP

    # Sessions look up by the command what a key does. Enum's own hash is a Python function: with
    # it a move of version 1 takes 1.43 us, by identity 1.32.
    __hash__ = object.__hash__

    @property
    def packet_type(self) -> PacketType:
        return self.value


class Feature(IntFlag):
    """HELLO: abilities and wishes of the client."""

    RESUME = 2
    LIVE = 4
    BOT = 8
    """A program plays; rooms may keep it out."""


ANOTHER_GAME: Final = ""
SAME_BOARD: Final = "again"
DAILY_BOARD: Final = "daily"
"""In place of a board, NEW_GAME: another game like the last one, the last one's board again, and
the board of the day, alone or before the name of one of the classic boards."""


class NewGameFlag(IntFlag):
    """NEW_GAME: conditions of the new game."""

    AFTER_ASKING = 1
    """If the player is asked about a waiting game, begin this one only when they start anew."""
    IF_NONE = 2
    """Begin this game only where there is none."""


class Button(IntEnum):
    """ACT: the button that is pressed on the cell."""

    REVEAL = 0
    FLAG = 1
    CHORD = 2
    OPEN = 3
    """Reveals a covered cell, and never chords."""
    FLAG_AROUND = 4
    """Flags all covered cells around a number, if they must be mines."""


class PickWhat(IntEnum):
    """PICK: choose the row, drop it, or do the other thing that it offers."""

    CHOOSE = 0
    DROP = 1
    OTHER = 2


class LookBackAt(IntEnum):
    """LOOK_BACK: a view of a game that has ended."""

    REPLAY = 0
    ANALYSIS = 1
    RECORDING = 2
    PLAY_ON = 3
    """Plays the game of a replay on, from the position that is shown."""
    PICTURE = 4
    """The game as a picture that moves."""


class RoomKind(IntEnum):
    """ROOM: the kind of game in it."""

    RACE = 0
    SHARED = 1
    QUICK = 2
    """A race against the next player who asks for the same board."""


class MineCode(IntEnum):
    """ROOM: the price of a mine."""

    USUAL = 0
    """Costs time in a race, and ends a shared game."""
    ENDS = 1
    PENALTY = 2
    LIFE = 3


class RoomFlag(IntFlag):
    """ROOM: who may come."""

    NO_BOTS = 1
    OPEN = 2
    """Everybody: it is on the list of players online."""


class ProtocolError(JMinesweeperError):
    """Bytes that are not a packet of the protocol; the sentence may be shown to a player."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class EncodeError(JMinesweeperError):
    """A packet with a value that does not fit its field on the wire."""
