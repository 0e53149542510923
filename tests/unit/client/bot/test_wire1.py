"""Whole games by looking at version 1 screens."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jminesweeper.client.bot.outcome import BotError
from jminesweeper.client.bot.wire1 import play_wire_1
from jminesweeper.core import ActionKind, Level, PlayerView, Size, Status
from jminesweeper.protocol import Command, Packet, Start
from jminesweeper.solver import Move
from tests.unit.client.bot.servers import OtherServer, OwnServer

SIZES = [Size(1, 1), Size(2, 1), Size(1, 9), Size(9, 1), Size(20, 10), Size(45, 12)]


@pytest.mark.requirement("J:Networking Protocol", "E:Solver")
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("make", [OwnServer, OtherServer])
def test_games_of_any_size_are_played_to_the_end_on_any_server(
    make: Callable[[int], OwnServer | OtherServer], size: Size
) -> None:
    outcomes = [play_wire_1(make(seed), size, Level.EASY) for seed in range(6)]
    ends = [outcome.status for outcome in outcomes]
    assert set(ends) <= {Status.WON, Status.LOST}
    if size.columns >= 20:
        assert ends.count(Status.WON) >= 4


@pytest.mark.parametrize("level", Level)
def test_the_server_agrees_on_how_a_game_ended(level: Level) -> None:
    for seed in range(25):
        server = OtherServer(seed)
        outcome = play_wire_1(server, Size(8, 8), level)
        assert server.view.status is outcome.status


def test_one_cell_is_marked_and_won() -> None:
    server = OwnServer()
    outcome = play_wire_1(server, Size(1, 1), Level.HARD)
    assert (outcome.status, outcome.moves, outcome.guesses) == (Status.WON, 1, 0)
    assert server.received == [Start(1, 1, 3), Command.TOGGLE_BOMB_MARK]


def test_every_move_can_be_watched_with_what_was_seen_before_it() -> None:
    moves: list[tuple[Move, PlayerView]] = []
    server = OtherServer(3)
    outcome = play_wire_1(
        server, Size(12, 8), Level.EASY, lambda move, view: moves.append((move, view))
    )
    assert outcome.moves == len(moves)
    assert outcome.guesses == sum(move.risk > 0 for move, _ in moves)
    assert {move.kind for move, _ in moves} == {ActionKind.REVEAL, ActionKind.FLAG}
    assert not any(view.visible & view.grid.bit(move.cell) for move, view in moves)


class Blind(OtherServer):
    """Shows whatever a game begins with, for ever."""

    def ask(self, *packets: Packet) -> bytes:
        starts = [packet for packet in packets if isinstance(packet, Start)]
        return super().ask(*starts)


class Forgetful(OtherServer):
    """Takes a mark and shows none of those before."""

    def ask(self, *packets: Packet) -> bytes:
        screen = super().ask(*packets)
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
        play_wire_1(make(seed), Size(9, 9), Level.EASY)


def test_a_server_on_which_nothing_moves_is_left() -> None:
    with pytest.raises(BotError, match="shows nothing new after reveal"):
        play_wire_1(Blind(), Size(9, 9), Level.EASY)
    with pytest.raises(BotError, match="does not show the marks"):
        play_wire_1(Blind(), Size(1, 1), Level.EASY)


def test_a_server_that_loses_marks_is_left() -> None:
    with pytest.raises(BotError, match=r"nothing new after flag|does not show the marks"):
        play_often(Forgetful)


def test_a_game_is_won_by_its_marks_whatever_is_shown_then() -> None:
    server = Elsewhere()
    assert play_wire_1(server, Size(1, 1), Level.EASY).status is Status.WON
    assert server.view.status is Status.WON


def test_numbers_that_contradict_each_other_are_one_sentence() -> None:
    with pytest.raises(BotError, match="cannot be of a board with 4 mines"):
        play_often(Overcrowded)
