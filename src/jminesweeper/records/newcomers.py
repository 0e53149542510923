"""The end of newcomers: players none of whose games ever ended, who have been away for long.

A store forgets what is short-lived by itself, by its clock. Players are not left to that: a clock
that jumps ahead by a month would delete, for good, what many of them have. So a newcomer stands on
a board by the day until which they are kept, and a server deletes those whose day has come. It
compares its clock with the time at which a server did so last. If that is longer ago than a server
is usually away, it waits a day of its uptime, in which no server with another idea of the time has
come by, before it believes its clock.
"""

from __future__ import annotations

from typing import Final

from jminesweeper.core.minefield import RandomBits
from jminesweeper.records import keys
from jminesweeper.records.documents import (
    Flow,
    KeptNewcomer,
    PlayerDocument,
    new_version,
    read_document,
)
from jminesweeper.records.limits import DAY_S
from jminesweeper.store.port import DONE, Check, Commit, Found, Importance, Part, Place, Put, Read

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
