"""The end of a round, the score of an evening and news of the others, in words.

All of it is read from the rows that describe the seats, so each front end says the same of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jminesweeper.core.view import Status
from jminesweeper.records.rooms import Kind
from jminesweeper.records.rounds import LAST_MINUTE_MS
from jminesweeper.records.table import News
from jminesweeper.session.messages import SILENCE, Message, message

Row = Mapping[str, Any]
"""A seat, as the member `seats` of a view describes it."""

_OWN: Final = {"host", "removing"}
"""News that a player is told of themselves."""
_OF_SHARED: Final = {Status.WON: "shared.won", Status.LOST: "shared.lost.all"}


def headline(
    kind: Kind, rows: Sequence[Row], you: int, status: Status, series: str = ""
) -> Message:
    """Return how a round or a series ended; `status` is the player's own."""
    if kind is Kind.SHARED:
        return message(_OF_SHARED.get(status, "round.over"))
    if series:
        most = max((row["points"] for row in rows), default=0)
        best = [row for row in rows if row["points"] == most]
        if len(best) != 1:
            return message("series.tied")
        is_own = best[0]["number"] == you
        return message("series.won") if is_own else message("series.winner", name=best[0]["name"])
    first = next((row for row in rows if row["place"] == 1), None)
    if first is None:
        return message("race.nobody")
    if first["number"] == you:
        return message("race.won")
    second = next((row for row in rows if row["place"] == 2), None)
    if second is None or "time" not in first:
        return message("race.winner", name=first["name"])
    ahead_s = _tenths(second["time"]) - _tenths(first["time"])
    return message("race.winner.by", name=first["name"], seconds=ahead_s)


def score(kind: Kind, rows: Sequence[Row], you: int) -> str:
    """Write the score of the evening, the player's own first; empty before there is one."""
    if not any(row["points"] for row in rows):
        return ""
    points = [(row["points"], you_or_name(row, you)) for row in rows]
    if kind is Kind.SHARED:
        return f"boards won together: {max(points)[0]}"
    own = [row["number"] == you for row in rows]
    if len(rows) == 2:
        (one, its_name), (other, other_name) = points if own[0] or not own[1] else points[::-1]
        return f"{its_name} {one} : {other} {other_name}"
    points.sort(key=lambda each: -each[0])
    return "points: " + ", ".join(f"{name} {number}" for number, name in points)


def share_of(rows: Sequence[Row], series: str, board: str) -> str:
    """Write a line to share about a series that has ended; empty if none has."""
    if not series:
        return ""
    ranked = sorted(rows, key=lambda row: -row["points"])
    told = ", ".join(f"{n}. {row['name']} {row['points']}" for n, row in enumerate(ranked, start=1))
    return f"JMinesweeper, {series}, {board}: {told}"


def you_or_name(row: Row, you: int) -> str:
    return "you" if row["number"] == you else str(row["name"])


def _tenths(time_ms: int) -> float:
    """Return seconds as lists have them, whose last digit is cut off."""
    return time_ms // 100 / 10


def standing(row: Row) -> tuple[bool, int, int]:
    """Order by place, then by how much is open."""
    return row["place"] is None, row["place"] or 0, -row["opened"]


def told(news: News, names: Mapping[int, str], you: int) -> Message:
    """Put news into words; silence about the player's own doings."""
    if news.seat == you:
        return message(f"news.{news.what}.own") if news.what in _OWN else SILENCE
    # Names that two have are told apart as in the list; a seat may be another's by now.
    listed = names.get(news.seat, "")
    name = listed if listed.startswith(news.name) else news.name
    args: dict[str, Any] = {"name": name}
    if news.what in {"won", "finished"}:
        args |= {"seconds": _tenths(news.time_ms), "left": LAST_MINUTE_MS // 1000}
    return message(f"news.{news.what}", **args)
