"""The player of this machine's key, as this machine's own server knows them.

Earlier versions sent the key itself, so their stores name players by its hash. The first command
of this version renames the player there. It leaves a mark beside the key, so that no later one has
to open the store.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jminesweeper.cli.places import default_store_path
from jminesweeper.client.address import LOCAL_NAME
from jminesweeper.client.identity import key_for
from jminesweeper.store import StoreError, player_id

if TYPE_CHECKING:
    from collections.abc import Callable

_MARK: Final = "key-is-hashed"


def local_player(key: bytes) -> str:
    """Return the ID of the player with this key on this machine's servers."""
    return player_id(key_for(LOCAL_NAME, key))


def move_local_player(key: bytes, key_file: Path) -> None:
    """Move the games of an earlier version to the player of this key, once."""
    mark = key_file.with_name(_MARK)
    if mark.exists():
        return
    if _is_moved(key, default_store_path()):
        # Without a mark the next start takes longer, and nothing else.
        with suppress(OSError):
            mark.touch()


def _is_moved(key: bytes, store: Path) -> bool:
    if not store.exists():
        return True
    # Nothing else needs SQLite before the first screen.
    rename: Callable[[Path, str, str], None] = import_module(
        "jminesweeper.store.sqlite"
    ).rename_player
    try:
        rename(store, player_id(key), local_player(key))
    except StoreError:
        # Opening the store to play reports what is wrong with it; the next start tries again.
        return False
    return True
