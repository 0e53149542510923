"""A program that shares a store with others: it claims one player's game again and again.

Each line on standard output is an entry that was acknowledged. What it is refused because a rival
has claimed the game meanwhile it tries again; that the store cannot be used ends it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.store import (
    Append,
    Enter,
    FencedError,
    PutRunning,
    RevisionError,
    RunningGame,
    Store,
    pack_entries,
)
from jminesweeper.store.blocking import perform
from jminesweeper.store.sqlite.backend import SqliteStore

PLAYER = "a" * 32
GAME = RunningGame("shared", Setup.of("expert", seed=1))


def play(store: Store, owner: int, moves: int) -> None:
    for number in range(moves):
        while not append(store, f"{owner}", entry := owner << 32 | number):
            pass
        sys.stdout.write(f"{entry}\n")


def append(store: Store, owner: str, entry: int) -> bool:
    """Claim the game and go on with it; a rival may come between."""
    try:
        revision = perform(store, Enter(PLAYER, "", owner)).revision
        revision = revision or perform(store, PutRunning(PLAYER, owner, GAME))
        entries = pack_entries([entry])
        perform(store, Append(PLAYER, owner, revision, entries, entry & 0xFFFF, Cell(0, 0)))
    except (FencedError, RevisionError):
        return False
    return True


if __name__ == "__main__":
    with SqliteStore(Path(sys.argv[1])) as opened:
        play(opened, int(sys.argv[2]), int(sys.argv[3]))
