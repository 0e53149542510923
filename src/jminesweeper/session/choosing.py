"""Turn what a player asks for into a game's setup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Any, Final

from jminesweeper.core.errors import JMinesweeperError, NotationError, SizeError
from jminesweeper.core.generator import RandomBits
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level, Rules
from jminesweeper.core.seedcode import daily_setup, parse_seed_code
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, Variant, level_variant
from jminesweeper.protocol.packets import NewGame, Start
from jminesweeper.protocol.vocabulary import (
    CLASSIC_KINDS,
    FirstRevealCode,
    GameKind,
    NewGameFlag,
    RulesCode,
)
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Match
from jminesweeper.session.messages import message
from jminesweeper.session.settings import Settings


class ChoiceError(JMinesweeperError):
    """No such game can be played; the message is for the player."""

    def __init__(self, which: str, **args: Any) -> None:
        self.said = message(which, **args)
        super().__init__(self.said.text)


def setup_of_start(packet: Start, entropy: RandomBits) -> Setup:
    """Read a START: J's levels by J's rules."""
    return Setup(_j_board(packet.columns, packet.rows, packet.level), seed=entropy(SEED_BITS))


def setup_of_settings(settings: Settings, entropy: RandomBits) -> Setup:
    """Set up what the settings say."""
    return Setup(settings.variant, seed=entropy(SEED_BITS))


def setup_of_another(match: Match, entropy: RandomBits) -> Setup:
    """Set up another game of the same kind, on a fresh board."""
    return Setup(match.asked_for.category, seed=entropy(SEED_BITS))


def setup_of_same_board(match: Match) -> Setup:
    """Set up the same board again; it no longer shows what a player can do."""
    return match.game.shared_setup.as_repeat()


def setup_of_day(config: SessionConfig, board: str, day: date) -> Setup:
    """Set up the board of the day, which is the same for everybody on a store."""
    if (seed := config.day_seed(day)) is None:
        raise ChoiceError("daily.none")
    return daily_setup(day, board if board in CLASSIC_BOARDS else "expert", seed)


def board_of_day(config: SessionConfig, setup: Setup, day: date) -> Variant | None:
    """Return which board of that day this is, also under a seed code or as a repeat."""
    if config.day_seed(day) is None:
        return None
    known = (setup_of_day(config, board, day) for board in CLASSIC_BOARDS)
    return next((each.variant for each in known if each.seed == setup.seed), None)


def is_board_of_day(config: SessionConfig, setup: Setup, day: date) -> bool:
    return setup.variant.daily == day or board_of_day(config, setup, day) is not None


def setup_of_code(code: str) -> Setup:
    """Set up the board of a seed code; a player who has the code may know the board."""
    try:
        setup = parse_seed_code(code)
    except NotationError:
        raise ChoiceError("bad.code") from None
    return setup.as_repeat()


def setup_of_packet(
    packet: NewGame,
    settings: Settings,
    match: Match | None,
    entropy: RandomBits,
    *,
    config: SessionConfig,
    day: date,
) -> Setup:
    """Read a NEW_GAME; what it leaves open is as in the settings."""
    try:
        kind = GameKind(packet.kind)
    except ValueError:
        raise ChoiceError("bad.kind", number=packet.kind) from None
    if kind is GameKind.DAILY:
        return setup_of_day(config, _BOARD_OF_LEVEL.get(packet.level, settings.board), day)
    if kind is GameKind.SAME_BOARD and match is not None:
        return setup_of_same_board(match)
    if kind in {GameKind.SAME_BOARD, GameKind.SAME_SETTINGS}:
        if match is None:
            return setup_of_settings(settings, entropy)
        return setup_of_another(match, entropy)
    board = _named_board(replace(packet, seed=0))
    is_seeded = packet.flags & NewGameFlag.SEEDED
    return Setup(board, seed=packet.seed if is_seeded else entropy(SEED_BITS))


# Making a variant takes a quarter of the time of START, and a third of that of NEW_GAME.
@lru_cache(maxsize=1_024)
def _j_board(columns: int, rows: int, level: int) -> Variant:
    return _level_board(columns, rows, level, PRESETS["jminesweeper"])


@lru_cache(maxsize=1_024)
def _named_board(packet: NewGame) -> Variant:
    kind, rules = GameKind(packet.kind), _rules(packet.rules, packet.first_reveal)
    if kind is GameKind.LEVEL:
        board = _level_board(packet.columns, packet.rows, packet.level, rules)
    elif kind is GameKind.OWN:
        board = _own_board(packet.columns, packet.rows, packet.mines, rules)
    else:
        board = replace(CLASSIC_BOARDS[kind.name.lower()], rules=rules)
    return replace(
        board,
        is_no_guess=bool(packet.flags & NewGameFlag.NO_GUESS),
        # A player who names the seed may know the board.
        is_repeat=bool(packet.flags & NewGameFlag.SEEDED),
    )


def _rules(rules_code: int, first_reveal: int) -> Rules:
    try:
        rules = PRESETS[RulesCode(rules_code).name.lower()]
        code = FirstRevealCode(first_reveal)
    except ValueError:
        raise ChoiceError("bad.rules", rules=rules_code, first_reveal=first_reveal) from None
    if code is FirstRevealCode.AS_RULES:
        return rules
    return replace(rules, first_reveal=FirstReveal[code.name])


def _level_board(columns: int, rows: int, level: int, rules: Rules) -> Variant:
    try:
        return level_variant(Size(columns, rows), Level(level), rules)
    except (SizeError, ValueError):
        raise ChoiceError("bad.level", columns=columns, rows=rows, level=level) from None


def _own_board(columns: int, rows: int, mines: int, rules: Rules) -> Variant:
    try:
        size = Size(columns, rows)
    except SizeError:
        raise ChoiceError("bad.size", columns=columns, rows=rows) from None
    if not 1 <= mines <= size.most_mines:
        raise ChoiceError("bad.board", size=str(size), most=size.most_mines, mines=mines)
    return Variant(CUSTOM, size, mines, rules)


_BOARD_OF_LEVEL: Final[Mapping[int, str]] = {level: name for name, level in CLASSIC_KINDS.items()}
