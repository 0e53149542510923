"""Everything behind a server's connections, put together: sessions, store and workers."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from jminesweeper.cli.stores import Place, open_bus, open_store
from jminesweeper.records.days import DaySeeds
from jminesweeper.server.config import Backend, SshConfig, SshHost
from jminesweeper.server.hub import epoch_ms
from jminesweeper.server.workers import MEMORY_MIB, Workers
from jminesweeper.session.config import Doors, SessionConfig
from jminesweeper.session.matches import Matches
from jminesweeper.session.opening import replay
from jminesweeper.session.session import Session
from jminesweeper.store.port import Fault

if TYPE_CHECKING:
    from jminesweeper.server.hub import Hub
    from jminesweeper.server.web_socket import WebSocketStream

logger = logging.getLogger("jminesweeper.server")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendOptions:
    """Decisions made once for all sessions of a server."""

    debug_allowed: bool = True
    seed: int | None = None
    store: Place | None = None
    """None: everything stored is lost with the process."""
    store_limit_bytes: int | None = None
    workers: int = 2
    worker_limit_s: float = 5.0
    worker_memory_mib: int = MEMORY_MIB
    ssh: SshConfig | None = None
    """None: nobody comes by SSH."""
    has_company: bool = True
    """Others can come as well."""


@asynccontextmanager
async def open_backend(options: BackendOptions) -> AsyncIterator[Backend]:
    """Open the store, and close it again; StoreOpenError says why it cannot be used."""
    tokens, day_seeds, doors = random.SystemRandom().getrandbits, DaySeeds(), Doors()
    config = SessionConfig(
        debug_allowed=options.debug_allowed,
        has_store=True,
        has_company=options.has_company,
        has_solver=options.workers > 0,
        epoch_ms=epoch_ms,
        day_seed=day_seeds.of,
        doors=doors,
        # Even where boards are predictable, tokens and codes distinguish connections and games.
        tokens=tokens,
    )
    matches, state, seed = Matches(epoch_ms), StoreState(), options.seed

    # A door is loaded when the first player comes by it, to keep the start quick.
    def open_web_socket() -> WebSocketStream:
        opened: WebSocketStream = import_module("jminesweeper.server.web_socket").WebSocketStream()
        return opened

    def open_ssh(hub: Hub) -> SshHost:
        opened: SshHost = import_module("jminesweeper.ssh.door").SshDoor(hub, options.ssh)
        return opened

    store = open_store(
        options.store,
        deliver=asyncio.get_running_loop().call_soon_threadsafe,
        watch=state.report,
        limit_bytes=options.store_limit_bytes,
        on_crowded=state.report_crowd,
    )
    workers = Workers(options.workers, options.worker_limit_s, memory_mib=options.worker_memory_mib)
    try:
        async with open_bus(options.store) as bus:
            yield Backend(
                # With a seed each connection starts the series of boards again, so it does not
                # depend on who else plays.
                new_session=lambda: Session(
                    config, tokens if seed is None else random.Random(seed).getrandbits, matches
                ),
                store=store,
                workers=workers,
                matches=matches,
                tokens=tokens,
                day_seeds=day_seeds,
                bus=bus,
                rebuild=replay,
                new_web_socket=open_web_socket if find_spec("websockets") else None,
                doors=doors,
                open_ssh=None if options.ssh is None else open_ssh,
                store_fault=lambda: state.fault,
                watch_store=state.watch,
                is_crowded=state.take_crowd,
                kept="until the server stops" if options.store is None else f"in {options.store}",
            )
    finally:
        workers.close()
        # This writes what is pending, and may wait for the disk: nobody plays any more.
        store.close()


class StoreState:
    """Knows whether the store can be used and has room, and logs when that changes."""

    def __init__(self) -> None:
        self.fault: Fault | None = None
        self._is_crowded = False
        self._on_return: Callable[[], object] = lambda: None

    def watch(self, on_return: Callable[[], object]) -> None:
        """Call this when the store is available again."""
        self._on_return = on_return

    def report(self, fault: Fault | None) -> None:
        self.fault = fault
        if fault is None:
            logger.info("the store is available again")
            self._on_return()
        else:
            logger.error("the store %s; games go on from memory until it is available", fault.value)

    def report_crowd(self) -> None:
        if not self._is_crowded:
            logger.warning(
                "the store is near its limit; newcomers and the oldest games of whoever has most go"
            )
        self._is_crowded = True

    def take_crowd(self) -> bool:
        is_crowded, self._is_crowded = self._is_crowded, False
        return is_crowded
