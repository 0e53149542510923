"""A program that shares a store with others: it appends to one log, again and again.

Each line on standard output is an entry that was acknowledged. After a conflict it plays what it
missed and appends again; that the store cannot be used ends it.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from jminesweeper.store.blocking import perform
from jminesweeper.store.port import Append, Commit, Conflict, Read, Store, Tail
from jminesweeper.store.sqlite import SqliteStore

KEY = "game:shared"


def play(store: Store, owner: int, moves: int) -> None:
    log = perform(store, Read(tails=(Tail(KEY),))).tails[0]
    for number in range(moves):
        entry = (owner << 32 | number).to_bytes(8, "big")
        while True:
            at, last = len(log) // 8, log[-8:]
            answer = perform(store, Commit(appends=(Append(KEY, at, last, entry),)))
            if not isinstance(answer, Conflict):
                break
            log += answer.since[8:]
        log += entry
        sys.stdout.write(f"{owner << 32 | number}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    with closing(SqliteStore(Path(sys.argv[1]))) as opened:
        play(opened, int(sys.argv[2]), int(sys.argv[3]))
