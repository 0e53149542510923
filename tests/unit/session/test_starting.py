"""Packets that begin a game, and those that are refused and must not end the one that runs."""

from __future__ import annotations

from random import Random

import pytest

from jminesweeper.core.grid import Size
from jminesweeper.protocol.packets import Act, MoveTo, NewGame, OpenMenu, Packet, Start, Undo
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.session.reply import LayBoard
from tests.world.player import BACK, SEEN, Player, cells_of, minefield_of
from tests.world.server import ANONYMOUS, KNOWN, World, alone, seated

BOARD = "*....\n.....\n.....\n....*"
BEGUN = (Act(1, 0, Button.REVEAL, SEEN), Act(0, 0, Button.FLAG, SEEN))
TAB = NewGame()
SAME_BOARD = NewGame("again")
FLAG = Command.TOGGLE_BOMB_MARK
REFUSED = (
    Start(0, 10, 1),
    Start(20, 0, 1),
    Start(20, 10, 0),
    Start(20, 10, 4),
    Start(255, 255, 255),
    NewGame("5x5/25 jminesweeper"),
    NewGame("level 5x5"),
    NewGame("again and again"),
)


@pytest.fixture(params=REFUSED, ids=str)
def refused(request: pytest.FixtureRequest) -> Packet:
    """A packet that asks for a game that cannot be."""
    packet: Packet = request.param
    return packet


def begun(*more: Packet) -> tuple[Player, World]:
    """Somebody in a game in which a cell was revealed and another flagged."""
    player, world = seated(BOARD)
    player.send(*BEGUN, *more)
    player.start_counting()
    return player, world


def assert_played_on(player: Player, world: World) -> None:
    """Play the game of `begun` to its end: it was neither ended nor replaced."""
    assert player.games_ended == 0
    player.sees({"screen": "game", "state": "playing", "top": "F1???"})
    player.do(Act(2, 2, Button.REVEAL, SEEN)).sees({"state": "won", "games_ended": 1})
    (game,) = world.finished
    assert (game.code, game.is_assisted) == ("given", False)


class TestRefused:
    """A player who asks for an impossible game is told so, and plays on."""

    @pytest.mark.parametrize(
        ("before", "after"),
        [((), ()), ((Command.PAUSE,), (Command.PAUSE,)), ((BACK,), (BACK,))],
        ids=["while a game runs", "while it is paused", "while a menu is open over it"],
    )
    def test_in_a_game(
        self, refused: Packet, before: tuple[Packet, ...], after: tuple[Packet, ...]
    ) -> None:
        player, world = begun(*before)
        where = player.screen, player.entry("state")
        player.send(refused)
        assert player.message.startswith(("No ", "There is no ", "A board of "))
        assert (player.screen, player.entry("state")) == where
        assert player.writes == []
        player.send(*after)
        assert_played_on(player, world)

    def test_the_clock_runs_on(self, refused: Packet) -> None:
        player, _ = begun()
        player.do(2_000, refused, 2_000, Command.REFRESH).sees({"clock": "4 s"})

    @pytest.mark.parametrize("hello", [(), (KNOWN,)])
    def test_debug_mode_stays_on(self, refused: Packet, hello: tuple[Packet, ...]) -> None:
        player = alone().do(*hello, Start(4, 3, 2), Command.TOGGLE_DEBUG_MODE, refused)
        assert "debug" in player.send(Command.REFRESH).text

    def test_before_the_first_reveal(self, refused: Packet) -> None:
        player, _ = seated(BOARD)
        player.do(refused, *BEGUN).sees({"state": "playing", "top": "F1???"})

    def test_before_a_board_without_guesses_was_laid(self, refused: Packet) -> None:
        world = World()
        world.boards.append(0b1)
        player = world.player()
        player.send(KNOWN, NewGame("5x4/1 no-guess"))
        player.send(Act(4, 3, Button.FLAG, SEEN), refused, Act(1, 0, Button.REVEAL, SEEN))
        assert [type(question) for question in world.questions] == [LayBoard]
        board = "?1???\n?????\n?????\n????F"
        player.sees({"label": "custom no-guess 5x4", "board": board})
        assert world.finished == []

    def test_after_the_end(self, refused: Packet) -> None:
        player, world = begun(Act(4, 3, Button.REVEAL, SEEN))
        before = player.board
        player.do(refused).sees({"state": "lost", "board": before})
        player.do(Undo(1), Act(2, 2, Button.REVEAL, SEEN)).sees({"state": "won"})
        assert len(world.finished) == 1

    def test_before_the_first_game(self, refused: Packet) -> None:
        player = alone().do(ANONYMOUS, refused, Start(3, 3, 1))
        player.sees({"size": "3x3", "state": "playing"})

    def test_the_next_connection_finds_the_game(self, refused: Packet) -> None:
        player, world = begun()
        player.send(refused)
        player.hang_up()
        assert_played_on(world.player().do(KNOWN), world)

    @pytest.mark.requirement("J:packet START", "J:incompatible command")
    @pytest.mark.parametrize("packet", [one for one in REFUSED if isinstance(one, Start)])
    def test_on_version_1(self, packet: Start) -> None:
        start = Start(4, 3, 2)
        field = minefield_of(start)
        player = alone().do(start, Command.TOGGLE_BOMB_MARK)
        before = player.field(Size(4, 3))
        screen = player.send(packet).text
        assert f"No game of {packet.columns}x{packet.rows} at level {packet.level}" in screen
        assert player.field(Size(4, 3)) == before
        assert player.world.operations == []
        bombs = cells_of(field, field.mines & ~1)
        wrong = [] if field.mines & 1 else [Act(0, 0, Button.FLAG, SEEN)]
        screen = player.send(*wrong, *(Act(*bomb, Button.FLAG, SEEN) for bomb in bombs)).text
        assert "WON" in player.lines[0]
        assert player.games_ended == 1


class TestTab:
    """TAB is sent as another game of what is played."""

    pytestmark = pytest.mark.requirement("J:key TAB")

    @pytest.fixture
    def player(self) -> Player:
        player = World().player(entropy=Random(7).getrandbits)
        player.send(KNOWN, Start(20, 10, 2))
        return player

    def mines(self, player: Player) -> str:
        """Look at the mines, and look away again."""
        screen = player.send(Command.TOGGLE_DEBUG_MODE).text.partition("field:")[2]
        player.send(Command.TOGGLE_DEBUG_MODE)
        return screen.partition("message")[0].replace("f", "b").replace("F", "?")

    @pytest.mark.parametrize(
        "before",
        [
            (),
            (Act(3, 3, Button.FLAG, SEEN),),
            (Act(3, 3, Button.FLAG, SEEN), Command.PAUSE),
            (Act(3, 3, Button.FLAG, SEEN), Start(0, 0, 0)),
        ],
    )
    def test_it_begins_another_game_of_the_same_settings(
        self, player: Player, before: tuple[Packet, ...]
    ) -> None:
        old = self.mines(player)
        player.do(1_000, *before, 5_000, TAB).sees(
            {
                "label": "medium 20x10",
                "mines": "50",
                "mines left": "50",
                "state": "playing",
                "clock": "0 s",
                "cursor": "0 0",
                "board": "\n".join(["?" * 20] * 10),
                "games_ended": bool(before),
            }
        )
        assert self.mines(player) != old

    def test_after_the_end_it_ends_nothing(self) -> None:
        player, world = seated(BOARD)
        player.send(Command.REVEAL)
        player.start_counting()
        player.do(TAB).sees({"state": "playing", "size": "5x4", "games_ended": 0})
        assert len(world.finished) == 1

    @pytest.mark.parametrize("hello", [(), (ANONYMOUS,)])
    def test_before_the_first_game_it_begins_what_is_set(self, hello: tuple[Packet, ...]) -> None:
        alone().do(*hello, TAB, ANONYMOUS).sees({"label": "beginner 9x9"})

    def test_on_version_1_too(self) -> None:
        other = alone().do(Start(20, 10, 2), Act(3, 3, Button.FLAG, SEEN), TAB)
        other.sees({"status": "medium 20x10  mines left 50  0:00"})


@pytest.mark.parametrize(
    ("packet", "label"),
    [
        (Start(20, 10, 3), "hard 20x10"),
        (NewGame("expert"), "expert 30x16"),
        (NewGame("12x7/20 jminesweeper"), "custom 12x7"),
        (NewGame("easy 8x8"), "easy 8x8"),
        (NewGame("daily intermediate"), "daily intermediate 2001-09-09 16x16"),
    ],
)
@pytest.mark.parametrize("before", [(), (Command.PAUSE,), (BACK,), (OpenMenu("help"),)])
def test_a_game_begins_from_everywhere(
    packet: Packet, label: str, before: tuple[Packet, ...]
) -> None:
    player, _ = begun(*before)
    # Begun at a board's own first cell, or in the middle where the first reveal opens.
    own = {"daily": "11 14", "expert": "15 8"}
    cursor = own.get(label.partition(" ")[0], "0 0")
    seen = {"label": label, "state": "playing", "cursor": cursor, "games_ended": 1}
    player.do(packet).sees(seen)


def test_the_same_board_has_the_same_mines() -> None:
    player, _ = seated(BOARD)
    player.send(Command.TOGGLE_DEBUG_MODE)
    mines = field_of(player)
    player.send(MoveTo(0, 0), Command.REVEAL, SAME_BOARD, Command.TOGGLE_DEBUG_MODE)
    assert mines.count("b") == 2
    assert field_of(player) == mines


def field_of(player: Player) -> str:
    return player.text.partition("field:")[2].partition("message")[0]


@pytest.mark.parametrize("before", [(), (FLAG,), (Command.PAUSE,), (BACK,)])
def test_the_same_board_is_for_when_the_game_is_over(before: tuple[Packet, ...]) -> None:
    player, _ = seated(BOARD)
    player.send(*before, SAME_BOARD)
    assert player.message == "The same board can be played again once this game is over."
    assert player.games_ended == 0
