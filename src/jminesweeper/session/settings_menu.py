"""The settings a player chooses in a menu, kept as soon as they are chosen.

How a game looks is the front end's: it adds rows of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from jminesweeper.session.menus import CHOICE, HEADING, NUMBER, TEXT, Menu, Pick, Row
from jminesweeper.session.moving import offer_player, take_player
from jminesweeper.session.names import LONGEST_NAME, NOBODY, player_name
from jminesweeper.session.player import Player
from jminesweeper.session.settings import Settings, choices_of
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow

NOT_KNOWN: Final = "The server does not know you."
_RULES: Final = (
    ("rules", "Kind of game", "Which rules are played, where no board says otherwise."),
    ("first_click", "First click protected", "What the first opened cell may hold."),
    ("chording", "Chording", "Opening a number with all its flags opens the rest around it."),
    ("auto_open", "Open around zeros", "A cell without mines around opens its neighbours."),
    ("no_guess", "No-guess boards", "Boards that can be solved without luck."),
    ("question_marks", "Question marks", "A second flag is a question mark."),
)
_LOOKS: Final = (("pace", "Pace", "3BV a second and efficiency while you play."),)


def change_settings(player: Player) -> Flow:
    menu = Menu("settings", "Settings", partial(_rows, player))
    pick: Pick | None
    while (pick := (yield menu)) is not None:
        menu.selected = pick.row
        match pick.row:
            case "name":
                take_name(player, pick.value)
            case "offer":
                yield from offer_player(player)
            case "take":
                if (yield from take_player(player)):
                    return LEAVE_MENUS
            case name:
                choose_settings(player, player.settings.with_text(name, pick.value))
        menu.refresh()
    return STAY


def take_name(player: Player, name: str) -> None:
    """Be called so from now on, in every place."""
    player.account.name = player_name(name)
    player.put_settings(player.settings)
    player.say("named", name=player.account.name or NOBODY)


def name_row(player: Player, label: str, told: str) -> Row:
    """Ask for the player's name."""
    return Row(
        "name",
        label,
        player.account.name,
        TEXT,
        range=(0, LONGEST_NAME),
        help=told,
        disabled="" if player.account.is_in else NOT_KNOWN,
    )


def choose_settings(player: Player, settings: Settings) -> None:
    """Let the player change settings; store those of a known player."""
    if settings != player.settings:
        player.put_settings(settings)


def _rows(player: Player) -> Sequence[Row]:
    settings = player.settings
    unknown = "" if player.account.is_in else NOT_KNOWN
    name = name_row(player, "Name", "Shown beside your times; without one you are anonymous.")
    return (
        Row("heading.rules", "Rules", kind=HEADING),
        *(_choice(settings, *row) for row in _RULES),
        Row("heading.looks", "Looks", kind=HEADING),
        *(_choice(settings, *row) for row in _LOOKS),
        Row("heading.others", "Others", kind=HEADING),
        _choice(settings, "watchers", "Who may watch", "You see how many do."),
        Row("heading.device", "This device", kind=HEADING),
        name,
        Row(
            "offer",
            "Play this game elsewhere",
            help="Shows a code by which another device becomes you.",
            disabled=unknown,
        ),
        Row(
            "take",
            "Bring a game here",
            help="Takes the code that another device of yours shows.",
            disabled=unknown,
        ),
    )


def _choice(settings: Settings, name: str, label: str, told: str) -> Row:
    return Row(name, label, settings.text(name), CHOICE, choices_of(name), help=told)


def number_row(settings: Settings, name: str, label: str) -> Row:
    """Let a player set a number."""
    least, most = settings.range_of(name)
    told = f"{least} to {most}."
    return Row(name, label, settings.text(name), NUMBER, range=(least, most), help=told)
