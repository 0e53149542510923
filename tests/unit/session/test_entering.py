"""HELLO: what waits for a player, and who else plays that game."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import (
    Act,
    MoveTo,
    NewGame,
    OpenMenu,
    Packet,
    Pick,
    Save,
    ScreenContent,
    Start,
    View,
)
from jminesweeper.protocol.vocabulary import Button, Command, Feature
from jminesweeper.records.keys import player_id
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.entering import MOST_PLAYERS
from jminesweeper.session.matches import Matches
from jminesweeper.session.reply import Rebuild
from jminesweeper.session.session import Session
from jminesweeper.store.port import Read
from tests.world.games import ADA, KEY, Kept, flagged, waiting
from tests.world.player import BACK, SEEN, Step, case, same_seed, table
from tests.world.server import ANONYMOUS, CONFIG, KNOWN, UNDECIDED, World, alone

BOARD = "*..\n...\n..."
LOSE: tuple[Packet, ...] = (
    Start(3, 3, 3),
    Command.TOGGLE_BOMB_MARK,
    *(Act(column, 1, Button.REVEAL, SEEN) for column in range(3)),
)
BOB = replace(KNOWN, key=bytes(16), name="Bob")
BROKEN = replace(waiting(BOARD), entries=b"\xff" * 8)
"""A game whose log makes no sense."""


@pytest.fixture
def world() -> World:
    return World()


RESUMED = "Welcome back. Your game continues where you left it."
NONE_WAITED = "No game was waiting, so this is a new one."
UNREADABLE = "That game can no longer be read."
START, FLAG = Start(20, 10, 1), Command.TOGGLE_BOMB_MARK


@table(
    [
        case("a guest without a game gets the menu", ANONYMOUS, screen="main"),
        case("so does a new player", KNOWN, screen="main"),
        case("a guest's game goes on", START, FLAG, ANONYMOUS, size="20x10", state="playing"),
        case("one just started is a new one", START, KNOWN, size="20x10", message=NONE_WAITED),
        case(
            "for a guest who wants to resume, too",
            *(START, replace(ANONYMOUS, features=Feature.RESUME)),
            message=NONE_WAITED,
        ),
        case("nobody else is told so", START, UNDECIDED, message=""),
        case("nor who has played it", START, FLAG, KNOWN, message="", size="20x10"),
    ]
)
def test_who_comes_where_nothing_waits(steps: tuple[Step, ...], seen: dict[str, Any]) -> None:
    player = World().player().do(*steps)
    player.sees(seen)
    assert player.connection.key == (ADA if KNOWN in steps or UNDECIDED in steps else "")


@pytest.mark.parametrize(
    ("kept", "steps", "seen"),
    [
        (waiting(BOARD, cursor=Cell(2, 1)), (KNOWN,), {"cursor": "2 1", "message": RESUMED}),
        # A client has to START before it may say HELLO.
        (waiting(BOARD), (START, KNOWN), {"size": "3x3", "message": RESUMED}),
        (waiting(BOARD), (START, FLAG, KNOWN), {"size": "20x10"}),
        (BROKEN, (KNOWN,), {"screen": "main", "message": UNREADABLE}),
        (BROKEN, (START, FLAG, KNOWN), {"size": "20x10", "message": UNREADABLE}),
        (replace(BROKEN, entries=b"\xff" * 16_000), (KNOWN,), {"message": UNREADABLE}),
    ],
)
def test_a_game_that_waits(kept: Kept, steps: tuple[Step, ...], seen: dict[str, Any]) -> None:
    world = World()
    world.put(kept)
    world.player().do(*steps).sees(seen)
    assert world.finished == []


class TestAnonymous:
    def test_a_key_means_nothing_without_a_store(self) -> None:
        player = alone(SessionConfig(has_store=False))
        assert player.send(KNOWN).text
        assert player.screen != "game"

    def test_a_terminal_gets_patches_from_then_on(self) -> None:
        player = alone().do(Command.MOVE_LEFT, replace(KNOWN, key=b""), Command.MOVE_DOWN)
        assert [type(reply) for reply in player.replies] == [
            ScreenContent,
            View,
            View,
        ]


class TestKnownPlayer:
    def test_nothing_is_shown_before_the_store_has_answered(self) -> None:
        session = Session(CONFIG, same_seed, Matches())
        screen, effects = session.receive(KNOWN, 0)
        assert screen == b""
        assert effects is not None
        assert isinstance(effects.question, Read)

    def test_the_name_is_kept_without_what_cannot_be_shown(self, world: World) -> None:
        player = world.player().do(replace(KNOWN, name=" A\x1b[2Jd\na\u202e "))
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        assert world.held().document.name == "A[2Jda"

    def test_without_one_the_game_just_started_continues_and_is_kept(self, world: World) -> None:
        player = world.player().do(Start(20, 10, 1), KNOWN)
        assert player.entry("size") == "20x10"
        player.send(Command.TOGGLE_BOMB_MARK)
        kept = world.running
        assert len(kept.code) == 10

    def test_a_game_that_was_played_before_hello_continues_and_the_other_is_kept(
        self, world: World
    ) -> None:
        world.player().do(KNOWN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        second = world.player().do(Start(20, 10, 1), Command.TOGGLE_BOMB_MARK, KNOWN)
        assert second.entry("size") == "20x10"
        assert second.message == "Your easy game is kept under Saves."
        assert str(world.save("auto 1").setup.size) == "9x9"
        kept = world.running
        assert str(kept.setup.size) == "20x10"

    def test_a_game_that_was_played_before_hello_is_not_ranked(self, world: World) -> None:
        """Or else only those that go well would be made known."""
        player = world.player().do(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, KNOWN)
        player.send(Start(9, 9, 1), Command.TOGGLE_BOMB_MARK, Start(9, 9, 1))
        assert sorted(game.variant.is_repeat for game in world.finished) == [False, True]

    def test_a_daily_board_begun_before_hello_is_not_ranked(self, world: World) -> None:
        player = world.player().do(ANONYMOUS, NewGame("daily beginner"), KNOWN)
        player.send(Command.TOGGLE_BOMB_MARK, Start(3, 3, 1))
        (game,) = world.finished
        assert game.variant.daily is not None
        assert game.variant.is_repeat

    def test_keys_cannot_be_made_up_without_end(self, world: World) -> None:
        player = world.player()
        for number in range(MOST_PLAYERS + 1):
            player.send(replace(KNOWN, key=bytes([number] * 16)))
        assert player.connection.key == player_id(bytes([MOST_PLAYERS - 1] * 16))
        assert player.message == "Too many players on this connection. Please reconnect."

    @pytest.mark.parametrize("lose", [LOSE, (Start(1, 1, 1), Command.REVEAL)], ids=["", "at once"])
    @pytest.mark.parametrize("first", [Start(20, 10, 1), None], ids=["a new game", "nothing"])
    def test_who_comes_back_to_a_game_that_ended_sees_how(
        self, world: World, first: Start | None, lose: tuple[Packet, ...]
    ) -> None:
        lost = world.player().do(KNOWN, *LOSE)
        lost.send(*lose)
        assert lost.members["state"] == "lost"
        player = world.player()
        player.send(*([first] if first else []), replace(KNOWN, features=Feature.RESUME))
        assert (player.board, player.message) == (lost.board, lost.message)
        player.send(Start(9, 9, 1))
        assert (player.entry("state"), len(world.finished)) == ("playing", 2)

    def test_a_game_that_ended_is_offered_to_nobody_else(self, world: World) -> None:
        world.player().send(KNOWN, *LOSE)
        player = world.player().do(Start(20, 10, 1), replace(KNOWN, features=Feature(0)))
        assert (player.entry("size"), player.message) == ("20x10", "")

    def test_clock_and_cursor_continue_where_they_were(self, world: World) -> None:
        first = world.player().do(KNOWN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        first.send_after(7_000, MoveTo(4, 5))
        first.hang_up()
        second = world.player().do(60_000, KNOWN)
        assert (second.entry("clock"), second.entry("cursor")) == ("7 s", "4 5")
        second.do(2_000, Command.REFRESH).sees({"clock": "9 s"})

    def test_the_settings_come_back(self, world: World) -> None:
        world.player().send(KNOWN, OpenMenu("settings"), Pick("settings", "pace", "on"))
        player = world.player().do(KNOWN, OpenMenu("settings"))
        assert player.row("Pace")["value"] == "on"


class TestSecondHello:
    def test_the_same_player_is_not_asked_for_again(self, world: World) -> None:
        player = world.player().do(KNOWN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        world.take_operations()
        player.send(KNOWN)
        assert not [each for each in world.take_operations() if isinstance(each, Read)]

    def test_another_name_goes_to_the_store_and_the_game_continues(self, world: World) -> None:
        player = world.player().do(KNOWN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        player.do(replace(KNOWN, name="Augusta")).sees({"size": "9x9"})
        player.send(Command.MOVE_RIGHT, Command.TOGGLE_BOMB_MARK)
        kept = world.running
        assert len(kept.entries) == 16
        assert world.finished == []

    def test_another_player_leaves_the_first_ones_game_behind(self, world: World) -> None:
        player = world.player().do(KNOWN, Start(9, 9, 1), Command.TOGGLE_BOMB_MARK)
        assert player.send(BOB).text
        assert player.screen != "game"
        assert world.current(BOB.key) is None
        assert world.current(KEY) is not None
        assert player.connection.key == player_id(BOB.key)

    def test_another_player_does_not_see_the_mines_that_the_first_one_saw(
        self, world: World
    ) -> None:
        player = world.player()
        player.send(KNOWN, Start(9, 9, 1), Command.TOGGLE_DEBUG_MODE, BOB, Start(9, 9, 1))
        assert player.entry("remark") == ""

    @pytest.mark.parametrize(
        "opening",
        [(OpenMenu("boards"), Pick("boards", "expert")), (OpenMenu("saves"),)],
    )
    def test_another_player_meets_no_question_and_no_list_of_the_first_one(
        self, opening: tuple[Packet, ...], world: World
    ) -> None:
        player = world.player()
        player.send(KNOWN, Start(9, 9, 1), Command.REVEAL, Save("kept"), Command.TOGGLE_BOMB_MARK)
        player.send(MoveTo(8, 8), Command.REVEAL, *opening)
        assert player.screen in {"give_up", "saves"}
        player.do(BOB).sees({"screen": "main"})
        player.do(BACK).sees({"screen": "main"})


def test_a_long_game_that_waits_is_rebuilt_by_somebody_else(world: World) -> None:
    world.put(flagged(BOARD, 2_001))
    player = world.player().do(KNOWN)
    assert [type(question) for question in world.questions] == [Rebuild]
    assert player.message == "Welcome back. Your game continues where you left it."
    assert player.board.splitlines()[0] == "?F?"


def test_a_guest_who_has_lost_is_answered_on_saying_who_they_are() -> None:
    player = World().player().do(ANONYMOUS, Start(1, 1, 1), Command.REVEAL, KNOWN)
    player.sees({"state": "lost"})
    assert not player.is_kept_waiting
    assert player.connection.key == ADA
    # It was a guest's, and is counted as one.
    player.world.pass_time(20_000)
    assert player.world.finished == []
