"""The engine as one would naively write it in Python: lists of lists and nested loops."""

from __future__ import annotations

from random import Random

Place = tuple[int, int]

FOUR = [(0, -1), (-1, 0), (1, 0), (0, 1)]
EIGHT = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]


class NaiveBoard:
    def __init__(self, columns: int, rows: int, mines: set[Place]) -> None:
        self.columns = columns
        self.rows = rows
        self.mined = [[(x, y) in mines for x in range(columns)] for y in range(rows)]
        self.visible = [[False] * columns for _ in range(rows)]
        self.clues = [[self.count_around(x, y) for x in range(columns)] for y in range(rows)]

    @staticmethod
    def draw(columns: int, rows: int, count: int, seed: int) -> NaiveBoard:
        places = [(x, y) for y in range(rows) for x in range(columns)]
        return NaiveBoard(columns, rows, set(Random(seed).sample(places, count)))

    def around(self, x: int, y: int, steps: list[Place]) -> list[Place]:
        return [
            (x + dx, y + dy)
            for dx, dy in steps
            if 0 <= x + dx < self.columns and 0 <= y + dy < self.rows
        ]

    def count_around(self, x: int, y: int) -> int:
        return sum(self.mined[ny][nx] for nx, ny in self.around(x, y, EIGHT))

    def reveal(self, x: int, y: int, steps: list[Place]) -> int:
        opened = 0
        stack = [(x, y)]
        while stack:
            x, y = stack.pop()
            if self.visible[y][x]:
                continue
            self.visible[y][x] = True
            opened += 1
            if self.clues[y][x] == 0:
                stack += self.around(x, y, steps)
        return opened

    def is_won(self) -> bool:
        return all(
            self.visible[y][x] or self.mined[y][x]
            for y in range(self.rows)
            for x in range(self.columns)
        )
