"""The names of everything in a store, and the codes of players and games.

=====================  =====================================================  ===================
document               holds                                                  ends
=====================  =====================================================  ===================
player:ID              name, settings, current game, saves, devices, offer    see `forgetting`
tally:ID:CATEGORY      the sums of a player's games of one category           never
game:CODE              setup, seats, begun, result; its log has the same key  with its last label
note:CODE              clock, cursor, pause, and the log's length then        see `NOTE_S`
device:ID              the player as whom a device plays                      with its player
offer:HASH             the player who made it                                 after ten minutes
looks:ID               how a player who comes by SSH wants things to look     see `LOOKS_S`
host-key               the SSH host key of the server that started last       never
listed:ID              how many of a player's games may go                    never
puzzles:ID             positions to solve, and when each comes back           never
ladder:ID              a player's ratings for races                           with its player
races:ID               how many races a player took part in, and won          with its player
newcomers:ADDRESS      how many players it brought this hour                  after the hour
clock                  when newcomers were deleted last                       never
opened:NAME            the codes of the open rooms of an address, or of all   after a day
rooms:ID               the codes of the rooms that a player opened            after a day
room:CODE              who is in a room, and what they play                   see `ROOM_S`
days                   the secret that the boards of the days follow from      never
here:HANDLE            somebody online                                        see `PRESENT_S`
waiting:HANDLE         who waits for an opponent, and on which board          see `WAITING_S`
met:ID                 the room in which somebody who waited is met, by whom  see `WAITING_S`
parted:HASH            one of two has left the other of late                  see `PARTED_S`
left:NAME              how many quick matches a player left, or an address's  see `LEFT_S`
                       guests, and when
seat:ID                the room in which a player has a seat                  see `ROOM_S`
forgotten:ID           a player who was forgotten                             see `FORGOTTEN_S`
partners:ID            the handles of those with whom a player played last    see `PARTNERS_S`
=====================  =====================================================  ===================

======================  ====================================================================
board                   its texts
======================  ====================================================================
games:ID, kept:ID       a player's finished games by their end: those that may go, those kept
hoards                  how many games that may go each player has
own:ID:BOARD            a player's best wins
board:BOARD, boards     a leaderboard; all of them
rated:BOARD             players by their rating on a classic board
lines:ID, totals        the categories that are counted one by one: of a player, of all
due                     games that ended and may not be settled yet
reviews                 ranked wins whose luck is not known yet
present                 players online
waiting                 who waits for an opponent
forgetting              players who are forgotten, and not all that is theirs is gone
newcomers               players none of whose games ever ended, by the day of their end
rounds                  rooms with a round, and how often its tables have looked
======================  ====================================================================

The counter total:CATEGORY counts the games of all players, with a field for each status.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Final

from jminesweeper.core.minefield import RandomBits, seeded_bits
from jminesweeper.core.seedcode import draw_code
from jminesweeper.core.variant import Variant

DAYS: Final = "days"
DUE: Final = "due"
HOARDS: Final = "hoards"
BOARDS: Final = "boards"
TOTALS: Final = "totals"
PRESENT: Final = "present"
WAITING: Final = "waiting"
FORGETTING: Final = "forgetting"
REVIEWS: Final = "reviews"
NEWCOMERS: Final = "newcomers"
CLOCK: Final = "clock"
HOST_KEY: Final = "host-key"
ROUNDS: Final = "rounds"

_CODE_LENGTH: Final = 10
_LONGEST_LINE: Final = 96


def player_id(secret: bytes) -> str:
    """Name a player by the hash of the secret key, which itself never reaches a store."""
    return blake2b(secret, digest_size=16, person=b"jminesweeper").hexdigest()


def handle_of(player: str) -> str:
    """Name a player to the others, who do not learn the id by it."""
    return blake2b(player.encode(), digest_size=8, person=b"handle").hexdigest()


def ranked(rank: int, handle: str) -> str:
    """Write a place on a list of players: the first of each address comes before the second."""
    return f"{rank:06}{handle}"


def ranked_handle(place: str) -> str:
    """Return the handle in such a place."""
    return place[6:]


def game_code(draw: RandomBits) -> str:
    """Draw a public code for a game: short, without ambiguous letters."""
    return draw_code(draw, _CODE_LENGTH).lower()


def room_of(game: str) -> str:
    """Return the code of the room in which a game is played; empty for a game of one player."""
    room, _, rest = game.partition("-")
    return room if rest else ""


def daily_code(player: str, variant: Variant) -> str:
    """Return the code of a player's first game on a daily board."""
    words = f"{player}\n{variant.daily}\n{variant.board}"
    digest = blake2b(words.encode(), digest_size=8).digest()
    return game_code(seeded_bits(int.from_bytes(digest, "big")))


def _of(kind: str) -> Callable[[str], str]:
    return lambda name: f"{kind}:{name}"


player_key: Final = _of("player")
game_key: Final = _of("game")
note_key: Final = _of("note")
device_key: Final = _of("device")
forgotten_key: Final = _of("forgotten")
puzzles_key: Final = _of("puzzles")
races_key: Final = _of("races")
ladder_key: Final = _of("ladder")
ladder_board: Final = _of("rated")
opened_key: Final = _of("opened")
rooms_key: Final = _of("rooms")
offer_key: Final = _of("offer")
room_key: Final = _of("room")
present_key: Final = _of("here")
looks_key: Final = _of("looks")
waiting_key: Final = _of("waiting")
met_key: Final = _of("met")
left_key: Final = _of("left")
seat_key: Final = _of("seat")
partners_key: Final = _of("partners")
listed_key: Final = _of("listed")
history_board: Final = _of("games")
kept_board: Final = _of("kept")
lines_board: Final = _of("lines")


def newcomers_key(address: str) -> str:
    return f"newcomers:{address_name(address)}"


def address_name(address: str) -> str:
    """Name an address, which itself never reaches a store."""
    return blake2b(address.encode(), digest_size=8).hexdigest()


def tally_key(player: str, line: str) -> str:
    return f"tally:{player}:{_short(line)}"


def parted_key(one: str, other: str) -> str:
    """Name two players, in any order."""
    digest = blake2b(" ".join(sorted((one, other))).encode(), digest_size=16)
    return f"parted:{digest.hexdigest()}"


def own_board(player: str, board: str) -> str:
    return f"own:{player}:{_short(board)}"


def leader_board(board: str) -> str:
    return f"board:{_short(board)}"


def total_counter(line: str) -> str:
    return f"total:{_short(line)}"


def _short(line: str) -> str:
    """Rules changed in every field make a line longer than a key may be."""
    if len(line) <= _LONGEST_LINE:
        return line
    return blake2b(line.encode(), digest_size=16).hexdigest()
