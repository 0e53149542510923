"""Who did what to a shared board: opened cells, flags, and the mine that somebody stepped on."""

from __future__ import annotations

from collections import Counter

from jminesweeper.core.actions import entry_author
from jminesweeper.core.game import Game


class Shares:
    """What each author did, read from the log as it grows."""

    def __init__(self) -> None:
        self.opened: Counter[int] = Counter()
        """Cells by author."""
        self.hits: Counter[int] = Counter()
        """Mines by author."""
        self.flags: dict[int, int] = {}
        """Flagged cells, by their numbers in reading order, and whose flag it is."""
        self._game: Game | None = None

    def follow(self, game: Game) -> Shares:
        """Read the entries that are new; all of them if others were written in between."""
        known, entries = self._game, game.log.entries
        if known is None or entries[: len(known.log)] != known.log.entries:
            self.opened, self.hits, self.flags = Counter(), Counter(), {}
            known = Game(game.setup)
        self._game = known
        for entry in entries[len(known.log) :]:
            self._play(known, entry, entry_author(entry))
        return self

    def _play(self, game: Game, entry: int, author: int) -> None:
        opened, flagged = game.visible_count, game.flagged
        hits = game.known.bit_count() + (game.exploded is not None)
        game.push(entry)
        self.opened[author] += game.visible_count - opened
        self.hits[author] += game.known.bit_count() + (game.exploded is not None) - hits
        if flagged != game.flagged:
            columns = game.grid.size.columns
            for column, row in game.grid.cells(flagged ^ game.flagged):
                cell = row * columns + column
                if self.flags.pop(cell, None) is None:
                    self.flags[cell] = author
