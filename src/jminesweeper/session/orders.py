"""From what a player asks for to a game's setup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from jminesweeper.core import (
    DIFFICULTIES,
    PRESETS,
    SEED_BITS,
    FirstReveal,
    JMinesweeperError,
    Level,
    RandomBits,
    Rules,
    Setup,
    SetupError,
    Size,
    SizeError,
)
from jminesweeper.protocol import FirstRevealCode, GameKind, NewGame, NewGameFlag, RulesCode, Start
from jminesweeper.session.play import Play, Title
from jminesweeper.session.settings import CUSTOM, LEVELS, Settings, Switch

_J: Final = PRESETS["jminesweeper"]


class OrderError(JMinesweeperError):
    """No such game can be played; the message is for the player."""


@dataclass(frozen=True, slots=True)
class Order:
    """A game that can be begun."""

    setup: Setup
    title: Title

    def as_repeat(self) -> Order:
        """Return the same game for somebody who has seen the board before."""
        return Order(self.setup, replace(self.title, is_repeat=True))


def order_start(packet: Start, entropy: RandomBits) -> Order:
    """Read a START: J's levels by J's rules."""
    size, mines, title = _board_of_start(packet.columns, packet.rows, packet.level)
    return Order(Setup(size, mines, _J, seed=entropy(SEED_BITS)), title)


@lru_cache(maxsize=1_024)
def _board_of_start(columns: int, rows: int, number: int) -> tuple[Size, int, Title]:
    try:
        size, level = Size(columns, rows), Level(number)
    except (SizeError, ValueError):
        raise OrderError(
            f"No game of {columns}x{rows} at level {number}: "
            "columns and rows are 1 to 255, levels 1 to 3."
        ) from None
    return size, level.mines(size), Title(level.name.lower())


def order_settings(settings: Settings, entropy: RandomBits) -> Order:
    """Begin what the settings say."""
    seed = entropy(SEED_BITS)
    setup = Setup(settings.size, settings.mine_count, settings.applied_rules(), seed=seed)
    return Order(setup, Title(settings.board, is_no_guess=settings.no_guess is Switch.ON))


def order_again(play: Play, entropy: RandomBits) -> Order:
    """Begin another game with the same settings."""
    setup = play.game.setup
    fresh = replace(setup, seed=entropy(SEED_BITS), layout=None)
    return Order(fresh, Title(play.title.board, is_no_guess=play.title.is_no_guess))


def order_repeat(play: Play) -> Order:
    """Begin the same board once more; it no longer tells what a player can do."""
    return Order(play.game.setup, play.title).as_repeat()


def order_daily(board: str, day: str) -> Order:
    """Begin the board of the day, which is the same on every server."""
    difficulty = DIFFICULTIES.get(board, DIFFICULTIES["expert"])
    name = f"jminesweeper daily {day} {difficulty.name}"
    seed = int.from_bytes(blake2b(name.encode(), digest_size=SEED_BITS // 8).digest(), "big")
    # The first reveal cannot be protected: the board would depend on where it was.
    rules = replace(PRESETS["classic"], first_reveal=FirstReveal.SAFE)
    setup = Setup(difficulty.size, difficulty.mine_count, rules, seed=seed)
    return Order(setup, Title(difficulty.name, day))


def order_packet(
    packet: NewGame, settings: Settings, play: Play | None, day: str, entropy: RandomBits
) -> Order:
    """Read a NEW_GAME; what it leaves open is as in the settings."""
    try:
        kind = GameKind(packet.kind)
    except ValueError:
        raise OrderError(f"There is no kind of game {packet.kind}.") from None
    if kind is GameKind.DAILY:
        return order_daily(_DIFFICULTY_OF_LEVEL.get(packet.level, settings.board), day)
    if kind is GameKind.SAME_BOARD and play is not None:
        return order_repeat(play)
    if kind in {GameKind.SAME_BOARD, GameKind.SAME_SETTINGS}:
        return order_settings(settings, entropy) if play is None else order_again(play, entropy)
    try:
        return _order_own(packet, kind, entropy)
    except (SizeError, SetupError) as error:
        raise OrderError(f"No such game: {error}.") from None


def _order_own(packet: NewGame, kind: GameKind, entropy: RandomBits) -> Order:
    rules = _rules(packet)
    board, size, mines = _BOARDS[kind](packet)
    seed = packet.seed if packet.flags & NewGameFlag.SEEDED else entropy(SEED_BITS)
    is_repeat = bool(packet.flags & NewGameFlag.SEEDED)
    is_no_guess = bool(packet.flags & NewGameFlag.NO_GUESS)
    title = Title(board, is_repeat=is_repeat, is_no_guess=is_no_guess)
    return Order(Setup(size, mines, rules, seed=seed), title)


def _rules(packet: NewGame) -> Rules:
    try:
        rules = PRESETS[RulesCode(packet.rules).name.lower()]
        code = FirstRevealCode(packet.first_reveal)
    except ValueError:
        raise OrderError("There are no such rules.") from None
    if code is FirstRevealCode.AS_RULES:
        return rules
    return replace(rules, first_reveal=FirstReveal[code.name])


def _preset(kind: GameKind) -> Callable[[NewGame], tuple[str, Size, int]]:
    difficulty = DIFFICULTIES[kind.name.lower()]
    return lambda _packet: (difficulty.name, difficulty.size, difficulty.mine_count)


def _own(packet: NewGame) -> tuple[str, Size, int]:
    return CUSTOM, Size(packet.columns, packet.rows), packet.mines


def _level(packet: NewGame) -> tuple[str, Size, int]:
    size = Size(packet.columns, packet.rows)
    for name, level in LEVELS.items():
        if level.value == packet.level:
            return name, size, level.mines(size)
    raise OrderError(f"There is no level {packet.level}: it is 1, 2 or 3.")


_BOARDS: Final[Mapping[GameKind, Callable[[NewGame], tuple[str, Size, int]]]] = {
    GameKind.OWN: _own,
    GameKind.LEVEL: _level,
    **{kind: _preset(kind) for kind in (GameKind.BEGINNER, GameKind.INTERMEDIATE, GameKind.EXPERT)},
}
_DIFFICULTY_OF_LEVEL: Final = dict(enumerate(DIFFICULTIES, 1))
