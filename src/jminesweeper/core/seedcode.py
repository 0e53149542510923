"""Codes for people, the seed codes of boards among them, and the board of the day.

Every code is written in Crockford's base 32, which has no letters to mistake for digits, in groups
of four, and read in either case, with or without dashes.

A seed code such as ``SC1S-MQ`` carries size, mines, rules and seed. Where the rules protect the
first reveal, the mines depend on where it is: a code with the first cell is the same board for
everybody, and one without only for players who begin in the same cell. A no-guess board has a first
cell, and the solver lays it again from the seed. From the left:

=============  =====================================================================
1 symbol       ``Z``, only of a board with a first cell
1 symbol       8 x board (0 own, 1 beginner, 2 intermediate, 3 expert) + rules
               (0 jminesweeper, 1 classic, 2 kata, 3 formal as they are, 4 own)
7 symbols      an own board: columns - 1, rows - 1 (8 bits each), mines - 1 (16 bits)
3 symbols      own rules, in mixed radix: name, spread, victory, first reveal, switches, mine
4 symbols      a first cell: 1 if no guess is needed, column, row (8 bits each)
1-13 symbols   the seed, without leading zeros
2 symbols      a check: the whole with a 1 in front, as one number, leaves 1 modulo 1021
=============  =====================================================================

1021 is prime and 32 has a high order modulo 1021, so one wrong symbol and any two exchanged ones
are always found; any other mistake is missed once in a thousand times.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final

from jminesweeper.core.errors import CoreError, NotationError, SetupError, check_kind
from jminesweeper.core.grid import Cell, Size, indices
from jminesweeper.core.minefield import RandomBits, below, seeded_bits
from jminesweeper.core.rules import PRESETS, FirstReveal, MineEffect, Rules, Spread, Victory
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, board_name, sized_variant

SYMBOLS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUES: Final = {symbol: value for value, symbol in enumerate(SYMBOLS)}
_MISREAD: Final = str.maketrans("ILO", "110", "-\N{EN DASH}\N{EM DASH} ")
_GROUP: Final = 4


def encode(number: int, length: int = 1) -> str:
    """Write a number, with zeros in front up to a length."""
    symbols = ""
    while number or len(symbols) < length:
        number, value = divmod(number, len(SYMBOLS))
        symbols = SYMBOLS[value] + symbols
    return symbols


def decode(symbols: str) -> int:
    """Read a number; ValueError if a symbol is none of ours."""
    number = 0
    for symbol in symbols:
        if symbol not in _VALUES:
            raise ValueError(f"no symbol of base 32: {symbol!r}")
        number = number * len(SYMBOLS) + _VALUES[symbol]
    return number


def draw_code(random_bits: RandomBits, length: int) -> str:
    """Draw a code, each equally likely."""
    return encode(random_bits(5 * length), length)


def group(code: str) -> str:
    """Put a dash after every fourth symbol, for the eye."""
    return "-".join([code[start : start + _GROUP] for start in range(0, len(code), _GROUP)])


def tidy(text: str) -> str:
    """Read a code as people write it: in either case, grouped anyhow, with look-alike letters."""
    return text.strip().upper().translate(_MISREAD)


_PRIME = 1021
_CHECK_SYMBOLS = 2
# In front of what is checked, so that zeros before a code change the number.
_FRONT = "1"
_BOARD_SYMBOLS = 7
_RULES_SYMBOLS = 3
_FIRST_SYMBOLS = 4
_WITH_FIRST = "Z"
_MOST_SYMBOLS = (
    2 + _BOARD_SYMBOLS + _RULES_SYMBOLS + _FIRST_SYMBOLS + (SEED_BITS + 4) // 5 + _CHECK_SYMBOLS
)

# Codes already given out hold positions in these lists: only ever append.
_BOARDS = ("beginner", "intermediate", "expert")
_PRESETS = ("jminesweeper", "classic", "kata", "formal")
_OWN_RULES = len(_PRESETS)
_OWN_NAME = "own"
_NAMES = (*_PRESETS, _OWN_NAME)
_SPREADS = (Spread.FOUR, Spread.EIGHT)
_VICTORIES = (Victory.FLAGS, Victory.SAFE_VISIBLE, Victory.EITHER)
_FIRST_REVEALS = (FirstReveal.OFF, FirstReveal.SAFE, FirstReveal.ZERO)
_SWITCHES = (False, True)
_MINES = (MineEffect.ENDS, MineEffect.PENALTY, MineEffect.LIFE)
_CHOICES: Mapping[str, Sequence[object]] = {
    "name": _NAMES,
    "spread": _SPREADS,
    "victory": _VICTORIES,
    "first_reveal": _FIRST_REVEALS,
    "chording": _SWITCHES,
    "flag_on_win": _SWITCHES,
    "auto_open": _SWITCHES,
    "mine": _MINES,
}

_DAILY_EDITION = "jminesweeper daily 2"
DAY_SEED_BYTES: Final = 32


def daily_setup(day: date, board: str, seed: bytes) -> Setup:
    """Set up a classic board for a day from the seed of that day, which is a server's own.

    A server keeps the seed to itself until the day is over.
    """
    # A datetime is a date as well, but has another text.
    check_kind("day", None if isinstance(day, datetime) else day, date, "a date")
    check_kind("seed", seed, bytes, "bytes")
    if len(seed) != DAY_SEED_BYTES:
        raise SetupError(f"the seed of a day is {DAY_SEED_BYTES} bytes, not {len(seed)}")
    if board not in CLASSIC_BOARDS:
        raise SetupError(f"there is no daily board {board[:20]!r}: {', '.join(CLASSIC_BOARDS)}")
    text = f"{_DAILY_EDITION} {day.isoformat()} {board}"
    digest = hmac.digest(seed, text.encode(), "sha256")
    number = int.from_bytes(digest[: SEED_BITS // 8], "big")
    variant = replace(CLASSIC_BOARDS[board], daily=day)
    # An opening, so that nobody's day begins with a guess.
    zeros = Setup(variant, number).minefield().zeros
    rank = below(zeros.bit_count(), seeded_bits(number))
    return Setup(variant, number, first=variant.grid.cell(indices(zeros)[rank]))


def format_seed_code(setup: Setup) -> str:
    """Write a seeded setup as a code. Rules of no preset lose their name."""
    check_kind("setup", setup, Setup, "a Setup")
    if setup.seed is None or not setup.has_code:
        raise SetupError(
            "only a board that comes from a seed has a code, and a no-guess board once it is laid"
        )
    size, rules = setup.size, setup.rules
    board, own_board = 0, ""
    if (name := board_name(size, setup.mine_count)) != CUSTOM:
        board = 1 + _BOARDS.index(name)
    else:
        packed = (size.columns - 1) << 24 | (size.rows - 1) << 16 | (setup.mine_count - 1)
        own_board = encode(packed, _BOARD_SYMBOLS)
    played, own_rules = _OWN_RULES, ""
    if rules in PRESETS.values():
        played = _PRESETS.index(rules.name)
    else:
        named = rules if rules.name in _NAMES else replace(rules, name=_OWN_NAME)
        number = 0
        for field, choices in _CHOICES.items():
            number = number * len(choices) + choices.index(getattr(named, field))
        own_rules = encode(number, _RULES_SYMBOLS)
    mark = first = ""
    if setup.first is not None:
        column, row = setup.first
        place = setup.variant.is_no_guess << 16 | column << 8 | row
        mark, first = _WITH_FIRST, encode(place, _FIRST_SYMBOLS)
    body = mark + encode(8 * board + played) + own_board + own_rules + first + encode(setup.seed)
    check = (1 - decode(_FRONT + body + "0" * _CHECK_SYMBOLS)) % _PRIME
    return group(body + encode(check, _CHECK_SYMBOLS))


def parse_seed_code(text: str) -> Setup:
    """Read a code in any case, with any grouping and with look-alike letters; refuse typos."""
    check_kind("text", text, str, "a text")
    code = tidy(text)
    has_symbols = set(code) <= set(SYMBOLS) and 1 + _CHECK_SYMBOLS < len(code) <= _MOST_SYMBOLS
    if not has_symbols or decode(_FRONT + code) % _PRIME != 1:
        raise NotationError("invalid seed code; check for typos")
    try:
        setup = _decode(code[:-_CHECK_SYMBOLS])
    except (CoreError, ValueError, IndexError) as error:
        raise NotationError(f"this version does not know this seed code: {error}") from None
    if format_seed_code(setup).replace("-", "") != code:
        raise NotationError("this version writes this seed code differently")
    return setup


def _decode(body: str) -> Setup:
    """Read the symbols between the mark of a first cell and the check."""
    has_first = body.startswith(_WITH_FIRST)
    rest = body.removeprefix(_WITH_FIRST)
    board, rules = divmod(decode(rest[0]), 8)
    rest = rest[1:]
    if board:
        known = CLASSIC_BOARDS[_BOARDS[board - 1]]
        size, mine_count = known.size, known.mine_count
    else:
        packed = decode(rest[:_BOARD_SYMBOLS])
        size = Size((packed >> 24) + 1, (packed >> 16 & 0xFF) + 1)
        mine_count = (packed & 0xFFFF) + 1
        rest = rest[_BOARD_SYMBOLS:]
    if rules < _OWN_RULES:
        played = PRESETS[_PRESETS[rules]]
    elif rules > _OWN_RULES:
        raise ValueError("unknown rules")
    else:
        number, values = decode(rest[:_RULES_SYMBOLS]), dict[str, Any]()
        for field, choices in reversed(list(_CHOICES.items())):
            number, place = divmod(number, len(choices))
            values[field] = choices[place]
        if number:
            raise ValueError("unknown rules")
        played = Rules(**values)
        rest = rest[_RULES_SYMBOLS:]
    if not has_first:
        return Setup.of(size, mine_count, played, seed=decode(rest))
    place = decode(rest[:_FIRST_SYMBOLS])
    variant = replace(sized_variant(size, mine_count, played), is_no_guess=bool(place >> 16))
    first = Cell(place >> 8 & 0xFF, place & 0xFF)
    return Setup(variant, decode(rest[_FIRST_SYMBOLS:]), first=first)
