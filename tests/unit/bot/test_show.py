"""Looking on while the bot plays: line by line, and on a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

import pytest
from readchar import key

from jminesweeper.bot import show
from jminesweeper.bot.playing import GameOutcome, play_here
from jminesweeper.bot.show import Pace, Printer, Stage, explained, with_known_mines
from jminesweeper.check.painted import PaintedScreen
from jminesweeper.client import events
from jminesweeper.core.actions import ActionKind
from jminesweeper.core.grid import Cell, Size
from jminesweeper.core.notation import parse_position
from jminesweeper.core.rules import FirstReveal
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.solver.dealing import Contest
from jminesweeper.solver.guess import Reason, Strategy
from jminesweeper.solver.playing import Decision
from jminesweeper.terminal.layout import TerminalSize
from jminesweeper.terminal.looks import Canvas
from tests.unit.bot.watchers import Notes

BEGINNER = Contest(Size(9, 9), 10, Cell(3, 3), FirstReveal.ZERO)
SURE = Decision(Cell(0, 0), ActionKind.REVEAL, 0.0, Reason.SURE)
GUESS = Decision(Cell(2, 0), ActionKind.REVEAL, 0.25, Reason.LOWEST_RISK)
VIEW = parse_position("? 1 ?\n? 1 ?", 1)


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
    scene = explained(Decision(Cell(2, 3), ActionKind.REVEAL, 0.0, Reason.SURE), view, is_slow=True)
    assert scene.words.startswith("Reveal (2,1): wherever the 1 at (1,3) has its mine, the 1 at ")
    assert scene.reasons[0] == scene.move.cell
    assert any(map(view.is_visible, scene.reasons))


def test_what_cannot_be_is_shown_as_it_is() -> None:
    impossible = parse_position("1 .\n. .", 1)
    assert with_known_mines(impossible) == impossible


def test_where_nothing_can_be_argued_the_move_stays_as_it_was() -> None:
    assert explained(GUESS, VIEW, is_slow=True).move == GUESS
    assert explained(SURE, VIEW, is_slow=False).words == "Reveal (0,0): it is safe."
    large = parse_position("\n".join(["?" * 100] * 11), 5)
    assert explained(SURE, large, is_slow=True).words == "Reveal (0,0): it is safe."
    assert with_known_mines(large) == large


def test_mines_that_are_proved_are_flagged_for_whoever_looks_on() -> None:
    assert str(with_known_mines(parse_position("? 1 .\n1 1 .", 1))) == "F1.\n11."


class Theatre:
    """A stage, and what was painted on it so far."""

    def __init__(self, pace: Pace) -> None:
        self.stage = Stage("bot 9x9, 10 mines", Canvas(80, 24), pace)
        self.stage.wake = self.wake
        self.screen = PaintedScreen()
        self.has_left = False
        self.now_s = 0.0
        self.has_woken = asyncio.Event()

    def wake(self) -> None:
        self.send(events.Expired())
        self.has_woken.set()

    def press(self, keys: bytes) -> None:
        self.send(events.Typed(keys))

    def send(self, event: events.Event) -> None:
        self.now_s += 1.0
        for effect in self.stage.handle(event, self.now_s):
            self.has_left = self.has_left or isinstance(effect, events.Leave)
        self.screen.paint(self.stage.paint(self.now_s).encode())

    @property
    def text(self) -> str:
        return self.screen.text


@pytest.fixture(autouse=True)
def no_pause_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "_END_S", 0.0)


def perform(pace: Pace, act: Callable[[Theatre], Coroutine[None, None, None]]) -> Theatre:
    """Let something happen on a stage; it may not take long."""

    async def run() -> Theatre:
        theatre = Theatre(pace)
        async with asyncio.timeout(60):
            await act(theatre)
        return theatre

    return asyncio.run(run())


def test_games_are_shown_in_place_and_counted() -> None:
    async def act(theatre: Theatre) -> None:
        for seed in (5, 6):
            outcome = await play_here(BEGINNER, seed, Strategy.FULL, theatre.stage)
            assert f"after {outcome.moves} moves" in theatre.text
            assert f"Seed {seed}." in theatre.text

    theatre = perform(Pace.MERCILESS, act)
    assert "bot 9x9, 10 mines" in theatre.text
    assert "2 of 2" in theatre.text or "1 of 2" in theatre.text
    assert theatre.stage.result.endswith("of 2 games")


def test_a_lost_guess_is_told_with_its_risk() -> None:
    async def act(theatre: Theatre) -> None:
        await theatre.stage.sees(GUESS, VIEW)
        await theatre.stage.sees_end(
            GameOutcome(Status.LOST, 1, 1, 3), parse_position("? 1 X\n? 1 ?", 1, Status.LOST)
        )

    text = perform(Pace.MERCILESS, act).text
    assert "Lost after 1 moves: that guess had a risk of 25 %. Seed 3." in text


def test_a_pause_holds_every_move_and_one_can_be_made_alone() -> None:
    async def act(theatre: Theatre) -> None:
        theatre.press(b" ")
        seen = asyncio.create_task(theatre.stage.sees(SURE, VIEW))
        await theatre.has_woken.wait()
        assert "paused" in theatre.text
        assert not seen.done()
        theatre.press(key.RIGHT.encode())
        await seen
        theatre.press(b"p")
        await theatre.stage.sees(GUESS, VIEW)

    perform(Pace.MERCILESS, act)


def test_the_pace_changes_while_a_move_waits() -> None:
    async def act(theatre: Theatre) -> None:
        seen = asyncio.create_task(theatre.stage.sees(GUESS, VIEW))
        await theatre.has_woken.wait()
        assert "calm" in theatre.text
        theatre.press(b"-")
        assert not seen.done()
        theatre.press(b"++")
        await seen
        assert "merciless" in theatre.text

    perform(Pace.CALM, act)


@pytest.mark.parametrize("pressed", [b"q", b"x", key.ESC.encode(), key.CTRL_C.encode()])
def test_whoever_has_seen_enough_leaves(pressed: bytes) -> None:
    async def act(theatre: Theatre) -> None:
        theatre.press(pressed)
        theatre.wake()

    assert perform(Pace.CALM, act).has_left


def test_the_last_board_stays_until_any_key() -> None:
    async def act(theatre: Theatre) -> None:
        await play_here(BEGINNER, 5, Strategy.FULL, theatre.stage)
        theatre.has_woken.clear()
        staying = asyncio.create_task(theatre.stage.stays())
        await theatre.has_woken.wait()
        assert "any key" in theatre.text
        assert not theatre.has_left
        staying.cancel()
        theatre.press(b"a")

    assert perform(Pace.MERCILESS, act).has_left


def test_a_resized_window_is_painted_again_and_a_signal_ends_the_show() -> None:
    async def act(theatre: Theatre) -> None:
        await theatre.stage.sees(GUESS, VIEW)
        theatre.send(events.Resized(TerminalSize(50, 20)))
        assert "Reveal (2,0)" in theatre.text
        theatre.send(events.Stopped(130))
        assert theatre.has_left

    perform(Pace.MERCILESS, act)


def test_a_watcher_may_put_another_sure_move_first() -> None:
    class Contrary(Notes):
        """Takes the argued one of several sure moves."""

        async def sees(self, move: Decision, view: PlayerView) -> Decision:
            return explained(await super().sees(move, view), view, is_slow=True).move

    notes = Contrary()
    outcome = asyncio.run(play_here(BEGINNER, 6, Strategy.FULL, notes))
    assert outcome.status.is_over
    assert notes.ends == [outcome]
