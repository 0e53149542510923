"""Players who come by SSH: the account of a public key, and how they want things to look.

A player at a machine of their own keeps looks there. A player by SSH brings nothing but a key, so
the store keeps them, as text that only the terminal reads.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Final

from jminesweeper.core.minefield import RandomBits
from jminesweeper.records.documents import Flow, new_version, read_document
from jminesweeper.records.keys import looks_key
from jminesweeper.store.port import Commit, Importance, Put

LOOKS_S: Final = 365 * 86_400
"""Time for which looks are kept after they were chosen."""
HOST_KEY: Final = "host-key"
"""The document with the SSH host key's fingerprint of the server that started last."""


def account_of_key(public: bytes) -> str:
    """Name the account of a public key: none that a HELLO key could name."""
    return blake2b(public, digest_size=16, person=b"jminesweeper-ssh").hexdigest()


def read_looks(account: str) -> Flow[str]:
    """Return the looks that a player has chosen; empty for none."""
    body: str = (yield from read_document(looks_key(account))).body
    return body


def keep_looks(account: str, looks: str, draw: RandomBits, now_s: int) -> Flow[None]:
    put = Put(looks_key(account), looks, now_s + LOOKS_S)
    yield Commit(new_version(draw), puts=(put,), importance=Importance.LOW)


def note_host_key(fingerprint: str, draw: RandomBits, warn: Callable[[str], object]) -> Flow[None]:
    """Note this server's host key, and warn if another server of the store had another one."""
    noted = (yield from read_document(HOST_KEY)).body
    if noted == fingerprint:
        return
    if noted:
        warn(noted)
    yield Commit(new_version(draw), puts=(Put(HOST_KEY, fingerprint),))
