"""Another ID for a player, whose key a server is sent in another form than before."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

from jminesweeper.store.sqlite.database import open_database, translated_errors

_LOCK_TIMEOUT_S: Final = 2.0


def rename_player(path: Path, before: str, after: str) -> None:
    """Rename a player, unless the new ID is taken: what two players did is never mixed."""
    with (
        closing(open_database(path, lock_timeout_s=_LOCK_TIMEOUT_S, may_create=False)) as database,
        translated_errors(),
    ):
        database.execute("UPDATE OR IGNORE player SET key = ? WHERE key = ?", (after, before))
