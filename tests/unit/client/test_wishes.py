import pytest

from jminesweeper.client.errors import WishError
from jminesweeper.client.wishes import Preset, Wishes
from jminesweeper.core import PRESETS, Level, Setup, Size
from jminesweeper.protocol import (
    FirstRevealCode,
    GameKind,
    NewGame,
    NewGameFlag,
    RulesCode,
    Start,
)

BOARD = Setup(Size(5, 4), 3, PRESETS["classic"], seed=7)


@pytest.mark.requirement("J:run_client.sh")
def test_nothing_wished_is_the_default_game_and_no_other() -> None:
    assert Wishes().start() == Start(20, 10, 1)
    assert Wishes().new_game() is None
    assert not Wishes().needs_version_2


@pytest.mark.requirement("J:option --rows", "J:option --columns", "J:option --level")
def test_rows_columns_and_level_are_said_in_either_version() -> None:
    wishes = Wishes(columns=30, rows=16, level=Level.HARD)
    wishes.check()
    assert wishes.start() == Start(30, 16, 3)
    assert wishes.new_game() == NewGame(GameKind.LEVEL, 30, 16, 0, 3, RulesCode.JMINESWEEPER)
    assert not wishes.needs_version_2


def test_a_preset_brings_its_own_size_mines_and_rules() -> None:
    wishes = Wishes(preset=Preset.EXPERT)
    wishes.check()
    assert wishes.new_game() == NewGame(GameKind.EXPERT, 30, 16, 99, 1, RulesCode.CLASSIC)
    assert (wishes.needs_version_2, wishes.needs_size, wishes.needs_level) == (True, False, False)


def test_counted_mines_need_no_level() -> None:
    wishes = Wishes(columns=9, rows=9, mines=80)
    wishes.check()
    assert wishes.new_game() == NewGame(GameKind.OWN, 9, 9, 80, 1, RulesCode.CLASSIC)
    assert (wishes.needs_size, wishes.needs_level) == (True, False)


def test_details_go_along() -> None:
    wishes = Wishes(
        preset=Preset.BEGINNER,
        rules=RulesCode.FORMAL,
        first_reveal=FirstRevealCode.OFF,
        seed=0,
        no_guess=True,
    )
    game = wishes.new_game()
    assert game is not None
    assert game.rules == RulesCode.FORMAL
    assert game.first_reveal == FirstRevealCode.OFF
    assert game.flags == NewGameFlag.NO_GUESS | NewGameFlag.SEEDED
    assert game.seed == 0


def test_the_daily_board_may_be_that_of_a_preset() -> None:
    game = Wishes(daily=True, preset=Preset.INTERMEDIATE).new_game()
    assert game is not None
    assert (game.kind, game.columns, game.rows, game.mines) == (GameKind.DAILY, 16, 16, 40)


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(preset=Preset.EXPERT, rows=3),
        Wishes(preset=Preset.EXPERT, mines=3),
        Wishes(preset=Preset.EXPERT, level=Level.HARD),
        Wishes(level=Level.HARD, mines=3),
        Wishes(daily=True, seed=3),
        Wishes(columns=3, rows=3, mines=9),
        Wishes(board=BOARD, rows=3),
        Wishes(board=BOARD, preset=Preset.EXPERT),
        Wishes(board=BOARD, seed=3),
        Wishes(board=BOARD, daily=True),
    ],
)
def test_wishes_that_exclude_each_other_are_refused(wishes: Wishes) -> None:
    with pytest.raises(WishError):
        wishes.check()


def test_one_cell_holds_one_mine() -> None:
    Wishes(columns=1, rows=1, mines=1).check()


@pytest.mark.parametrize(
    "wishes",
    [
        Wishes(mines=1),
        Wishes(rules=RulesCode.KATA),
        Wishes(first_reveal=FirstRevealCode.OFF),
        Wishes(seed=0),
        Wishes(no_guess=True),
        Wishes(daily=True),
        Wishes(board=BOARD),
    ],
)
def test_what_start_cannot_say_needs_version_2(wishes: Wishes) -> None:
    assert wishes.needs_version_2
    assert wishes.new_game() is not None


def test_a_whole_board_needs_nothing_else() -> None:
    wishes = Wishes(board=BOARD)
    wishes.check()
    assert wishes.start() == Start(5, 4, 1)
    assert (wishes.needs_size, wishes.needs_level) == (False, False)
