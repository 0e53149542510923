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

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
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
    header, _, body = text.partition("\n\n")
    setup = parse_setup(header)
    grid = Grid.of(setup.size)
    log = Log(grid)
    try:
        return Game.replay(setup, [log.pack(parse_action(line)) for line in _lines(body)])
    except NotationError:
        raise
    except CoreError as error:
        raise NotationError(str(error)) from error


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
    try:
        size = parse_size(values.pop("size"))
        mine_count = int(values.pop("mines"))
        rules = parse_rules(values.pop("rules"))
        seed, layout = values.pop("seed", None), values.pop("layout", None)
        if values:
            raise NotationError(f"a game has no {next(iter(values))!r}")
        return Setup(
            size,
            mine_count,
            rules,
            seed=None if seed is None else int(seed, 16),
            layout=None if layout is None else _parse_layout(layout, size),
        )
    except KeyError as error:
        raise NotationError(f"a game needs {error.args[0]!r}") from None
    except ValueError as error:
        raise NotationError(f"not a number: {error}") from None
    except NotationError:
        raise
    except CoreError as error:
        raise NotationError(str(error)) from error


def format_rules(rules: Rules) -> str:
    values = ((name, getattr(rules, name)) for name in _RULE_VALUES)
    return " ".join([rules.name, *(f"{_dashed(name)}={_word(value)}" for name, value in values)])


def parse_rules(text: str) -> Rules:
    name, *pairs = text.split()
    values: dict[str, Any] = {}
    known = {field.name for field in fields(Rules)} & _RULE_VALUES.keys()
    for pair in pairs:
        key, _, word = pair.partition("=")
        key = key.replace("-", "_")
        if key not in known:
            raise NotationError(f"rules have no {pair!r}")
        try:
            values[key] = _RULE_VALUES[key](word)
        except (KeyError, ValueError):
            raise NotationError(f"rules have no {pair!r}") from None
    return Rules(name, **values)


def format_action(logged: LoggedAction) -> str:
    at_ms, (kind, cell) = logged
    place = "" if cell is None else f" {cell.column} {cell.row}"
    return f"{at_ms} {kind.name.lower()}{place}"


def parse_action(line: str) -> LoggedAction:
    try:
        at_ms, word, *place = line.split()
        kind = ActionKind[word.upper()]
        if len(place) != (2 if kind in ON_A_CELL else 0):
            raise NotationError(f"not an action: {line!r}")
        cell = Cell(*map(int, place)) if place else None
        return LoggedAction(int(at_ms), Action(kind, cell))
    except (ValueError, KeyError):
        raise NotationError(f"not an action: {line!r}") from None


def parse_size(text: str) -> Size:
    columns, _, rows = text.partition("x")
    return Size(int(columns), int(rows))


def _parse_layout(text: str, size: Size) -> int:
    field = parse_board(text.replace("/", "\n"))
    if field.size != size:
        raise NotationError(f"the layout is {field.size}, not {size}")
    return field.mines


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
