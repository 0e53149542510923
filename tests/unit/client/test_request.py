from dataclasses import replace

import pytest

from jminesweeper.client.errors import RequestError
from jminesweeper.client.request import GameRequest
from jminesweeper.core.grid import Size
from jminesweeper.core.rules import PRESETS, FirstReveal, Level, Rules
from jminesweeper.core.seedcode import format_seed_code, parse_seed_code
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol.packets import NewGame, Start
from jminesweeper.protocol.vocabulary import FirstRevealCode, GameKind, NewGameFlag, RulesCode

BOARD = Setup.of(Size(5, 4), 3, PRESETS["classic"], seed=7)


@pytest.mark.requirement("J:run_client.sh")
def test_without_a_request_it_is_the_default_game_and_no_other() -> None:
    assert GameRequest().start() == Start(20, 10, 1)
    assert GameRequest().new_game() is None
    assert not GameRequest().needs_version_2


@pytest.mark.requirement("J:option --rows", "J:option --columns", "J:option --level")
def test_rows_columns_and_level_are_said_in_either_version() -> None:
    asked = GameRequest(columns=30, rows=16, level=Level.HARD)
    asked.check()
    assert asked.start() == Start(30, 16, 3)
    assert asked.new_game() == NewGame(GameKind.LEVEL, 30, 16, 0, 3, RulesCode.JMINESWEEPER)
    assert not asked.needs_version_2


def test_a_preset_brings_its_own_size_mines_and_rules() -> None:
    asked = GameRequest(preset=CLASSIC_BOARDS["expert"])
    asked.check()
    assert asked.new_game() == NewGame(GameKind.EXPERT, 30, 16, 99, 1, RulesCode.CLASSIC)
    assert (asked.needs_version_2, asked.needs_size, asked.needs_level) == (
        True,
        False,
        False,
    )


def test_counted_mines_need_no_level() -> None:
    asked = GameRequest(columns=9, rows=9, mines=80)
    asked.check()
    assert asked.new_game() == NewGame(GameKind.OWN, 9, 9, 80, 1, RulesCode.CLASSIC)
    assert (asked.needs_size, asked.needs_level) == (True, False)


def test_details_go_along() -> None:
    asked = GameRequest(
        preset=CLASSIC_BOARDS["beginner"],
        rules=RulesCode.FORMAL,
        first_reveal=FirstRevealCode.OFF,
        seed=0,
        no_guess=True,
    )
    game = asked.new_game()
    assert game is not None
    assert game.rules == RulesCode.FORMAL
    assert game.first_reveal == FirstRevealCode.OFF
    assert game.flags == NewGameFlag.NO_GUESS | NewGameFlag.SEEDED
    assert game.seed == 0


def test_the_daily_board_may_be_that_of_a_preset() -> None:
    game = GameRequest(daily=True, preset=CLASSIC_BOARDS["intermediate"]).new_game()
    assert game is not None
    assert (game.kind, game.columns, game.rows, game.mines) == (GameKind.DAILY, 16, 16, 40)


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
        GameRequest(daily=True, rules=RulesCode.KATA),
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
        GameRequest(rules=RulesCode.KATA),
        GameRequest(first_reveal=FirstRevealCode.OFF),
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


def order(board: Setup) -> NewGame:
    game = GameRequest(board=board).new_game()
    assert game is not None
    return game


def test_a_code_becomes_the_order_of_its_board() -> None:
    board = Setup.of(Size(16, 16), 40, CLASSIC, seed=5)
    assert order(parse_seed_code(format_seed_code(board))) == NewGame(
        GameKind.INTERMEDIATE,
        16,
        16,
        40,
        0,
        RulesCode.CLASSIC,
        FirstRevealCode.SAFE,
        NewGameFlag.SEEDED,
        5,
    )


def test_the_protection_of_the_first_reveal_goes_along() -> None:
    rules = replace(PRESETS["formal"], first_reveal=FirstReveal.ZERO)
    game = order(Setup.of(Size(5, 4), 3, rules, seed=0))
    assert (game.kind, game.rules) == (GameKind.OWN, RulesCode.FORMAL)
    assert game.first_reveal == FirstRevealCode.ZERO


@pytest.mark.parametrize("rules", [replace(CLASSIC, chording=False), replace(CLASSIC, name="own")])
def test_rules_that_the_wire_cannot_say_are_refused(rules: Rules) -> None:
    with pytest.raises(RequestError, match="preset"):
        order(Setup.of(Size(5, 4), 3, rules, seed=0))
