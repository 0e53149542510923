"""Boards, rules and moves of any kind."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from jminesweeper.core.actions import ON_A_CELL, Action, ActionKind
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS, FirstReveal, MineEffect, Rules, Spread, Victory
from jminesweeper.core.setup import Setup

own_rules = st.builds(
    Rules,
    name=st.just("own"),
    spread=st.sampled_from(Spread),
    victory=st.sampled_from(Victory),
    chording=st.booleans(),
    flag_on_win=st.booleans(),
    first_reveal=st.sampled_from(FirstReveal),
    auto_open=st.booleans(),
    mine=st.sampled_from(MineEffect),
)
any_rules = st.sampled_from(list(PRESETS.values())) | own_rules
seeds = st.integers(0, (1 << 64) - 1)


def examples(factor: float, stateful_step_count: int = 50) -> settings:
    """Run so many times the examples of the profile: a number would ignore `make fuzz`."""
    return settings(
        max_examples=round(factor * settings().max_examples),
        stateful_step_count=stateful_step_count,
    )


def sizes(most: int) -> st.SearchStrategy[Size]:
    return st.builds(Size, st.integers(1, most), st.integers(1, most))


def cells(size: Size) -> st.SearchStrategy[Cell]:
    return st.builds(Cell, st.integers(0, size.columns - 1), st.integers(0, size.rows - 1))


@st.composite
def masks(draw: st.DrawFn, size: Size) -> int:
    """Draw a set of cells, thin ones and dense ones as likely."""
    drawn = [draw(st.integers(0, (1 << size.columns) - 1)) for _ in range(size.rows)]
    stride = size.columns + 1
    mask = sum(row << number * stride for number, row in enumerate(drawn))
    return mask ^ Grid.of(size).mask if draw(st.booleans()) else mask


@st.composite
def minefields(draw: st.DrawFn, most: int) -> Minefield:
    size = draw(sizes(most))
    return Minefield(size, draw(masks(size)))


@st.composite
def setups(draw: st.DrawFn, most: int) -> Setup:
    """Draw seeded setups of every density, the few-mined ones that make floods more often."""
    size = draw(sizes(most))
    few = st.integers(1, max(1, size.cells // 6))
    count = draw(few | st.integers(1, size.cells))
    first = draw(st.none() | cells(size)) if count < size.cells else None
    return Setup.of(size, count, draw(any_rules), seed=draw(seeds), first=first)


@st.composite
def actions(draw: st.DrawFn, size: Size) -> Action:
    kind = draw(st.sampled_from([*_OFTEN, *ActionKind]))
    on_a_cell = kind in ON_A_CELL
    return Action(kind, draw(cells(size)) if on_a_cell else None)


_OFTEN = [ActionKind.REVEAL, ActionKind.FLAG, ActionKind.CHORD, ActionKind.UNDO] * 3
