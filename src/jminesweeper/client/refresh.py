"""When to ask the server for the running clock."""

from __future__ import annotations

from typing import Final

PERIOD_S: Final = 1.0


class RefreshTimer:
    """Due about once a second while the clock runs, and never while the last ask is unanswered.

    Every packet is answered once and in order, so counting the answers tells which is whose.
    """

    def __init__(self) -> None:
        self.deadline: float | None = None
        self._unanswered = 0
        self._answers_until_refreshed = 0
        self._runs = False

    @property
    def expects_answer(self) -> bool:
        return self._unanswered > 0

    def note_sent(self, packets: int) -> None:
        """Count packets that were sent, each of which will be answered."""
        self._unanswered += packets

    def note_refresh(self) -> None:
        """Count the ask itself."""
        self._unanswered += 1
        self._answers_until_refreshed = self._unanswered
        self.deadline = None

    def note_answer(self, now_s: float, *, clock_runs: bool) -> None:
        """Count one answer, which says whether the clock runs."""
        self._unanswered = max(0, self._unanswered - 1)
        self._answers_until_refreshed = max(0, self._answers_until_refreshed - 1)
        if not clock_runs:
            self.deadline = None
        elif self.deadline is None and not self._answers_until_refreshed:
            self.deadline = now_s + PERIOD_S
