"""The board to play: a player's settings, and the setup of a board that a player asks for.

Each setting is a row of a table: the texts it can have, as stored and shown, with the values they
mean, or the range of a number. A request by a packet or a menu becomes a setup here; what it leaves
open is as in the settings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from jminesweeper.core.errors import NotationError, SizeError
from jminesweeper.core.grid import MAX_SIDE, Size
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.rules import CHOSEN_RULES, KINDS, PRESETS, FirstReveal, Level
from jminesweeper.core.seedcode import daily_setup, parse_seed_code
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, Variant, check_asked, level_variant
from jminesweeper.protocol.packets import Start
from jminesweeper.protocol.vocabulary import ANOTHER_GAME, DAILY_BOARD, SAME_BOARD
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Match
from jminesweeper.session.messages import ChoiceError

LEVELS: Final[Mapping[str, Level]] = {level.name.lower(): level for level in Level}
_LEVEL_SIZE: Final = Size(20, 10)
STARTER: Final = level_variant(_LEVEL_SIZE, Level.EASY, PRESETS["jminesweeper"])
"""The board of a client without options, on which nobody competes."""
BOARDS: Final = (*CLASSIC_BOARDS, *LEVELS, CUSTOM)

EVERYBODY_WATCHES: Final = "everybody"
NOBODY_WATCHES: Final = "nobody"
_AS_RULES: Final = "usual"


@dataclass(frozen=True, slots=True)
class Settings:
    """Immutable; `with_text` returns the settings with one of them changed.

    None leaves a choice to the rules.
    """

    board: str = "beginner"
    columns: int = 30
    rows: int = 20
    mines: int = 130
    rules: str = "classic"
    first_click: FirstReveal | None = None
    chording: bool | None = None
    auto_open: bool | None = None
    no_guess: bool = False
    question_marks: bool = False
    pace: bool = False
    watchers: str = EVERYBODY_WATCHES
    """The people who may watch; those with the code of a game need not find it in the list."""
    bots: bool = True
    """Bots may come into the rooms that one opens, and are met in quick matches."""
    ladder: bool = True
    """Races against known players move one's rating."""
    last_board: Variant | None = None
    """The variant played last, no matter how the game was begun."""

    @property
    def variant(self) -> Variant:
        """The board that these settings name."""
        # The rules of the preset, with the player's changes.
        chosen = {
            "first_reveal": self.first_click,
            "chording": self.chording,
            "auto_open": self.auto_open,
        }
        changed: Mapping[str, Any] = {
            name: value for name, value in chosen.items() if value is not None
        }
        rules, size = PRESETS[self.rules], self.custom_size
        rules = replace(rules, **changed) if changed else rules
        if self.board in CLASSIC_BOARDS:
            known = CLASSIC_BOARDS[self.board]
            return Variant(self.board, known.size, known.mine_count, rules, self.no_guess)
        if self.board in LEVELS:
            # Of one size, so that a name in the list is one board, as in the game's header.
            level = LEVELS[self.board]
            board = level_variant(_LEVEL_SIZE, level, PRESETS["jminesweeper"])
        else:
            # A custom board keeps a safe cell if it has room for one.
            board = Variant(CUSTOM, size, min(self.mines, size.most_mines), rules)
        return replace(board, is_no_guess=self.no_guess)

    @property
    def custom_size(self) -> Size:
        return Size(self.columns, self.rows)

    def with_text(self, name: str, text: str) -> Settings:
        """Change one setting to what its text says; a number becomes the nearest allowed one."""
        if name not in _RANGES:
            return self._with(name, _CHOICES[name][text])
        least, most = self.range_of(name)
        return self._with(name, min(max(int(text), least), most))

    def range_of(self, name: str) -> tuple[int, int]:
        """Return the least and the most of a number."""
        allowed = _RANGES[name]
        return allowed[0], self.custom_size.most_mines if name == "mines" else allowed[-1]

    def _with(self, name: str, value: Any) -> Settings:
        changed: Mapping[str, Any] = {name: value}
        return replace(self, **changed)

    def text(self, name: str) -> str:
        """Return one setting as it is shown and stored."""
        value = getattr(self, name)
        if name in _RANGES:
            return str(value)
        if name == _LAST_BOARD:
            return "" if value is None else value.text
        return next(text for text, known in _CHOICES[name].items() if known == value)

    def to_texts(self) -> Mapping[str, str]:
        """Return the settings that differ from the defaults, as a store keeps them."""
        return _to_texts(self)

    @staticmethod
    @lru_cache(maxsize=1_024)
    def from_texts(*texts: tuple[str, str]) -> Settings:
        """Read stored settings; ignore what makes no sense."""
        values: dict[str, Any] = {}
        for name, text in texts:
            if text in _CHOICES.get(name, ()):
                values[name] = _CHOICES[name][text]
            elif name in _RANGES and _NUMBER.fullmatch(text) and int(text) in _RANGES[name]:
                values[name] = int(text)
            elif name == _LAST_BOARD:
                with suppress(NotationError):
                    values[name] = Variant.parse(text)
        return Settings(**values)

    def after(self, board: Variant) -> Settings:
        """Return the settings of a player who has begun a game on this board."""
        return _after(self, board)


# Most players have the settings of many others: 400 bytes for each player who has them alone.


@lru_cache(maxsize=1_024)
def _to_texts(settings: Settings) -> Mapping[str, str]:
    return {
        field.name: settings.text(field.name)
        for field in fields(settings)
        if getattr(settings, field.name) != field.default
    }


@lru_cache(maxsize=1_024)
def _after(settings: Settings, board: Variant) -> Settings:
    return replace(settings, last_board=board)


_SWITCH: Final[Mapping[str, bool]] = MappingProxyType({"off": False, "on": True})
_SWITCHED_BY_RULES: Final[Mapping[str, bool | None]] = MappingProxyType(
    {_AS_RULES: None, "on": True, "off": False}
)
_CHOICES: Final[Mapping[str, Mapping[str, Any]]] = {
    "board": {board: board for board in BOARDS},
    "rules": {words: rules for rules, words in KINDS.items()},
    "first_click": {
        _AS_RULES: None,
        "may be a mine": FirstReveal.OFF,
        "is no mine": FirstReveal.SAFE,
        "opens an area": FirstReveal.ZERO,
    },
    "chording": _SWITCHED_BY_RULES,
    "auto_open": _SWITCHED_BY_RULES,
    "no_guess": _SWITCH,
    "question_marks": _SWITCH,
    "pace": _SWITCH,
    "ladder": _SWITCH,
    "bots": {"people and bots": True, "people only": False},
    "watchers": {who: who for who in (EVERYBODY_WATCHES, "those with the code", NOBODY_WATCHES)},
}
_RANGES: Final[Mapping[str, range]] = {
    "columns": range(1, MAX_SIDE + 1),
    "rows": range(1, MAX_SIDE + 1),
    "mines": range(1, MAX_SIDE * MAX_SIDE + 1),
}
_LAST_BOARD: Final = "last_board"
_NUMBER: Final = re.compile(r"[0-9]{1,5}")


def choices_of(name: str) -> tuple[str, ...]:
    """Return the texts that a setting can have."""
    return tuple(_CHOICES[name])


# From what a player asks for to a setup


def setup_of_start(packet: Start, entropy: RandomBits) -> Setup:
    """Read a START: J's levels by J's rules."""
    return Setup(_j_board(packet.columns, packet.rows, packet.level), seed=entropy(SEED_BITS))


def setup_of_settings(settings: Settings, entropy: RandomBits) -> Setup:
    """Set up what the settings say."""
    return Setup(settings.variant, seed=entropy(SEED_BITS))


def setup_of_another(match: Match, entropy: RandomBits) -> Setup:
    """Set up another game of the same kind, on a fresh board."""
    return Setup(match.asked_for.category, seed=entropy(SEED_BITS))


def setup_of_same_board(match: Match) -> Setup:
    """Set up the same board again; it no longer shows what a player can do."""
    return match.game.shared_setup.as_repeat()


def setup_of_day(config: SessionConfig, board: str, day: date) -> Setup:
    """Set up the board of the day, which is the same for everybody on a store."""
    if (seed := config.day_seed(day)) is None:
        raise ChoiceError("daily.none")
    return daily_setup(day, board if board in CLASSIC_BOARDS else "expert", seed)


def board_of_day(config: SessionConfig, setup: Setup, day: date) -> Variant | None:
    """Return which board of that day this is, also under a seed code or as a repeat."""
    if config.day_seed(day) is None:
        return None
    known = (setup_of_day(config, board, day) for board in CLASSIC_BOARDS)
    return next((each.variant for each in known if each.seed == setup.seed), None)


def is_board_of_day(config: SessionConfig, setup: Setup, day: date) -> bool:
    return setup.variant.daily == day or board_of_day(config, setup, day) is not None


def setup_of_code(code: str) -> Setup:
    """Set up the board of a seed code; a player who has the code may know the board."""
    try:
        setup = parse_seed_code(code)
    except NotationError:
        raise ChoiceError("bad.code") from None
    return setup.as_repeat()


def setup_of_text(
    text: str,
    settings: Settings,
    match: Match | None,
    entropy: RandomBits,
    *,
    config: SessionConfig,
    day: date,
) -> Setup:
    """Read the board of a NEW_GAME or a ROOM; what it leaves open is as in the settings."""
    first, _, board = text.partition(" ")
    if first == DAILY_BOARD:
        if board not in {"", *CLASSIC_BOARDS}:
            raise ChoiceError("bad.board", why="the day has boards of the classic game only")
        return setup_of_day(config, board or settings.board, day)
    if match is None and text in {ANOTHER_GAME, SAME_BOARD}:
        return setup_of_settings(settings, entropy)
    if match is not None and text == ANOTHER_GAME:
        return setup_of_another(match, entropy)
    if match is not None and text == SAME_BOARD:
        return setup_of_same_board(match)
    try:
        setup = Setup.parse(text, entropy(SEED_BITS))
        check_asked(setup.variant)
    except NotationError as error:
        raise ChoiceError("bad.board", why=str(error)) from None
    if setup.layout is not None:
        raise ChoiceError("bad.board", why="a server lays the mines itself")
    if not setup.rules.is_chosen:
        raise ChoiceError("bad.board", why="of a preset's rules only these change: " + _CHANGED)
    # A player who names the seed may know the board; one who names the first cell has it protected
    # by rules that protect nothing.
    is_named = any(word.startswith(("seed=", "first=")) for word in text.split())
    return setup.as_repeat() if is_named else setup


# Making a variant takes a quarter of the time of START.
@lru_cache(maxsize=1_024)
def _j_board(columns: int, rows: int, level: int) -> Variant:
    try:
        return level_variant(Size(columns, rows), Level(level))
    except (SizeError, ValueError):
        raise ChoiceError("bad.level", columns=columns, rows=rows, level=level) from None


_CHANGED: Final = ", ".join(name.replace("_", "-") for name in CHOSEN_RULES)
