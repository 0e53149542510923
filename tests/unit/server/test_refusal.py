from __future__ import annotations

from jminesweeper.server.backend import Backend
from jminesweeper.server.config import ServerConfig
from jminesweeper.server.lobby import Lobby
from jminesweeper.server.refusal import Refusal
from tests.unit.server.fakes import FakeSession, FakeTransport, on_loop, turn


def lobby_with(linger_s: float) -> Lobby:
    return Lobby(ServerConfig(linger_s=linger_s), Backend(new_session=FakeSession))


@on_loop
async def test_a_refused_peer_is_told_why_and_given_time_to_read_it() -> None:
    lobby = lobby_with(linger_s=60)
    refusal, transport = Refusal(lobby, "full"), FakeTransport()
    refusal.connection_made(transport)
    assert transport.written == b"<full>"
    assert transport.is_half_closed
    assert not transport.is_closed
    assert lobby.refusals == {refusal}
    refusal.connection_lost(None)
    assert lobby.refusals == set()


@on_loop
async def test_a_refused_peer_that_stays_is_cut_off() -> None:
    refusal, transport = Refusal(lobby_with(linger_s=0), "full"), FakeTransport()
    refusal.connection_made(transport)
    for _ in range(2):
        await turn()
    assert transport.is_aborted


@on_loop
async def test_a_refused_peer_can_be_cut_off_by_the_server() -> None:
    refusal = Refusal(lobby_with(linger_s=60), "full")
    transport = FakeTransport(has_half_close=False)
    refusal.connection_made(transport)
    refusal.abort()
    assert transport.is_aborted
    refusal.connection_lost(None)
