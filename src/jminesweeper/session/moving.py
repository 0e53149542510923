"""A player on another device: a code that is shown here and typed there.

A server knows a player by the key of a device, which never leaves it. After the code was typed, the
store knows that this device plays as the player who showed it, on every server of that store. The
code works once and for ten minutes. It has 60 bits, and a connection has only a few tries, so
nobody can guess one. The store has a hash of it.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from jminesweeper.core.base32 import draw_code, group, tidy
from jminesweeper.records.players import put_offer, take_offer
from jminesweeper.session.menus import TEXT, Menu, Page, Row
from jminesweeper.session.player import Player
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow

LIFETIME_S: Final = 600
MOST_TRIES: Final = 5
"""Wrong codes on one connection."""

_HOW_TO_TAKE: Final = (
    "On the other device open the settings and choose Bring a game here.",
    "Type this code there. It works once, for ten minutes.",
    "That device then plays as you: show the code to nobody else.",
)
_CODE: Final = Row(
    "code",
    "Code",
    kind=TEXT,
    range=(1, 32),
    help="The other device's settings show it. Games played here stay behind.",
)
_LENGTH: Final = 12


def offer_player(player: Player) -> Flow:
    """Show a code by which another device becomes this player."""
    code = draw_code(player.tokens, _LENGTH)
    at_s = player.config.seconds(player.now_ms)
    if (held := player.account.held) is None:
        player.say("unknown")
        return STAY
    yield from put_offer(held, hash_code(code), at_s, at_s + LIFETIME_S)
    yield Page("offer", "Play this game elsewhere", (group(code), "", *_HOW_TO_TAKE))
    return STAY


def take_player(player: Player) -> Flow:
    """Ask for a code, and become the player who showed it."""
    device = player.account.device
    menu = Menu("take", "Bring a game here", (_CODE,))
    while player.account.wrong_codes < MOST_TRIES:
        pick = yield menu
        if pick is None:
            return STAY
        code = hash_code(tidy(pick.value))
        at_s = player.config.seconds(player.now_ms)
        if (yield from take_offer(device, code, at_s, player.tokens)):
            _become_another(player, device)
            return LEAVE_MENUS
        player.account.wrong_codes += 1
        player.say("offer.none")
    player.say("offer.tries")
    return STAY


def _become_another(player: Player, device: str) -> None:
    """Leave all games behind, and enter again."""
    player.leave()
    player.account.become(device, player.now_ms)
    player.say("taken")


def hash_code(code: str) -> str:
    return blake2b(code.encode(), digest_size=16, person=b"offer").hexdigest()
