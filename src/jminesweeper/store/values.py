"""What is stored: values that every backend takes and gives back unchanged.

A game is its setup and the entries of its log here: no backend ever plays.
"""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b

from jminesweeper.core.base32 import draw_code
from jminesweeper.core.errors import CoreError
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.store.errors import Fault, StoreLimitError, StoreUnavailableError

ENTRY_BYTES = 8
MAX_ENTRIES_BYTES = 8 << 20
MAX_LABEL_CHARS = 64
MAX_SAVES = 23
"""Saves of a player: twenty by name, and three that a session makes itself."""
MAX_DEVICES = 20
"""Devices that play as another player than the one of their key."""
MAX_GAMES = 1_000
"""Finished games a player keeps; of older ones only the figures in the statistics stay."""
MAX_CATEGORIES = 1_000
"""Categories that are counted one by one; games of further ones are counted together."""
MAX_OWN_BEST = 10
"""Own wins of each leaderboard's board that a player keeps for good."""
MAX_LISTED = 50
"""Lines of a page, unless its reader asks for more."""
MAX_SETTINGS_CHARS = 8192
MAX_NUMBER = (1 << 63) - 1

TOP_LEFT = Cell(0, 0)

_CODE_LENGTH = 10


def player_id(secret: bytes) -> str:
    """Name a player by the hash of the secret key, which itself never reaches a store."""
    return blake2b(secret, digest_size=16, person=b"jminesweeper").hexdigest()


def game_code(random_bits: Callable[[int], int]) -> str:
    """Draw a public code for a game: short, without ambiguous letters."""
    return draw_code(random_bits, _CODE_LENGTH).lower()


def pack_entries(entries: Sequence[int]) -> bytes:
    """Turn log entries into stored bytes: eight each, little-endian on every machine."""
    return struct.pack(f"<{len(entries)}Q", *entries)


def unpack_entries(packed: bytes) -> array[int]:
    return array("Q", struct.unpack(f"<{len(packed) // ENTRY_BYTES}Q", packed))


@dataclass(frozen=True, slots=True)
class KnownPlayer:
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
    """A game that can be continued: its setup, its log, its clock, its cursor."""

    code: str
    setup: Setup
    entries: bytes = b""
    clock_ms: int = 0
    cursor: Cell = TOP_LEFT
    is_paused: bool = False
    begun_at_ms: int = 0
    """When the first action was done, in milliseconds since 1970 began; 0 before it."""

    def __post_init__(self) -> None:
        check_label(self.code)
        check_variant(self.setup.variant)
        check_progress(self.entries, self.clock_ms, self.cursor)
        check_number(self.begun_at_ms)


@dataclass(frozen=True, slots=True)
class Entrance:
    """A player who was let in, and the right to write the running game at `revision`."""

    player: KnownPlayer
    is_known: bool
    """Whether the store has this player; one is kept from the first write on."""
    revision: int = 0
    game: RunningGame | None = None


@dataclass(frozen=True, slots=True)
class SaveLabel:
    """One line of the list of a player's saves: what it is called, and the game without its log."""

    name: str
    saved_at_s: int
    variant: Variant
    clock_ms: int
    opened_share: float


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over, with everything needed to play it again or to compare it.

    Without a player it only counts in the totals. `figures` are numbers by name, as the session
    measured them; "3bv/s" is averaged in statistics. `wall_ms` is the time from the first action
    to the last on the server's clock, pauses and absences included: what a leaderboard ranks.
    """

    code: str
    setup: Setup
    status: Status
    time_ms: int
    ended_at_s: int
    wall_ms: int = 0
    player: str | None = None
    entries: bytes = b""
    is_assisted: bool = False
    figures: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.status.is_over:
            raise StoreLimitError("Only a game that is over can be recorded.")
        for label in (self.code, self.player or "", *self.figures):
            check_label(label)
        check_variant(self.variant)
        check_progress(self.entries, self.time_ms, TOP_LEFT)
        check_number(self.ended_at_s)
        check_number(self.wall_ms)

    @property
    def variant(self) -> Variant:
        return self.setup.variant

    @property
    def counts(self) -> bool:
        """Whether the game shows what the player can do: unaided, on an unseen board."""
        return not (self.is_assisted or self.variant.is_repeat)

    @property
    def is_first_daily(self) -> bool:
        """Whether the player did not know the day's board yet: who drops it could play it again."""
        return self.variant.daily is not None and not self.variant.is_repeat

    @property
    def is_ranked(self) -> bool:
        """Whether the game takes a place on a leaderboard."""
        return self.counts and self.status is Status.WON and self.variant.is_classic_board


@dataclass(frozen=True, slots=True)
class Score:
    """A line of a leaderboard: a player's best win."""

    name: str
    wall_ms: int
    code: str
    ended_at_s: int
    player: str


@dataclass(frozen=True, slots=True)
class Total:
    """How the games of a category ended, those of anonymous players included."""

    category: Variant | None
    """None means all categories without a line of their own."""
    won: int = 0
    lost: int = 0
    terminated: int = 0

    @property
    def played(self) -> int:
        return self.won + self.lost + self.terminated


@contextmanager
def reading_values() -> Iterator[None]:
    """Report a damaged store if its content makes no sense."""
    try:
        yield
    except (
        CoreError,
        StoreLimitError,
        LookupError,
        TypeError,
        ValueError,
        struct.error,
        zlib.error,
    ) as error:
        raise StoreUnavailableError(Fault.DAMAGED) from error


def check_variant(variant: Variant) -> None:
    """Refuse names that no column has room for."""
    check_label(variant.board)
    check_label(variant.rules.name)


def check_label(text: str) -> None:
    _check_text(text, MAX_LABEL_CHARS)


def check_settings(settings: Mapping[str, str]) -> None:
    _check_text("".join(f"{key}{value}" for key, value in settings.items()), MAX_SETTINGS_CHARS)


def check_number(number: int) -> None:
    if not 0 <= number <= MAX_NUMBER:
        raise StoreLimitError(f"A store cannot keep the number {number}.")


def check_share(share: float) -> None:
    if not 0 <= share <= 1:
        raise StoreLimitError(f"A share is a number from 0 to 1, not {share}.")


def check_progress(entries: bytes, clock_ms: int, cursor: Cell) -> None:
    """Refuse what would make a whole batch of other players' writes fail later."""
    if len(entries) % ENTRY_BYTES or len(entries) > MAX_ENTRIES_BYTES:
        raise StoreLimitError(f"{len(entries)} bytes are not the entries of a log.")
    if not 0 <= clock_ms <= MAX_NUMBER or cursor[0] | cursor[1] not in _CURSOR_RANGE:
        raise StoreLimitError(f"A store cannot keep the clock {clock_ms} with cursor {cursor}.")


_CURSOR_RANGE = range(256)


def _check_text(text: str, limit: int) -> None:
    if len(text) > limit:
        raise StoreLimitError(f"A text of {len(text)} characters is too long; {limit} fit.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise StoreLimitError("The text cannot be stored: it is not valid Unicode.") from None


def check_save_count(count: int) -> None:
    if count > MAX_SAVES:
        raise too_many_saves()


def too_many_saves() -> StoreLimitError:
    return StoreLimitError(f"You have {MAX_SAVES} saved games; delete one first.")
