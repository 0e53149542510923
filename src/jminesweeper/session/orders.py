"""From what a player asks for to a game's setup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from jminesweeper.core import (
    DIFFICULTIES,
    PRESETS,
    SEED_BITS,
    Difficulty,
    FirstReveal,
    JMinesweeperError,
    Level,
    NotationError,
    RandomBits,
    Rules,
    Setup,
    Size,
    SizeError,
    daily_setup,
    parse_seed_code,
)
from jminesweeper.protocol import FirstRevealCode, GameKind, NewGame, NewGameFlag, RulesCode, Start
from jminesweeper.session.play import Play
from jminesweeper.session.settings import Settings
from jminesweeper.session.titles import CUSTOM, Title

_J: Final = PRESETS["jminesweeper"]


class OrderError(JMinesweeperError):
    """No such game can be played; the message is for the player."""


@dataclass(frozen=True, slots=True)
class Order:
    """A game that can be begun; without a code it gets a new one."""

    setup: Setup
    title: Title
    code: str = ""

    def as_repeat(self) -> Order:
        """Return the same board for somebody who may have seen it before, as another game."""
        return Order(self.setup, replace(self.title, is_repeat=True))

    def under(self, code: str) -> Order:
        return replace(self, code=code)


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
    return Order(setup, Title(settings.board, is_no_guess=settings.no_guess))


def order_again(play: Play, entropy: RandomBits) -> Order:
    """Begin another game with the same settings."""
    setup = play.game.setup
    fresh = replace(setup, seed=entropy(SEED_BITS), layout=None)
    return Order(fresh, Title(play.title.board, is_no_guess=play.wants_no_guess))


def order_repeat(play: Play) -> Order:
    """Begin the same board once more; it no longer tells what a player can do."""
    return Order(play.game.setup, play.title).as_repeat()


def order_daily(board: str, day: str) -> Order:
    """Begin the board of the day, which is the same on every server."""
    difficulty = DIFFICULTIES.get(board, DIFFICULTIES["expert"])
    return Order(daily_setup(day, difficulty), Title(difficulty.name, day))


def order_code(code: str) -> Order:
    """Begin the board of a code; whoever has the code may know the board."""
    try:
        setup = parse_seed_code(code)
    except NotationError:
        raise OrderError("This is no code, or there is a typing mistake in it.") from None
    known = Difficulty.of(setup.size, setup.mine_count)
    return Order(setup, Title(known.name if known else CUSTOM, is_repeat=True))


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
    return _order_board(packet, kind, entropy)


def _order_board(packet: NewGame, kind: GameKind, entropy: RandomBits) -> Order:
    rules = _rules(packet)
    board, size, mines = _BOARDS[kind](packet)
    # Whoever names the seed may know the board.
    is_seeded = bool(packet.flags & NewGameFlag.SEEDED)
    seed = packet.seed if is_seeded else entropy(SEED_BITS)
    is_no_guess = bool(packet.flags & NewGameFlag.NO_GUESS)
    title = Title(board, is_repeat=is_seeded, is_no_guess=is_no_guess)
    return Order(Setup(size, mines, rules, seed=seed), title)


def _rules(packet: NewGame) -> Rules:
    try:
        rules = PRESETS[RulesCode(packet.rules).name.lower()]
        code = FirstRevealCode(packet.first_reveal)
    except ValueError:
        raise OrderError(
            f"There are no rules {packet.rules} with first reveal {packet.first_reveal}."
        ) from None
    if code is FirstRevealCode.AS_RULES:
        return rules
    return replace(rules, first_reveal=FirstReveal[code.name])


def _preset(kind: GameKind) -> Callable[[NewGame], tuple[str, Size, int]]:
    difficulty = DIFFICULTIES[kind.name.lower()]
    return lambda _packet: (difficulty.name, difficulty.size, difficulty.mine_count)


def _own(packet: NewGame) -> tuple[str, Size, int]:
    size = _size(packet.columns, packet.rows)
    if not 1 <= packet.mines <= size.most_mines:
        raise OrderError(f"A board of {size} has 1 to {size.most_mines} mines, not {packet.mines}.")
    return CUSTOM, size, packet.mines


def _size(columns: int, rows: int) -> Size:
    try:
        return Size(columns, rows)
    except SizeError:
        raise OrderError(f"No board of {columns}x{rows}: columns and rows are 1 to 255.") from None


def _level(packet: NewGame) -> tuple[str, Size, int]:
    size, mines, title = _board_of_start(packet.columns, packet.rows, packet.level)
    return title.board, size, mines


_BOARDS: Final[Mapping[GameKind, Callable[[NewGame], tuple[str, Size, int]]]] = {
    GameKind.OWN: _own,
    GameKind.LEVEL: _level,
    **{kind: _preset(kind) for kind in (GameKind.BEGINNER, GameKind.INTERMEDIATE, GameKind.EXPERT)},
}
_DIFFICULTY_OF_LEVEL: Final = dict(enumerate(DIFFICULTIES, 1))
