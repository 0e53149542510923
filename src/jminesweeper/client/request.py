"""The game that a player asked for, and the packets that ask a server for it.

START knows rows, columns and level; NEW_GAME of version 2 knows everything. A seed code, which lets
two people play the same board, describes a whole board and needs nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from jminesweeper.client import ClientError
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant, level_variant, sized_variant
from jminesweeper.protocol.packets import NewGame, OpenRoom, Start
from jminesweeper.protocol.vocabulary import DAILY_BOARD, NewGameFlag, RoomFlag, RoomKind

DEFAULT_BOARD: Final = "intermediate"
"""Of a room for which none was named: it fits every screen."""
DEFAULT_COLUMNS: Final = 20
DEFAULT_ROWS: Final = 10
DEFAULT_LEVEL: Final = Level.EASY

_BY_CODE: Final = RoomFlag(0)
_OWN_RULES: Final = "a server plays presets only, and these rules are not a preset"


class RequestError(ClientError):
    """No game fits what the player asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequest:
    """The player's wishes for a game; None is what was left open."""

    columns: int | None = None
    rows: int | None = None
    level: Level | None = None
    preset: Variant | None = None
    """A board by its text."""
    mines: int | None = None
    rules: str | None = None
    """The name of a preset."""
    first_reveal: FirstReveal | None = None
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
        """True if a level has to say how many mines there are."""
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
        if self.board is not None and (
            self.daily or _any_given(self.preset, *self._sizes, *self._details)
        ):
            raise RequestError("a seed code already describes the whole board")
        if self.preset is not None and _any_given(*self._sizes, self.mines):
            raise RequestError("a board has its own rows, columns and mines")
        if self.level is not None and self.mines is not None:
            raise RequestError("the level sets the number of mines; give one or the other")
        if self.daily and (self.no_guess or _any_given(*self._sizes, *self._details)):
            raise RequestError("the daily board is the same for everybody; add at most a preset")
        if self.daily and self.preset not in {None, *CLASSIC_BOARDS.values()}:
            raise RequestError(f"the daily boards are {', '.join(CLASSIC_BOARDS)}")
        size = self._size()
        if self.mines is not None and self.mines > size.most_mines:
            raise RequestError(size.refuse_mines(self.mines))

    def start(self) -> Start:
        """Ask for the nearest game that version 1 knows."""
        size, level = self._size(), self.level or DEFAULT_LEVEL
        return Start(size.columns, size.rows, level.value)

    @property
    def text(self) -> str:
        """The game as NEW_GAME and ROOM name it."""
        if self.board is not None:
            check_rules(self.board.rules)
            return self.board.text
        if self.daily:
            return DAILY_BOARD if self.preset is None else f"{DAILY_BOARD} {self.preset.board}"
        board = self.preset
        if board is None:
            size, level = self._size(), self.level or DEFAULT_LEVEL
            if self.mines is None:
                board = level_variant(size, level)
            else:
                board = sized_variant(size, self.mines, PRESETS["classic"])
        rules = board.rules if self.rules is None else PRESETS[self.rules]
        if self.first_reveal is not None:
            rules = replace(rules, first_reveal=self.first_reveal)
        is_no_guess = self.no_guess or board.is_no_guess
        text = replace(board, rules=rules, is_no_guess=is_no_guess).text
        return text if self.seed is None else f"{text} seed={self.seed}"

    def new_game(self, *, asks_first: bool = False) -> NewGame | None:
        """Ask version 2 for exactly this game, unless none was asked for.

        The player may be asked first whether to resume one that waits.
        """
        if not self.is_particular:
            return None
        return NewGame(self.text, NewGameFlag.AFTER_ASKING if asks_first else NewGameFlag(0))

    def room(self, kind: RoomKind, flags: RoomFlag = _BY_CODE) -> OpenRoom:
        """Ask for a room in which this board is played; one for a race needs no guess."""
        if not self.is_particular:
            return replace(self, preset=CLASSIC_BOARDS[DEFAULT_BOARD]).room(kind, flags)
        asked = replace(self, no_guess=self.no_guess or kind is RoomKind.RACE, seed=None)
        return OpenRoom(kind, flags=flags, board=asked.text)

    def _size(self) -> Size:
        if self.board is not None:
            return self.board.size
        if self.preset is not None:
            return self.preset.size
        return Size(self.columns or DEFAULT_COLUMNS, self.rows or DEFAULT_ROWS)


def _any_given(*options: object) -> bool:
    return any(option is not None for option in options)


def check_rules(rules: Rules) -> None:
    """Raise RequestError for rules that no server plays."""
    if not rules.is_chosen:
        raise RequestError(_OWN_RULES)
