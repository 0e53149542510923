"""Hints, the next solved cell and the odds: what a solver is asked, and what its answer does."""

from __future__ import annotations

from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import Rules
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import (
    Act,
    Hint,
    MoveTo,
    NewGame,
    Odds,
    Packet,
    Seek,
    Start,
    Undo,
)
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import (
    FindHint,
    FindOdds,
    FindSolved,
    FoundHint,
    FoundOdds,
    FoundSolved,
)
from tests.world.player import SEEN, Player, Step, case, table
from tests.world.server import ANONYMOUS, World, alone, seated

BOARD = "*....\n.....\n.....\n....*"
FOUND = FoundHint("It is safe there.", Cell(2, 1), (Cell(1, 0),))
# Indices have a column of padding: 6 is the first cell of the second row.
ODDS = FoundOdds({0: 100, 6: 0, 8: 37}, is_exact=True)
HINT, ASK_ODDS, SEEK = Hint(0, 0), Odds(0, 0), Seek(0, 0)
OPEN, CHORD = Act(1, 0, Button.REVEAL, SEEN), Act(1, 0, Button.CHORD, 1)
MINE = Act(0, 0, Button.REVEAL, SEEN)
FLAG, LOOK, PAUSE = Command.TOGGLE_BOMB_MARK, Command.REFRESH, Command.PAUSE
PROTECTED = NewGame("4x4/2")
AROUND = "0 0, 2 0, 0 1, 1 1, 2 1"


def helped(*answers: FoundHint | FoundOdds | FoundSolved | None) -> tuple[Player, World]:
    """Somebody who has opened a cell, and will be given these answers."""
    player, world = seated(BOARD)
    world.hints += answers
    player.send(OPEN)
    return player, world


@table(
    [
        case(
            "a hint is shown and marks the game",
            HINT,
            message="It is safe there.",
            cursor="2 1",
            hint="2 1, 1 0",
            remark="assisted",
        ),
        case("it does not stop the clock", 1_000, HINT, 2_000, LOOK, clock="3 s"),
        case("a move leaves it", HINT, Command.MOVE_RIGHT, message="It is safe there."),
        case("it goes with the next action", HINT, FLAG, message="", hint=""),
    ]
)
def test_a_hint(steps: tuple[Step, ...], seen: dict[str, Any]) -> None:
    player, _ = helped(FOUND)
    player.do(*steps).sees(seen)


def test_a_hint_is_stored_and_asked_for_by_what_the_player_sees() -> None:
    player, world = seated(BOARD)
    world.hints.append(FOUND)
    player.do(Hint(3, 2), 5_000, LOOK).sees({"clock": "0 s"})
    assert (world.running.length, world.running.cursor) == (1, Cell(2, 1))
    (asked,) = world.questions
    assert isinstance(asked, FindHint)
    assert (asked.cursor, asked.view.shown_mines) == (Cell(3, 2), None)
    assert (asked.view.mine_count, asked.view.visible) == (2, 0)


@pytest.mark.parametrize(
    ("packet", "told"),
    [
        (HINT, "No hint was found in time."),
        (SEEK, "No hint was found in time."),
        (ASK_ODDS, "The chances were not found in time."),
    ],
)
def test_what_took_too_long_marks_nothing(packet: Packet, told: str) -> None:
    player, _ = helped(None)
    player.do(packet).sees({"message": told, "remark": "", "cursor": "0 0"})


@pytest.mark.parametrize("packet", [HINT, SEEK, ASK_ODDS])
class TestNoHelp:
    @pytest.mark.parametrize("before", [(), (Command.REVEAL,)])
    def test_without_a_solver_there_is_none(
        self, packet: Packet, before: tuple[Packet, ...]
    ) -> None:
        player = alone(SessionConfig()).do(ANONYMOUS, Start(1, 1, 1))
        if not before or isinstance(packet, Odds):
            player.do(*before, packet).sees({"message": "This server gives no hints."})

    def test_in_a_pause_there_is_none(self, packet: Packet) -> None:
        player, world = helped()
        before = player.send(PAUSE).text
        assert player.send(packet).text == before
        assert world.questions == []

    def test_without_a_game_there_is_none(self, packet: Packet) -> None:
        world = World()
        player = world.player().do(Command.MOVE_LEFT, packet)
        assert "Start a game to play" in player.text
        assert world.questions == []


def test_after_the_end_there_is_no_hint() -> None:
    player, world = helped()
    before = player.send(MINE).text
    assert player.send(HINT).text == before
    assert world.questions == []


class TestBeforeTheFirstReveal:
    """The rules may protect it, which a solver does not know."""

    def test_the_rules_say_it_and_the_game_is_not_marked(self) -> None:
        player, world = seated(BOARD)
        told = "Reveal any cell: the first one is safe."
        player.do(PROTECTED, HINT).sees({"message": told, "remark": ""})
        assert world.questions == []

    @pytest.mark.parametrize(
        "packets",
        [
            (NewGame("4x4/2 first-reveal=off"),),
            (NewGame("4x4/2 jminesweeper"),),
            (NewGame("1x1/1"),),
            (PROTECTED, Command.REVEAL, Undo(1)),
        ],
    )
    def test_where_they_do_not_a_solver_is_asked(self, packets: tuple[Packet, ...]) -> None:
        player, world = seated(BOARD)
        world.hints.append(None)
        player.send(*packets, HINT)
        assert len(world.questions) == 1

    def test_a_board_laid_by_hand_protects_nothing(self) -> None:
        player, world = seated(BOARD, Rules("classic"))
        world.hints.append(None)
        player.send(HINT)
        assert len(world.questions) == 1


class TestOdds:
    def test_they_are_shown_and_mark_the_game(self) -> None:
        player, world = helped(ODDS)
        player.do(ASK_ODDS).sees(
            {
                "odds": "0 0 100 %, 0 1 0 %, 2 1 37 %",
                "message": "Each covered cell shows its chance of a mine.",
                "remark": "assisted",
            }
        )
        assert player.said["odds"] == [[0, 100], [5, 0], [7, 37]]
        assert world.running.length == 2

    def test_estimates_are_called_so(self) -> None:
        player, _ = helped(FoundOdds({8: 37}, is_exact=False))
        told = "Cells near the cursor show estimated chances of a mine."
        player.do(ASK_ODDS).sees({"message": told})

    @pytest.mark.parametrize(
        "packet", [ASK_ODDS, Act(4, 0, Button.FLAG, SEEN), PAUSE, Start(9, 9, 1)]
    )
    def test_they_go_when_they_are_no_longer_wanted_or_true(self, packet: Packet) -> None:
        player, _ = helped(ODDS)
        player.do(ASK_ODDS, packet, LOOK).sees({"odds": ""})

    def test_after_a_loss_they_are_those_of_the_moment_before_and_free(self) -> None:
        player, world = helped(ODDS)
        player.send(MINE, ASK_ODDS)
        (asked,) = world.questions
        assert isinstance(asked, FindOdds)
        assert (asked.view.status, asked.view.shown_mines) == (Status.ONGOING, None)
        assert (asked.view.visible, asked.view.exploded) == (0b10, None)
        assert player.entry("odds")
        assert [game.is_assisted for game in world.finished] == [False]


class TestSeeking:
    @pytest.mark.parametrize(
        ("found", "cursor", "told"),
        [
            (FoundSolved(Cell(3, 2), is_mine=True), "3 2", "(3,2) is a mine."),
            (FoundSolved(Cell(3, 2)), "3 2", "(3,2) is safe."),
            (FoundSolved(None), "0 0", "No cell can be solved from one or two numbers."),
        ],
    )
    def test_the_cursor_goes_to_the_next_solved_cell(
        self, found: FoundSolved, cursor: str, told: str
    ) -> None:
        player, world = helped(found)
        player.do(Seek(1, 0)).sees({"cursor": cursor, "message": told, "remark": "assisted"})
        (asked,) = world.questions
        assert isinstance(asked, FindSolved)
        assert (asked.cursor, asked.view.visible) == (Cell(1, 0), 0b10)


FLAGS = (Act(2, 0, Button.FLAG, SEEN), Act(2, 1, Button.FLAG, SEEN))


@table(
    [
        case("a chord", CHORD, around=AROUND, message="The 1 needs 1 flag around it, not 0."),
        case("a reveal", Act(1, 0, Button.REVEAL, 1), around=AROUND),
        case("a tick of the clock leaves them", CHORD, 1_000, LOOK, around=AROUND),
        case("a key does not", CHORD, Command.MOVE_LEFT, around=""),
        case("a place does not", CHORD, MoveTo(2, 2), around=""),
        case(
            "flags are not among them",
            *(*FLAGS, CHORD),
            around="0 0, 0 1, 1 1",
            message="The 1 needs 1 flag around it, not 2.",
        ),
        case("a flag on a number", FLAGS[0], MoveTo(1, 0), FLAG, around="", message=""),
    ]
)
def test_a_number_that_lacks_flags_shows_its_covered_neighbours(
    steps: tuple[Step, ...], seen: dict[str, Any]
) -> None:
    player, _ = helped()
    player.do(*steps).sees(seen)


@pytest.mark.parametrize(
    ("packet", "told"),
    [
        (CHORD, "This game has no chords; open each cell by itself."),
        (Act(1, 0, Button.REVEAL, 1), ""),
    ],
)
@pytest.mark.parametrize("rules", ["jminesweeper", "formal"])
def test_where_the_rules_have_no_chords_it_shows_none(
    packet: Packet, told: str, rules: str
) -> None:
    player, _ = seated("*..\n...", rules)
    player.do(OPEN, packet).sees({"message": told, "around": ""})


def test_a_number_with_nothing_covered_around_shows_nothing() -> None:
    player, _ = seated("*.\n..")
    player.send(OPEN, Act(0, 0, Button.FLAG, SEEN))
    player.send(Act(0, 1, Button.REVEAL, SEEN), Act(1, 1, Button.REVEAL, SEEN))
    player.do(CHORD).sees({"around": ""})
