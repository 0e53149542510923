from collections import deque
from collections.abc import Callable

import pytest

from jminesweeper.bus import game_topic
from jminesweeper.bus.local import LocalBus

ANN, BOB = game_topic("ann"), game_topic("bob")


def stumble(_message: bytes) -> None:
    raise ZeroDivisionError


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


def test_whoever_listens_hears_what_is_published(loop: Loop) -> None:
    bus = LocalBus(loop.call_soon)
    first: list[bytes] = []
    second: list[bytes] = []
    bus.subscribe(ANN, first.append)
    bus.subscribe(ANN, second.append)
    bus.publish(ANN, b"1")
    assert first == []
    loop.turn()
    assert first == second == [b"1"]


def test_nobody_hears_of_other_topics_or_what_was_before(loop: Loop) -> None:
    bus = LocalBus(loop.call_soon)
    heard: list[bytes] = []
    bus.publish(ANN, b"before")
    loop.turn()
    bus.subscribe(ANN, heard.append)
    bus.publish(BOB, b"other")
    bus.publish(ANN, b"own")
    loop.turn()
    assert heard == [b"own"]


def test_a_bug_of_one_who_listens_is_logged_and_the_others_hear(
    loop: Loop, caplog: pytest.LogCaptureFixture
) -> None:
    bus = LocalBus(loop.call_soon)
    heard: list[bytes] = []
    bus.subscribe(ANN, stumble)
    bus.subscribe(ANN, heard.append)
    bus.publish(ANN, b"1")
    loop.turn()
    assert heard == [b"1"]
    assert "ZeroDivisionError" in caplog.text


def test_who_no_longer_listens_hears_nothing(loop: Loop) -> None:
    bus = LocalBus(loop.call_soon)
    heard: list[bytes] = []
    end = bus.subscribe(ANN, heard.append)
    bus.publish(ANN, b"1")
    end()
    end()
    loop.turn()
    assert heard == []


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
