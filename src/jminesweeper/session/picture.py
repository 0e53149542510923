"""Pictures: the screen as data.

Each layer describes itself: the board, a menu, a page, a replay, a game that is watched, a room
whose round has not begun. It makes a `Picture` of all that it shows, whatever the client knows of
it already. `view` writes what of a picture is new.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from jminesweeper.core.grid import Cell, Grid
from jminesweeper.core.view import PlayerView
from jminesweeper.protocol.view import MEMBERS
from jminesweeper.session.messages import SILENCE, Message

if TYPE_CHECKING:
    from jminesweeper.session.tables import LastTold
    from jminesweeper.session.talks import Menu
    from jminesweeper.session.view import Frame

Members: TypeAlias = dict[str, Any]
"""Members of a VIEW by their names; `docs/protocol.md` lists them."""

DEFAULTS: Final[Mapping[str, Any]] = {
    **{name: member.default for name, member in MEMBERS.items() if not member.is_momentary},
    **dict.fromkeys(("aim", "message"), SILENCE),
}
"""The members before the first view."""

PAUSED: Final = "paused"


class Field(NamedTuple):
    """The cells that are shown."""

    grid: Grid
    view: PlayerView
    debug_mines: int = 0
    is_hidden: bool = False
    """The client keeps the cells as it knows them; a board that it does not know is covered."""


class Picture(NamedTuple):
    """Everything to be seen at one moment; members that are left out stay as they are."""

    members: Members
    field: Field | None = None
    """None leaves the cells as they are."""
    cursor: Cell | None = None
    """A cell to move the cursor to."""
    placing: object = None
    """Identifies the time that the cursor was put there: it is told once. None: it always is."""
    menu: Menu | None = None
    said: Sequence[Members] = ()
    """Phrases of a room that this client has not been told of."""
    news: Sequence[Message] = ()
    """The doings of others since this client was told last."""
    last_told: LastTold | None = None
    """The last of both, at a table."""
    scene: Scene | None = None
    """Shared with all who watch the same thing, if all that lasts here is theirs as well."""


class Scene:
    """The view of all who see the same at one moment: watchers, or those at a shared board.

    It is described once, and encoded once for all whose last scene was the same.
    """

    def __init__(self, key: object, members: Members) -> None:
        self.key = key
        self.members = members
        """The members told to all; each client's own may be among them."""
        self.told: dict[Scene, Frame] = {}
        """Views of it, by the scene that was seen before."""


class Moment:
    """Something that will be; it is told as the time until then, once."""

    def __init__(self, at_ms: int, now_ms: int) -> None:
        self.at_ms = at_ms
        self.in_ms = max(0, at_ms - now_ms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moment) and self.at_ms == other.at_ms

    def __hash__(self) -> int:
        return hash(self.at_ms)
