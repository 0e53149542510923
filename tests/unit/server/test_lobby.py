from __future__ import annotations

import logging

import pytest

from jminesweeper.server.lobby import READ_SIZE
from tests.unit.server.fakes import MOVE_BYTE, Wire, on_loop


def test_coming_and_going_is_logged_with_duration_and_counts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @on_loop
    async def play() -> None:
        wire = Wire()
        wire.send(MOVE_BYTE)
        wire.clock.advance(12.5)
        wire.hang_up()
        assert wire.lobby.totals.connections == 1
        assert wire.lobby.totals.packets == 1

    with caplog.at_level(logging.INFO):
        play()
    assert caplog.messages == ["peer connected", "peer left after 12.5 s: 1 packets, 0 games ended"]
    assert vars(caplog.records[1])["duration_s"] == 12.5


@on_loop
async def test_a_seat_is_free_again_when_its_player_has_left() -> None:
    wire = Wire()
    wire.lobby.admission = type(wire.lobby.admission)(max_connections=1, max_per_origin=0)
    wire.lobby.admission.enter("somewhere")
    assert wire.lobby.admission.refusal("elsewhere") is not None
    wire.hang_up()
    assert wire.lobby.admission.refusal("elsewhere") is None


@on_loop
async def test_the_last_to_leave_ends_the_waiting() -> None:
    wire = Wire()
    await wire.lobby.emptied(0)
    assert wire.lobby.connections
    wire.hang_up()
    await wire.lobby.emptied(60)
    assert not wire.lobby.connections


@on_loop
async def test_all_connections_read_into_one_small_buffer() -> None:
    wire, other = Wire(), Wire()
    assert len(wire.connection.get_buffer(-1)) == READ_SIZE
    assert wire.connection.get_buffer(65_536) is wire.connection.get_buffer(1)
    assert wire.connection.get_buffer(1) is not other.connection.get_buffer(1)
