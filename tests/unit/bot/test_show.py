"""Watching the bot play: line by line, and on a terminal."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from readchar import key

from jminesweeper.bot.playing import GameOutcome, play_here
from jminesweeper.bot.show import (
    LiveGame,
    LiveShow,
    Printer,
    ShownMove,
    Tempo,
    explained,
    with_known_mines,
)
from jminesweeper.client import events
from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.rules import FirstReveal
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import PlayerView, Status, parse_position
from jminesweeper.replay import ReplayViewer
from jminesweeper.solver.guess import Reason, Strategy
from jminesweeper.solver.no_guess import Contest
from jminesweeper.solver.playing import Decision
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.looks import Canvas
from tests.staged import Staged
from tests.unit.bot.watchers import Notes
from tests.unit.server.fakes import turn

BEGINNER = Contest(Size(9, 9), 10, Cell(3, 3), FirstReveal.ZERO)
SURE = Decision(Cell(0, 0), ActionKind.REVEAL, 0.0, Reason.SURE)
GUESS = Decision(Cell(2, 0), ActionKind.REVEAL, 0.25, Reason.LOWEST_RISK)
VIEW = parse_position("? 1 ?\n? 1 ?", 1)
BOARD = Game(Setup.of("beginner", seed=0)).view


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (SURE, "reveal (0,0): it is safe"),
        (GUESS, "reveal (2,0): no safe move; it has the lowest risk (risk 25 %)"),
        (Decision(Cell(2, 0), ActionKind.FLAG, 0.0, Reason.SURE), "flag (2,0): it must be a mine"),
        (Decision(Cell(0, 1), ActionKind.FLAG, 0.0, Reason.SURE), "flag (0,1): no mine is here"),
    ],
)
def test_a_move_is_printed_with_the_board_before_it_and_its_reason(
    move: Decision, line: str
) -> None:
    printed: list[str] = []
    view = parse_position("? 1 ?\nF 2 .", 2)
    assert asyncio.run(Printer(printed.append).sees(move, view)) == move
    assert printed == [f"? 1 ?\nF 2 .\n{line}\n"]


def test_a_game_is_printed_from_its_first_click_to_its_end() -> None:
    printed: list[str] = []
    outcome = asyncio.run(play_here(BEGINNER, 5, Strategy.FULL, Printer(printed.append)))
    assert printed[0].splitlines()[3].split()[3] == "."
    assert len(printed) == outcome.moves + 1
    assert printed[-1].splitlines()[-1] == f"won after {outcome.moves} moves, seed 5"


def test_a_game_can_be_lost_on_its_first_click() -> None:
    printed: list[str] = []
    contest = Contest(Size(1, 1), 1, Cell(0, 0), FirstReveal.OFF)
    asyncio.run(play_here(contest, 1, Strategy.FULL, Printer(printed.append)))
    assert printed == ["X\nlost after 0 moves, seed 1"]


def test_a_sure_move_is_one_with_an_argument_to_show() -> None:
    view = parse_position("1 ? ?\n1 2 ?\n. 1 ?\n. 1 ?", 2)
    move = Decision(Cell(2, 3), ActionKind.REVEAL, 0.0, Reason.SURE)
    chosen, scene = explained(move, view, has_time=True)
    assert scene.words.startswith("Reveal (2,1): wherever the 1 at (1,3) has its mine, the 1 at ")
    assert scene.reasons[0] == scene.cell == chosen.cell
    assert any(map(view.is_visible, scene.reasons))


def test_what_cannot_be_is_shown_as_it_is() -> None:
    impossible = parse_position("1 .\n. .", 1)
    assert with_known_mines(impossible) == impossible


def test_where_nothing_can_be_argued_the_move_stays_as_it_was() -> None:
    assert explained(GUESS, VIEW, has_time=True)[0] == GUESS
    assert explained(SURE, VIEW, has_time=False)[1].words == "Reveal (0,0): it is safe."
    large = parse_position("\n".join(["?" * 100] * 11), 5)
    assert explained(SURE, large, has_time=True)[1].words == "Reveal (0,0): it is safe."
    assert with_known_mines(large) == large


def test_mines_that_are_proved_are_flagged_for_whoever_looks_on() -> None:
    assert str(with_known_mines(parse_position("? 1 .\n1 1 .", 1))) == "F1.\n11."


class Theatre(Staged):
    """A bot's show before a viewer whose time is its own."""

    def __init__(self, pace: Tempo = Tempo.MERCILESS) -> None:
        covered = Game(Setup.of("beginner", seed=0)).view
        game = LiveGame("bot 9x9, 10 mines", ShownMove(covered, Cell(3, 3)))
        self.viewer = ReplayViewer(game, Canvas(80, 24), KeyMap(), speed=pace.value)
        self.stage = LiveShow(game, self.viewer, self.wake)
        self.plays_on = True
        """Time passes whenever there is something new."""
        super().__init__(self.viewer)
        self.after(events.Expired())

    def wake(self) -> None:
        self.after(events.Expired())
        while self.plays_on and self.viewer.deadline is not None:
            self.wait()


async def test_games_are_shown_in_place_and_counted() -> None:
    theatre = Theatre()
    for seed in (5, 6):
        outcome = await play_here(BEGINNER, seed, Strategy.FULL, theatre.stage)
        assert f"after {outcome.moves} moves" in theatre.text
        assert f"Seed {seed}." in theatre.text
    assert "bot 9x9, 10 mines" in theatre.text
    assert "2 of 2" in theatre.text or "1 of 2" in theatre.text
    assert theatre.stage.result.endswith("of 2 games")


async def test_a_lost_guess_is_told_with_its_risk() -> None:
    theatre = Theatre()
    await theatre.stage.sees(GUESS, BOARD)
    lost = GameOutcome(Status.LOST, 1, 1, 3)
    await theatre.stage.sees_end(lost, replace(BOARD, status=Status.LOST))
    assert "Lost after 1 moves: that guess had a risk of 25 %. Seed 3." in theatre.text


async def test_a_move_is_made_once_its_reason_has_been_seen() -> None:
    theatre = Theatre()
    theatre.plays_on = False
    first = asyncio.create_task(theatre.stage.sees(SURE, BOARD))
    await turn()
    assert "Reveal" not in theatre.text
    theatre.plays_on = True
    theatre.wake()
    assert "Reveal (0,0): it is safe." in theatre.text
    assert await first == SURE


async def test_a_pause_holds_every_move_and_a_step_lets_one_be_made() -> None:
    theatre = Theatre()
    theatre.type(b" ")
    seen = asyncio.create_task(theatre.stage.sees(GUESS, BOARD))
    await turn()
    assert "paused" in theatre.text
    theatre.type(key.RIGHT.encode())
    assert "(risk 25 %)" in theatre.text
    await seen
    following = asyncio.create_task(theatre.stage.sees(GUESS, BOARD))
    await turn()
    theatre.type(b" ")
    theatre.wake()
    await following
    assert "2 guesses" in theatre.text


async def test_moves_that_were_shown_can_be_looked_at_again() -> None:
    theatre = Theatre()
    await theatre.stage.sees(SURE, BOARD)
    await theatre.stage.sees(GUESS, BOARD)
    theatre.type(key.LEFT.encode())
    assert "Reveal (0,0): it is safe." in theatre.text


async def test_the_speed_is_the_pace_and_stays_for_the_next_game() -> None:
    theatre = Theatre(Tempo.CALM)
    assert "0.5x" in theatre.text
    theatre.type(b"++")
    await play_here(BEGINNER, 5, Strategy.FULL, theatre.stage)
    await theatre.stage.sees(SURE, BOARD)
    assert "2x" in theatre.text


async def test_the_last_game_is_a_replay_like_any_other() -> None:
    theatre = Theatre()
    await play_here(BEGINNER, 5, Strategy.FULL, theatre.stage)
    theatre.stage.finish()
    assert "end" in theatre.text
    theatre.plays_on = False
    theatre.type(key.HOME.encode())
    assert " 0/" in theatre.text


@pytest.mark.parametrize("pressed", [b"q", b"x"])
def test_whoever_has_seen_enough_leaves(pressed: bytes) -> None:
    theatre = Theatre()
    theatre.type(pressed)
    assert theatre.left


def test_a_watcher_may_put_another_sure_move_first() -> None:
    class Contrary(Notes):
        """Takes the argued one of several sure moves."""

        async def sees(self, move: Decision, view: PlayerView) -> Decision:
            return explained(await super().sees(move, view), view, has_time=True)[0]

    notes = Contrary()
    outcome = asyncio.run(play_here(BEGINNER, 6, Strategy.FULL, notes))
    assert outcome.status.is_over
    assert notes.ends == [outcome]
