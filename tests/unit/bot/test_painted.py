"""Whole games on servers of version 1."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from jminesweeper.bot.link import BotError
from jminesweeper.bot.painted import PaintedGame
from jminesweeper.bot.playing import GameOutcome, Watcher, play_out
from jminesweeper.core.actions import Action, ActionKind
from jminesweeper.core.errors import ActionError
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, Level
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Packet, Start, View
from jminesweeper.protocol.vocabulary import Command
from tests.unit.bot.servers import FakeLink, OtherServer, OwnServer, PacketServer, Recorded
from tests.unit.bot.watchers import Notes

SIZES = [Size(1, 1), Size(2, 1), Size(1, 9), Size(9, 1), Size(20, 10), Size(45, 12)]


def play(
    server: PacketServer, size: Size, level: Level, watcher: Watcher | None = None
) -> GameOutcome:
    async def run() -> GameOutcome:
        game = PaintedGame(FakeLink(server), size, level)
        await game.begin()
        return await play_out(game, PRESETS["jminesweeper"], watcher)

    return asyncio.run(run())


@pytest.mark.requirement("J:Networking Protocol", "E:Solver")
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("make", [OwnServer, OtherServer])
def test_games_of_any_size_are_played_to_the_end_on_any_server(
    make: Callable[[int], OwnServer | OtherServer], size: Size
) -> None:
    outcomes = [play(make(seed), size, Level.EASY) for seed in range(6)]
    ends = [outcome.status for outcome in outcomes]
    assert set(ends) <= {Status.WON, Status.LOST}
    if size.columns >= 20:
        assert ends.count(Status.WON) >= 4


@pytest.mark.parametrize("level", Level)
def test_the_server_agrees_on_how_a_game_ended(level: Level) -> None:
    for seed in range(25):
        server = OtherServer(seed)
        outcome = play(server, Size(8, 8), level)
        assert server.view.status is outcome.status


def test_one_cell_is_marked_and_won() -> None:
    server = OwnServer()
    outcome = play(server, Size(1, 1), Level.HARD)
    assert (outcome.status, outcome.moves, outcome.guesses) == (Status.WON, 1, 0)
    assert server.received == [Start(1, 1, 3), Command.TOGGLE_BOMB_MARK]


def test_one_game_follows_another() -> None:
    async def run() -> list[Status]:
        game = PaintedGame(FakeLink(OtherServer(4)), Size(9, 9), Level.EASY)
        ends = []
        for _ in range(3):
            await game.begin()
            ends.append((await play_out(game, PRESETS["jminesweeper"])).status)
        return ends

    assert Status.WON in asyncio.run(run())


def test_every_move_can_be_watched_with_what_was_seen_before_it() -> None:
    notes = Notes()
    outcome = play(OtherServer(3), Size(12, 8), Level.EASY, notes)
    moves = notes.moves
    assert outcome.moves == len(moves)
    assert outcome.guesses == sum(move.risk > 0 for move, _ in moves)
    assert {move.kind for move, _ in moves} == {ActionKind.REVEAL, ActionKind.FLAG}
    assert not any(view.visible & view.grid.bit(move.cell) for move, view in moves)


@pytest.mark.parametrize("action", [Action(ActionKind.UNDO), Action(ActionKind.CHORD, Cell(0, 0))])
def test_version_1_has_no_other_actions(action: Action) -> None:
    game = PaintedGame(FakeLink(OtherServer()), Size(9, 9), Level.EASY)
    with pytest.raises(ActionError, match=r"version 1 has no (undo|chord)"):
        asyncio.run(game.apply(action))


class Blind(OtherServer):
    """Shows whatever a game begins with, for ever."""

    def receive(self, packet: Packet) -> None:
        if isinstance(packet, Start):
            super().receive(packet)


class Forgetful(OtherServer):
    """Takes a mark and shows none of those before."""

    def screen(self) -> bytes:
        screen = super().screen()
        return screen.replace("🚩".encode(), b" ?", screen.count("🚩".encode()) - 1)


class Elsewhere(OtherServer):
    """Has so much to say once a game is won that its field is gone."""

    def screen(self) -> bytes:
        return b"You have won!" if self.view.status is Status.WON else super().screen()


class Overcrowded(OtherServer):
    """Shows numbers that no board has."""

    def screen(self) -> bytes:
        screen = super().screen()
        return screen.replace(b".", b"8") if self.view.visible else screen


def play_often(make: Callable[[int], OtherServer]) -> None:
    for seed in range(20):
        play(make(seed), Size(9, 9), Level.EASY)


def test_a_server_on_which_nothing_moves_is_left() -> None:
    with pytest.raises(BotError, match="shows nothing new after reveal"):
        play(Blind(), Size(9, 9), Level.EASY)
    with pytest.raises(BotError, match="does not show the marks"):
        play(Blind(), Size(1, 1), Level.EASY)


def test_a_server_that_loses_marks_is_left() -> None:
    with pytest.raises(BotError, match=r"nothing new after flag|does not show the marks"):
        play_often(Forgetful)


def test_a_game_is_won_by_its_marks_whatever_is_shown_then() -> None:
    server = Elsewhere()
    assert play(server, Size(1, 1), Level.EASY).status is Status.WON
    assert server.view.status is Status.WON


def test_numbers_that_contradict_each_other_are_one_sentence() -> None:
    with pytest.raises(BotError, match="impossible on a board with 4 mines"):
        play_often(Overcrowded)


def test_what_is_no_screen_is_one_sentence() -> None:
    with pytest.raises(BotError, match="something that is not a screen"):
        play(Recorded(View()), Size(9, 9), Level.EASY)
