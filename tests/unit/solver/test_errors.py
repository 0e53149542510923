from jminesweeper.core import JMinesweeperError
from jminesweeper.solver import ImpossiblePositionError, SolverError


def test_every_error_of_the_solver_is_one_of_the_package() -> None:
    assert issubclass(SolverError, JMinesweeperError)
    assert issubclass(ImpossiblePositionError, SolverError)
