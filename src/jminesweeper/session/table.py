"""The game at hand: how it begins, is played, paused, helped and ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from jminesweeper.core import Action, ActionKind, Cell, Game, RandomBits, Status
from jminesweeper.screen import GameScreen, Message, Tone
from jminesweeper.session import messages
from jminesweeper.session.config import SessionConfig
from jminesweeper.session.effects import NO_EFFECTS, Ask, Effects
from jminesweeper.session.ledger import Ledger
from jminesweeper.session.orders import Order
from jminesweeper.session.play import Play
from jminesweeper.session.requests import LayBoard
from jminesweeper.session.summary import shown_share, summarise

MOST_UNDO_STEPS: Final = 1_000
"""Of one packet: no player may keep the others waiting."""

_SILENCE: Final = Message()


class Table:
    """Where one player plays one game after another. Every method returns what it entails."""

    __slots__ = (
        "_config",
        "_figures",
        "awaits_review",
        "changes",
        "hint_cells",
        "ledger",
        "message",
        "play",
        "review",
    )

    def __init__(self, config: SessionConfig, tokens: RandomBits) -> None:
        self._config = config
        self.ledger = Ledger(config, tokens)
        self.play: Play | None = None
        self.message = _SILENCE
        self.changes = 0
        """Counts whatever may have changed the look of the field."""
        self._figures: Sequence[str] = ()
        self.hint_cells = 0
        self.review: Sequence[str] = ()
        self.awaits_review = False

    def say(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        self.message = Message(text, tone) if text else _SILENCE

    # Beginning and ending

    def begin(self, order: Order, now_ms: int) -> Effects:
        """Begin a game; a running one is given up."""
        effects = self.give_up(now_ms)
        is_debugged = self.play is not None and self.play.is_debugged
        play = Play(Game(order.setup), order.title, order.code or self.ledger.new_code())
        self.message = messages.aim_of(play.game.setup.rules, is_repeat=play.title.is_repeat)
        self._sit_down(play)
        if not is_debugged:
            return effects
        # Whoever sees the mines from the start has had help, also without a single action.
        play.toggle_debug(now_ms)
        return (*effects, *self.ledger.keep(play, now_ms))

    def give_up(self, now_ms: int) -> Effects:
        """Terminate the running game, if there is one."""
        play = self.play
        if play is None or play.game.status is not Status.ONGOING:
            return NO_EFFECTS
        return self._give_up(play, now_ms)

    def take_up(self, play: Play, now_ms: int) -> bool:
        """Go on with a game that was kept, unless it has ended."""
        if play.is_over:
            return False
        if not play.is_paused:
            play.run_clock(now_ms)
        self.say("" if play.is_paused else messages.RESUMED)
        self._sit_down(play)
        return True

    def load(self, play: Play, now_ms: int) -> Effects:
        """Go on with a saved game. What was known later is not forgotten: it counts as a repeat."""
        effects = self.give_up(now_ms)
        play.entitle(replace(play.title, is_repeat=True))
        play.code = self.ledger.new_code()
        play.is_paused = False
        play.run_clock(now_ms)
        self.say(messages.LOADED)
        self._sit_down(play)
        return (*effects, *self.ledger.keep(play, now_ms))

    def leave(self, now_ms: int) -> Effects:
        """Rise from the table; a game that is kept waits, with its clock stopped."""
        play, self.play = self.play, None
        if play is None or play.is_over or not play.game.was_played:
            return self.ledger.part(None, now_ms)
        if self.ledger.keeper is None:
            return self._give_up(play, now_ms)
        play.stop_clock(now_ms)
        return self.ledger.part(play, now_ms)

    def _give_up(self, play: Play, now_ms: int) -> Effects:
        """Terminate a game. One that was never acted on does not count."""
        was_played = play.game.was_played
        play.game.terminate()
        return self.ledger.keep(play, now_ms) if was_played else NO_EFFECTS

    def let_go(self) -> None:
        """Rise from the table while the game goes on elsewhere."""
        self.play = None
        self.ledger.admit("", None)

    def _sit_down(self, play: Play) -> None:
        self.play = play
        self._forget_end()
        if play.title.is_no_guess and not self._config.has_solver:
            play.give_up_no_guess()
            self.say(messages.NO_SOLVER, Tone.WARNING)

    # Playing

    def move(self, columns: int, rows: int, now_ms: int) -> Effects:
        play = self.live
        if play is None:
            return self.idle()
        play.move(columns, rows)
        return self.ledger.jot(play, now_ms)

    def move_to(self, cell: Cell, now_ms: int) -> Effects:
        """Put the cursor on a cell; one that is off the board is told and changes nothing."""
        play = self.live
        if play is None:
            return self.idle()
        if cell not in play.game.setup.size:
            self.say(messages.no_cell(cell), Tone.WARNING)
            return NO_EFFECTS
        play.cursor = cell
        return self.ledger.jot(play, now_ms)

    def act(self, kind: ActionKind, now_ms: int) -> Effects:
        """Reveal, flag or chord at the cursor."""
        play = self.live
        if play is None:
            return self.idle()
        if play.game.is_full:
            self.say(messages.GAME_IS_FULL, Tone.WARNING)
            return NO_EFFECTS
        if play.title.is_no_guess and kind is ActionKind.REVEAL and play.needs_layout:
            return (Ask(LayBoard(play.game.setup, play.cursor)),)
        self.message = _SILENCE
        if play.act(kind, now_ms):
            self.touch()
            if play.game.status is not Status.ONGOING:
                self.message = messages.OUTCOMES[play.game.status]
                self.awaits_review = self._config.has_solver
        return self.ledger.keep(play, now_ms)

    def undo(self, steps: int, now_ms: int) -> Effects:
        """Take back actions, also one that ended the game."""
        play = self.play
        if self.is_paused:
            return self.idle()
        if play is None or not play.game.can_undo or steps < 1:
            self.say(messages.NOTHING_TO_UNDO)
            return NO_EFFECTS
        taken = 0
        while taken < min(steps, MOST_UNDO_STEPS) and play.apply(Action(ActionKind.UNDO), now_ms):
            taken += 1
        if not taken:
            self.say(messages.GAME_IS_FULL, Tone.WARNING)
            return NO_EFFECTS
        self._forget_end()
        self.say(messages.undone(taken))
        return self.ledger.keep(play, now_ms)

    def toggle_debug(self, now_ms: int) -> Effects:
        play = self.live
        if play is None:
            return self.idle()
        if not self._config.debug_allowed:
            self.say(messages.DEBUG_FORBIDDEN, Tone.WARNING)
            return NO_EFFECTS
        if play.game.is_full and not play.game.assisted:
            self.say(messages.GAME_IS_FULL, Tone.WARNING)
            return NO_EFFECTS
        is_marked = play.toggle_debug(now_ms)
        self.touch()
        self.say(messages.DEBUG_ON if play.is_debugged else messages.DEBUG_OFF)
        return self.ledger.keep(play, now_ms) if is_marked else NO_EFFECTS

    # Pausing

    def toggle_pause(self, now_ms: int) -> Effects:
        play = self.play
        if play is None or play.is_over:
            return NO_EFFECTS
        return self.go_on(now_ms) if play.is_paused else self.pause(now_ms)

    @property
    def is_paused(self) -> bool:
        return self.play is not None and self.play.is_paused

    def pause(self, now_ms: int) -> Effects:
        """Stop the clock and hide the board."""
        play = self.live
        if play is None:
            return NO_EFFECTS
        play.stop_clock(now_ms)
        play.is_paused = True
        self.touch()
        self.say("")
        return self.ledger.jot(play, now_ms)

    def go_on(self, now_ms: int) -> Effects:
        play = self.play
        if play is None or not play.is_paused:
            return NO_EFFECTS
        play.is_paused = False
        play.run_clock(now_ms)
        self.touch()
        self.say("")
        return self.ledger.jot(play, now_ms)

    # Showing

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
            message=self._message_of(play),
            state=messages.state_of(play, is_saved=self.ledger.is_saved),
            debug_mines=play.debug_mines(),
            hint_cells=self.hint_cells,
            solved_share=shown_share(play.game),
            clock_runs=play.clock_runs or self.awaits_review,
            is_paused=play.is_paused,
            summary=(*self._summary(play), *self.review),
            keys=messages.KEYS_OVER if play.is_over else messages.KEYS_PLAYING,
        )

    def _message_of(self, play: Play) -> Message:
        """Return what is to be said; of a pause only as long as there is nothing newer."""
        return messages.PAUSED if play.is_paused and not self.message.text else self.message

    def _summary(self, play: Play) -> Sequence[str]:
        """Return the figures of a game that has ended, reckoned once."""
        if not self._figures and play.game.status in messages.OUTCOMES:
            self._figures = summarise(play.game, is_repeat=play.title.is_repeat)
        return self._figures

    @property
    def live(self) -> Play | None:
        """The game, while something can be done to it."""
        play = self.play
        if play is None or play.is_paused or play.game.status is not Status.ONGOING:
            return None
        return play

    def idle(self) -> Effects:
        """Do nothing; before a game and while one is paused, what was said is no news any more."""
        if self.play is None or self.play.is_paused:
            self.message = _SILENCE
        return NO_EFFECTS

    def _forget_end(self) -> None:
        self._figures = ()
        self.review = ()
        self.awaits_review = False
        self.touch()

    def touch(self) -> None:
        self.changes += 1
        self.hint_cells = 0
