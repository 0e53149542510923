"""Whole games in either version of the protocol."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jminesweeper.bot.playing import BotError
from jminesweeper.bot.versions import play_version_1, play_version_2
from jminesweeper.core import ActionKind, Cell, Level, PlayerView, Size, Status, Victory
from jminesweeper.protocol import (
    Act,
    Button,
    Command,
    FirstRevealCode,
    GameKind,
    Hello,
    NewGame,
    Packet,
    RulesCode,
    ScreenFormat,
    Start,
)
from jminesweeper.solver import Decision
from tests.unit.bot.servers import OtherServer, OwnServer, Recorded

SIZES = [Size(1, 1), Size(2, 1), Size(1, 9), Size(9, 1), Size(20, 10), Size(45, 12)]


@pytest.mark.requirement("J:Networking Protocol", "E:Solver")
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("make", [OwnServer, OtherServer])
def test_games_of_any_size_are_played_to_the_end_on_any_server(
    make: Callable[[int], OwnServer | OtherServer], size: Size
) -> None:
    outcomes = [play_version_1(make(seed), size, Level.EASY) for seed in range(6)]
    ends = [outcome.status for outcome in outcomes]
    assert set(ends) <= {Status.WON, Status.LOST}
    if size.columns >= 20:
        assert ends.count(Status.WON) >= 4


@pytest.mark.parametrize("level", Level)
def test_the_server_agrees_on_how_a_game_ended(level: Level) -> None:
    for seed in range(25):
        server = OtherServer(seed)
        outcome = play_version_1(server, Size(8, 8), level)
        assert server.view.status is outcome.status


def test_one_cell_is_marked_and_won() -> None:
    server = OwnServer()
    outcome = play_version_1(server, Size(1, 1), Level.HARD)
    assert (outcome.status, outcome.moves, outcome.guesses) == (Status.WON, 1, 0)
    assert server.received == [Start(1, 1, 3), Command.TOGGLE_BOMB_MARK]


def test_every_move_can_be_watched_with_what_was_seen_before_it() -> None:
    moves: list[tuple[Decision, PlayerView]] = []
    server = OtherServer(3)
    outcome = play_version_1(
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
        play_version_1(make(seed), Size(9, 9), Level.EASY)


def test_a_server_on_which_nothing_moves_is_left() -> None:
    with pytest.raises(BotError, match="shows nothing new after reveal"):
        play_version_1(Blind(), Size(9, 9), Level.EASY)
    with pytest.raises(BotError, match="does not show the marks"):
        play_version_1(Blind(), Size(1, 1), Level.EASY)


def test_a_server_that_loses_marks_is_left() -> None:
    with pytest.raises(BotError, match=r"nothing new after flag|does not show the marks"):
        play_often(Forgetful)


def test_a_game_is_won_by_its_marks_whatever_is_shown_then() -> None:
    server = Elsewhere()
    assert play_version_1(server, Size(1, 1), Level.EASY).status is Status.WON
    assert server.view.status is Status.WON


def test_numbers_that_contradict_each_other_are_one_sentence() -> None:
    with pytest.raises(BotError, match="impossible on a board with 4 mines"):
        play_often(Overcrowded)


BEGINNER = NewGame(GameKind.BEGINNER, rules=RulesCode.CLASSIC, first_reveal=FirstRevealCode.ZERO)


def greeted(seed: int = 1) -> OwnServer:
    """Bring our own server to plain text, as the conversation does."""
    server = OwnServer(seed)
    server.ask(Start(1, 1, 1), Hello(80, 24, format=ScreenFormat.PLAIN))
    server.received.clear()
    return server


@pytest.mark.requirement("E:Solver")
def test_classic_games_are_played_from_their_first_click_and_mostly_won() -> None:
    outcomes = [
        play_version_2(greeted(seed), BEGINNER, Victory.SAFE_VISIBLE, first=Cell(3, 3))
        for seed in range(12)
    ]
    assert sum(outcome.status is Status.WON for outcome in outcomes) >= 9


def test_the_first_click_comes_before_anything_else() -> None:
    server = greeted()
    play_version_2(server, BEGINNER, Victory.SAFE_VISIBLE, first=Cell(3, 4))
    assert server.received[:2] == [BEGINNER, Act(3, 4, Button.REVEAL)]


def test_a_move_is_one_packet() -> None:
    server = greeted()
    game = NewGame(GameKind.LEVEL, 12, 8, level=Level.EASY.value)
    outcome = play_version_2(server, game, Victory.FLAGS)
    buttons = [packet.button for packet in server.received if isinstance(packet, Act)]
    assert len(server.received) - 1 == len(buttons) == outcome.moves
    assert {*buttons} == {Button.REVEAL, Button.FLAG}


@pytest.mark.parametrize("size", [Size(1, 1), Size(30, 5), Size(45, 9)], ids=str)
def test_games_of_levels_are_won_by_marks(size: Size) -> None:
    game = NewGame(GameKind.LEVEL, size.columns, size.rows, level=Level.EASY.value)
    outcomes = [play_version_2(greeted(seed), game, Victory.FLAGS) for seed in range(6)]
    assert sum(outcome.status is Status.WON for outcome in outcomes) >= 4


def test_moves_can_be_watched() -> None:
    seen: list[Cell] = []
    outcome = play_version_2(
        greeted(), BEGINNER, Victory.FLAGS, watch=lambda move, _view: seen.append(move.cell)
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
        (field("playing", "3", "1 ? ?"), "impossible on a board with 3 mines"),
        (field("playing", "9", "? ?"), "impossible on a board with 9 mines"),
        (field("playing", "-1", "? ?"), "impossible on a board with -1 mines"),
        (field("playing", "1", "1 ?"), "No moves are left"),
        (field("playing", "1", "? ? ?"), "nothing new after reveal"),
    ],
)
def test_a_screen_that_is_no_game_is_one_sentence(text: str, message: str) -> None:
    server = Recorded(text.encode(errors="surrogateescape"))
    with pytest.raises(BotError, match=message):
        play_version_2(server, BEGINNER, Victory.SAFE_VISIBLE)


def test_another_board_in_the_middle_of_a_game_is_one_sentence() -> None:
    screens = (field("playing", "1", "? ? ?"), field("playing", "1", "1 ? ? ?"))
    with pytest.raises(BotError, match="board changed"):
        play_version_2(Recorded(*map(str.encode, screens)), BEGINNER, Victory.SAFE_VISIBLE)


@pytest.mark.parametrize("state", ["won", "lost", "given up"])
def test_a_game_that_is_over_at_once_has_no_moves(state: str) -> None:
    server = Recorded(field(state, "1", "B 1").encode())
    outcome = play_version_2(server, BEGINNER, Victory.SAFE_VISIBLE)
    assert outcome.status.is_over
    assert outcome.moves == 0
