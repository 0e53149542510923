"""Figures as text, read by the parser of those who read it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from jminesweeper.server.admin import counter, counters, gauge, histogram
from jminesweeper.server.measures import Histogram


def read(*families: str) -> dict[str, float]:
    """Every sample by its name, with the value of its label behind a blank."""
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families("".join(families))
        for sample in family.samples
    }


def test_figures_are_read_as_they_were_given() -> None:
    families = [counter("packets_total", "Packets.", 7), gauge("players", "Players.", 0.25)]
    assert read(*families) == {"packets_total": 7, "players": 0.25}


def test_a_family_says_what_it_is_and_means() -> None:
    (family,) = text_string_to_metric_families(gauge("players", "Here now.", 1))
    assert (family.name, family.type, family.documentation) == ("players", "gauge", "Here now.")


def test_a_figure_may_be_counted_by_a_label() -> None:
    family = counters("refused_total", "Refused.", "reason", {"full": 1, "stopping": 2})
    assert read(family) == {"refused_total full": 1, "refused_total stopping": 2}


def test_a_histogram_counts_what_is_no_larger_than_each_bound() -> None:
    observed = Histogram()
    for number in (0, 1, 2, 3, 4, 1000):
        observed.observe(number)
    family = histogram("sizes", "Sizes.", observed, 1, range(1, 4))
    assert read(family) == {
        "sizes_bucket 1": 2,
        "sizes_bucket 3": 4,
        "sizes_bucket 7": 5,
        "sizes_bucket +Inf": 6,
        "sizes_sum": 1010,
        "sizes_count": 6,
    }


@given(numbers=st.lists(st.integers(0, 2**63 - 1)), unit=st.sampled_from([1, 1e-9]))
def test_counts_never_fall_from_one_bound_to_the_next(numbers: list[int], unit: float) -> None:
    observed = Histogram()
    for number in numbers:
        observed.observe(number)
    values = read(histogram("sizes", "Sizes.", observed, unit, range(1, 64)))
    counts = [value for name, value in values.items() if name.startswith("sizes_bucket")]
    assert counts == sorted(counts)
    assert counts[-1] == values["sizes_count"] == len(numbers)


def test_what_an_observation_stands_for_may_be_a_small_unit() -> None:
    observed = Histogram()
    observed.observe(1_000_000)
    values = read(histogram("seconds", "Time.", observed, 1e-9, range(19, 21)))
    assert values["seconds_sum"] == pytest.approx(0.001)
    assert values["seconds_bucket 0.0005243"] == 0
    assert values["seconds_bucket 0.001049"] == 1
