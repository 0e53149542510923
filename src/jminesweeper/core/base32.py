"""Crockford's base 32: codes for people, without letters to mistake for digits."""

from __future__ import annotations

from typing import Final

from jminesweeper.core.minefield import RandomBits

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
