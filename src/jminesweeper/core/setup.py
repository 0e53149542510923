"""Everything that is decided about a game before its first action: the variant and its mines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from jminesweeper.core.errors import SetupError
from jminesweeper.core.generator import place_mines, protect, seeded_bits
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS, FirstReveal, Rules
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant, sized_variant

SEED_BITS = 64
_SEEDS = 1 << SEED_BITS

NamedT = TypeVar("NamedT")


@dataclass(frozen=True, slots=True)
class Setup:
    """A variant, and where its layout comes from: a seed, or mines placed by hand.

    A layout placed by hand is never changed, not even to protect the first reveal.
    """

    variant: Variant
    seed: int | None = None
    layout: int | None = None

    def __post_init__(self) -> None:
        if (self.seed is None) == (self.layout is None):
            raise SetupError("a game needs either a seed or a layout")
        if self.seed is None:
            self._check_layout()
        else:
            check_seed(self.seed)

    def _check_layout(self) -> None:
        if Minefield(self.size, self.layout or 0).mine_count != self.mine_count:
            raise SetupError("the layout holds another number of mines")

    @staticmethod
    def of(
        board: str | Size,
        mine_count: int = 0,
        rules: str | Rules = "classic",
        *,
        seed: int | None = None,
        layout: int | None = None,
    ) -> Setup:
        """Set a game up from a classic board's name, or from a size and its mines.

        With a layout its mines are counted.
        """
        played = _named(rules, PRESETS, "rules") if isinstance(rules, str) else rules
        if isinstance(board, str):
            known = _named(board, CLASSIC_BOARDS, "board")
            if mine_count not in {0, known.mine_count}:
                raise SetupError(f"{board} has {known.mine_count} mines; give a size for others")
            variant = Variant(board, known.size, known.mine_count, played)
        else:
            mines = mine_count if layout is None else layout.bit_count()
            variant = sized_variant(board, mines, played)
        return Setup(variant, seed, layout)

    @property
    def size(self) -> Size:
        """How many columns and rows the board has."""
        return self.variant.size

    @property
    def mine_count(self) -> int:
        """How many mines the board holds."""
        return self.variant.mine_count

    @property
    def rules(self) -> Rules:
        """The rules that are played by."""
        return self.variant.rules

    def as_repeat(self) -> Setup:
        """Set up the same board for somebody who may have seen it before."""
        return replace(self, variant=self.variant.as_repeat())

    @property
    def protects_first_reveal(self) -> bool:
        """Whether the mines may still move out of the way of the first reveal."""
        return self.layout is None and self.rules.first_reveal is not FirstReveal.OFF

    def minefield(self, first: Cell | None = None) -> Minefield:
        """Lay the mines; `first` is the first cell revealed, once there is one."""
        mines = (self.layout or 0) if self.seed is None else self._drawn(self.seed, first)
        return Minefield(self.size, mines)

    def _drawn(self, seed: int, first: Cell | None) -> int:
        random_bits = seeded_bits(seed)
        mines = place_mines(self.size, self.mine_count, random_bits)
        if first is None:
            return mines
        return protect(Grid.of(self.size), mines, first, self.rules.first_reveal, random_bits)


def check_seed(seed: int) -> None:
    """Raise SetupError unless a number can be a seed."""
    if not 0 <= seed < _SEEDS:
        raise SetupError(f"a seed is a number of {SEED_BITS} bits")


def _named(name: str, known: Mapping[str, NamedT], what: str) -> NamedT:
    try:
        return known[name]
    except KeyError:
        raise SetupError(f"{what} {name!r} is none of {', '.join(known)}") from None
