import pytest

from jminesweeper.core import Status
from jminesweeper.session import Ask, Claimed, Close, Commit, Ended, Jot
from jminesweeper.session.effects import NO_EFFECTS


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        (Commit(1), Commit(1), Commit(2)),
        (Jot(1), Jot(1), Commit(1)),
        (Ask(1), Ask(1), Ask(2)),
        (Claimed("a"), Claimed("a"), Claimed("b")),
        (Ended(Status.WON, 5), Ended(Status.WON, 5), Ended(Status.LOST, 5)),
        (Close(), Close(), None),
    ],
)
def test_effects_are_values(one: object, same: object, other: object) -> None:
    assert one == same
    assert one != other


def test_most_packets_entail_nothing() -> None:
    assert NO_EFFECTS == ()
