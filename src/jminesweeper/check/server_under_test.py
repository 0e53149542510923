"""A server under test, and what one game there shows about how it draws.

The protocol says which characters a field has, but not where it is, how far apart its cells are,
how a mark looks, or whether keys that are typed ahead are answered. One short game tells.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, TypeVar

from jminesweeper.check.connection import Connection, Peer
from jminesweeper.check.player import Habits, ScreenPlayer
from jminesweeper.check.suite import (
    Budget,
    DeviationError,
    NoConnectionError,
    ServerClosedError,
    TimeSpentError,
    Transcript,
)
from jminesweeper.check.wire import MARK, RIGHT, Codec, Packet, start
from jminesweeper.client.address import Address
from jminesweeper.core.grid import Cell, Size
from jminesweeper.protocol.vocabulary import announced_version

C = TypeVar("C", bound=Connection[Any])

FIRST_START: Final = start(9, 4, 1)
IDLE_S: Final = 1.2
"""How long a player who does nothing is left alone."""
MOST_GAMES: Final = 8
_KEYS_AT_ONCE: Final = 32
_TIMES_TO_START: Final = 3.0
"""A server may take longer to start than to answer."""
_RETRY_S: Final = 0.02


class ServerProcess:
    """A command that runs a server, or starts one; each start ends what the last one began."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.stop()
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


class ServerUnderTest:
    """Connections to one server, all ended after each check.

    With a process the server is started anew for a connection that is alone: for servers that have
    one player only, and end with him.
    """

    def __init__(
        self,
        address: Address,
        budget: Budget,
        process: ServerProcess | None = None,
        idle_s: float = IDLE_S,
    ) -> None:
        self.address = address
        self.transcript = Transcript()
        self.habits = Habits()
        self.idle_s = idle_s
        self.first_error: DeviationError | None = None
        """What kept the first game from being learnt from."""
        self.budget = budget
        self._process = process
        self._connections: list[Connection[Any]] = []

    @property
    def is_restarted(self) -> bool:
        """Whether each connection meets a server of its own."""
        return self._process is not None

    def connect(self, name: str = "") -> Connection[Packet]:
        """Open a connection; its name tells it from others in the transcript."""
        codec = Codec(is_server=True)
        return self._open(
            lambda: Connection(codec, self.address, self.transcript, self.budget.patience, name)
        )

    def peer(self, name: str = "") -> Peer:
        """Open one that speaks version 2."""
        return self._open(lambda: Peer(self.address, self.transcript, self.budget.patience, name))

    def _open(self, connect: Callable[[], C]) -> C:
        end_s = time.monotonic()
        if self._process is not None and not any(each.is_open for each in self._connections):
            self._process.start()
            end_s += self.budget.patience(_TIMES_TO_START)
        while True:
            try:
                connection = connect()
            except NoConnectionError:
                if time.monotonic() >= end_s:
                    raise
                time.sleep(_RETRY_S)
            else:
                self._connections.append(connection)
                return connection

    def player(self, name: str = "") -> ScreenPlayer:
        return ScreenPlayer(self.connect(name), self.habits)

    def game(self, columns: int, rows: int, level: int) -> ScreenPlayer:
        """Start a game on a connection of its own, the only one."""
        self.hang_up()
        player = self.player()
        player.start(columns, rows, level)
        return player

    def games(
        self, columns: int, rows: int, level: int, due: str, most: int = MOST_GAMES
    ) -> Iterator[ScreenPlayer]:
        """Start one game after the other; it is a deviation if none shows what is due."""
        player = self.game(columns, rows, level)
        for _ in range(most):
            yield player
            try:
                # On one connection, for each may have the same boards; and after a loss, for
                # START within a game is another clause.
                player.lose()
                player.start(columns, rows, level)
            except ServerClosedError:
                player = self.game(columns, rows, level)
        came = f"{most} games of {columns}x{rows} at level {level}, and nothing of the kind"
        raise DeviationError(came, due)

    def hang_up(self) -> None:
        for connection in self._connections:
            connection.close()
        self._connections.clear()

    def close(self) -> None:
        self.hang_up()
        if self._process is not None:
            self._process.stop()

    def learn(self) -> Habits:
        """Play a little, and remember how this server does it; each failure has its check."""
        try:
            player = self.player()
            frame = player.do(FIRST_START)
        except NoConnectionError:
            raise
        except DeviationError as error:
            self.first_error = error
        except TimeSpentError:
            pass
        else:
            self.habits = Habits(version=announced_version(frame))
            with suppress(DeviationError, TimeSpentError):
                self._learn_to_look(player)
        finally:
            self.hang_up()
        return self.habits

    def _learn_to_look(self, player: ScreenPlayer) -> None:
        if not player.find_field(Size(9, 4)):
            if not player.find_field(Size(4, 9)):
                return
            self.habits = replace(self.habits, swaps_sizes=True)
        step = player.field.across, player.field.down
        self.habits = replace(self.habits, cell_step=step)
        player.do(RIGHT)
        player.do(MARK)
        marked = player.marked()
        if marked:
            swaps_moves = marked == [Cell(0, 1)]
            mark = player.letter(marked[0])
            self.habits = replace(self.habits, mark=mark, swaps_moves=swaps_moves)
        player.connection.send(*[RIGHT] * 3)
        for _ in range(3):
            player.connection.receive_screen()
        self.habits = replace(self.habits, keys_at_once=_KEYS_AT_ONCE)
