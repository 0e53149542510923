from jminesweeper.server.backend import Backend, keep_nothing
from tests.unit.server.fakes import FakeSession, on_loop


@on_loop
async def test_without_a_store_there_is_nothing_to_wait_for() -> None:
    backend = Backend(new_session=FakeSession)
    assert backend.commit is keep_nothing
    stored = backend.commit("a move")
    assert stored.done()
    assert await stored is None
    assert not backend.handlers
