"""A program that plays on a store until it is killed, and says what was acknowledged.

Each line on standard output is one acknowledgement: `started`, `append PLAYER GAME LENGTH` or
`finish PLAYER GAME LENGTH`. The entries of every game are 0, 1, 2, ..., so that whatever is lost
or doubled shows; the seed of its board is its number.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Event

from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS
from jminesweeper.core.view import Status
from jminesweeper.store import (
    Append,
    Enter,
    Finish,
    FinishedGame,
    Job,
    Note,
    PutPlayer,
    PutRunning,
    RunningGame,
    Store,
    StoreError,
    StoreUnavailableError,
    pack_entries,
    unpack_entries,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.redis.backend import RedisStore
from jminesweeper.store.sqlite.backend import SqliteStore

PLAYERS = tuple(f"player-{number}" for number in range(8))
GAME_LENGTH = 20
PLAYED = CLASSIC_BOARDS["beginner"]


def say(*words: object) -> None:
    os.write(sys.stdout.fileno(), (" ".join(map(str, words)) + "\n").encode())


def code_of(player: str, game: int) -> str:
    return f"{player}.{game}"


def finished_game(player: str, game: int, length: int) -> FinishedGame:
    return FinishedGame(
        code=code_of(player, game),
        setup=Setup(PLAYED, seed=game),
        status=Status.LOST,
        time_ms=length,
        ended_at_s=game,
        player=player,
        entries=pack_entries(range(length)),
    )


class CrashingPlayer:
    """Goes on with the stored game, the next write submitted when the last is acknowledged."""

    def __init__(self, store: Store, player: str, random: Random) -> None:
        self._store = store
        self._player = player
        self._random = random
        self._owner = f"{random.getrandbits(64):x}"
        perform(store, PutPlayer(player, player, {}, 1))
        entrance = perform(store, Enter(player, "", self._owner))
        kept = entrance.game
        self._revision = entrance.revision
        self._game = (kept.setup.seed or 0) if kept else 0
        self._length = len(unpack_entries(kept.entries)) if kept else 0

    def go_on(self) -> None:
        if self._revision == 0 or self._length >= GAME_LENGTH:
            self._start_next()
        else:
            self._append()

    def _start_next(self) -> None:
        self._game += 1
        self._length = 0
        setup = Setup(PLAYED, seed=self._game)
        game = RunningGame(code_of(self._player, self._game), setup)
        self._submit(PutRunning(self._player, self._owner, game), "append")

    def _append(self) -> None:
        count = self._random.randint(1, 3)
        entries = pack_entries(range(self._length, self._length + count))
        self._length += count
        last = Append(self._player, self._owner, self._revision, entries, self._length, Cell(0, 0))
        if self._length >= GAME_LENGTH:
            game = finished_game(self._player, self._game, self._length)
            self._submit(Finish(last, game), "finish")
        else:
            # Now and then a write is sent again, as after an acknowledgement that was lost.
            again = [Job(last, lambda _: None)] * self._random.choice([0, 0, 0, 1])
            note = Note(self._player, self._owner, self._length, Cell(8, 8), is_paused=False)
            self._store.submit([*again, Job(last, self._after("append")), Job(note, expect)])

    def _submit(self, operation: PutRunning | Finish, word: str) -> None:
        self._store.submit([Job(operation, self._after(word))])

    def _after(self, word: str) -> Callable[[int | StoreError], None]:
        def acknowledge(revision: int | StoreError) -> None:
            if isinstance(revision, StoreUnavailableError):
                # The store was killed first; this program is next.
                return
            if isinstance(revision, StoreError):
                raise revision
            self._revision = revision
            say(word, self._player, self._game, self._length)
            self.go_on()

        return acknowledge


def expect(answer: object) -> None:
    if isinstance(answer, StoreError):
        raise answer


def open_place(place: str) -> SqliteStore | RedisStore:
    return RedisStore(place) if "://" in place else SqliteStore(Path(place))


def main(place: str, seed: int) -> None:
    say("started")
    random = Random(seed)
    store = open_place(place)
    players = [CrashingPlayer(store, player, random) for player in PLAYERS]
    for player in players:
        player.go_on()
    Event().wait()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
