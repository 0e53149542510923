"""What is played: everything a player chooses before the mines are laid.

It is one value with one label, one text (`recordings.text`) and one code (`core.seedcode`, together
with the seed). Results are compared between games of one category: the variant without its day
and whether its board was seen before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType
from typing import Final

from jminesweeper.core.errors import SetupError
from jminesweeper.core.grid import Grid, Size
from jminesweeper.core.rules import PRESETS, Level, Rules

CUSTOM: Final = "custom"


@dataclass(frozen=True, slots=True)
class Variant:
    """A board by name and size, its mines, its rules, and where it comes from."""

    board: str
    size: Size
    mine_count: int
    rules: Rules
    is_no_guess: bool = False
    """The board is laid so that no guess is needed."""
    daily: date | None = None
    """The day whose board it is."""
    is_repeat: bool = False
    """The player may have seen this board before."""
    label: str = field(init=False, repr=False, compare=False)
    """The board in words, for instance ``expert 30x16`` or ``custom no-guess 30x20``."""

    safe_count: int = field(init=False, repr=False, compare=False)
    """How many cells hold no mine."""
    grid: Grid = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.board.split() != [self.board]:
            raise SetupError("a board needs a name of one word")
        if not 1 <= self.mine_count <= self.size.cells:
            raise SetupError(
                f"a board of {self.size} holds 1 to {self.size.cells} mines, not {self.mine_count}"
            )
        # Every screen, key or game needs these.
        object.__setattr__(self, "label", _label(self))
        object.__setattr__(self, "safe_count", self.size.cells - self.mine_count)
        object.__setattr__(self, "grid", Grid.of(self.size))

    def __hash__(self) -> int:
        # Equal boards have equal labels, and a text remembers its hash. START looks its board up:
        # to hash all fields takes 0.7 us of its 15.
        return hash(self.label)

    @property
    def category(self) -> Variant:
        """What results are compared by."""
        if self.daily is None and not self.is_repeat:
            return self
        return replace(self, daily=None, is_repeat=False)

    @property
    def is_classic_board(self) -> bool:
        """Whether this is one of the boards that have a leaderboard."""
        known = CLASSIC_BOARDS.get(self.board)
        return known is not None and (known.size, known.mine_count) == (self.size, self.mine_count)

    @property
    def is_first_daily(self) -> bool:
        """Whether this is a board of the day that its player had not seen."""
        return self.daily is not None and not self.is_repeat

    def as_repeat(self) -> Variant:
        return replace(self, is_repeat=True)


def _label(variant: Variant) -> str:
    words = (
        "daily" if variant.daily else "",
        variant.board,
        "no-guess" if variant.is_no_guess else "",
        variant.daily.isoformat() if variant.daily else "",
        str(variant.size),
    )
    return " ".join(word for word in words if word)


def _classic(board: str, size: Size, mine_count: int) -> Variant:
    return Variant(board, size, mine_count, PRESETS["classic"])


CLASSIC_BOARDS: Final[Mapping[str, Variant]] = MappingProxyType(
    {
        variant.board: variant
        for variant in (
            _classic("beginner", Size(9, 9), 10),
            _classic("intermediate", Size(16, 16), 40),
            _classic("expert", Size(30, 16), 99),
        )
    }
)


def level_variant(size: Size, level: Level, rules: Rules = PRESETS["jminesweeper"]) -> Variant:
    """Give a level's board: its mines are a share of the cells."""
    return Variant(level.name.lower(), size, level.mines(size), rules)


def board_name(size: Size, mine_count: int) -> str:
    """Name a board by its size and mines: as in the classic game, or else custom."""
    for name, known in CLASSIC_BOARDS.items():
        if (known.size, known.mine_count) == (size, mine_count):
            return name
    return CUSTOM


def sized_variant(size: Size, mine_count: int, rules: Rules) -> Variant:
    """Give a board of any size and mines."""
    return Variant(board_name(size, mine_count), size, mine_count, rules)
