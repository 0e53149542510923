"""The differences between the games of Minesweeper, as data.

Rules have one text: a name, and what differs from the preset of that name, or else from the plain
game, for instance ``classic first-reveal=zero chording=no``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from jminesweeper.core.errors import MOST_QUOTED, NotationError, SetupError, reading
from jminesweeper.core.grid import Size


class Spread(Enum):
    """The neighbours to which a cell without mines around it opens."""

    FOUR = "four"
    EIGHT = "eight"


class Victory(Enum):
    """The condition that wins."""

    FLAGS = "flags"
    SAFE_VISIBLE = "safe-visible"
    EITHER = "either"


class FirstReveal(Enum):
    """Protection of the first reveal: none, from a mine, or from any number."""

    OFF = "off"
    SAFE = "safe"
    ZERO = "zero"


class MineEffect(Enum):
    """The price of opening a mine."""

    ENDS = "ends"
    """The game is lost."""
    PENALTY = "penalty"
    """The player who hit it opens and flags nothing for `PENALTY_MS`."""
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
        check_name(self.name, "rules need a name of one word")

    @property
    def text(self) -> str:
        """The rules as `parse` reads them."""
        plain = _plain(self.name)
        words = [self.name]
        for name in RULE_VALUES:
            if (value := getattr(self, name)) != getattr(plain, name):
                word = value.value if isinstance(value, Enum) else "yes" if value else "no"
                words.append(f"{name.replace('_', '-')}={word}")
        return " ".join(words)

    @property
    def kind(self) -> str:
        """The kind of game that the rules make, as players choose it, and whether it is changed."""
        kind = KINDS.get(self.name, self.name)
        return kind if self == PRESETS.get(self.name) else f"{kind} with changes"

    @property
    def is_chosen(self) -> bool:
        """True for the rules of a preset, but for what a player may choose in the settings."""
        preset = PRESETS.get(self.name)
        values = {name: getattr(self, name) for name in CHOSEN_RULES}
        return preset is not None and replace(preset, **values) == self

    @staticmethod
    def parse(text: str) -> Rules:
        """Read rules from their text; NotationError if there are no such rules."""
        name, *pairs = text.split() or [""]
        values: dict[str, Any] = {}
        for pair in pairs:
            field, _, word = pair.partition("=")
            field = field.replace("-", "_")
            try:
                value = RULE_VALUES[field](word)
            except (KeyError, ValueError):
                raise NotationError(f"rules have no {pair[:MOST_QUOTED]!r}") from None
            if field in values:
                raise NotationError(f"rules have {pair.partition('=')[0]!r} once")
            values[field] = value
        with reading():
            return replace(_plain(name), **values)


def check_name(name: str, refusal: str) -> None:
    """Raise SetupError unless a name of rules or of a board is a word that its text can hold."""
    if name.split() != [name] or "=" in name or not name[:1].isalpha() or name in MARKS:
        raise SetupError(refusal)


MARKS: Final = ("no-guess", "repeat")
"""Words of a board's text that are no names."""

PRESETS: Mapping[str, Rules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            Rules("jminesweeper", spread=Spread.FOUR, victory=Victory.FLAGS),
            Rules("classic", chording=True, flag_on_win=True, first_reveal=FirstReveal.ZERO),
            Rules("kata"),
            Rules("formal", victory=Victory.EITHER),
        )
    }
)


KINDS: Mapping[str, str] = MappingProxyType(
    {
        "classic": "classic",
        "jminesweeper": "flag every mine",
        "formal": "open or flag all",
        "kata": "plain",
    }
)
"""The kinds of game as players choose them, by the names of their rules."""


def _plain(name: str) -> Rules:
    """Return the rules whose changes a text tells."""
    return PRESETS.get(name) or Rules(name)


def check_preset(rules: Rules) -> None:
    """Raise NotationError unless rules that somebody asks for are a preset, perhaps changed."""
    if rules.name not in PRESETS:
        names = ", ".join(PRESETS)
        raise NotationError(f"rules {rules.name[:MOST_QUOTED]!r} is none of {names}")


CHOSEN_RULES: Final = ("first_reveal", "chording", "auto_open")
"""Fields that players may change in the rules of a preset."""
_YES_NO: Final = {"yes": True, "no": False}
RULE_VALUES: Final[Mapping[str, Callable[[str], Enum | bool]]] = MappingProxyType(
    {
        "spread": Spread,
        "victory": Victory,
        "first_reveal": FirstReveal,
        "chording": _YES_NO.__getitem__,
        "flag_on_win": _YES_NO.__getitem__,
        "auto_open": _YES_NO.__getitem__,
        "mine": MineEffect,
    }
)
"""Readers of the values in a text, by the fields of `Rules`."""


class Level(Enum):
    """The share of cells that hold a mine."""

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
