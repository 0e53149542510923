"""Everything that is decided about a game before its first action: the board and its mines.

A setup's text is the text of its board (`variant`) and the source of its mines, for instance
``expert classic seed=1234 first=4,4``. A layout is written as its rows, with a slash between:
``custom 3x2/2 kata layout=*../..*``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import NoneType

from jminesweeper.core.errors import NotationError, SetupError, check_kind, reading
from jminesweeper.core.grid import Cell, Place, Size, parse_number, place_of
from jminesweeper.core.minefield import Minefield, place_mines, protect, seeded_bits
from jminesweeper.core.rules import PRESETS, FirstReveal, Rules, check_preset
from jminesweeper.core.variant import Variant, asked_board, sized_variant
from jminesweeper.core.view import parse_board

SEED_BITS = 64
_SEEDS = 1 << SEED_BITS

_TOP_LEFT = Cell(0, 0)
_SOURCES = ("seed", "first", "layout")


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
            field = Minefield(self.size, self.layout)
            if self.seed is not None and not self.variant.is_no_guess:
                raise SetupError("a game needs a seed or a layout, not both")
            if field.mine_count != self.mine_count:
                raise SetupError("the layout holds another number of mines")
            if self.first is not None and field.is_mine(self.first):
                raise SetupError("the first cell of the layout holds a mine")
        elif self.seed is None:
            raise SetupError("a game needs a seed or a layout")
        if self.first is not None and not self.size.has(self.first):
            raise SetupError("the first cell is not on the board")
        if self.first is not None and not self.variant.safe_count:
            raise SetupError("every cell holds a mine, the first one too")

    @staticmethod
    def of(
        board: str | Size,
        mine_count: int = 0,
        rules: str | Rules | None = None,
        *,
        seed: int | None = None,
        layout: int | None = None,
        first: Place | None = None,
    ) -> Setup:
        """Set a game up from a board's text, such as "expert", or from a size and its mines.

        With a layout its mines are counted. Rules are those of the text, or else classic.
        """
        played = None if rules is None else rules_of(rules)
        check_kind("board", board, (str, Size), "a text or a Size")
        check_kind("mine_count", mine_count, int, "a number")
        check_kind("layout", layout, (int, NoneType), "a set of cells as a number")
        match board:
            case str():
                variant = asked_board(board)
                if played is not None:
                    variant = replace(variant, rules=played)
                if mine_count not in {0, variant.mine_count}:
                    raise SetupError(
                        f"{board} has {variant.mine_count} mines; give a size for others"
                    )
            case _:
                mines = mine_count if layout is None else layout.bit_count()
                variant = sized_variant(board, mines, played or PRESETS["classic"])
        return Setup(variant, seed, layout, None if first is None else place_of(first, "first"))

    @property
    def size(self) -> Size:
        """Columns and rows of the board."""
        return self.variant.size

    @property
    def mine_count(self) -> int:
        """Number of mines."""
        return self.variant.mine_count

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.variant.rules

    def as_repeat(self) -> Setup:
        """Return the same setup, its board marked as seen before."""
        return replace(self, variant=self.variant.as_repeat())

    @property
    def has_code(self) -> bool:
        """True if a seed code can tell this board."""
        return self.seed is not None and (self.first is not None or not self.variant.is_no_guess)

    @property
    def needs_layout(self) -> bool:
        """True if the solver has to lay the mines before the first reveal."""
        return self.variant.is_no_guess and self.layout is None

    @property
    def protects_first_reveal(self) -> bool:
        """True if the first reveal cannot hit a mine, where the board has room."""
        return self.first is not None or (
            self.layout is None and self.variant.rules.first_reveal is not FirstReveal.OFF
        )

    @property
    def start(self) -> Cell:
        """The cell at which a player starts.

        Its first cell, if the board has one; where the first reveal opens, the middle, from where
        an opening leads furthest; else the top left.
        """
        if self.first is not None:
            return self.first
        variant = self.variant
        if variant.rules.first_reveal is FirstReveal.ZERO and self.layout is None:
            return Cell(variant.size.columns // 2, variant.size.rows // 2)
        return _TOP_LEFT

    def minefield(self, first: Cell | None = None) -> Minefield:
        """Lay the mines; `first` is the first cell revealed, if the setup names none."""
        variant = self.variant
        if self.layout is not None:
            return Minefield(variant.size, self.layout)
        random_bits = seeded_bits(self.seed or 0)
        mines = place_mines(variant.size, variant.mine_count, random_bits)
        kind = variant.rules.first_reveal
        if self.first is not None:
            first = self.first
            kind = FirstReveal.SAFE if kind is FirstReveal.OFF else kind
        if first is not None:
            mines = protect(variant.grid, mines, first, kind, random_bits)
        return Minefield(variant.size, mines)

    @property
    def text(self) -> str:
        """The setup as `parse` reads it."""
        words = [self.variant.text]
        if self.seed is not None:
            words.append(f"seed={self.seed}")
        if self.first is not None:
            words.append(f"first={self.first.column},{self.first.row}")
        if self.layout is not None:
            rows = str(Minefield(self.size, self.layout)).replace("\n", "/")
            words.append(f"layout={rows}")
        return " ".join(words)

    @staticmethod
    def parse(text: str, seed: int | None = None) -> Setup:
        """Read a setup; the seed is for a text that names none and no layout.

        NotationError if there is no such board.
        """
        board, source = [], dict[str, str]()
        for word in text.split():
            name, _, value = word.partition("=")
            if name not in _SOURCES:
                board.append(word)
            elif name in source:
                raise NotationError(f"a game has {name!r} once")
            else:
                source[name] = value
        variant, layout, first = Variant.parse(" ".join(board)), None, None
        if "layout" in source:
            field = parse_board(source["layout"].replace("/", "\n"))
            if field.size != variant.size:
                raise NotationError(f"the layout is {field.size}, not {variant.size}")
            layout = field.mines
        if "first" in source:
            column, _, row = source["first"].partition(",")
            first = Cell(parse_number(column), parse_number(row))
        if "seed" in source:
            seed = parse_number(source["seed"])
        elif layout is not None:
            seed = None
        with reading():
            return Setup(variant, seed, layout, first)

    def __repr__(self) -> str:
        source = "a layout" if self.seed is None else f"seed {self.seed}"
        first = "" if self.first is None else f" from {tuple(self.first)}"
        return f"<Setup {self.variant.description}, {source}{first}>"


def rules_of(rules: str | Rules) -> Rules:
    """Return the rules of a text such as a preset's name, or the given ones."""
    check_kind("rules", rules, (str, Rules), "a text or Rules")
    if isinstance(rules, Rules):
        return rules
    named = Rules.parse(rules)
    check_preset(named)
    return named


def check_seed(seed: int) -> None:
    """Raise SetupError unless a number can be a seed."""
    check_kind("seed", seed, int, "a number")
    if not 0 <= seed < _SEEDS:
        raise SetupError(f"a seed is a number of {SEED_BITS} bits")
