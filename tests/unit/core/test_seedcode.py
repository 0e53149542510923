"""Codes to share a board, and the board of the day."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from jminesweeper.core.errors import NotationError, SetupError
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, FirstReveal, MineEffect, Rules, Spread, Victory
from jminesweeper.core.seedcode import daily_setup, format_seed_code, parse_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS

CLASSIC = PRESETS["classic"]
SEED = bytes(range(32))
EXPERT = Setup.of(Size(30, 16), 99, CLASSIC, seed=12345)
SAFE = replace(CLASSIC, first_reveal=FirstReveal.SAFE)
OWN = Rules("own", Spread.FOUR, Victory.EITHER, True, False, FirstReveal.ZERO, False)
SETUPS = [
    (EXPERT, "SC1S-MQ"),
    (Setup.of(Size(9, 9), 10, CLASSIC, seed=0), "904N"),
    (Setup.of(Size(20, 10), 10, PRESETS["jminesweeper"], seed=12345), "009G-J009-C1S4-V"),
    (Setup.of(Size(255, 255), 65025, OWN, seed=(1 << 64) - 1), "43ZF-XZG0-1WCF-ZZZZ-ZZZZ-ZZZZ-KX"),
    (Setup.of(Size(1, 1), 1, PRESETS["kata"], seed=1 << 63), "2000-0000-8000-0000-0000-0QW"),
    (Setup.of("expert", seed=12345, first=(4, 4)), "ZS01-04C1-S9A"),
    (
        Setup(replace(EXPERT.variant, is_no_guess=True), 12345, first=Cell(4, 4)),
        "ZS21-04C1-S48",
    ),
    (Setup.of(Size(9, 9), 10, replace(CLASSIC, mine=MineEffect.LIFE), seed=1), "C0RQ-1EP"),
    (Setup.of("intermediate", rules=SAFE, seed=7), "M0QX-7NJ"),
]


SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def number_of(symbols: str) -> int:
    number = 0
    for symbol in symbols:
        number = number * 32 + SYMBOLS.index(symbol)
    return number


def with_check(body: str) -> str:
    """Write a check as another program, or a later version, would."""
    check = (1 - number_of(f"1{body}00")) % 1021
    return body + SYMBOLS[check // 32] + SYMBOLS[check % 32]


def own_board(columns: int, rows: int, mines: int) -> str:
    packed = (columns - 1) << 24 | (rows - 1) << 16 | (mines - 1)
    return "".join(SYMBOLS[packed >> shift & 31] for shift in range(30, -1, -5))


@pytest.mark.parametrize(("setup", "code"), SETUPS)
def test_a_code_is_always_written_the_same_way_and_read_back(setup: Setup, code: str) -> None:
    """Pinned: codes that were given away must be read for ever."""
    assert format_seed_code(setup) == code
    assert parse_seed_code(code) == setup


@pytest.mark.parametrize(
    "typed",
    ["sc1s-mq", "SC1SMQ", " sC1s mQ\n", "SCIS-MQ", "sclsmq", "S-C-1-S-M-Q", "SC1S\N{EN DASH}MQ"],
)
def test_what_people_do_to_codes_is_forgiven(typed: str) -> None:
    assert parse_seed_code(typed) == EXPERT


@pytest.mark.parametrize(
    "text",
    ["", "-", "S", "MQ", "SC1S-MR", "SC1S", "CS1S-MQ", "SC1S-MQ0", "0SC1-SMQ", "SC1S-MU", "SC1S_MQ",
     "SC1S-N♥", "0" * 30, "S" * 10_000],
)  # fmt: skip
def test_a_mistyped_code_is_an_error(text: str) -> None:
    with pytest.raises(NotationError, match="check for typos"):
        parse_seed_code(text)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("NC1S", "does not know this seed code: unknown rules"),
        ("0ZZZZZZZ5", "does not know this seed code: columns must be"),
        ("007S3M000", "does not know this seed code: a board of"),
        ("MZZ5", "does not know this seed code: unknown rules"),
        ("S05", "writes this seed code differently"),
        ("S", "check for typos"),
        (f"1{own_board(9, 9, 10)}5", "writes this seed code differently"),
        (f"1{own_board(9, 9, 82)}5", "does not know this seed code: a board of 9x9 holds 1 to 81"),
        (f"1{own_board(256, 9, 10)}5", "does not know this seed code: columns must be 1 to 255"),
        ("C00005", "writes this seed code differently"),
    ],
)
def test_a_code_that_holds_what_there_is_not_is_an_error(body: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_seed_code(with_check(body))


def test_a_board_laid_by_hand_has_no_code() -> None:
    with pytest.raises(SetupError, match="comes from a seed"):
        format_seed_code(Setup.of(Size(2, 1), rules=CLASSIC, layout=1))


def test_rules_with_a_name_of_their_own_come_back_as_own() -> None:
    setup = Setup.of(Size(5, 5), 5, replace(OWN, name="house"), seed=1)
    assert parse_seed_code(format_seed_code(setup)) == replace(
        setup, variant=replace(setup.variant, rules=OWN)
    )


def test_a_code_does_not_tell_of_which_day_a_board_is() -> None:
    daily = daily_setup(date(2026, 11, 18), "expert", SEED)
    assert parse_seed_code(format_seed_code(daily)).variant == CLASSIC_BOARDS["expert"]


def test_a_no_guess_board_has_a_code_once_it_is_laid() -> None:
    asked = Setup(replace(EXPERT.variant, is_no_guess=True), 12345)
    assert not asked.has_code
    with pytest.raises(SetupError, match="once it is laid"):
        format_seed_code(asked)
    laid = replace(asked, layout=EXPERT.minefield().mines, first=Cell(4, 4))
    assert parse_seed_code(format_seed_code(laid)) == replace(laid, layout=None)


@pytest.mark.parametrize("board", CLASSIC_BOARDS)
def test_the_code_of_a_game_is_its_board_for_everybody_wherever_they_begin(board: str) -> None:
    for seed in range(30):
        game = Game(Setup.of(board, seed=seed))
        game.reveal((4, 4))
        code = format_seed_code(game.shared_setup)
        for cell in ((0, 0), (8, 8), (4, 4)):
            other = Game(parse_seed_code(code))
            other.reveal(cell)
            assert other.view == game.view
            assert other.reveal_truth() == game.reveal_truth()


def test_without_a_first_cell_a_code_is_another_board_for_who_begins_elsewhere() -> None:
    for setup in [Setup.of("beginner", seed=seed) for seed in range(50)]:
        fields = {setup.minefield(cell) for cell in Game(setup).view}
        assert len(fields) > 1


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("beginner", "Z901-825E-P58C-8W4T-Q8XM-B"),
        ("intermediate", "ZH03-R8C8-9JJ3-5R3F-J0FG-2"),
        ("expert", "ZS04-0A2R-D1ZM-H0XJ-AHT8-S"),
    ],
)
def test_the_board_of_a_day_follows_from_its_seed(name: str, code: str) -> None:
    """Pinned: whoever has the seed finds the boards, with any version."""
    assert format_seed_code(daily_setup(date(2026, 11, 18), name, SEED)) == code


def test_every_day_and_board_has_another_layout() -> None:
    days = [date(2026, month, day) for month in range(1, 13) for day in range(1, 29)]
    setups = [daily_setup(day, board, SEED) for day in days for board in CLASSIC_BOARDS]
    assert len({setup.seed for setup in setups}) == len(setups)
    assert {setup.rules for setup in setups} == {CLASSIC}


def test_a_daily_board_opens_widely_for_everybody() -> None:
    for month in range(1, 13):
        game = Game(daily_setup(date(2026, month, 1), "expert", SEED))
        game.reveal((0, 0))
        assert game.setup.first is not None
        assert game.view[game.setup.first] == 0


def test_a_daily_board_says_so_and_counts_with_its_category() -> None:
    day = date(2026, 11, 18)
    variant = daily_setup(day, "expert", SEED).variant
    assert variant == replace(CLASSIC_BOARDS["expert"], daily=day)
    assert variant.category == CLASSIC_BOARDS["expert"]


def test_only_boards_of_the_classic_game_have_a_daily_layout() -> None:
    with pytest.raises(SetupError, match="no daily board 'easy'"):
        daily_setup(date(2026, 11, 18), "easy", SEED)
