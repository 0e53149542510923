"""Packets of version 2 at the board, and what is said and undone there."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import MINED
from jminesweeper.protocol.packets import (
    Act,
    Hint,
    Load,
    MoveTo,
    NewGame,
    OpenMenu,
    Packet,
    Save,
    Start,
    Undo,
    UnknownPacket,
)
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.session.board import MOST_UNDO_STEPS
from tests.world.games import flagged
from tests.world.player import BACK, SEEN, Player, Step, case, cells_of, minefield_of, table
from tests.world.server import ANONYMOUS, KNOWN, World, alone, seated

BOARD = "*....\n.....\n.....\n....*"
OPEN, MINE = Act(1, 0, Button.REVEAL, SEEN), Act(0, 0, Button.REVEAL, SEEN)
FLAG, DEBUG, LOOK = Command.TOGGLE_BOMB_MARK, Command.TOGGLE_DEBUG_MODE, Command.REFRESH
FLAGS = (Act(1, 0, Button.FLAG, SEEN), Act(2, 0, Button.FLAG, SEEN))
AROUND, COVERED_AROUND = (Act(1, 0, Button.FLAG_AROUND, face) for face in (1, SEEN))
REDO = Undo(0)
WELCOME_BACK = "Welcome back. Your game continues where you left it."
FLAGS_WIN = "Flag every mine and nothing else."
ALL_OPEN = "All safe cells are open: flag the remaining"


class TestWithoutHello:
    @pytest.fixture
    def player(self) -> Player:
        return alone().do(Start(20, 10, 1))

    @pytest.mark.parametrize("packet", [BACK, OpenMenu("help")])
    def test_there_are_no_menus(self, player: Player, packet: Packet) -> None:
        assert "Menus need a HELLO first." in player.send(packet).text

    @pytest.mark.parametrize("packet", [Save("one"), Load("one"), Load("")])
    def test_nothing_is_saved(self, player: Player, packet: Packet) -> None:
        assert "the server does not know you" in player.send(packet).text

    def test_a_pause_hides_the_board_on_version_1_too(self, player: Player) -> None:
        screen = player.send(FLAG, Command.PAUSE).text
        assert ("Paused." in screen, "?" in screen) == (True, False)
        assert "F" in player.send(Command.PAUSE).text

    def test_new_games_undo_and_places_work(self, player: Player) -> None:
        player.send(NewGame("beginner jminesweeper"), MoveTo(3, 4), FLAG)
        assert "mines left 9" in player.lines[0]
        assert player.terminal.cursor == (6, 7)
        player.send(Undo())
        assert "mines left 10" in player.lines[0]

    @pytest.mark.parametrize(
        "packet", [Hint(0, 0), LOOK, UnknownPacket(22, 5), UnknownPacket(99, 2)]
    )
    def test_every_packet_is_answered(self, player: Player, packet: Packet) -> None:
        count = len(player.replies)
        player.send(packet)
        assert len(player.replies) == count + 1


@table(
    [
        case("a place off the board", MoveTo(5, 0), message="There is no cell at (5,0)."),
        case(
            "a cell off the board",
            Act(5, 0, Button.REVEAL, SEEN),
            message="There is no cell at (5,0).",
            top="?????",
        ),
        case("another button", Act(1, 0, 9, SEEN), message="There is no button 9.", top="?????"),
        case("reveal and flag", OPEN, Act(0, 0, Button.FLAG, SEEN), top="F1???"),
        case(
            "a chord",
            *(OPEN, Act(0, 0, Button.FLAG, SEEN), Act(1, 0, Button.CHORD, 1)),
            top="F1...",
        ),
        case("a board that is hidden", Command.PAUSE, OPEN, Command.PAUSE, top="?????"),
        case("a move leaves what is said", Command.MOVE_RIGHT, message=WELCOME_BACK),
        case("an action does not", Command.MOVE_RIGHT, FLAG, message=""),
        case("debug mode once and for good", *[DEBUG] * 4, remark="assisted"),
        case(
            "undo of a flag is no help",
            *(*FLAGS, Undo(1)),
            top="?F???",
            message="1 step undone.",
            remark="",
        ),
        case("what lost loses again", OPEN, MINE, Undo(1), REDO, state="lost"),
        case(
            "nothing is done again after something else",
            *(OPEN, Undo(1), FLAGS[0], REDO),
            message="Nothing to redo.",
            top="?F???",
        ),
        case(
            "flags that do not follow are not set",
            *(OPEN, AROUND),
            top="?1???",
            message="This number does not say which of these cells are mines.",
        ),
        case("flags around a covered cell", COVERED_AROUND, top="?????", message=""),
        case("more than there is", *FLAGS, Undo(7), top="?????", message="2 steps undone."),
        case("undo of nothing", Undo(1), message="There is nothing to undo.", remark=""),
        case("of no step", FLAGS[0], Undo(0), message="Nothing to redo.", remark=""),
        case(
            "undo of what lost",
            *(OPEN, 4_000, MINE, 60_000, Undo(1), 1_000, LOOK),
            state="playing",
            remark="assisted",
            clock="5 s",
            figures="",
        ),
        case("the aim", FLAG, message="", aim="Open every safe cell."),
        case("the end", MINE, aim="", state="lost"),
    ]
)
@pytest.mark.requirement("C:Mobile Support")
def test_at_the_board(steps: tuple[Step, ...], seen: dict[str, Any]) -> None:
    player, _ = seated(BOARD)
    player.do(*steps).sees(seen)


def test_a_press_is_one_write_with_its_cursor() -> None:
    player, world = seated(BOARD)
    player.send(Act(3, 2, Button.FLAG, SEEN))
    assert len(player.writes) == 1
    assert (world.running.length, world.running.cursor) == (1, Cell(3, 2))


class TestDebugMode:
    @pytest.mark.parametrize(("times", "mines"), [(1, 2), (4, 0)])
    def test_it_shows_the_mines_and_marks_the_stored_game_once(
        self, times: int, mines: int
    ) -> None:
        player, world = seated(BOARD)
        player.send(*[DEBUG] * times)
        assert sum(bool(face & MINED) for face in player.faces) == mines
        assert world.running.length == 1

    def test_a_game_of_which_only_the_mines_were_seen_is_no_game(self) -> None:
        player, world = seated(BOARD)
        player.send(DEBUG, Start(9, 9, 1), Start(9, 9, 3), FLAG)
        assert world.finished == []


class TestHelp:
    """The first help in a ranked game is asked about: a slip of a key must not cost the rank."""

    def test_who_declines_stays_ranked(self) -> None:
        player, _ = seated(BOARD)
        player.agrees_to_help = False
        player.do(OPEN, Undo(1)).sees({"screen": "assist"})
        player.do("No help").sees({"remark": "", "top": "?1???"})

    def test_who_agrees_is_asked_once(self) -> None:
        player, _ = seated(BOARD)
        player.agrees_to_help = False
        player.do(OPEN, Undo(1), "Help").sees({"remark": "assisted", "top": "?????"})
        player.do(OPEN, Undo(1)).sees({"screen": "game", "top": "?????"})

    def test_a_game_that_ranks_nowhere_is_helped_at_once(self) -> None:
        player = alone().do(
            ANONYMOUS, NewGame("beginner jminesweeper"), Act(4, 4, 0, SEEN), Undo(1)
        )
        player.sees({"screen": "game", "remark": "assisted"})


class TestLongGames:
    def come_back(self, diagram: str, times: int) -> tuple[Player, World]:
        """Go on with a game in which a cell was flagged and unflagged so many times."""
        world = World()
        world.put(flagged(diagram, times))
        return world.player().do(KNOWN), world

    def test_one_packet_takes_back_only_so_many_steps(self) -> None:
        player, _ = self.come_back(BOARD, MOST_UNDO_STEPS + 5)
        player.do(Undo(65_535)).sees({"message": f"{MOST_UNDO_STEPS} steps undone."})
        player.do(Undo(65_535)).sees({"message": "5 steps undone."})

    def test_a_game_that_is_full_takes_nothing_but_a_new_one(self) -> None:
        player, world = self.come_back("*.", 20_000)
        told = "This game is too long. Begin a new one."
        before = {"board": player.board, "remark": "", "message": told}
        for packet in (Command.REVEAL, FLAG, DEBUG, Hint(0, 0), Undo(5)):
            player.do(packet).sees(before)
        player.do(Start(9, 9, 1)).sees({"size": "9x9"})
        assert len(world.finished) == 1


class TestAim:
    """The goal stays readable while the game runs, and what is missing is named."""

    @pytest.mark.parametrize(
        ("rules", "aim"),
        [
            ("jminesweeper", FLAGS_WIN),
            ("classic", "Open every safe cell."),
            ("formal", "Open every safe cell, or flag every mine."),
        ],
    )
    def test_each_games_own_is_shown(self, rules: str, aim: str) -> None:
        player, _ = seated(BOARD, rules)
        player.do(Command.MOVE_RIGHT, FLAG).sees({"message": "", "aim": aim})

    def test_with_every_safe_cell_open_the_missing_flags_are_told(self) -> None:
        player, _ = seated("*.*", "jminesweeper")
        told = f"{ALL_OPEN} 2 mines."
        player.do(MoveTo(1, 0), Command.REVEAL).sees({"message": told, "aim": told})
        player.do(MoveTo(0, 0), FLAG).sees({"aim": f"{ALL_OPEN} mine."})
        player.do(MoveTo(2, 0), FLAG).sees({"state": "won"})

    def test_version_1_shows_it_whenever_there_is_nothing_newer(self) -> None:
        player = alone().do(Start(20, 10, 1), FLAG, Command.MOVE_RIGHT)
        assert player.lines[1] == FLAGS_WIN
        assert FLAGS_WIN not in player.send(DEBUG).text
        assert FLAGS_WIN in player.send(FLAG).text

    def test_version_1_is_told_of_missing_flags_as_well(self) -> None:
        start = Start(2, 1, 1)
        (safe,) = cells_of(field := minefield_of(start), 0b11 & ~field.mines)
        player = alone().do(start, MoveTo(*safe), Command.REVEAL)
        assert player.lines[1] == f"{ALL_OPEN} mine."


class TestEnd:
    def test_it_shows_figures_and_other_keys(self) -> None:
        player, _ = seated(BOARD)
        assert "new" not in player.members["keys"]
        player.do(MINE).sees({"state": "lost"})
        assert player.members["figures"][0] == ["time", "0.000 s"]
        assert player.members["keys"][0] == "new"

    def test_a_first_cell_that_nothing_protects_says_so_and_offers_another_game(self) -> None:
        player = alone().do(ANONYMOUS, Start(1, 1, 1), Command.REVEAL)
        assert player.message == "You lost. These rules do not protect the first cell."
        assert player.members["keys"][0] == "classic"


class TestLeaving:
    def test_quit_leaves_the_game_with_its_clock(self) -> None:
        player, world = seated(BOARD)
        player.do(OPEN, 3_000, Command.QUIT)
        assert (player.is_connected, world.running.clock_ms) == (False, 3_000)

    def test_a_last_view_tells_whether_to_come_back(self) -> None:
        for is_final in (False, True):
            player, _ = seated(BOARD)
            player.disconnect("Bye.", is_final=is_final)
            assert player.members.get("last", False) is is_final
            assert player.message == "Bye."

    def test_a_server_that_stops_leaves_the_board_to_look_at(self) -> None:
        player, _ = seated(BOARD)
        board = player.do(OPEN).board
        player.send(BACK)
        player.disconnect("Bye.")
        player.sees({"screen": "game", "message": "Bye.", "board": board})
        assert player.members["keys"] == ["quit"]
        assert player.members["clock_runs"] is False


def test_nobody_is_asked_about_help_on_the_board_that_newcomers_begin_with() -> None:
    player, _ = seated(BOARD)
    player.agrees_to_help = False
    player.do(Start(20, 10, 1), FLAG, DEBUG).sees({"screen": "game", "remark": "debug assisted"})


def test_what_follows_from_a_number_is_flagged_with_a_click_for_each_cell() -> None:
    player, world = seated("*.....\n......\n....**\n....*.")
    player.do(Act(3, 0, Button.REVEAL, SEEN))
    length = world.running.length
    player.do(Act(1, 1, Button.FLAG_AROUND, 1)).sees({"top": "F1...."})
    assert world.running.length == length + 1
    player.do(Act(1, 1, Button.FLAG_AROUND, 1)).sees({"top": "F1....", "message": ""})


def test_flags_that_follow_can_win() -> None:
    player, _ = seated("*.*\n...", "jminesweeper")
    player.do(OPEN, Act(1, 1, Button.REVEAL, SEEN))
    player.do(*(Act(x, 1, Button.REVEAL, SEEN) for x in (0, 2)), Act(1, 0, Button.FLAG_AROUND, 2))
    player.sees({"state": "won"})


def test_what_was_undone_is_done_again_step_by_step() -> None:
    player, _ = seated(BOARD)
    player.do(OPEN, FLAGS[1], Undo(2)).sees({"top": "?????", "message": "2 steps undone."})
    player.do(REDO).sees({"top": "?1???"})
    player.do(REDO).sees({"top": "?1F??"})
    player.do(REDO).sees({"message": "Nothing to redo."})
