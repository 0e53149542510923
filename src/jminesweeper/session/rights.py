"""Rights: who may do what.

A *mode* is the situation of a player, a *verb* is what a key, a packet or the row of a menu asks
for. `RIGHTS` is the one table of both. Of each mode it has the verbs that are offered, the most
important first, and those that are refused, with the message that says why. A verb in neither is
done where it means something, and ignored elsewhere. Some verbs also need something that no mode
gives: a store, a solver, a player whom the server knows. `NEEDS` has those.

Everything that tells a player what may be done follows from here: the refusal of a packet, the keys
that a front end shows, the rows of a menu that are dimmed.

A menu or a page that covers the board has a mode of its own for its keys. What is refused follows
from what it covers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum, auto
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from jminesweeper.protocol import packets
from jminesweeper.protocol.vocabulary import SAME_BOARD, Command, LookBackAt
from jminesweeper.records.rooms import Kind, Stage

if TYPE_CHECKING:
    from jminesweeper.session.player import Player


class Mode(StrEnum):
    """The situation of a player."""

    NO_GAME = auto()
    PLAYING = auto()
    PAUSED = auto()
    OVER = auto()
    OVER_UNPROTECTED = auto()
    """Over, by rules in which the first cell may be a mine."""
    # In a room.
    WAITING = auto()
    COUNTDOWN = auto()
    RACE = auto()
    RACE_DONE = auto()
    """The own copy is over, and others still play theirs."""
    RACE_WON = auto()
    """The same, but the whole board is open: the boards of others tell nothing new."""
    RACE_ASIDE = auto()
    """Others play a round, and this player does not."""
    RACE_OVER = auto()
    SHARED = auto()
    SHARED_PAUSED = auto()
    SHARED_DONE = auto()
    """The game is over, and the result is not noted yet."""
    SHARED_ASIDE = auto()
    SHARED_OVER = auto()
    # Of what covers the board.
    MENU = auto()
    SAVES = auto()
    PAGE = auto()
    EXPORTING = auto()
    """The page that shows a game as text."""
    REPLAY = auto()
    PUZZLE = auto()
    PUZZLE_OVER = auto()
    """It was answered."""
    WATCHING = auto()
    RIVALS = auto()


class Verb(StrEnum):
    """Something a player can ask for, by the name that a front end knows it by."""

    # At the board.
    REVEAL = auto()
    FLAG = auto()
    UNDO = auto()
    HINT = auto()
    NEXT = auto()
    ODDS = auto()
    DEBUG = auto()
    PAUSE = auto()
    RESUME = auto()
    # Games.
    NEW = auto()
    CLASSIC = auto()
    AGAIN = auto()
    RESTART = auto()
    """Play the same board again, by a menu that asks before it ends a running game."""
    SAVE = auto()
    LOAD = auto()
    DROP = auto()
    SHOW_CODE = auto()
    # Of a game that is over.
    FIGURES = auto()
    REPLAY = auto()
    PLAY_ON = auto()
    ANALYSIS = auto()
    EXPORT = auto()
    # Menus and pages, and what is done there.
    MAIN = auto()
    CONTINUE = auto()
    BOARDS = auto()
    DAILY = auto()
    PUZZLES = auto()
    CODE = auto()
    PEOPLE = auto()
    ALONE = auto()
    SAVES = auto()
    RECORDS = auto()
    STATISTICS = auto()
    SCORES = auto()
    LADDER = auto()
    GAMES = auto()
    SETTINGS = auto()
    RENAME = auto()
    OFFER = auto()
    """Show a code by which another device plays as this player."""
    TAKE = auto()
    """Play here as the player of such a code."""
    FORGET = auto()
    """Remove the player and all that is theirs."""
    HELP = auto()
    ROOM = auto()
    MENU = auto()
    CHOOSE = auto()
    STEP = auto()
    ONWARD = auto()
    """Go on to the next puzzle."""
    BACK = auto()
    QUIT = auto()
    # With others.
    JOIN = auto()
    OPEN = auto()
    READY = auto()
    SAY = auto()
    WATCH = auto()
    LEAVE = auto()
    GIVE_UP = auto()
    RIVALS = auto()
    """Watch the copies of players still racing."""
    # Of the host of a room.
    SET_UP = auto()
    """Choose the board and its rules, or begin with the players who are ready."""
    LOCK = auto()
    """Lock the room, or remove somebody."""


class Rights(NamedTuple):
    """The verbs that a mode offers, and those it refuses, with the id of the message why."""

    offers: Sequence[Verb]
    refuses: Mapping[Verb, str]


def _rights(offers: str, refusals: Mapping[str, str] | None = None) -> Rights:
    refused = refusals or {}
    return Rights(
        tuple(map(Verb, offers.split())),
        {Verb(verb): why for verbs, why in refused.items() for verb in verbs.split()},
    )


_LOOKS: Final = "replay analysis export"
_HELP: Final = "hint odds next debug"
_ELSEWHERE: Final = (
    "new again restart play_on save load drop code debug boards daily puzzles alone saves records "
    "settings forget"
)
"""Verbs that lead to a game of one's own, or show something of the board of the round."""
_NO_RACE: Final = {"give_up": "race.none"}
_NOTHING_YET: Final = {**_NO_RACE, _LOOKS: "not.ended"}
_IN_ROOM: Final = {_ELSEWHERE: "room.first"}
_IN_ROUND: Final = {**_IN_ROOM, "ready": "room.wait", "set_up": "room.running"}
_IN_RACE: Final = {
    **_IN_ROUND,
    f"undo {_HELP}": "race.alone",
    "pause": "race.pause",
    _LOOKS: "race.later",
}
_OUT_OF_RACE: Final = {**_IN_RACE, **_NO_RACE}
_IN_SHARED: Final = {**_IN_ROUND, **_NO_RACE, _LOOKS: "race.later"}

RIGHTS: Final[Mapping[Mode, Rights]] = {
    Mode.NO_GAME: _rights(
        "quit",
        {**_NOTHING_YET, "continue restart show_code": "game.none", "save": "save.none"},
    ),
    Mode.PLAYING: _rights(
        "reveal flag help menu undo hint pause quit next odds",
        {**_NOTHING_YET, "again": "not.over"},
    ),
    Mode.PAUSED: _rights("resume help menu quit", {**_NOTHING_YET, "again": "not.over"}),
    Mode.OVER: _rights(
        "new again figures help menu replay quit analysis export undo odds",
        {**_NO_RACE, "save": "save.none"},
    ),
    Mode.OVER_UNPROTECTED: _rights(
        "classic new again help menu quit figures replay analysis export undo odds",
        {**_NO_RACE, "save": "save.none"},
    ),
    Mode.WAITING: _rights(
        "ready leave say menu help quit", {**_IN_ROOM, **_NOTHING_YET, "continue": "game.none"}
    ),
    Mode.COUNTDOWN: _rights("say leave menu help quit", {**_IN_ROUND, **_NOTHING_YET}),
    Mode.RACE: _rights("reveal flag say give_up leave menu help quit", _IN_RACE),
    Mode.RACE_DONE: _rights("say leave menu help quit", _OUT_OF_RACE),
    Mode.RACE_WON: _rights("rivals say leave menu help quit", _OUT_OF_RACE),
    Mode.RACE_ASIDE: _rights("say leave menu help quit", _OUT_OF_RACE),
    Mode.RACE_OVER: _rights(
        "ready replay analysis export say leave menu help quit",
        {**_IN_ROOM, **_NO_RACE, "reveal flag undo pause": "round.over", _HELP: "race.alone"},
    ),
    Mode.SHARED: _rights(
        "reveal flag say leave menu help hint undo pause next odds quit", _IN_SHARED
    ),
    Mode.SHARED_PAUSED: _rights("resume say leave menu help quit", _IN_SHARED),
    Mode.SHARED_DONE: _rights("say leave menu help quit", {**_IN_SHARED, "undo": "round.over"}),
    Mode.SHARED_ASIDE: _rights(
        "ready say leave menu help quit",
        {**_IN_ROOM, **_NO_RACE, "set_up": "room.running", _LOOKS: "race.later"},
    ),
    Mode.SHARED_OVER: _rights(
        "ready replay analysis export say leave menu help quit",
        {**_IN_ROOM, **_NO_RACE, "undo": "round.over"},
    ),
    Mode.MENU: _rights("choose back quit"),
    Mode.SAVES: _rights("choose drop back quit"),
    Mode.PAGE: _rights("back quit"),
    Mode.EXPORTING: _rights("export back quit"),
    Mode.REPLAY: _rights("step back odds play_on export quit"),
    Mode.PUZZLE: _rights("reveal hint back quit"),
    Mode.PUZZLE_OVER: _rights("onward back quit"),
    Mode.WATCHING: _rights("back quit"),
    Mode.RIVALS: _rights("rivals back quit"),
}


_MENUS: Final = frozenset(
    {
        *(Verb.MAIN, Verb.BOARDS, Verb.DAILY, Verb.CODE, Verb.PEOPLE, Verb.ALONE, Verb.SAVES),
        *(Verb.RECORDS, Verb.SETTINGS, Verb.HELP, Verb.ROOM, Verb.MENU, Verb.PUZZLES),
    }
)


def _lacks_view(player: Player) -> str:
    return "" if player.client.has_view else "hello"


def _lacks_account(player: Player) -> str:
    account = player.account
    return "" if account.is_in else "store.trouble" if account.is_known else "unknown"


def _lacks_rooms(player: Player) -> str:
    return _lacks_view(player) or ("" if player.config.has_store else "room.store")


def _lacks_host(player: Player) -> str:
    sitting = player.sitting
    return "" if sitting is not None and sitting.room.host == sitting.number else "room.host"


NEEDS: Final[Mapping[Verb, Callable[[Player], str]]] = {
    **dict.fromkeys(_MENUS, _lacks_view),
    **dict.fromkeys(
        (Verb.HINT, Verb.NEXT, Verb.ODDS),
        lambda player: "" if player.config.has_solver else "hints.off",
    ),
    Verb.ANALYSIS: lambda player: "" if player.config.has_solver else "analysis.off",
    Verb.DEBUG: lambda player: "" if player.config.debug_allowed else "debug.forbidden",
    **dict.fromkeys(
        (
            *(Verb.SAVE, Verb.LOAD, Verb.DROP, Verb.STATISTICS, Verb.GAMES),
            *(Verb.RENAME, Verb.OFFER, Verb.TAKE, Verb.FORGET),
        ),
        _lacks_account,
    ),
    Verb.SAVES: lambda player: _lacks_view(player) or _lacks_account(player),
    Verb.PUZZLES: lambda player: (
        _lacks_view(player)
        or _lacks_account(player)
        or ("" if player.config.has_solver else "hints.off")
    ),
    Verb.DAILY: lambda player: _lacks_view(player) or ("" if player.has_days else "daily.none"),
    **dict.fromkeys((Verb.SET_UP, Verb.LOCK), _lacks_host),
    **dict.fromkeys(
        (Verb.SCORES, Verb.LADDER),
        lambda player: "" if player.config.has_store else "records.none",
    ),
    **dict.fromkeys((Verb.PEOPLE, Verb.WATCH), _lacks_rooms),
    **dict.fromkeys(
        (Verb.JOIN, Verb.OPEN),
        lambda player: _lacks_rooms(player) or ("" if player.config.has_company else "offline"),
    ),
}
"""Conditions besides the mode: each returns the id of the message why not, or nothing."""

# What is exported may be another game than the one at hand: that is asked there.
_LOOKED_AT: Final[Mapping[int, Verb]] = {
    LookBackAt.REPLAY: Verb.REPLAY,
    LookBackAt.ANALYSIS: Verb.ANALYSIS,
    LookBackAt.PLAY_ON: Verb.PLAY_ON,
}


def _look(packet: packets.LookBack) -> Verb | None:
    return _LOOKED_AT.get(packet.what)


def _begin(packet: packets.NewGame) -> Verb:
    return Verb.AGAIN if packet.board == SAME_BOARD else Verb.NEW


def _open(packet: packets.OpenMenu) -> Verb:
    return Verb(packet.name) if packet.name in _MENUS else Verb.MENU


VerbRule: TypeAlias = Verb | Callable[[Any], Verb | None]
"""A verb, or a function that tells it from a packet."""

VERBS: Final[Mapping[object, VerbRule]] = {
    Command.REVEAL: Verb.REVEAL,
    Command.TOGGLE_BOMB_MARK: Verb.FLAG,
    Command.TOGGLE_DEBUG_MODE: Verb.DEBUG,
    Command.PAUSE: Verb.PAUSE,
    packets.Act: Verb.REVEAL,
    packets.Undo: Verb.UNDO,
    packets.Hint: Verb.HINT,
    packets.Odds: Verb.ODDS,
    packets.Seek: Verb.NEXT,
    packets.Start: Verb.NEW,
    packets.NewGame: _begin,
    packets.Save: Verb.SAVE,
    packets.Load: Verb.LOAD,
    packets.Drop: Verb.DROP,
    packets.Code: Verb.CODE,
    packets.LookBack: _look,
    packets.OpenMenu: _open,
    packets.Join: Verb.JOIN,
    packets.OpenRoom: Verb.OPEN,
    packets.Watch: Verb.WATCH,
    packets.Ready: Verb.READY,
    Command.GIVE_UP: Verb.GIVE_UP,
}
"""The verbs of packets, by their kinds."""


_ROOM_MODES: Final[Mapping[Stage, tuple[Mode, Mode]]] = {
    Stage.GATHERING: (Mode.WAITING, Mode.WAITING),
    Stage.COUNTDOWN: (Mode.COUNTDOWN, Mode.COUNTDOWN),
    Stage.PLAYING: (Mode.RACE, Mode.SHARED),
    Stage.PAUSED: (Mode.RACE, Mode.SHARED_PAUSED),
    Stage.DONE: (Mode.RACE_DONE, Mode.SHARED_DONE),
    Stage.ASIDE: (Mode.RACE_ASIDE, Mode.SHARED_ASIDE),
    Stage.OVER: (Mode.RACE_OVER, Mode.SHARED_OVER),
}
"""The modes of a race and of a shared board."""
_OF_ROOMS: Final = frozenset(
    {Mode.RACE_WON, *(mode for pair in _ROOM_MODES.values() for mode in pair)}
)

REFUSED_ALONE: Final = frozenset(
    {
        *NEEDS,
        *(verb for mode in Mode if mode not in _OF_ROOMS for verb in RIGHTS[mode].refuses),
    }
)
"""The verbs that a player alone may be refused; the others are looked up in a room only."""


def room_mode(stage: Stage, kind: Kind, *, has_won: bool = False) -> Mode:
    """Return the mode of a player in a room, who may have won the own copy."""
    race, shared = _ROOM_MODES[stage]
    if has_won and race is Mode.RACE_DONE:
        race = Mode.RACE_WON
    return race if kind is Kind.RACE else shared
