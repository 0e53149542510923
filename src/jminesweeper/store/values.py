"""What is stored: values that every backend takes and gives back unchanged.

A game is opaque here, the text of its setup and the entries of its log: no backend ever plays.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from jminesweeper.core import Cell, Size, Status
from jminesweeper.store.errors import StoreLimitError

ENTRY_BYTES = 8
MAX_ENTRIES_BYTES = 8 << 20
MAX_HEADER_CHARS = 1 << 17
MAX_LABEL_CHARS = 64
MAX_SAVES = 20
MAX_SETTINGS_CHARS = 8192
MAX_NUMBER = (1 << 63) - 1

TOP_LEFT = Cell(0, 0)

_CODE_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_CODE_LENGTH = 10


def player_id(secret: bytes) -> str:
    """Name a player by the hash of the secret key, which itself never reaches a store."""
    return blake2b(secret, digest_size=16, person=b"jminesweeper").hexdigest()


def game_code(random_bits: Callable[[int], int]) -> str:
    """Draw a public code for a game: short, without letters that are read as others."""
    return "".join(_CODE_LETTERS[random_bits(5)] for _ in range(_CODE_LENGTH))


def pack_entries(entries: Sequence[int]) -> bytes:
    """Turn log entries into stored bytes: eight each, little-endian on every machine."""
    return struct.pack(f"<{len(entries)}Q", *entries)


def unpack_entries(packed: bytes) -> array[int]:
    return array("Q", struct.unpack(f"<{len(packed) // ENTRY_BYTES}Q", packed))


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who keeps a secret key; `settings` are the session's and opaque here."""

    id: str
    name: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    created_at_s: int = 0

    def __post_init__(self) -> None:
        check_label(self.id)
        check_label(self.name)
        check_settings(self.settings)
        check_number(self.created_at_s)


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that can be gone on with: its setup as text, its log, its clock, its cursor."""

    code: str
    header: str
    entries: bytes = b""
    clock_ms: int = 0
    cursor: Cell = TOP_LEFT
    is_paused: bool = False

    def __post_init__(self) -> None:
        check_label(self.code)
        check_header(self.header)
        check_progress(self.entries, self.clock_ms, self.cursor)


@dataclass(frozen=True, slots=True)
class Holding:
    """What a claim gives: the right to write at `revision`, and the game, if there is one."""

    generation: int
    revision: int
    game: RunningGame | None


@dataclass(frozen=True, slots=True)
class SaveLabel:
    """One line of the list of a player's saves: what it is called, and the game without its log."""

    name: str
    saved_at_s: int
    header: str
    clock_ms: int


@dataclass(frozen=True, slots=True)
class Category:
    """Games that may be compared: one preset (or own label) under one set of rules."""

    preset: str
    rules: str

    def __post_init__(self) -> None:
        check_label(self.preset)
        check_label(self.rules)


@dataclass(frozen=True, slots=True)
class Board:
    """One leaderboard: a category, or the daily board of that category with this label."""

    category: Category
    daily: str = ""

    def __post_init__(self) -> None:
        check_label(self.daily)


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over, with everything needed to play it again or to compare it.

    Without a player it only counts in the totals. `figures` are numbers by name, as the session
    measured them; "3bv/s" is averaged in statistics.
    """

    code: str
    category: Category
    size: Size
    mine_count: int
    status: Status
    time_ms: int
    ended_at_s: int
    player: str | None = None
    header: str = ""
    entries: bytes = b""
    seed: str = ""
    daily: str = ""
    is_assisted: bool = False
    is_repeat: bool = False
    figures: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.status.is_over:
            raise StoreLimitError("Only a game that is over can be recorded.")
        for label in (self.code, self.seed, self.daily, self.player or "", *self.figures):
            check_label(label)
        check_header(self.header)
        check_progress(self.entries, self.time_ms, TOP_LEFT)
        check_number(self.ended_at_s)

    @property
    def is_ranked(self) -> bool:
        """Tell whether the game stands for what the player can do, unaided, on an unseen board."""
        return not (self.is_assisted or self.is_repeat)

    @property
    def board(self) -> Board:
        return Board(self.category, self.daily)


@dataclass(frozen=True, slots=True)
class Score:
    """A line of a leaderboard: a player's best win."""

    name: str
    time_ms: int
    code: str
    ended_at_s: int
    player: str


@dataclass(frozen=True, slots=True)
class Total:
    """How many games of a category ended how, those of anonymous players included."""

    category: Category
    won: int = 0
    lost: int = 0
    terminated: int = 0

    @property
    def played(self) -> int:
        return self.won + self.lost + self.terminated


def check_label(text: str) -> None:
    _check_text(text, MAX_LABEL_CHARS)


def check_header(text: str) -> None:
    _check_text(text, MAX_HEADER_CHARS)


def check_settings(settings: Mapping[str, str]) -> None:
    _check_text("".join(f"{key}{value}" for key, value in settings.items()), MAX_SETTINGS_CHARS)


def check_number(number: int) -> None:
    if not 0 <= number <= MAX_NUMBER:
        raise StoreLimitError(f"A store cannot keep the number {number}.")


def check_progress(entries: bytes, clock_ms: int, cursor: Cell) -> None:
    """Refuse what would make a whole batch of other players' writes fail later."""
    if len(entries) % ENTRY_BYTES or len(entries) > MAX_ENTRIES_BYTES:
        raise StoreLimitError(f"{len(entries)} bytes are not the entries of a log.")
    if not 0 <= clock_ms <= MAX_NUMBER or cursor[0] | cursor[1] not in _CURSOR_RANGE:
        raise StoreLimitError(f"A store cannot keep the clock {clock_ms} with cursor {cursor}.")


_CURSOR_RANGE = range(256)


def _check_text(text: str, limit: int) -> None:
    if len(text) > limit:
        raise StoreLimitError(f"A text of {len(text)} characters is too long: {limit} are kept.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise StoreLimitError("The text is not Unicode that can be stored.") from None


def check_save_count(count: int) -> None:
    if count > MAX_SAVES:
        raise StoreLimitError(f"A player keeps {MAX_SAVES} saved games: delete one first.")
