import pytest

from tests.unit.session.party import Party


@pytest.fixture
def quick_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let people win as fast as tests do."""
    monkeypatch.setattr("jminesweeper.records.results.LEAST_3BV", 1_000)


@pytest.fixture(name="party")
def party_of_nobody() -> Party:
    return Party()
