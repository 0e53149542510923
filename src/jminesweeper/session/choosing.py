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
from jminesweeper.session.match import Match
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


def setup_of_day(board: str, day: date) -> Setup:
    """Set up the board of the day, which is the same on every server."""
    return daily_setup(day, board if board in CLASSIC_BOARDS else "expert")


def board_of_day(setup: Setup, day: date) -> Variant | None:
    """Return which board of that day this is, also under a seed code or as a repeat."""
    known = (setup_of_day(board, day) for board in CLASSIC_BOARDS)
    return next((each.variant for each in known if each.seed == setup.seed), None)


def is_board_of_day(setup: Setup, day: date) -> bool:
    return setup.variant.daily == day or board_of_day(setup, day) is not None


def setup_of_code(code: str) -> Setup:
    """Set up the board of a seed code; a player who has the code may know the board."""
    try:
        setup = parse_seed_code(code)
    except NotationError:
        raise ChoiceError("bad.code") from None
    return setup.as_repeat()


def setup_of_packet(
    packet: NewGame, settings: Settings, match: Match | None, day: date, entropy: RandomBits
) -> Setup:
    """Read a NEW_GAME; what it leaves open is as in the settings."""
    try:
        kind = GameKind(packet.kind)
    except ValueError:
        raise ChoiceError("bad.kind", number=packet.kind) from None
    if kind is GameKind.DAILY:
        return setup_of_day(_BOARD_OF_LEVEL.get(packet.level, settings.board), day)
    if kind is GameKind.SAME_BOARD and match is not None:
        return setup_of_same_board(match)
    if kind in {GameKind.SAME_BOARD, GameKind.SAME_SETTINGS}:
        if match is None:
            return setup_of_settings(settings, entropy)
        return setup_of_another(match, entropy)
    return _named_board(packet, kind, entropy)


def _named_board(packet: NewGame, kind: GameKind, entropy: RandomBits) -> Setup:
    # A player who names the seed may know the board.
    is_seeded = bool(packet.flags & NewGameFlag.SEEDED)
    variant = replace(
        _board(packet, kind, _rules(packet)),
        is_no_guess=bool(packet.flags & NewGameFlag.NO_GUESS),
        is_repeat=is_seeded,
    )
    return Setup(variant, seed=packet.seed if is_seeded else entropy(SEED_BITS))


def _rules(packet: NewGame) -> Rules:
    try:
        rules = PRESETS[RulesCode(packet.rules).name.lower()]
        code = FirstRevealCode(packet.first_reveal)
    except ValueError:
        raise ChoiceError(
            "bad.rules", rules=packet.rules, first_reveal=packet.first_reveal
        ) from None
    if code is FirstRevealCode.AS_RULES:
        return rules
    return replace(rules, first_reveal=FirstReveal[code.name])


def _board(packet: NewGame, kind: GameKind, rules: Rules) -> Variant:
    if kind is GameKind.LEVEL:
        return _level_board(packet.columns, packet.rows, packet.level, rules)
    if kind is not GameKind.OWN:
        return replace(CLASSIC_BOARDS[kind.name.lower()], rules=rules)
    try:
        size = Size(packet.columns, packet.rows)
    except SizeError:
        raise ChoiceError("bad.size", columns=packet.columns, rows=packet.rows) from None
    if not 1 <= packet.mines <= size.most_mines:
        raise ChoiceError("bad.board", size=str(size), most=size.most_mines, mines=packet.mines)
    return Variant(CUSTOM, size, packet.mines, rules)


# A quarter of the time of START.
@lru_cache(maxsize=1_024)
def _j_board(columns: int, rows: int, level: int) -> Variant:
    return _level_board(columns, rows, level, PRESETS["jminesweeper"])


def _level_board(columns: int, rows: int, level: int, rules: Rules) -> Variant:
    try:
        return level_variant(Size(columns, rows), Level(level), rules)
    except (SizeError, ValueError):
        raise ChoiceError("bad.level", columns=columns, rows=rows, level=level) from None


_BOARD_OF_LEVEL: Final[Mapping[int, str]] = {level: name for name, level in CLASSIC_KINDS.items()}
