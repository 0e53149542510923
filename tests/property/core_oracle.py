"""Minesweeper in the most obvious way, to hold the engine against.

Lists of lists and loops, one cell at a time, and a copy of everything for undo. It shares nothing
with the engine but the values of `Rules`.
"""

from __future__ import annotations

import copy

from jminesweeper.core.rules import MineEffect, Rules, Spread, Victory

Place = tuple[int, int]
Marks = list[list[bool]]
Moment = tuple[Marks, Marks, Marks, Marks, str, Place | None]

FOUR = [(0, -1), (-1, 0), (1, 0), (0, 1)]
EIGHT = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dx, dy) != (0, 0)]


class NaiveGame:
    """One game. Every action tells whether it changed the board or the status."""

    def __init__(
        self, columns: int, rows: int, mines: set[Place], rules: Rules, first: Place | None = None
    ) -> None:
        self.first = first
        self.now = self.blocked_until = 0
        self.columns = columns
        self.rows = rows
        self.rules = rules
        self.mined = [[(x, y) in mines for x in range(columns)] for y in range(rows)]
        self.visible = [[False] * columns for _ in range(rows)]
        self.flagged = [[False] * columns for _ in range(rows)]
        self.questioned = [[False] * columns for _ in range(rows)]
        self.known = [[False] * columns for _ in range(rows)]
        self.status = "ongoing"
        self.exploded: Place | None = None
        self.assisted = False
        self.past: list[Moment] = []

    def places(self) -> list[Place]:
        return [(x, y) for y in range(self.rows) for x in range(self.columns)]

    def around(self, x: int, y: int, steps: list[Place] = EIGHT) -> list[Place]:
        found = []
        for dx, dy in sorted(steps, key=lambda step: (step[1], step[0])):
            if 0 <= x + dx < self.columns and 0 <= y + dy < self.rows:
                found.append((x + dx, y + dy))
        return found

    def clue(self, x: int, y: int) -> int:
        count = 0
        for nx, ny in self.around(x, y):
            if self.mined[ny][nx]:
                count += 1
        return count

    def reveal(self, x: int, y: int) -> bool:
        if self.is_blocked() or self.flagged[y][x] or self.known[y][x]:
            return False
        if self.visible[y][x]:
            return self.chord(x, y)
        self.remember()
        if self.first is not None and not any(map(any, self.visible)):
            x, y = self.first
        self.uncover([(x, y)])
        return True

    def is_blocked(self) -> bool:
        return self.status != "ongoing" or self.now < self.blocked_until

    def toggle_flag(self, x: int, y: int) -> bool:
        if self.is_blocked() or self.visible[y][x] or self.known[y][x]:
            return False
        self.remember()
        self.flagged[y][x] = not self.flagged[y][x]
        self.questioned[y][x] = False
        self.check_victory()
        return True

    def toggle_question(self, x: int, y: int) -> bool:
        if self.is_blocked() or not (self.flagged[y][x] or self.questioned[y][x]):
            return False
        self.remember()
        self.questioned[y][x] = self.flagged[y][x]
        if self.flagged[y][x]:
            self.flagged[y][x] = False
            self.check_victory()
        return True

    def chord(self, x: int, y: int) -> bool:
        if self.is_blocked() or not self.rules.chording or not self.visible[y][x]:
            return False
        flags = 0
        covered = []
        for nx, ny in self.around(x, y):
            if self.flagged[ny][nx] or self.known[ny][nx]:
                flags += 1
            elif not self.visible[ny][nx]:
                covered.append((nx, ny))
        if flags != self.clue(x, y) or not covered:
            return False
        self.remember()
        self.uncover(covered)
        return True

    def undo(self) -> bool:
        if self.status == "terminated" or not self.past:
            return False
        before = self.past.pop()
        # Another flag takes a flag back as well; what was uncovered stays known.
        is_help = self.status != "ongoing" or (self.visible, self.known) != (before[0], before[3])
        self.visible, self.flagged, self.questioned, self.known, self.status, self.exploded = before
        self.assisted = self.assisted or is_help
        return True

    def ask_for_help(self) -> bool:
        if self.status == "ongoing":
            self.assisted = True
        return False

    def terminate(self) -> bool:
        if self.status != "ongoing":
            return False
        self.status = "terminated"
        return True

    def remember(self) -> None:
        sets = (self.visible, self.flagged, self.questioned, self.known)
        self.past.append(copy.deepcopy((*sets, self.status, self.exploded)))

    def uncover(self, places: list[Place]) -> None:
        mines = [(x, y) for x, y in places if self.mined[y][x]]
        waiting = [(x, y) for x, y in places if not self.mined[y][x]]
        steps = FOUR if self.rules.spread is Spread.FOUR else EIGHT
        while waiting:
            x, y = waiting.pop()
            if self.visible[y][x]:
                continue
            self.visible[y][x] = True
            self.flagged[y][x] = self.questioned[y][x] = False
            if self.rules.auto_open and self.clue(x, y) == 0:
                waiting += self.around(x, y, steps)
        if mines:
            self.hit(*mines[0])
        if self.status == "ongoing":
            self.check_victory()

    def hit(self, x: int, y: int) -> None:
        self.flagged[y][x] = self.questioned[y][x] = False
        lives = 1 if self.rules.mine is MineEffect.ENDS else 3 - sum(map(sum, self.known))
        if lives == 1 and self.rules.mine is not MineEffect.PENALTY:
            self.visible[y][x] = True
            self.exploded = (x, y)
            self.status = "lost"
            return
        self.known[y][x] = True
        if self.rules.mine is MineEffect.PENALTY:
            self.blocked_until = self.now + 10_000

    def check_victory(self) -> None:
        by_flags = by_sight = True
        for x, y in self.places():
            if (self.flagged[y][x] or self.known[y][x]) != self.mined[y][x]:
                by_flags = False
            if not self.mined[y][x] and not self.visible[y][x]:
                by_sight = False
        won = {
            Victory.FLAGS: by_flags,
            Victory.SAFE_VISIBLE: by_sight,
            Victory.EITHER: by_flags or by_sight,
        }
        if won[self.rules.victory]:
            self.status = "won"
            if self.rules.flag_on_win:
                for x, y in self.places():
                    is_found = self.mined[y][x] and not self.known[y][x]
                    self.flagged[y][x] = self.flagged[y][x] or is_found
                    self.questioned[y][x] = self.questioned[y][x] and not self.mined[y][x]

    def picture(self) -> str:
        """Draw what a player sees, in the engine's notation."""
        rows = range(self.rows)
        return "\n".join("".join(self.symbol(x, y) for x in range(self.columns)) for y in rows)

    def symbol(self, x: int, y: int) -> str:
        over, mined = self.status != "ongoing", self.mined[y][x]
        if self.flagged[y][x]:
            return "!" if over and not mined else "F"
        if self.known[y][x]:
            return "*"
        if not self.visible[y][x]:
            return "B" if over and mined else "?"
        if mined:
            return "X"
        return ".12345678"[self.clue(x, y)]
