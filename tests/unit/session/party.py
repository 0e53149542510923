"""People who meet on one server, without a network."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from jminesweeper.core.grid import Cell
from jminesweeper.core.minefield import Minefield
from jminesweeper.core.rules import PRESETS
from jminesweeper.protocol.packets import (
    Act,
    Hello,
    Join,
    NewGame,
    OpenMenu,
    OpenRoom,
    Packet,
    Pick,
    Ready,
    Watch,
)
from jminesweeper.protocol.vocabulary import Button, Feature, RoomKind
from jminesweeper.recordings.figures import measure_board
from jminesweeper.records.meeting import find_room
from jminesweeper.session.reply import Ticked
from tests.unit.session.backstage import Backstage, daily
from tests.unit.session.player import SEEN, Player, cells_of

LIVE = Feature.RESUME | Feature.LIVE
BEGINNER = NewGame("beginner")
DAILY = NewGame("daily beginner")
DAY = daily(date(2001, 9, 9))
RACE = OpenRoom(RoomKind.RACE, board="beginner")
SHARED = OpenRoom(RoomKind.SHARED, board="beginner")


class Party:
    """People on one server, who are shown what others do as soon as they do it."""

    def __init__(self) -> None:
        self.backstage = Backstage()
        self.players: list[Player] = []

    def friend(
        self,
        name: str = "",
        features: int = LIVE,
        key: bytes | None = None,
        address: str = "192.0.2.1",
    ) -> Player:
        player = self.backstage.player(address=address)
        player.now_ms = self.backstage.now_ms
        self.players.append(player)
        own = name.encode().ljust(16, b".") if key is None else key
        player.send(Hello(features, own, name))
        return player

    def do(self, player: Player, *packets: Packet) -> None:
        player.send(*packets)
        self.look()

    def look(self) -> None:
        """Let everybody be shown what there is to see, until nothing is new."""
        for _ in range(4):
            for player in self.players:
                player.look()
            self.backstage.pump()

    def pass_time(self, ms: int) -> None:
        """Let time pass, with a look at the clock at the end."""
        self.backstage.pass_time(self.backstage.now_ms + ms)
        for player in self.players:
            player.now_ms = self.backstage.now_ms
        self.tick()

    def tick(self) -> None:
        for player in self.players:
            player.notice(Ticked())
        self.backstage.pump()
        self.look()

    def begin(self, *friends: Player, kind: OpenRoom = RACE) -> str:
        """Have friends sit down, and wait for the countdown."""
        host, *others = friends
        self.do(host, kind)
        code: str = host.members["room"]["code"]
        for friend in others:
            self.do(friend, Join(code))
        for friend in friends:
            self.do(friend, Ready())
        self.pass_time(3_000)
        return code

    def records(self, code: str) -> Mapping[str, tuple[int, ...]]:
        """The records of the round, and the seats that play them."""
        room = self.backstage.do(find_room(code))
        return {} if room is None else room.records

    def minefield(self, code: str) -> Minefield:
        room = self.backstage.do(find_room(code))
        assert room is not None
        assert room.round is not None
        assert room.round.setup is not None
        return room.round.setup.minefield()


def remove(party: Party, host: Player, name: str) -> None:
    """Have the host remove somebody."""
    party.do(host, OpenMenu("room"))
    host.choose(f"Remove {name}")
    party.do(host, Pick("remove", "yes"))


def said(player: Player) -> str:
    message = player.members.get("message")
    return "" if message is None else message["id"]


def seats(player: Player) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in player.members["seats"]}


def reveal(cell: Cell) -> Act:
    return Act(cell.column, cell.row, Button.OPEN, SEEN)


def bbbv(field: Minefield) -> int:
    return measure_board(field, PRESETS["classic"]).bbbv


def solve(party: Party, player: Player, field: Minefield) -> None:
    for cell in cells_of(field, field.safe):
        if player.members["state"] == "playing":
            player.send(reveal(cell))
    party.look()


def people(party: Party, player: Player) -> list[dict[str, Any]]:
    """Open the list of players online, and return the rows of its players."""
    party.do(player, OpenMenu("people"))
    rows: list[dict[str, Any]] = player.members["menu"]["rows"]
    return [row for row in rows if row["id"].startswith("=")]


def watch(party: Party, watcher: Player, name: str) -> None:
    party.pass_time(3_000)
    party.do(watcher, Watch(name))
