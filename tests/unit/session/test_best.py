"""A win that is the player's fastest says so."""

from jminesweeper.core import Status
from jminesweeper.protocol import Command, GameKind, NewGame, Packet
from jminesweeper.session.messages import OUTCOMES, new_best
from jminesweeper.store import Fault, StoreUnavailableError
from tests.unit.session.backstage import ANONYMOUS, PLAIN, Backstage
from tests.unit.session.player import Player

PAIR = NewGame(GameKind.OWN, 2, 1, 1, rules=1)
FLAG = Command.TOGGLE_BOMB_MARK
WON = OUTCOMES[Status.WON].text


def won_after(player: Player, wait_ms: int, *help_: Packet) -> str:
    """Win a board of two cells in so much time; return what the screen says."""
    player.send(PAIR, FLAG, *help_)
    player.send_after(wait_ms, FLAG, Command.REVEAL)
    return player.entry("message")


def known() -> tuple[Player, Backstage]:
    backstage = Backstage()
    player = backstage.player()
    player.send(PLAIN)
    return player, backstage


def test_the_first_win_and_each_faster_one_are_bests() -> None:
    player, _ = known()
    assert won_after(player, 5_000) == new_best(5_000).text
    assert won_after(player, 6_000) == WON
    assert won_after(player, 2_345) == "You won! New best: 2.345 s. TAB plays again."


def test_a_win_with_help_is_none() -> None:
    player, _ = known()
    assert won_after(player, 1_000, Command.TOGGLE_DEBUG_MODE) == WON


def test_who_has_no_key_has_no_bests() -> None:
    player = Backstage().player()
    player.send(ANONYMOUS)
    assert won_after(player, 1_000) == WON


def test_a_store_that_is_out_of_order_knows_none() -> None:
    player, backstage = known()
    player.send(PAIR, FLAG)
    backstage.fault = StoreUnavailableError(Fault.BROKEN)
    player.send(FLAG, Command.REVEAL)
    assert player.entry("message") == WON
