"""The engine's errors."""

import pytest

from jminesweeper.core.errors import (
    ActionError,
    CellError,
    CoreError,
    HiddenError,
    JMinesweeperError,
    NotationError,
    SetupError,
    SizeError,
)


@pytest.mark.parametrize(
    "error", [SizeError, SetupError, CellError, ActionError, HiddenError, NotationError]
)
def test_every_error_of_the_engine_is_one_of_the_package(error: type[Exception]) -> None:
    assert issubclass(error, CoreError)
    assert issubclass(error, JMinesweeperError)
