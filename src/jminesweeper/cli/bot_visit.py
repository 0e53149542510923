"""The bot as a guest on a server, any that speaks the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from jminesweeper.cli.bot_show import show_end
from jminesweeper.client.address import Address
from jminesweeper.client.bot import (
    BotError,
    Line,
    Outcome,
    Watch,
    play_wire_1,
    play_wire_2,
    speaks_version_2,
)
from jminesweeper.core import SEED_BITS, FirstReveal, Level, Status, Victory
from jminesweeper.protocol import FirstRevealCode, GameKind, NewGame, NewGameFlag, RulesCode
from jminesweeper.solver import Contest


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
    outcomes = []
    try:
        with Line(address) as line:
            has_version_2 = _has_version_2(line, visit, address)
            for number in range(visit.games):
                outcome = _play(line, visit, number, watch, has_version_2=has_version_2)
                outcomes.append(outcome)
                if watch is not None:
                    show_end(outcome.status, outcome.moves)
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
    contest, level = visit.contest, visit.level
    if not has_version_2:
        return play_wire_1(line, contest.size, level or Level.EASY, watch)
    game = _new_game(visit, number)
    if level is not None:
        return play_wire_2(line, game, Victory.FLAGS, watch=watch)
    # A first click that nothing protects is a guess like any other.
    first = None if contest.protection is FirstReveal.OFF else contest.first
    return play_wire_2(line, game, Victory.SAFE_VISIBLE, first=first, watch=watch)


def _new_game(visit: Visit, number: int) -> NewGame:
    contest = visit.contest
    columns, rows = contest.size.columns, contest.size.rows
    flags, seed = NewGameFlag(0), 0
    if visit.seed is not None:
        flags, seed = NewGameFlag.SEEDED, (visit.seed + number) % (1 << SEED_BITS)
    if visit.level is not None:
        level = visit.level.value
        return NewGame(GameKind.LEVEL, columns, rows, level=level, flags=flags, seed=seed)
    return NewGame(
        GameKind.OWN,
        columns,
        rows,
        contest.mine_count,
        rules=RulesCode.CLASSIC,
        first_reveal=_FIRST_REVEALS[contest.protection],
        flags=flags,
        seed=seed,
    )


_FIRST_REVEALS = {kind: FirstRevealCode[kind.name] for kind in FirstReveal}
