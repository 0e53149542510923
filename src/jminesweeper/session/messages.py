"""What the session says, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from jminesweeper.core import Cell, Rules, Status, Victory
from jminesweeper.screen import Message, Tone
from jminesweeper.session.play import Play
from jminesweeper.session.requests import Laid

CLASSIC_KEYS: Final = "wasd move  RETURN reveal  SPACE mark  TAB new  # debug  X quit"
# What explains the rest comes early: on a narrow screen the last ones are left out.
KEYS_PLAYING: Final = (
    ("RETURN", "reveal"),
    ("SPACE", "flag"),
    ("?", "help"),
    ("m", "menu"),
    ("u", "undo"),
    ("i", "hint"),
    ("p", "pause"),
    ("x", "quit"),
)
KEYS_OVER: Final = (
    ("TAB", "play again"),
    ("?", "help"),
    ("m", "menu"),
    ("u", "undo"),
    ("x", "quit"),
)
KEYS_MENU: Final = (("RETURN", "choose"), ("ESC", "back"), ("x", "quit"))
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
KEYS_PAGE: Final = (("UP/DOWN", "scroll"), ("ESC", "back"), ("x", "quit"))

GAME_IS_FULL: Final = "This game has gone on for too long: begin a new one."
DEBUG_ON: Final = "Debug mode: B is a bomb."
DEBUG_OFF: Final = "Debug mode is off."
DEBUG_FORBIDDEN: Final = "This server does not allow debug mode."
PAUSED: Final = Message("Paused: p goes on.")
NO_GAME_WAITED: Final = "No game was waiting, so this is a new one."
RESUMED: Final = "Welcome back: your game goes on where you left it."
LOADED: Final = "Loaded; the game counts as a repeat."
UNREADABLE: Final = "That game cannot be read any more."
NOTHING_TO_UNDO: Final = "There is nothing to undo."
NOTHING_TO_SAVE: Final = "There is no game to save."
NO_NAME: Final = "Type a name, or leave by ESC."
NO_SUCH_SAVE: Final = "There is no such saved game."
NO_SAVES: Final = "There is no saved game: Save in the menu, or Ctrl-S in a game, makes one."
NO_SCORES: Final = "Nobody has won a game yet that counts."
NO_HELLO: Final = "Menus need a HELLO first."
NO_HINT: Final = "No hint was found in time."
NO_HINTS: Final = "This server gives no hints."
FIRST_IS_SAFE: Final = "Reveal any cell: the first one holds no mine."
NO_SOLVER: Final = "This server makes no boards without guesses: this one is as it came."
NO_KEY: Final = "Nothing is saved here: the server keeps games of players with a key only."
NOT_SAVED: Final = "not saved"
STORE_TROUBLE: Final = "The server cannot save at the moment; the game goes on from memory."
TOO_MANY_PLAYERS: Final = "Too many players have said HELLO here: connect anew."
TAKEN_OVER: Final = "Your game goes on at another connection of yours."
DAILY_UNKNOWN: Final = "Nobody can tell whether you know this board: it counts as a repeat."
GOODBYE: Final = "Goodbye."

OUTCOMES: Final[Mapping[Status, Message]] = {
    Status.WON: Message("You have won! TAB plays again.", Tone.GOOD),
    Status.LOST: Message("You have lost. TAB plays again.", Tone.BAD),
}
_CLASSIC_OUTCOMES: Final[Mapping[Message, str]] = {
    OUTCOMES[Status.LOST]: "You have lost: * went off; F is a mark, B a bomb. TAB: again.",
}

_PLAIN_TEXTS: Final[Mapping[str, str]] = {
    DEBUG_ON: "Debug mode: b is a bomb, f a bomb under a flag.",
}

_AIMS: Final[Mapping[Victory, Message]] = {
    Victory.FLAGS: Message("Mark every bomb and nothing else."),
    Victory.SAFE_VISIBLE: Message("Reveal every cell that holds no mine."),
    Victory.EITHER: Message("Reveal every safe cell, or flag every mine."),
}
_REPEATED_AIMS: Final[Mapping[Victory, Message]] = {
    victory: Message(f"{aim.text} It counts as a repeat.") for victory, aim in _AIMS.items()
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
    "  Find the bombs without stepping on one, and mark them all.",
    "",
    "  w a s d   move the cursor",
    "  RETURN    reveal the cell",
    "  SPACE     mark a bomb, or take the mark back",
    "  TAB       start a new game",
    "  #         debug mode: see the bombs",
    "  X         quit",
    "",
)


def welcome(message: str) -> Sequence[str]:
    """Say what to do before the first game."""
    return (*_WELCOME, f"  {message or 'Start a game to play: TAB, or a START packet.'}", "")


def classic_text(message: Message) -> str:
    """Say it on a screen of version 1, which has room for one line only."""
    return _CLASSIC_OUTCOMES.get(message, message.text)


def in_plain(message: Message) -> Message:
    """Say it on a screen of plain text, which has other letters for some cells."""
    text = _PLAIN_TEXTS.get(message.text)
    return message if text is None else Message(text, message.tone)


def aim_of(rules: Rules, *, is_repeat: bool) -> Message:
    """Say what wins, and whether it counts."""
    return (_REPEATED_AIMS if is_repeat else _AIMS)[rules.victory]


def no_cell(cell: Cell) -> str:
    return f"There is no cell at ({cell.column},{cell.row})."


def saved(name: str) -> str:
    return f"Saved as {name}."


def dropped(name: str) -> str:
    return f"{name} is deleted."


def clock(elapsed_s: int) -> str:
    return f"{elapsed_s // 60}:{elapsed_s % 60:02}"


def undone(steps: int) -> str:
    return "Taken back." if steps == 1 else f"{steps} steps taken back."


def laid(board: Laid | None) -> str:
    """Say what came of asking for a board without guesses."""
    if board is None:
        return "No board without guesses was found in time: this one is as it came."
    origin = "one of all such boards" if board.is_uniform else "made so, cell by cell"
    return f"No guess is needed on this board: {origin}."


def state_of(play: Play, *, is_saved: bool) -> str:
    """Return the words that say how the game stands."""
    words = (
        _STATES[play.game.status],
        "paused" if play.is_paused else "",
        "DEBUG" if play.is_debugged else "",
        "assisted" if play.game.assisted else "",
        "" if is_saved else NOT_SAVED,
    )
    return " ".join(word for word in words if word)


def status_line(play: Play, elapsed_s: int) -> str:
    """Return version 1's line about the game."""
    game = play.game
    left = game.setup.mine_count - game.flagged.bit_count()
    state = _STATES[game.status]
    words = f"{state} DEBUG".strip() if play.is_debugged else state
    return _status_line(play.label, left, elapsed_s, words)


@lru_cache(maxsize=4_096)
def _status_line(label: str, left: int, elapsed_s: int, words: str) -> str:
    return f"JMinesweeper  {label}  bombs left {left}  {clock(elapsed_s)}  {words}".rstrip()
