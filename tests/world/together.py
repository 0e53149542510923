"""People who meet on one server, without a network."""

from __future__ import annotations

from datetime import date
from typing import Any

from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.view import COVERED
from jminesweeper.protocol.packets import Act, NewGame, OpenMenu, Pick, Watch
from jminesweeper.protocol.vocabulary import Button, Feature
from jminesweeper.recordings.figures import measure_board
from tests.world.player import SEEN, Player, cells_of
from tests.world.server import World, daily

LIVE_FEATURES = Feature.RESUME | Feature.LIVE
BEGINNER = NewGame("beginner")
DAILY = NewGame("daily beginner")
DAY = daily(date(2001, 9, 9))


def remove(host: Player, name: str) -> None:
    """Have the host remove somebody."""
    host.send(OpenMenu("room"))
    host.choose(f"Remove {name}")
    host.send(Pick("remove", "yes"))


def said(player: Player) -> str:
    message = player.members.get("message")
    return "" if message is None else message["id"]


def seats(player: Player) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in player.members["seats"]}


def reveal(cell: Cell) -> Act:
    return Act(cell.column, cell.row, Button.OPEN, SEEN)


def safe_cells(player: Player, field: Minefield) -> list[Cell]:
    """Return the safe cells that a player has not opened yet."""
    return [
        cell
        for cell in cells_of(field, field.safe)
        if player.faces[cell.row * field.size.columns + cell.column] & COVERED
    ]


def bbbv(field: Minefield) -> int:
    return measure_board(field, PRESETS["classic"]).bbbv


def solve(world: World, player: Player, field: Minefield) -> None:
    for cell in cells_of(field, field.safe):
        if player.members["state"] == "playing":
            player.send(reveal(cell))
    world.settle()


def people(player: Player) -> list[dict[str, Any]]:
    """Open the list of players online, and return the rows of its players."""
    player.send(OpenMenu("people"))
    rows: list[dict[str, Any]] = player.members["menu"]["rows"]
    return [row for row in rows if row["id"].startswith("=")]


def watch(world: World, watcher: Player, name: str) -> None:
    world.pass_time(3_000)
    watcher.send(Watch(name))
