"""Document C, scenario by scenario, on the wire."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from jminesweeper.core.rules import PRESETS
from jminesweeper.protocol.packets import Load, NewGame, Save, Start, Undo
from jminesweeper.protocol.vocabulary import Button, Command
from tests.scenarios.table import Table
from tests.world.player import BACK

CLASSIC = PRESETS["classic"]
PLAIN_OPENING = replace(CLASSIC, auto_open=False)
BOARD = "*....\n.....\n.....\n....*"
"""Two mines in opposite corners, zeros between: revealing one of those wins."""
WALL = "..*..\n..*..\n..*.."
LEVELS = [
    ("beginner", 9, 9, 10),
    ("intermediate", 16, 16, 40),
    ("expert", 30, 16, 99),
]


@pytest.mark.requirement("C:Game Setup")
@pytest.mark.parametrize(("board", "columns", "rows", "mines"), LEVELS)
def test_game_setup(board: str, columns: int, rows: int, mines: int) -> None:
    """A grid of the difficulty appears, every cell of it hidden."""
    table = Table()
    table.send(NewGame(board))
    assert table.size == (columns, rows)
    assert table.mines_left == mines
    assert table.seconds == 0


@pytest.mark.requirement("C:Game Setup")
def test_game_setup_is_random() -> None:
    """No two games have the same mines."""
    table = Table(entropy=Random(1).getrandbits)
    fields = set()
    for _ in range(5):
        table.send(NewGame("beginner formal"))
        assert table.size == (9, 9)
        table.send(Command.TOGGLE_DEBUG_MODE)
        fields.add(bytes(table.player.faces))
        table.send(Command.TOGGLE_DEBUG_MODE)
    assert len(fields) == 5


@pytest.mark.requirement("C:Difficulty Levels")
@pytest.mark.parametrize(
    ("label", "columns", "rows", "mines"),
    [("Beginner", 9, 9, 10), ("Intermediate", 16, 16, 40), ("Expert", 30, 16, 99)],
)
def test_difficulty_levels(label: str, columns: int, rows: int, mines: int) -> None:
    table = Table()
    table.choose("New game")
    table.choose(label)
    assert table.size == (columns, rows)
    assert table.mines_left == mines


@pytest.mark.requirement("C:Difficulty Levels")
def test_difficulty_level_custom() -> None:
    """Infinity or Custom is what the player makes of it."""
    table = Table()
    table.send(NewGame("12x7/20"))
    assert table.size == (12, 7)
    assert table.mines_left == 20


class TestCellRevelation:
    pytestmark = pytest.mark.requirement("C:Cell Revelation")

    def test_a_number_is_the_count_of_mines_around(self) -> None:
        table = Table("*.*\n...\n*.*")
        table.press(1, 1)
        assert table.field == ["???", "?4?", "???"]

    def test_a_mine_ends_the_game(self) -> None:
        table = Table(BOARD)
        assert "You lost" in table.press(0, 0)

    def test_a_zero_opens_everything_connected(self) -> None:
        table = Table(WALL)
        table.press(0, 1)
        assert table.field == [".2???", ".3???", ".2???"]

    def test_a_zero_opens_alone_where_that_is_set(self) -> None:
        table = Table(BOARD, PLAIN_OPENING)
        table.press(2, 0)
        assert table.field == ["??.??", "?????", "?????", "?????"]


class TestFirstClickSafety:
    pytestmark = pytest.mark.requirement("C:First-Click Safety", "C:Game Setup")

    @pytest.mark.parametrize("cell", [(0, 0), (4, 4), (8, 8)])
    def test_the_first_click_never_hits(self, cell: tuple[int, int]) -> None:
        """Every cell but one is mined: wherever it was, it is under the first click now."""
        table = Table()
        table.send(NewGame("9x9/80"))
        assert table.size == (9, 9)
        assert "You won" in table.press(*cell)

    def test_it_can_be_switched_off(self) -> None:
        table = Table()
        table.send(NewGame("3x3/8 first-reveal=off"))
        assert table.size == (3, 3)
        outcomes = []
        for column in range(3):
            table.press(column, 0)
            outcomes.append("You lost" in table.words)
            table.send(Undo(1))
        assert any(outcomes)

    def test_a_zero_opens_its_surroundings(self) -> None:
        table = Table()
        table.send(NewGame("beginner first-reveal=zero"))
        assert table.size == (9, 9)
        table.press(4, 4)
        around = "".join(row[3:6] for row in table.field[3:6])
        assert "?" not in around
        assert around[4] == "."


class TestFlagging:
    pytestmark = pytest.mark.requirement("C:Flagging", "C:Mine Counter")

    def test_a_flag_comes_and_the_counter_goes_down(self) -> None:
        table = Table(BOARD)
        assert table.mines_left == 2
        table.flag(1, 1)
        assert table.field[1] == "?F???"
        assert table.mines_left == 1

    def test_a_flag_goes_and_the_counter_goes_up(self) -> None:
        table = Table(BOARD)
        table.flag(1, 1)
        table.flag(1, 1)
        assert table.field[1] == "?????"
        assert table.mines_left == 2

    def test_the_counter_may_go_below_zero(self) -> None:
        table = Table(BOARD)
        for column in range(4):
            table.flag(column, 1)
        assert table.mines_left == -2

    def test_a_flagged_cell_is_not_revealed(self) -> None:
        table = Table(BOARD)
        table.flag(0, 0)
        table.press(0, 0)
        assert table.field[0] == "F????"


class TestChordClicking:
    pytestmark = pytest.mark.requirement("C:Chord-Clicking")

    def test_a_click_on_a_satisfied_number_opens_the_rest(self) -> None:
        table = Table("*.*\n...\n...")
        table.press(1, 0)
        table.flag(0, 0)
        table.flag(2, 0)
        table.press(1, 0)
        assert table.field[:2] == ["F2F", "121"]

    @pytest.mark.parametrize("flags", [1, 3])
    def test_it_does_nothing_while_the_flags_do_not_match(self, flags: int) -> None:
        table = Table("*.*\n...\n...")
        table.press(1, 0)
        for cell in ((0, 0), (0, 1), (2, 0))[:flags]:
            table.flag(*cell)
        before = table.field
        table.press(1, 0)
        assert table.field == before

    def test_it_loses_on_a_mine(self) -> None:
        table = Table("*.*\n...\n...")
        table.press(1, 0)
        table.flag(0, 0)
        table.flag(1, 1)
        assert "You lost" in table.press(1, 0)


@pytest.mark.requirement("C:Winning Condition", "C:Visual Feedback")
def test_winning_condition() -> None:
    """All safe cells open: won, the other mines are flagged, the counter is 0, the clock stops."""
    table = Table(BOARD)
    table.flag(0, 0)
    table.wait(5)
    screen = table.press(2, 0)
    assert "You won" in screen
    assert table.player.entry("state") == "won"
    assert (table.marks(0, 0), table.marks(4, 3)) == ("F", "F")
    assert table.mines_left == 0
    table.wait(60)
    assert table.seconds == 5


@pytest.mark.requirement("C:Losing Condition", "C:Visual Feedback")
def test_losing_condition() -> None:
    """A mine opened: lost, all mines shown, wrong flags differ, the clock stops."""
    table = Table(BOARD)
    table.flag(0, 0)
    table.flag(1, 1)
    table.wait(7)
    screen = table.press(4, 3)
    assert "You lost" in screen
    assert table.player.entry("state") == "lost"
    assert table.marks(0, 0) == "BF"
    assert table.marks(1, 1) == "1F"
    assert table.marks(4, 3) == "B*"
    assert "?" not in "".join(table.field)
    table.wait(60)
    assert table.seconds == 7


class TestTimerDisplay:
    pytestmark = pytest.mark.requirement("C:Timer Display")

    @pytest.mark.parametrize("press", [Button.REVEAL, Button.FLAG])
    def test_it_runs_from_the_first_click(self, press: Button) -> None:
        table = Table(BOARD)
        table.wait(30)
        assert table.seconds == 0
        table.press(1, 0, press)
        table.wait(61.5)
        assert table.seconds == 61

    @pytest.mark.parametrize("cell", [(0, 0), (2, 0)])
    def test_it_stops_at_the_end(self, cell: tuple[int, int]) -> None:
        table = Table(BOARD)
        table.flag(1, 0) if cell == (0, 0) else table.flag(0, 0)
        table.wait(3)
        table.press(*cell)
        table.wait(60)
        assert table.seconds == 3

    def test_it_does_not_run_while_the_game_is_paused(self) -> None:
        table = Table(BOARD)
        table.press(1, 0)
        table.send(Command.PAUSE)
        assert "?" not in "".join(table.field)
        table.wait(60)
        table.send(Command.PAUSE)
        assert table.seconds == 0
        assert table.field[0] == "?1???"


@pytest.mark.requirement("C:Difficulty Selection")
def test_difficulty_selection() -> None:
    """Selecting a difficulty gives the running game up and starts one of that difficulty."""
    table = Table(BOARD)
    table.flag(1, 1)
    table.send(BACK)
    table.choose("New game")
    table.choose("Intermediate")
    assert table.size == (16, 16)
    assert (table.mines_left, table.seconds) == (40, 0)


class TestStandardControls:
    pytestmark = pytest.mark.requirement("C:Standard Controls")

    def test_menu(self) -> None:
        table = Table(BOARD)
        assert "New game" in table.send(BACK)

    def test_undo(self) -> None:
        table = Table(BOARD)
        table.press(0, 0)
        assert table.player.entry("state") == "lost"
        table.send(Undo(1))
        assert table.player.entry("state") == "playing"
        assert table.field == ["?????"] * 4

    def test_save_and_load(self) -> None:
        table = Table(BOARD)
        table.flag(1, 1)
        table.wait(9)
        assert "Saved as mine" in table.send(Save("mine"))
        table.send(Start(9, 9, 1))
        table.send(Load("mine"))
        assert table.field[1] == "?F???"
        assert table.seconds == 9

    def test_reset(self) -> None:
        table = Table(BOARD)
        table.flag(1, 1)
        table.send(NewGame())
        assert table.size == (5, 4)
        assert (table.mines_left, table.seconds) == (2, 0)

    @pytest.mark.parametrize("label", ["Saves", "New game", "Continue"])
    def test_each_is_in_the_menu_too(self, label: str) -> None:
        table = Table(BOARD)
        table.flag(1, 1)
        before = table.send(BACK)
        assert table.choose(label) != before


class TestMobileSupport:
    """A touch is a press on a cell or on a row."""

    pytestmark = pytest.mark.requirement("C:Mobile Support")

    def test_a_short_press_reveals_and_a_long_one_flags_and_unflags(self) -> None:
        table = Table(BOARD)
        table.press(1, 0)
        table.flag(0, 0)
        assert table.field[0] == "F1???"
        table.flag(0, 0)
        assert table.field[0] == "?1???"

    def test_every_menu_can_be_tapped_through(self) -> None:
        table = Table(BOARD)
        table.send(BACK)
        table.choose("Settings")
        table.choose("Pace", "on")
        table.send(BACK)
        table.choose("Continue")
        assert table.field == ["?????"] * 4


@pytest.mark.requirement("C:Visual Feedback")
def test_visual_feedback() -> None:
    """Hidden, empty, number, flag, mine and the end all look different, as data."""
    table = Table(WALL)
    table.press(0, 0)
    table.flag(2, 0)
    assert [table.marks(column, 0)[0] for column in range(4)] == [".", "2", "F", "?"]
    lost = Table(BOARD)
    lost.press(0, 0)
    assert {lost.marks(0, 0), lost.marks(4, 3)} == {"B*", "B"}
