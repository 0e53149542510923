"""Forgetting players with everything that is theirs: who wants to go, and newcomers who stay away.

**Who wants to go.** The first commit removes the player's document, and with it the way in: name,
settings, saves and devices. It also puts the player on a board. The finished games, of which there
may be a thousand, follow a few at a time, with their places on leaderboards; then the sums. A
server that is cut off in the middle leaves the rest to another: each looks at that board from time
to time.

A game that others played in as well is theirs, too: it stays, and its seat is nobody's. For a day a
mark remains, the hash of a key. It keeps another device that is still connected from storing the
player anew, and a round that still runs from being counted for them.

**Newcomers**, none of whose games ever ended, go once they have been away for long. A store forgets
what is short-lived by itself, by its clock. Players are not left to that: a clock that jumps ahead
by a month would delete, for good, what many of them have. So a newcomer is on a board by the last
day on which they are kept, and a server deletes those whose day is over. It compares its clock with
the time at which a server did so last. If that is longer ago than a server is usually away, it
waits a day of its uptime, in which no server with another idea of the time has come by, before it
believes its clock.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Final

from jminesweeper.core.minefield import RandomBits
from jminesweeper.records import keys
from jminesweeper.records.documents import (
    Flow,
    GameDocument,
    Hoard,
    KeptNewcomer,
    PlayerDocument,
    Win,
    code_of_entry,
    format_entry,
    format_number,
    new_version,
    parse_count,
    read_document,
    review_of,
)
from jminesweeper.records.ladder import places_of
from jminesweeper.records.limits import DAY_S
from jminesweeper.store.port import (
    DONE,
    NO_END,
    Check,
    Commit,
    Document,
    Found,
    Importance,
    Part,
    Place,
    Put,
    Read,
    StoreUnavailableError,
)

FORGOTTEN_S: Final = DAY_S
"""Time for which a mark keeps devices that are still connected from storing a player anew."""
NOBODY: Final = ""
"""The seat of a player who was forgotten, in a game of others."""
_GAMES_AT_ONCE: Final = 20
_LINES_AT_ONCE: Final = 100
_OWN_DOCUMENTS: Final = (
    *(keys.listed_key, keys.puzzles_key, keys.races_key, keys.ladder_key, keys.rooms_key),
    *(keys.seat_key, keys.met_key, keys.partners_key, keys.looks_key, keys.left_key),
)


def forget_player(player: str, now_s: int, draw: RandomBits) -> Flow[None]:
    """Forget a player, and everything that is theirs."""
    key = keys.player_key(player)
    while True:
        asked = (key, keys.listed_key(player), keys.ladder_key(player))
        found: Found = yield Read(asked)
        document, listed, ratings = found.documents
        # The places that go follow from all three: none may move meanwhile.
        checks = [
            Check(name, each.version) for name, each in zip(asked, found.documents, strict=True)
        ]
        names = [key, *(of(player) for of in _OWN_DOCUMENTS)]
        names.append(keys.waiting_key(keys.handle_of(player)))
        places = [Place(keys.FORGETTING, player), *places_of(player, ratings.body)]
        if games := parse_count(listed.body):
            places.append(Place(keys.HOARDS, Hoard(games, player).format(), is_gone=True))
        if document.version:
            known = PlayerDocument.parse(player, document.body)
            names += map(keys.device_key, known.devices)
            names += [keys.offer_key(known.offer)] if known.offer else []
            # The current game may be a win on a leaderboard: these go like those of the history.
            names += map(keys.note_key, known.codes)
            own = (code for code in known.codes if not keys.room_of(code))
            entries = [format_entry(format_number(0), code) for code in own]
            places += [Place(keys.history_board(player), entry) for entry in entries]
            newcomer = KeptNewcomer(known.until_day, player).format()
            places.append(Place(keys.NEWCOMERS, newcomer, is_gone=True))
        mark = Put(keys.forgotten_key(player), "-", now_s + FORGOTTEN_S)
        commit = Commit(
            new_version(draw),
            tuple(checks),
            (*(Put(name, None) for name in names), mark),
            places=tuple(places),
        )
        if (yield commit) is DONE:
            break
    yield from _clear(player, now_s, draw)


def finish_forgetting(now_s: int, draw: RandomBits) -> Flow[int]:
    """Finish interrupted forgetting; return the number of players found on the board."""
    found: Found = yield Read(parts=(Part(keys.FORGETTING, _GAMES_AT_ONCE),))
    for player in found.parts[0]:
        yield from _clear(player, now_s, draw)
    return len(found.parts[0])


def _clear(player: str, now_s: int, draw: RandomBits) -> Flow[None]:
    """Remove the rest of a forgotten player: games, places and sums."""
    boards = keys.history_board(player), keys.kept_board(player)
    while True:
        found: Found = yield Read(parts=tuple(Part(board, _GAMES_AT_ONCE) for board in boards))
        entries = [entry for part in found.parts for entry in part]
        if not entries:
            break
        games: Found = yield Read(tuple(keys.game_key(code_of_entry(each)) for each in entries))
        for entry, document in zip(entries, games.documents, strict=True):
            yield _without_game(player, entry, document, now_s, draw)
    board = keys.lines_board(player)
    while True:
        found = yield Read(parts=(Part(board, _LINES_AT_ONCE),))
        if not (lines := found.parts[0]):
            break
        tallies = tuple(Put(keys.tally_key(player, line), None) for line in lines)
        places = tuple(Place(board, line, is_gone=True) for line in lines)
        yield Commit(puts=tallies, places=places)
    yield Commit(places=(Place(keys.FORGETTING, player, is_gone=True),))


def _without_game(
    player: str, entry: str, document: Document, now_s: int, draw: RandomBits
) -> Commit:
    """Take a game out of a history and off leaderboards; delete it, or free its seat.

    If it changes meanwhile the commit is refused, and the next read finds the game again.
    """
    code, boards = code_of_entry(entry), (keys.history_board(player), keys.kept_board(player))
    places = [Place(board, entry, is_gone=True) for board in boards]
    if not document.version:
        return Commit(places=tuple(places))
    key, game = keys.game_key(code), None
    check = Check(key, document.version)
    with suppress(StoreUnavailableError):
        game = GameDocument.parse(document.body)
    if game is not None and (outcome := game.outcome) is not None and game.is_ranked:
        win = Win(outcome.wall_ms, outcome.ended_at_s, outcome.order, code, player).format()
        for is_clean in (False, True):
            ranked = game.leaderboard._replace(is_clean=is_clean).format()
            leaders = keys.own_board(player, ranked), keys.leader_board(ranked)
            places += [Place(board, win, is_gone=True) for board in leaders]
        places.append(Place(keys.REVIEWS, review_of(code, outcome).format(), is_gone=True))
    # A game that cannot be read is of no use to others either.
    if game is None or (not keys.room_of(code) and set(game.seats) == {player}):
        names = (keys.note_key(code), *(() if keys.room_of(code) else (key,)))
        puts = tuple(Put(name, None) for name in names)
        return Commit(checks=(check,), puts=puts, places=tuple(places))
    seats = tuple(NOBODY if seat == player else seat for seat in game.seats)
    is_somebodys = any(seat != NOBODY for seat in seats)
    after = replace(game, seats=seats, is_listed=game.is_listed and is_somebodys)
    put = Put(key, after.format(), NO_END if is_somebodys else now_s + DAY_S)
    return Commit(new_version(draw), (check,), (put,), places=tuple(places))


# Newcomers

USUAL_ABSENCE_S: Final = 7 * DAY_S
"""A jump of the clock by less costs a newcomer a quarter of their month at most."""
DOUBT_S: Final = DAY_S
MOST_FORGOTTEN: Final = 500


class Expiry:
    """Deletes newcomers from time to time, as long as the clock can be believed."""

    def __init__(self, draw: RandomBits) -> None:
        self._draw = draw
        self._doubted_version = 0
        """The version of the last known time that makes the clock doubtful."""
        self._doubted_since_s = 0

    def run(self, now_s: int, steady_s: int) -> Flow[int]:
        """Delete some newcomers whose day has come; return how many went.

        `steady_s` is the time by a clock that never jumps.
        """
        last = yield from read_document(keys.CLOCK)
        if last.version and now_s > int(last.body) + USUAL_ABSENCE_S:
            if self._doubted_version != last.version:
                self._doubted_version, self._doubted_since_s = last.version, steady_s
            if steady_s < self._doubted_since_s + DOUBT_S:
                return 0
        put = Put(keys.CLOCK, str(now_s))
        checks = (Check(keys.CLOCK, last.version),)
        commit = Commit(new_version(self._draw), checks, (put,), importance=Importance.LOW)
        if (yield commit) is not DONE:
            # Another server was faster.
            return 0
        return (yield from forget_newcomers(now_s // DAY_S, MOST_FORGOTTEN))


def forget_newcomers(today: int, limit: int) -> Flow[int]:
    """Delete the players kept until an earlier day, with all they have; return how many went."""
    found: Found = yield Read(parts=(Part(keys.NEWCOMERS, limit),))
    forgotten = 0
    for text in found.parts[0]:
        kept = KeptNewcomer.parse(text)
        if kept.until_day >= today:
            break
        key, gone = keys.player_key(kept.player), Place(keys.NEWCOMERS, text, is_gone=True)
        document = yield from read_document(key)
        names = [key, keys.races_key(kept.player)]
        if document.version:
            player = PlayerDocument.parse(kept.player, document.body)
            for code in player.codes:
                # A game in a room is its other players', too, and ends with the room.
                names += [
                    keys.note_key(code),
                    *([] if keys.room_of(code) else [keys.game_key(code)]),
                ]
            names += map(keys.device_key, player.devices)
            names += [keys.offer_key(player.offer)] if player.offer else []
        puts = tuple(Put(name, None) for name in names)
        checks = (Check(key, document.version),)
        forgotten += (yield Commit(checks=checks, puts=puts, places=(gone,))) is DONE
    return forgotten
