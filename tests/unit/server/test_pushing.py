"""An action on a shared board as others see it, through real sessions and connections."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType

from jminesweeper.core.view import COVERED, FLAGGED
from jminesweeper.protocol.packets import Act
from jminesweeper.protocol.vocabulary import Button
from tests.world.server import SHARED, World

MOST_CALLS = 45
"""Calls of functions for a frame that a partner is shown."""


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


def test_an_action_on_a_shared_board_of_five_is_four_frames_of_few_calls() -> None:
    world = World()
    ada, *partners = friends = [world.friend(f"Player {number}") for number in range(5)]
    world.begin(*friends, kind=SHARED)
    world.shows_at_once = False
    cells = [cell for cell, face in enumerate(ada.faces) if face == COVERED]
    calls = Calls("Audience._show")
    for number, cell in enumerate(cells[:4], start=1):
        # Nothing else is to be shown any more.
        world.let_pass(1_000)
        before = [len(player.replies) for player in partners]
        # Those who have seen nothing yet of what the others saw are each told by themselves.
        sys.setprofile(calls if number > 1 else None)
        ada.say(Act(cell % 9, cell // 9, Button.FLAG, COVERED))
        world.let_pass(40)
        sys.setprofile(None)
        assert [len(player.replies) for player in partners] == [count + 1 for count in before]
        assert all(player.faces[cell] == COVERED | FLAGGED for player in partners)
        assert all(player.members["left"] == 10 - number for player in partners)
    assert calls.counts["Viewer.write"] == 0
    assert 0 < calls.counts.total() <= 3 * len(partners) * MOST_CALLS
