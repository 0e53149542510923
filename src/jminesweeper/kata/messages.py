"""The sandbox's messages, to the letter of the numbered examples, and its one error."""

from jminesweeper.core.errors import JMinesweeperError
from jminesweeper.core.view import Status

PREFIX = "[Sandbox 3x3] "
CREATED = f"{PREFIX}Game created"
FLAGGED = f"{PREFIX}Square flagged as bomb."
UNFLAGGED = f"{PREFIX}Square unflagged as bomb."

# A square that wins or loses prints only this, not its number.
CLOSING = {
    Status.LOST: f"{PREFIX}BOOM! \N{EN DASH} Game Over.",
    Status.WON: f"{PREFIX}the land is cleared! GOOD JOB!",
}


class KataError(JMinesweeperError):
    """The kata has no such square, picture, bombs or move."""


_AROUND = {0: "No bomb", 1: "1 bomb"}


def bombs_around(count: int) -> str:
    """Say how many bombs touch the square that was stepped on."""
    return f"{PREFIX}{_AROUND.get(count, f'{count} bombs')} around your square."
