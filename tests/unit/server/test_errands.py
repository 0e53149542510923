"""What worker processes are sent to do."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from jminesweeper.core import parse_position
from jminesweeper.server import assistance, find_hint, lay_board, look_back
from jminesweeper.server.errands import Errand
from jminesweeper.session import FindHint


@pytest.mark.parametrize("errand", [find_hint, lay_board, look_back])
def test_every_errand_is_a_task_that_there_is(errand: Errand) -> None:
    assert callable(getattr(assistance, errand.__name__))


def test_an_errand_goes_to_another_process_and_is_the_same_task_there() -> None:
    request = FindHint(parse_position("? 1\n1 1", mine_count=1))
    arrived = pickle.loads(pickle.dumps(find_hint))
    assert arrived(request, 1.0) == assistance.find_hint(request, 1.0)


def test_a_server_starts_without_the_solver() -> None:
    program = (
        "import sys, jminesweeper.cli.embedded, jminesweeper.cli.client, jminesweeper.cli.server;"
        "sys.exit('jminesweeper.solver' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
