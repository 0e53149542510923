"""The terminal's own words: states, labels of keys, and messages that name keys.

Where there are no words here, the English that the server sends is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from jminesweeper.terminal.keys import KeyAction, KeyMap, label_of
from jminesweeper.terminal.layout import FEWEST_COLUMNS, FEWEST_ROWS
from jminesweeper.terminal.view import GameView, Words

NAME: Final = "JMinesweeper"
STATES: Final[Mapping[str, str]] = {
    "paused": "paused",
    "won": "WON",
    "lost": "LOST",
    "given up": "GIVEN UP",
    "over": "OVER",
}
REMARKS: Final[Mapping[str, str]] = {
    "assisted": "assisted",
    "repeat": "not ranked",
    "debug": "DEBUG",
    "unsaved": "not saved",
}
KEYS: Final[Mapping[str, tuple[KeyAction, str]]] = {
    "reveal": (KeyAction.REVEAL, "reveal"),
    "flag": (KeyAction.FLAG, "flag"),
    "chord": (KeyAction.CHORD, "chord"),
    "help": (KeyAction.HELP, "help"),
    "menu": (KeyAction.MENU, "menu"),
    "undo": (KeyAction.UNDO, "undo"),
    "hint": (KeyAction.HINT, "hint"),
    "next": (KeyAction.NEXT, "next"),
    "odds": (KeyAction.ODDS, "odds"),
    "pause": (KeyAction.PAUSE, "pause"),
    "resume": (KeyAction.PAUSE, "resume"),
    "classic": (KeyAction.REVEAL, "classic game"),
    "new": (KeyAction.NEW, "play again"),
    "again": (KeyAction.AGAIN, "same board"),
    "figures": (KeyAction.FIGURES, "figures"),
    "replay": (KeyAction.REPLAY, "replay"),
    "analysis": (KeyAction.ANALYSIS, "analysis"),
    "play_on": (KeyAction.AGAIN, "play on"),
    "export": (KeyAction.EXPORT, "export"),
    "onward": (KeyAction.REVEAL, "next"),
    "choose": (KeyAction.REVEAL, "choose"),
    "done": (KeyAction.REVEAL, "done"),
    "drop": (KeyAction.ERASE, "delete"),
    "watch": (KeyAction.OVERVIEW, "watch"),
    "back": (KeyAction.BACK, "back"),
    "ready": (KeyAction.REVEAL, "ready"),
    "leave": (KeyAction.BACK, "leave"),
    "give_up": (KeyAction.NEW, "give up"),
    "people": (KeyAction.PEOPLE, "who is online"),
    "quit": (KeyAction.QUIT, "quit"),
    # What the server does not know of.
    "whole": (KeyAction.OVERVIEW, "whole board"),
    "part": (KeyAction.OVERVIEW, "back"),
    "there": (KeyAction.REVEAL, "play there"),
    "play": (KeyAction.FLAG, "play"),
    "stop": (KeyAction.FLAG, "pause"),
}
"""By the ids of verbs: the action whose key is shown, and its description."""
SEVERAL_KEYS: Final[Mapping[str, tuple[str, str, KeyAction | None]]] = {
    "move": ("arrows", "move", KeyAction.RIGHT),
    "step": ("LEFT/RIGHT", "step", KeyAction.RIGHT),
    "leap": ("UP/DOWN", "10 steps", KeyAction.DOWN),
    "skip": ("PgUp/PgDn", "10 s", KeyAction.PAGE_DOWN),
    "speed": ("+/-", "speed", KeyAction.FASTER),
    "ends": ("Home/End", "start, end", KeyAction.ROW_END),
    "change": ("LEFT/RIGHT", "change", KeyAction.RIGHT),
    "type": ("0-9", "type", None),
    "scroll": ("UP/DOWN", "scroll", KeyAction.DOWN),
    "pages": ("SPACE", "page", KeyAction.PAGE_DOWN),
    "say": ("1-6", "say", None),
    "rivals": ("LEFT/RIGHT", "watch others", KeyAction.RIGHT),
}
"""Entries for several keys at once: label, meaning, and the action of a click on it."""
PHRASES: Final[Mapping[int, str]] = {
    0: "Look here.",
    1: "Hello!",
    2: "Well done!",
    3: "Oh no!",
    4: "Wait for me.",
    5: "Thank you.",
    6: "Again?",
}
"""Phrases for a room, by key; they are sent as numbers."""
MINES: Final[Mapping[str, str]] = {
    "ends": "A mine ends the game.",
    "penalty": "A mine costs ten seconds.",
    "life": "A mine costs one of three lives.",
}
_FEWEST: Final = f"{FEWEST_COLUMNS}x{FEWEST_ROWS}"
TOO_SMALL: Final = (f"Make the window at least {_FEWEST}", f"At least {_FEWEST}", _FEWEST)
"""In as many words as there is room for."""
ASKS_TO_QUIT: Final = "Quit? {REVEAL} or {ASK_TO_QUIT} quits, any other key stays."
LOOKING: Final = "waiting for an opponent"
ASKS_TO_LEAVE: Final = "Leave the room? {REVEAL} leaves, any other key stays."
ASKS_TO_LEAVE_ROUND: Final = "Leave the running round? {REVEAL} leaves, any other key stays."
ASKS_TO_GIVE_UP: Final = "Give up this race? {REVEAL} gives up, any other key stays."
BLOCKED: Final = "A mine! Your keys do nothing for {seconds} s."
FLAG_OF: Final = "A flag of {name}."
YOU_WATCH: Final = "You watch. A race shows how far everybody is, but no board."
NEXT_STARTS: Final = "The next round begins in {seconds} s."
STARTS: Final = "Starts in {seconds} ..."
CHANCE_HERE: Final = "Chance of a mine here: {percent} %. Press {ODDS} to hide the odds."
OPENS_FIRST: Final = "Wherever you begin, the marked cell opens."
HOST_CHANGES: Final = "{MENU} changes the board, the rules or the rounds."
IS_OVERVIEW: Final = "The whole board; your part is bright. Press {OVERVIEW} to return."
IS_WHOLE: Final = "The whole board is on the screen already."
NO_FIGURES: Final = "The figures appear at the end of the game."
LOST_SIGNS: Final = (
    "",
    "On the board: B mine, B* stepped on; a flag at B was right,",
    "a flag at a number wrong. In one column: @ flagged mine, a-h wrong",
    "flag on 1-8, o on an empty cell.",
)
_PLAY_AGAIN: Final = "{text} Press {NEW} to play again."
_MESSAGES: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("won", "lost", "best", "best.paused", "best.of", "best.of.paused"), _PLAY_AGAIN
    ),
    "lost.unprotected": "{text} {REVEAL}: classic.",
    "paused": "{text} Press {PAUSE} to resume.",
    "paused.ranked": "{text} Press {PAUSE} to resume.",
    "debug.on": "Debug mode: B is a mine.",
    "full": "This game is too long. Press {NEW} for a new one.",
    "next.none": "{text} {HINT} gives a hint.",
    "not.over": "{AGAIN} plays the same board again once this game is over.",
    "odds": "{text} {ODDS} hides it.",
    "odds.rough": "{text} {ODDS} hides them.",
    "too.long.replay": "This game is too long to replay here. Press {EXPORT} to export.",
}
"""By the id of a message: the server's `{text}`, or other words, with `{NEW}` for that key."""


class Sentence(NamedTuple):
    """A text to show, and its tone."""

    text: str = ""
    tone: str = ""


def key_entry(name: str, keys: KeyMap) -> tuple[str, str] | None:
    """Return a key and what it does, by the id; None if there is no such key."""
    if name in SEVERAL_KEYS:
        return SEVERAL_KEYS[name][:2]
    if name not in KEYS:
        return None
    action, does = KEYS[name]
    label = keys.label(action)
    return (label, does) if label else None


def clicked(name: str) -> KeyAction | None:
    """Return what a press on the name of a key does."""
    return SEVERAL_KEYS[name][2] if name in SEVERAL_KEYS else KEYS[name][0]


def text_of(words: Words, keys: KeyMap) -> str:
    """Word a message for this player's keys."""
    template = _MESSAGES.get(words.id)
    if template is None:
        return words.text
    return _worded(template, keys, text=words.text)


def said_for(template: str, keys: KeyMap, **args: int) -> Sentence:
    """Word what the terminal says by itself."""
    return Sentence(_worded(template, keys, **args))


def _worded(template: str, keys: KeyMap, **args: str | int) -> str:
    labels = {action.name: keys.label(action) for action in KeyAction}
    return template.format(**labels, **args)


# Help

_OPEN: Final = "open; on a number with all its flags: the rest"
_OPEN_WITHOUT_CHORDS: Final = "open the cell"
_HELP: Final[Sequence[tuple[tuple[KeyAction, ...], str]]] = (
    (
        (KeyAction.JUMP_LEFT, KeyAction.JUMP_DOWN, KeyAction.JUMP_UP, KeyAction.JUMP_RIGHT),
        "move it by five",
    ),
    ((KeyAction.ROW_START, KeyAction.ROW_END), "to the edge of the row"),
    ((KeyAction.PAGE_UP, KeyAction.PAGE_DOWN), "by ten rows"),
    ((KeyAction.REVEAL,), _OPEN),
    ((KeyAction.FLAG,), "flag, or take the flag back"),
    ((KeyAction.FLAG_AROUND,), "on a number: flag all around that must be mines"),
    ((KeyAction.CHORD,), "chord: open the cells around a number"),
    ((KeyAction.UNDO,), "undo, even the step that lost"),
    ((KeyAction.REDO,), "redo what was undone, until something else is done"),
    ((KeyAction.HINT,), "hint: a safe cell, and why it is safe"),
    ((KeyAction.ODDS,), "odds: every covered cell's chance of a mine"),
    ((KeyAction.NEXT,), "go to the next cell that a rule solves"),
    ((KeyAction.REPLAY,), "at the end: replay"),
    ((KeyAction.ANALYSIS,), "at the end: analysis"),
    ((KeyAction.EXPORT,), "at the end: write the game into a file"),
    ((KeyAction.FIGURES,), "at the end: figures"),
    ((KeyAction.PAUSE,), "pause: stop the clock and hide the board"),
    ((KeyAction.NEW,), "new game with the same settings"),
    ((KeyAction.AGAIN,), "the same board again; in a replay: play on from there"),
    ((KeyAction.MENU,), "menu"),
    ((KeyAction.BACK,), "menu or back; in a room: leave"),
    ((KeyAction.PEOPLE,), "play together: who is online"),
    ((KeyAction.SAVE, KeyAction.LOAD), "quick save, saved games"),
    ((KeyAction.OVERVIEW,), "the whole of a board larger than the screen"),
    ((KeyAction.DEBUG,), "debug mode: see the mines, where allowed"),
    ((KeyAction.HELP,), "this help"),
    ((KeyAction.QUIT,), "quit at once; your game waits for you"),
    ((KeyAction.ASK_TO_QUIT,), "quit, but ask first"),
)
_STEPS: Final = (
    (KeyAction.LEFT, KeyAction.RIGHT, KeyAction.UP, KeyAction.DOWN),
    (KeyAction.UP, KeyAction.LEFT, KeyAction.DOWN, KeyAction.RIGHT),
    (KeyAction.LEFT, KeyAction.DOWN, KeyAction.UP, KeyAction.RIGHT),
)
"""The usual order of the first keys that move the cursor, the second, and the third."""
_MOUSE: Final = (
    "Mouse: left opens or chords, right or Ctrl-left flags, middle chords,",
    "the wheel moves. Touch: tap to open, hold to flag.",
)
_MOUSE_WITHOUT_CHORDS: Final = (
    "Mouse: left opens, right or Ctrl-left flags, the wheel moves.",
    "Touch: tap to open, hold to flag.",
)
_IN_A_ROOM: Final = (
    "In a room 0 marks your cell for all, and these keys say:",
    *(
        "  ".join(f"{number} {PHRASES[number]:12}" for number in row)
        for row in ((1, 2, 3), (4, 5, 6))
    ),
)
_MOST_CODES: Final = 3


def help_lines(keys: KeyMap, view: GameView) -> Sequence[str]:
    """Explain the keys of this player; chords only where the game has them."""
    rows: list[tuple[str, str]] = []
    for place, steps in enumerate(_STEPS):
        # One key of each action, by its place; nothing if one has fewer keys.
        codes = [[code for code in keys.codes(each) if not _is_capital(code)] for each in steps]
        has_all = all(len(each) > place for each in codes)
        labels = " ".join(label_of(each[place]) for each in codes) if has_all else ""
        rows.append((labels, "the same" if place else "move the cursor"))
    for actions, does in _HELP:
        if does is _OPEN and not view.chords:
            rows.append((" ".join(_labels(actions, keys)), _OPEN_WITHOUT_CHORDS))
        elif KeyAction.CHORD not in actions or view.chords:
            rows.append((" ".join(_labels(actions, keys)), does))
    width = max(len(labels) for labels, _ in rows)
    return (
        "",
        *(f"{labels:{width}}   {does}" for labels, does in rows if labels),
        "",
        *_IN_A_ROOM,
        "",
        *(_MOUSE if view.chords else _MOUSE_WITHOUT_CHORDS),
    )


def _labels(actions: Sequence[KeyAction], keys: KeyMap) -> list[str]:
    """Name the first key of several actions, or the first keys of one."""
    if len(actions) > 1:
        return [label for action in actions if (label := keys.label(action))]
    codes = [code for code in keys.codes(actions[0]) if not _is_capital(code)]
    labels = dict.fromkeys(label_of(code) for code in codes if code not in _SAME)
    return [*labels][:_MOST_CODES]


_SAME: Final = frozenset("\n=\x08\x7f")
"""Keys that are the same as another one to a player."""


def _is_capital(code: str) -> bool:
    """Return True for a letter that is told by its small one."""
    return len(code) == 1 and code.isupper()
