"""What game a player wants, to the packets that ask a server for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from jminesweeper.client.codes import order_board
from jminesweeper.client.errors import WishError
from jminesweeper.core import DIFFICULTIES, Level, Setup, Size
from jminesweeper.protocol import (
    FirstRevealCode,
    GameKind,
    NewGame,
    NewGameFlag,
    RulesCode,
    Start,
)

DEFAULT_COLUMNS: Final = 20
DEFAULT_ROWS: Final = 10
DEFAULT_LEVEL: Final = Level.EASY


class Preset(Enum):
    """The boards of the classic game."""

    BEGINNER = "beginner"
    INTERMEDIATE = "intermediate"
    EXPERT = "expert"


_KINDS: Final[Mapping[Preset, GameKind]] = {
    Preset.BEGINNER: GameKind.BEGINNER,
    Preset.INTERMEDIATE: GameKind.INTERMEDIATE,
    Preset.EXPERT: GameKind.EXPERT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What was said about the game; what was not said is None."""

    columns: int | None = None
    rows: int | None = None
    level: Level | None = None
    preset: Preset | None = None
    mines: int | None = None
    rules: RulesCode | None = None
    first_reveal: FirstRevealCode | None = None
    seed: int | None = None
    board: Setup | None = None
    """A whole board, as a seed code tells it."""
    no_guess: bool = False
    daily: bool = False

    @property
    def needs_size(self) -> bool:
        """Say whether rows and columns have to be known."""
        return self.preset is None and self.board is None and not self.daily

    @property
    def needs_level(self) -> bool:
        """Say whether the level has to be known."""
        return self.needs_size and self.mines is None

    @property
    def needs_version_2(self) -> bool:
        """Say whether START alone cannot express this."""
        return self.daily or self.no_guess or _any_said(self.preset, self.board, *self._details)

    @property
    def is_particular(self) -> bool:
        """Say whether any game was asked for, so that a running one is not simply continued."""
        return self.needs_version_2 or _any_said(*self._sizes)

    @property
    def _sizes(self) -> tuple[object, ...]:
        return self.columns, self.rows, self.level

    @property
    def _details(self) -> tuple[object, ...]:
        return self.mines, self.rules, self.first_reveal, self.seed

    def check(self) -> None:
        """Raise WishError for what excludes each other or cannot be."""
        if self.board is not None:
            self._check_board()
        if self.preset is not None and _any_said(self.columns, self.rows, self.mines):
            raise WishError("a preset has its own rows, columns and mines")
        if self.level is not None and (self.preset is not None or self.mines is not None):
            raise WishError("the level is the number of mines: name one or the other")
        if self.daily and self.seed is not None:
            raise WishError("the daily board has its own seed")
        size = self._size()
        if self.mines is not None and self.mines > size.most_mines:
            raise WishError(f"{size.columns}x{size.rows} cells hold 1 to {size.most_mines} mines")

    def _check_board(self) -> None:
        if self.daily or _any_said(self.preset, *self._sizes, *self._details):
            raise WishError("a seed code says everything about its board already")

    def start(self) -> Start:
        """Ask for the nearest thing that version 1 knows."""
        size, level = self._size(), self.level or DEFAULT_LEVEL
        return Start(size.columns, size.rows, level.value)

    def new_game(self) -> NewGame | None:
        """Ask version 2 for exactly this; nothing if nothing was asked for."""
        if not self.is_particular:
            return None
        if self.board is not None:
            return order_board(self.board)
        kind, size = self._kind(), self._size()
        first_reveal = FirstRevealCode.AS_RULES if self.first_reveal is None else self.first_reveal
        return NewGame(
            kind=kind,
            columns=size.columns,
            rows=size.rows,
            mines=self._mines(),
            level=self._level(),
            rules=_USUAL_RULES[kind] if self.rules is None else self.rules,
            first_reveal=first_reveal,
            flags=self._flags(),
            seed=self.seed or 0,
        )

    def _kind(self) -> GameKind:
        if self.daily:
            return GameKind.DAILY
        if self.preset is not None:
            return _KINDS[self.preset]
        return GameKind.LEVEL if self.mines is None else GameKind.OWN

    def _size(self) -> Size:
        if self.board is not None:
            return self.board.size
        if self.preset is not None:
            return DIFFICULTIES[self.preset.value].size
        return Size(self.columns or DEFAULT_COLUMNS, self.rows or DEFAULT_ROWS)

    def _mines(self) -> int:
        if self.preset is not None:
            return DIFFICULTIES[self.preset.value].mine_count
        return self.mines or 0

    def _level(self) -> int:
        if self.daily:
            # Which preset's board is told by its place among them; 0 leaves it open.
            return 0 if self.preset is None else 1 + [*Preset].index(self.preset)
        return (self.level or DEFAULT_LEVEL).value

    def _flags(self) -> NewGameFlag:
        no_guess = NewGameFlag.NO_GUESS if self.no_guess else NewGameFlag(0)
        return no_guess | (NewGameFlag(0) if self.seed is None else NewGameFlag.SEEDED)


def _any_said(*wishes: object) -> bool:
    return any(wish is not None for wish in wishes)


# Levels are document J's, presets and counted mines those of the classic game.
_USUAL_RULES: Final[Mapping[GameKind, RulesCode]] = {
    GameKind.LEVEL: RulesCode.JMINESWEEPER,
    GameKind.OWN: RulesCode.CLASSIC,
    GameKind.BEGINNER: RulesCode.CLASSIC,
    GameKind.INTERMEDIATE: RulesCode.CLASSIC,
    GameKind.EXPERT: RulesCode.CLASSIC,
    GameKind.DAILY: RulesCode.CLASSIC,
}
