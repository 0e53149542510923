"""The bot on servers that run in this process."""

from __future__ import annotations

import asyncio

from jminesweeper.bot.playing import GameOutcome, Report, ServerGames, play_on_server
from jminesweeper.client.address import Address
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import FirstReveal, Level
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Act, NewGame
from jminesweeper.protocol.vocabulary import Button
from jminesweeper.solver.no_guess import Contest, Opening
from tests.integration.scripted_server import serving
from tests.unit.bot.servers import OwnServer, PacketServer, served
from tests.unit.bot.watchers import Notes

BEGINNER = Opening.ZERO_INSIDE.contest(Size(9, 9), 10)


def played(server: PacketServer, games: ServerGames) -> dict[str, int]:
    with serving(served(server)) as listener:
        return asyncio.run(play_on_server(Address("127.0.0.1", listener.port), games)).facts()


def new_games(server: OwnServer) -> list[NewGame]:
    return [packet for packet in server.received if isinstance(packet, NewGame)]


def test_the_game_that_was_asked_for_is_played() -> None:
    server = OwnServer()
    facts = played(server, ServerGames(BEGINNER, 8, None, 7))
    assert facts["games"] == 8
    assert facts["won"] >= 5
    assert facts["moves"] > facts["guesses"]
    assert new_games(server) == [NewGame(f"beginner classic seed={seed}") for seed in range(7, 15)]
    assert Act(*BEGINNER.first, Button.REVEAL, 16) in server.received


def test_a_level_is_played_by_the_rules_of_document_j() -> None:
    server = OwnServer()
    facts = played(server, ServerGames(BEGINNER, 4, Level.EASY, None))
    assert facts["won"] >= 1
    assert new_games(server) == [NewGame("easy 9x9 jminesweeper")] * 4
    assert Act(3, 3, Button.REVEAL, 16) not in server.received[:4]


def test_an_unprotected_first_click_is_a_guess_like_any_other() -> None:
    contest = Contest(Size(9, 9), 80, Cell(0, 0), FirstReveal.OFF)
    facts = played(OwnServer(), ServerGames(contest, 3, None, None))
    assert facts["guesses"] >= 3


def test_each_games_moves_and_its_end_can_be_watched() -> None:
    notes = Notes()
    with serving(served(OwnServer())) as listener:
        address = Address("127.0.0.1", listener.port)
        games = ServerGames(BEGINNER, 2, level=Level.EASY)
        report = asyncio.run(play_on_server(address, games, notes))
    assert report.outcomes == notes.ends
    assert sum(outcome.moves for outcome in notes.ends) == len(notes.moves)


def test_a_report_adds_the_games_up() -> None:
    outcomes = [GameOutcome(Status.WON, 9, 1), GameOutcome(Status.LOST, 4, 2)]
    facts = {"games": 2, "won": 1, "moves": 13, "guesses": 3}
    assert Report(outcomes).facts() == facts
