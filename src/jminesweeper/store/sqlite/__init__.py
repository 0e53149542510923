"""The store in one SQLite file, written by one thread that commits in groups.

It never blocks its caller, and never acknowledges what is not on the disk.
"""

from jminesweeper.store.sqlite.backend import Archive, SqliteStore
from jminesweeper.store.sqlite.database import rename_player

__all__ = ["Archive", "SqliteStore", "rename_player"]
