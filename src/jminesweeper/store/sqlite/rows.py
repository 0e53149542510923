"""Rows to values and back, where both reading and writing need it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from jminesweeper.core import Cell, Size, Status
from jminesweeper.store.statistics import SPEED_FIGURE
from jminesweeper.store.values import Category, FinishedGame, RunningGame

Row = Sequence[Any]


def game_of(row: Row) -> RunningGame:
    code, header, entries, clock_ms, column, row_, is_paused = row
    return RunningGame(code, header, entries, clock_ms, Cell(column, row_), bool(is_paused))


def row_of(game: RunningGame) -> Row:
    return game.code, game.header, game.entries, game.clock_ms, *game.cursor, game.is_paused


def finished_of(row: Row, player: str, header: str, entries: bytes) -> FinishedGame:
    code, preset, rules, columns, rows, mine_count, status, *rest = row
    time_ms, ended_at_s, seed, daily, is_assisted, is_repeat, figures = rest
    return FinishedGame(
        code=code,
        category=Category(preset, rules),
        size=Size(columns, rows),
        mine_count=mine_count,
        status=Status(status),
        time_ms=time_ms,
        ended_at_s=ended_at_s,
        player=player,
        header=header,
        entries=entries,
        seed=seed,
        daily=daily,
        is_assisted=bool(is_assisted),
        is_repeat=bool(is_repeat),
        figures=json.loads(figures),
    )


def finished_row_of(game: FinishedGame) -> Row:
    return (
        game.code,
        *category_row_of(game.category),
        game.size.columns,
        game.size.rows,
        game.mine_count,
        game.status.value,
        game.time_ms,
        game.ended_at_s,
        game.seed,
        game.daily,
        game.is_assisted,
        game.is_repeat,
        format_mapping(game.figures),
    )


def category_row_of(category: Category) -> Row:
    return category.preset, category.rules


def speed_of(game: FinishedGame) -> float | None:
    speed = game.figures.get(SPEED_FIGURE)
    return None if speed is None else float(speed)


def format_mapping(mapping: Mapping[str, Any]) -> str:
    return json.dumps(dict(mapping), ensure_ascii=False, separators=(",", ":"))
