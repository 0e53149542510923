"""Values that tests of stores write and expect back."""

from dataclasses import replace
from datetime import date
from typing import Any, Protocol, TypeVar

from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import PRESETS, FirstReveal
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.core.view import Status
from jminesweeper.store import Append, FinishedGame, Note, Operation, RunningGame, pack_entries

T = TypeVar("T")

ANN = "a" * 32
BOB = "b" * 32
CEY = "c" * 32
NOBODY = "0" * 32

EXPERT = CLASSIC_BOARDS["expert"]
BEGINNER = CLASSIC_BOARDS["beginner"]
CUSTOM = Variant("custom", Size(5, 4), 6, PRESETS["classic"])
MONDAY, TUESDAY = date(2026, 1, 5), date(2026, 1, 6)
OWN_RULES = replace(PRESETS["classic"], first_reveal=FirstReveal.ZERO, chording=False)
SETUPS = [
    Setup.of("expert", seed=0),
    Setup.of("expert", seed=(1 << 64) - 1),
    Setup.of(Size(255, 255), 65_025, OWN_RULES, seed=1 << 63),
    Setup.of(Size(4, 4), layout=0b10_00010),
    Setup.of(Size(255, 255), layout=(1 << 255) - 1),
    Setup(
        Variant("expert", Size(30, 16), 99, OWN_RULES, is_no_guess=True, is_repeat=True),
        seed=(1 << 63) - 1,
    ),
    Setup(replace(BEGINNER, daily=MONDAY), seed=5),
]

GAME = RunningGame(
    "game1",
    Setup.of("expert", seed=1),
    pack_entries([1, 2]),
    250,
    Cell(3, 4),
    begun_at_ms=1_700_000_000_123,
)
WIN = FinishedGame(
    code="win1",
    setup=Setup.of("expert", seed=31),
    status=Status.WON,
    time_ms=90_500,
    ended_at_s=1_700_000_000,
    wall_ms=90_750,
    player=ANN,
    entries=pack_entries([1, 2, 3]),
    figures={"3bv": 174, "3bv/s": 1.923, "clicks": 201},
)


class Ask(Protocol):
    """Asks the store under test and waits for the answer."""

    def __call__(self, operation: Operation[T]) -> T: ...


def append(revision: int, *entries: int, owner: str = "first", **changes: Any) -> Append:
    packed = pack_entries(entries)
    return replace(Append(ANN, owner, revision, packed, 1000 * revision, Cell(0, 0)), **changes)


def note(clock_ms: int, *, owner: str = "first", is_paused: bool = False) -> Note:
    return Note(ANN, owner, clock_ms, Cell(7, 8), is_paused)


def win(
    code: str, wall_ms: int = 90_750, variant: Variant = EXPERT, **changes: Any
) -> FinishedGame:
    """Make a win whose clock shows as much as the wall's."""
    values = {"setup": Setup(variant, seed=31), "time_ms": wall_ms, "wall_ms": wall_ms, **changes}
    return replace(WIN, code=code, **values)


def loss(code: str, variant: Variant = EXPERT, **changes: Any) -> FinishedGame:
    return win(code, variant=variant, **{"status": Status.LOST, **changes})
