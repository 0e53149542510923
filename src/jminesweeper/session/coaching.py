"""What a solver does for a table: hints, boards that need no guess, and the look back."""

from __future__ import annotations

from collections.abc import Sequence

from jminesweeper.core import Action, ActionKind, Game
from jminesweeper.screen import Tone
from jminesweeper.session import messages
from jminesweeper.session.effects import NO_EFFECTS, Ask, Effects
from jminesweeper.session.requests import FindHint, Laid, Review, Tip
from jminesweeper.session.table import Table


def ask_hint(table: Table, *, has_solver: bool) -> Effects:
    """Ask where to go on."""
    play = table.live
    if play is None:
        return table.idle()
    if not has_solver or play.game.is_full:
        table.say(messages.GAME_IS_FULL if has_solver else messages.NO_HINTS, Tone.WARNING)
        return NO_EFFECTS
    if _is_first_reveal_safe(play.game):
        table.say(messages.FIRST_IS_SAFE)
        return NO_EFFECTS
    return (Ask(FindHint(play.game.view())),)


def _is_first_reveal_safe(game: Game) -> bool:
    """Whether any cell may be revealed: what a solver, who knows no rules, cannot tell."""
    setup = game.setup
    has_room = setup.mine_count < setup.size.cells
    is_first = not game.log.count_kinds()[ActionKind.REVEAL]
    return setup.protects_first_reveal and has_room and is_first


def take_hint(table: Table, tip: Tip | None, now_ms: int) -> Effects:
    """Show a hint; the game is assisted from then on."""
    play = table.live
    if play is None or tip is None:
        table.say(messages.NO_HINT, Tone.WARNING)
        return NO_EFFECTS
    play.apply(Action(ActionKind.HINT), now_ms)
    play.move_to(*tip.cell)
    table.touch()
    table.hint_cells = tip.cells
    table.say(tip.text)
    return table.ledger.keep(play, now_ms)


def take_board(table: Table, laid: Laid | None, now_ms: int) -> Effects:
    """Go on with the reveal that had to wait for its board."""
    play = table.live
    if play is None:
        return NO_EFFECTS
    if laid is None:
        play.give_up_no_guess()
    else:
        play.lay(laid.mines)
    effects = table.act(ActionKind.REVEAL, now_ms)
    if not play.is_over:
        table.say(messages.laid(laid))
    return effects


def ask_review(table: Table) -> Effects:
    """After the end, have the game looked back at once."""
    play = table.play
    if play is None or not table.awaits_review:
        return NO_EFFECTS
    table.awaits_review = False
    game = play.game
    return (Ask(Review(game.setup, game.log.entries, play.title.is_no_guess)),)


def take_review(table: Table, lines: Sequence[str] | None) -> Effects:
    """Show what the look back came to, below the figures."""
    table.review = lines or ()
    return NO_EFFECTS
