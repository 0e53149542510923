"""Whole games as text: the setup as a header, the log as a line for each action.

::

    jminesweeper game 1
    size 9x9
    mines 10
    rules classic spread=eight victory=safe-visible chording=yes ...
    seed 00000000000004d2

    0 reveal 4 4
    1730 flag 2 0
    2100 undo
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Any

from jminesweeper.core.actions import ON_A_CELL, Action, ActionKind, Log, LoggedAction
from jminesweeper.core.errors import CoreError, NotationError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.notation import format_board, parse_board
from jminesweeper.core.rules import FirstReveal, Rules, Spread, Victory
from jminesweeper.core.setup import Setup

FIRST_LINE = "jminesweeper game 1"

_SOURCES = frozenset({"seed", "layout"})
_HEADER = frozenset({"size", "mines", "rules"}) | _SOURCES
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
}


def format_game(game: Game) -> str:
    """Write a whole game."""
    return "\n".join([format_setup(game.setup), "", *map(format_action, game.log), ""])


def parse_game(text: str) -> Game:
    """Read a whole game and play it again."""
    header, _, body = "\n".join(map(str.strip, text.strip().splitlines())).partition("\n\n")
    setup = parse_setup(header)
    log = Log(Grid.of(setup.size))
    with _one_error():
        return Game.replay(setup, [log.pack(parse_action(line)) for line in _lines(body)])


def format_setup(setup: Setup) -> str:
    if setup.layout is None:
        source = f"seed {setup.seed:016x}"
    else:
        board = format_board(Minefield(setup.size, setup.layout))
        source = f"layout {board.replace(chr(10), '/')}"
    return "\n".join(
        [
            FIRST_LINE,
            f"size {setup.size}",
            f"mines {setup.mine_count}",
            f"rules {format_rules(setup.rules)}",
            source,
        ]
    )


def parse_setup(text: str) -> Setup:
    lines = list(_lines(text))
    if not lines or lines[0] != FIRST_LINE:
        raise NotationError(f"a game begins with the line {FIRST_LINE!r}")
    values = dict(_pair(line) for line in lines[1:])
    if unknown := values.keys() - _HEADER:
        raise NotationError(f"a game has no {min(unknown)[:_MOST_QUOTED]!r}")
    if missing := _HEADER - _SOURCES - values.keys():
        raise NotationError(f"a game needs {min(missing)!r}")
    size = parse_size(values["size"])
    with _one_error():
        return Setup(
            size,
            _number(values["mines"]),
            parse_rules(values["rules"]),
            seed=_number(values["seed"], 16) if "seed" in values else None,
            layout=_parse_layout(values["layout"], size) if "layout" in values else None,
        )


def format_rules(rules: Rules) -> str:
    values = ((name, getattr(rules, name)) for name in _RULE_VALUES)
    return " ".join([rules.name, *(f"{_dashed(name)}={_word(value)}" for name, value in values)])


def parse_rules(text: str) -> Rules:
    """Read rules: a name, and what differs from the plain game."""
    name, *pairs = text.split() or [""]
    with _one_error():
        return Rules(name, **dict(map(_parse_rule, pairs)))


def format_action(logged: LoggedAction) -> str:
    at_ms, (kind, cell) = logged
    place = "" if cell is None else f" {cell.column} {cell.row}"
    return f"{at_ms} {kind.name.lower()}{place}"


def parse_action(line: str) -> LoggedAction:
    match line.split():
        case [at_ms, word] if (kind := _KINDS.get(word)) and kind not in ON_A_CELL:
            return LoggedAction(_number(at_ms), Action(kind))
        case [at_ms, word, column, row] if (kind := _KINDS.get(word)) in ON_A_CELL and kind:
            return LoggedAction(_number(at_ms), Action(kind, Cell(_number(column), _number(row))))
        case _:
            raise NotationError(f"not an action: {line[:_MOST_QUOTED]!r}")


def parse_size(text: str) -> Size:
    columns, _, rows = text.partition("x")
    with _one_error():
        return Size(_number(columns), _number(rows))


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
    """Let whatever the engine finds wrong with a text's values be an error in the text."""
    try:
        yield
    except CoreError as error:
        raise NotationError(str(error)) from error


def _lines(text: str) -> Iterable[str]:
    return (line for line in map(str.strip, text.splitlines()) if line)


def _pair(line: str) -> tuple[str, str]:
    key, _, value = line.partition(" ")
    return key, value.strip()


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _word(value: Enum | bool) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    return "yes" if value else "no"
