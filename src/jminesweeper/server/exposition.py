"""Figures as text that Prometheus reads: its exposition format, version 0.0.4.

A family is one figure: a name, what kind it is, a line of help, and samples, which differ by their
labels. A counter only grows, a gauge goes up and down, a histogram says how many observations were
no larger than each of a series of bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate
from typing import Final

from jminesweeper.server.measures import Histogram

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_ESCAPES: Final = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})


class Kind(Enum):
    """How a figure may change."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class Sample:
    """A value, and the labels that distinguish it in its family."""

    value: float
    labels: Mapping[str, str]
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """A figure with all its samples."""

    name: str
    kind: Kind
    meaning: str
    samples: Sequence[Sample]


def counter(name: str, meaning: str, value: float) -> Family:
    return Family(name, Kind.COUNTER, meaning, [Sample(value, {})])


def gauge(name: str, meaning: str, value: float) -> Family:
    return Family(name, Kind.GAUGE, meaning, [Sample(value, {})])


def histogram(name: str, meaning: str, observed: Histogram, unit: float, bits: range) -> Family:
    """Count up to bounds of so many bits; `unit` is the value of 1."""
    sums = list(accumulate(observed.counts))
    bounds = [(f"{((1 << each) - 1) * unit:.4g}", sums[each]) for each in bits]
    samples = [
        *[Sample(count, {"le": bound}, "_bucket") for bound, count in bounds],
        Sample(sums[-1], {"le": "+Inf"}, "_bucket"),
        Sample(observed.total * unit, {}, "_sum"),
        Sample(sums[-1], {}, "_count"),
    ]
    return Family(name, Kind.HISTOGRAM, meaning, samples)


def by_label(name: str, kind: Kind, meaning: str, label: str, values: Mapping[str, int]) -> Family:
    """Label a figure's samples by one label."""
    samples = [Sample(value, {label: each}) for each, value in values.items()]
    return Family(name, kind, meaning, samples)


def format_families(families: Iterable[Family]) -> str:
    """Write figures as Prometheus reads them."""
    return "".join(line for family in families for line in _lines(family))


def _lines(family: Family) -> Iterable[str]:
    yield f"# HELP {family.name} {family.meaning}\n"
    yield f"# TYPE {family.name} {family.kind.value}\n"
    for sample in family.samples:
        labels = ",".join(
            f'{label}="{value.translate(_ESCAPES)}"' for label, value in sample.labels.items()
        )
        name = f"{family.name}{sample.suffix}"
        yield f"{name}{{{labels}}} {sample.value!r}\n" if labels else f"{name} {sample.value!r}\n"
