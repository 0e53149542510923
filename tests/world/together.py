"""People who meet on one server, without a network.

A `scene` is a row of a table: who does what, and in between what they see then.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any, Final, TypeAlias

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.view import COVERED, MINED
from jminesweeper.protocol.packets import (
    Act,
    Join,
    NewGame,
    OpenMenu,
    OpenRoom,
    Packet,
    Pick,
    Ready,
    Watch,
)
from jminesweeper.protocol.vocabulary import Button, Command, Feature
from jminesweeper.recordings.figures import measure_board
from tests.world.player import SEEN, Player, cells_of
from tests.world.server import RACE, World, daily

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


# Scenes

LEAVE: Final = Command.LEAVE
GIVE_UP: Final = Command.GIVE_UP
READY: Final = Ready()
MENU: Final = OpenMenu("")

Deed: TypeAlias = "Packet | Callable[[Scene, Player], object]"
Step: TypeAlias = "int | tuple[str | Deed, ...] | dict[str, Any] | Callable[[Scene], object]"
"""Milliseconds that pass, the names of some players and what each of them does, what is seen by
players (`"Ada room.state"`), or something that needs several of them."""


class Scene:
    """Friends by name, who come when they are first mentioned, and the room that they sit in."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.code = ""
        self._friends: dict[str, Player] = {}

    def friend(self, name: str) -> Player:
        """Return a friend.

        `Bob#2` is another player of that name, `Bob:2` the same on another device, `Bob@2` at
        another address; `Bot` is a bot, `~` a guest.
        """
        if name not in self._friends:
            own = name.rstrip("0123456789:#@")
            key = name.encode().ljust(16, b".") if "#" in name else None
            self._friends[name] = self.world.friend(
                own,
                LIVE_FEATURES | Feature.BOT if own == "Bot" else LIVE_FEATURES,
                b"" if own == "~" else key,
                f"192.0.2.{name.partition('@')[2] or 1}",
            )
        return self._friends[name]

    def friends(self, names: str) -> list[Player]:
        return [self.friend(name) for name in names.split()]

    @property
    def field(self) -> Minefield:
        """The board of the round."""
        return self.world.minefield(self.code)

    @property
    def mines(self) -> list[Cell]:
        return cells_of(self.field, self.field.mines)

    def play(self, *steps: Step) -> Scene:
        for step in steps:
            match step:
                case int():
                    self.world.pass_time(step)
                case dict():
                    found = {wanted: self._look(*wanted.split(" ", 1)) for wanted in step}
                    assert found == step, f"{found}, not {step}"
                case (str(names), *deeds):
                    for friend in self.friends(names):
                        for deed in deeds:
                            assert not isinstance(deed, str)
                            deed(self, friend) if callable(deed) else friend.send(deed)
                case _:
                    assert callable(step)
                    step(self)
        return self

    def _look(self, name: str, path: str) -> Any:
        player = self.friend(name)
        match path:
            case "said":
                return said(player)
            case "said.":
                return player.said.get("said")
            case "news":
                return news(player)
            case "seated":
                return [*seats(player)]
            case "company":
                return {*seats(player)}
            case "screen":
                return player.screen
            case "sees mines":
                return any(face & MINED for face in player.faces)
            case "cursor":
                return player.said.get("cursor", player.members.get("cursor"))
        if path.startswith("sees as "):
            return player.faces == self.friend(path.removeprefix("sees as ")).faces
        first, *rest = path.split(".")
        found: Any = player.members.get(first)
        if first == "seats":
            found = seats(player)
        elif first == "sheet":
            found = {row["id"]: row.get("value") for row in found or ()}
        for part in rest:
            found = None if found is None else found.get(part)
        return found


def scene(sentence: str, *steps: Step) -> Any:
    """Write a row of a table of scenes."""
    return pytest.param(steps, id=sentence)


scenes = partial(pytest.mark.parametrize, "steps")


def news(player: Player) -> list[str]:
    """Return the texts of the last news, but for those who came."""
    told = [each["text"] for each in player.members.get("news", ())]
    return [text for text in told if not text.endswith("is here.")]


def sit(names: str, kind: OpenRoom = RACE, *picks: tuple[str, str]) -> Callable[[Scene], None]:
    """Have the first one open a room, and choose on its sheet; the others join."""

    def do(scene: Scene) -> None:
        host, *others = scene.friends(names)
        host.send(kind)
        scene.code = host.members["room"]["code"]
        for row, value in picks:
            host.send(Pick("room", row, value))
        for friend in others:
            friend.send(Join(scene.code))

    return do


def race(names: str, kind: OpenRoom = RACE, *picks: tuple[str, str]) -> Callable[[Scene], object]:
    """Have players sit down, get ready, and wait for the countdown."""
    return lambda scene: scene.play(sit(names, kind, *picks), again(names))


def again(names: str) -> Callable[[Scene], object]:
    return lambda scene: scene.play((names, READY), 3_000)


def join(scene: Scene, player: Player) -> None:
    player.send(Join(scene.code))


def look_on(scene: Scene, player: Player) -> None:
    player.send(Watch(scene.code))


def finish(scene: Scene, player: Player) -> None:
    """Open every safe cell."""
    solve(scene.world, player, scene.field)


def hit(scene: Scene, player: Player) -> None:
    """Open the first mine."""
    player.send(reveal(scene.mines[0]))


def hit_mine(number: int) -> Callable[[Scene, Player], object]:
    return lambda scene, player: player.send(reveal(scene.mines[number]))


def flag(number: int) -> Callable[[Scene, Player], object]:
    """Flag a mine."""
    return lambda scene, player: player.send(Act(*scene.mines[number], Button.FLAG, SEEN))


def open_last(scene: Scene, player: Player) -> None:
    """Open the last safe cell that is covered."""
    player.send(reveal(safe_cells(player, scene.field)[-1]))


def hang_up(scene: Scene, player: Player) -> None:
    player.hang_up()
    scene.world.players.remove(player)
    scene.world.settle()


def come_again(name: str) -> Callable[[Scene], None]:
    """Have a player connect anew."""

    def do(scene: Scene) -> None:
        scene._friends.pop(name, None)
        scene.friend(name)

    return do


def finish_in_turn(names: str) -> Callable[[Scene], None]:
    """Have players finish a round one second after the other."""

    def do(scene: Scene) -> None:
        for name in names.split():
            scene.play(1_000, (name, finish))

    return do


def removes(name: str) -> Callable[[Scene, Player], None]:
    return lambda _, host: remove(host, name)
