"""BOT mode: a bot steps on squares until victory or game over.

A bot is any function from what a player sees to a cell, so it cannot cheat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from jminesweeper.core.generator import RandomBits, below
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import PlayerView
from jminesweeper.kata.messages import KataError
from jminesweeper.kata.moves import Move, MoveKind, Square
from jminesweeper.kata.sandbox import Sandbox, possible_steps

Bot = Callable[[PlayerView], Cell]


def random_bot(random_bits: RandomBits) -> Bot:
    """Make a bot that steps on any hidden square, each equally likely."""

    def choose(view: PlayerView) -> Cell:
        steps = (square.cell for square in possible_steps(view))
        hidden = [cell for cell in steps if not view.is_flagged(cell)]
        if not hidden:
            raise KataError("every square is open or flagged")
        return hidden[below(len(hidden), random_bits)]

    return choose


def play_bot(sandbox: Sandbox, bot: Bot) -> Iterator[Move]:
    """Do the bot's steps one by one. A step that does nothing is an error, so the game ends."""
    while not sandbox.view.status.is_over:
        move = Move(MoveKind.STEP, Square.of(bot(sandbox.view)))
        sandbox.play(move)
        yield move
