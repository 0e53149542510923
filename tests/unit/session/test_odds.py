"""The odds on the cells, the next solved cell, and what a number shows that lacks flags."""

from __future__ import annotations

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Act, MoveTo, Odds, Packet, Seek, Start
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import FindOdds, FindSolved, FoundOdds, FoundSolved
from tests.unit.session.backstage import ANONYMOUS, Backstage, seated
from tests.unit.session.player import SEEN, Player

BOARD = "*....\n.....\n.....\n....*"
# Indices have a column of padding: 6 is the first cell of the second row.
ODDS = FoundOdds({0: 100, 6: 0, 8: 37}, is_exact=True)
CHORD = Act(1, 0, Button.CHORD, 1)
OPEN = Act(1, 0, Button.REVEAL, SEEN)


def seated_with(*answers: FoundOdds | FoundSolved | None) -> tuple[Player, Backstage]:
    player, backstage = seated(BOARD)
    backstage.hints += answers
    player.send(OPEN)
    return player, backstage


class TestOdds:
    def test_they_are_shown_and_mark_the_game(self) -> None:
        player, backstage = seated_with(ODDS)
        player.send(Odds(0, 0))
        assert player.entry("odds") == "0 0 100 %, 0 1 0 %, 2 1 37 %"
        assert player.message == "Each covered cell shows its chance of a mine."
        assert player.entry("remark") == "assisted"
        kept = backstage.running
        assert len(kept.entries) == 2 * 8

    def test_estimates_are_called_so(self) -> None:
        player, _ = seated_with(FoundOdds({8: 37}, is_exact=False))
        player.send(Odds(0, 0))
        assert player.message == "Cells near the cursor show estimated chances of a mine."

    @pytest.mark.parametrize(
        "packet", [Odds(0, 0), Act(4, 0, Button.FLAG, SEEN), Command.PAUSE, Start(9, 9, 1)]
    )
    def test_they_go_when_they_are_no_longer_wanted_or_true(self, packet: Packet) -> None:
        player, _ = seated_with(ODDS)
        player.send(Odds(0, 0), packet, Command.REFRESH)
        assert player.entry("odds") == ""

    def test_after_a_loss_they_are_those_of_the_moment_before_and_free(self) -> None:
        player, backstage = seated_with(ODDS)
        player.send(Act(0, 0, Button.REVEAL, SEEN), Odds(0, 0))
        (asked,) = backstage.questions
        assert isinstance(asked, FindOdds)
        assert (asked.view.status, asked.view.shown_mines) == (Status.ONGOING, None)
        assert (asked.view.visible, asked.view.exploded) == (0b10, None)
        assert player.entry("odds")
        assert [game.is_assisted for game in backstage.finished] == [False]

    def test_where_none_were_found_in_time_nothing_is_marked(self) -> None:
        player, _ = seated_with(None)
        player.send(Odds(0, 0))
        assert (player.message, player.entry("remark")) == (
            "The chances were not found in time.",
            "",
        )

    @pytest.mark.parametrize("before", [(), (Act(0, 0, Button.REVEAL, SEEN),)])
    def test_without_a_solver_there_are_none(self, before: tuple[Packet, ...]) -> None:
        player = Player(SessionConfig())
        player.send(ANONYMOUS, Start(1, 1, 1), *before, Odds(0, 0))
        assert player.message == "This server gives no hints."

    def test_without_a_game_and_in_a_pause_there_are_none(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.PAUSE, Odds(0, 0))
        assert backstage.questions == []

    def test_cells_get_them_as_pairs(self) -> None:
        player, _ = seated_with(ODDS)
        player.send(Odds(0, 0))
        assert player.said["odds"] == [[0, 100], [5, 0], [7, 37]]


class TestSeeking:
    @pytest.mark.parametrize(
        ("is_mine", "told"), [(True, "(3,2) is a mine."), (False, "(3,2) is safe.")]
    )
    def test_the_cursor_goes_to_the_next_solved_cell(self, is_mine: bool, told: str) -> None:
        player, backstage = seated_with(FoundSolved(Cell(3, 2), is_mine))
        player.send(Seek(1, 0))
        (asked,) = backstage.questions
        assert isinstance(asked, FindSolved)
        assert (asked.cursor, asked.view.visible) == (Cell(1, 0), 0b10)
        assert (player.entry("cursor"), player.message) == ("3 2", told)
        assert player.entry("remark") == "assisted"

    def test_that_there_is_none_is_help_as_well(self) -> None:
        player, _ = seated_with(FoundSolved(None))
        player.send(Seek(0, 0))
        assert player.message == "Nothing follows from one or two numbers."
        assert player.entry("remark") == "assisted"

    def test_no_answer_marks_nothing(self) -> None:
        player, _ = seated_with(None)
        player.send(Seek(0, 0))
        assert (player.message, player.entry("remark")) == ("No hint was found in time.", "")

    def test_who_cannot_play_seeks_nothing(self) -> None:
        player, backstage = seated_with()
        player.send(Command.PAUSE, Seek(0, 0))
        assert backstage.questions == []


class TestFlash:
    @pytest.mark.parametrize("packet", [Act(1, 0, Button.REVEAL, 1), CHORD])
    def test_a_number_that_lacks_flags_shows_its_covered_neighbours(self, packet: Packet) -> None:
        player, _ = seated_with()
        player.send(packet)
        assert player.entry("around") == "0 0, 2 0, 0 1, 1 1, 2 1"
        assert player.message == "The 1 needs 1 flag around it, not 0."

    def test_flags_are_not_among_them(self) -> None:
        player, _ = seated_with()
        player.send(Act(2, 0, Button.FLAG, SEEN), Act(2, 1, Button.FLAG, SEEN), CHORD)
        assert player.entry("around") == "0 0, 0 1, 1 1"
        assert player.message == "The 1 needs 1 flag around it, not 2."

    def test_a_chord_says_so_where_the_rules_have_none(self) -> None:
        player, _ = seated("*..\n...", "jminesweeper")
        player.send(OPEN, CHORD)
        assert player.message == "No chords by this game's rules: open each cell by itself."
        assert player.entry("around") == ""

    def test_a_reveal_of_a_number_says_nothing_where_the_rules_have_no_chords(self) -> None:
        player, _ = seated("*..\n...", "jminesweeper")
        before = player.send(MoveTo(1, 0), Command.REVEAL)
        assert player.send(Command.REVEAL) == before

    def test_a_flag_on_a_number_that_has_all_of_its_flags_says_nothing(self) -> None:
        player, _ = seated_with()
        player.send(Act(2, 0, Button.FLAG, SEEN), MoveTo(1, 0), Command.TOGGLE_BOMB_MARK)
        assert player.entry("around") == ""
        assert "needs" not in player.message

    @pytest.mark.parametrize("packet", [Command.MOVE_LEFT, MoveTo(2, 2)])
    def test_they_are_shown_until_the_next_key(self, packet: Packet) -> None:
        player, _ = seated_with()
        player.send(CHORD, packet)
        assert player.entry("around") == ""

    def test_a_tick_of_the_clock_leaves_them(self) -> None:
        player, _ = seated_with()
        player.send(CHORD)
        player.send_after(1_000, Command.REFRESH)
        assert player.entry("around") == "0 0, 2 0, 0 1, 1 1, 2 1"

    def test_a_number_with_nothing_covered_around_shows_nothing(self) -> None:
        player, _ = seated("*.\n..")
        player.send(Act(1, 0, Button.REVEAL, SEEN), Act(0, 0, Button.FLAG, SEEN))
        player.send(Act(0, 1, Button.REVEAL, SEEN), Act(1, 1, Button.REVEAL, SEEN))
        player.send(CHORD)
        assert player.entry("around") == ""

    def test_where_the_rules_know_no_chord_there_is_none(self) -> None:
        player, _ = seated(BOARD, "formal")
        player.send(OPEN, Command.REVEAL)
        assert player.entry("around") == ""
