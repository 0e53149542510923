"""The words after `ssh -t HOST`: what to play, in the words of the client's options.

They come as the command that OpenSSH would have a shell run. Here they are a list of words and
nothing else; a word that is none gets a sentence with the right ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from jminesweeper.client.request import GameRequest
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.protocol.packets import Join, Packet, Watch
from jminesweeper.protocol.vocabulary import RoomFlag, RoomKind

_ROOMS: Final = {"race": RoomKind.RACE, "coop": RoomKind.SHARED}
_LONGEST: Final = 200
"""Characters of a command that are looked at; a seed code and a name fit."""
_BOARDS: Final = ", ".join(CLASSIC_BOARDS)

USAGE: Final = f"""\
Usage: ssh -t -p PORT HOST [WORDS]

  (nothing)         a game; the one that waits for you, if there is one
  BOARD             {_BOARDS}
  daily [BOARD]     the board of the day
  resume            the game that waits for you
  race [BOARD]      open a room for a race; with open at the end, to everybody
  coop [BOARD]      open a room to share a board; likewise
  join CODE         sit down in a room
  watch CODE|NAME   watch a game, a room or a player

In a game ? names the keys. Your own keys and games as files need the client.
"""
UNKNOWN: Final = (
    "{word!r} is not known. Say race, coop, join, watch, daily, resume, help or a board: "
    f"{_BOARDS}."
)


class WordsError(ValueError):
    """The words name nothing to play; the message says what would."""


@dataclass(frozen=True, slots=True)
class SshWish:
    """A player's wish: a packet to ask for it, or the game that waits, or help."""

    packet: Packet | None = None
    resumes: bool = False
    wants_help: bool = False


def parse_words(command: str) -> SshWish:
    """Read what to play; WordsError if the words mean nothing."""
    match command[:_LONGEST].split():
        case []:
            return SshWish()
        case ["--help" | "-h" | "help", *_]:
            return SshWish(wants_help=True)
        case ["resume"]:
            return SshWish(resumes=True)
        case ["join", *codes]:
            if len(codes) != 1:
                raise WordsError("join takes one code.")
            return SshWish(Join(codes[0]))
        case ["watch", *name]:
            if not name:
                raise WordsError("watch takes a code or a name.")
            return SshWish(Watch(" ".join(name)))
        case [("race" | "coop") as kind, *board, "open"]:
            return SshWish(_request(board).room(_ROOMS[kind], RoomFlag.OPEN))
        case [("race" | "coop") as kind, *board]:
            return SshWish(_request(board).room(_ROOMS[kind]))
        case ["daily", *board]:
            return SshWish(_request(board, daily=True).new_game(asks_first=True))
        case board:
            return SshWish(_request(board).new_game(asks_first=True))


def _request(board: list[str], *, daily: bool = False) -> GameRequest:
    """Ask for the board that the words name, if they name one."""
    for place, name in enumerate(board):
        if place or name.lower() not in CLASSIC_BOARDS:
            raise WordsError(UNKNOWN.format(word=name))
    return GameRequest(preset=CLASSIC_BOARDS[board[0].lower()] if board else None, daily=daily)
