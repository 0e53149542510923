"""What differs between the games of Minesweeper, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from jminesweeper.core.errors import SetupError
from jminesweeper.core.grid import Size


class Spread(Enum):
    """The neighbours to which a cell without mines around it opens."""

    FOUR = "four"
    EIGHT = "eight"


class Victory(Enum):
    """What wins."""

    FLAGS = "flags"
    SAFE_VISIBLE = "safe-visible"
    EITHER = "either"


class FirstReveal(Enum):
    """What the first reveal of a game is protected from."""

    OFF = "off"
    SAFE = "safe"
    ZERO = "zero"


class MineEffect(Enum):
    """What a mine does to whoever hits it."""

    ENDS = "ends"
    """The game is lost."""
    PENALTY = "penalty"
    """Whoever hit it opens and flags nothing for `PENALTY_MS`."""
    LIFE = "life"
    """It costs one of `LIVES`; the last one loses the game."""


PENALTY_MS: Final = 10_000
LIVES: Final = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """One game of Minesweeper; every field can be set on its own, a preset is a named value."""

    name: str
    spread: Spread = Spread.EIGHT
    victory: Victory = Victory.SAFE_VISIBLE
    chording: bool = False
    flag_on_win: bool = False
    first_reveal: FirstReveal = FirstReveal.OFF
    auto_open: bool = True
    mine: MineEffect = MineEffect.ENDS

    def __post_init__(self) -> None:
        if self.name.split() != [self.name] or "=" in self.name:
            raise SetupError("rules need a name of one word")


PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            Rules("jminesweeper", spread=Spread.FOUR, victory=Victory.FLAGS),
            Rules("classic", chording=True, flag_on_win=True, first_reveal=FirstReveal.SAFE),
            Rules("kata"),
            Rules("formal", victory=Victory.EITHER),
        )
    }
)


class Level(Enum):
    """How many of a hundred cells hold a mine."""

    EASY = 1
    MEDIUM = 2
    HARD = 3

    @property
    def percent(self) -> int:
        """The share of mines."""
        return _PERCENT[self]

    def mines(self, size: Size) -> int:
        """Count the level's mines on a board: rounded half up, and never none."""
        return max(1, (size.cells * self.percent + 50) // 100)

    @staticmethod
    def parse(text: str) -> Level:
        """Read a level from its number or its word."""
        try:
            return _LEVELS[text.strip().lower()]
        except KeyError:
            raise SetupError("a level is 1, 2, 3, easy, medium or hard") from None


_PERCENT = {Level.EASY: 5, Level.MEDIUM: 25, Level.HARD: 45}
_LEVELS = {name: level for level in Level for name in (str(level.value), level.name.lower())}
