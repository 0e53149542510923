"""The bot's moves in sight: the board, what is done next, and why."""

from __future__ import annotations

import time
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
from jminesweeper.solver.words import percent


def watcher(moves_per_s: float, *, is_terminal: bool) -> Watch:
    """Return what shows moves: at a pace that can be followed on a terminal, at once elsewhere."""

    def show(move: Move, view: PlayerView) -> None:
        # Each board in the place of the one before.
        click.clear()
        show_move(move, view)
        time.sleep(1 / moves_per_s)

    return show if is_terminal else show_move


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
    show_end(game.status, moves, f", seed {seed}")


def show_end(status: Status, moves: int, remark: str = "") -> None:
    """Print how a game ended."""
    click.echo(f"{status.value} after {moves} move{'' if moves == 1 else 's'}{remark}")


def _reason(move: Move, view: PlayerView) -> str:
    if move.kind is ActionKind.FLAG:
        return "no mine is here" if view.is_flagged(move.cell) else "it must be a mine"
    risk = f" (risk {percent(move.risk)})" if move.risk else ""
    return f"{move.reason.value}{risk}"


def _spaced(view: PlayerView) -> str:
    return "\n".join(" ".join(row) for row in format_position(view).splitlines())
