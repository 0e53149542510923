"""The bot at play where it can be watched: on a server, or move by move on this terminal."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import click

from jminesweeper.client.address import Address
from jminesweeper.client.bot import (
    BotError,
    Line,
    Outcome,
    play_wire_1,
    play_wire_2,
    speaks_version_2,
)
from jminesweeper.core import (
    PRESETS,
    SEED_BITS,
    Action,
    FirstReveal,
    Game,
    Level,
    PlayerView,
    Setup,
    Status,
    Victory,
    format_position,
)
from jminesweeper.protocol import FirstRevealCode, GameKind, NewGame, NewGameFlag, RulesCode
from jminesweeper.solver import Contest, Move, Player, Strategy

Watch = Callable[[Move, PlayerView], None]


@dataclass(frozen=True, slots=True)
class Visit:
    """What is played on a server, and how it is talked to."""

    contest: Contest
    games: int
    wire: str
    level: Level | None
    seed: int | None


def play_on_server(address: Address, visit: Visit, watch: Watch | None) -> dict[str, Any]:
    """Play games one after the other over one connection."""
    try:
        with Line(address) as line:
            has_version_2 = _has_version_2(line, visit, address)
            outcomes = [
                _play(line, visit, number, watch, has_version_2=has_version_2)
                for number in range(visit.games)
            ]
    except BotError as error:
        raise click.ClickException(str(error)) from error
    return {
        "wire": 2 if has_version_2 else 1,
        "games": len(outcomes),
        "won": sum(outcome.status is Status.WON for outcome in outcomes),
        "moves": sum(outcome.moves for outcome in outcomes),
        "guesses": sum(outcome.guesses for outcome in outcomes),
    }


def report_visit(address: Address, facts: dict[str, Any]) -> str:
    """Say in words how it went."""
    return (
        f"{address}, version {facts['wire']} of the wire: won {facts['won']} of {facts['games']} "
        f"games with {facts['moves']} moves, {facts['guesses']} of them guesses"
    )


def show_move(move: Move, view: PlayerView) -> None:
    """Print the board, and what is done next and why."""
    risk = f" (risk {move.risk:.0%})" if move.risk else ""
    click.echo(_spaced(view))
    column, row = move.cell
    click.echo(f"{move.kind.name.lower()} {column} {row}: {move.reason.value}{risk}\n")


def show_game(contest: Contest, seed: int, strategy: Strategy) -> None:
    """Play one game here, and print every move."""
    rules = replace(PRESETS["classic"], first_reveal=contest.protection, chording=False)
    game = Game(Setup(contest.size, contest.mine_count, rules, seed=seed % (1 << SEED_BITS)))
    game.reveal(contest.first, 0)
    player = Player(contest.size, contest.mine_count, strategy)
    moves = 0
    while game.status is Status.ONGOING:
        view = game.view()
        move = player.choose(view)
        show_move(move, view)
        moves += 1
        game.apply(Action(move.kind, move.cell), moves)
    click.echo(_spaced(game.view()))
    click.echo(f"{game.status.value} after {moves} moves, seed {seed}")


def _has_version_2(line: Line, visit: Visit, address: Address) -> bool:
    if visit.wire == "1":
        return False
    announced = speaks_version_2(line)
    if visit.wire == "2" and not announced:
        raise BotError(f"{address} speaks version 1 of the protocol only.")
    return announced


def _play(
    line: Line, visit: Visit, number: int, watch: Watch | None, *, has_version_2: bool
) -> Outcome:
    level = visit.level
    if has_version_2:
        victory = Victory.SAFE_VISIBLE if level is None else Victory.FLAGS
        return play_wire_2(line, _new_game(visit, number), victory, watch)
    return play_wire_1(line, visit.contest.size, level or Level.EASY, watch)


def _new_game(visit: Visit, number: int) -> NewGame:
    size, first = visit.contest.size, visit.contest.protection
    if visit.level is not None:
        return NewGame(GameKind.LEVEL, size.columns, size.rows, level=visit.level.value)
    seed = secrets.randbits(SEED_BITS) if visit.seed is None else visit.seed + number
    return NewGame(
        GameKind.OWN,
        size.columns,
        size.rows,
        visit.contest.mine_count,
        rules=RulesCode.CLASSIC,
        first_reveal=_FIRST_REVEALS[first],
        flags=NewGameFlag(0) if visit.seed is None else NewGameFlag.SEEDED,
        seed=seed % (1 << SEED_BITS),
    )


def _spaced(view: PlayerView) -> str:
    return "\n".join(" ".join(row) for row in format_position(view).splitlines())


_FIRST_REVEALS = {kind: FirstRevealCode[kind.name] for kind in FirstReveal}
