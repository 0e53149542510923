"""Settings, stored as soon as a player chooses them, and moving to another device.

How a game looks is the front end's: it adds rows of its own.

A server knows a player by the key of a device, which never leaves it. One device shows a code, and
after it was typed on another, the store knows that this one plays as the player who showed it, on
every server of that store. The code works once and for ten minutes. It has 60 bits, and a
connection has only a few tries, so nobody can guess one. The store has a hash of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from typing import Final

from jminesweeper.core.seedcode import draw_code, group, tidy
from jminesweeper.protocol.view import RowKind
from jminesweeper.records.forgetting import forget_player
from jminesweeper.records.players import accept_offer, put_offer
from jminesweeper.session.messages import LONGEST_NAME, NOBODY, player_name
from jminesweeper.session.player import Player
from jminesweeper.session.rights import Verb
from jminesweeper.session.settings import Settings, choices_of
from jminesweeper.session.talks import (
    LEAVE_MENUS,
    STAY,
    Flow,
    Menu,
    Option,
    Page,
    Row,
    ask,
    choose,
    option,
)

_BOARDS: Final = (
    ("no_guess", "No-guess boards", "Boards that can be solved without luck."),
    ("question_marks", "Question marks", "A second flag is a question mark."),
)
_RULES: Final = (
    ("rules", "Kind of game", "What wins, where no board says otherwise."),
    ("first_click", "First click", "What the first opened cell may hold."),
    ("chording", "Chording", "Opening a number with all its flags opens the rest around it."),
    ("auto_open", "Open around zeros", "A cell without mines around opens its neighbours."),
)
_MORE: Final = "What wins, the first click, chords and zeros."
_OFFER: Final = "Shows a code to type on your other device."
_TAKE: Final = "Takes the code that another device of yours shows."
_FORGET: Final = "Removes your name, games, times and saves from this server."
_LOGIN: Final = "Your login; nobody sees it unless you choose it."
_LOOKS: Final = (("pace", "Pace", "3BV a second and efficiency while you play."),)


def change_settings(player: Player) -> Flow:
    return (yield from choose(player, "settings", "Settings", partial(_options, player)))


def change_rules(player: Player) -> Flow:
    """Let the player change what most never do."""

    def list_options() -> Sequence[Option]:
        return [_choice(player, *row) for row in _RULES]

    return (yield from choose(player, "rules", "Other rules", list_options))


def rename(player: Player, name: str) -> None:
    """Change the player's name everywhere."""
    player.account.name = player_name(name)
    player.put_settings(player.settings)
    player.say("named", name=player.account.name or NOBODY)


def name_row(player: Player, label: str, told: str) -> Row:
    """Ask for the player's name."""
    return Row(
        "name",
        label,
        player.account.name,
        RowKind.TEXT,
        range=(0, LONGEST_NAME),
        help=told,
        disabled=player.refusal(Verb.RENAME).text,
    )


def choose_settings(player: Player, settings: Settings) -> None:
    """Let the player change settings; store those of a known player."""
    if settings != player.settings:
        player.put_settings(settings)


def _options(player: Player) -> Sequence[Option]:
    name = name_row(player, "Name", "Shown beside your times; without one you are anonymous.")
    login, logins = player_name(player.account.login), list[Option]()
    if login and not player.account.name:
        # People give the name of a login without a thought, so it is not taken unasked.
        told, refused = _LOGIN, player.refusal(Verb.RENAME).text
        row = Row("login", f"Take the name {login}", help=told, disabled=refused)
        logins.append(Option(row, partial(rename, player, login)))
    return (
        _heading("boards", "New games"),
        *(_choice(player, *row) for row in _BOARDS),
        Option(Row("rules", "Other rules", help=_MORE), partial(change_rules, player)),
        _heading("looks", "Looks"),
        *(_choice(player, *row) for row in _LOOKS),
        _heading("others", "Others"),
        _choice(player, "ladder", "Ladder", "Races against known players move your rating."),
        _choice(player, "watchers", "Who may watch", "You always see how many are watching."),
        _heading("device", "This device"),
        Option(name, partial(rename, player)),
        *logins,
        option(player, Verb.OFFER, "Play this game elsewhere", offer_player, _OFFER),
        option(player, Verb.TAKE, "Bring a game here", take_player, _TAKE),
        option(player, Verb.FORGET, "Forget me", forget_me, _FORGET),
    )


def _heading(row_id: str, text: str) -> Option:
    return Option(Row(f"heading.{row_id}", text, kind=RowKind.HEADING))


def _choice(player: Player, name: str, label: str, told: str) -> Option:
    text, choices = player.settings.text(name), choices_of(name)
    row = Row(name, label, text, RowKind.CHOICE, choices, help=told)
    return Option(row, partial(_put, player, name))


def number_option(player: Player, settings: Settings, name: str, label: str) -> Option:
    """Let the player set a number."""
    least, most = settings.range_of(name)
    value, told = settings.text(name), f"{least} to {most}."
    row = Row(name, label, value, RowKind.NUMBER, range=(least, most), help=told)
    return Option(row, partial(_put, player, name))


def _put(player: Player, name: str, text: str) -> None:
    choose_settings(player, player.settings.with_text(name, text))


# A player on another device


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
    kind=RowKind.TEXT,
    range=(1, 32),
    help="The other device's settings show it. Games played here stay behind.",
)
_LENGTH: Final = 12


def offer_player(player: Player) -> Flow:
    """Show a code by which another device becomes this player."""
    code = draw_code(player.tokens, _LENGTH)
    at_s = player.config.seconds(player.now_ms)
    yield from put_offer(player.account.held, hash_code(code), at_s, at_s + LIFETIME_S)
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
        if (yield from accept_offer(device, code, at_s, player.tokens)):
            # All games stay behind; the store is asked again who this is.
            player.leave()
            player.account.become(device, player.now_ms)
            player.say("taken")
            return LEAVE_MENUS
        player.account.wrong_codes += 1
        player.say("offer.none")
    player.say("offer.tries")
    return STAY


def hash_code(code: str) -> str:
    return blake2b(code.encode(), digest_size=16, person=b"offer").hexdigest()


# Forgetting


def forget_me(player: Player) -> Flow:
    """Remove a player who wants to go, once they have said so twice; the session ends with it."""
    for menu_id, title, yes, told in _SURE:
        rows = Row("no", "Keep everything"), Row("yes", yes, help=told)
        if (yield from ask(menu_id, title, *rows)) != "yes":
            return STAY
    account, match = player.account, player.match
    if match is not None:
        yield from match.wait_until_at_rest()
    # Nothing may be stored of this player from here on.
    player.leave_seat()
    account.waiting = None
    yield from account.put_aside_all()
    yield from forget_player(account.id, player.now_s, player.tokens)
    account.forget()
    player.say("forgotten")
    player.out.closes = True
    return LEAVE_MENUS


_SURE: Final = (
    ("forget", "Forget you?", "Forget me", "On all your devices: name, games, times and saves."),
    ("forget_sure", "Forget everything for good?", "Forget all of it", "This cannot be undone."),
)
