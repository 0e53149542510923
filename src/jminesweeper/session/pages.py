"""The pages of the menu: help, statistics, best times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from jminesweeper.core.rules import PRESETS, Rules
from jminesweeper.core.variant import CLASSIC_BOARDS, CUSTOM, Variant
from jminesweeper.screen.models import Listing
from jminesweeper.session import messages
from jminesweeper.session.config import day_of
from jminesweeper.session.figures import percent
from jminesweeper.session.names import names_of
from jminesweeper.store import CategoryStatistics, Score, Statistics, Tally

HELP: Final = (
    "Some cells hide a mine; all others are safe. Open a mine and you lose.",
    "A safe cell shows how many of the eight cells around it are mines.",
    "Where a number has no other place for its mines, flag those cells.",
    "Where a number has all its mines flagged, open the other cells around.",
    "You win by opening every safe cell, or by flagging every mine.",
    "",
    "arrows, w a s d, h j k l   move the cursor",
    "H J K L                    move it by five",
    "Home End PgUp PgDn         to the edge of the row, by ten rows",
    "RETURN                     open; on a number with all its flags: the rest",
    "SPACE or f                 flag, or take the flag back",
    "c                          chord: open the cells around a number",
    "u                          undo, even the step that lost",
    "i                          hint: a safe cell, and why it is safe",
    "o                          odds: every covered cell's chance of a mine",
    "g                          go to the next cell that a rule solves",
    "b, y, t                    at the end: replay, analysis, export",
    "p                          pause: stop the clock and hide the board",
    "n or TAB                   new game with the same settings",
    "r                          the same board again, once its game is over",
    "m or ESC                   menu, and back",
    "Ctrl-S, Ctrl-O             quick save, load; DEL there deletes",
    "v                          the whole of a board larger than the screen",
    "e                          the figures of a game that has ended",
    "#                          debug mode: see the mines, where allowed",
    "?                          this help",
    "x                          quit; your game waits for you",
    "",
    "Mouse: left opens or chords, right or Ctrl-left flags, middle chords,",
    "the wheel moves. Touch: tap to open, hold to flag.",
    "",
    "A game with undo, hint, odds or debug is assisted: it is not ranked.",
)
_RETURN: Final = "RETURN                     open"
_WITHOUT_CHORDS: Final[Mapping[str, str]] = {
    f"{_RETURN}; on a number with all its flags: the rest": _RETURN,
    "c                          chord: open the cells around a number": (
        "c                          chord, but not by this game's rules"
    ),
    "Mouse: left opens or chords, right or Ctrl-left flags, middle chords,": (
        "Mouse: left opens, right or Ctrl-left flags,"
    ),
}
_FIRST_STEPS: Final = 4
"""Lines of the help before the aim of the game."""
_NOTHING_PLAYED: Final = (
    "No game of yours has ended yet.",
    "The first one will be counted here, won or lost.",
)
_RULES_LEFT_OUT: Final = "classic"
_HEAD: Final = ("", "played", "won", "lost", "rate", "best s", "mean s")


def help_lines(aim: str, *, has_chords: bool = True) -> Sequence[str]:
    """Explain the game and its keys, and the aim of the current game."""
    if not aim:
        return HELP
    rest = HELP[HELP.index("") :]
    lines = (*HELP[:_FIRST_STEPS], f"This game: {aim}", *rest)
    return lines if has_chords else [_WITHOUT_CHORDS.get(line, line) for line in lines]


def statistics_lines(statistics: Statistics) -> Sequence[str | Listing]:
    """Write the statistics of a player, by board."""
    if not statistics.games_played:
        return _NOTHING_PLAYED
    listed = [one for one in statistics.categories if not _is_one_off(one)]
    played = [one for one in listed if one.ranked.played]
    unranked = [one for one in listed if one.unranked.played]
    lines: list[str | Listing] = [
        f"games played {statistics.games_played}   won {statistics.games_won}"
    ]
    if played:
        lines += ["", Listing((*_HEAD, "streak", "3BV/s"), [_row(one) for one in played])]
    if unranked:
        rows = [_unranked_row(one) for one in unranked]
        lines += [
            "",
            "Not ranked: with help, or on a board seen before:",
            Listing((*_HEAD, "3BV/s"), rows),
        ]
    if others := _others(statistics):
        lines += ["", others]
    return [*lines, "", "Rules are classic unless named."]


def _is_one_off(category: CategoryStatistics) -> bool:
    """Whether this is a custom board that was played only once."""
    games = category.ranked.played + category.unranked.played
    return category.category.board == CUSTOM and games == 1


def _others(statistics: Statistics) -> str:
    """Count the games without a row: boards played once, and those beyond the list."""
    one_off = [one for one in statistics.categories if _is_one_off(one)]
    played = statistics.others.played + len(one_off)
    won = statistics.others.won + sum(one.ranked.won + one.unranked.won for one in one_off)
    return f"Other boards: played {played}, won {won}." if played else ""


def _row(category: CategoryStatistics) -> Sequence[str]:
    streak = f"{category.streak} of {category.best_streak}"
    tally = category.ranked
    return (_name(category.category), *_figures(tally), streak, _speed(tally))


def _unranked_row(category: CategoryStatistics) -> Sequence[str]:
    return (_name(category.category), *_figures(category.unranked), _speed(category.unranked))


def _name(category: Variant) -> str:
    rules = rules_words(category.rules)
    return category_words(category) + ("" if rules == _RULES_LEFT_OUT else f", {rules}")


def category_words(variant: Variant) -> str:
    """Name the category of results, without the rules."""
    words = [variant.board]
    if variant.board not in CLASSIC_BOARDS:
        words.append(str(variant.size))
    if variant.board == CUSTOM:
        words.append(messages.mines(variant.mine_count))
    if variant.is_no_guess:
        words.append("no-guess")
    return " ".join(words)


def rules_words(rules: Rules) -> str:
    """Name the rules; changed ones are named after their preset, as changed."""
    return rules.name if rules == PRESETS.get(rules.name) else f"changed {rules.name}"


def _figures(tally: Tally) -> Sequence[str]:
    """Write a tally; a figure that does not exist yet is left blank."""
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


def board_name(board: Variant) -> str:
    """Name a leaderboard."""
    day = f" {board.daily}" if board.daily else ""
    return f"{category_words(board)}{day}, {rules_words(board.rules)} rules"


def score_lines(scores: Sequence[Score], own: str = "") -> Sequence[str | Listing]:
    """Write a leaderboard; mark the player's own row."""
    if not scores:
        return ["Nobody has won this yet."]
    rows = [
        (f"{_mark(score, own)}{place:2}. {name}", _seconds(score), score.code)
        for place, (score, name) in enumerate(zip(scores, names_of(scores), strict=True), 1)
    ]
    return [Listing(("", "seconds", "game"), rows)]


def _mark(score: Score, own: str) -> str:
    if not own:
        return ""
    return ">" if score.player == own else " "


def own_lines(scores: Sequence[Score]) -> Sequence[str | Listing]:
    """Write a player's own best wins on a board."""
    if not scores:
        return []
    rows = [
        (f" {place:2}.", _seconds(score), day_of(score.ended_at_s).isoformat(), score.code)
        for place, score in enumerate(scores, 1)
    ]
    return ["", "Your best:", Listing(("", "seconds", "day", "game"), rows)]


def _seconds(score: Score) -> str:
    return f"{score.wall_ms / 1000:.3f}"
