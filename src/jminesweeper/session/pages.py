"""The pages of the menu: help, statistics, best times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from jminesweeper.core.rules import PRESETS
from jminesweeper.core.variant import CUSTOM, Variant
from jminesweeper.protocol.view import Listing, RowKind
from jminesweeper.records.days import commitment
from jminesweeper.records.documents import Leaderboard
from jminesweeper.records.ladder import Standing
from jminesweeper.records.reading import Score
from jminesweeper.records.statistics import CategorySums, Statistics, Sums, add_counts
from jminesweeper.session.config import Doors
from jminesweeper.session.matches import Match
from jminesweeper.session.messages import AIMS, day_of, message, numbered, percent, rare_percent
from jminesweeper.session.talks import Row

SEEDS_SHOWN: Final = 7
"""Days in the past whose seeds are listed."""

_HELP: Final = (
    "Some cells hide a mine; all others are safe. Open a mine and you lose.",
    "A safe cell shows how many of the eight cells around it are mines.",
    "Where a number has no other place for its mines, flag those cells.",
    "Where a number has all its mines flagged, open the other cells around.",
)
_CHORDS: Final = "Opening a number that has all its flags opens the rest around it."
_ASSISTED: Final = "With undo, hint, odds or debug a game is assisted: it is not ranked."
_NOTHING_PLAYED: Final = (
    "No game of yours has ended yet.",
    "The first one will be counted here, won or lost.",
)
_HEAD: Final = ("", "played", "won", "lost", "rate", "best s", "mean s")


def help_lines(match: Match | None) -> Sequence[str]:
    """Explain the game, and what wins this one."""
    if match is None:
        return (*_HELP, AIMS[PRESETS["formal"].victory].text, "", _CHORDS, _ASSISTED)
    rules = match.variant.rules
    chords = _CHORDS if rules.chording else message("chords.none").text
    return (*_HELP, f"This game: {AIMS[rules.victory].text}", "", chords, _ASSISTED)


def ssh_lines(doors: Doors) -> Sequence[str]:
    """Say how to play from a terminal without a client, and by what to recognise the server."""
    if not (doors.host and doors.ssh_key):
        return ()
    return ("", f"From any terminal: ssh {doors.host} -p {doors.port}", f"Key: {doors.ssh_key}")


def statistics_lines(statistics: Statistics) -> Sequence[str | Listing]:
    """Write the statistics of a player, by board."""
    counts = statistics.counts
    if not counts.played:
        return _NOTHING_PLAYED
    listed = [one for one in statistics.categories if not _is_one_off(*one)]
    played = [one for one in listed if one[1].ranked.played]
    unranked = [one for one in listed if one[1].unranked.played]
    lines: list[str | Listing] = [f"games played {counts.played}   won {counts.won}"]
    if statistics.races:
        lines += [f"races played {statistics.races}   won {statistics.races_won}"]
    if statistics.days:
        lines += [f"days in a row with a board of the day {statistics.days}"]
    if played:
        lines += ["", Listing((*_HEAD, "streak", "3BV/s"), tuple(_row(*one) for one in played))]
    if unranked:
        rows = tuple(
            (category.name, *_figures(sums.unranked), _speed(sums.unranked))
            for category, sums in unranked
        )
        lines += [
            "",
            "Not ranked: with help, or on a board known before:",
            Listing((*_HEAD, "3BV/s"), rows),
        ]
    if others := _others(statistics):
        lines += ["", others]
    return [*lines, "", "Rules are classic unless named."]


def _is_one_off(category: Variant, sums: CategorySums) -> bool:
    """Return True for a custom board that was played only once."""
    return category.board == CUSTOM and sums.counts.played == 1


def _others(statistics: Statistics) -> str:
    """Count the games without a row: boards played once, and those beyond the list."""
    one_off = [one[1].counts for one in statistics.categories if _is_one_off(*one)]
    others = add_counts([statistics.others, *one_off])
    return f"Other boards: played {others.played}, won {others.won}." if others.played else ""


def _row(category: Variant, sums: CategorySums) -> tuple[str, ...]:
    streak = f"{sums.streak} of {sums.best_streak}"
    return (category.name, *_figures(sums.ranked), streak, _speed(sums.ranked))


def _figures(sums: Sums) -> tuple[str, ...]:
    """Write sums; a figure that does not exist yet is left blank."""
    return (
        f"{sums.played}",
        f"{sums.won}",
        f"{sums.lost}",
        "" if sums.win_rate is None else percent(sums.win_rate),
        "" if sums.best_ms is None else f"{sums.best_ms / 1000:.3f}",
        "" if sums.mean_ms is None else f"{sums.mean_ms / 1000:.1f}",
    )


def _speed(sums: Sums) -> str:
    return "" if sums.mean_speed is None else f"{sums.mean_speed:.2f}"


def board_name(leaderboard: Leaderboard) -> str:
    """Name a leaderboard by its board, and by the wins that are apart on it."""
    programs = ", programs" if leaderboard.is_of_programs else ""
    clean = ", no needless guess" if leaderboard.is_clean else ""
    return f"{leaderboard.variant.name}{programs}{clean}"


def seed_lines(day_seed: Callable[[date], bytes | None], today: date) -> Sequence[str | Listing]:
    """Show the hashes of seeds that are still secret, and the seeds of past days."""
    lines = [
        "A day's boards follow from its seed, the same for everybody here.",
        "Before a day is over its seed's SHA-256 is shown, afterwards the seed:",
        "so you can check that nobody chose the boards.",
    ]
    for ago in range(-1, SEEDS_SHOWN + 1):
        day = today - timedelta(ago)
        if (seed := day_seed(day)) is not None:
            is_over = ago > 0
            lines += ["", f"{day}, {'seed' if is_over else 'SHA-256 of the seed'}:"]
            lines.append(seed.hex() if is_over else commitment(seed))
    return lines


def score_lines(scores: Sequence[Score]) -> Sequence[str | Listing]:
    """Write a leaderboard."""
    if not scores:
        return ["Nobody has won this yet."]
    names = numbered(score.name for score in scores)
    rows = tuple(
        (f"{place:2}. {name}", _seconds(score), _luck(score), score.code)
        for place, (score, name) in enumerate(zip(scores, names, strict=True), 1)
    )
    return [Listing(("", "seconds", "luck", "game"), rows)]


def score_rows(scores: Sequence[Score], own: Sequence[Score]) -> Sequence[Row]:
    """Offer the games of a leaderboard, and a player's own best wins on it."""
    days = [day_of(score.ended_at_s).isoformat() for score in own]
    heading = [Row("heading.own", "Your best", kind=RowKind.HEADING)] if own else []
    return [
        *_score_rows("best", scores, numbered(score.name for score in scores)),
        *heading,
        *_score_rows("own", own, days),
    ]


def _score_rows(where: str, scores: Sequence[Score], names: Sequence[str]) -> Iterator[Row]:
    for place, (score, name) in enumerate(zip(scores, names, strict=True), 1):
        luck = f"luck {_luck(score)}" if score.luck is not None else ""
        # If there is no room for all of them the first is left out.
        figures = luck, f"{_seconds(score)} s", score.code
        row = Row(f"{where}.{score.code}", f"{place:2}. {name}", figures=figures)
        yield row._replace(help=_LUCKY if luck else "Replay this game as it was played.")


_LUCKY: Final = "Replay it. Luck: the chance to survive its forced guesses."


def _luck(score: Score) -> str:
    return "" if score.luck is None else rare_percent(score.luck)


def _seconds(score: Score) -> str:
    return f"{score.wall_ms / 1000:.3f}"


def ladder_lines(standings: Sequence[Standing]) -> Sequence[str | Listing]:
    """List the strongest players of a board."""
    if not standings:
        return ["Nobody is ranked yet."]
    names = numbered(each.name for each in standings)
    rows = tuple(
        (f"{place:2}. {name}", str(each.points), str(each.races))
        for place, (each, name) in enumerate(zip(standings, names, strict=True), 1)
    )
    return [Listing(("Name", "rating", "races"), rows)]
