"""The board that is played, as one value."""

from dataclasses import replace
from datetime import date

import pytest

from jminesweeper.core.errors import NotationError, SetupError
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level, Rules, Spread, Victory
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant, level_variant, parse_day

EXPERT = CLASSIC_BOARDS["expert"]
SMALL = Variant("custom", Size(5, 4), 6, PRESETS["classic"])
DAY = date(2026, 11, 18)


@pytest.mark.parametrize(
    ("variant", "label"),
    [
        (EXPERT, "expert 30x16"),
        (SMALL, "custom 5x4"),
        (replace(SMALL, is_no_guess=True), "custom no-guess 5x4"),
        (replace(EXPERT, daily=DAY), "daily expert 2026-11-18 30x16"),
        (replace(EXPERT, is_repeat=True), "expert 30x16"),
        (level_variant(Size(20, 10), Level.EASY), "easy 20x10"),
    ],
)
def test_a_variant_has_one_label(variant: Variant, label: str) -> None:
    assert variant.label == label


@pytest.mark.parametrize(
    ("variant", "name"),
    [
        (EXPERT, "expert"),
        (replace(EXPERT, is_no_guess=True), "expert no-guess"),
        (replace(EXPERT, daily=date(2026, 11, 18)), "daily expert 2026-11-18"),
        (replace(EXPERT, rules=PRESETS["formal"]), "expert, open or flag all"),
        (replace(EXPERT, size=Size(16, 30)), "expert 16x30"),
        (level_variant(Size(20, 10), Level.EASY), "easy 20x10, flag every mine"),
        (Variant("custom", Size(5, 4), 3, PRESETS["classic"]), "custom 5x4, 3 mines"),
    ],
)
def test_a_list_names_a_board_by_what_its_name_does_not_say(variant: Variant, name: str) -> None:
    assert variant.name == name


def test_a_variant_is_described_with_its_mines_and_rules() -> None:
    assert EXPERT.description == "expert 30x16, 99 mines"
    small = Variant("custom", Size(2, 1), 1, Rules("kata", chording=True))
    assert small.description == "custom 2x1, 1 mine, plain with changes"


SAFE = replace(PRESETS["classic"], first_reveal=FirstReveal.SAFE, auto_open=False)


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("expert classic", EXPERT),
        ("expert 30x16/98 classic", replace(EXPERT, mine_count=98)),
        ("custom 5x4/6 classic", SMALL),
        ("easy 20x10 jminesweeper", level_variant(Size(20, 10), Level.EASY)),
        ("hard 20x10/7 kata", Variant("hard", Size(20, 10), 7, PRESETS["kata"])),
        ("expert classic first-reveal=safe auto-open=no", replace(EXPERT, rules=SAFE)),
        ("expert classic no-guess", replace(EXPERT, is_no_guess=True)),
        (
            "expert formal no-guess daily=2026-11-18 repeat",
            Variant("expert", Size(30, 16), 99, PRESETS["formal"], True, DAY, True),
        ),
        (
            "odd 5x4/6 own spread=four victory=either",
            replace(
                SMALL,
                board="odd",
                rules=Rules("own", spread=Spread.FOUR, victory=Victory.EITHER),
            ),
        ),
    ],
)
def test_a_board_has_one_text_and_is_read_from_it(text: str, variant: Variant) -> None:
    assert variant.text == text
    assert Variant.parse(text) == variant


@pytest.mark.parametrize(
    ("short", "text"),
    [
        ("expert", "expert classic"),
        ("30x16/99", "expert classic"),
        ("  expert   no-guess ", "expert classic no-guess"),
        ("no-guess", None),
        ("30x16/98", "custom 30x16/98 classic"),
        ("5x4/6 repeat kata no-guess", "custom 5x4/6 kata no-guess repeat"),
        ("easy 9x9", "easy 9x9 jminesweeper"),
        ("medium 9x9 classic", "medium 9x9 classic"),
        ("expert chording=no", "expert classic chording=no"),
        ("expert classic chording=yes", "expert classic"),
        ("easy 9x9/4", "easy 9x9 jminesweeper"),
    ],
)
def test_what_is_left_out_of_a_board_is_usual(short: str, text: str | None) -> None:
    if text is None:
        with pytest.raises(NotationError):
            Variant.parse(short)
    else:
        assert Variant.parse(short).text == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a board: ''; try expert, or 30x20/130"),
        ("huge", "not a board: 'huge'"),
        ("x" * 99, f"not a board: '{'x' * 40}'"),
        ("-1x4/3", "not a board"),
        ("easy", "easy needs a size, like easy 20x10"),
        ("30x20", "30x20 needs its mines"),
        ("30/20", "written like 30x16, not '30'"),
        ("9x9/ten", "not a number: 'ten'"),
        ("9x9/1_0", "not a number: '1_0'"),
        ("9x9/99", "1 to 81 mines, not 99"),
        ("9x9/0", "1 to 81 mines, not 0"),
        ("9x9/" + "9" * 5000, "not a number"),
        ("9x900/1", "rows must be 1 to 255"),
        ("9x/1", "not a number: ''"),
        ("9x9x9/1", "not a number: '9x9'"),
        ("9x\u0669/1", "not a number"),
        ("expert classic kata", "rules have no 'kata'"),
        ("expert classic chording=maybe", "rules have no 'chording=maybe'"),
        ("expert classic name=x", "rules have no 'name=x'"),
        ("expert chording=no chording=no", "rules have 'chording' once"),
        ("expert " + "c=" * 99, f"rules have no '{'c=' * 20}'$"),
        ("expert repeat repeat", "a board has 'repeat' once"),
        ("expert no-guess no-guess", "a board has 'no-guess' once"),
        ("expert repeat=no", "rules have no 'repeat=no'"),
        ("expert seed=1", "rules have no 'seed=1'"),
        ("expert daily", "written like 2026-11-18, not ''"),
        ("expert daily=20261118", "not '20261118'"),
        ("expert daily=2026-11-18 daily=2026-11-19", "a board has 'daily' once"),
    ],
)
def test_what_is_no_board_is_an_error_that_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        Variant.parse(text)


@pytest.mark.parametrize(
    "text",
    ["", "2026-1-1", "18.11.2026", "2026-13-01", "2026-01-32", "2026-11-18T00:00", "20261118",
     "2026-W47-3", "2026-02-29", "\u0662\u0660\u0662\u0666-11-18"],
)  # fmt: skip
def test_a_day_is_written_in_one_way(text: str) -> None:
    with pytest.raises(NotationError, match="written like 2026-11-18"):
        parse_day(text)
    assert parse_day("2026-11-18") == DAY


def test_results_are_compared_whatever_day_it_was_and_whether_the_board_was_seen() -> None:
    assert replace(EXPERT, daily=DAY, is_repeat=True).category == EXPERT
    assert replace(EXPERT, is_no_guess=True).category != EXPERT
    assert EXPERT.category is EXPERT


def test_a_classic_board_is_one_by_name_size_and_mines() -> None:
    assert replace(EXPERT, rules=PRESETS["jminesweeper"], daily=DAY).is_classic_board
    assert not replace(EXPERT, mine_count=98).is_classic_board
    assert not SMALL.is_classic_board


def test_a_level_is_a_share_of_the_cells() -> None:
    hard = level_variant(Size(20, 10), Level.HARD)
    assert (hard.board, hard.mine_count, hard.rules) == ("hard", 90, PRESETS["jminesweeper"])
    assert level_variant(Size(20, 10), Level.HARD, PRESETS["classic"]).rules == PRESETS["classic"]


def test_a_board_seen_before_is_marked() -> None:
    assert EXPERT.as_repeat() == replace(EXPERT, is_repeat=True)


@pytest.mark.parametrize("name", ["", " ", "two words", "line\nbreak", "9x9", "no-guess", "a=b"])
def test_a_board_has_a_name_of_one_word(name: str) -> None:
    with pytest.raises(SetupError, match="one word"):
        replace(SMALL, board=name)


@pytest.mark.parametrize("mine_count", [-1, 0, 21])
def test_a_board_holds_as_many_mines_as_it_has_room_for(mine_count: int) -> None:
    with pytest.raises(SetupError, match="1 to 20 mines"):
        replace(SMALL, mine_count=mine_count)
