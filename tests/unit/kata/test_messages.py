"""The exact words of the sandbox."""

import pytest

from jminesweeper.core.view import Status
from jminesweeper.kata.sandbox import CLOSING, bombs_around


@pytest.mark.parametrize(
    ("count", "message"),
    [
        (0, "[Sandbox 3x3] No bomb around your square."),
        (1, "[Sandbox 3x3] 1 bomb around your square."),
        (2, "[Sandbox 3x3] 2 bombs around your square."),
        (3, "[Sandbox 3x3] 3 bombs around your square."),
    ],
)
def test_the_number_of_bombs_is_told_as_in_the_examples(count: int, message: str) -> None:
    assert bombs_around(count) == message


def test_game_over_is_told_with_an_en_dash() -> None:
    assert CLOSING[Status.LOST] == "[Sandbox 3x3] BOOM! \u2013 Game Over."


def test_a_running_game_has_no_closing_message() -> None:
    assert Status.ONGOING not in CLOSING
