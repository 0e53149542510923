"""A session's words follow from what its player has seen, and from nothing else of the board."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Grid, Size
from jminesweeper.core.rules import PRESETS
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import COVERED, FLAGGED, Status
from jminesweeper.protocol.packets import (
    Act,
    Hello,
    Hint,
    MoveTo,
    Odds,
    OpenMenu,
    Packet,
    Seek,
    Undo,
)
from jminesweeper.protocol.vocabulary import Button, Command
from jminesweeper.records.documents import Note
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.matches import Match, Matches
from jminesweeper.session.session import Session
from jminesweeper.session.settings import Settings
from tests.world.player import same_seed

MOST_STEPS = 40

HELLOS: dict[str, list[Packet]] = {
    "version 1": [],
    "views": [Hello()],
}
STEPS = st.one_of(
    st.builds(MoveTo, st.integers(0, 9), st.integers(0, 9)),
    st.builds(
        Act,
        st.integers(0, 9),
        st.integers(0, 9),
        st.sampled_from(Button),
        st.sampled_from([0, 1, 2, COVERED, COVERED | FLAGGED]),
    ),
    st.sampled_from(
        [
            *([Command.REVEAL] * 6),
            Command.TOGGLE_BOMB_MARK,
            Command.MOVE_LEFT,
            Command.MOVE_DOWN,
            Command.PAUSE,
            OpenMenu(""),
            OpenMenu("records"),
            Command.REFRESH,
            Hint(1, 1),
            Odds(1, 1),
            Seek(1, 1),
            Undo(1),
            Undo(3),
        ]
    ),
)


def seat(setup: Setup, hello: Sequence[Packet]) -> Session:
    """Let somebody sit down at a board that was put by hand."""
    session = Session(SessionConfig(debug_allowed=False), same_seed, Matches())
    # What is shown on request must not tell more, either.
    session._player.settings = Settings(pace=True, question_marks=True)
    session._player.resume(Match(Game(setup)), Note(0, 0, Cell(0, 0)))
    for packet in hello:
        session.receive(packet, 0)
    return session


def replies_while_it_runs(session: Session, steps: Sequence[Packet]) -> tuple[list[bytes], int]:
    """Return what was answered before the game ended, and every cell that was ever seen."""
    replies: list[bytes] = []
    seen = 0
    for number, step in enumerate(steps, 1):
        screen, _ = session.receive(step, 700 * number)
        match = session._player.match
        if match is None or match.game.status is not Status.ONGOING:
            break
        replies.append(screen)
        seen |= match.game.visible
    return replies, seen


def another_layout(setup: Setup, seen: int, rng: Random) -> Setup:
    """Move mines where no cell that was seen counts them."""
    grid, mines = Grid.of(setup.size), setup.layout or 0
    free = [grid.bit(cell) for cell in grid.cells(grid.mask & ~(seen | grid.neighbours(seen)))]
    moved = sum(bit for bit in free if mines & bit)
    here = sum(rng.sample(free, moved.bit_count()))
    return Setup.of(setup.size, rules=setup.rules, layout=mines & ~moved | here)


@pytest.mark.parametrize("form", HELLOS)
@pytest.mark.parametrize("rules", PRESETS)
@given(
    size=st.builds(Size, st.integers(3, 10), st.integers(3, 10)),
    share=st.floats(0.02, 0.4),
    rng=st.randoms(use_true_random=False),
    steps=st.lists(STEPS, min_size=1, max_size=MOST_STEPS),
)
def test_boards_that_look_alike_are_answered_alike(
    form: str, rules: str, size: Size, share: float, rng: Random, steps: list[Packet]
) -> None:
    grid = Grid.of(size)
    cells = [Cell(column, row) for row in range(size.rows) for column in range(size.columns)]
    mined = rng.sample(cells, max(1, int(share * size.cells)))
    setup = Setup.of(size, rules=PRESETS[rules], layout=sum(map(grid.bit, mined)))
    replies, seen = replies_while_it_runs(seat(setup, HELLOS[form]), steps)
    other = another_layout(setup, seen, rng)
    assume(other != setup)
    others, _ = replies_while_it_runs(seat(other, HELLOS[form]), steps[: len(replies)])
    # That it was won by flags is something to be told.
    assume(len(others) == len(replies))
    assert others == replies
