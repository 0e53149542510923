import pytest

from tests.world.server import World


@pytest.fixture
def quick_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let people win as fast as tests do."""
    monkeypatch.setattr("jminesweeper.records.results.LEAST_3BV", 1_000)


@pytest.fixture(name="world")
def a_server_without_players() -> World:
    return World()


@pytest.fixture(params=["here", "on another server"])
def there(request: pytest.FixtureRequest, world: World) -> World:
    """The server of a second player."""
    return world if request.param == "here" else world.elsewhere()
