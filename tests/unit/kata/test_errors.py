"""The errors of the kata."""

import pytest

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.kata.errors import BombCountError, MoveError, PictureError, SquareError


@pytest.mark.parametrize("error", [BombCountError, MoveError, PictureError, SquareError])
def test_every_error_of_the_kata_is_one_of_the_package(error: type[Exception]) -> None:
    assert issubclass(error, JMinesweeperError)
