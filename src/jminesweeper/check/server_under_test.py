"""A server under test, and what one game there shows about how it draws.

The protocol says which characters a field has, but not where it is, how far apart its cells are,
how a mark looks, or whether keys that are typed ahead are answered. One short game tells.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace

from jminesweeper.check.deviation import (
    DeviationError,
    NoConnectionError,
    ServerSilentError,
    TimeSpentError,
    Transcript,
)
from jminesweeper.check.peer import Peer
from jminesweeper.check.player import ScreenPlayer
from jminesweeper.check.suite import Budget
from jminesweeper.client.address import Address
from jminesweeper.protocol.vocabulary import Command, announced_version

_KEYS_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class Habits:
    """What servers do differently; None is what could not be learnt."""

    version: int = 1
    cell_step: tuple[int, int] | None = None
    """Columns and rows of the screen from one cell to the next."""
    mark: str | None = None
    keys_at_once: int = 1

    def facts(self) -> dict[str, str]:
        """Return what was learnt, in words."""
        facts = {"version": str(self.version)}
        if self.cell_step:
            facts["cell_step"] = "{}x{}".format(*self.cell_step)
        if self.mark:
            facts["mark"] = self.mark
        return facts


class ServerUnderTest:
    """Connections to one server, all ended after each check."""

    def __init__(self, address: Address, budget: Budget) -> None:
        self.address = address
        self.transcript = Transcript()
        self.habits = Habits()
        self._budget = budget
        self._connections = ExitStack()

    def connect(self, name: str = "") -> Peer:
        """Open a connection; its name tells it from others in the transcript."""
        peer = Peer(self.address, self.transcript, self._budget.patience, name)
        return self._connections.enter_context(peer)

    def player(self, name: str = "") -> ScreenPlayer:
        return ScreenPlayer(self.connect(name), self.habits.keys_at_once)

    def hang_up(self) -> None:
        self._connections.close()

    def learn(self) -> Habits:
        """Play a little, and remember how this server does it."""
        # What fails here fails in a check that says more.
        for lesson in (self._learn_to_look, self._learn_to_type):
            try:
                lesson()
            except NoConnectionError:
                raise
            except (ServerSilentError, TimeSpentError):
                # Each lesson would wait as long.
                break
            except DeviationError:
                continue
            finally:
                self.hang_up()
        return self.habits

    def _learn_to_look(self) -> None:
        player = self.player()
        first = player.start(9, 9, 1)
        self.habits = replace(
            self.habits,
            version=announced_version(first),
            cell_step=(player.field.across, player.field.down),
        )
        player.do(Command.TOGGLE_BOMB_MARK)
        self.habits = replace(self.habits, mark=player.cells[0][0])

    def _learn_to_type(self) -> None:
        player = self.player()
        player.start(9, 9, 1)
        player.peer.send(*[Command.MOVE_RIGHT] * 3)
        for _ in range(3):
            player.peer.receive_screen()
        self.habits = replace(self.habits, keys_at_once=_KEYS_AT_ONCE)
