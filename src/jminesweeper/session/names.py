"""Names that players type: those of saves, and their own, numbered where they look alike.

Anybody may take any name, so on a leaderboard one player could pass for another by a capital, a
blank, a zero for an O, or a letter of another alphabet. Names are compared by their *look*:
letters in one case and without marks, look-alikes of other alphabets as the Latin letters they
resemble, digits as letters, blanks and punctuation left out. Players whose names look alike on one
page get a number each. It follows from the player's identity, not from the order, so it is stable
and nobody can claim another's: a name cannot contain the # before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import blake2b
from typing import Final
from unicodedata import category, combining, normalize

from jminesweeper.records.reading import Score

LONGEST_NAME: Final = 60
"""In characters: a name fits the wire, in a row's id as well."""
NOBODY: Final = "anonymous"
"""What a player without a name is called."""

_SIGN: Final = "#"
_NUMBERS: Final = 10_000
_LOOK_ALIKES: Final = {
    "A": "\u0410\u0391",
    "a": "\u0430\u03b1",
    "B": "\u0412\u0392",
    "b": "\u03b2",
    "C": "\u0421",
    "c": "\u0441",
    "d": "\u0501",
    "E": "\u0415\u0395",
    "e": "\u0435\u03b5",
    "H": "\u041d\u0397",
    "h": "\u043d\u04bb",
    "I": "\u0406\u0399",
    "i": "\u0456\u03b9",
    "J": "\u0408",
    "j": "\u0458",
    "K": "\u041a\u039a",
    "k": "\u043a\u03ba",
    "l": "\u04cf",
    "M": "\u041c\u039c",
    "m": "\u043c",
    "N": "\u039d",
    "n": "\u03b7",
    "O": "\u041e\u039f",
    "o": "\u043e\u03bf\u03c3",
    "P": "\u0420\u03a1",
    "p": "\u0440\u03c1",
    "q": "\u051b",
    "S": "\u0405",
    "s": "\u0455",
    "T": "\u0422\u03a4",
    "t": "\u0442\u03c4",
    "u": "\u03c5\u03bc",
    "v": "\u03bd",
    "w": "\u051d\u03c9",
    "X": "\u0425\u03a7",
    "x": "\u0445\u03c7",
    "Y": "\u0423\u03a5",
    "y": "\u0443\u03b3",
    "Z": "\u0396",
}
"""Latin letters, and letters of Cyrillic and Greek that look like them."""
_LOOKS: Final = {ord(other): latin for latin, others in _LOOK_ALIKES.items() for other in others}
_FOLDED: Final = str.maketrans("0158i|!$", "olsbllls")
"""What looks alike when case is ignored: 0 and O; 1, l and I; 5 and S; 8 and B."""


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


def look(name: str) -> str:
    """Reduce a name to what it looks like at a glance."""
    plain = "".join(one for one in normalize("NFKD", name) if not combining(one))
    folded = plain.translate(_LOOKS).casefold().translate(_FOLDED)
    letters = "".join(one for one in folded if one.isalnum())
    # A name without letters and digits is compared as it is.
    return letters.replace("rn", "m").replace("vv", "w") or folded


def player_name(typed: str) -> str:
    """Clean a name that a player chose; one that looks like "anonymous" becomes empty."""
    name = printable(typed.replace(_SIGN, " "))
    return "" if look(name) == look(NOBODY) else name


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


def seat_names(names: Sequence[tuple[int, str]]) -> Mapping[int, str]:
    """Name the seats of a room; of those that look alike each gets its number."""
    looks = Counter(look(name) for _, name in names)
    return {
        number: f"{name} {_SIGN}{number}" if looks[look(name)] > 1 else name
        for number, name in names
    }


def names_of(scores: Sequence[Score]) -> Sequence[str]:
    """Name the players of a leaderboard, those with similar names by number."""
    looks = Counter(look(score.name) for score in scores if score.name)
    return [
        f"{score.name} {_SIGN}{_number(score.player):04}"
        if looks[look(score.name)] > 1
        else score.name or NOBODY
        for score in scores
    ]


def _number(player: str) -> int:
    return int.from_bytes(blake2b(player.encode(), digest_size=4).digest(), "big") % _NUMBERS
