"""The fall-back for components that are too large to count."""

from collections.abc import Iterator

import pytest

from jminesweeper.core import Minefield, Size, place_mines, seeded_bits
from jminesweeper.solver.component import Component, build
from jminesweeper.solver.counting import count_layouts
from jminesweeper.solver.estimate import estimate
from jminesweeper.solver.knowledge import Knowledge
from tests.unit.solver.positions import known, view_of


def test_with_room_for_every_state_it_is_exact_for_the_odds() -> None:
    component = build(known("? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?", 4), 7)
    counts = count_layouts(component, 1000)
    guess = estimate(component, 0.25)
    powers = [0.25**mines for mines in range(len(counts.layouts))]
    total = sum(a * b for a, b in zip(counts.layouts, powers, strict=True))
    for share, mined in zip(guess.mined, counts.mined, strict=True):
        assert share == pytest.approx(
            sum(a * b for a, b in zip(mined, powers, strict=True)) / total
        )


def scattered_components() -> Iterator[Component]:
    """Components of boards on which every other cell is visible: as tangled as they come."""
    size = Size(12, 12)
    for seed in range(20):
        field = Minefield(size, place_mines(size, 40, seeded_bits(seed)))
        visible = [cell for cell in field.grid.cells(field.safe) if (cell.column + cell.row) % 2]
        knowledge = Knowledge.of(view_of(field, visible))
        yield build(knowledge, next(at for at, room in enumerate(knowledge.room) if room))


def test_nothing_estimated_is_called_certain() -> None:
    for component in scattered_components():
        guess = estimate(component, 0.3, kept_states=30)
        assert all(0 < share < 1 for share in guess.mined)
        assert 0 < guess.mines < component.cell_count


def test_when_the_kept_states_run_dry_the_density_is_all_there_is() -> None:
    guesses = [estimate(component, 0.25, kept_states=1) for component in scattered_components()]
    assert any(set(guess.mined) == {0.2} for guess in guesses)
