"""The distance between colours in the eyes of people, the colour-blind among them.

Machado, Oliveira and Fernandes ("A Physiologically-based Model for Simulation of Color Vision
Deficiency", 2009) for the eyes, in full severity; Ottosson's Oklab for the distance, in hundredths
of the way from black to white. Two of these are about the least that anybody sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import dist
from typing import Final, TypeAlias

RGB: TypeAlias = tuple[int, int, int]
_Matrix: TypeAlias = tuple[tuple[float, float, float], ...]

EYES: Final[Mapping[str, _Matrix]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_TO_CONES: Final[_Matrix] = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB: Final[_Matrix] = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
LEAST_BETWEEN: Final[Mapping[int, float]] = {4: 15, 6: 10, 8: 8, 15: 5.5}
"""Distance that the first so many seats keep from each other; most rooms have few."""
LEAST_FROM_FLAGS: Final = 8


def _times(matrix: _Matrix, parts: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, parts, strict=True)) for row in matrix]


def _light(part: int) -> float:
    share = part / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def seen(colour: RGB, eyes: _Matrix) -> list[float]:
    """Return the place of a colour in Oklab, as these eyes see it."""
    light = [min(1.0, max(0.0, part)) for part in _times(eyes, [_light(part) for part in colour])]
    return _times(_TO_LAB, [part ** (1 / 3) for part in _times(_TO_CONES, light)])


def distance(one: RGB, other: RGB) -> float:
    """Return how far two colours are, for those who tell them apart least well."""
    return min(100 * dist(seen(one, eyes), seen(other, eyes)) for eyes in EYES.values())


def confused(seats: Sequence[RGB], flags: Sequence[RGB]) -> Iterator[tuple[RGB, RGB, float]]:
    """List the seats that come too near to each other, or to a flag."""
    for count, least in LEAST_BETWEEN.items():
        for one, other in combinations(seats[:count], 2):
            if (apart := distance(one, other)) < least:
                yield one, other, apart
    for seat in seats:
        for flag in flags:
            if (apart := distance(seat, flag)) < LEAST_FROM_FLAGS:
                yield seat, flag, apart
