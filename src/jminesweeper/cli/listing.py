"""Finished and imported games, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jminesweeper.cli.archives import format_time, printable
from jminesweeper.core.game import Game
from jminesweeper.core.variant import Variant
from jminesweeper.core.view import Status
from jminesweeper.recordings.text import format_rules
from jminesweeper.records.documents import Outcome
from jminesweeper.session.figures import seconds
from jminesweeper.terminal.view import Listing

RESULTS: Final = {
    Status.ONGOING: "unfinished",
    Status.WON: "won",
    Status.LOST: "lost",
    Status.TERMINATED: "given up",
}


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list shows of a game; `at_s` is when it ended, or was imported."""

    code: str
    at_s: int
    variant: Variant
    status: Status
    time_ms: int
    is_assisted: bool

    @staticmethod
    def of_finished(code: str, variant: Variant, outcome: Outcome) -> Listed:
        return Listed(
            code,
            outcome.ended_at_s,
            variant,
            outcome.status,
            outcome.time_ms,
            outcome.is_assisted,
        )

    @staticmethod
    def of_imported(path: Path, game: Game) -> Listed:
        return Listed(
            path.stem,
            int(path.stat().st_mtime),
            game.setup.variant,
            game.status,
            game.elapsed_ms,
            game.assisted,
        )

    @property
    def result(self) -> str:
        return RESULTS[self.status]

    def as_json(self) -> dict[str, object]:
        return {
            "game": self.code,
            "at": format_time(self.at_s),
            "label": self.variant.label,
            "rules": format_rules(self.variant.rules),
            "columns": self.variant.size.columns,
            "rows": self.variant.size.rows,
            "mines": self.variant.mine_count,
            "result": self.result,
            "time_ms": self.time_ms,
            "assisted": self.is_assisted,
            "repeat": self.variant.is_repeat,
            "daily": self.variant.daily and self.variant.daily.isoformat(),
        }


def table_of(games: Sequence[Listed]) -> Listing:
    """Write a line about each game; what comes last goes first where a terminal is narrow."""
    return Listing(_HEADINGS, tuple(map(_row, games)))


_TO_THE_MINUTE: Final = 16
_HEADINGS: Final = ("ID", "result", "time", "board", "mines", "rules", "at", "")


def _row(game: Listed) -> tuple[str, ...]:
    remarks = {"assisted": game.is_assisted, "repeat": game.variant.is_repeat}
    return (
        printable(game.code),
        game.result,
        seconds(game.time_ms),
        printable(game.variant.label),
        str(game.variant.mine_count),
        printable(format_rules(game.variant.rules)),
        format_time(game.at_s)[:_TO_THE_MINUTE].replace("T", " "),
        ", ".join(word for word, holds in remarks.items() if holds),
    )
