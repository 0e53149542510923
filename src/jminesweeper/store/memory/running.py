"""The running game of one player, and who may write it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from jminesweeper.store import Append, Note, RunningGame


@dataclass(slots=True)
class Slot:
    """A player's running game as it was put, what was appended and noted, and who may write."""

    owner: str
    base: int = 0
    put: RunningGame | None = None
    appended: list[Append] = field(default_factory=list)
    note: tuple[int, Note] | None = None
    """The latest note, and the revision at which it came."""

    @property
    def revision(self) -> int:
        return self.base + len(self.appended)

    @property
    def game(self) -> RunningGame | None:
        if self.put is None:
            return None
        game = self.put
        if self.appended:
            last = self.appended[-1]
            entries = b"".join([game.entries, *(append.entries for append in self.appended)])
            game = replace(
                game,
                entries=entries,
                clock_ms=last.clock_ms,
                cursor=last.cursor,
                is_paused=False,
            )
        if self.note is not None and self.note[0] == self.revision:
            note = self.note[1]
            game = replace(
                game, clock_ms=note.clock_ms, cursor=note.cursor, is_paused=note.is_paused
            )
        return game

    def has(self, asked: Append) -> bool:
        """Return whether this very write was carried out before."""
        place = asked.revision - self.base
        if not 0 <= place < len(self.appended):
            return False
        return replace(asked, owner=self.appended[place].owner) == self.appended[place]
