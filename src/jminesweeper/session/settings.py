"""What a player has chosen, and keeps: what is played, by which rules, and how it looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from jminesweeper.core import (
    DIFFICULTIES,
    MAX_SIDE,
    PRESETS,
    FirstReveal,
    JMinesweeperError,
    Level,
    Rules,
    Size,
)
from jminesweeper.screen import CellWidth, Palette, Taste
from jminesweeper.session.titles import CUSTOM

LEVELS: Final[Mapping[str, Level]] = {level.name.lower(): level for level in Level}
BOARDS: Final = (*DIFFICULTIES, *LEVELS, CUSTOM)


class SettingsError(JMinesweeperError):
    """A setting has no such value."""


class Switch(Enum):
    """A choice that may be left to the rules."""

    AS_RULES = "as the rules say"
    ON = "on"
    OFF = "off"


class Characters(Enum):
    """Which characters a screen is made of."""

    AS_TERMINAL = "as the terminal has"
    UNICODE = "unicode"
    ASCII = "ascii"


class FirstClick(Enum):
    """What protects the first reveal, or the rules' own word on it."""

    AS_RULES = "as the rules say"
    OFF = "off"
    SAFE = "safe"
    ZERO = "zero"


@dataclass(frozen=True, slots=True)
class Settings:
    """Immutable; `turned` gives the settings with one of them moved on."""

    board: str = "beginner"
    columns: int = 30
    rows: int = 20
    mines: int = 130
    rules: str = "classic"
    first_click: FirstClick = FirstClick.AS_RULES
    chording: Switch = Switch.AS_RULES
    auto_open: Switch = Switch.AS_RULES
    no_guess: bool = False
    palette: Palette = Palette.DEFAULT
    glyphs: Characters = Characters.AS_TERMINAL
    cell_width: CellWidth = CellWidth.AUTO

    @property
    def size(self) -> Size:
        if self.board in DIFFICULTIES:
            return DIFFICULTIES[self.board].size
        return self.own_size

    @property
    def own_size(self) -> Size:
        return Size(self.columns, self.rows)

    @property
    def mine_count(self) -> int:
        """The mines of the board that is chosen; a custom one has a safe cell where it can."""
        if self.board in DIFFICULTIES:
            return DIFFICULTIES[self.board].mine_count
        if self.board in LEVELS:
            return LEVELS[self.board].mines(self.size)
        return min(self.mines, self.size.most_mines)

    def applied_rules(self) -> Rules:
        """Return the rules that are played: the preset's, with what was set apart from it."""
        rules = PRESETS[self.rules]
        return replace(
            rules,
            first_reveal=_FIRST_REVEALS.get(self.first_click, rules.first_reveal),
            chording=_SWITCHED.get(self.chording, rules.chording),
            auto_open=_SWITCHED.get(self.auto_open, rules.auto_open),
        )

    def taste(self, *, terminal_has_unicode: bool) -> Taste:
        has_unicode = _HAS_UNICODE.get(self.glyphs, terminal_has_unicode)
        return Taste(self.palette, has_unicode, self.cell_width)

    def turned(self, name: str, steps: int) -> Settings:
        """Move one setting on; choices go round, numbers stop at their ends."""
        value: Any = getattr(self, name)
        if name in _RANGES:
            turned: Any = self._within(name, value + steps)
        else:
            choices: Sequence[Any] = _CHOICES.get(name) or tuple(value.__class__)
            turned = choices[(choices.index(value) + steps) % len(choices)]
        return replace(self, **{name: turned})

    def typed(self, name: str, digits: str) -> Settings:
        """Set a number as far as it was typed; what is out of range becomes the end of it."""
        number: Any = self._within(name, int(digits or "0"))
        return replace(self, **{name: number})

    def _within(self, name: str, number: int) -> int:
        """Bring a number into its range, which for mines ends with what the board has room for."""
        low, high = _RANGES[name]
        if name == "mines":
            high = self.own_size.most_mines
        return min(max(number, low), high)

    def to_texts(self) -> dict[str, str]:
        """Return the settings as a store keeps them."""
        return {field.name: _word(getattr(self, field.name)) for field in fields(self)}

    @staticmethod
    def from_texts(texts: Mapping[str, str]) -> Settings:
        """Read what a store kept. What makes no sense, or no sense any more, is as if not set."""
        settings = Settings()
        for name, read in _READERS.items():
            if name in texts:
                with suppress(ValueError, SettingsError):
                    settings = replace(settings, **{name: read(texts[name])})
        return settings


_SWITCHED: Final[Mapping[Switch, bool]] = MappingProxyType({Switch.ON: True, Switch.OFF: False})
_HAS_UNICODE: Final[Mapping[Characters, bool]] = MappingProxyType(
    {Characters.UNICODE: True, Characters.ASCII: False}
)
_FIRST_REVEALS: Final[Mapping[FirstClick, FirstReveal]] = MappingProxyType(
    {
        FirstClick.OFF: FirstReveal.OFF,
        FirstClick.SAFE: FirstReveal.SAFE,
        FirstClick.ZERO: FirstReveal.ZERO,
    }
)
_CHOICES: Final[Mapping[str, Sequence[Any]]] = {
    "board": BOARDS,
    "rules": tuple(PRESETS),
    "no_guess": (False, True),
}
_RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "columns": (1, MAX_SIDE),
    "rows": (1, MAX_SIDE),
    "mines": (1, MAX_SIDE * MAX_SIDE),
}


_YES_NO: Final[Mapping[bool, str]] = MappingProxyType({True: "on", False: "off"})


def _word(value: bool | str | int | Enum) -> str:
    match value:
        case bool():
            return _YES_NO[value]
        case Enum():
            return str(value.value)
        case _:
            return str(value)


def _choice(name: str) -> Callable[[str], Any]:
    values = {_word(value): value for value in _CHOICES[name]}

    def read(text: str) -> Any:
        if text not in values:
            raise SettingsError(f"{name} has no {text!r}")
        return values[text]

    return read


def _number(name: str) -> Callable[[str], int]:
    def read(text: str) -> int:
        low, high = _RANGES[name]
        if not low <= int(text) <= high:
            raise SettingsError(f"{name} is {low} to {high}, not {text}")
        return int(text)

    return read


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    **{name: _choice(name) for name in _CHOICES},
    **{name: _number(name) for name in _RANGES},
    "first_click": FirstClick,
    "chording": Switch,
    "auto_open": Switch,
    "palette": Palette,
    "glyphs": Characters,
    "cell_width": CellWidth,
}
