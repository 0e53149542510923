import pytest

from jminesweeper.solver import Counter
from jminesweeper.solver.component import build
from jminesweeper.solver.counting import count_layouts
from jminesweeper.solver.sweep import TooManyStatesError
from tests.unit.solver.positions import known


def test_layouts_are_counted_from_the_fewest_mines_on() -> None:
    component = build(known("? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?", 4), 7)
    counts = count_layouts(component, 1000)
    # The three shared cells hold one mine or none.
    assert counts.fewest == 2
    assert counts.layouts == (3 * 5, 5 * 10)
    assert sum(counts.shares) == pytest.approx(1)


def test_a_shape_is_counted_once() -> None:
    counter = Counter()
    knowledge = known("? ? ? ? ? ?\n? 2 ? ? 2 ?\n? ? ? ? ? ?", 4)
    assert counter.count(build(knowledge, 8)) is counter.count(build(knowledge, 11))


def test_a_counter_forgets_before_it_grows_without_end() -> None:
    counter = Counter(remembered=1)
    first = build(known("? ? ?\n? 2 ?\n? ? ?", 3), 5)
    second = build(known("? ? ?\n? 3 ?\n? ? ?", 4), 5)
    before = counter.count(first)
    counter.count(second)
    assert counter.count(first) is not before
    assert counter.count(first).layouts == before.layouts


def test_a_limit_on_the_work_is_kept() -> None:
    component = build(known("? ? ? ? ?\n? 1 ? 2 ?\n? ? ? ? ?", 4), 7)
    with pytest.raises(TooManyStatesError):
        Counter(state_limit=1).count(component)
