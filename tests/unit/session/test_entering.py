"""HELLO: what waits for a player, who else plays that game, and stores out of order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jminesweeper.core import ActionKind, Cell, Status
from jminesweeper.protocol import (
    Command,
    Feature,
    GameKind,
    Hello,
    Load,
    MoveTo,
    NewGame,
    Packet,
    PatchFlag,
    Resize,
    Save,
    ScreenContent,
    ScreenPatch,
    Start,
)
from jminesweeper.session import Ask, Claimed, Commit, Enter, Rebuild, Session, SessionConfig
from jminesweeper.session.entering import MOST_PLAYERS, RETRY_AFTER_MS
from jminesweeper.session.keeper import running_game
from jminesweeper.session.messages import TOO_MANY_PLAYERS
from jminesweeper.store.ports import (
    Append,
    Fault,
    FinishedGame,
    ListGames,
    PutRunning,
    Record,
    RunningGame,
    StoreUnavailableError,
    player_id,
)
from tests.unit.session.backstage import (
    ADA,
    ANONYMOUS,
    ANSI,
    CONFIG,
    KEY,
    PLAIN,
    Backstage,
    a_play,
    waiting,
)
from tests.unit.session.player import Player, same_seed

BOARD = "*..\n...\n..."
DOWN = StoreUnavailableError(Fault.BROKEN)
BOB = bytes(16)


@pytest.fixture
def backstage() -> Backstage:
    return Backstage()


def finished(backstage: Backstage) -> tuple[FinishedGame, ...]:
    games: tuple[FinishedGame, ...] = backstage.submit(ListGames(ADA))
    return games


class TestAnonymous:
    def test_whoever_has_no_game_gets_the_menu(self) -> None:
        screen = Player().send(ANONYMOUS)
        assert "screen: menu" in screen
        assert "New game" in screen

    def test_whoever_has_a_game_goes_on_with_it(self) -> None:
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
        reply, effects = session.receive(PLAIN, 0)
        assert reply == b""
        assert effects == (Ask(Enter(ADA, "Ada", f"{same_seed(128):032x}")),)

    def test_a_new_player_gets_the_menu_and_the_right_to_write(self, backstage: Backstage) -> None:
        player = backstage.player()
        assert "screen: menu" in player.send(PLAIN)
        assert player.take_effects()[1:] == [Claimed(ADA)]

    def test_the_name_is_kept_without_what_cannot_be_shown(self, backstage: Backstage) -> None:
        backstage.player().send(replace(PLAIN, name=" A\x1b[2Jd\na\u202e "))
        assert isinstance(backstage.requests[0], Enter)
        assert backstage.requests[0].name == "A[2Jda"

    def test_a_game_that_waits_goes_on(self, backstage: Backstage) -> None:
        backstage.put(waiting(BOARD, cursor=Cell(2, 1)))
        player = backstage.player()
        player.send(PLAIN)
        assert player.entry("cursor") == "2 1"
        assert player.entry("message") == "Welcome back: your game goes on where you left it."

    def test_it_takes_the_place_of_one_just_started(self, backstage: Backstage) -> None:
        """A client has to START before it may say HELLO."""
        backstage.put(waiting(BOARD))
        player = backstage.player()
        player.send(Start(20, 10, 1), PLAIN)
        assert player.entry("size") == "3x3"
        assert backstage.take_operations(Record) == []

    def test_without_one_the_game_just_started_goes_on_and_is_kept(
        self, backstage: Backstage
    ) -> None:
        player = backstage.player()
        player.send(Start(20, 10, 1), PLAIN)
        assert player.entry("size") == "20x10"
        player.send(Command.TOGGLE_BOMB_MARK)
        kept = backstage.claim().game
        assert kept is not None
        assert len(kept.code) == 10

    def test_a_game_that_was_played_before_hello_is_kept_and_the_other_given_up(
        self, backstage: Backstage
    ) -> None:
        first = backstage.player()
        first.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        second = backstage.player()
        second.send(Start(20, 10, 1), Command.TOGGLE_BOMB_MARK, PLAIN)
        assert second.entry("size") == "20x10"
        assert [(game.status, str(game.size)) for game in finished(backstage)] == [
            (Status.TERMINATED, "9x9")
        ]
        kept = backstage.claim().game
        assert kept is not None
        assert "size 20x10" in kept.header

    def test_a_game_that_was_played_before_hello_counts_apart(self, backstage: Backstage) -> None:
        """Or else only those that go well would be made known."""
        player = backstage.player()
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, PLAIN)
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, Start(9, 9, 1))
        assert sorted(game.is_repeat for game in finished(backstage)) == [False, True]

    def test_a_daily_board_begun_before_hello_counts_apart(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(ANONYMOUS, NewGame(GameKind.DAILY, level=1), PLAIN)
        player.send(Command.TOGGLE_BOMB_MARK, Start(3, 3, 1))
        assert [(bool(game.daily), game.is_repeat) for game in finished(backstage)] == [
            (True, True)
        ]

    def test_keys_cannot_be_made_up_without_end(self, backstage: Backstage) -> None:
        player = backstage.player()
        for number in range(MOST_PLAYERS + 1):
            player.send(replace(PLAIN, key=bytes([number] * 16)))
        assert len(backstage.requests) == MOST_PLAYERS
        assert player.entry("message") == TOO_MANY_PLAYERS

    @pytest.mark.parametrize("waits", [waiting(BOARD), RunningGame("code", "no game at all")])
    def test_what_cannot_be_counted_is_not_given_up(
        self, backstage: Backstage, waits: RunningGame
    ) -> None:
        backstage.put(waits)
        player = backstage.player()
        player.send(Start(20, 10, 1), Command.TOGGLE_BOMB_MARK, PLAIN)
        assert player.entry("size") == "20x10"
        assert finished(backstage) == ()

    @pytest.mark.parametrize("hello", [PLAIN, ANONYMOUS])
    def test_who_wants_to_resume_is_told_that_no_game_waited(
        self, backstage: Backstage, hello: Hello
    ) -> None:
        player = backstage.player()
        player.send(Start(20, 10, 1), replace(hello, features=Feature.RESUME))
        assert player.entry("message") == "No game was waiting, so this is a new one."

    def test_who_has_ended_the_last_game_has_none_that_waits(self, backstage: Backstage) -> None:
        play = a_play(BOARD)
        play.act(ActionKind.REVEAL, 0)
        backstage.put(running_game(play, 0))
        player = backstage.player()
        player.send(Start(20, 10, 1), replace(PLAIN, features=Feature.RESUME))
        assert player.entry("message") == "No game was waiting, so this is a new one."

    @pytest.mark.parametrize("features", [Feature(0), Feature.RESUME])
    def test_who_has_a_game_that_waits_or_wants_none_is_not_told_so(
        self, backstage: Backstage, features: Feature
    ) -> None:
        if features:
            backstage.put(waiting(BOARD))
        player = backstage.player()
        player.send(Start(20, 10, 1), replace(PLAIN, features=features))
        assert "No game was waiting" not in player.text

    def test_a_game_played_before_hello_is_no_new_one(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(Start(20, 10, 1), Command.TOGGLE_BOMB_MARK)
        player.send(replace(PLAIN, features=Feature.RESUME))
        assert "No game was waiting" not in player.text

    def test_a_game_that_cannot_be_read_is_told(self, backstage: Backstage) -> None:
        backstage.put(RunningGame("code", "no game at all"))
        screen = backstage.player().send(PLAIN)
        assert "screen: menu" in screen
        assert "cannot be read any more" in screen

    def test_a_game_that_has_ended_does_not_come_back(self, backstage: Backstage) -> None:
        first = backstage.player()
        first.send(PLAIN, Start(1, 1, 1), Command.REVEAL)
        assert "screen: menu" in backstage.player().send(PLAIN)

    def test_a_paused_game_comes_back_paused(self, backstage: Backstage) -> None:
        first = backstage.player()
        first.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, Command.PAUSE)
        second = backstage.player()
        second.send(PLAIN)
        assert second.entry("state") == "paused"
        second.send_after(60_000, Command.PAUSE)
        assert second.entry("clock") == "0 s"

    def test_clock_and_cursor_go_on_where_they_were(self, backstage: Backstage) -> None:
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

    @pytest.mark.requirement("F:V.Game.only_one_uncompleted_game")
    def test_a_second_connection_takes_the_game_over(self, backstage: Backstage) -> None:
        first, second = backstage.player(), backstage.player()
        first.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        second.send(PLAIN)
        assert Claimed(ADA) in second.effects
        backstage.take_operations()
        first.send(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
        assert {type(one) for one in backstage.take_operations()} == {Append}
        assert "goes on at another connection" in first.send(Command.REFRESH)
        assert second.send(Command.REFRESH).count("F") == 1
        first.hang_up()
        assert backstage.take_operations() == []


class TestSecondHello:
    def test_the_same_player_is_not_asked_for_again(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, ANSI)
        assert len(backstage.requests) == 1
        assert isinstance(player.replies[-1], ScreenPatch)

    def test_another_name_is_told_to_the_store_and_the_game_goes_on(
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
        assert finished(backstage) == ()

    def test_another_player_leaves_the_first_ones_game_behind(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        assert "screen: menu" in player.send(replace(PLAIN, key=BOB, name="Bob"))
        assert backstage.claim(BOB).game is None
        assert backstage.claim(KEY).game is not None
        assert player_id(BOB) in [one.player for one in player.effects if isinstance(one, Claimed)]

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
        player.send(replace(PLAIN, key=BOB, name="Bob"))
        assert player.text.startswith("JMinesweeper\nscreen: menu\n")
        player.send(Command.MENU)
        assert player.text.startswith("JMinesweeper\nscreen: menu\n")


class TestStoreOutOfOrder:
    def test_the_player_plays_from_memory_and_is_told(self, backstage: Backstage) -> None:
        backstage.fault = DOWN
        player = backstage.player()
        screen = player.send(PLAIN)
        assert "screen: menu" in screen
        assert "cannot save at the moment" in screen
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        assert player.entry("remark") == "not saved"
        assert not [one for one in player.effects if isinstance(one, Commit | Claimed)]

    def test_the_player_is_asked_for_again_from_time_to_time(self, backstage: Backstage) -> None:
        backstage.fault = DOWN
        player = backstage.player()
        player.send(PLAIN, Start(9, 9, 1), Command.MOVE_LEFT)
        assert len(backstage.requests) == 1
        player.send_after(RETRY_AFTER_MS, Command.MOVE_LEFT, Command.MOVE_LEFT)
        assert len(backstage.requests) == 2

    def test_what_was_played_meanwhile_is_kept_once_the_store_is_back(
        self, backstage: Backstage
    ) -> None:
        backstage.fault = DOWN
        player = backstage.player()
        player.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        backstage.fault = None
        backstage.take_operations()
        player.send_after(RETRY_AFTER_MS, Command.MOVE_LEFT)
        assert player.entry("remark") == ""
        assert len(backstage.take_operations(PutRunning)) == 1
        kept = backstage.claim().game
        assert kept is not None
        assert len(kept.entries) == 8

    def test_a_result_of_that_time_is_recorded_later(self, backstage: Backstage) -> None:
        backstage.fault = DOWN
        player = backstage.player()
        player.send(PLAIN, Start(1, 1, 1), Command.TOGGLE_BOMB_MARK)
        backstage.fault = None
        player.send_after(RETRY_AFTER_MS, Command.REFRESH)
        assert finished(backstage) == ()
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        assert [game.status for game in finished(backstage)] == [Status.WON]

    def test_a_game_that_waited_comes_back_if_none_was_played(self, backstage: Backstage) -> None:
        backstage.put(waiting(BOARD))
        backstage.fault = DOWN
        player = backstage.player()
        player.send(PLAIN)
        backstage.fault = None
        player.send_after(RETRY_AFTER_MS, Command.MOVE_DOWN)
        assert player.entry("size") == "3x3"

    def test_a_store_that_has_forgotten_the_player_is_told_anew(self, backstage: Backstage) -> None:
        player = backstage.player()
        player.send(PLAIN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        backstage.store = Backstage().store
        player.send(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK, Command.REFRESH)
        kept = backstage.claim().game
        assert kept is not None
        assert len(kept.entries) == 16

    def test_a_daily_game_begun_then_counts_as_a_repeat(self, backstage: Backstage) -> None:
        backstage.fault = DOWN
        player = backstage.player()
        player.send(PLAIN, NewGame(GameKind.DAILY))
        assert "counts as a repeat" in player.entry("message")


def test_a_long_game_that_waits_is_rebuilt_by_somebody_else(backstage: Backstage) -> None:
    play = a_play(BOARD)
    while len(play.game.log) <= 2_000:
        play.act(ActionKind.FLAG, 0)
    backstage.put(running_game(play, 0))
    player = backstage.player()
    player.send(PLAIN)
    assert [type(request) for request in backstage.requests] == [Enter, Rebuild]
    assert player.entry("message") == "Welcome back: your game goes on where you left it."
