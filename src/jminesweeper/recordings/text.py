"""Whole games as text: the setup as a header, the log as a line for each action.

::

    jminesweeper game 1
    board expert
    size 30x16
    mines 99
    rules classic first-reveal=zero
    seed 00000000000004d2

    0 reveal 4 4
    1730 flag 2 0
    2100 undo

Instead of a seed there may be a ``layout``: the rows of the board as notation has them, with a
slash between; a no-guess board has both. Lines ``first 4 4`` for a first cell, ``no-guess``,
``daily 2026-11-18`` and ``repeat`` follow where they are true. Rules are a name and what differs
from the preset of that name, or else from the plain game. An action that one of several players did
ends with its author, as in ``1730 flag 2 0 by 3``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from enum import Enum
from typing import Any

from jminesweeper.core.actions import ON_A_CELL, Action, ActionKind, LoggedAction
from jminesweeper.core.errors import CoreError, NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.notation import parse_board
from jminesweeper.core.rules import PRESETS, FirstReveal, MineEffect, Rules, Spread, Victory
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant, board_name

FIRST_LINE = "jminesweeper game 1"

_NEEDED = ("size", "mines", "rules")
_NO_GUESS = "no-guess"
_MARKS = (_NO_GUESS, "repeat")
_NAMES = frozenset({*_NEEDED, *_MARKS, "board", "seed", "layout", "first", "daily"})
_DIGITS = {10: frozenset("0123456789"), 16: frozenset("0123456789abcdef")}
_MOST_QUOTED = 40
_MOST_DIGITS = 20
_KINDS = {kind.name.lower(): kind for kind in ActionKind}
_YES_NO = {"yes": True, "no": False}
_RULE_VALUES: Mapping[str, Callable[[str], Enum | bool]] = {
    "spread": Spread,
    "victory": Victory,
    "first_reveal": FirstReveal,
    "chording": _YES_NO.__getitem__,
    "flag_on_win": _YES_NO.__getitem__,
    "auto_open": _YES_NO.__getitem__,
    "mine": MineEffect,
}


def format_game(game: Game) -> str:
    """Write a whole game."""
    return "\n".join([format_setup(game.setup), "", *map(format_action, game.log), ""])


def parse_game(text: str) -> Game:
    """Read a whole game and play it again."""
    header, _, body = "\n".join(map(str.strip, text.strip().splitlines())).partition("\n\n")
    setup = parse_setup(header)
    game = Game(setup)
    with _one_error():
        for line in _lines(body):
            at_ms, action, author = parse_action(line)
            game.apply(action, at_ms, author)
    return game


def format_setup(setup: Setup) -> str:
    variant = setup.variant
    lines = [
        FIRST_LINE,
        f"board {variant.board}",
        f"size {variant.size}",
        f"mines {variant.mine_count}",
        f"rules {format_rules(variant.rules)}",
        *_format_source(setup),
    ]
    if variant.is_no_guess:
        lines.append(_NO_GUESS)
    if variant.daily is not None:
        lines.append(f"daily {variant.daily.isoformat()}")
    if variant.is_repeat:
        lines.append("repeat")
    return "\n".join(lines)


def parse_setup(text: str) -> Setup:
    lines = list(_lines(text))
    if not lines or lines[0] != FIRST_LINE:
        raise NotationError(f"a game begins with the line {FIRST_LINE!r}")
    values = _read_values(lines[1:])
    size, mine_count = parse_size(values["size"]), _number(values["mines"])
    with _one_error():
        variant = Variant(
            values.get("board", board_name(size, mine_count)),
            size,
            mine_count,
            parse_rules(values["rules"]),
            is_no_guess=_NO_GUESS in values,
            daily=parse_day(values["daily"]) if "daily" in values else None,
            is_repeat="repeat" in values,
        )
        return Setup(
            variant,
            seed=_number(values["seed"], 16) if "seed" in values else None,
            layout=_parse_layout(values["layout"], size) if "layout" in values else None,
            first=_parse_cell(values["first"]) if "first" in values else None,
        )


def format_variant(variant: Variant) -> str:
    """Write a category in one line: what is played, without its day."""
    words = [variant.board, str(variant.size), str(variant.mine_count)]
    if variant.is_no_guess:
        words.append(_NO_GUESS)
    return " ".join([*words, format_rules(variant.rules)])


def parse_variant(text: str) -> Variant:
    match text.split():
        case [board, size, mines, *rest] if rest:
            is_no_guess = rest[0] == _NO_GUESS
            rules = parse_rules(" ".join(rest[is_no_guess:]))
            with _one_error():
                return Variant(board, parse_size(size), _number(mines), rules, is_no_guess)
        case _:
            raise NotationError(f"not a board: {text[:_MOST_QUOTED]!r}")


def format_rules(rules: Rules) -> str:
    plain = _plain_rules(rules.name)
    values = ((name, getattr(rules, name)) for name in _RULE_VALUES)
    changed = ((name, value) for name, value in values if value != getattr(plain, name))
    return " ".join([rules.name, *(f"{_dashed(name)}={_word(value)}" for name, value in changed)])


def parse_rules(text: str) -> Rules:
    """Read rules: a name, and what differs from the preset of that name or from the plain game."""
    name, *pairs = text.split() or [""]
    with _one_error():
        return replace(_plain_rules(name), **dict(map(_parse_rule, pairs)))


def parse_day(text: str) -> date:
    """Read a day in the one form used here."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    # Python also takes 20261118 and 2026-W47-3.
    if day is None or day.isoformat() != text:
        raise NotationError(f"a day is written like 2026-11-18, not {text[:_MOST_QUOTED]!r}")
    return day


def format_action(logged: LoggedAction) -> str:
    at_ms, (kind, cell), author = logged
    place = "" if cell is None else f" {cell.column} {cell.row}"
    by = f" by {author}" if author else ""
    return f"{at_ms} {kind.name.lower()}{place}{by}"


def parse_action(line: str) -> LoggedAction:
    match line.split():
        case [*words, "by", number]:
            author = _number(number)
        case words:
            author = 0
    match words:
        case [at_ms, word] if (kind := _KINDS.get(word)) and kind not in ON_A_CELL:
            return LoggedAction(_number(at_ms), Action(kind), author)
        case [at_ms, word, column, row] if (kind := _KINDS.get(word)) in ON_A_CELL and kind:
            cell = Cell(_number(column), _number(row))
            return LoggedAction(_number(at_ms), Action(kind, cell), author)
        case _:
            raise NotationError(f"not an action: {line[:_MOST_QUOTED]!r}")


def _parse_cell(text: str) -> Cell:
    column, _, row = text.partition(" ")
    return Cell(_number(column), _number(row))


def parse_size(text: str) -> Size:
    columns, _, rows = text.partition("x")
    with _one_error():
        return Size(_number(columns), _number(rows))


def _format_source(setup: Setup) -> Iterator[str]:
    if setup.seed is not None:
        yield f"seed {setup.seed:016x}"
    if setup.layout is not None:
        board = str(Minefield(setup.size, setup.layout))
        yield f"layout {board.replace(chr(10), '/')}"
    if setup.first is not None:
        yield f"first {setup.first.column} {setup.first.row}"


def _read_values(lines: Iterable[str]) -> Mapping[str, str]:
    """Read a header's lines by their first words; each may occur once."""
    values: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(" ")
        if name not in _NAMES:
            raise NotationError(f"a game has no {name[:_MOST_QUOTED]!r}")
        if name in values:
            raise NotationError(f"a game has {name!r} once")
        if name in _MARKS and value:
            raise NotationError(f"{name!r} has no value")
        values[name] = value.strip()
    for name in _NEEDED:
        if name not in values:
            raise NotationError(f"a game needs {name!r}")
    return values


def _plain_rules(name: str) -> Rules:
    return PRESETS.get(name) or Rules(name)


def _parse_layout(text: str, size: Size) -> int:
    field = parse_board(text.replace("/", "\n"))
    if field.size != size:
        raise NotationError(f"the layout is {field.size}, not {size}")
    return field.mines


def _parse_rule(pair: str) -> tuple[str, Any]:
    dashed, _, word = pair.partition("=")
    name = dashed.replace("-", "_")
    try:
        return name, _RULE_VALUES[name](word)
    except (KeyError, ValueError):
        raise NotationError(f"rules have no {pair[:_MOST_QUOTED]!r}") from None


def _number(text: str, base: int = 10) -> int:
    """Read plain digits: no sign, blanks, underscores or other alphabets, which `int` takes."""
    if not 0 < len(text) <= _MOST_DIGITS or not _DIGITS[base].issuperset(text):
        raise NotationError(f"not a number: {text[:_MOST_DIGITS]!r}")
    return int(text, base)


@contextmanager
def _one_error() -> Iterator[None]:
    """Turn what the engine finds wrong with a text's values into an error in the text."""
    try:
        yield
    except CoreError as error:
        raise NotationError(str(error)) from error


def _lines(text: str) -> Iterable[str]:
    return (line for line in map(str.strip, text.splitlines()) if line)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _word(value: Enum | bool) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    return "yes" if value else "no"
