"""Turn what a player asks for into a game's setup."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Any, Final

from jminesweeper.core.errors import JMinesweeperError, NotationError, SizeError
from jminesweeper.core.grid import Size
from jminesweeper.core.minefield import RandomBits
from jminesweeper.core.rules import CHOSEN_RULES, Level
from jminesweeper.core.seedcode import daily_setup, parse_seed_code
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant, check_asked, level_variant
from jminesweeper.protocol.packets import Start
from jminesweeper.protocol.vocabulary import ANOTHER_GAME, DAILY_BOARD, SAME_BOARD
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


def setup_of_text(
    text: str,
    settings: Settings,
    match: Match | None,
    entropy: RandomBits,
    *,
    config: SessionConfig,
    day: date,
) -> Setup:
    """Read the board of a NEW_GAME or a ROOM; what it leaves open is as in the settings."""
    first, _, board = text.partition(" ")
    if first == DAILY_BOARD:
        if board not in {"", *CLASSIC_BOARDS}:
            raise ChoiceError("bad.board", why="the day has boards of the classic game only")
        return setup_of_day(config, board or settings.board, day)
    if match is None and text in {ANOTHER_GAME, SAME_BOARD}:
        return setup_of_settings(settings, entropy)
    if match is not None and text == ANOTHER_GAME:
        return setup_of_another(match, entropy)
    if match is not None and text == SAME_BOARD:
        return setup_of_same_board(match)
    try:
        setup = Setup.parse(text, entropy(SEED_BITS))
        check_asked(setup.variant)
    except NotationError as error:
        raise ChoiceError("bad.board", why=str(error)) from None
    if setup.layout is not None:
        raise ChoiceError("bad.board", why="a server lays the mines itself")
    if not setup.rules.is_chosen:
        raise ChoiceError("bad.board", why="of a preset's rules only these change: " + _CHANGED)
    # A player who names the seed may know the board; one who names the first cell has it protected
    # by rules that protect nothing.
    is_named = any(word.startswith(("seed=", "first=")) for word in text.split())
    return setup.as_repeat() if is_named else setup


# Making a variant takes a quarter of the time of START.
@lru_cache(maxsize=1_024)
def _j_board(columns: int, rows: int, level: int) -> Variant:
    try:
        return level_variant(Size(columns, rows), Level(level))
    except (SizeError, ValueError):
        raise ChoiceError("bad.level", columns=columns, rows=rows, level=level) from None


_CHANGED: Final = ", ".join(name.replace("_", "-") for name in CHOSEN_RULES)
