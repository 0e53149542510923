import pytest

from tests.unit.session.party import Party


@pytest.fixture(name="party")
def party_of_nobody() -> Party:
    return Party()
