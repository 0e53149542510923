import pytest

from jminesweeper.records.players import Held
from tests.unit.records.club import Club


@pytest.fixture
def club() -> Club:
    return Club()


@pytest.fixture
def ann(club: Club) -> Held:
    return club.enter("ann", "Ann")
