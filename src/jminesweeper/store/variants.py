"""What is played as a row of plain values, which any store can hold."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from jminesweeper.core.grid import Size
from jminesweeper.core.variant import Variant
from jminesweeper.recordings.text import format_rules, parse_rules
from jminesweeper.store.values import reading_values


@lru_cache(maxsize=1_024)
def category_row(variant: Variant) -> Sequence[Any]:
    return (
        variant.board,
        variant.size.columns,
        variant.size.rows,
        variant.mine_count,
        format_rules(variant.rules),
        variant.is_no_guess,
    )


def variant_row(variant: Variant) -> Sequence[Any]:
    return *category_row(variant), variant.daily and variant.daily.isoformat(), variant.is_repeat


@lru_cache(maxsize=1_024)
@reading_values()
def read_variant(*row: Any) -> Variant:
    """Make a variant of the row of a category or a variant."""
    board, columns, rows, mines, rules, is_no_guess, daily, is_repeat = (*row, None, 0)[:8]
    return Variant(
        board,
        Size(columns, rows),
        mines,
        parse_rules(rules),
        bool(is_no_guess),
        date.fromisoformat(daily) if daily else None,
        bool(is_repeat),
    )
