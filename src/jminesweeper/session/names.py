"""Names that players type: those of saves, and their own.

Anybody may take any name. Where a name is on a page twice, the later one gets a number; no name can
contain the # before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import blake2b
from typing import Final
from unicodedata import category, normalize

LONGEST_NAME: Final = 60
"""In characters: a name fits the wire, in a row's id as well."""
NOBODY: Final = "anonymous"
"""The name of a player who has none."""

_SIGN: Final = "#"


def typeable(text: str) -> str:
    """Strip what cannot be shown in one line from a piece of text.

    Combining marks that no letter takes in go as well, because screens leave them out: names that
    differ in nothing else would look the same there, or blank.
    """
    letters = normalize("NFC", text)
    return "".join(one for one in letters if one.isprintable() and category(one)[0] != "M")


_BLANK: Final = dict.fromkeys((0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0x1D159), " ")
"""Letters and signs that show nothing."""


def printable(name: str) -> str:
    """Strip unprintable and blank characters and cut to the longest name stored."""
    return " ".join(typeable(name).translate(_BLANK).split())[:LONGEST_NAME]


def player_name(typed: str) -> str:
    """Clean a name that a player chose; "anonymous" becomes empty."""
    name = printable(typed.replace(_SIGN, " "))
    return "" if name.casefold() == NOBODY else name


_COLOURS: Final = (
    "amber azure coral crimson emerald golden indigo ivory jade lilac olive orange pearl plum ruby"
    " sable scarlet silver teal violet"
)
_ANIMALS: Final = (
    "badger beaver crane deer dolphin falcon ferret finch fox gecko hare hawk heron ibex jackal"
    " koala lemur lynx marten mole newt otter owl panda puffin raven seal stork swan tapir toad"
    " weasel wolf wombat"
)


def stand_in(player: str, day: date) -> str:
    """Name a player without a name: a colour and an animal, the same all day."""
    digest = blake2b(f"{player}\n{day}".encode(), digest_size=8).digest()
    number, colours, animals = int.from_bytes(digest, "big"), _COLOURS.split(), _ANIMALS.split()
    colour, animal = colours[number % len(colours)], animals[number // 97 % len(animals)]
    return f"{colour} {animal}".title()


def numbered(names: Iterable[str]) -> Sequence[str]:
    """Put a number after each name that is taken by one before it, in capitals or not."""
    counts: Counter[str] = Counter()
    said: list[str] = []
    for name in names:
        counts[name.casefold()] += bool(name)
        number = counts[name.casefold()]
        said.append(f"{name}{_SIGN}{number}" if number > 1 else name or NOBODY)
    return said
