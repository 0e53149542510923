"""Codes that let two people play the same board, and the board of the day.

A code such as ``SC1S-MQ`` carries size, mines, rules and seed, and so the mines of every cell. How
a player came by the board is not in it: a no-guess or daily board has the code of its seed.
It is written in Crockford's base 32, which has no letters to mistake for digits, in groups of
four, read in either case, with or without dashes. From the left:

=============  =====================================================================
1 symbol       8 x board (0 own, 1 beginner, 2 intermediate, 3 expert) + rules
               (0 jminesweeper, 1 classic, 2 kata, 3 formal as they are, 4 own)
7 symbols      an own board: columns - 1, rows - 1 (8 bits each), mines - 1 (16 bits)
2 symbols      own rules, in mixed radix: name, spread, victory, first reveal, switches
1-13 symbols   the seed, without leading zeros
2 symbols      a check: the whole with a 1 in front, as one number, leaves 1 modulo 1021
=============  =====================================================================

1021 is prime and 32 has a high order modulo 1021, so one wrong symbol and any two exchanged ones
are always found; any other mistake is missed once in a thousand times.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import date
from functools import lru_cache

from jminesweeper.core.errors import CoreError, NotationError, SetupError
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Rules, Spread, Victory
from jminesweeper.core.setup import SEED_BITS, Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, board_name

_SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUES = {symbol: value for value, symbol in enumerate(_SYMBOLS)}
_MISREAD = str.maketrans("ILO", "110", "-\N{EN DASH}\N{EM DASH} ")
_GROUP = 4

_PRIME = 1021
_CHECK_SYMBOLS = 2
# In front of what is checked, so that zeros before a code change the number.
_FRONT = "1"
_BOARD_SYMBOLS = 7
_RULES_SYMBOLS = 2
_MOST_SYMBOLS = 1 + _BOARD_SYMBOLS + _RULES_SYMBOLS + (SEED_BITS + 4) // 5 + _CHECK_SYMBOLS

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
_CHOICES = (_NAMES, _SPREADS, _VICTORIES, _FIRST_REVEALS, _SWITCHES, _SWITCHES, _SWITCHES)

_DAILY_EDITION = "jminesweeper daily 1"


@lru_cache(maxsize=64)
def daily_setup(day: date, board: str) -> Setup:
    """Set up a classic board for a day, the same on every server of this version."""
    if board not in CLASSIC_BOARDS:
        raise SetupError(f"there is no daily board {board[:20]!r}: {', '.join(CLASSIC_BOARDS)}")
    text = f"{_DAILY_EDITION} {day.isoformat()} {board}"
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[: SEED_BITS // 8], "big")
    return Setup(replace(CLASSIC_BOARDS[board], daily=day), seed)


def format_seed_code(setup: Setup) -> str:
    """Write a seeded setup as a code. Rules of no preset lose their name."""
    if setup.seed is None:
        raise SetupError("only a board that comes from a seed has a code")
    board, own_board = _encode_board(setup)
    rules, own_rules = _encode_rules(setup.rules)
    body = _SYMBOLS[8 * board + rules] + own_board + own_rules + _encode(setup.seed)
    code = body + _encode(_check(body), _CHECK_SYMBOLS)
    return "-".join(code[start : start + _GROUP] for start in range(0, len(code), _GROUP))


def parse_seed_code(text: str) -> Setup:
    """Read a code in any case, with any grouping and with look-alike letters; refuse typos."""
    code = text.strip().upper().translate(_MISREAD)
    if len(code) > _MOST_SYMBOLS or not _VALUES.keys() >= set(code) or not _is_checked(code):
        raise NotationError("invalid seed code; check for typos")
    try:
        setup = _decode(code[:-_CHECK_SYMBOLS])
    except (CoreError, ValueError) as error:
        raise NotationError(f"this version does not know this seed code: {error}") from None
    if format_seed_code(setup).replace("-", "") != code:
        raise NotationError("this version writes this seed code differently")
    return setup


def _decode(body: str) -> Setup:
    board, rules = divmod(_VALUES[body[0]], 8)
    rest = body[1:]
    if board:
        known = CLASSIC_BOARDS[_BOARDS[board - 1]]
        size, mine_count = known.size, known.mine_count
    else:
        size, mine_count = _decode_board(rest[:_BOARD_SYMBOLS])
        rest = rest[_BOARD_SYMBOLS:]
    if rules == _OWN_RULES:
        played = _decode_rules(_decode_number(rest[:_RULES_SYMBOLS]))
        rest = rest[_RULES_SYMBOLS:]
    elif rules < _OWN_RULES:
        played = PRESETS[_PRESETS[rules]]
    else:
        raise ValueError("unknown rules")
    return Setup.of(size, mine_count, played, seed=_decode_number(rest))


def _encode_board(setup: Setup) -> tuple[int, str]:
    size = setup.size
    if (name := board_name(size, setup.mine_count)) != CUSTOM:
        return 1 + _BOARDS.index(name), ""
    packed = (size.columns - 1) << 24 | (size.rows - 1) << 16 | (setup.mine_count - 1)
    return 0, _encode(packed, _BOARD_SYMBOLS)


def _decode_board(symbols: str) -> tuple[Size, int]:
    packed = _decode_number(symbols)
    size = Size((packed >> 24) + 1, (packed >> 16 & 0xFF) + 1)
    return size, (packed & 0xFFFF) + 1


def _encode_rules(rules: Rules) -> tuple[int, str]:
    if rules in PRESETS.values():
        return _PRESETS.index(rules.name), ""
    named = rules if rules.name in _NAMES else replace(rules, name=_OWN_NAME)
    number = 0
    for choices, value in zip(_CHOICES, _rule_values(named), strict=True):
        number = number * len(choices) + list[object](choices).index(value)
    return _OWN_RULES, _encode(number, _RULES_SYMBOLS)


def _decode_rules(number: int) -> Rules:
    number, auto_open = divmod(number, 2)
    number, flag_on_win = divmod(number, 2)
    number, chording = divmod(number, 2)
    number, first_reveal = divmod(number, len(_FIRST_REVEALS))
    number, victory = divmod(number, len(_VICTORIES))
    name, spread = divmod(number, len(_SPREADS))
    if name >= len(_NAMES):
        raise ValueError("unknown rules")
    return Rules(
        _NAMES[name],
        spread=_SPREADS[spread],
        victory=_VICTORIES[victory],
        first_reveal=_FIRST_REVEALS[first_reveal],
        chording=_SWITCHES[chording],
        flag_on_win=_SWITCHES[flag_on_win],
        auto_open=_SWITCHES[auto_open],
    )


def _rule_values(rules: Rules) -> tuple[object, ...]:
    return (
        rules.name,
        rules.spread,
        rules.victory,
        rules.first_reveal,
        rules.chording,
        rules.flag_on_win,
        rules.auto_open,
    )


def _check(body: str) -> int:
    return (1 - _decode_number(_FRONT + body + "0" * _CHECK_SYMBOLS)) % _PRIME


def _is_checked(code: str) -> bool:
    return len(code) > 1 + _CHECK_SYMBOLS and _decode_number(_FRONT + code) % _PRIME == 1


def _encode(number: int, length: int = 1) -> str:
    symbols = ""
    while number or len(symbols) < length:
        number, value = divmod(number, len(_SYMBOLS))
        symbols = _SYMBOLS[value] + symbols
    return symbols


def _decode_number(symbols: str) -> int:
    number = 0
    for symbol in symbols:
        number = number * len(_SYMBOLS) + _VALUES[symbol]
    return number
