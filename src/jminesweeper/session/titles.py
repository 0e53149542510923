"""What a game is played as, beside its setup, and both of them written down."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from jminesweeper.core import (
    DIFFICULTIES,
    PRESETS,
    CoreError,
    NotationError,
    Rules,
    Setup,
    Size,
    format_setup,
    parse_setup,
)
from jminesweeper.store.ports import Category

CUSTOM: Final = "custom"

_PLAY: Final = "\nplay "
_NO_DAY: Final = "-"
_REPEAT: Final = "repeat"
NO_GUESS: Final = "no-guess"
_SIZE: Final = re.compile(r"^size ([0-9]{1,3})x([0-9]{1,3})$", re.MULTILINE)
_SHARE: Final = re.compile(r"[0-9]{1,3}%")


@dataclass(frozen=True, slots=True)
class Title:
    """The board by name, a day if it is that day's, and whether it was seen before."""

    board: str
    daily: str = ""
    is_repeat: bool = False
    is_no_guess: bool = False


def label_of(size: Size, title: Title) -> str:
    """Name the board for a status line."""
    kind = f" {NO_GUESS}" if title.is_no_guess else ""
    day = f" {title.daily}" if title.daily else ""
    return f"{'daily ' if day else ''}{title.board}{kind}{day} {size.columns}x{size.rows}"


def category_of(setup: Setup, title: Title) -> Category:
    """Say what a result is compared with: games on boards as large and as full, by equal rules."""
    words = [title.board]
    if title.board not in DIFFICULTIES:
        words.append(str(setup.size))
    if title.board == CUSTOM:
        words.append(f"{setup.mine_count} mines")
    if title.is_no_guess:
        words.append(NO_GUESS)
    return Category(" ".join(words), _rules_by_name(setup.rules))


def _rules_by_name(rules: Rules) -> str:
    """Name the rules; changed ones are another game, whatever they are derived from."""
    return rules.name if rules == PRESETS.get(rules.name) else f"changed {rules.name}"


def format_header(setup: Setup, title: Title) -> str:
    """Write down, in lines, what was decided before the first action."""
    marks = ((_REPEAT, title.is_repeat), (NO_GUESS, title.is_no_guess))
    words = [title.board, title.daily or _NO_DAY, *(mark for mark, is_set in marks if is_set)]
    return f"{format_setup(setup)}{_PLAY}{' '.join(words)}"


def with_share(header: str, share: float) -> str:
    """Add to a header how much of the board is solved, as a word that other readers skip."""
    return f"{header} {int(share * 100)}%"


def share_of(header: str) -> str:
    """Return how much of the board is solved, or nothing if that was not added."""
    last = header.rpartition(" ")[2]
    return last.replace("%", " %") if _SHARE.fullmatch(last) else ""


def parse_header(text: str) -> tuple[Setup, Title]:
    """Read what was written down; NotationError if it was not."""
    setup, _, line = text.partition(_PLAY)
    title = _parse_title(line)
    return parse_setup(setup), title


def label_in(header: str) -> str:
    """Name the board of a kept game without reading its mines; nothing if it makes no sense."""
    size = _SIZE.search(header)
    if size is None:
        return ""
    try:
        return label_of(Size(int(size[1]), int(size[2])), _parse_title(header.partition(_PLAY)[2]))
    except CoreError:
        return ""


def _parse_title(line: str) -> Title:
    match line.split():
        case [board, day, *marks]:
            return Title(
                board,
                daily="" if day == _NO_DAY else day,
                is_repeat=_REPEAT in marks,
                is_no_guess=NO_GUESS in marks,
            )
        case _:
            raise NotationError("a kept game needs a line that says what it is played as")
