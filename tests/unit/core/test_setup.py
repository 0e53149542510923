"""Setups: everything that is decided before the first action."""

from collections import Counter
from dataclasses import replace
from math import comb
from typing import Any

import pytest

from jminesweeper.core.errors import NotationError, SetupError
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Rules
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import Variant
from tests.unit.core.chi_square import is_uniform

CLASSIC = PRESETS["classic"]


@pytest.mark.parametrize(
    ("size", "mines", "options", "message"),
    [
        (Size(9, 9), 0, {"seed": 1}, "holds 1 to 81 mines"),
        (Size(9, 9), -1, {"seed": 1}, "holds 1 to 81 mines"),
        (Size(9, 9), 82, {"seed": 1}, "holds 1 to 81 mines"),
        (Size(2, 1), 1, {}, "a seed or a layout"),
        (Size(2, 1), 1, {"seed": 1, "layout": 1}, "not both"),
        (Size(2, 1), 1, {"seed": -1}, "64 bits"),
        (Size(2, 1), 1, {"seed": 1 << 64}, "64 bits"),
        (Size(2, 1), 1, {"layout": 0b100}, "outside"),
        (Size(2, 1), 1, {"seed": 1, "first": (2, 0)}, "not on the board"),
        (Size(2, 1), 2, {"seed": 1, "first": (0, 0)}, "every cell holds a mine"),
        (Size(2, 1), 1, {"layout": 1, "first": (0, 0)}, "holds a mine"),
    ],
)
def test_what_cannot_be_laid_is_refused(
    size: Size, mines: int, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(SetupError, match=message):
        Setup.of(size, mines, CLASSIC, **options)


@pytest.mark.requirement("J:field size")
def test_the_smallest_board_is_one_mine() -> None:
    setup = Setup.of(Size(1, 1), 1, PRESETS["jminesweeper"], seed=1)
    assert setup.minefield().mines == 1


def test_a_layout_holds_the_number_of_mines_said() -> None:
    with pytest.raises(SetupError, match="another number"):
        Setup(Variant("custom", Size(2, 1), 2, CLASSIC), layout=1)


def test_a_setup_can_be_made_of_a_layout() -> None:
    setup = Setup.of(Size(3, 1), rules=CLASSIC, layout=0b101)
    assert (setup.mine_count, setup.minefield().mines) == (2, 0b101)


def test_different_seeds_lay_different_mines() -> None:
    layouts = {Setup.of(Size(9, 9), 10, CLASSIC, seed=n).minefield().mines for n in range(200)}
    assert len(layouts) == 200


def test_a_layout_put_by_hand_is_never_changed() -> None:
    setup = Setup.of(Size(3, 1), rules=CLASSIC, layout=0b001)
    assert not setup.protects_first_reveal
    assert setup.minefield(Cell(0, 0)).mines == 0b001


@pytest.mark.parametrize("kind", FirstReveal)
def test_a_seeded_setup_protects_the_first_reveal_as_its_rules_say(kind: FirstReveal) -> None:
    setup = Setup.of(Size(3, 3), 1, Rules("own", first_reveal=kind), seed=1)
    assert setup.protects_first_reveal is (kind is not FirstReveal.OFF)


@pytest.mark.requirement("E:Generator", "C:First-Click Safety")
@pytest.mark.parametrize(
    ("first", "layouts"), [(None, comb(6, 2)), (Cell(0, 0), comb(5, 2)), (Cell(1, 1), comb(5, 2))]
)
def test_over_many_seeds_every_allowed_layout_is_equally_likely(
    first: Cell | None, layouts: int
) -> None:
    seeds = range(1000, 1000 + 400 * layouts)
    rules = replace(CLASSIC, first_reveal=FirstReveal.SAFE)
    setups = (Setup.of(Size(3, 2), 2, rules, seed=seed) for seed in seeds)
    assert is_uniform(Counter(setup.minefield(first).mines for setup in setups), layouts)


@pytest.mark.parametrize(
    ("board", "rules", "message"),
    [
        ("huge", "classic", "not a board: 'huge'; try expert, or 30x20/130"),
        ("expert odd", None, "rules 'odd' is none of jminesweeper, classic, kata, formal"),
        ("expert 9x9/10", None, "a board of 9x9 with 10 mines is not 'expert'"),
        ("easy 9x9/10", None, "a board of 9x9 with 10 mines is not 'easy'"),
        ("huge 9x9/11", None, "a board of 9x9 with 11 mines is not 'huge'"),
        ("2x1/2", None, "a board of 2x1 holds 1 mine, not 2"),
        ("expert daily=2026-11-18", None, "only a board that was played"),
        ("expert repeat", None, "only a board that was played"),
        ("expert", "odd", "rules 'odd' is none of jminesweeper, classic, kata, formal"),
    ],
)
def test_a_board_that_is_asked_for_by_a_wrong_name_is_an_error_that_says_so(
    board: str, rules: str | None, message: str
) -> None:
    with pytest.raises(NotationError, match=message):
        Setup.of(board, rules=rules, seed=1)


def test_a_board_by_name_has_its_own_mines() -> None:
    assert Setup.of("expert", 99, seed=1).mine_count == 99
    with pytest.raises(SetupError, match="expert has 99 mines; give a size for others"):
        Setup.of("expert", 98, seed=1)


@pytest.mark.parametrize(
    ("board", "text"),
    [
        ("expert", "expert classic"),
        ("30x20/130 kata no-guess", "custom 30x20/130 kata no-guess"),
        ("easy 20x10", "easy 20x10 jminesweeper"),
    ],
)
def test_a_setup_can_be_made_of_the_text_of_a_board(board: str, text: str) -> None:
    assert Setup.of(board, seed=1).variant.text == text


@pytest.mark.parametrize(
    "text",
    [
        "expert classic seed=1234",
        "expert classic no-guess seed=18446744073709551615 first=4,15",
        "custom 3x2/2 kata layout=*../..*",
        "custom 3x2/2 kata no-guess daily=2026-11-18 repeat seed=7 first=1,0 layout=*../..*",
    ],
)
def test_a_setup_has_one_text_and_is_read_from_it(text: str) -> None:
    assert Setup.parse(text).text == text


def test_a_seed_is_given_to_a_text_without_a_source() -> None:
    assert Setup.parse("expert", seed=7) == Setup.of("expert", seed=7)
    assert Setup.parse("expert seed=8", seed=7).seed == 8
    assert Setup.parse("3x1/1 layout=*..", seed=7).seed is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("expert", "needs a seed or a layout"),
        ("expert seed=0x4d2", "not a number"),
        ("expert seed=18446744073709551616", "64 bits"),
        ("expert seed=1 seed=1", "a game has 'seed' once"),
        ("expert seed=1 first=4", "not a number: ''"),
        ("expert seed=1 first=30,1", "not on the board"),
        ("expert speed=1", "rules have no 'speed=1'"),
        ("3x2/2 layout=*.././*", "rows of one length"),
        ("3x2/2 layout=*..", "the layout is 3x1, not 3x2"),
        ("3x2/2 layout=*../...", "another number of mines"),
        ("3x2/2 layout=*../..F", "is no cell"),
        ("3x2/2 layout=*../..* seed=1", "not both"),
        ("3x2/2 layout=*../..* first=0,0", "holds a mine"),
    ],
)
def test_what_is_no_setup_is_an_error_that_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Setup.parse(text)


@pytest.mark.parametrize("kind", FirstReveal)
def test_mines_lie_around_a_first_cell_wherever_a_game_begins(kind: FirstReveal) -> None:
    rules = Rules("own", first_reveal=kind)
    for seed in range(40):
        setup = Setup.of(Size(4, 4), 7, rules, seed=seed, first=(1, 1))
        fields = {setup.minefield(cell) for cell in (None, Cell(0, 0), Cell(3, 2), Cell(1, 1))}
        assert len(fields) == 1
        (field,) = fields
        assert not field.is_mine((1, 1))
        assert kind is not FirstReveal.ZERO or field.clue((1, 1)) == 0


def test_a_setup_says_in_a_few_words_what_is_played() -> None:
    expert = "<Setup expert 30x16, 99 mines, seed 7>"
    assert repr(Setup.of("expert", seed=7)) == expert
    assert repr(Setup.of(Size(2, 1), layout=1, first=(1, 0))) == (
        "<Setup custom 2x1, 1 mine, a layout from (1, 0)>"
    )
