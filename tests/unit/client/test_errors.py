import inspect

from jminesweeper.client import errors
from jminesweeper.core.errors import JMinesweeperError


def test_every_error_of_the_client_can_be_caught_as_one() -> None:
    classes = [each for _, each in inspect.getmembers(errors, inspect.isclass)]
    assert all(issubclass(each, JMinesweeperError) for each in classes)
    assert issubclass(errors.NoServerError, errors.ConnectError)
