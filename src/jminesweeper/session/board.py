"""What a player does at the board: cursor, reveal, flag, chord, undo, debug, pause, hint.

Every function takes the packet that asked for it. What RETURN does on a number is the game's to
say (`core.game`), since a reveal of a visible cell is a chord where the rules have one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from jminesweeper.core.actions import ActionKind
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.core.view import ONGOING, Status
from jminesweeper.protocol.packets import Act, Jump, MoveTo, Packet, Pointer, Undo
from jminesweeper.protocol.vocabulary import Button, Command, JumpTo
from jminesweeper.session import messages
from jminesweeper.session.choosing import is_board_of_day
from jminesweeper.session.match import Match
from jminesweeper.session.menus import Page
from jminesweeper.session.player import Player
from jminesweeper.session.presenters import AnsiPresenter
from jminesweeper.session.reply import LayBoard, Review
from jminesweeper.session.talks import LEAVE_MENUS, STAY, Flow

MOST_UNDO_STEPS: Final = 1_000
"""In one packet: no player may keep the others waiting."""

FIGURES: Final = "Figures"
STEPS: Final[Mapping[Packet, tuple[int, int]]] = {
    Command.MOVE_LEFT: (-1, 0),
    Command.MOVE_RIGHT: (1, 0),
    Command.MOVE_UP: (0, -1),
    Command.MOVE_DOWN: (0, 1),
}
WHEEL: Final[Mapping[int, int]] = {Button.WHEEL_UP: -1, Button.WHEEL_DOWN: 1}

_REVEAL, _FLAG = ActionKind.REVEAL, ActionKind.FLAG

J_RULES: Final = "jminesweeper"
_WHEEL_ROWS: Final = 3
_LEAPS: Final[Mapping[int, tuple[int, int]]] = {
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
ACTIONS: Final[Mapping[Packet, ActionKind]] = {
    Command.REVEAL: ActionKind.REVEAL,
    Command.TOGGLE_BOMB_MARK: ActionKind.FLAG,
    Command.CHORD: ActionKind.CHORD,
}
_BUTTONS: Final[Mapping[int, ActionKind]] = {
    Button.REVEAL: ActionKind.REVEAL,
    Button.FLAG: ActionKind.FLAG,
    Button.CHORD: ActionKind.CHORD,
}


# The cursor

# Most keys move it by a step, and to look a cell up takes a quarter of the time to make one.
_cell_at: Final = lru_cache(maxsize=4_096)(Cell)


def move(player: Player, packet: Command) -> None:
    columns, rows = STEPS[packet]
    _move_by(player, columns, rows)


def jump(player: Player, packet: Jump) -> None:
    if packet.direction in _VIEWS:
        _VIEWS[packet.direction](player)
        return
    leap = _LEAPS.get(packet.direction)
    if leap is None:
        player.warn(messages.no_such("jump", packet.direction))
    else:
        _move_by(player, *leap)


def move_to(player: Player, packet: MoveTo) -> None:
    _put_cursor(player, Cell(packet.column, packet.row))


def _move_by(player: Player, columns: int, rows: int) -> None:
    """Move the cursor, stopping at the edge."""
    match = player.live_match()
    if match is None:
        _look_around(player, columns, rows)
        return
    size = match.game.grid.size
    column, row = player.cursor
    column, row = column + columns, row + rows
    if not (0 <= column < size.columns and 0 <= row < size.rows):
        column = min(max(column, 0), size.columns - 1)
        row = min(max(row, 0), size.rows - 1)
    player.cursor = _cell_at(column, row)


def _look_around(player: Player, columns: int, rows: int) -> None:
    """Show another part of a board that has ended, where it is larger than the screen."""
    presenter = player.presenter
    if player.match is None or player.is_paused or not isinstance(presenter, AnsiPresenter):
        player.idle()
    else:
        presenter.pan(columns, rows)


def _put_cursor(player: Player, cell: Cell) -> bool:
    """Put the cursor on a cell; one that is off the board is refused."""
    match = player.live_match()
    if match is None:
        player.idle()
        return False
    if not match.game.setup.size.has(cell):
        player.warn(messages.no_cell(cell))
        return False
    player.cursor = cell
    return True


# Looking at more than the board


def _toggle_overview(player: Player) -> None:
    """Show the whole of a board that is larger than the screen, or the part again."""
    if player.match is None or player.is_paused:
        player.idle()
    elif isinstance(player.presenter, AnsiPresenter) and player.presenter.shows_part:
        player.hush()
        player.is_overview = not player.is_overview
    else:
        player.is_overview = False
        player.say(messages.WHOLE_BOARD)


def leave_overview(player: Player) -> bool:
    """Show the part again; return whether there was an overview."""
    was_overview, player.is_overview = player.is_overview, False
    presenter = player.presenter
    return was_overview and isinstance(presenter, AnsiPresenter) and presenter.shows_part


def _open_figures(player: Player) -> None:
    match = player.match
    summary = () if match is None else (*match.summary(), *player.review_lines)
    if match is None or not summary:
        player.say(messages.NO_FIGURES_YET)
        return
    player.hush()
    signs = ("", *messages.LOST_SIGNS) if match.game.status is Status.LOST else ()
    player.begin_talk(_read_figures([*summary, *signs]))


def _read_figures(lines: Sequence[str]) -> Flow:
    yield Page(FIGURES, lines)
    return STAY


_VIEWS: Final[Mapping[int, Callable[[Player], None]]] = {
    JumpTo.OVERVIEW: _toggle_overview,
    JumpTo.FIGURES: _open_figures,
}


# Reveal, flag and chord


def act(player: Player, packet: Command) -> None:
    if not (player.is_overview and leave_overview(player)):
        _act(player, ACTIONS[packet])


def act_on(player: Player, packet: Act) -> None:
    """Press a button on a cell of the field."""
    kind = _BUTTONS.get(packet.button)
    if kind is None:
        player.warn(messages.no_such("button", packet.button))
    elif _put_cursor(player, Cell(packet.column, packet.row)):
        _act(player, kind)


def point(player: Player, packet: Pointer) -> str:
    """Press a button at a place on the screen; return the key whose label is there, if any."""
    if packet.button in WHEEL:
        _move_by(player, 0, WHEEL[packet.button] * _WHEEL_ROWS)
        return ""
    kind = _BUTTONS.get(packet.button)
    if kind is None:
        player.warn(messages.no_such("button", packet.button))
        return ""
    place = player.presenter.locate(packet.column, packet.row) if player.presenter else None
    match place:
        case str():
            return place
        case Cell() if player.is_overview and leave_overview(player):
            _go_to(player, place)
        case Cell():
            if _put_cursor(player, place):
                _act(player, kind)
        case _:
            player.idle()
    return ""


def _go_to(player: Player, cell: Cell) -> None:
    """Go on at a cell; once the game is over, look there."""
    presenter = player.presenter
    if not _put_cursor(player, cell) and isinstance(presenter, AnsiPresenter):
        presenter.show(cell)


def _act(player: Player, kind: ActionKind) -> None:
    """Reveal, flag or chord at the cursor."""
    match = player.live_match()
    if match is None:
        player.idle()
    elif match.game.is_full:
        player.warn(messages.GAME_IS_FULL)
    elif kind is _REVEAL and match.needs_layout(player.cursor):
        player.begin_talk(_reveal_on_laid_board(player, match))
    else:
        _apply(player, match, kind)


def _apply(player: Player, match: Match, kind: ActionKind) -> None:
    player.hush()
    if kind is _FLAG and _asks(player, match.game):
        kind = ActionKind.QUESTION
    if not match.act(kind, player.cursor, player.now_ms):
        _flash(player, match.game, kind)
    else:
        player.touch()
        if match.game.status is not ONGOING:
            _end(player, match)
        elif missing := match.missing_flags():
            player.say(messages.missing(missing))
    player.keep()


def _end(player: Player, match: Match) -> None:
    status = match.game.status
    player.message = messages.OUTCOMES[status]
    _look_back(player, match.game)
    player.is_best_due = status is Status.WON and player.lease.is_held and match.is_ranked


def _asks(player: Player, game: Game) -> bool:
    """Whether the next mark of the selected cell sets or removes a question mark.

    J's game has none, whatever the settings say.
    """
    if not player.settings.question_marks or game.setup.rules.name == J_RULES:
        return False
    return bool((game.flagged | game.questioned) & game.grid.bit(player.cursor))


def _flash(player: Player, game: Game, kind: ActionKind) -> None:
    """Show which cells around a number could not be opened because flags are missing."""
    view = game.view
    if not view.is_visible(player.cursor):
        return
    if not game.setup.rules.chording:
        if kind is ActionKind.CHORD:
            player.say(messages.NO_CHORDS)
        return
    around = game.grid.around(game.grid.index(player.cursor))
    clue, flags = view.clue(player.cursor), (around & view.flagged).bit_count()
    if clue == flags:
        return  # a flag was put on a number that lacks none
    player.flash_cells = around & view.covered
    if player.flash_cells:
        player.say(messages.unmet(clue, flags))


def _look_back(player: Player, game: Game) -> None:
    """Have an ended game reviewed, if its player will see the result."""
    is_seen = player.is_live or isinstance(player.presenter, AnsiPresenter)
    if player.config.has_solver and is_seen:
        player.review = Review(game.setup, game.log.entries[:])
        player.out.start(player.review)


def _reveal_on_laid_board(player: Player, match: Match) -> Flow:
    """Make the first reveal on a board that needs no guess, once it is laid."""
    laid = yield LayBoard(match.game.setup, player.cursor)
    if laid is None:
        match.allow_guesses()
    else:
        match.lay(laid.mines, player.cursor)
    _apply(player, match, ActionKind.REVEAL)
    if not match.is_over:
        player.say(messages.laid(laid))
    return LEAVE_MENUS


def undo(player: Player, packet: Undo) -> None:
    take_back(player, packet.steps)


def take_back(player: Player, steps: int) -> None:
    """Undo actions, the one that ended the game included."""
    match = player.match
    if match is None or player.is_paused:
        player.idle()
        return
    if not match.game.can_undo or steps < 1:
        player.say(messages.NOTHING_TO_UNDO)
        return
    taken = 0
    while taken < min(steps, MOST_UNDO_STEPS) and player.act(ActionKind.UNDO):
        taken += 1
    if not taken:
        player.warn(messages.GAME_IS_FULL)
        return
    player.forget_end()
    player.say(messages.undone(taken))
    player.keep()


def toggle_debug(player: Player, _packet: Command) -> None:
    """Show or hide the mines; the game is assisted from then on."""
    match = player.live_match()
    if match is None:
        player.idle()
    elif not player.config.debug_allowed:
        player.warn(messages.DEBUG_FORBIDDEN)
    elif is_board_of_day(match.game.setup, player.config.today(player.now_ms)):
        player.warn(messages.NO_DEBUG_TODAY)
    elif match.game.is_full and not match.game.assisted:
        player.warn(messages.GAME_IS_FULL)
    else:
        player.is_debugged = not player.is_debugged
        player.touch()
        player.say(messages.DEBUG_ON if player.is_debugged else messages.DEBUG_OFF)
        if player.is_debugged and not match.game.assisted:
            player.act(ActionKind.DEBUG)
            player.keep()


def toggle_pause(player: Player, _packet: Command) -> None:
    match = player.match
    if match is None or match.is_over:
        return
    player.hush()
    if player.is_paused:
        player.go_on()
    else:
        player.pause()
