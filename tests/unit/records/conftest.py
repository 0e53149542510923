import pytest

from jminesweeper.records.players import PlayerCopy
from tests.unit.records.club import Club


@pytest.fixture
def club() -> Club:
    return Club()


@pytest.fixture
def ann(club: Club) -> PlayerCopy:
    return club.enter("ann", "Ann")
