"""What the pages of the menu say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jminesweeper.store.ports import Board, CategoryStatistics, Score, Statistics, Tally

HELP: Final = (
    "Reveal every safe cell, or mark every mine: a game says which.",
    "A digit counts the mines among the up to eight cells around it.",
    "",
    "arrows, w a s d, h j k l   move the cursor",
    "H J K L                    move it by five",
    "Home End PgUp PgDn         to the edge of the row, by ten rows",
    "RETURN                     reveal; on a flagged-out digit: what is around",
    "SPACE or f                 flag, or take the flag back",
    "c                          chord: reveal what is around a digit",
    "u                          undo, also the step that lost",
    "i                          hint: where it is safe to go on, and why",
    "p                          pause: stops the clock and hides the board",
    "n or TAB                   new game with the same settings",
    "m or ESC                   menu, and back",
    "Ctrl-S, Ctrl-O             save, load",
    "#                          debug mode: see the mines, where allowed",
    "?                          this help",
    "x                          quit; a known player's game waits",
    "",
    "Mouse: left reveals or chords, right or Ctrl-left flags, middle chords,",
    "the wheel moves. Touch: tap to reveal, hold to flag.",
    "",
    "A game with undo, hint or debug mode is assisted: it counts apart and",
    "takes no place on a leaderboard.",
)


def statistics_lines(statistics: Statistics) -> Sequence[str]:
    """Say what a player's games add up to."""
    lines = [
        f"games played {statistics.games_played}   won {statistics.games_won}",
        "",
    ]
    for category in statistics.categories:
        lines += _category_lines(category)
    return lines if statistics.categories else [*lines, "No game has ended yet."]


def _category_lines(category: CategoryStatistics) -> Iterator[str]:
    yield f"{category.category.preset}, {category.category.rules} rules"
    yield f"  {_tally(category.ranked)}"
    yield f"  streak {category.streak}   best streak {category.best_streak}"
    if category.apart.played:
        yield f"  assisted or repeated: {_tally(category.apart)}"
    yield ""


def _tally(tally: Tally) -> str:
    words = [f"played {tally.played}", f"won {tally.won}", f"lost {tally.lost}"]
    if tally.terminated:
        words.append(f"given up {tally.terminated}")
    if tally.win_rate is not None:
        words.append(f"{tally.win_rate:.0%}")
    if tally.best_ms is not None:
        words.append(f"best {seconds(tally.best_ms)}")
    if tally.mean_ms is not None:
        words.append(f"mean {seconds(tally.mean_ms)}")
    if tally.mean_speed is not None:
        words.append(f"{tally.mean_speed:.2f} 3BV/s")
    return "   ".join(words)


def board_name(board: Board) -> str:
    """Name a leaderboard."""
    words = (board.category.preset, board.daily)
    return f"{' '.join(word for word in words if word)}, {board.category.rules} rules"


def score_lines(scores: Sequence[Score]) -> Sequence[str]:
    """Write a leaderboard."""
    if not scores:
        return ["Nobody has won this yet."]
    return [
        f"{place:3}. {seconds(score.time_ms):>10}  {score.name or 'somebody':20} {score.code}"
        for place, score in enumerate(scores, 1)
    ]


def seconds(time_ms: float) -> str:
    return f"{time_ms / 1000:.3f} s"
