"""The game at hand: how it begins, is played, paused, helped, kept and ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from jminesweeper.core import (
    Action,
    ActionKind,
    Cell,
    CoreError,
    Game,
    RandomBits,
    Status,
    format_setup,
)
from jminesweeper.protocol import JumpTo
from jminesweeper.screen import GameScreen, Message, Tone
from jminesweeper.session import messages
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.effects import NO_EFFECTS, Ask, Commit, Effect, Ended, Jot
from jminesweeper.session.keeper import Keeper, resume
from jminesweeper.session.orders import Order
from jminesweeper.session.play import Play
from jminesweeper.session.requests import FindHint, Laid, LayBoard, Review, Tip
from jminesweeper.session.summary import figures_by_name, summarise
from jminesweeper.store.ports import (
    Append,
    Category,
    Finish,
    FinishedGame,
    Record,
    RunningGame,
    game_code,
    pack_entries,
)

MOST_UNDO_STEPS: Final = 1_000

_LEAPS: Final[Mapping[JumpTo, tuple[int, int]]] = {
    JumpTo.ROW_START: (-255, 0),
    JumpTo.ROW_END: (255, 0),
    JumpTo.TOP: (0, -255),
    JumpTo.BOTTOM: (0, 255),
    JumpTo.PAGE_UP: (0, -10),
    JumpTo.PAGE_DOWN: (0, 10),
    JumpTo.LEFT: (-5, 0),
    JumpTo.RIGHT: (5, 0),
    JumpTo.UP: (0, -5),
    JumpTo.DOWN: (0, 5),
}

Effects = tuple[Effect, ...]


class Table:
    """Where one player plays one game after another. Every method returns what it entails."""

    __slots__ = (
        "_awaits_review",
        "_config",
        "_entropy",
        "_hint_cells",
        "_summary",
        "changes",
        "keeper",
        "message",
        "play",
    )

    def __init__(self, config: SessionConfig, entropy: RandomBits) -> None:
        self._config = config
        self._entropy = entropy
        self._hint_cells = 0
        self._summary: Sequence[str] = ()
        self._awaits_review = False
        self.play: Play | None = None
        self.keeper: Keeper | None = None
        self.message = Message()
        self.changes = 0
        """Counts whatever may have changed the look of the field."""

    @property
    def _live(self) -> Play | None:
        """The game, while something can be done to it."""
        play = self.play
        if play is None or play.is_paused or play.game.status is not Status.ONGOING:
            return None
        return play

    # Beginning and ending

    def begin(self, order: Order, now_ms: int) -> Effects:
        """Begin a game; a running one is given up."""
        effects = self.give_up(now_ms)
        is_debugged = self.play is not None and self.play.is_debugged
        code = game_code(self._entropy) if self.keeper else ""
        self._sit_down(Play(Game(order.setup), order.title, code, is_debugged=is_debugged))
        self.say(messages.aim_of(order.setup.rules))
        return effects

    def give_up(self, now_ms: int) -> Effects:
        """Terminate the running game. One that was never acted on does not count."""
        play = self.play
        if play is None or play.is_over:
            return NO_EFFECTS
        was_played = play.game.was_played
        play.game.terminate()
        return self._keep(play, now_ms) if was_played else NO_EFFECTS

    def take_up(self, kept: RunningGame) -> bool:
        """Go on with a game that was kept, unless it cannot be read or has ended."""
        try:
            play = resume(kept)
        except CoreError:
            self.say(messages.UNREADABLE, Tone.BAD)
            return False
        if play.is_over:
            return False
        self._sit_down(play)
        self.say(messages.RESUMED)
        return True

    def load(self, kept: RunningGame, now_ms: int) -> Effects:
        """Go on with a saved game. What was known later is not forgotten: it counts as a repeat."""
        effects = self.give_up(now_ms)
        if not self.take_up(kept):
            return effects
        play = self._live
        if play is None or self.keeper is None:
            return effects
        play.title = replace(play.title, is_repeat=True)
        play.code = game_code(self._entropy)
        self.say(messages.LOADED)
        return (*effects, Commit(self.keeper.write(play, now_ms)))

    def leave(self, now_ms: int) -> Effects:
        """End what the player leaves behind; what is kept waits, with its clock stopped."""
        play = self.play
        if play is None or play.is_over:
            return NO_EFFECTS
        if self.keeper is None or not play.game.was_played:
            return self.give_up(now_ms)
        play.stop_clock(now_ms)
        return (Jot(self.keeper.write(play, now_ms)),)

    def _sit_down(self, play: Play) -> None:
        self.play = play
        self._summary = ()
        self._awaits_review = False
        self._touch()

    # Playing

    def move(self, columns: int, rows: int, now_ms: int) -> Effects:
        play = self._live
        if play is None:
            return NO_EFFECTS
        play.move(columns, rows)
        self.message = _SILENCE
        return self._jot(play, now_ms) if self.keeper else NO_EFFECTS

    def jump(self, direction: int, now_ms: int) -> Effects:
        try:
            return self.move(*_LEAPS[JumpTo(direction)], now_ms)
        except ValueError:
            self.say(f"There is no jump {direction}.", Tone.WARNING)
            return NO_EFFECTS

    def move_to(self, column: int, row: int, now_ms: int) -> Effects:
        """Put the cursor on a cell; one that is off the board is told and changes nothing."""
        play = self._live
        if play is None:
            return NO_EFFECTS
        if Cell(column, row) not in play.game.setup.size:
            self.say(f"There is no cell at column {column}, row {row}.", Tone.WARNING)
            return NO_EFFECTS
        play.move_to(column, row)
        self.say("")
        return self._jot(play, now_ms)

    def act(self, kind: ActionKind, now_ms: int) -> Effects:
        """Reveal, flag or chord at the cursor."""
        play = self._live
        if play is None:
            return NO_EFFECTS
        if play.game.is_full:
            self.say(messages.GAME_IS_FULL, Tone.WARNING)
            return NO_EFFECTS
        if kind is ActionKind.REVEAL and self._must_lay_board(play):
            return (Ask(LayBoard(play.game.setup, play.cursor)),)
        self.message = _SILENCE
        if play.act(kind, now_ms):
            self._touch()
        return self._keep(play, now_ms)

    def undo(self, steps: int, now_ms: int) -> Effects:
        """Take back actions, also one that ended the game."""
        play = self.play
        if play is None or play.is_paused or not play.game.can_undo:
            self.say(messages.NOTHING_TO_UNDO)
            return NO_EFFECTS
        taken = 0
        while taken < min(max(steps, 1), MOST_UNDO_STEPS) and play.game.can_undo:
            play.apply(Action(ActionKind.UNDO), now_ms)
            taken += 1
        self._summary = ()
        self._awaits_review = False
        self._touch()
        self.say(messages.undone(taken))
        return self._keep(play, now_ms)

    def toggle_debug(self) -> Effects:
        play = self._live
        if play is None:
            return NO_EFFECTS
        if not self._config.debug_allowed:
            self.say(messages.DEBUG_FORBIDDEN, Tone.WARNING)
            return NO_EFFECTS
        play.toggle_debug()
        self._touch()
        self.say(messages.DEBUG_ON if play.is_debugged else messages.DEBUG_OFF)
        return NO_EFFECTS

    # Pausing

    def toggle_pause(self, now_ms: int) -> Effects:
        play = self.play
        if play is None or play.is_over:
            return NO_EFFECTS
        return self.go_on(now_ms) if play.is_paused else self.pause(now_ms)

    def pause(self, now_ms: int) -> Effects:
        """Stop the clock and hide the board."""
        play = self._live
        if play is None:
            return NO_EFFECTS
        play.stop_clock(now_ms)
        play.is_paused = True
        self._touch()
        return self._jot(play, now_ms)

    def go_on(self, now_ms: int) -> Effects:
        play = self.play
        if play is None or not play.is_paused:
            return NO_EFFECTS
        play.is_paused = False
        play.run_clock(now_ms)
        self._touch()
        self.say("")
        return self._jot(play, now_ms)

    # Help from the solver

    def ask_hint(self) -> Effects:
        play = self._live
        if play is None:
            return NO_EFFECTS
        if not self._config.has_solver:
            self.say(messages.NO_HINT, Tone.WARNING)
            return NO_EFFECTS
        return (Ask(FindHint(play.game.view())),)

    def take_hint(self, tip: Tip | None, now_ms: int) -> Effects:
        """Show a hint; the game is assisted from then on."""
        play = self._live
        if play is None or tip is None:
            self.say(messages.NO_HINT, Tone.WARNING)
            return NO_EFFECTS
        play.apply(Action(ActionKind.HINT), now_ms)
        play.move_to(*tip.cell)
        self._touch()
        self._hint_cells = tip.cells
        self.say(tip.text)
        return self._keep(play, now_ms)

    def take_board(self, laid: Laid | None, now_ms: int) -> Effects:
        """Go on with the reveal that had to wait for its board."""
        play = self._live
        if play is None:
            return NO_EFFECTS
        if laid is None:
            play.give_up_no_guess()
        else:
            play.lay(laid.mines)
        effects = self.act(ActionKind.REVEAL, now_ms)
        if not play.is_over:
            self.say(messages.laid(laid))
        return effects

    def refresh(self, now_ms: int) -> Effects:
        """Let the clock be seen; after the end, have the game looked back at once."""
        play = self.play
        if play is None or not self._awaits_review:
            return NO_EFFECTS
        self._awaits_review = False
        return (Ask(Review(play.game.setup, play.game.log.entries)),)

    def take_review(self, lines: Sequence[str] | None) -> Effects:
        if self.play is not None and self.play.is_over:
            self._summary = (*self._summary, *(lines or ()))
        return NO_EFFECTS

    def _must_lay_board(self, play: Play) -> bool:
        if not play.wants_layout:
            return False
        bit = play.game.grid.bit(play.cursor)
        if (play.game.visible | play.game.flagged) & bit:
            return False
        if self._config.has_solver:
            return True
        play.give_up_no_guess()
        return False

    # Keeping

    def _keep(self, play: Play, now_ms: int) -> Effects:
        """Have what was done stored, and tell of the end if it was one."""
        keeper = self.keeper
        if not play.is_over:
            return (Commit(keeper.write(play, now_ms)),) if keeper else NO_EFFECTS
        ended = Ended(play.game.status, play.game.elapsed_ms)
        if play.game.status is not Status.TERMINATED:
            text, tone = messages.OUTCOMES[play.game.status]
            self.say(text, tone)
            self._summary = summarise(play.game)
            self._awaits_review = self._config.has_solver
        if not self._config.has_store:
            return (ended,)
        if keeper is None:
            return Jot(Record(self._finished(play, None, now_ms))), ended
        finished = self._finished(play, keeper.player, now_ms)
        last = keeper.write(play, now_ms)
        if isinstance(last, Append):
            return Commit(Finish(last, finished)), ended
        return Commit(last), Commit(Record(finished)), ended

    def _jot(self, play: Play, now_ms: int) -> Effects:
        """Have the cursor and the clock stored of a game that is stored already."""
        keeper = self.keeper
        if keeper is None or not keeper.keeps(play):
            return NO_EFFECTS
        return (Jot(keeper.write(play, now_ms)),)

    def _finished(self, play: Play, player: str | None, now_ms: int) -> FinishedGame:
        game, title = play.game, play.title
        return FinishedGame(
            code=play.code or game_code(self._entropy),
            category=Category(title.category, game.setup.rules.name),
            size=game.setup.size,
            mine_count=game.setup.mine_count,
            status=game.status,
            time_ms=game.elapsed_ms,
            ended_at_s=self._config.seconds(now_ms),
            player=player,
            header=format_setup(game.setup) if player else "",
            entries=pack_entries(game.log.entries) if player else b"",
            seed=messages.seed_text(game.setup),
            daily=title.daily,
            is_assisted=game.assisted,
            is_repeat=title.is_repeat,
            figures=figures_by_name(game),
        )

    # Showing

    def say(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        self.message = Message(text, tone) if text else _SILENCE

    def model(self, now_ms: int) -> GameScreen | None:
        """Describe the screen, if there is a game."""
        play = self.play
        if play is None:
            return None
        return GameScreen(
            view=play.game.view(),
            cursor=play.cursor,
            label=play.label,
            elapsed_ms=play.elapsed_ms(now_ms),
            message=Message(messages.PAUSED) if play.is_paused else self.message,
            state=messages.state_of(play, is_saved=not (self.keeper and self.keeper.is_behind)),
            debug_mines=play.debug_mines(),
            hint_cells=self._hint_cells,
            clock_runs=play.clock_runs or self._awaits_review,
            is_paused=play.is_paused,
            summary=self._summary,
            keys=messages.KEYS_OVER if play.is_over else messages.KEYS_PLAYING,
        )

    def _touch(self) -> None:
        self.changes += 1
        self._hint_cells = 0


_SILENCE: Final = Message()
