"""A replay on a terminal, without one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from jminesweeper.client import events
from jminesweeper.client.keys import ESC_WAIT_S
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.recordings.recording import Recording
from jminesweeper.replay import Recorded, ReplayViewer
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.looks import Canvas, ColourDepth
from tests.staged import Staged
from tests.unit.core.boards import play

LEFT, RIGHT, PAGE_UP, PAGE_DOWN = b"\x1b[D", b"\x1b[C", b"\x1b[5~", b"\x1b[6~"
HOME, END = b"\x1b[H", b"\x1b[F"
MOVES = ("flag 0 0", "reveal 3 1", "undo", "reveal 1 0")


class Watching(Staged):
    """A replay before somebody."""

    def __init__(self, game: Game) -> None:
        self.asked: list[PlayerView] = []
        self.viewer = ReplayViewer(
            Recorded(Recording(game), "classic 4x2", [["3BV", "2"]]),
            Canvas(80, 24, ColourDepth.NONE),
            KeyMap(),
            find_chances=self.find_chances,
        )
        super().__init__(self.viewer)
        self.after(events.Expired())

    def find_chances(self, view: PlayerView, _near: Cell) -> Mapping[int, int]:
        self.asked.append(view)
        return {0: 100, 1: 0}

    @property
    def time_line(self) -> str:
        return self.screen.lines[-1]

    @property
    def position(self) -> int:
        return int(self.time_line.split()[-2].partition("/")[0])

    @property
    def at_cursor(self) -> str:
        row, column = self.screen.cursor
        return self.screen.lines[row][column - 1 : column + 2]


def watching(*moves: str) -> Watching:
    return Watching(play("*...\n....", "classic", *(moves or MOVES)))


def test_the_first_position_is_shown_at_once_with_time_line_and_keys() -> None:
    replay = watching()
    assert "JMinesweeper  classic 4x2" in replay.text
    assert "Before the first action" in replay.text
    assert "SPACE pause" in replay.text
    assert replay.time_line.startswith(" 0:00.0 |---")
    assert replay.time_line.endswith(" 0:03.0   0/4       1x")


def test_a_key_shows_the_figures_and_the_board_again() -> None:
    replay = watching()
    replay.type(END)
    board = replay.text
    replay.type(b"e")
    assert " Figures " in replay.text
    assert "3BV 2" in replay.text
    replay.type(b"e")
    assert replay.text == board


def test_the_action_is_shown_with_the_cursor_on_its_cell() -> None:
    replay = watching()
    replay.type(RIGHT)
    assert replay.at_cursor == "[F]"
    assert "flag (0,0): set" in replay.text
    replay.type(RIGHT)
    assert replay.at_cursor == "[.]"
    assert "paused" in replay.text


@pytest.mark.parametrize(
    ("keys", "position"),
    [
        (RIGHT, 1),
        (b"ld", 2),
        (RIGHT * 3 + LEFT, 2),
        (RIGHT * 3 + b"ha", 1),
        (b"L", 4),
        (b"LH", 0),
        (END, 4),
        (END + HOME, 0),
        (PAGE_DOWN, 4),
        (PAGE_DOWN + PAGE_UP, 0),
        (b"7z\x1b[200~l\x1b[201~", 0),
    ],
)
def test_keys_go_through_the_game(keys: bytes, position: int) -> None:
    replay = watching()
    replay.type(keys)
    assert replay.position == position
    assert f" {position}/4 " in replay.time_line


@pytest.mark.parametrize(
    ("keys", "speed"), [(b"+", "2x"), (b"==", "4x"), (b"-", "0.5x"), (b"--", "0.25x")]
)
def test_keys_change_the_speed(keys: bytes, speed: str) -> None:
    replay = watching()
    replay.type(keys)
    assert replay.time_line.endswith(f" {speed}")


@pytest.mark.parametrize("pause", [b" ", b"p", b"P"])
def test_it_pauses_and_continues(pause: bytes) -> None:
    replay = watching()
    replay.type(pause)
    assert " paused " in replay.text
    paused = replay.viewer.deadline
    replay.type(pause)
    assert " replay " in replay.text
    assert paused is None
    assert replay.viewer.deadline is not None


@pytest.mark.parametrize("key", [b"x", b"X", b"q", b"Q"])
def test_x_leaves(key: bytes) -> None:
    replay = watching()
    replay.type(b"l" + key)
    assert replay.left == events.Leave(0)


def test_escape_leaves_when_nothing_follows_it() -> None:
    replay = watching()
    replay.type(b" \x1b")
    assert replay.viewer.deadline == replay.now_s + ESC_WAIT_S
    replay.wait()
    assert replay.left == events.Leave(0)


def test_what_did_not_change_is_not_painted_again() -> None:
    replay = watching()
    replay.type(b" ")
    replay.type(b"z")
    assert len(replay.written) < 90
    assert "0:00" not in replay.written


def test_a_lost_game_ends_with_its_mines_and_its_figures_shown() -> None:
    replay = watching("reveal 1 0", "reveal 0 0")
    replay.type(END)
    assert "reveal (0,0): hits a mine" in replay.text
    assert "B*" in replay.text
    assert "3BV 2" in replay.text
    replay.type(LEFT)
    assert "B*" not in replay.text
    assert "3BV 2" not in replay.text


class TestOdds:
    def test_they_are_shown_until_the_next_step(self) -> None:
        watching = Watching(play("*...\n....", "classic", *MOVES))
        watching.type(b"o")
        assert "* 0" in watching.text.replace("[", " ").replace("]", " ")
        assert watching.viewer.deadline is None
        watching.type(RIGHT)
        assert "* 0" not in watching.text
        watching.type(b"oo")
        assert len(watching.asked) == 2

    def test_of_a_lost_game_they_are_those_of_the_moment_before(self) -> None:
        watching = Watching(play("*...\n....", "classic", "reveal 1 0", "reveal 0 0"))
        watching.type(END + b"o")
        (view,) = watching.asked
        assert (view.status, view.shown_mines) == (Status.ONGOING, None)
