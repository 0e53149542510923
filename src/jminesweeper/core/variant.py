"""The board that is played: everything that a player chooses before the mines are laid.

A board is spelled in one way wherever it is written: in settings and saves, in the documents of
games and rooms, as the name of a leaderboard or of a line of statistics, in a recording, in the
packets NEW_GAME and ROOM, and on the command line::

    expert classic
    beginner classic first-reveal=zero no-guess
    easy 20x10 jminesweeper
    custom 30x20/130 kata daily=2026-11-18 repeat

From the left:

1. the board's name. Without one, size and mines say which it is: ``30x16/99`` is ``expert``.
2. its size and mines, left out where the name says them: a board of the classic game has both, a
   level has mines for every size.
3. the rules, as `Rules.text` has them: a name and its changes. Left out, they are classic, and for
   a level jminesweeper, as the documents of these games have it.
4. ``no-guess``, ``daily=`` with its day, and ``repeat`` where they are true, in any order.

`Variant.text` is the one canonical form: equal boards have equal texts, so a text is a key of a
store. `Variant.parse` also reads what people leave out. The mines themselves are no part of the
board: `Setup.text` adds a seed, a first cell or a layout as further words, and `seedcode` packs
the same into a code that is short enough to dictate.

People read one wording, as much of it as they need: `Variant.label` beside the board itself,
`Variant.name` in a list of boards, and `Variant.description` where the mines matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from jminesweeper.core.errors import MOST_QUOTED, NotationError, SetupError, reading
from jminesweeper.core.grid import Grid, Size, parse_number
from jminesweeper.core.rules import MARKS, PRESETS, Level, Rules, check_name, check_preset

CUSTOM: Final = "custom"
"""Name of a board that has no other."""
LEVELS: Final[Mapping[str, Level]] = MappingProxyType(
    {level.name.lower(): level for level in Level}
)
_NO_GUESS, _REPEAT = MARKS
_DAILY: Final = "daily"
_CLASSIC: Final[Mapping[str, tuple[Size, int]]] = {
    "beginner": (Size(9, 9), 10),
    "intermediate": (Size(16, 16), 40),
    "expert": (Size(30, 16), 99),
}
"""The boards of the classic game: size and mines."""


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
    text: str = field(init=False, repr=False, compare=False)
    """The board as `parse` reads it; equal boards have equal texts."""
    safe_count: int = field(init=False, repr=False, compare=False)
    """Number of cells without a mine."""
    grid: Grid = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_name(self.board, "a board needs a name of one word")
        if not 1 <= self.mine_count <= self.size.cells:
            raise SetupError(self.size.refuse_mines(self.mine_count, self.size.cells))
        # Every screen, key or game needs these.
        object.__setattr__(self, "label", _label(self))
        object.__setattr__(self, "text", _text(self))
        object.__setattr__(self, "safe_count", self.size.cells - self.mine_count)
        object.__setattr__(self, "grid", Grid.of(self.size))

    def __hash__(self) -> int:
        # Equal boards have equal labels, and a text remembers its hash. START looks its board up:
        # to hash all fields takes 0.7 us of its 15.
        return hash(self.label)

    @staticmethod
    @lru_cache(maxsize=1_024)
    def parse(text: str) -> Variant:
        """Read a board from its text; NotationError if there is no such board."""
        words = text.split()
        name = words.pop(0) if words and words[0][:1].isalpha() else ""
        known, level = CLASSIC_BOARDS.get(name), LEVELS.get(name)
        if words and words[0][:1].isdigit():
            sides, has_mines, mines = words.pop(0).partition("/")
            size = Size.parse(sides)
            if level is not None and not has_mines:
                mine_count = level.mines(size)
            elif has_mines:
                mine_count = parse_number(mines)
            else:
                raise NotationError(f"a board of {size} needs its mines, like {size}/{size.rows}")
        elif known is not None:
            size, mine_count = known.size, known.mine_count
        elif level is not None:
            raise NotationError(f"{name} needs a size, like {name} 20x10")
        else:
            raise NotationError(f"not a board: {text[:MOST_QUOTED]!r}; try expert, or 30x20/130")
        marks: dict[str, str] = {}
        rules = []
        for word in words:
            field, _, value = word.partition("=")
            if word not in MARKS and field != _DAILY:
                rules.append(word)
            elif field in marks:
                raise NotationError(f"a board has {field!r} once")
            else:
                marks[field] = value
        if not rules or "=" in rules[0]:
            rules.insert(0, "classic" if level is None else "jminesweeper")
        with reading():
            return Variant(
                name or board_name(size, mine_count),
                size,
                mine_count,
                Rules.parse(" ".join(rules)),
                is_no_guess=_NO_GUESS in marks,
                daily=parse_day(marks[_DAILY]) if _DAILY in marks else None,
                is_repeat=_REPEAT in marks,
            )

    @property
    def name(self) -> str:
        """The board as short as a list can name it: ``expert`` or ``custom 30x20, 130 mines``.

        What a name says already is left out: the size and mines of a classic board, the mines of a
        level, and rules that are classic.
        """
        if self.is_classic_board:
            return ", ".join((self.label.removesuffix(f" {self.size}"), *self._kind))
        return self.description if self.board == CUSTOM else ", ".join((self.label, *self._kind))

    @property
    def description(self) -> str:
        """The board in words, with its mines, and with its rules unless they are classic."""
        mines = f"{self.mine_count} mine{'' if self.mine_count == 1 else 's'}"
        return ", ".join((self.label, mines, *self._kind))

    @property
    def _kind(self) -> Sequence[str]:
        return () if self.rules == PRESETS["classic"] else (self.rules.kind,)

    @property
    def category(self) -> Variant:
        """The board without its day, and as if unseen: results are compared by it."""
        if self.daily is None and not self.is_repeat:
            return self
        return _sibling(self, None, is_repeat=False)

    @property
    def is_classic_board(self) -> bool:
        """True for a board of the classic game, by name, size and mines: they have leaderboards."""
        return _CLASSIC.get(self.board) == (self.size, self.mine_count)

    @property
    def is_first_daily(self) -> bool:
        """True for a board of the day that its player had not seen."""
        return self.daily is not None and not self.is_repeat

    def as_repeat(self) -> Variant:
        """Return the same board, marked as seen before."""
        return _sibling(self, self.daily, is_repeat=True)


def _label(variant: Variant) -> str:
    words = (
        "daily" if variant.daily else "",
        variant.board,
        "no-guess" if variant.is_no_guess else "",
        variant.daily.isoformat() if variant.daily else "",
        str(variant.size),
    )
    return " ".join(word for word in words if word)


def _text(variant: Variant) -> str:
    name, size, mine_count = variant.board, variant.size, variant.mine_count
    words = [name]
    if name in LEVELS and LEVELS[name].mines(size) == mine_count:
        words.append(str(size))
    elif not variant.is_classic_board:
        words.append(f"{size}/{mine_count}")
    words.append(variant.rules.text)
    if variant.is_no_guess:
        words.append(_NO_GUESS)
    if variant.daily is not None:
        words.append(f"{_DAILY}={variant.daily.isoformat()}")
    if variant.is_repeat:
        words.append(_REPEAT)
    return " ".join(words)


CLASSIC_BOARDS: Final[Mapping[str, Variant]] = MappingProxyType(
    {board: Variant(board, *known, PRESETS["classic"]) for board, known in _CLASSIC.items()}
)


def level_variant(size: Size, level: Level, rules: Rules = PRESETS["jminesweeper"]) -> Variant:
    """Give a level's board: its mines are a share of the cells."""
    return Variant(level.name.lower(), size, level.mines(size), rules)


def board_name(size: Size, mine_count: int) -> str:
    """Name a board by its size and mines: as in the classic game, or else custom."""
    return next((name for name, known in _CLASSIC.items() if known == (size, mine_count)), CUSTOM)


def sized_variant(size: Size, mine_count: int, rules: Rules) -> Variant:
    """Give a board of any size and mines."""
    return Variant(board_name(size, mine_count), size, mine_count, rules)


# Thousands play the same few boards: made anew for each player, these took 480 bytes.
@lru_cache(maxsize=1_024)
def _sibling(variant: Variant, day: date | None, *, is_repeat: bool) -> Variant:
    return replace(variant, daily=day, is_repeat=is_repeat)


def asked_board(text: str) -> Variant:
    """Read a board that somebody asks for."""
    board = Variant.parse(text)
    check_asked(board)
    return board


def check_asked(board: Variant) -> None:
    """Raise NotationError unless a board that somebody asks for is what its names say.

    A stored board may have rules or a name of its own; a typed one with such a name has a typo.
    """
    name, size = board.board, board.size
    check_preset(board.rules)
    if board.mine_count > size.most_mines:
        raise NotationError(size.refuse_mines(board.mine_count))
    level = LEVELS.get(name)
    fits = board.is_classic_board if level is None else level.mines(size) == board.mine_count
    if not fits and name != CUSTOM:
        raise NotationError(f"a board of {size} with {board.mine_count} mines is not {name!r}")
    if board.daily is not None or board.is_repeat:
        raise NotationError("only a board that was played has a day, or is a repeat")


def parse_day(text: str) -> date:
    """Read a day in the one form used here."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    # Python also takes 20261118 and 2026-W47-3.
    if day is None or day.isoformat() != text:
        raise NotationError(f"a day is written like 2026-11-18, not {text[:MOST_QUOTED]!r}")
    return day
