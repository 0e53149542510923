"""The bot's moves in sight: the board, what is done next, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import click

from jminesweeper.client.bot import Watch
from jminesweeper.core import (
    PRESETS,
    SEED_BITS,
    Action,
    ActionKind,
    Game,
    PlayerView,
    Setup,
    Status,
    format_position,
)
from jminesweeper.solver import Contest, Move, Player, Strategy


def paced(pause: Callable[[], None]) -> Watch:
    """Return what shows each move in the place of the one before, for as long as the pause is."""

    def show(move: Move, view: PlayerView) -> None:
        click.clear()
        show_move(move, view)
        pause()

    return show


def show_move(move: Move, view: PlayerView) -> None:
    """Print the board, and what is done next and why."""
    column, row = move.cell
    click.echo(_spaced(view))
    click.echo(f"{move.kind.name.lower()} {column} {row}: {_reason(move, view)}\n")


def show_game(contest: Contest, seed: int, strategy: Strategy, watch: Watch) -> None:
    """Play one game here while somebody watches."""
    rules = replace(PRESETS["classic"], first_reveal=contest.protection, chording=False)
    game = Game(Setup(contest.size, contest.mine_count, rules, seed=seed % (1 << SEED_BITS)))
    game.reveal(contest.first, 0)
    player = Player(contest.size, contest.mine_count, strategy)
    here, moves = contest.first, 0
    while game.status is Status.ONGOING:
        view = game.view()
        move = player.choose(view, near=here)
        watch(move, view)
        here, moves = move.cell, moves + 1
        game.apply(Action(move.kind, move.cell), moves)
    click.echo(_spaced(game.view()))
    click.echo(f"{game.status.value} after {moves} moves, seed {seed}")


def _reason(move: Move, view: PlayerView) -> str:
    if move.kind is ActionKind.FLAG:
        return "no mine is here" if view.is_flagged(move.cell) else "it must be a mine"
    risk = f" (risk {move.risk:.0%})" if move.risk else ""
    return f"{move.reason.value}{risk}"


def _spaced(view: PlayerView) -> str:
    return "\n".join(" ".join(row) for row in format_position(view).splitlines())
