"""Everything that is decided about a game before its first action: the variant and its mines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from jminesweeper.core.errors import SetupError
from jminesweeper.core.generator import place_mines, protect, seeded_bits
from jminesweeper.core.grid import Cell, Grid, Place, Size
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS, FirstReveal, Rules
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant, sized_variant

SEED_BITS = 64
_SEEDS = 1 << SEED_BITS

NamedT = TypeVar("NamedT")


@dataclass(frozen=True, slots=True, repr=False)
class Setup:
    """A variant, and where its mines come from: a seed, or a layout, which is never changed.

    A no-guess board has both once it is laid: the layout is what the solver made of the seed.

    With a first cell the mines lie the same for everybody, and the game opens there, wherever its
    first reveal is. Without one, mines may move out of the way of the first reveal, so that a seed
    alone is the same board for two people only where they begin in the same cell.
    """

    variant: Variant
    seed: int | None = None
    layout: int | None = None
    first: Cell | None = None

    def __post_init__(self) -> None:
        if self.seed is not None:
            check_seed(self.seed)
        if self.layout is not None:
            self._check_layout(Minefield(self.size, self.layout))
        elif self.seed is None:
            raise SetupError("a game needs a seed or a layout")
        if self.first is not None and not self.size.has(self.first):
            raise SetupError("the first cell is not on the board")
        if self.first is not None and not self.variant.safe_count:
            raise SetupError("every cell holds a mine, the first one too")

    def _check_layout(self, field: Minefield) -> None:
        if self.seed is not None and not self.variant.is_no_guess:
            raise SetupError("a game needs a seed or a layout, not both")
        if field.mine_count != self.mine_count:
            raise SetupError("the layout holds another number of mines")
        if self.first is not None and field.is_mine(self.first):
            raise SetupError("the first cell of the layout holds a mine")

    @staticmethod
    def of(
        board: str | Size,
        mine_count: int = 0,
        rules: str | Rules = "classic",
        *,
        seed: int | None = None,
        layout: int | None = None,
        first: Place | None = None,
    ) -> Setup:
        """Set a game up from a classic board's name, or from a size and its mines.

        With a layout its mines are counted.
        """
        played = rules_of(rules)
        match board:
            case str():
                known = _named(board, CLASSIC_BOARDS, "board")
                if mine_count not in {0, known.mine_count}:
                    raise SetupError(
                        f"{board} has {known.mine_count} mines; give a size for others"
                    )
                variant = Variant(board, known.size, known.mine_count, played)
            case Size():
                mines = mine_count if layout is None else layout.bit_count()
                variant = sized_variant(board, mines, played)
            case _:
                raise SetupError(f"a board is a name or a Size, not {board!r}")
        return Setup(variant, seed, layout, None if first is None else Cell(*first))

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
    def has_code(self) -> bool:
        """Whether a seed code can say which board this is."""
        return self.seed is not None and (self.first is not None or not self.variant.is_no_guess)

    @property
    def needs_layout(self) -> bool:
        """Whether the solver has to lay the mines before the first reveal."""
        return self.variant.is_no_guess and self.layout is None

    @property
    def protects_first_reveal(self) -> bool:
        """Whether the first reveal cannot hit a mine, where the board has room."""
        return self.first is not None or (
            self.layout is None and self.rules.first_reveal is not FirstReveal.OFF
        )

    def minefield(self, first: Cell | None = None) -> Minefield:
        """Lay the mines; `first` is the first cell revealed, if the setup names none."""
        if self.layout is not None:
            return Minefield(self.size, self.layout)
        random_bits = seeded_bits(self.seed or 0)
        mines = place_mines(self.size, self.mine_count, random_bits)
        kind = self.rules.first_reveal
        if self.first is not None:
            first = self.first
            kind = FirstReveal.SAFE if kind is FirstReveal.OFF else kind
        if first is not None:
            mines = protect(Grid.of(self.size), mines, first, kind, random_bits)
        return Minefield(self.size, mines)

    def __repr__(self) -> str:
        source = "a layout" if self.seed is None else f"seed {self.seed}"
        first = "" if self.first is None else f" from {tuple(self.first)}"
        variant = f"{self.variant.label}, {self.mine_count} mines, {self.rules.name}"
        return f"<Setup {variant}, {source}{first}>"


def rules_of(rules: str | Rules) -> Rules:
    """Return the rules of a preset's name, or those that are given."""
    match rules:
        case Rules():
            return rules
        case str():
            return _named(rules, PRESETS, "rules")
        case _:
            raise SetupError(f"rules are the name of a preset or Rules, not {rules!r}")


def check_seed(seed: int) -> None:
    """Raise SetupError unless a number can be a seed."""
    if not 0 <= seed < _SEEDS:
        raise SetupError(f"a seed is a number of {SEED_BITS} bits")


def _named(name: str, known: Mapping[str, NamedT], what: str) -> NamedT:
    try:
        return known[name]
    except KeyError:
        raise SetupError(f"{what} {name!r} is none of {', '.join(known)}") from None
