"""However slow the line is, what was typed ends where it would have ended without one."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st

from jminesweeper.client import events
from jminesweeper.client.conversation import Backoff, Profile
from jminesweeper.client.events import Event
from jminesweeper.client.terminal_client import TerminalClient
from jminesweeper.protocol.packets import NewGame, Start
from jminesweeper.protocol.reader import PacketReader
from jminesweeper.protocol.vocabulary import Direction
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Matches
from jminesweeper.session.session import Session
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.looks import Canvas

ROUND_TRIP_S: Final = 0.3
READING_S: Final = 5.0
GAME: Final = NewGame("intermediate")
# Keys that open a cell are left out: what is typed blind after a mine is not meant to be the same.
KEYS: Final = [b"w", b"j", b"l", b"L", b"\x1b[A", b"\x1b[D", b" ", b"f", b"p", b"m", b"u", b"\t"]
KEYS_OF_PAGES: Final = [b"?", b"z", b"e", b"v"]


class SlowLine:
    """A client and a session, and between them bytes on their way."""

    def __init__(self, round_trip_s: float) -> None:
        profile = Profile(Start(9, 9, 1), is_live=True, wish=GAME)
        self._client = TerminalClient(profile, Backoff(lambda: 0.0), Canvas(80, 24), KeyMap())
        self._session = Session(SessionConfig(), Random(5).getrandbits, Matches())
        self._reader = PacketReader(Direction.FROM_CLIENT)
        self._way_s = round_trip_s / 2
        self._numbers = count()
        self._coming: list[tuple[float, int, Event | bytes]] = []
        self._now_s = 0.0

    def arrives(self, after_s: float, what: Event | bytes) -> None:
        """Note what arrives: bytes at the session, events at the client."""
        heappush(self._coming, (self._now_s + after_s, next(self._numbers), what))

    def run(self) -> None:
        """Let everything arrive, and all that follows from it."""
        while self._coming:
            self._now_s, _, what = heappop(self._coming)
            if isinstance(what, bytes):
                for packet in self._reader.feed(what):
                    reply = self._session.receive(packet, int(1000 * self._now_s))[0]
                    self.arrives(self._way_s, events.Received(reply))
            else:
                for effect in self._client.handle(what, self._now_s):
                    if isinstance(effect, events.Send):
                        self.arrives(self._way_s, effect.data)

    def what_is_seen(self) -> tuple[Any, ...]:
        viewer = self._client._front
        return viewer.view.faces, viewer.view.state, viewer.board.cursor, viewer.cover


def typed(keys: list[bytes], round_trip_s: float, between_s: float) -> tuple[Any, ...]:
    line = SlowLine(round_trip_s)
    line.arrives(0.0, events.Connected())
    for number, key in enumerate(keys):
        line.arrives(READING_S + number * between_s, events.Typed(key))
    line.run()
    return line.what_is_seen()


@settings(max_examples=30)
@given(st.lists(st.sampled_from(KEYS + KEYS_OF_PAGES), max_size=40))
def test_a_burst_over_a_slow_line_ends_as_if_every_reply_had_been_awaited(
    keys: list[bytes],
) -> None:
    assert typed(keys, ROUND_TRIP_S, 0.0005) == typed(keys, 0.0, 1.0)
