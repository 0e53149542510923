"""HELLO: what waits for a player, and who else plays that game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import (
    Hello,
    Load,
    MoveTo,
    NewGame,
    Packet,
    Resize,
    Save,
    ScreenContent,
    ScreenPatch,
    Start,
)
from jminesweeper.protocol.vocabulary import Command, Feature, GameKind, PatchFlag
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.entering import MOST_PLAYERS
from jminesweeper.session.messages import (
    NO_GAME_WAITED,
    RESUMED,
    TOO_MANY_PLAYERS,
    UNREADABLE,
    kept_aside,
)
from jminesweeper.session.reply import Rebuild
from jminesweeper.session.session import Session
from jminesweeper.store import Enter, Record, RunningGame, player_id
from tests.unit.session.backstage import (
    ADA,
    ANONYMOUS,
    ANSI,
    CONFIG,
    KEY,
    PLAIN,
    Backstage,
    flagged,
    waiting,
)
from tests.unit.session.player import Player, same_seed

BOARD = "*..\n...\n..."
BOB = replace(PLAIN, key=bytes(16), name="Bob")
BROKEN = replace(waiting(BOARD), entries=b"\xff" * 8)
"""A game whose log makes no sense."""


@pytest.fixture
def backstage() -> Backstage:
    return Backstage()


class TestAnonymous:
    def test_a_player_without_a_game_gets_the_menu(self) -> None:
        screen = Player().send(ANONYMOUS)
        assert "screen: menu" in screen
        assert "New game" in screen

    def test_a_player_with_a_game_keeps_playing_it(self) -> None:
        player = Player()
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        player.send(ANONYMOUS)
        assert player.entry("size") == "9x9"
        assert player.entry("state") == "playing"

    def test_a_key_means_nothing_without_a_store(self) -> None:
        player = Player(SessionConfig(has_store=False))
        assert "screen: menu" in player.send(PLAIN)

    def test_a_terminal_gets_patches_from_then_on(self) -> None:
        player = Player()
        player.send(Command.MOVE_LEFT, replace(ANSI, key=b""), Command.MOVE_DOWN)
        assert [type(reply) for reply in player.replies] == [
            ScreenContent,
            ScreenPatch,
            ScreenPatch,
        ]

    def test_a_second_hello_changes_the_format_and_opens_no_second_menu(self) -> None:
        player = Player()
        player.send(replace(ANSI, key=b""), ANONYMOUS)
        assert "screen: menu" in player.text
        player.send(Start(3, 3, 1), ANONYMOUS)
        assert "screen: game" in player.text

    def test_a_second_hello_repaints_everything(self) -> None:
        player = Player()
        player.send(replace(ANSI, key=b""), Command.MOVE_DOWN, replace(ANSI, key=b""))
        flags = [reply.flags for reply in player.replies if isinstance(reply, ScreenPatch)]
        assert [bool(flag & PatchFlag.FULL_REPAINT) for flag in flags] == [True, False, True]


class TestResize:
    def test_it_repaints_for_the_new_size(self) -> None:
        player = Player()
        player.send(replace(ANSI, key=b""))
        player.send(Resize(60, 20))
        assert isinstance(player.replies[-1], ScreenPatch)
        assert player.replies[-1].flags & PatchFlag.FULL_REPAINT

    def test_before_hello_it_does_nothing(self) -> None:
        player = Player()
        first = player.send(Start(9, 9, 1))
        assert player.send(Resize(60, 20)) == first

    def test_plain_text_has_no_size(self) -> None:
        player = Player()
        first = player.send(ANONYMOUS)
        assert player.send(Resize(1, 1)) == first


class TestKnownPlayer:
    def test_nothing_is_shown_before_the_store_has_answered(self) -> None:
        session = Session(CONFIG, same_seed)
        reply = session.receive(PLAIN, 0)
        assert reply.screen == b""
        assert reply.effects is not None
        assert reply.effects.question == Enter(ADA, "Ada", f"{same_seed(128):032x}")

    def test_a_new_player_gets_the_menu_and_the_right_to_write(self, backstage: Backstage) -> None:
        player = backstage.player()
        assert "screen: menu" in player.send(PLAIN)
        assert [one.claims for one in player.take_effects()] == ["", ADA]

    def test_the_name_is_kept_without_what_cannot_be_shown(self, backstage: Backstage) -> None:
        backstage.player().send(replace(PLAIN, name=" A\x1b[2Jd\na\u202e "))
        (asked,) = backstage.take_operations(Enter)
        assert asked.name == "A[2Jda"

    def test_a_waiting_game_continues(self, backstage: Backstage) -> None:
        backstage.put(waiting(BOARD, cursor=Cell(2, 1)))
        player = backstage.player()
        player.send(PLAIN)
        assert player.entry("cursor") == "2 1"
        assert player.entry("message") == RESUMED

    def test_it_takes_the_place_of_one_just_started(self, backstage: Backstage) -> None:
        """A client has to START before it may say HELLO."""
        backstage.put(waiting(BOARD))
        player = backstage.player()
        player.send(Start(20, 10, 1), PLAIN)
        assert player.entry("size") == "3x3"
        assert backstage.take_operations(Record) == []

    def test_without_one_the_game_just_started_continues_and_is_kept(
        self, backstage: Backstage
    ) -> None:
        player = backstage.player()
        player.send(Start(20, 10, 1), PLAIN)
        assert player.entry("size") == "20x10"
        player.send(Command.TOGGLE_BOMB_MARK)
        kept = backstage.claim().game
        assert kept is not None
        assert len(kept.code) == 10

    def test_a_game_that_was_played_before_hello_continues_and_the_other_is_kept(
        self, backstage: Backstage
    ) -> None:
        first = backstage.player()
        first.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        second = backstage.player()
        second.send(Start(20, 10, 1), Command.TOGGLE_BOMB_MARK, PLAIN)
        assert second.entry("size") == "20x10"
        assert second.entry("message") == kept_aside("easy")
        assert str(backstage.save("auto 1").setup.size) == "9x9"
        assert backstage.finished == []
        kept = backstage.claim().game
        assert kept is not None
        assert str(kept.setup.size) == "20x10"

    def test_a_game_that_was_played_before_hello_is_not_ranked(self, backstage: Backstage) -> None:
        """Or else only those that go well would be made known."""
        player = backstage.player()
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, PLAIN)
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, Start(9, 9, 1))
        assert sorted(game.variant.is_repeat for game in backstage.finished) == [False, True]

    def test_a_daily_board_begun_before_hello_is_not_ranked(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(ANONYMOUS, NewGame(GameKind.DAILY, level=1), PLAIN)
        player.send(Command.TOGGLE_BOMB_MARK, Start(3, 3, 1))
        (game,) = backstage.finished
        assert game.variant.daily is not None
        assert game.variant.is_repeat

    def test_keys_cannot_be_made_up_without_end(self, backstage: Backstage) -> None:
        player = backstage.player()
        for number in range(MOST_PLAYERS + 1):
            player.send(replace(PLAIN, key=bytes([number] * 16)))
        assert len(backstage.take_operations(Enter)) == MOST_PLAYERS
        assert player.entry("message") == TOO_MANY_PLAYERS

    @pytest.mark.parametrize("waits", [waiting(BOARD), BROKEN])
    def test_what_cannot_be_counted_is_not_given_up(
        self, backstage: Backstage, waits: RunningGame
    ) -> None:
        backstage.put(waits)
        player = backstage.player()
        player.send(Start(20, 10, 1), Command.TOGGLE_BOMB_MARK, PLAIN)
        assert player.entry("size") == "20x10"
        assert backstage.finished == []

    @pytest.mark.parametrize("hello", [PLAIN, ANONYMOUS])
    def test_who_wants_to_resume_is_told_that_no_game_waited(
        self, backstage: Backstage, hello: Hello
    ) -> None:
        player = backstage.player()
        player.send(Start(20, 10, 1), replace(hello, features=Feature.RESUME))
        assert player.entry("message") == NO_GAME_WAITED

    def test_who_has_ended_the_last_game_has_none_that_waits(self, backstage: Backstage) -> None:
        first = backstage.player()
        first.send(PLAIN, Start(1, 1, 1), Command.REVEAL)
        player = backstage.player()
        player.send(Start(20, 10, 1), replace(PLAIN, features=Feature.RESUME))
        assert player.entry("message") == NO_GAME_WAITED

    @pytest.mark.parametrize("features", [Feature(0), Feature.RESUME])
    def test_nobody_else_is_told_that_no_game_waited(
        self, backstage: Backstage, features: Feature
    ) -> None:
        if features:
            backstage.put(waiting(BOARD))
        player = backstage.player()
        player.send(Start(20, 10, 1), replace(PLAIN, features=features))
        assert player.entry("message") != NO_GAME_WAITED

    def test_a_game_played_before_hello_is_no_new_one(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(Start(20, 10, 1), Command.TOGGLE_BOMB_MARK)
        player.send(replace(PLAIN, features=Feature.RESUME))
        assert player.entry("message") != NO_GAME_WAITED

    def test_the_player_of_an_unreadable_game_is_told(self, backstage: Backstage) -> None:
        backstage.put(BROKEN)
        screen = backstage.player().send(PLAIN)
        assert "screen: menu" in screen
        assert UNREADABLE in screen

    def test_a_game_that_has_ended_does_not_come_back(self, backstage: Backstage) -> None:
        first = backstage.player()
        first.send(PLAIN, Start(1, 1, 1), Command.REVEAL)
        assert "screen: menu" in backstage.player().send(PLAIN)

    def test_clock_and_cursor_continue_where_they_were(self, backstage: Backstage) -> None:
        first = backstage.player()
        first.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        first.send_after(7_000, MoveTo(4, 5))
        second = backstage.player()
        second.send_after(60_000, PLAIN)
        assert (second.entry("clock"), second.entry("cursor")) == ("7 s", "4 5")
        second.send_after(2_000, Command.REFRESH)
        assert second.entry("clock") == "9 s"

    def test_the_settings_come_back(self, backstage: Backstage) -> None:
        backstage.player().send(PLAIN, Command.MOVE_RIGHT)
        assert "intermediate 16x16, 40 mines" in backstage.player().send(PLAIN)


class TestSecondHello:
    def test_the_same_player_is_not_asked_for_again(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, ANSI)
        assert len(backstage.take_operations(Enter)) == 1
        assert isinstance(player.replies[-1], ScreenPatch)

    def test_another_name_goes_to_the_store_and_the_game_continues(
        self, backstage: Backstage
    ) -> None:
        player = backstage.player()
        player.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        player.send(replace(PLAIN, name="Augusta"))
        assert player.entry("size") == "9x9"
        player.send(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
        kept = backstage.claim().game
        assert kept is not None
        assert len(kept.entries) == 16
        assert backstage.finished == []

    def test_another_player_leaves_the_first_ones_game_behind(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        assert "screen: menu" in player.send(BOB)
        assert backstage.claim(BOB.key).game is None
        assert backstage.claim(KEY).game is not None
        assert player_id(BOB.key) in [one.claims for one in player.effects]

    def test_another_player_does_not_see_the_mines_that_the_first_one_saw(
        self, backstage: Backstage
    ) -> None:
        player = backstage.player()
        player.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_DEBUG_MODE, BOB, Start(9, 9, 1))
        assert player.entry("remark") == ""

    @pytest.mark.parametrize(
        "opening",
        [(Command.MENU, Command.MOVE_DOWN, Command.MOVE_DOWN, Command.REVEAL), (Load(""),)],
    )
    def test_another_player_meets_no_question_and_no_list_of_the_first_one(
        self, opening: tuple[Packet, ...], backstage: Backstage
    ) -> None:
        player = backstage.player()
        player.send(PLAIN, Start(9, 9, 1), Command.REVEAL, Save("kept"), Command.TOGGLE_BOMB_MARK)
        player.send(MoveTo(8, 8), Command.REVEAL, *opening)
        assert player.text.startswith(("JMinesweeper Give up", "JMinesweeper Load"))
        player.send(BOB)
        assert player.text.startswith("JMinesweeper\nscreen: menu\n")
        player.send(Command.MENU)
        assert player.text.startswith("JMinesweeper\nscreen: menu\n")


def test_a_long_game_that_waits_is_rebuilt_by_somebody_else(backstage: Backstage) -> None:
    backstage.put(flagged(BOARD, 2_001))
    player = backstage.player()
    player.send(PLAIN)
    assert [type(question) for question in backstage.questions] == [Rebuild]
    assert player.entry("message") == RESUMED
    assert player.board.splitlines()[0] == "?F?"


def test_the_player_of_an_unreadable_long_game_is_told(backstage: Backstage) -> None:
    backstage.put(replace(BROKEN, entries=b"\xff" * 16_000))
    player = backstage.player()
    player.send(PLAIN)
    assert player.entry("message") == UNREADABLE
