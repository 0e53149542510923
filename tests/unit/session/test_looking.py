"""Looking at more than the board: the whole of a large one, and the figures of an end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.protocol.packets import Jump, MoveTo, NewGame, Pointer, Resize, Start
from jminesweeper.protocol.vocabulary import Command, Feature, GameKind, JumpTo
from jminesweeper.session import messages
from tests.unit.session.backstage import ANSI, PLAIN, Backstage, seated
from tests.unit.session.player import Player

OVERVIEW, FIGURES = Jump(JumpTo.OVERVIEW), Jump(JumpTo.FIGURES)
BOARD = "*..\n...\n..*"


@pytest.fixture
def player() -> Player:
    """Somebody in the middle of a board that is larger than the screen."""
    player = Backstage().player()
    player.send(ANSI, Start(255, 255, 1), MoveTo(100, 100))
    return player


class TestOverview:
    def test_a_key_shows_the_whole_board_and_the_part_again(self, player: Player) -> None:
        part = player.text
        player.send(OVERVIEW)
        assert messages.OVERVIEW.text in player.text
        player.send(OVERVIEW)
        assert player.text == part

    @pytest.mark.parametrize(
        "packet", [Command.REVEAL, Command.TOGGLE_BOMB_MARK, Command.CHORD, Command.MENU]
    )
    def test_whatever_acts_at_the_board_leads_back_and_does_no_more(
        self, player: Player, packet: Command
    ) -> None:
        part = player.text
        player.send(OVERVIEW)
        player.take_effects()
        player.send(packet)
        assert player.text == part
        assert player.writes == []

    def test_the_key_for_it_is_named_where_the_board_is_larger_than_the_screen(
        self, player: Player
    ) -> None:
        assert "v whole board" in player.text
        assert "v whole board" not in player.send(Start(9, 9, 1))
        assert "v whole board" in player.send(Resize(80, 12))

    def test_the_cursor_moves_on_it(self, player: Player) -> None:
        player.send(OVERVIEW, Jump(JumpTo.ROW_START), Jump(JumpTo.TOP), OVERVIEW, PLAIN)
        assert player.entry("cursor") == "0 0"

    def test_a_click_continues_at_that_place(self, player: Player) -> None:
        player.send(replace(ANSI, features=Feature.MOUSE), Start(255, 255, 1), OVERVIEW)
        row = next(row for row, line in enumerate(player.terminal.lines) if "|#" in line)
        player.send(Pointer(40, row + 9, 0))
        assert messages.OVERVIEW.text not in player.text
        player.send(PLAIN)
        assert player.entry("cursor") not in {"0 0", "100 100"}
        assert "?" * 255 in player.board.replace(" ", "")

    def test_a_click_shows_that_place_once_the_game_is_over(self) -> None:
        corner = "\n".join(["*" + "." * 98, *["." * 99] * 97, "." * 98 + "*"])
        player, _ = seated(corner, hello=ANSI)
        player.send(Command.REVEAL, OVERVIEW)
        assert messages.OVERVIEW.text in player.text
        bottom = next(row for row, line in enumerate(player.lines) if "+--" in line and row > 5)
        right = player.lines[bottom].rindex("+")
        player.send(Pointer(right - 1, bottom - 1, 0))
        assert messages.OVERVIEW.text not in player.text
        assert "1 B" in player.text
        assert "B*" not in player.text.replace("B* stepped", "")

    def test_a_board_that_fits_needs_none(self) -> None:
        player, _ = seated(BOARD, hello=ANSI)
        assert messages.WHOLE_BOARD in player.send(OVERVIEW)

    def test_plain_text_shows_the_whole_board_anyway(self) -> None:
        player, _ = seated(BOARD, hello=PLAIN)
        assert messages.WHOLE_BOARD in player.send(OVERVIEW)

    def test_on_a_larger_terminal_the_next_key_plays_on(self, player: Player) -> None:
        player.send(ANSI, Start(60, 30, 1), OVERVIEW, Resize(200, 60))
        player.send(Command.TOGGLE_BOMB_MARK, PLAIN)
        assert player.board.startswith("F")

    def test_a_new_game_begins_at_its_board(self, player: Player) -> None:
        player.send(OVERVIEW, NewGame(GameKind.SAME_SETTINGS))
        assert messages.OVERVIEW.text not in player.text

    def test_a_paused_board_stays_hidden(self, player: Player) -> None:
        player.send(Command.PAUSE, OVERVIEW)
        assert messages.OVERVIEW.text not in player.text


class TestFigures:
    def test_a_page_has_all_of_them_after_the_end(self) -> None:
        player, _ = seated(BOARD, hello=ANSI)
        player.send(MoveTo(1, 0), Command.REVEAL, MoveTo(0, 0), Command.REVEAL, FIGURES)
        for words in ("Figures", "3BV", "clicks 2", *messages.LOST_SIGNS):
            assert words in player.text
        player.send(Command.MENU)
        assert messages.LOST_SIGNS[0] not in player.text

    def test_a_game_that_was_won_needs_no_explanation_of_signs(self) -> None:
        player, _ = seated("*..\n...\n...", hello=ANSI)
        player.send(MoveTo(2, 2), Command.REVEAL, FIGURES)
        assert "3BV" in player.text
        assert messages.LOST_SIGNS[0] not in player.text

    def test_the_key_that_opened_them_closes_them(self) -> None:
        player, _ = seated(BOARD, hello=ANSI)
        player.send(MoveTo(1, 0), Command.REVEAL, MoveTo(0, 0), Command.REVEAL, FIGURES, FIGURES)
        assert messages.LOST_SIGNS[0] not in player.text

    def test_on_another_page_the_key_does_nothing(self) -> None:
        player, _ = seated(BOARD, hello=ANSI)
        shown = player.send(Command.HELP)
        assert player.send(FIGURES) == shown

    def test_while_the_game_runs_there_are_none(self) -> None:
        player, _ = seated(BOARD, hello=ANSI)
        assert messages.NO_FIGURES_YET in player.send(FIGURES)


def test_the_aim_stays_on_the_screen_while_messages_come_and_go() -> None:
    player, _ = seated(BOARD, hello=ANSI)
    aim = "Open every safe cell."
    assert aim in player.send(Command.MOVE_RIGHT)
    assert aim in player.send(FIGURES)
    assert messages.NO_FIGURES_YET in player.text
