"""The rules as values."""

from dataclasses import replace
from typing import Any

import pytest

from jminesweeper.core.errors import NotationError, SetupError
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level, Rules, Spread, Victory
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, board_name


def test_there_are_four_presets_known_by_their_names() -> None:
    assert list(PRESETS) == ["jminesweeper", "classic", "kata", "formal"]
    assert all(rules.name == name for name, rules in PRESETS.items())


def test_the_presets_differ_as_settled() -> None:
    eight, safe, off = Spread.EIGHT, Victory.SAFE_VISIBLE, FirstReveal.OFF
    assert {name: row(rules) for name, rules in PRESETS.items()} == {
        "jminesweeper": (Spread.FOUR, Victory.FLAGS, False, False, off, True),
        "classic": (eight, safe, True, True, FirstReveal.ZERO, True),
        "kata": (eight, safe, False, False, off, True),
        "formal": (eight, Victory.EITHER, False, False, off, True),
    }


def row(rules: Rules) -> tuple[object, ...]:
    return (
        rules.spread,
        rules.victory,
        rules.chording,
        rules.flag_on_win,
        rules.first_reveal,
        rules.auto_open,
    )


@pytest.mark.parametrize("name", ["", " ", "my rules", "rules\n", "\trules", "a=b", "9", "repeat"])
def test_rules_have_a_name_of_one_word(name: str) -> None:
    with pytest.raises(SetupError, match="one word"):
        Rules(name)


def test_rules_are_written_by_what_differs_from_their_preset() -> None:
    safe = replace(PRESETS["classic"], first_reveal=FirstReveal.SAFE, auto_open=False)
    assert PRESETS["jminesweeper"].text == "jminesweeper"
    assert safe.text == "classic first-reveal=safe auto-open=no"
    own = "own first-reveal=safe chording=yes flag-on-win=yes auto-open=no"
    assert replace(safe, name="own").text == own


def test_rules_left_out_are_those_of_the_preset_or_of_the_plain_game() -> None:
    assert Rules.parse("own chording=yes") == Rules("own", chording=True)
    assert Rules.parse("classic chording=no") == replace(PRESETS["classic"], chording=False)


@pytest.mark.parametrize("text", ["", "  ", "chording=yes"])
def test_rules_without_a_name_are_an_error(text: str) -> None:
    with pytest.raises(NotationError, match="one word"):
        Rules.parse(text)


def level(kind: Level, *mines: int) -> Any:
    return pytest.param(kind, mines, marks=pytest.mark.requirement(f"J:level {kind.name}"))


@pytest.mark.requirement("J:three levels")
@pytest.mark.parametrize(
    ("kind", "mines"),
    [level(Level.EASY, 10, 3251), level(Level.MEDIUM, 50, 16256), level(Level.HARD, 90, 29261)],
)
def test_a_level_mines_a_share_of_the_cells(kind: Level, mines: tuple[int, int]) -> None:
    assert (kind.mines(Size(20, 10)), kind.mines(Size(255, 255))) == mines


def test_mines_are_rounded_half_up() -> None:
    assert Level.EASY.mines(Size(10, 1)) == 1
    assert Level.EASY.mines(Size(29, 1)) == 1
    assert Level.EASY.mines(Size(30, 1)) == 2
    assert Level.MEDIUM.mines(Size(6, 1)) == 2


@pytest.mark.parametrize("level", Level)
def test_the_smallest_board_still_has_one_mine(level: Level) -> None:
    assert level.mines(Size(1, 1)) == 1


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("text", ["number", "word", "WORD", " Word "])
def test_a_level_is_read_from_its_number_or_word_in_any_case(level: Level, text: str) -> None:
    spelt = {
        "number": str(level.value),
        "word": level.name.lower(),
        "WORD": level.name,
        " Word ": f" {level.name.title()} ",
    }
    assert Level.parse(spelt[text]) is level


@pytest.mark.parametrize("text", ["", "0", "4", "hardest", "1.0", "٣"])
def test_other_levels_are_an_error_that_says_what_is_right(text: str) -> None:
    with pytest.raises(SetupError, match="1, 2, 3, easy, medium or hard"):
        Level.parse(text)


@pytest.mark.requirement("C:Difficulty Levels")
def test_the_classic_boards_are_those_of_the_document() -> None:
    assert {name: (b.size, b.mine_count) for name, b in CLASSIC_BOARDS.items()} == {
        "beginner": (Size(9, 9), 10),
        "intermediate": (Size(16, 16), 40),
        "expert": (Size(30, 16), 99),
    }


def test_a_board_of_the_classic_game_is_known_by_its_size_and_mines() -> None:
    assert board_name(Size(30, 16), 99) == "expert"
    assert board_name(Size(30, 16), 98) == CUSTOM
    assert board_name(Size(16, 30), 99) == CUSTOM
