"""The bot on servers that run in this process."""

from __future__ import annotations

import socket
from typing import Any

import click
import pytest

from jminesweeper.cli.bot_visit import Visit, play_on_server, report_visit
from jminesweeper.client.address import Address
from jminesweeper.client.bot import Server
from jminesweeper.core import Cell, FirstReveal, Level, Size
from jminesweeper.protocol import (
    Command,
    FirstRevealCode,
    GameKind,
    MoveTo,
    NewGame,
    NewGameFlag,
    RulesCode,
    ScreenContent,
    Start,
)
from jminesweeper.solver import Contest, Move, Opening
from tests.integration.scripted_server import Peer, Script, serving
from tests.unit.client.bot.servers import OtherServer, OwnServer

BEGINNER = Opening.ZERO_INSIDE.contest(Size(9, 9), 10)


def served(server: Server) -> Script:
    def script(peer: Peer) -> None:
        peer.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while (packet := peer.receive()) is not None and packet is not Command.QUIT:
            peer.send(ScreenContent(server.ask(packet)))

    return script


def visit(server: Server, plan: Visit) -> dict[str, Any]:
    with serving(served(server)) as listener:
        return play_on_server(Address("127.0.0.1", listener.port), plan, None)


def new_games(server: OwnServer) -> list[NewGame]:
    return [packet for packet in server.received if isinstance(packet, NewGame)]


def test_version_2_is_spoken_where_it_is_announced() -> None:
    server = OwnServer()
    facts = visit(server, Visit(BEGINNER, 8, "auto", None, 7))
    assert (facts["wire"], facts["games"]) == (2, 8)
    assert facts["won"] >= 5
    assert facts["moves"] > facts["guesses"]
    assert new_games(server) == [
        NewGame(
            GameKind.OWN,
            9,
            9,
            10,
            rules=RulesCode.CLASSIC,
            first_reveal=FirstRevealCode.ZERO,
            flags=NewGameFlag.SEEDED,
            seed=seed,
        )
        for seed in range(7, 15)
    ]
    assert MoveTo(3, 3) in server.received


def test_the_same_seeds_are_the_same_games() -> None:
    plan = Visit(BEGINNER, 4, "2", None, 21)
    assert visit(OwnServer(1), plan) == visit(OwnServer(2), plan)


def test_a_level_is_played_by_the_rules_of_document_j() -> None:
    server = OwnServer()
    facts = visit(server, Visit(BEGINNER, 4, "2", Level.EASY, None))
    assert facts["won"] >= 1
    assert new_games(server) == [NewGame(GameKind.LEVEL, 9, 9, level=1)] * 4
    assert MoveTo(3, 3) not in server.received[:4]


def test_an_unprotected_first_click_is_a_guess_like_any_other() -> None:
    contest = Contest(Size(9, 9), 80, Cell(0, 0), FirstReveal.OFF)
    facts = visit(OwnServer(), Visit(contest, 3, "2", None, None))
    assert facts["guesses"] >= 3


@pytest.mark.parametrize("level", [None, Level.MEDIUM])
def test_version_1_is_spoken_on_demand(level: Level | None) -> None:
    server = OwnServer()
    facts = visit(server, Visit(BEGINNER, 2, "1", level, None))
    assert facts["wire"] == 1
    starts = [packet for packet in server.received if isinstance(packet, Start)]
    assert starts == [Start(9, 9, 1 if level is None else 2)] * 2


def test_version_1_is_spoken_where_nothing_else_is() -> None:
    facts = visit(OtherServer(), Visit(BEGINNER, 5, "auto", Level.EASY, None))
    assert facts["wire"] == 1
    assert facts["won"] >= 1


def test_each_games_end_is_shown_to_who_watches(capsys: pytest.CaptureFixture[str]) -> None:
    moves: list[Move] = []
    with serving(served(OtherServer())) as listener:
        address = Address("127.0.0.1", listener.port)
        plan = Visit(BEGINNER, 2, "auto", Level.EASY, None)
        play_on_server(address, plan, lambda move, _view: moves.append(move))
    ends = capsys.readouterr().out.splitlines()
    assert sum(int(line.split()[2]) for line in ends) == len(moves)
    assert {line.split()[0] for line in ends} <= {"won", "lost"}


def test_a_server_that_cannot_what_is_wanted_is_one_sentence() -> None:
    with pytest.raises(click.ClickException, match="speaks version 1 of the protocol only"):
        visit(OtherServer(), Visit(BEGINNER, 1, "2", None, None))


def test_what_came_of_it_is_one_sentence() -> None:
    facts = {"wire": 2, "games": 8, "won": 7, "moves": 100, "guesses": 3}
    assert report_visit(Address("::1", 9999), facts) == (
        "[::1]:9999, version 2 of the wire: won 7 of 8 games with 100 moves, 3 of them guesses"
    )
