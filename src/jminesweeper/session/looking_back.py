"""Looking back at the game that has just ended: replay, analysis and export."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Final

from jminesweeper.core.game import Game
from jminesweeper.protocol.encode import encode
from jminesweeper.protocol.packets import LookBack, RecordingContent
from jminesweeper.protocol.vocabulary import Command, JumpTo, LookBackAt
from jminesweeper.recordings.recording import Recording
from jminesweeper.recordings.text import format_game
from jminesweeper.screen.models import GameScreen, Listing, MenuItem, Message, Odds
from jminesweeper.screen.replayed import caption, time_line
from jminesweeper.session import messages
from jminesweeper.session.match import Match
from jminesweeper.session.menus import Menu, Page, Row
from jminesweeper.session.player import Player
from jminesweeper.session.reply import Analyse, FindOdds, FoundOdds
from jminesweeper.session.talks import STAY, Flow, Layer

MOST_ACTIONS: Final = 1_000
"""On the largest board, going back in such a game takes a server 35 ms."""
MOST_EXPORTED: Final = 8_000
"""Actions of a game written as text; a server takes some ten milliseconds for that."""
_MOST_LINES: Final = 500
"""Of a recording on a page."""
_LEAP: Final = 10
_SKIP_MS: Final = 10_000
_JUMPS: Final[Mapping[int, int]] = {
    JumpTo.LEFT: -_LEAP,
    JumpTo.RIGHT: _LEAP,
    JumpTo.UP: -_LEAP,
    JumpTo.DOWN: _LEAP,
    JumpTo.ROW_START: -MOST_ACTIONS,
    JumpTo.TOP: -MOST_ACTIONS,
    JumpTo.ROW_END: MOST_ACTIONS,
    JumpTo.BOTTOM: MOST_ACTIONS,
}
_SKIPS: Final[Mapping[int, int]] = {JumpTo.PAGE_UP: -_SKIP_MS, JumpTo.PAGE_DOWN: _SKIP_MS}


class ReplayPage(Layer):
    """A game at one of its positions, from before its first action to its end.

    Nothing plays by itself here: each step is a key, as everywhere else in a session. Where the
    game goes back, it is played again from its start, so only games of some length are shown.
    """

    def __init__(self, game: Game, label: str) -> None:
        self._recording = Recording(game)
        self._label = label
        self._position = 0
        self.odds: Odds | None = None
        """The chances of a mine at this position, while they are shown."""

    @property
    def question(self) -> FindOdds:
        """Return what to ask for these chances; at the end, those of the moment before."""
        view = self._recording.position(self._position).view
        return FindOdds(view.before_the_end(), self._recording.cell(self._position))

    def step(self, rows: int) -> None:
        """Go some actions on for each row, as the wheel and the arrows ask for it."""
        self._go_to(self._position + rows * _LEAP)

    def turn(self, columns: int) -> None:
        """Go an action on or back."""
        self._go_to(self._position + columns)

    def jump(self, direction: int) -> None:
        """Go ten actions or ten seconds, or to an end."""
        if direction in _SKIPS:
            self._skip(_SKIPS[direction])
        else:
            self._go_to(self._position + _JUMPS.get(direction, 0))

    def _skip(self, ms: int) -> None:
        """Go to the last action within a time."""
        until_ms = self._recording.at_ms(self._position) + ms
        self._go_to(bisect_right(self._recording.actions, until_ms, key=lambda each: each.at_ms))

    def _go_to(self, position: int) -> None:
        self._position = min(max(position, 0), self._recording.last)
        self.odds = None

    def model(self, message: Message) -> GameScreen:
        recording, position = self._recording, self._position
        return GameScreen(
            view=recording.position(position).view,
            cursor=recording.cell(position),
            label=self._label,
            elapsed_ms=recording.at_ms(position),
            message=message if message.text else caption(recording, position),
            state=messages.REPLAY,
            time_line=time_line(recording, position),
            keys=messages.KEYS_REPLAY,
            odds=self.odds,
        )


def look(player: Player, packet: LookBack) -> None:
    """Show something about the game that has ended, or hand it over."""
    if player.presenter is None:
        player.warn(messages.NO_HELLO)
        return
    match packet.what:
        case LookBackAt.REPLAY:
            player.begin_talk(replay(player))
        case LookBackAt.ANALYSIS:
            player.begin_talk(analyse(player))
        case LookBackAt.RECORDING:
            hand_over(player)
        case _:
            player.warn(messages.no_such("look back", packet.what))


def choose(player: Player) -> Flow:
    """Offer what there is to see."""
    rows = [
        Row(MenuItem("Replay", note=messages.ABOUT_REPLAY), replay),
        Row(MenuItem("Analysis", note=messages.ABOUT_ANALYSIS), analyse),
        Row(MenuItem("Export", note=messages.ABOUT_EXPORT), export),
    ]
    menu = Menu("Look back", rows)
    while (pick := (yield menu)) is not None:
        yield from pick.value(player)
    return STAY


def hand_over(player: Player) -> None:
    """Answer with the recording in place of a screen."""
    if (text := _recording(player)) is not None:
        player.out.send(encode(RecordingContent(text.encode())))


def replay(player: Player) -> Flow:
    """Show the game again, action by action."""
    match = _ended(player)
    if match is None:
        return STAY
    if len(match.game.log) > MOST_ACTIONS:
        player.warn(messages.TOO_LONG_TO_REPLAY)
        return STAY
    player.hush()
    yield ReplayPage(match.game, match.variant.label)
    return STAY


def show_odds(player: Player, _packet: Command) -> None:
    """Show the chances of a mine in a replay, until the next step; nothing is lost by it."""
    layer = player.talks.layer
    player.hush()
    if not isinstance(layer, ReplayPage):
        return
    if layer.odds is not None:
        layer.odds = None
    elif player.config.has_solver:
        player.begin_talk(_find_odds(player, layer))
    else:
        player.warn(messages.NO_HINTS)


def _find_odds(player: Player, page: ReplayPage) -> Flow:
    found: FoundOdds | None = yield page.question
    if found is None:
        player.warn(messages.NO_ODDS)
    else:
        page.odds = Odds(found.percents)
    return STAY


def analyse(player: Player) -> Flow:
    """Show which reveals were guesses, and how lucky the game was."""
    match = _ended(player)
    if match is None:
        return STAY
    if not player.config.has_solver:
        player.warn(messages.NO_ANALYSES)
        return STAY
    lines: Sequence[str | Listing] | None = yield Analyse(
        match.game.setup, match.game.log.entries[:]
    )
    if lines is None:
        player.warn(messages.NO_ANALYSIS)
        return STAY
    player.hush()
    yield Page("Analysis", lines)
    return STAY


def export(player: Player) -> Flow:
    """Explain how to keep the game, and show its recording for plain-text clients."""
    text = _recording(player)
    if text is None:
        return STAY
    lines = text.splitlines()
    rest = len(lines) - _MOST_LINES
    more = [messages.and_more(rest)] if rest > 0 else []
    player.hush()
    yield Page("Export", [*messages.HOW_TO_EXPORT, "", *lines[:_MOST_LINES], *more])
    return STAY


def _recording(player: Player) -> str | None:
    match = _ended(player)
    if match is None:
        return None
    if len(match.game.log) > MOST_EXPORTED:
        player.warn(messages.TOO_LONG_TO_EXPORT)
        return None
    return format_game(match.game)


def _ended(player: Player) -> Match | None:
    """Return the match if it has ended, or say that it is still running."""
    match = player.match
    if match is None or not match.is_over:
        player.warn(messages.NOT_ENDED)
        return None
    return match
