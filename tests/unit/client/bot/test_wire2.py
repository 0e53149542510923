"""Whole games by version 2's plain text."""

from __future__ import annotations

import pytest

from jminesweeper.client.bot.outcome import BotError
from jminesweeper.client.bot.wire2 import play_wire_2, speaks_version_2
from jminesweeper.core import Cell, Level, Size, Status, Victory
from jminesweeper.protocol import Command, FirstRevealCode, GameKind, MoveTo, NewGame, RulesCode
from tests.unit.client.bot.servers import OtherServer, OwnServer, Recorded

BEGINNER = NewGame(GameKind.BEGINNER, rules=RulesCode.CLASSIC, first_reveal=FirstRevealCode.ZERO)


def own_server(seed: int = 1) -> OwnServer:
    server = OwnServer(seed)
    assert speaks_version_2(server)
    return server


def test_a_server_announces_version_2_or_does_not_speak_it() -> None:
    assert speaks_version_2(OwnServer())
    assert not speaks_version_2(OtherServer())


@pytest.mark.requirement("E:Solver")
def test_classic_games_are_played_from_their_first_click_and_mostly_won() -> None:
    outcomes = [
        play_wire_2(own_server(seed), BEGINNER, Victory.SAFE_VISIBLE, first=Cell(3, 3))
        for seed in range(12)
    ]
    assert sum(outcome.status is Status.WON for outcome in outcomes) >= 9


def test_the_first_click_comes_before_anything_else() -> None:
    server = own_server()
    play_wire_2(server, BEGINNER, Victory.SAFE_VISIBLE, first=Cell(3, 4))
    assert server.received[3:5] == [MoveTo(3, 4), Command.REVEAL]


@pytest.mark.parametrize("size", [Size(1, 1), Size(30, 5), Size(45, 9)], ids=str)
def test_games_of_levels_are_won_by_marks(size: Size) -> None:
    game = NewGame(GameKind.LEVEL, size.columns, size.rows, level=Level.EASY.value)
    outcomes = [play_wire_2(own_server(seed), game, Victory.FLAGS) for seed in range(6)]
    assert sum(outcome.status is Status.WON for outcome in outcomes) >= 4


def test_moves_can_be_watched() -> None:
    seen: list[Cell] = []
    outcome = play_wire_2(
        own_server(), BEGINNER, Victory.FLAGS, watch=lambda move, _view: seen.append(move.cell)
    )
    assert len(seen) == outcome.moves > 0


def field(state: str, mines: str, *rows: str) -> str:
    numbered = "".join(f"{number:>3} {row}\n" for number, row in enumerate(rows))
    return f"JMinesweeper\nscreen: game\nstate: {state}\nmines: {mines}\nfield:\n{numbered}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("JMinesweeper Menu\nscreen: menu\n", "shows no field."),
        ("", "shows no field."),
        ("\udcff\udcfe", "shows no field."),
        (field("asleep", "1", "? ?"), "shows no field: a field needs"),
        (field("playing", "many", "? ?"), "shows no field: a field needs"),
        (field("playing", "1", "? ?", "?"), "shows no field: a board needs rows"),
        (field("playing", "1", "? \x1b"), "shows no field: '\\\\x1b' at column 1"),
        (field("playing", "1"), "shows no field: "),
        (field("playing", "1", "? " * 300), "shows no field: "),
        (field("playing", "3", "1 ? ?"), "cannot be of a board with 3 mines"),
        (field("playing", "9", "? ?"), "cannot be of a board with 9 mines"),
        (field("playing", "-1", "? ?"), "cannot be of a board with -1 mines"),
        (field("playing", "1", "1 ?"), "nothing left to do"),
        (field("playing", "1", "? ? ?"), "nothing new after reveal"),
    ],
)
def test_a_screen_that_is_no_game_is_one_sentence(text: str, message: str) -> None:
    server = Recorded(text.encode(errors="surrogateescape"))
    with pytest.raises(BotError, match=message):
        play_wire_2(server, BEGINNER, Victory.SAFE_VISIBLE)


def test_another_board_in_the_middle_of_a_game_is_one_sentence() -> None:
    screens = (field("playing", "1", "? ? ?"), field("playing", "1", "1 ? ? ?"))
    with pytest.raises(BotError, match="another board"):
        play_wire_2(Recorded(*map(str.encode, screens)), BEGINNER, Victory.SAFE_VISIBLE)


@pytest.mark.parametrize("state", ["won", "lost", "given up"])
def test_a_game_that_is_over_at_once_has_no_moves(state: str) -> None:
    server = Recorded(field(state, "1", "B 1").encode())
    outcome = play_wire_2(server, BEGINNER, Victory.SAFE_VISIBLE)
    assert outcome.status.is_over
    assert outcome.moves == 0
