"""One line about each game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jminesweeper.cli.archives import format_time, printable
from jminesweeper.cli.finding import label_of, label_of_finished
from jminesweeper.core import Game, Size, Status
from jminesweeper.session.pages import seconds
from jminesweeper.store.ports import FinishedGame

RESULTS: Final = {
    Status.ONGOING: "unfinished",
    Status.WON: "won",
    Status.LOST: "lost",
    Status.TERMINATED: "given up",
}


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list tells of a game; `at_s` is when it ended, or was imported."""

    code: str
    at_s: int
    label: str
    rules: str
    size: Size
    mine_count: int
    status: Status
    time_ms: int
    is_assisted: bool
    is_repeat: bool = False
    daily: str = ""

    @staticmethod
    def of_finished(game: FinishedGame) -> Listed:
        return Listed(
            game.code,
            game.ended_at_s,
            label_of_finished(game),
            game.category.rules,
            game.size,
            game.mine_count,
            game.status,
            game.time_ms,
            game.is_assisted,
            game.is_repeat,
            game.daily,
        )

    @staticmethod
    def of_imported(path: Path, game: Game) -> Listed:
        setup = game.setup
        return Listed(
            path.stem,
            int(path.stat().st_mtime),
            label_of(setup),
            setup.rules.name,
            setup.size,
            setup.mine_count,
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
            "label": self.label,
            "rules": self.rules,
            "columns": self.size.columns,
            "rows": self.size.rows,
            "mines": self.mine_count,
            "result": self.result,
            "time_ms": self.time_ms,
            "assisted": self.is_assisted,
            "repeat": self.is_repeat,
            "daily": self.daily or None,
        }


def format_list(games: Sequence[Listed]) -> Iterator[str]:
    """Write games in columns."""
    rows = [_HEADINGS, *map(_row, games)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


_HEADINGS: Final = ("ID", "at", "board", "mines", "rules", "result", "time", "")


def _row(game: Listed) -> tuple[str, ...]:
    remarks = {
        "daily": bool(game.daily),
        "assisted": game.is_assisted,
        "repeat": game.is_repeat,
    }
    return (
        printable(game.code),
        format_time(game.at_s),
        printable(game.label),
        f"{game.mine_count:>5}",
        printable(game.rules),
        game.result,
        f"{seconds(game.time_ms):>10}",
        ", ".join(word for word, holds in remarks.items() if holds),
    )
