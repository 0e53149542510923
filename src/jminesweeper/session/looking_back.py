"""Looking back at the game that has just ended, or at earlier ones: replay, analysis, export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from jminesweeper.core.actions import ON_A_CELL, ActionKind, unpack_entry
from jminesweeper.core.game import Game
from jminesweeper.core.grid import Cell
from jminesweeper.protocol.packets import LookBack, RecordingContent, Replay, encode
from jminesweeper.protocol.packets import Odds as AskOdds
from jminesweeper.protocol.view import STATES, Listing
from jminesweeper.protocol.vocabulary import LookBackAt
from jminesweeper.recordings.recording import Recording, caption
from jminesweeper.recordings.svg import format_svg
from jminesweeper.recordings.text import format_game
from jminesweeper.records.meeting import room_that_plays
from jminesweeper.records.players import open_game
from jminesweeper.records.reading import list_games
from jminesweeper.session import saves
from jminesweeper.session.matches import Match, MatchSeat, Odds
from jminesweeper.session.messages import MESSAGES, SILENCE, Message, Tone, day_of, seconds
from jminesweeper.session.opening import open_match
from jminesweeper.session.picture import Field, Picture
from jminesweeper.session.player import Player
from jminesweeper.session.reply import Analyse, FindOdds, FoundOdds
from jminesweeper.session.rights import RIGHTS, Mode, Verb
from jminesweeper.session.talks import STAY, Flow, Option, Page, Row, SessionLayer, choose

MOST_ACTIONS: Final = 1_000
"""On the largest board, going back in such a game takes a server 35 ms."""
MOST_GAMES: Final = 50
"""Games of a player in a list, the latest."""
MOST_EXPORTED: Final = 8_000
"""Actions of a game written as text; a server takes some ten milliseconds for that."""
MOST_DRAWN: Final = 3_000
"""Cells of a game drawn as a picture: 15 ms of a server, and half of the largest packet."""
_HOW_TO_EXPORT: Final = (
    "Export writes this game into a file.",
    "jminesweeper replays and analyses it, and converts it for other programs:",
    "",
    "  jminesweeper replay FILE",
    "  jminesweeper analyse FILE",
    "  jminesweeper export FILE game.rawvf",
    "",
    "This is what the file says:",
)


class ReplayPage(SessionLayer):
    """A game at one of its positions, from before its first action to its end.

    A front end plays it at any speed by asking for positions. Where the game goes back, it is
    played again from its start, so only games of some length are shown.
    """

    def __init__(self, game: Game, label: str, figures: Sequence[tuple[str, str]]) -> None:
        self._recording = Recording(game)
        self.label = label
        self.figures = figures
        self.times = tuple(action.at_ms for action in self._recording.actions)
        self.position = 0
        self._placing = object()
        """Identifies the last time that the cursor was put on the cell of an action."""
        self.odds: Odds | None = None
        """The chances of a mine at this position, while they are shown."""

    @property
    def whole(self) -> Game:
        """The game as it ended."""
        return self._recording.position(self._recording.last)

    @property
    def game(self) -> Game:
        return self._recording.position(self.position)

    @property
    def cell(self) -> Cell:
        """The cell of the last action."""
        return self._recording.cell(self.position)

    @property
    def clock_ms(self) -> int:
        return self._recording.at_ms(self.position)

    @property
    def caption(self) -> Message:
        text, tone = caption(self._recording, self.position)
        return Message("replay", text, Tone(tone))

    @property
    def question(self) -> FindOdds:
        """Return what to ask for these chances; at the end, those of the moment before."""
        return FindOdds(self.game.view.before_the_end(), self.cell)

    def go_to(self, position: int) -> None:
        self.position, before = min(position, self._recording.last), self.position
        self.odds = None
        if self.position != before:
            self._placing = object()

    def describe(self, player: Player) -> Picture:
        game, view = self.game, self.game.view
        members = {
            "state": STATES[view.status],
            "label": self.label,
            "aim": SILENCE,
            "mines": view.mine_count,
            "left": view.mines_left,
            "clock": self.clock_ms,
            "clock_runs": False,
            "first": (),
            "hint": (),
            "flash": (),
            "odds": self.odds,
            "figures": self.figures,
            "replay": self.times,
            "position": self.position,
            "page": None,
            "message": player.message if player.message.id else self.caption,
            "keys": RIGHTS[Mode.REPLAY].offers,
            "refresh": None,
        }
        return Picture(members, Field(game.grid, view), self.cell, self._placing)


class ExportPage(Page):
    """A game as text, and how to keep it."""

    mode = Mode.EXPORTING

    def __init__(self, game: Game, text: str) -> None:
        super().__init__("export", "Export", [*_HOW_TO_EXPORT, "", *text.splitlines()])
        self.whole = game


def look(player: Player, packet: LookBack) -> None:
    """Show something about the game that has ended, or hand it over."""
    match packet.what:
        case LookBackAt.REPLAY:
            player.talks.begin(replay(player))
        case LookBackAt.ANALYSIS:
            player.talks.begin(analyse(player))
        case LookBackAt.RECORDING:
            hand_over(player, _recording_of)
        case LookBackAt.PICTURE:
            hand_over(player, _picture_of)
        case LookBackAt.PLAY_ON:
            play_on(player)
        case _:
            player.say("bad.look", number=packet.what)


def hand_over(player: Player, write: Callable[[Player, Game], str | None]) -> None:
    """Answer with a game in place of a view: that of the layer on top, or else one's own."""
    layer = player.talks.layer
    if isinstance(layer, ReplayPage | ExportPage):
        game = layer.whole
    elif (why := player.refusal(Verb.EXPORT)).id:
        player.message = why
        return
    elif (seat := _ended(player)) is not None:
        game = seat.match.game
    else:
        return
    if (text := write(player, game)) is not None:
        player.out.reply_bytes = encode(RecordingContent(text.encode()))


def replay(player: Player) -> Flow:
    """Show the game again, action by action."""
    if (seat := _ended(player)) is None:
        return STAY
    return (yield from _replay(player, seat.match, seat.figures))


def _replay(player: Player, match: Match, figures: Sequence[tuple[str, str]]) -> Flow:
    if len(match.game.log) > MOST_ACTIONS:
        player.say("too.long.replay")
        return STAY
    player.message = SILENCE
    yield ReplayPage(match.game, match.variant.label, figures)
    return STAY


def play_on(player: Player) -> None:
    """Begin a game where the replay is, on a board that was seen before."""
    page = player.talks.layer
    if not isinstance(page, ReplayPage):
        player.say("replay.none")
        return
    player.message = SILENCE
    whole, position = page.whole, page.position

    def begin_there() -> None:
        """Do the first actions again; the one that ended the game is left to the player."""
        player.begin(whole.shared_setup.as_repeat())
        for entry in whole.log.entries[:position]:
            _, kind, index, _ = unpack_entry(entry)
            is_undo = kind == ActionKind.UNDO
            seat = player.seat
            if seat is None or not (is_undo or kind in ON_A_CELL):
                continue
            cell = None if is_undo else whole.grid.cell(index)
            player.act(ActionKind(kind), cell)
            if cell is not None:
                seat.put_cursor(cell)
            if seat.match.is_over:
                player.act(ActionKind.UNDO)
                break
        player.say("played.on")

    player.talks.begin(saves.give_up_for(player, begin_there))


def show_position(player: Player, packet: Replay) -> None:
    """Show a replay at a position."""
    player.message = SILENCE
    if isinstance(page := player.talks.layer, ReplayPage):
        page.go_to(packet.position)


def show_odds(player: Player, _packet: AskOdds) -> None:
    """Show the chances of a mine in a replay, until the next step; nothing is lost by it."""
    page = player.talks.layer
    player.message = SILENCE
    if not isinstance(page, ReplayPage):
        return
    if page.odds is not None:
        page.odds = None
    else:
        player.talks.begin(_find_odds(player, page))


def _find_odds(player: Player, page: ReplayPage) -> Flow:
    found: FoundOdds | None = yield page.question
    if found is None:
        player.say("odds.none")
    else:
        page.odds = found.on(page.game.grid)
        player.say("odds")
    return STAY


def analyse(player: Player) -> Flow:
    """Show which reveals were guesses, and how lucky the game was."""
    if (seat := _ended(player)) is None:
        return STAY
    return (yield from _analyse(player, seat.match))


def _analyse(player: Player, match: Match) -> Flow:
    game = match.game
    lines: Sequence[str | Listing] | None = yield Analyse(game.setup, game.log.entries[:])
    if lines is None:
        player.say("analysis.none")
        return STAY
    player.message = SILENCE
    yield Page("analysis", "Analysis", lines)
    return STAY


def export(player: Player) -> Flow:
    """Explain how to keep the game, and show its recording."""
    if (seat := _ended(player)) is None:
        return STAY
    return (yield from _export(player, seat.match))


def _export(player: Player, match: Match) -> Flow:
    if (text := _recording_of(player, match.game)) is None:
        return STAY
    player.message = SILENCE
    yield ExportPage(match.game, text)
    return STAY


LOOKS: Final = (
    (Verb.REPLAY, "Replay", replay, "The last game again, action by action."),
    (Verb.ANALYSIS, "Analysis", analyse, "Which reveals were guesses, and how lucky."),
    (Verb.EXPORT, "Export", export, "The last game as text, to keep."),
)
"""Rows of a menu: ways to look at a game that has ended."""


def _recording_of(player: Player, game: Game) -> str | None:
    if len(game.log) > MOST_EXPORTED:
        player.say("too.long.export")
        return None
    return format_game(game)


def _picture_of(player: Player, game: Game) -> str | None:
    if len(game.log) > MOST_ACTIONS or game.grid.size.cells > MOST_DRAWN:
        player.say("too.long.picture")
        return None
    return format_svg(game)


def _ended(player: Player) -> MatchSeat | None:
    """Return the seat if its match has ended, or say that it is still running."""
    seat = player.seat
    if seat is None or not seat.match.is_over:
        player.say("not.ended")
        return None
    return seat


# All games of a player


def show_games(player: Player) -> Flow:
    """List the player's games that have ended, the latest first, to look at each."""
    listed = yield from list_games(player.account.id, MOST_GAMES)
    options: list[Option] = []
    for code, game in listed:
        if (outcome := game.outcome) is not None:
            label, day = game.variant.label, day_of(outcome.ended_at_s).isoformat()
            figures = (outcome.status.value, seconds(outcome.time_ms), day)
            told = f"{label}, {', '.join(figures)}: replay, analyse or export it."
            row = Row(f"game.{code}", label, figures=figures, help=told)
            options.append(Option(row, partial(_show_game, player, code)))
    if not options:
        player.say("games.none")
        return STAY
    return (yield from choose(player, "games", "Your games", lambda: options))


def _show_game(player: Player, code: str) -> Flow:
    """Offer to replay, analyse and export one game, unless others still play its board."""
    if (yield from room_that_plays(code)) is not None:
        player.say("race.later")
        return STAY
    opened = yield from open_game(code)
    match = None if opened is None else (yield from open_match(player, opened))
    if match is None:
        player.say("unreadable")
        return STAY
    no_solver = "" if player.config.has_solver else MESSAGES["analysis.off"][0]
    looks = (
        ("replay", "Replay", "", partial(_replay, player, match, match.summary())),
        ("analysis", "Analysis", no_solver, partial(_analyse, player, match)),
        ("export", "Export", "", partial(_export, player, match)),
    )
    options = [Option(Row(name, label, disabled=why_not), do) for name, label, why_not, do in looks]
    return (yield from choose(player, "game", match.variant.label, lambda: options))
