"""How long boards that need no guess take to make."""

from __future__ import annotations

from functools import partial
from random import Random
from time import process_time
from typing import NamedTuple

from jminesweeper.core.grid import Cell, Size
from jminesweeper.solver.no_guess import Method, generate_no_guess


class Order(NamedTuple):
    size: Size
    mines: int
    boards: int
    limit_s: float


ORDERS = (
    Order(Size(9, 9), 10, 200, 5),
    Order(Size(16, 16), 40, 200, 5),
    Order(Size(30, 16), 99, 200, 5),
    Order(Size(30, 16), 130, 100, 5),
    Order(Size(30, 16), 160, 100, 5),
    Order(Size(20, 10), 50, 200, 5),
    Order(Size(20, 10), 90, 100, 5),
    Order(Size(100, 100), 2_500, 10, 20),
    Order(Size(255, 255), 3_251, 10, 20),
    Order(Size(255, 255), 16_256, 3, 60),
)


def is_past(end: float) -> bool:
    return process_time() > end


def make_boards(order: Order, seed: int) -> str:
    first = Cell(order.size.columns // 2, order.size.rows // 2)
    taken = []
    found = by_rejection = 0
    for number in range(seed, seed + order.boards):
        begin = process_time()
        end = begin + order.limit_s
        board = generate_no_guess(
            order.size,
            order.mines,
            first,
            Random(number).getrandbits,
            partial(is_past, end),
        )
        taken.append(process_time() - begin)
        found += board is not None
        by_rejection += board is not None and board.method is Method.REJECTION
    taken.sort()
    return (
        f"{order.size} with {order.mines} mines: {found} of {order.boards} within "
        f"{order.limit_s:g} s, {by_rejection} by rejection; mean "
        f"{1000 * sum(taken) / len(taken):.1f} ms, median {1000 * taken[len(taken) // 2]:.1f} ms, "
        f"worst {1000 * taken[-1]:.0f} ms"
    )
