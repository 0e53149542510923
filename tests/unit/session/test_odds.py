"""The odds on the cells, the next solved cell, and what a number shows that lacks flags."""

from __future__ import annotations

import json

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Act, Hello, MoveTo, Packet, Start
from jminesweeper.protocol.vocabulary import Button, Command, ScreenFormat
from jminesweeper.session import messages
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.reply import FindOdds, FindSolved, FoundOdds, FoundSolved
from tests.unit.session.backstage import ANONYMOUS, ANSI, Backstage, seated
from tests.unit.session.player import Player

BOARD = "*....\n.....\n.....\n....*"
# Indices have a column of padding: 6 is the first cell of the second row.
ODDS = FoundOdds({0: 100, 6: 0, 8: 37}, is_exact=True)
OPEN = Act(1, 0, Button.REVEAL)


def seated_with(*answers: FoundOdds | FoundSolved | None) -> tuple[Player, Backstage]:
    player, backstage = seated(BOARD)
    backstage.hints += answers
    player.send(OPEN)
    return player, backstage


class TestOdds:
    def test_they_are_shown_and_mark_the_game(self) -> None:
        player, backstage = seated_with(ODDS)
        player.send(Command.ODDS)
        assert player.entry("odds") == "0 0 100 %, 0 1 0 %, 2 1 37 %"
        assert player.entry("message") == messages.ODDS
        assert player.entry("remark") == "assisted"
        kept = backstage.claim().game
        assert kept is not None
        assert len(kept.entries) == 2 * 8

    def test_estimates_are_called_so(self) -> None:
        player, _ = seated_with(FoundOdds({8: 37}, is_exact=False))
        player.send(Command.ODDS)
        assert player.entry("message") == messages.ROUGH_ODDS

    def test_the_exact_chance_of_the_selected_cell_is_said(self) -> None:
        player, _ = seated_with(ODDS)
        player.send(Command.ODDS, MoveTo(2, 1))
        assert player.entry("message").startswith("Chance of a mine here: 37 %.")

    @pytest.mark.parametrize(
        "packet", [Command.ODDS, Act(4, 0, Button.FLAG), Command.PAUSE, Start(9, 9, 1)]
    )
    def test_they_go_when_they_are_no_longer_wanted_or_true(self, packet: Packet) -> None:
        player, _ = seated_with(ODDS)
        player.send(Command.ODDS, packet, Command.REFRESH)
        assert player.entry("odds") == ""

    def test_after_a_loss_they_are_those_of_the_moment_before_and_free(self) -> None:
        player, backstage = seated_with(ODDS)
        player.send(Act(0, 0, Button.REVEAL), Command.ODDS)
        (asked,) = backstage.questions
        assert isinstance(asked, FindOdds)
        assert (asked.view.status, asked.view.shown_mines) == (Status.ONGOING, None)
        assert (asked.view.visible, asked.view.exploded) == (0b10, None)
        assert player.entry("odds")
        assert [game.is_assisted for game in backstage.finished] == [False]

    def test_where_none_were_found_in_time_nothing_is_marked(self) -> None:
        player, _ = seated_with(None)
        player.send(Command.ODDS)
        assert (player.entry("message"), player.entry("remark")) == (messages.NO_ODDS, "")

    @pytest.mark.parametrize("before", [(), (Act(0, 0, Button.REVEAL),)])
    def test_without_a_solver_there_are_none(self, before: tuple[Packet, ...]) -> None:
        player = Player(SessionConfig())
        player.send(ANONYMOUS, Start(1, 1, 1), *before, Command.ODDS)
        assert player.entry("message") == messages.NO_HINTS

    def test_without_a_game_and_in_a_pause_there_are_none(self) -> None:
        player, backstage = seated(BOARD)
        player.send(Command.PAUSE, Command.ODDS)
        assert backstage.questions == []

    def test_a_terminal_shows_tenths(self) -> None:
        player, _ = seated_with(ODDS)
        player.send(ANSI, Command.ODDS)
        assert any("* 1 #" in line for line in player.lines)
        assert any("0 # 4" in line for line in player.lines)

    def test_cells_get_them_as_pairs(self) -> None:
        session = seated_with(ODDS)[0].session
        for packet in (Hello(80, 24, format=ScreenFormat.CELLS), Command.ODDS):
            reply = session.receive(packet, 2_000)
        reply = session.resolve(ODDS, 2_000)
        text = reply.screen[7:].decode()
        members, _ = json.JSONDecoder().raw_decode(text)
        assert members["odds"] == [[0, 100], [5, 0], [7, 37]]


class TestSeeking:
    @pytest.mark.parametrize(
        ("is_mine", "told"), [(True, "(3,2) is a mine."), (False, "(3,2) is safe.")]
    )
    def test_the_cursor_goes_to_the_next_solved_cell(self, is_mine: bool, told: str) -> None:
        player, backstage = seated_with(FoundSolved(Cell(3, 2), is_mine))
        player.send(Command.SEEK)
        (asked,) = backstage.questions
        assert isinstance(asked, FindSolved)
        assert (asked.cursor, asked.view.visible) == (Cell(1, 0), 0b10)
        assert (player.entry("cursor"), player.entry("message")) == ("3 2", told)
        assert player.entry("remark") == "assisted"

    def test_that_there_is_none_is_help_as_well(self) -> None:
        player, _ = seated_with(FoundSolved(None))
        player.send(Command.SEEK)
        assert player.entry("message") == messages.NOTHING_SOLVED
        assert player.entry("remark") == "assisted"

    def test_no_answer_marks_nothing(self) -> None:
        player, _ = seated_with(None)
        player.send(Command.SEEK)
        assert (player.entry("message"), player.entry("remark")) == (messages.NO_HINT, "")

    def test_who_cannot_play_seeks_nothing(self) -> None:
        player, backstage = seated_with()
        player.send(Command.PAUSE, Command.SEEK)
        assert backstage.questions == []


class TestFlash:
    @pytest.mark.parametrize("packet", [Command.REVEAL, Command.CHORD])
    def test_a_number_that_lacks_flags_shows_its_covered_neighbours(self, packet: Packet) -> None:
        player, _ = seated_with()
        player.send(packet)
        assert player.entry("around") == "0 0, 2 0, 0 1, 1 1, 2 1"
        assert player.entry("message") == "The 1 needs 1 flag around it, not 0."

    def test_flags_are_not_among_them(self) -> None:
        player, _ = seated_with()
        player.send(Act(2, 0, Button.FLAG), Act(2, 1, Button.FLAG), MoveTo(1, 0), Command.CHORD)
        assert player.entry("around") == "0 0, 0 1, 1 1"
        assert player.entry("message") == "The 1 needs 1 flag around it, not 2."

    def test_a_chord_says_so_where_the_rules_have_none(self) -> None:
        player, _ = seated("*..\n...", "jminesweeper")
        player.send(MoveTo(1, 0), Command.REVEAL, Command.CHORD)
        assert player.entry("message") == messages.NO_CHORDS
        assert player.entry("around") == ""

    def test_a_reveal_of_a_number_says_nothing_where_the_rules_have_no_chords(self) -> None:
        player, _ = seated("*..\n...", "jminesweeper")
        before = player.send(MoveTo(1, 0), Command.REVEAL)
        assert player.send(Command.REVEAL) == before

    def test_a_flag_on_a_number_that_has_all_of_its_flags_says_nothing(self) -> None:
        player, _ = seated_with()
        player.send(Act(2, 0, Button.FLAG), MoveTo(1, 0), Command.TOGGLE_BOMB_MARK)
        assert player.entry("around") == ""
        assert "needs" not in player.entry("message")

    @pytest.mark.parametrize("packet", [Command.MOVE_LEFT, Command.MENU])
    def test_they_are_shown_until_the_next_key(self, packet: Packet) -> None:
        player, _ = seated_with()
        player.send(Command.CHORD, packet)
        assert player.entry("around") == ""

    def test_a_tick_of_the_clock_leaves_them(self) -> None:
        player, _ = seated_with()
        player.send(Command.CHORD)
        player.send_after(1_000, Command.REFRESH)
        assert player.entry("around") == "0 0, 2 0, 0 1, 1 1, 2 1"

    def test_a_number_with_nothing_covered_around_shows_nothing(self) -> None:
        player, _ = seated("*.\n..")
        player.send(Act(1, 0, Button.REVEAL), Act(0, 0, Button.FLAG))
        player.send(Act(0, 1, Button.REVEAL), Act(1, 1, Button.REVEAL))
        player.send(Command.CHORD)
        assert player.entry("around") == ""

    def test_where_the_rules_know_no_chord_there_is_none(self) -> None:
        player, _ = seated(BOARD, "formal")
        player.send(OPEN, Command.REVEAL)
        assert player.entry("around") == ""

    def test_a_terminal_puts_them_in_brackets(self) -> None:
        player, _ = seated_with()
        player.send(ANSI, Command.CHORD)
        assert any("(#)1(#)" in line for line in player.lines)
