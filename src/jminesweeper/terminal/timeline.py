"""The line at the bottom of a replay: where it is in the game, and how fast it plays."""

from __future__ import annotations

from jminesweeper.terminal.lines import Line, span
from jminesweeper.terminal.playback import Playback
from jminesweeper.terminal.styles import Style
from jminesweeper.terminal.symbols import Symbols
from jminesweeper.terminal.text import format_tenths

_SHORTEST_BAR = 10


def compose_time_line(playback: Playback, columns: int, symbols: Symbols) -> Line:
    """Write the time line; a short one has no bar."""
    position = f"{playback.position}/{playback.last}"
    now, end = format_tenths(playback.clock_ms), format_tenths(playback.end_ms)
    # The figures keep their widths while the replay runs.
    left = f" {now:>{len(end)}} "
    right = f" {end}   {position:>{2 * len(str(playback.last)) + 1}}   {playback.speed:>5g}x "
    width = columns - len(left) - len(right)
    if width < _SHORTEST_BAR:
        return span((left + right)[:columns])
    done = int((width - 1) * playback.share)
    bar = span(symbols.done * done, Style.DONE) + span(symbols.here, Style.KEY)
    return (
        span(left) + bar + span(symbols.horizontal * (width - 1 - done), Style.FRAME) + span(right)
    )
