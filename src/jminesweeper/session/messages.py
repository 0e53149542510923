"""Messages of a session: one table, each with an id, a tone and an English text.

A front end shows the text, or words of its own for the id and its arguments. Keys are the front
end's, so no text names one; only the frames of version 1 (`classic`) do. A text has at most twelve
words.

After the table come the names that players type, those of saves and their own, and numbers as they
are written on a screen. Anybody may take any name. Where a name is on a page twice, the later one
gets a number; no name can contain the # before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from enum import Enum
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from unicodedata import category, normalize

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.core.rules import Victory


class Tone(Enum):
    """The kind of a message, shown by its colour and said by its words."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"


class Message(NamedTuple):
    """Something said: what, in which words, and how it is meant."""

    id: str = ""
    text: str = ""
    tone: Tone = Tone.PLAIN
    args: Mapping[str, Any] = MappingProxyType({})


SILENCE: Final = Message()

_PLAIN: Final[Mapping[str, str]] = {
    "aim.flags": "Flag every mine and nothing else.",
    "aim.open": "Open every safe cell.",
    "aim.either": "Open every safe cell, or flag every mine.",
    "aim.puzzle": "Where is it safe? Reveal a cell that cannot be a mine.",
    "aim.puzzle.over": "Reveal any cell to go on.",
    "aim.missing": "All safe cells are open: flag the remaining {mines} mines.",
    "aim.missing.one": "All safe cells are open: flag the remaining mine.",
    "chords.none": "This game has no chords; open each cell by itself.",
    "chords.unmet": "The {clue} needs {needed:flag} around it, not {flags}.",
    "debug.on": "Debug mode shows the mines.",
    "debug.off": "Debug mode is off.",
    "flags.unsure": "This number does not say which of these cells are mines.",
    "first.safe": "Reveal any cell: the first one is safe.",
    "hint": "{text}",
    "laid": "This board needs no guess.",
    "laid.none": "Found no board without guesses in time; this one may need some.",
    "loaded": "Loaded. A loaded game is not ranked.",
    "loaded.beside": "Loaded, not ranked. Your {board} game is kept under Saves.",
    "kept": "Your {board} game is kept under Saves.",
    "named": "You are {name} from now on.",
    "next": "({column},{row}) is {what}.",
    "next.none": "No cell can be solved from one or two numbers.",
    "odds": "Each covered cell shows its chance of a mine.",
    "odds.rough": "Cells near the cursor show estimated chances of a mine.",
    "paused": "Paused.",
    "pause.vote": "The game pauses once everybody wants it.",
    "pause.wanted": "{name} wants a pause.",
    "paused.ranked": "Paused. The time that ranks keeps running.",
    "repeat.code": "From a code, so not ranked.",
    "repeat.seen": "Seen before, so not ranked.",
    "replay": "{text}",
    "played.on": "Your turn from here. Seen before, so not ranked.",
    "news.back": "{name} is back.",
    "news.came": "{name} is here.",
    "news.finished": "{name} finished in {seconds:.1f} s.",
    "news.gave_up": "{name} gave up.",
    "news.hit": "{name} hit a mine.",
    "news.host": "{name} is the host now.",
    "news.host.own": "You are the host now.",
    "news.left": "{name} left.",
    "news.lost": "{name} hit a mine and is out.",
    "news.lost_it": "{name} lost the connection.",
    "news.removed": "The host has removed {name}.",
    "news.removing": "The host will remove {name} after this race.",
    "news.removing.own": "The host will remove you after this race.",
    "race.gave_up": "You gave up. The others play on.",
    "race.nobody": "Nobody won the race.",
    "puzzle.mine": "A mine. {text}",
    "puzzle.risk": "Not safe: {percent} % risk. {text}",
    "race.two": "A race takes two: it begins once somebody else is ready.",
    "solvers.busy": "All solvers of this server are racing; try again later.",
    "solvers.none": "This server has no solver.",
    "rival.waits": "The race begins with your first move.",
    "resumed": "Welcome back. Your game continues where you left it.",
    "quick.met": "Opponent found. Get ready.",
    "quick.off": "You are no longer waiting for an opponent.",
    "quick.wait": "Waiting for an opponent. Play on until one comes.",
    "room.left": "You have left the room.",
    "redo.none": "Nothing to redo.",
    "undo.none": "There is nothing to undo.",
    "undone": "{steps:step} undone.",
}
_GOOD: Final[Mapping[str, str]] = {
    "best": "You won! Your best: {seconds:.3f} s.{how}",
    "best.paused": "You won! Your best: {seconds:.3f} s, pauses included.{how}",
    "best.of": "You won! Best of {wins}: {seconds:.3f} s.{how}",
    "best.of.paused": "You won! Best of {wins}: {seconds:.3f} s, pauses included.{how}",
    "dropped": "{name} is deleted.",
    "forgotten": "You are forgotten here. Goodbye.",
    "goodbye": "Goodbye.",
    "goodbye.ranked": "Goodbye. Your game waits; its ranked time runs on.",
    "series.won": "You won the series!",
    "race.won": "You won the race!",
    "race.finished": "Finished in {seconds:.3f} s.",
    "puzzle.right": "Right. {text}",
    "saved": "Saved as {name}.",
    "shared.won": "You have won together!",
    "taken": "This device now plays as the other one.",
    "won": "You won!{how}",
    "won.given_up": "You won! Given up once, so not ranked.",
    "won.day.program": "You won! {rank} today among programs.",
    "won.new": "You won! Daily ranks open an hour after your first game.",
    "won.day": "You won! {rank} today.{how}",
}
_BAD: Final[Mapping[str, str]] = {
    "lost": "You lost.",
    "lost.unprotected": "You lost. These rules do not protect the first cell.",
    "series.tied": "The series is tied.",
    "series.winner": "{name} won the series.",
    "race.winner": "{name} won the race.",
    "race.winner.by": "{name} won by {seconds:.1f} s.",
    "shared.lost.all": "The board is lost.",
    "shared.lost": "{name} stepped on a mine: the board is lost.",
    "store": "{text}",
    "unreadable": "That game can no longer be read.",
}
_WARNING: Final[Mapping[str, str]] = {
    "analysis.none": "The analysis took too long. Export the game to analyse it.",
    "analysis.off": "This server does not analyse games.",
    "bad.board": "No such game: {why}.",
    "bad.button": "There is no button {number}.",
    "bad.cell": "There is no cell at ({column},{row}).",
    "bad.code": "Invalid seed code; check for typos.",
    "bad.level": (
        "No game of {columns}x{rows} at level {level}: columns and rows are 1 to 255, "
        "levels 1 to 3."
    ),
    "bad.look": "Unknown look-back: {number}.",
    "bad.menu": "There is no menu {name}.",
    "bad.phrase": "There is no phrase {number}.",
    "bad.room": "There is no room of kind {kind} with mines of kind {mine}.",
    "blocked": "A mine costs ten seconds.",
    "changed": "That cell has changed; nothing was done.",
    "changed.menu": "That menu has changed; nothing was done.",
    "codes.wrong": "Too many wrong codes from your address; wait a moment.",
    "code.none": "This board was laid for you and has no seed code.",
    "daily.none": "This server has no board of the day.",
    "daily.unknown": "The server cannot tell if you saw this board; not ranked.",
    "debug.forbidden": "This server does not allow debug mode.",
    "debug.today": "Debug mode is off on today's daily board.",
    "game.none": "No game has begun.",
    "full": "This game is too long. Begin a new one.",
    "games.none": "No game of yours has ended yet.",
    "hello": "Menus need a HELLO first.",
    "hint.none": "No hint was found in time.",
    "hints.off": "This server gives no hints.",
    "laid.not": "This no-guess board could not be laid in time. Try again.",
    "name.automatic": "That name is for automatic saves. Type another one.",
    "name.none": "Type a name.",
    "news.won": "{name} won in {seconds:.1f} s: you have {left} s.",
    "no.solver": "This server cannot make no-guess boards; this one may need guesses.",
    "not.ended": "Finish the game first.",
    "not.over": "The same board can be played again once this game is over.",
    "odds.none": "The chances were not found in time.",
    "offer.none": "No such code. A code works once, for ten minutes.",
    "offer.tries": "Too many wrong codes. Connect again to try another.",
    "players": "Too many players on this connection. Please reconnect.",
    "puzzle.open": "That cell is open. Choose a covered one.",
    "puzzles.done": "Nothing left today. Missed puzzles come back later.",
    "puzzles.none": "None yet: your needless guesses become puzzles.",
    "race.alone": "In a race everybody plays alone, without help.",
    "race.pause": "A race has no pause.",
    "race.later": "Others still play this board; look back once all are done.",
    "race.none": "There is no race of yours to give up.",
    "round.over": "This round is over.",
    "records.none": "This server keeps no records.",
    "rival.none": "The solver could not play this board in time. Try again.",
    "replay.none": "Open a replay first.",
    "quick.left": "You left {count} quick matches; wait {seconds} s for another.",
    "room.barred": "The host has removed a player from your address; try again later.",
    "room.code": "A room's code has six letters, for instance KRTPWX.",
    "room.few": "Too few are ready.",
    "room.full": "This room has {seats} players already.",
    "room.guests": "Half the seats are taken by guests from your address.",
    "room.locked": "The host has locked this room.",
    "room.pause": "Only a shared board can be paused.",
    "room.people": "This room is for people only.",
    "room.solvers": "Solvers only race; they cannot share a board.",
    "room.series": "Only races make a series.",
    "room.unknown": "There is no room {code}; rooms end after an hour without play.",
    "room.yourself": "You cannot remove yourself; leave instead.",
    "rooms.address": "Your address has too many rooms open; join one of them.",
    "rooms.all": "This server has too many rooms open; try again later.",
    "rooms.own": "You have {most} rooms; join one: {codes}.",
    "seat.none": "Nobody has that seat.",
    "room.first": "Leave your room first.",
    "room.gone": "The room has ended.",
    "room.host": "Only the host can do that.",
    "room.running": "Finish this round first.",
    "room.wait": "Others still play; the next round comes after this one.",
    "room.none": "You are not in a room.",
    "room.removed": "The host has removed you from the room.",
    "offline": "No server here. Start one (./run_server.sh), or name your friends' host.",
    "room.store": "This server keeps no rooms.",
    "room.undo": "Only your own last action can be undone here.",
    "save.none": "There is no game to save.",
    "save.unknown": "There is no such saved game.",
    "scores.none": "Nobody has won a ranked game yet.",
    "slow": "Not so fast: only once a second.",
    "store.trouble": "The server cannot save right now. You can play on.",
    "elsewhere": "Your game continues here from another device.",
    "too.long.export": "This game is too long to export here.",
    "too.long.picture": "This game is too large for a picture; export it as text.",
    "too.long.replay": "This game is too long to replay here; it can be exported.",
    "unknown": "Nothing is saved here: the server does not know you.",
    "watch.daily": "Finish this day's board first, then see how others play it.",
    "watch.room": "They play in a room; watching takes its code.",
    "rivals.none": "Nobody is still playing; there is no board to watch.",
    "watch.none": "There is nothing to watch under that name or code.",
    "watch.nobody": "This player lets nobody watch.",
    "waited.none": "No game was waiting, so this is a new one.",
}
MESSAGES: Final[Mapping[str, tuple[str, Tone]]] = {
    which: (text, tone)
    for tone, texts in (
        (Tone.PLAIN, _PLAIN),
        (Tone.GOOD, _GOOD),
        (Tone.BAD, _BAD),
        (Tone.WARNING, _WARNING),
    )
    for which, text in texts.items()
}


class _Number(int):
    """A number that a text may count things with: ``{mines:mine}``."""

    def __format__(self, noun: str) -> str:
        return counted(int(self), noun) if noun.isalpha() else format(int(self), noun)


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def message(which: str, **args: Any) -> Message:
    """Say something of the table."""
    text, tone = MESSAGES[which]
    numbers = {name: _Number(arg) for name, arg in args.items() if isinstance(arg, int)}
    return Message(which, text.format(**{**args, **numbers}), tone, args)


def farewell(text: str) -> Message:
    """Say why the connection ends, in a sentence of the server's."""
    return Message("farewell", text)


AIMS: Final[Mapping[Victory, Message]] = {
    Victory.FLAGS: message("aim.flags"),
    Victory.SAFE_VISIBLE: message("aim.open"),
    Victory.EITHER: message("aim.either"),
}
"""The way to win, in a sentence."""


def missing(flags: int) -> Message:
    """Say how many flags a game lacks for a win, once every safe cell is open."""
    return message("aim.missing.one") if flags == 1 else message("aim.missing", mines=flags)


class ChoiceError(JMinesweeperError):
    """No such game can be played; the message is for the player."""

    def __init__(self, which: str, **args: Any) -> None:
        self.said = message(which, **args)
        super().__init__(self.said.text)


# Names that players type


LONGEST_NAME: Final = 60
"""In characters: a name fits the wire, in a row's id as well."""
NOBODY: Final = "anonymous"
"""The name of a player without one."""

_SIGN: Final = "#"


def typeable(text: str) -> str:
    """Strip what cannot be shown in one line from a piece of text.

    Combining marks that no letter takes in go as well, because screens leave them out: names that
    differ in nothing else would look the same there, or blank.
    """
    letters = normalize("NFC", text)
    return "".join(one for one in letters if one.isprintable() and category(one)[0] != "M")


_BLANK: Final = dict.fromkeys((0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0, 0x1D159), " ")
"""Letters and signs that show nothing."""


def printable(name: str) -> str:
    """Strip unprintable and blank characters and cut to the longest name stored."""
    return " ".join(typeable(name).translate(_BLANK).split())[:LONGEST_NAME]


def player_name(typed: str) -> str:
    """Clean a name that a player chose; "anonymous" becomes empty."""
    name = printable(typed.replace(_SIGN, " "))
    return "" if name.casefold() == NOBODY else name


_COLOURS: Final = (
    "amber azure coral crimson emerald golden indigo ivory jade lilac olive orange pearl plum ruby"
    " sable scarlet silver teal violet"
)
_ANIMALS: Final = (
    "badger beaver crane deer dolphin falcon ferret finch fox gecko hare hawk heron ibex jackal"
    " koala lemur lynx marten mole newt otter owl panda puffin raven seal stork swan tapir toad"
    " weasel wolf wombat"
)


def stand_in(player: str, day: date) -> str:
    """Name a player without a name: a colour and an animal, the same all day."""
    digest = blake2b(f"{player}\n{day}".encode(), digest_size=8).digest()
    number, colours, animals = int.from_bytes(digest, "big"), _COLOURS.split(), _ANIMALS.split()
    colour, animal = colours[number % len(colours)], animals[number // 97 % len(animals)]
    return f"{colour} {animal}".title()


def numbered(names: Iterable[str]) -> Sequence[str]:
    """Put a number after each name that is taken by one before it, in capitals or not."""
    counts: Counter[str] = Counter()
    said: list[str] = []
    for name in names:
        counts[name.casefold()] += bool(name)
        number = counts[name.casefold()]
        said.append(f"{name}{_SIGN}{number}" if number > 1 else name or NOBODY)
    return said


# Numbers in words


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def rare_percent(chance: float) -> str:
    """Write a chance that something went well; one that did never reads as impossible."""
    return percent(chance) if chance >= 0.005 else "under 1 %"


def seconds(time_ms: float) -> str:
    return f"{time_ms / 1000:.3f} s"


def format_clock(elapsed_s: int) -> str:
    """Write a time in whole seconds."""
    return f"{elapsed_s // 60}:{elapsed_s % 60:02}"


def ordinal(number: int) -> str:
    """Write a place, such as 3rd."""
    is_teen = number % 100 in {11, 12, 13}
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


_DAY_S: Final = 86_400
_1970: Final = date(1970, 1, 1)


def day_of(at_s: int) -> date:
    """Return the day of a time in seconds since 1970, or the last day that has a date."""
    return _1970 + timedelta(min(at_s // _DAY_S, (date.max - _1970).days))
