"""Racing alone: against the solver, or against a game that was played before, at its own times.

The rival is shown beside the board as others are in a race, against the clock of the player's own
game: that begins with the first move, and stops with a pause or a menu. Nobody else is there, so no
room is needed.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final

from jminesweeper.core.game import Game
from jminesweeper.core.rules import MineEffect
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.records.documents import Leaderboard
from jminesweeper.records.players import open_game
from jminesweeper.records.reading import Score, read_leaderboard, read_own_best
from jminesweeper.records.rooms import Kind
from jminesweeper.records.rounds import Progress
from jminesweeper.session import saves
from jminesweeper.session.figures import PACES, Rival, rival_of
from jminesweeper.session.looking_back import MOST_ACTIONS
from jminesweeper.session.matches import Match
from jminesweeper.session.messages import MESSAGES, NOBODY, SILENCE, numbered, seconds
from jminesweeper.session.opening import see_record
from jminesweeper.session.player import Player
from jminesweeper.session.reply import RaceSolver
from jminesweeper.session.result import headline, standing
from jminesweeper.session.tables import describe_seat, draw_board
from jminesweeper.session.talks import STAY, Dialog, Flow, Option, Row, choose

_OWN, _RIVAL = 1, 2
_NO_WIN: Final = "There is no win to race against yet."


def choose_rival(player: Player) -> Flow:
    """Let the player choose whom to race, and begin."""
    asked_for = player.settings.variant if player.match is None else player.match.asked_for
    board = asked_for.category
    disabled = "" if player.config.has_solver else MESSAGES["solvers.none"][0]
    label, told = replace(board, is_no_guess=True).label, "On a new board."
    options = [
        Option(
            Row(pace, f"The solver, {pace}", label, disabled=disabled, help=told),
            partial(_race_solver, player, board, pace),
        )
        for pace in PACES
    ]
    for row in (yield from _record_rows(player, board)):
        code = row.id.partition(".")[2]
        options.append(Option(row, partial(_race_record, player, code)))
    return (yield from choose(player, "alone", "Race alone", lambda: options))


def _record_rows(player: Player, board: Variant) -> Generator[Any, Any, Sequence[Row]]:
    """Offer the best games: of the player and of all on this board, and of today's boards."""
    if not player.config.has_store:
        return ()
    own = player.account.id
    bests = (yield from read_own_best(own, Leaderboard(board))) if own else ()
    rows = [_record_row("own", "Your best", bests), _record_row("best", "The best of all", ())]
    today = player.config.today(player.now_ms)
    boards = [board, *(replace(each, daily=today) for each in CLASSIC_BOARDS.values())]
    for each in boards:
        bests = yield from read_leaderboard(Leaderboard(each), 1)
        if each is board:
            rows[1] = _record_row("best", "The best of all", bests)
        elif bests:
            rows.append(_record_row(each.board, f"Today's {each.board}", bests))
    return rows


def _record_row(where: str, label: str, bests: Sequence[Score]) -> Row:
    if not bests:
        return Row(where, label, disabled=_NO_WIN)
    best = bests[0]
    value = ", ".join(filter(None, (best.name, seconds(best.wall_ms))))
    return Row(f"{where}.{best.code}", label, value, help="Same board as that game; not ranked.")


def _race_solver(player: Player, board: Variant, pace: str, usual_ms: int = 0) -> Flow:
    """Race the solver on a new board that needs no guess.

    It takes the player's usual time, if that is known.
    """
    random_bits, has_solver = player.entropy, player.config.has_solver
    guessless = replace(board, is_no_guess=True)
    setup = yield from draw_board(random_bits, guessless, has_solver=has_solver)
    name = "Solver, at your pace" if usual_ms else f"Solver, {pace}"
    rival: Rival | None = yield RaceSolver(setup, PACES[pace], name)
    if rival is None:
        player.say("rival.none")
        return STAY
    if usual_ms:
        rival = rival.taking(usual_ms)
    return (yield from saves.give_up_for(player, partial(_begin, player, setup, rival)))


def usual_time(player: Player, board: Variant) -> Dialog[int]:
    """Return the median of one's best times on a board, in milliseconds; 0 without any."""
    if not player.account.id:
        return 0
    plain = replace(board.category, rules=replace(board.rules, mine=MineEffect.ENDS))
    times: list[int] = []
    for is_no_guess in (True, False):
        known = Leaderboard(replace(plain, is_no_guess=is_no_guess))
        times += [each.wall_ms for each in (yield from read_own_best(player.account.id, known))]
    return sorted(times)[len(times) // 2] if times else 0


def race_at_own_pace(player: Player, board: Variant, usual_ms: int) -> Flow:
    """Race the solver, which takes as long as the player usually does."""
    plain = replace(board.category, rules=replace(board.rules, mine=MineEffect.ENDS))
    return (yield from _race_solver(player, plain, "calm", usual_ms))


def _race_record(player: Player, code: str) -> Flow:
    """Race a game that was won, on its board."""
    opened = yield from open_game(code)
    seen = None if opened is None else (yield from see_record(player, opened))
    if opened is None or seen is None:
        return STAY
    name, match = seen
    if len(match.game.log) > MOST_ACTIONS:
        player.say("too.long.replay")
        return STAY
    is_own = player.account.id in opened.game.seats
    rival = rival_of(match.game, "Your best" if is_own else name or NOBODY)
    setup = match.game.shared_setup.as_repeat()
    return (yield from saves.give_up_for(player, partial(_begin, player, setup, rival)))


def _begin(player: Player, setup: Setup, rival: Rival) -> None:
    player.begin(setup, rival=rival)
    if not player.message.id:
        player.say("rival.waits")


@lru_cache(maxsize=16)
def _progress(game: Game, _length: int) -> Progress:
    # The figures of a game take milliseconds, and every view asks.
    return Progress.of(game)


def describe_race(player: Player, match: Match, rival: Rival) -> dict[str, Any]:
    """Describe the race as those in rooms are described."""
    clock_ms = match.elapsed_ms(player.now_ms)
    has_begun, cells = match.game.was_played, match.variant.safe_count
    opened = rival.opened(rival.finish.time_ms if match.is_over else clock_ms) if has_begun else 0
    other = Progress(opened)
    if match.is_over or rival.has_finished(clock_ms):
        other = other._replace(finish=rival.finish)
    own = _progress(match.game, len(match.game.log))
    won = [
        (f.time_ms, n) for n, f in ((_OWN, own.finish), (_RIVAL, other.finish)) if f and f.is_won
    ]
    places = {number: place for place, (_, number) in enumerate(sorted(won), start=1)}
    own_name, rival_name = numbered((player.public_name, rival.name))
    own_place, place = places.get(_OWN, 0), places.get(_RIVAL, 0)
    is_bot = player.client.is_bot
    rows = [
        describe_seat(_OWN, own_name, own, cells=cells, place=own_place, is_bot=is_bot),
        describe_seat(_RIVAL, rival_name, other, cells=cells, place=place, is_bot=rival.is_bot),
    ]
    rows.sort(key=standing)
    said = headline(Kind.RACE, rows, _OWN, match.game.status) if match.is_over else SILENCE
    return {
        "room": {
            "code": "",
            "kind": Kind.RACE.value,
            "state": "over" if match.is_over else "running",
            "label": match.variant.label,
            "mine": match.variant.rules.mine.value,
            "host": 0,
            "you": _OWN,
            "bots": True,
            "headline": said.text,
            **dict.fromkeys(("score", "series", "share"), ""),
        },
        "seats": rows,
    }
