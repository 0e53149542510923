from dataclasses import replace

import pytest

from jminesweeper.client.request import GameRequest, RequestError
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level, Rules
from jminesweeper.core.seedcode import format_seed_code, parse_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.protocol.packets import NewGame, Start

BOARD = Setup.of(Size(5, 4), 3, PRESETS["classic"], seed=7)


@pytest.mark.requirement("J:run_client.sh")
def test_without_a_request_it_is_the_default_game_and_no_other() -> None:
    assert GameRequest().start() == Start(20, 10, 1)
    assert GameRequest().new_game() is None
    assert not GameRequest().needs_version_2


def test_details_go_along() -> None:
    asked = GameRequest(
        preset=CLASSIC_BOARDS["beginner"],
        rules="formal",
        first_reveal=FirstReveal.OFF,
        seed=0,
        no_guess=True,
    )
    assert asked.text == "beginner formal no-guess seed=0"


@pytest.mark.parametrize(
    ("preset", "text"), [(None, "daily"), (CLASSIC_BOARDS["intermediate"], "daily intermediate")]
)
def test_the_daily_board_may_be_that_of_a_preset(preset: Variant | None, text: str) -> None:
    assert GameRequest(daily=True, preset=preset).new_game() == NewGame(text)


@pytest.mark.parametrize(
    "asked",
    [
        GameRequest(preset=CLASSIC_BOARDS["expert"], rows=3),
        GameRequest(preset=CLASSIC_BOARDS["expert"], mines=3),
        GameRequest(preset=CLASSIC_BOARDS["expert"], level=Level.HARD),
        GameRequest(level=Level.HARD, mines=3),
        GameRequest(daily=True, seed=3),
        GameRequest(daily=True, rows=9),
        GameRequest(daily=True, level=Level.HARD),
        GameRequest(daily=True, mines=3),
        GameRequest(daily=True, rules="kata"),
        GameRequest(daily=True, no_guess=True),
        GameRequest(columns=3, rows=3, mines=9),
        GameRequest(board=BOARD, rows=3),
        GameRequest(board=BOARD, preset=CLASSIC_BOARDS["expert"]),
        GameRequest(board=BOARD, seed=3),
        GameRequest(board=BOARD, daily=True),
    ],
)
def test_a_request_that_contradicts_itself_is_refused(asked: GameRequest) -> None:
    with pytest.raises(RequestError):
        asked.check()


def test_one_cell_holds_one_mine() -> None:
    GameRequest(columns=1, rows=1, mines=1).check()


@pytest.mark.parametrize(
    "asked",
    [
        GameRequest(mines=1),
        GameRequest(rules="kata"),
        GameRequest(first_reveal=FirstReveal.OFF),
        GameRequest(seed=0),
        GameRequest(no_guess=True),
        GameRequest(daily=True),
        GameRequest(board=BOARD),
    ],
)
def test_what_start_cannot_say_needs_version_2(asked: GameRequest) -> None:
    assert asked.needs_version_2
    assert asked.new_game() is not None


def test_a_whole_board_needs_nothing_else() -> None:
    asked = GameRequest(board=BOARD)
    asked.check()
    assert asked.start() == Start(5, 4, 1)
    assert (asked.needs_size, asked.needs_level) == (False, False)


CLASSIC = PRESETS["classic"]


def order(board: Setup) -> str:
    return GameRequest(board=board).text


@pytest.mark.parametrize(
    "board",
    [
        Setup.of(Size(16, 16), 40, CLASSIC, seed=5),
        Setup.of("expert", seed=5, first=(4, 4)),
        Setup.of(Size(5, 4), 3, replace(CLASSIC, first_reveal=FirstReveal.ZERO), seed=0),
        Setup.of(Size(5, 4), 3, replace(CLASSIC, chording=False), seed=0),
    ],
    ids=repr,
)
def test_a_code_becomes_the_order_of_its_board(board: Setup) -> None:
    assert Setup.parse(order(parse_seed_code(format_seed_code(board)))) == board


@pytest.mark.parametrize(
    "rules", [replace(CLASSIC, flag_on_win=False), replace(CLASSIC, name="own")]
)
def test_rules_that_no_server_plays_are_refused(rules: Rules) -> None:
    with pytest.raises(RequestError, match="preset"):
        order(Setup.of(Size(5, 4), 3, rules, seed=0))
