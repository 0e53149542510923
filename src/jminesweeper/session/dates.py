"""Days by their date, without a clock: arithmetic of the calendar and nothing else."""

from __future__ import annotations

from typing import Final

_DAYS_OF_400_YEARS: Final = 146_097
_DAYS_TO_1970_FROM_MARCH_0: Final = 719_468


def iso_date(day: int) -> str:
    """Write the date of a day, counted since 1970 began, as 2026-11-18.

    Years are counted from March: then the day that comes and goes is the last one of a year, and
    a month begins 153 / 5 days after the one before.
    """
    era, day_of_era = divmod(day + _DAYS_TO_1970_FROM_MARCH_0, _DAYS_OF_400_YEARS)
    leap_days = day_of_era // 1460 - day_of_era // 36_524 + day_of_era // 146_096
    year_of_era = (day_of_era - leap_days) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month_from_march = (5 * day_of_year + 2) // 153
    day_of_month = day_of_year - (153 * month_from_march + 2) // 5 + 1
    month = (month_from_march + 2) % 12 + 1
    year = 400 * era + year_of_era + (month <= 2)
    return f"{year:04}-{month:02}-{day_of_month:02}"
