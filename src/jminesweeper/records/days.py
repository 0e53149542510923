"""The seeds of the days, which follow from a secret of the store.

The boards of a day follow from the day's seed (`core.seedcode.daily_setup`), and the seed from the
secret and the day. So nobody without the secret knows a board before its day. A server shows the
SHA-256 of a seed before the day and during it, and the seed once the day is over. Anybody who kept
the first can check the second, and with it the boards: they were fixed beforehand, and nobody chose
them while others played.

The secret is a document like any other: servers that share a store share it, and a copy of the
store has it.
"""

from __future__ import annotations

import hmac
from datetime import date
from hashlib import sha256
from typing import Final

from jminesweeper.core.minefield import RandomBits
from jminesweeper.records.documents import Flow, new_version, read_document, reading_values
from jminesweeper.records.keys import DAYS
from jminesweeper.store.port import DONE, Check, Commit, Importance, Put

_SECRET_BYTES: Final = 32


class DaySeeds:
    """The seeds as one server knows them, once it has learnt the secret of its store."""

    def __init__(self, secret: bytes = b"") -> None:
        self._secret = secret

    def of(self, day: date) -> bytes | None:
        """Return the seed of a day; None without a secret."""
        if not self._secret:
            return None
        return hmac.digest(self._secret, day.isoformat().encode(), "sha256")

    def learn(self, draw: RandomBits) -> Flow[None]:
        """Get the secret of a store, or make one: the first server to do so decides.

        A store that came back empty gets the secret that this server knows.
        """
        secret = self._secret or draw(8 * _SECRET_BYTES).to_bytes(_SECRET_BYTES, "big")
        commit = Commit(
            new_version(draw),
            (Check(DAYS, 0),),
            (Put(DAYS, secret.hex()),),
            importance=Importance.HIGH,
        )
        is_ours = False
        while not is_ours:
            known = yield from read_document(DAYS)
            if known.version:
                secret = parse_secret(known.body)
                break
            is_ours = (yield commit) is DONE
        self._secret = secret


@reading_values()
def parse_secret(body: str) -> bytes:
    secret = bytes.fromhex(body)
    if len(secret) != _SECRET_BYTES:
        raise ValueError("a secret of another length")
    return secret


def commitment(seed: bytes) -> str:
    """Return the text that is shown of a seed before its day is over."""
    return sha256(seed).hexdigest()
