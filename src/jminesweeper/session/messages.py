"""What the session says, in words: at most twelve, with the key to press."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from jminesweeper.core.grid import Cell
from jminesweeper.core.rules import Rules, Victory
from jminesweeper.core.view import Status
from jminesweeper.screen.models import Message, Tone
from jminesweeper.screen.text import format_clock
from jminesweeper.session.reply import LaidBoard

CLASSIC_KEYS: Final = "wasd move  RETURN reveal  SPACE mark  TAB new  # debug  X quit"
# What explains the rest comes early: a narrow screen leaves out the last ones.
KEYS_PLAYING: Final = (
    ("RETURN", "reveal"),
    ("SPACE", "flag"),
    ("?", "help"),
    ("m", "menu"),
    ("u", "undo"),
    ("i", "hint"),
    ("p", "pause"),
    ("x", "quit"),
    ("g", "next"),
    ("o", "odds"),
)
KEYS_AT_PART: Final = (
    ("RETURN", "reveal"),
    ("SPACE", "flag"),
    ("?", "help"),
    ("m", "menu"),
    ("v", "whole board"),
    ("x", "quit"),
    ("u", "undo"),
    ("i", "hint"),
    ("p", "pause"),
    ("g", "next"),
    ("o", "odds"),
)
KEYS_OVER: Final = (
    ("TAB", "play again"),
    ("r", "same board"),
    ("e", "figures"),
    ("?", "help"),
    ("m", "menu"),
    ("b", "replay"),
    ("x", "quit"),
    ("y", "analysis"),
    ("t", "export"),
    ("u", "undo"),
    ("o", "odds"),
)
KEYS_PAUSED: Final = (("p", "resume"), ("?", "help"), ("m", "menu"), ("x", "quit"))
KEYS_OVERVIEW: Final = (("arrows", "move"), ("RETURN", "play there"), ("v", "back"))
KEYS_REPLAY: Final = (
    ("LEFT/RIGHT", "step"),
    ("ESC", "back"),
    ("UP/DOWN", "10 steps"),
    ("PgUp/PgDn", "10 s"),
    ("Home/End", "start, end"),
    ("o", "odds"),
    ("x", "quit"),
)
KEYS_MENU: Final = (("RETURN", "choose"), ("ESC", "back"), ("x", "quit"))
KEYS_RESUMING: Final = (("RETURN", "choose"), ("ESC", "start anew"), ("x", "quit"))
KEYS_SETTINGS: Final = (
    ("LEFT/RIGHT", "change"),
    ("RETURN", "choose"),
    ("ESC", "back"),
    ("x", "quit"),
)
KEYS_NUMBER: Final = (
    ("LEFT/RIGHT", "change"),
    ("0-9", "type"),
    ("ESC", "back"),
    ("x", "quit"),
)
KEYS_FIELD: Final = (("RETURN", "done"), ("ESC", "back"))
KEYS_DROP: Final = (("RETURN", "choose"), ("DEL", "delete"), ("ESC", "back"), ("x", "quit"))
KEYS_PAGE: Final = (("ESC", "back"), ("x", "quit"))
KEYS_LONG_PAGE: Final = (("UP/DOWN", "scroll"), *KEYS_PAGE)
KEYS_GOODBYE: Final = (("x", "quit"),)

NO_CHORDS: Final = "No chords by this game's rules: open each cell by itself."
NOT_OVER: Final = "r plays the same board again once this game is over."
GAME_IS_FULL: Final = "This game is too long. Press TAB for a new one."
DEBUG_ON: Final = "Debug mode: B is a mine."
DEBUG_OFF: Final = "Debug mode is off."
NO_DEBUG_TODAY: Final = "Debug mode is off on today's daily board."
DEBUG_FORBIDDEN: Final = "This server does not allow debug mode."
PAUSED: Final = Message("Paused. Press p to resume.")
OVERVIEW: Final = Message("The whole board; your part is bright. Press v to return.")
WHOLE_BOARD: Final = "The whole board is on the screen already."
NO_FIGURES_YET: Final = "The figures appear at the end of the game."
LOST_SIGNS: Final = (
    "On the board: B mine, B* stepped on; a flag at B was right,",
    "a flag at a number wrong. In one column: @ flagged mine, a-h wrong",
    "flag on 1-8, o on an empty cell.",
)
WAITS: Final = "A game is waiting"
NO_GAME_WAITED: Final = "No game was waiting, so this is a new one."
RESUMED: Final = "Welcome back. Your game continues where you left it."
LOADED: Final = "Loaded. A loaded game is not ranked."
UNREADABLE: Final = "That game can no longer be read."
NOTHING_TO_UNDO: Final = "There is nothing to undo."
NOTHING_TO_SAVE: Final = "There is no game to save."
NO_NAME: Final = "Type a name, or press ESC to leave."
NO_SUCH_SAVE: Final = "There is no such saved game."
AUTOMATIC_NAME: Final = "That name is for automatic saves. Type another one."
NO_SAVES: Final = "No saved games yet. Press Ctrl-S in a game to save it."
NO_SCORES: Final = "Nobody has won a ranked game yet."
REPLAY: Final = "replay"
NOT_ENDED: Final = "Finish the game first."
TOO_LONG_TO_REPLAY: Final = "This game is too long to replay here. Press t to export."
TOO_LONG_TO_EXPORT: Final = "This game is too long to export here."
NO_ANALYSES: Final = "This server makes no analyses."
NO_ANALYSIS: Final = "The analysis took too long. Export the game to analyse it."
HOW_TO_EXPORT: Final = (
    "Press t: the client writes this game into a file.",
    "It replays and analyses that file, and converts it for other programs:",
    "",
    "  jminesweeper replay FILE",
    "  jminesweeper analyse FILE",
    "  jminesweeper export FILE game.rawvf",
    "",
    "This is what the file says:",
)
NO_HELLO: Final = "Menus need a HELLO first."
NO_HINT: Final = "No hint was found in time."
NO_ODDS: Final = "The chances were not found in time."
ODDS: Final = "Each covered cell shows its chance of a mine. o hides it."
ROUGH_ODDS: Final = "Cells near the cursor show estimated chances. o hides them."
NOTHING_SOLVED: Final = "No cell follows from one number or two. i gives a hint."
NO_HINTS: Final = "This server gives no hints."
FIRST_IS_SAFE: Final = "Reveal any cell: the first one is safe."
NO_SOLVER: Final = "This server cannot make no-guess boards; this one may need guesses."
NO_KEY: Final = "Nothing is saved here: the server does not know you."
NOT_SAVED: Final = "not saved"
STORE_TROUBLE: Final = "The server cannot save right now. You can play on."
TRIES_AGAIN: Final = "The server tries again by itself; your games are kept."
PLAYS_BESIDE: Final = "Play a new board; the waiting game is kept."
TOO_MANY_PLAYERS: Final = "Too many players on this connection. Please reconnect."
TAKEN_OVER: Final = "Your game continues on another connection of yours."
DAILY_UNKNOWN: Final = "The server cannot tell if you saw this board; not ranked."
GOODBYE: Final = "Goodbye."

HOW_TO_TAKE: Final = (
    "On the other device open the menu and choose Bring a game here.",
    "Type this code there. It works once, for ten minutes.",
    "That device then plays as you: show the code to nobody else.",
)
WHERE_OFFERS_ARE: Final = "The other device's menu shows it. Games played here stay behind."
NO_SUCH_OFFER: Final = "No such code. A code works once, for ten minutes."
TOO_MANY_CODES: Final = "Too many wrong codes. Connect again to try another."
TAKEN_HERE: Final = "This device now plays as the other one."
ABOUT_REPLAY: Final = "Step by step, forward and back. Press b at the board."
ABOUT_ANALYSIS: Final = "Which reveals were guesses, and how lucky. Press y at the board."
ABOUT_EXPORT: Final = "The game as text, to keep. Press t at the board."
WHERE_NAMES_ARE: Final = "Shown beside your times. Leave it empty to stay anonymous."
WHERE_CODES_ARE: Final = "Every game shows its seed code at the end."
NOT_LAID: Final = "This no-guess board could not be laid in time. Try again."
NO_CODE: Final = "This board was laid for you and has no seed code."
CODE_COSTS: Final = "The code reveals the mines: the game is then not ranked."
CODE_STAYS: Final = "The game shows it at the end anyway."
NAME_A_SAVE: Final = "Press RETURN to use this name, or type another."
REPLACE_A_SAVE: Final = "Overwrites the game saved under this name."
DELETE_A_SAVE: Final = "This cannot be undone."
LOAD_BRINGS_IT_BACK: Final = "You can load it later."
IT_GOES_ON: Final = "It continues where you left it."
IT_IS_KEPT: Final = "The waiting game is kept: m, Load."
IT_ENDS: Final = "Your first move then ends the waiting game."
GIVING_UP: Final = "The game ends and counts as given up."
GOING_ON: Final = "The game continues."

OUTCOMES: Final[Mapping[Status, Message]] = {
    Status.WON: Message("You won! Press TAB to play again.", Tone.GOOD),
    Status.LOST: Message("You lost. Press TAB to play again.", Tone.BAD),
}
# On the screens of version 1, where cells have two columns and where they have one.
_CLASSIC_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    OUTCOMES[Status.LOST].text: (
        "You lost: B* went off, BF is a marked mine, 2F a wrong mark. TAB: again.",
        "You lost: * went off, # marked mine, o a-h wrong mark on . 1-8. TAB: again.",
    ),
    DEBUG_ON: (
        "Debug mode: B is a mine, FB a mine under a mark.",
        "Debug mode: B is a mine, # a mine under a mark.",
    ),
}

_PLAIN_TEXTS: Final[Mapping[str, str]] = {
    DEBUG_ON: "Debug mode: b is a mine, f a mine under a flag.",
}

_AIMS: Final[Mapping[Victory, Message]] = {
    Victory.FLAGS: Message("Flag every mine and nothing else."),
    Victory.SAFE_VISIBLE: Message("Open every safe cell."),
    Victory.EITHER: Message("Open every safe cell, or flag every mine."),
}
_REPEATED_AIMS: Final[Mapping[Victory, Message]] = {
    victory: Message(f"{aim.text} Seen before, so not ranked.") for victory, aim in _AIMS.items()
}
_STATES: Final[Mapping[Status, str]] = {
    Status.ONGOING: "",
    Status.WON: "WON",
    Status.LOST: "LOST",
    Status.TERMINATED: "GIVEN UP",
}

_WELCOME: Final = (
    "",
    "  JMinesweeper",
    "",
    "  Find the mines without opening one, and mark them all.",
    "",
    "  w a s d   move the cursor",
    "  RETURN    reveal the cell",
    "  SPACE     mark a mine, or remove the mark",
    "  TAB       start a new game",
    "  #         debug mode: see the mines",
    "  X         quit",
    "",
)


def welcome(message: str) -> Sequence[str]:
    """Explain how to begin the first game."""
    return (*_WELCOME, f"  {message or 'Start a game to play: TAB, or a START packet.'}", "")


def classic_text(message: Message, *, is_wide: bool) -> str:
    """Return the text for a version 1 screen, which has room for one line only."""
    texts = _CLASSIC_TEXTS.get(message.text)
    if texts is None:
        return message.text
    return texts[0] if is_wide else texts[1]


def in_plain(message: Message) -> Message:
    """Return the text for a plain-text screen, which has other letters for some cells."""
    text = _PLAIN_TEXTS.get(message.text)
    return message if text is None else Message(text, message.tone)


def aim_of(rules: Rules, *, is_repeat: bool) -> Message:
    """Say what wins, and whether the game is ranked."""
    return (_REPEATED_AIMS if is_repeat else _AIMS)[rules.victory]


def missing(flags: int) -> str:
    rest = "mine" if flags == 1 else f"{flags} mines"
    return f"All safe cells are open: flag the remaining {rest}."


def new_best(time_ms: int) -> Message:
    return Message(f"You won! New best: {time_ms / 1000:.3f} s. TAB plays again.", Tone.GOOD)


def and_more(count: int) -> str:
    return f"and {count} more"


def named(name: str) -> str:
    return f"You are {name} from now on." if name else "You are anonymous from now on."


def no_such(what: str, number: int) -> str:
    return f"There is no {what} {number}."


def solved(cell: Cell, *, is_mine: bool) -> str:
    return f"({cell.column},{cell.row}) {'is a mine' if is_mine else 'is safe'}."


def odds_here(percent: int) -> str:
    return f"Chance of a mine here: {percent} %. Press o to hide the odds."


def unmet(clue: int, flags: int) -> str:
    need = "1 flag" if clue == 1 else f"{clue} flags"
    return f"The {clue} needs {need} around it, not {flags}."


def no_cell(cell: Cell) -> str:
    return f"There is no cell at ({cell.column},{cell.row})."


def kept_aside(board: str) -> str:
    return f"Your {board} game is kept: m, Load."


def loaded_beside(board: str) -> str:
    return f"Loaded, not ranked. Your {board} game is kept: m, Load."


def waits(board: str) -> str:
    return f"A game of {board} is waiting: RETURN resumes, n starts anew."


def saved(name: str) -> str:
    return f"Saved as {name}."


def too_many_saves(limit: int) -> str:
    return f"You have {limit} saved games; delete one first."


def dropped(name: str) -> str:
    return f"{name} is deleted."


def mines(count: int) -> str:
    return "1 mine" if count == 1 else f"{count} mines"


def undone(steps: int) -> str:
    return "Undone." if steps == 1 else f"{steps} steps undone."


def laid(board: LaidBoard | None) -> str:
    """Say how a no-guess board was found, or that none was."""
    if board is None:
        return "No no-guess board was found in time; this one may need guesses."
    origin = "drawn at random" if board.is_uniform else "adjusted cell by cell"
    return f"This board needs no guess: {origin}."


@lru_cache(maxsize=256)
def state_of(
    status: Status,
    *,
    is_paused: bool,
    is_debugged: bool,
    is_assisted: bool,
    is_saved: bool,
    pace: str,
) -> str:
    """Return the words for the state of the game."""
    words = (
        _STATES[status],
        "paused" if is_paused else "",
        "DEBUG" if is_debugged else "",
        "assisted" if is_assisted else "",
        "" if is_saved else NOT_SAVED,
        pace,
    )
    return " ".join(word for word in words if word)


@lru_cache(maxsize=4_096)
def status_line(
    label: str, mines_left: int, elapsed_s: int, status: Status, *, is_debugged: bool
) -> str:
    """Return version 1's line about the game."""
    words = f"{_STATES[status]} {'DEBUG' if is_debugged else ''}".strip()
    clock = format_clock(elapsed_s)
    return f"JMinesweeper  {label}  mines left {mines_left}  {clock}  {words}".rstrip()
