"""Seed codes, by which two people play one board, to the packet that asks for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from jminesweeper.client.errors import WishError
from jminesweeper.core import PRESETS, Difficulty, NotationError, Rules, Setup, parse_seed_code
from jminesweeper.protocol import FirstRevealCode, GameKind, NewGame, NewGameFlag, RulesCode

_OWN_RULES: Final = "the rules in this code are nobody's preset, and cannot be asked for this way"


def parse_code(text: str) -> Setup:
    """Read the code of a board; WishError if it is none."""
    try:
        return parse_seed_code(text)
    except NotationError as error:
        raise WishError(str(error)) from error


def order_board(board: Setup) -> NewGame:
    """Ask for exactly this board; WishError if the wire has no way to say its rules."""
    return NewGame(
        kind=_kind(board),
        columns=board.size.columns,
        rows=board.size.rows,
        mines=board.mine_count,
        rules=_rules(board.rules),
        first_reveal=FirstRevealCode[board.rules.first_reveal.name],
        flags=NewGameFlag.SEEDED,
        seed=board.seed or 0,
    )


def _kind(board: Setup) -> GameKind:
    known = Difficulty.of(board.size, board.mine_count)
    return GameKind[known.name.upper()] if known else GameKind.OWN


def _rules(rules: Rules) -> RulesCode:
    preset = PRESETS.get(rules.name)
    if preset is None or replace(preset, first_reveal=rules.first_reveal) != rules:
        raise WishError(_OWN_RULES)
    return RulesCode[rules.name.upper()]
