"""What the pages of the menu say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jminesweeper.screen import Listing
from jminesweeper.store.ports import (
    Board,
    Category,
    CategoryStatistics,
    Score,
    Statistics,
    Tally,
)

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
    "Ctrl-S, Ctrl-O             quick save, load; DEL there deletes",
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
_NOTHING_PLAYED: Final = (
    "No game of yours has ended yet.",
    "The first one will be counted here, won or lost.",
)
_RULES_LEFT_OUT: Final = "classic"
_HEAD: Final = ("", "played", "won", "lost", "rate", "best s", "mean s")


def statistics_lines(statistics: Statistics) -> Sequence[str | Listing]:
    """Say what a player's games add up to, of the boards that were played."""
    if not statistics.games_played:
        return _NOTHING_PLAYED
    played = [one for one in statistics.categories if one.ranked.played]
    apart = [one for one in statistics.categories if one.apart.played]
    lines: list[str | Listing] = [
        f"games played {statistics.games_played}   won {statistics.games_won}"
    ]
    if played:
        lines += ["", Listing((*_HEAD, "streak", "3BV/s"), [_row(one) for one in played])]
    if apart:
        rows = [(_name(one.category), *_figures(one.apart), _speed(one.apart)) for one in apart]
        lines += [
            "",
            "Counted apart, with help or on a board seen before:",
            Listing((*_HEAD, "3BV/s"), rows),
        ]
    return [*lines, "", "Where no rules are named they are classic."]


def _row(category: CategoryStatistics) -> Sequence[str]:
    streak = f"{category.streak} of {category.best_streak}"
    tally = category.ranked
    return (_name(category.category), *_figures(tally), streak, _speed(tally))


def _name(category: Category) -> str:
    rules = "" if category.rules == _RULES_LEFT_OUT else f", {category.rules}"
    return f"{category.preset}{rules}"


def _figures(tally: Tally) -> Sequence[str]:
    """Write a tally; what it has no figure for yet is left blank."""
    return (
        f"{tally.played}",
        f"{tally.won}",
        f"{tally.lost}",
        "" if tally.win_rate is None else percent(tally.win_rate),
        "" if tally.best_ms is None else f"{tally.best_ms / 1000:.3f}",
        "" if tally.mean_ms is None else f"{tally.mean_ms / 1000:.1f}",
    )


def _speed(tally: Tally) -> str:
    return "" if tally.mean_speed is None else f"{tally.mean_speed:.2f}"


def board_name(board: Board) -> str:
    """Name a leaderboard."""
    words = (board.category.preset, board.daily)
    return f"{' '.join(word for word in words if word)}, {board.category.rules} rules"


def score_lines(scores: Sequence[Score]) -> Sequence[str | Listing]:
    """Write a leaderboard."""
    if not scores:
        return ["Nobody has won this yet."]
    rows = [
        (f"{place:2}. {score.name or 'somebody'}", f"{score.time_ms / 1000:.3f}", score.code)
        for place, score in enumerate(scores, 1)
    ]
    return [Listing(("", "seconds", "game"), rows)]


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def seconds(time_ms: float) -> str:
    return f"{time_ms / 1000:.3f} s"
