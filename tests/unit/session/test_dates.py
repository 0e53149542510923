from datetime import date, timedelta

import pytest

from jminesweeper.session.dates import iso_date


@pytest.mark.parametrize(
    ("day", "written"),
    [(0, "1970-01-01"), (20_775, "2026-11-18"), (-1, "1969-12-31"), (-719_162, "0001-01-01")],
)
def test_a_day_is_written_by_its_date(day: int, written: str) -> None:
    assert iso_date(day) == written


def test_the_calendar_is_the_one_of_the_standard_library() -> None:
    first = date(1896, 1, 1)
    days = [first + timedelta(days=number) for number in range(0, 150_000, 13)]
    epoch = date(1970, 1, 1)
    assert [iso_date((day - epoch).days) for day in days] == [day.isoformat() for day in days]
