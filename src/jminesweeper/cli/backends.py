"""Everything behind a server's connections, put together: sessions, store and workers."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from jminesweeper.server import Backend, Vault, Workers, find_hint, lay_board, look_back
from jminesweeper.session import (
    Consult,
    Enter,
    FindHint,
    LayBoard,
    Rebuild,
    Review,
    Session,
    SessionConfig,
)
from jminesweeper.store.memory import MemoryStore
from jminesweeper.store.ports import Fault, Store
from jminesweeper.store.sqlite import SqliteStore

logger = logging.getLogger("jminesweeper.server")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendOptions:
    """What is decided once for all sessions of a server."""

    debug_allowed: bool = True
    seed: int | None = None
    store: Path | None = None
    """A file, or None: what is kept ends with the process."""
    workers: int = 2
    worker_limit_s: float = 5.0


@asynccontextmanager
async def open_backend(options: BackendOptions) -> AsyncIterator[Backend]:
    """Open the store, and close it again; StoreOpenError says why it cannot be used."""
    config = SessionConfig(
        debug_allowed=options.debug_allowed,
        has_store=True,
        has_solver=options.workers > 0,
        epoch_ms=(time.time_ns() - time.monotonic_ns()) // 1_000_000,
        name_day=name_day,
        # Also where boards can be foreseen, tokens and codes tell connections and games apart.
        tokens=random.SystemRandom().getrandbits,
    )
    store = _open_store(options.store)
    workers = Workers(options.workers, options.worker_limit_s)
    vault = Vault(store)
    try:
        yield Backend(
            new_session=_session_factory(config, options.seed),
            commit=vault.commit,
            kept="until the server stops" if options.store is None else f"in {options.store}",
            handlers={
                Enter: vault.enter,
                Consult: vault.consult,
                Rebuild: vault.rebuild,
                FindHint: workers.handler(find_hint),
                LayBoard: workers.handler(lay_board, takes_long=True),
                Review: workers.handler(look_back),
            },
        )
    finally:
        workers.close()
        vault.close()
        # What is still to be written is written: this may wait for the disk, and nobody plays.
        store.close()


def name_day(day: int) -> str:
    """Call a day, counted since 1970 began, by its date."""
    return (date(1970, 1, 1) + timedelta(days=day)).isoformat()


def _open_store(path: Path | None) -> Store:
    if path is None:
        return MemoryStore()
    deliver = asyncio.get_running_loop().call_soon_threadsafe
    return SqliteStore(path, deliver=deliver, watch=_tell_of)


def _tell_of(fault: Fault | None) -> None:
    if fault is None:
        logger.info("the store can be used again")
    else:
        logger.error("the store %s: games go on from memory until it can be used", fault.value)


def _session_factory(config: SessionConfig, seed: int | None) -> Callable[[], Session]:
    """Make sessions with boards nobody can foresee, or with those that follow from the seed."""
    if seed is None:
        entropy = random.SystemRandom().getrandbits
        return lambda: Session(config, entropy)
    # Each connection begins the series anew: what a player meets does not depend on who else plays.
    return lambda: Session(config, random.Random(seed).getrandbits)
