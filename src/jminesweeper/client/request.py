"""The game that a player asked for, and the packets that ask a server for it.

START knows rows, columns and level; NEW_GAME of version 2 knows everything. A seed code, which lets
two people play the same board, describes a whole board and needs nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from jminesweeper.client.errors import RequestError
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, Level, Rules
from jminesweeper.core.seedcode import format_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.protocol.packets import Code, NewGame, OpenRoom, Start
from jminesweeper.protocol.vocabulary import (
    CLASSIC_KINDS,
    FirstRevealCode,
    GameKind,
    NewGameFlag,
    RoomKind,
    RulesCode,
)

DEFAULT_BOARD: Final = "intermediate"
"""Of a room for which none was named: it fits every screen."""
DEFAULT_COLUMNS: Final = 20
DEFAULT_ROWS: Final = 10
DEFAULT_LEVEL: Final = Level.EASY


_OWN_RULES: Final = "a server plays presets only, and these rules are not a preset"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequest:
    """The player's wishes for a game; None is what was left open."""

    columns: int | None = None
    rows: int | None = None
    level: Level | None = None
    preset: Variant | None = None
    """One of the boards of the classic game."""
    mines: int | None = None
    rules: RulesCode | None = None
    first_reveal: FirstRevealCode | None = None
    seed: int | None = None
    board: Setup | None = None
    """A whole board, from a seed code."""
    no_guess: bool = False
    daily: bool = False

    @property
    def needs_size(self) -> bool:
        """True if the game needs rows and columns."""
        return self.preset is None and self.board is None and not self.daily

    @property
    def needs_level(self) -> bool:
        """True if the game needs a level."""
        return self.needs_size and self.mines is None

    @property
    def is_incomplete(self) -> bool:
        """True if there is something left to ask the player."""
        lacks_size = self.needs_size and None in (self.rows, self.columns)
        return lacks_size or (self.needs_level and self.level is None)

    @property
    def needs_version_2(self) -> bool:
        """True if START alone cannot express this."""
        return self.daily or self.no_guess or _any_given(self.preset, self.board, *self._details)

    @property
    def is_particular(self) -> bool:
        """True if a game was asked for, so that a waiting one is not simply resumed."""
        return self.needs_version_2 or _any_given(*self._sizes)

    @property
    def _sizes(self) -> tuple[object, ...]:
        return self.columns, self.rows, self.level

    @property
    def _details(self) -> tuple[object, ...]:
        return self.mines, self.rules, self.first_reveal, self.seed

    def check(self) -> None:
        """Raise RequestError for options that contradict each other or describe no board."""
        if self.board is not None:
            self._check_board()
        if self.preset is not None and _any_given(*self._sizes, self.mines):
            raise RequestError("a preset sets its own rows, columns and mines")
        if self.level is not None and self.mines is not None:
            raise RequestError("the level sets the number of mines; give one or the other")
        if self.daily and (self.no_guess or _any_given(*self._sizes, *self._details)):
            raise RequestError("the daily board is the same for everybody; add at most a preset")
        size = self._size()
        if self.mines is not None and self.mines > size.most_mines:
            raise RequestError(
                f"{size.columns}x{size.rows} cells hold 1 to {size.most_mines} mines"
            )

    def _check_board(self) -> None:
        if self.daily or _any_given(self.preset, *self._sizes, *self._details):
            raise RequestError("a seed code already describes the whole board")

    def start(self) -> Start:
        """Ask for the nearest game that version 1 knows."""
        size, level = self._size(), self.level or DEFAULT_LEVEL
        return Start(size.columns, size.rows, level.value)

    def asking(self, *, asks_first: bool = False) -> NewGame | Code | None:
        """Ask version 2 for this game: NEW_GAME has no room for a first cell, a seed code has."""
        if self.board is not None and self.board.first is not None:
            return Code(format_seed_code(self.board))
        return self.new_game(asks_first=asks_first)

    def new_game(self, *, asks_first: bool = False) -> NewGame | None:
        """Ask version 2 for exactly this game, unless none was asked for.

        The player may be asked first whether to resume one that waits.
        """
        if not self.is_particular:
            return None
        packet = self._packet() if self.board is None else board_packet(self.board)
        asking = NewGameFlag.AFTER_ASKING if asks_first else NewGameFlag(0)
        return replace(packet, flags=packet.flags | asking)

    def room(self, kind: RoomKind) -> OpenRoom:
        """Ask for a room in which this board is played; one for a race needs no guess."""
        if not self.is_particular:
            return replace(self, preset=CLASSIC_BOARDS[DEFAULT_BOARD]).room(kind)
        game = self._packet()
        no_guess = NewGameFlag.NO_GUESS if kind is RoomKind.RACE else NewGameFlag(0)
        flags = (game.flags | no_guess) & NewGameFlag.NO_GUESS
        return OpenRoom.of(kind, replace(game, flags=flags, seed=0))

    def _packet(self) -> NewGame:
        kind, size = self._kind(), self._size()
        # Levels belong to document J's game, presets and counted mines to the classic one.
        usual = RulesCode.JMINESWEEPER if kind is GameKind.LEVEL else RulesCode.CLASSIC
        first_reveal = FirstRevealCode.AS_RULES if self.first_reveal is None else self.first_reveal
        flags = NewGameFlag.NO_GUESS if self.no_guess else NewGameFlag(0)
        return NewGame(
            kind=kind,
            columns=size.columns,
            rows=size.rows,
            mines=self._mines(),
            level=self._level(),
            rules=usual if self.rules is None else self.rules,
            first_reveal=first_reveal,
            flags=flags if self.seed is None else flags | NewGameFlag.SEEDED,
            seed=self.seed or 0,
        )

    def _kind(self) -> GameKind:
        if self.daily:
            return GameKind.DAILY
        if self.preset is not None:
            return CLASSIC_KINDS[self.preset.board]
        return GameKind.LEVEL if self.mines is None else GameKind.OWN

    def _size(self) -> Size:
        if self.board is not None:
            return self.board.size
        if self.preset is not None:
            return self.preset.size
        return Size(self.columns or DEFAULT_COLUMNS, self.rows or DEFAULT_ROWS)

    def _mines(self) -> int:
        if self.preset is not None:
            return self.preset.mine_count
        return self.mines or 0

    def _level(self) -> int:
        if self.daily:
            # 0 leaves the board open.
            return 0 if self.preset is None else CLASSIC_KINDS[self.preset.board]
        return (self.level or DEFAULT_LEVEL).value


def _any_given(*options: object) -> bool:
    return any(option is not None for option in options)


def board_packet(board: Setup) -> NewGame:
    """Ask version 2 for one board."""
    return NewGame(
        kind=CLASSIC_KINDS.get(board.variant.board, GameKind.OWN),
        columns=board.size.columns,
        rows=board.size.rows,
        mines=board.mine_count,
        rules=_rules_code(board.rules),
        first_reveal=FirstRevealCode[board.rules.first_reveal.name],
        flags=NewGameFlag.SEEDED,
        seed=board.seed or 0,
    )


def _rules_code(rules: Rules) -> RulesCode:
    preset = PRESETS.get(rules.name)
    if preset is None or replace(preset, first_reveal=rules.first_reveal) != rules:
        raise RequestError(_OWN_RULES)
    return RulesCode[rules.name.upper()]
