"""A win that is the player's fastest says so."""

from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.protocol.packets import Act, NewGame, Packet
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.records.limits import MAX_LISTED
from jminesweeper.store.port import Fault, StoreUnavailableError
from tests.world.player import SEED, SEEN, Player, cells_of
from tests.world.server import ANONYMOUS, KNOWN, World

BEGINNER = NewGame("beginner")
PAIR = NewGame("2x1/1")
FLAG = Command.TOGGLE_BOMB_MARK
WON = "You won!"


def won_after(player: Player, wait_ms: int, *help_: Packet) -> str:
    """Win a board of two cells in so much time; return what the screen says."""
    player.do(PAIR, FLAG, *help_, wait_ms, FLAG, Command.REVEAL)
    return player.message


def beginner_won_after(player: Player, play_ms: int, pause_ms: int) -> str:
    """Win a board that has a leaderboard; return what the screen says."""
    field = Setup.of("beginner", seed=SEED).minefield(Cell(0, 0))
    first, *others = (Act(*cell, Button.REVEAL, SEEN) for cell in cells_of(field, field.safe))
    player.do(BEGINNER, first, play_ms, Command.PAUSE, pause_ms, Command.PAUSE, *others)
    return player.message


def known() -> tuple[Player, World]:
    world = World()
    player = world.player().do(KNOWN)
    return player, world


def test_the_first_win_and_each_faster_one_are_bests() -> None:
    player, _ = known()
    assert won_after(player, 5_000) == "You won! Your best: 5.000 s."
    assert won_after(player, 6_000) == WON
    assert won_after(player, 2_345) == "You won! Best of 3: 2.345 s."


def test_the_wall_decides_where_the_wall_ranks() -> None:
    player, _ = known()
    assert beginner_won_after(player, 5_000, 0) == "You won! Your best: 5.000 s. Not one flag!"
    assert beginner_won_after(player, 1_000, 9_000) == "You won! Not one flag!"
    assert (
        beginner_won_after(player, 1_000, 3_000)
        == "You won! Best of 3: 4.000 s, pauses included. Not one flag!"
    )


def test_a_board_beyond_those_that_are_listed_is_compared_as_well() -> None:
    player, world = known()
    boards = [Setup.of(Size(9, 9 + rows), 10, seed=1) for rows in range(MAX_LISTED)]
    for number, board in enumerate(boards * 2):
        world.record(f"game{number}", board, Status.LOST)
    assert won_after(player, 5_000) == "You won! Your best: 5.000 s."


def test_a_win_with_help_is_none() -> None:
    player, _ = known()
    assert won_after(player, 1_000, Command.TOGGLE_DEBUG_MODE) == WON


def test_who_has_no_key_has_no_bests() -> None:
    player = World().player().do(ANONYMOUS)
    assert won_after(player, 1_000) == WON


def test_a_store_that_is_out_of_order_knows_none() -> None:
    player, world = known()
    player.send(PAIR, FLAG)
    world.fault = StoreUnavailableError(Fault.BROKEN)
    player.do(FLAG, Command.REVEAL).sees({"message": WON})
