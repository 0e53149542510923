from dataclasses import replace

import pytest

from jminesweeper.client.codes import order_board, parse_code
from jminesweeper.client.errors import WishError
from jminesweeper.core import PRESETS, FirstReveal, Rules, Setup, Size, format_seed_code
from jminesweeper.protocol import FirstRevealCode, GameKind, NewGame, NewGameFlag, RulesCode

CLASSIC = PRESETS["classic"]


def test_a_code_becomes_the_order_of_its_board() -> None:
    board = Setup(Size(16, 16), 40, CLASSIC, seed=5)
    assert order_board(parse_code(format_seed_code(board))) == NewGame(
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
    game = order_board(Setup(Size(5, 4), 3, rules, seed=0))
    assert (game.kind, game.rules) == (GameKind.OWN, RulesCode.FORMAL)
    assert game.first_reveal == FirstRevealCode.ZERO


@pytest.mark.parametrize("rules", [replace(CLASSIC, chording=False), replace(CLASSIC, name="own")])
def test_rules_that_the_wire_cannot_say_are_refused(rules: Rules) -> None:
    with pytest.raises(WishError, match="preset"):
        order_board(Setup(Size(5, 4), 3, rules, seed=0))


def test_a_mistyped_code_is_refused() -> None:
    with pytest.raises(WishError, match="typing mistake"):
        parse_code("SC1S-MX")
