"""A program that writes to a store until it is killed, and says what was acknowledged.

Each line on standard output is one acknowledgement: `started`, or `GAME NUMBER LENGTH`. The log of
every game is 0, 1, 2, ..., so that whatever is lost or doubled shows. A game that is long enough
ends, which is one commit: an append, its document, a place among those that ended, and a counter.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, Final

from jminesweeper.store.blocking import perform
from jminesweeper.store.port import (
    DONE,
    Add,
    Append,
    Check,
    Commit,
    Conflict,
    Job,
    Part,
    Place,
    Put,
    Read,
    Store,
    StoreUnavailableError,
    Tail,
)
from jminesweeper.store.redis import RedisStore
from jminesweeper.store.sqlite import SqliteStore

GAMES: Final = tuple(f"game-{number}" for number in range(8))
GAME_LENGTH: Final = 20
OVER: Final = "over"
COUNTER: Final = "ended"


def say(*words: object) -> None:
    os.write(sys.stdout.fileno(), (" ".join(map(str, words)) + "\n").encode())


def entries(start: int, end: int) -> bytes:
    return b"".join(number.to_bytes(8, "big") for number in range(start, end))


def key_of(game: str, number: int) -> str:
    return f"{game}:{number}"


class CrashingWriter:
    """Continues the stored game; the next commit is submitted when the last is acknowledged."""

    def __init__(self, store: Store, game: str, random: Random) -> None:
        self._store = store
        self._game = game
        self._random = random
        ended = perform(store, Read(parts=(Part(OVER, 10**6),))).parts[0]
        self._number = sum(text.startswith(f"{game}:") for text in ended)
        self._length = len(perform(store, Read(tails=(Tail(self._key),))).tails[0]) // 8

    @property
    def _key(self) -> str:
        return key_of(self._game, self._number)

    def write(self) -> None:
        before, after = self._length, self._length + self._random.randint(1, 3)
        last = entries(before - 1, before) if before else b""
        append = (Append(self._key, before, last, entries(before, after)),)
        if not before:
            put = (Put(self._key, "running"),)
            commit = Commit(1, checks=(Check(self._key, 0),), puts=put, appends=append)
        elif after < GAME_LENGTH:
            commit = Commit(appends=append)
        else:
            commit = Commit(
                2,
                checks=(Check(self._key, 1),),
                puts=(Put(self._key, OVER),),
                appends=append,
                places=(Place(OVER, self._key),),
                adds=(Add(COUNTER, "games", 1),),
            )
        # Now and then an append is sent again, as after an answer that was lost.
        again = [Job(commit, expect)] * self._random.choice([0, 0, 0, int(commit.version == 0)])

        def acknowledge(answer: Any) -> None:
            if isinstance(answer, StoreUnavailableError):
                # The store was killed first; this program is next.
                return
            assert answer is DONE, answer
            say(self._game, self._number, after)
            self._length = after
            if commit.version == 2:
                self._number, self._length = self._number + 1, 0
            self.write()

        self._store.submit([*again, Job(commit, acknowledge)])


def expect(answer: Any) -> None:
    assert not isinstance(answer, Conflict), answer


def open_place(place: str) -> SqliteStore | RedisStore:
    return RedisStore(place) if "://" in place else SqliteStore(Path(place))


def main(place: str, seed: int) -> None:
    say("started")
    random = Random(seed)
    store = open_place(place)
    for writer in [CrashingWriter(store, game, random) for game in GAMES]:
        writer.write()
    Event().wait()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
