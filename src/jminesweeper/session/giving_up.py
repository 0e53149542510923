"""What is asked before a running game is given up for something else."""

from __future__ import annotations

from jminesweeper.screen import MenuItem
from jminesweeper.session.effects import Effects
from jminesweeper.session.menus import Act, Choice, Menu
from jminesweeper.session.saving import ask_name
from jminesweeper.session.seat import Seat


def ask_before(seat: Seat, act: Act, now_ms: int) -> Effects:
    """Do something that gives the running game up, once its player agrees if it is at stake."""
    play = seat.table.play
    if play is None or not play.is_at_stake:
        return act(now_ms)
    return seat.show(_question(seat, act), now_ms)


def _question(seat: Seat, act: Act) -> Menu:
    def go(now_ms: int) -> Effects:
        return (*seat.navigator.back(now_ms), *act(now_ms))

    can_save = bool(seat.table.ledger.player)
    choices = (
        Choice(
            MenuItem("Save first", note="Load brings it back.", is_enabled=can_save),
            lambda now_ms: ask_name(seat, go, now_ms),
        ),
        Choice(MenuItem("Give up", note="The game ends here, not won."), go),
        Choice(MenuItem("Go on", note="The game goes on as it stands."), seat.navigator.close),
    )
    menu = Menu("Give up this game?", lambda: choices)
    if not can_save:
        menu.select(len(choices) - 1)
    return menu
