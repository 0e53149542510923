from collections import deque
from collections.abc import Callable

import pytest

from jminesweeper.bus import game_topic
from jminesweeper.bus.local import LocalBus

ANN = game_topic("ann")


class Loop:
    """Calls what was asked for when the test says so."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()
        self.call_soon = self._waiting.append

    def turn(self) -> None:
        while self._waiting:
            self._waiting.popleft()()


@pytest.fixture
def loop() -> Loop:
    return Loop()


def test_nobody_is_told_before_the_sender_has_returned(loop: Loop) -> None:
    bus = LocalBus(loop.call_soon)
    heard: list[bytes] = []
    bus.publish(ANN, b"before anybody listens")
    loop.turn()
    bus.subscribe(ANN, heard.append)
    bus.publish(ANN, b"1")
    assert heard == []
    loop.turn()
    assert heard == [b"1"]


def test_a_listener_may_leave_while_it_is_told(loop: Loop) -> None:
    bus = LocalBus(loop.call_soon)
    heard: list[str] = []

    def leave(_message: bytes) -> None:
        heard.append("left")
        end()

    end = bus.subscribe(ANN, leave)
    bus.subscribe(ANN, lambda _: heard.append("stayed"))
    for _ in range(2):
        bus.publish(ANN, b"1")
    loop.turn()
    assert heard == ["left", "stayed", "stayed"]
