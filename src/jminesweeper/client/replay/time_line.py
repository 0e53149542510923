"""The line at the bottom: how far the replay has come, of how much, and how fast it goes."""

from __future__ import annotations

from typing import Final, NamedTuple

from jminesweeper.client.replay.playback import Playback

_SHORTEST_BAR: Final = 10


class Strokes(NamedTuple):
    """What the bar is drawn with."""

    done: str
    here: str
    ahead: str


UNICODE: Final = Strokes("━", "┃", "─")
ASCII: Final = Strokes("=", "|", "-")


def format_time_line(playback: Playback, columns: int, strokes: Strokes) -> str:
    """Write the line; where there is little room it has no bar."""
    position = f"{playback.position}/{playback.last}"
    speed = f"{playback.speed:g}x"
    now, end = _clock(playback.clock_ms), _clock(playback.end_ms)
    # What is told keeps its width while the replay goes on.
    left = f" {now:>{len(end)}} "
    right = f" {end}   {position:>{2 * len(str(playback.last)) + 1}}   {speed:>6} "
    room = columns - len(left) - len(right)
    bar = _bar(playback, room, strokes) if room >= _SHORTEST_BAR else ""
    return f"{left}{bar}{right}"[:columns]


def _bar(playback: Playback, width: int, strokes: Strokes) -> str:
    if playback.end_ms:
        done = (width - 1) * playback.clock_ms // playback.end_ms
    else:
        done = (width - 1) * playback.position // max(1, playback.last)
    return strokes.done * done + strokes.here + strokes.ahead * (width - 1 - done)


def _clock(ms: int) -> str:
    tenths = ms // 100
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"
