"""Limits: how much of everything is kept, and for how long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jminesweeper.store.errors import StoreLimitError

MAX_NAMED_SAVES: Final = 20
AUTOMATIC_SAVES: Final = ("auto 1", "auto 2", "auto 3")
"""The names under which a session keeps games that others replaced."""
MAX_DEVICES: Final = 20
"""Devices that play as another player than the one of their key."""
MAX_GAMES: Final = 1_000
"""Finished games in a player's history; of older ones only the statistics stay."""
SAFE_GAMES: Final = 50
"""Finished games of a player that stay even in a full store, which refuses new ones instead."""
MAX_CATEGORIES: Final = 1_000
"""Categories that are counted one by one; games of further ones are counted together."""
MAX_OWN_BEST: Final = 10
"""A player's best wins of each leaderboard's board, which are kept for good."""
MAX_LISTED: Final = 50
"""Lines of a page, unless its reader asks for more."""
MAX_LABEL_CHARS: Final = 64
MAX_SETTINGS_CHARS: Final = 8_192
MAX_NEWCOMERS: Final = 200
"""New players from one address in an hour. A school has one address."""

HOUR_S: Final = 3_600
DAY_S: Final = 86_400
NEWCOMER_S: Final = 30 * DAY_S
"""Time for which a player is kept who has never finished a game, since they last played."""
NOTE_S: Final = 400 * DAY_S
"""Time for which a note is kept. Without it a game has the clock of its last action."""


def check_label(text: str) -> None:
    if len(text) > MAX_LABEL_CHARS:
        raise StoreLimitError(f"A name has at most {MAX_LABEL_CHARS} characters.")


def check_settings(settings: Mapping[str, str]) -> None:
    if sum(map(len, (*settings, *settings.values()))) > MAX_SETTINGS_CHARS:
        raise StoreLimitError(f"Settings have at most {MAX_SETTINGS_CHARS} characters.")
