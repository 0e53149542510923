"""What others at a shared board are shown of an action, through real sessions and connections."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from types import FrameType
from typing import Any

from jminesweeper.core.view import COVERED, FLAGGED
from jminesweeper.protocol.packets import Act, Hello, Join, OpenRoom, Ready
from jminesweeper.protocol.vocabulary import Button, Feature, RoomKind
from jminesweeper.records.table import Woken
from tests.late_server import LatePlayer, LateServer
from tests.unit.server.fakes import turn

MOST_CALLS = 45
"""Calls of functions for a frame that a partner is shown."""


def shown(player: LatePlayer) -> Mapping[str, Any]:
    player.look_at_replies()
    return player.members


async def share_a_board(server: LateServer, count: int) -> list[LatePlayer]:
    players = [server.connect() for _ in range(count)]
    for number, player in enumerate(players):
        key = bytes((number,)) * 16
        player.say(Hello(Feature.RESUME | Feature.LIVE, key, f"Player {number}"))
        await server.rest()
    players[0].say(OpenRoom(RoomKind.SHARED, board="beginner"))
    await server.rest()
    players[0].look_at_replies()
    code = players[0].members["room"]["code"]
    for player in players[1:]:
        player.say(Join(code))
        await server.rest()
    for player in players:
        player.say(Ready())
        await server.rest()
    for _ in range(6):
        server.clock.advance(1)
        server.hub.backend.matches.tables.send(code, Woken())
        await server.rest()
    while any(shown(player).get("state") != "playing" for player in players):
        await turn()
    return players


class Calls:
    """Counts the calls of our functions below those of one name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._depth = 0
        self.counts: Counter[str] = Counter()

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if code.co_qualname == self._name:
            self._depth += {"call": 1, "return": -1}.get(event, 0)
        elif self._depth and event == "call" and "jminesweeper" in code.co_filename:
            self.counts[code.co_qualname] += 1


async def test_an_action_on_a_shared_board_of_five_is_four_frames_of_few_calls() -> None:
    server = LateServer()
    ada, *partners = await share_a_board(server, 5)
    columns, _ = ada.members["size"]
    cells = [cell for cell, face in enumerate(ada.faces) if face == COVERED]
    calls = Calls("Audience._show")
    (place,) = server.hub.backend.matches.tables._places.values()
    for number, cell in enumerate(cells[:4], start=1):
        while place.players._cancel is not None:
            # Something else is to be shown yet.
            await turn()
        before = [len(player.look_at_replies()) for player in partners]
        # Those who have seen nothing yet of what the others saw are each told by themselves.
        sys.setprofile(calls if number > 1 else None)
        ada.say(Act(cell % columns, cell // columns, Button.FLAG, COVERED))
        await server.rest()
        while any(shown(player)["left"] != 10 - number for player in partners):
            await turn()
        sys.setprofile(None)
        await server.rest()
        after = [len(player.look_at_replies()) for player in partners]
        assert after == [count + 1 for count in before]
        assert all(player.faces[cell] == COVERED | FLAGGED for player in partners)
    assert calls.counts["Viewer.write"] == 0
    assert calls.counts.total() <= 3 * len(partners) * MOST_CALLS
