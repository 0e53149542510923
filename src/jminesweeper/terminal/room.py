"""A room: who is there, how everybody is doing, and what they say.

Without a board a room is a panel. Nobody but the players sees the board of a race, so who watches
one sees how far everybody is. With a board there is a line for each seat, beside the board or below
it. A race is in the order of its places; who has finished has a time in place of a bar. All bars
are of one length: they are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from jminesweeper.core.grid import Cell
from jminesweeper.protocol.view import STARTING, Listing
from jminesweeper.terminal.keys import KeyMap
from jminesweeper.terminal.lines import (
    Screen,
    StyledLine,
    apart,
    format_tenths,
    gap,
    in_columns,
    span,
    wrapped,
)
from jminesweeper.terminal.looks import Canvas, Style, Symbols, style_of_seat
from jminesweeper.terminal.menu import Choosing
from jminesweeper.terminal.panel import Panel, compose_message, place_panel
from jminesweeper.terminal.view import GameView, Phrase, RoomView, SeatView
from jminesweeper.terminal.words import MINES, PHRASES, Sentence

TITLES: Final = {"race": "Race", "shared": "Shared board"}
_WIDEST: Final = 60
_TWO_ABREAST: Final = 78
"""Width of a panel with two columns of choices, for when one has too few rows for them."""
_BETWEEN: Final = 3
_ROWS_AROUND: Final = 3
"""The panel's frame and the keys."""
_ROWS_WITH_PHRASES: Final = 6
"""Fewest rows beside those of the panel where the number keys are explained."""
_FEWEST_CHOICES: Final = 4
"""Lines that what the host chooses takes at least, with a blank one, where all else is shown."""
_USUAL_PORT: Final = ":9999"
_WITH_ALL_WAYS: Final = 22
"""Rows of a screen that has room for each way in; a smaller one names the first."""


def compose_room(
    view: GameView,
    said: Sentence,
    keys: KeyMap,
    canvas: Canvas,
    *,
    choosing: Choosing | None = None,
    host: str = "",
) -> Screen:
    """Compose the panel; more seats than there is room for are counted."""
    room, columns = view.room or RoomView("", "", ""), canvas.columns
    width = min(columns - 2, _WIDEST)
    below = compose_message(said.text, said.tone, columns)
    most = max(1, canvas.rows - _ROWS_AROUND - max(1, len(below)))
    has_more = False, False
    if room.is_waiting:
        rows, shown = _waiting_rows(view, width, most, canvas, choosing, host=host)
        if choosing is not None and len(shown) < len(choosing.menu.rows) and columns > _TWO_ABREAST:
            width = _TWO_ABREAST
            rows, shown = _waiting_rows(view, width, most, canvas, choosing, host=host, abreast=2)
        if choosing is not None:
            has_more = shown.start > 0, shown.stop < len(choosing.menu.rows)
    else:
        rows = [*_words(f"{room.label}. {rules_of(room)}", width), *_words("", width)]
        lines = compose_standings(view, width - 4, canvas.symbols)
        rows += _counted(
            [_row(line, StyledLine(), width) for line in lines], most - len(rows), width
        )
    if not below and "say" in view.keys and canvas.rows - len(rows) > _ROWS_WITH_PHRASES:
        below = in_columns(_phrases(), columns, _BETWEEN)
    panel = Panel(TITLES.get(room.kind, "Room"), rows[:most], width, *has_more)
    names = [*view.keys]
    if choosing is not None and columns > _WIDEST:
        names[1:1] = ["change"]
    return place_panel(panel, below, names, keys, canvas).screen


def _phrases() -> list[StyledLine]:
    """Write what the number keys say."""
    said = ((number, text) for number, text in PHRASES.items() if number)
    return [span(f"{number} ", Style.KEY) + span(text, Style.ASIDE) for number, text in said]


def rules_of(room: RoomView) -> str:
    """Say what a mine does here, and who may come."""
    series = f" {room.series.capitalize()}." if room.series else ""
    who = f"{series}{'' if room.bots else ' No bots.'}{' Open to everybody.' if room.open else ''}"
    return f"{MINES.get(room.mine, '')}{who}".strip()


def notes_on(seat: SeatView, room: RoomView) -> str:
    """Say who somebody is in the room."""
    notes = {
        "you": seat.number == room.you,
        "host": seat.number == room.host,
        "bot": seat.bot,
        "away": not seat.here,
    }
    return ", ".join(note for note, is_so in notes.items() if is_so)


def _waiting_rows(
    view: GameView,
    width: int,
    most: int,
    canvas: Canvas,
    choosing: Choosing | None,
    *,
    host: str,
    abreast: int = 1,
) -> tuple[list[StyledLine], range]:
    """Write code, ways in, seats and choices, and number the choices that are shown.

    Where rows are short, seats come before the rest.
    """
    room = view.room or RoomView("", "", "")
    rules = [*_words(f"{room.label}. {rules_of(room)}", width)]
    blank = _row(StyledLine(), StyledLine(), width)
    ways = [[*_words(way, width)] for way in ways_in(room, host)]
    ways = ways[: None if canvas.rows >= _WITH_ALL_WAYS else 1]
    seats = []
    for seat in view.seats:
        notes = ", ".join(filter(None, (seat.rating, notes_on(seat, room))))
        left = span(f"{seat.name[1:]:20} ", Style.ITEM) + span(notes, Style.DISABLED)
        ready = span("ready" if seat.ready else "...", Style.HEADING if seat.ready else Style.ITEM)
        initial = span(seat.initial, style_of_seat(seat.colour))
        seats.append(_row(initial + left, ready, width))
    how = "or with" if ways else "under Play together."
    code = _words(f"Code {room.code}. Friends join by it in their menu, {how}", width)
    rows = [*rules, blank, *code, *(line for way in ways for line in way), blank, *seats]
    least = 0 if choosing is None else _FEWEST_CHOICES
    if len(rows) + least <= most:
        if choosing is None:
            return rows, range(0)
        count = most - len(rows) - 1
        shown = choosing.window(count * abreast)
        return [*rows, blank, *choosing.lines(width, shown, canvas, abreast)], shown
    rows = [*_words(f"Code {room.code}", width), *rules]
    rows += _counted(seats, most - len(rows) - bool(least), width)
    shown = range(0)
    if choosing is not None:
        count = max(1, min(_FEWEST_CHOICES - 1, most - len(rows)))
        shown = choosing.window(count * abreast)
        rows += choosing.lines(width, shown, canvas, abreast)
    for way in ways:
        # A command in part would be of no use.
        rows += way if len(rows) + len(way) <= most else []
    return rows, shown


def _counted(lines: Sequence[StyledLine], most: int, width: int) -> list[StyledLine]:
    """Keep the lines that there is room for, and count the others."""
    if len(lines) <= most:
        return [*lines]
    shown = max(0, most - 1)
    return [*lines[:shown], *_words(f"and {len(lines) - shown} more", width)]


def ways_in(room: RoomView, typed: str) -> Iterator[str]:
    """Write what friends type or open: with the address typed here, or else the server's own."""
    doors = room.doors
    host, _, port = typed.rpartition("://")[2].rpartition(":")
    host, port = host or doors.host, port or str(doors.port)
    if not host:
        return
    place = typed or (f"[{host}]:{port}" if ":" in host else f"{host}:{port}")
    yield f"./run_client.sh --join {room.code} {place.removesuffix(_USUAL_PORT)}"
    if doors.ssh:
        yield f"ssh -t -p {port} {host.strip('[]')} join {room.code}"
    if doors.page:
        page = doors.page.replace(f"//{doors.host}:{doors.port}/", f"//{host}:{port}/")
        yield f"{page}#join={room.code}"


def _words(text: str, width: int) -> Iterator[StyledLine]:
    for line in wrapped(text, width - 4):
        yield _row(span(line, Style.ITEM), StyledLine(), width)


def _row(left: StyledLine, right: StyledLine, width: int) -> StyledLine:
    """Write a row of the panel, on its ground."""
    line = apart(span(" ", Style.ITEM) + left, right + span(" ", Style.ITEM), width)
    ground = bytes(style or Style.ITEM for style in line.styles)
    return StyledLine(line.text, ground)


# How everybody is doing

WIDEST: Final = 38
_CLOSER: Final = 2
_WIDTHS: Final = (WIDEST, 26, 19, 12)
"""Of a line below the board: the widest with which there is room for all."""
_NARROWEST_WITH_BARS: Final = 19
_NARROWEST_WITH_FLAGS: Final = 26
_LONGEST_BAR: Final = 16
_SHORTEST_BAR: Final = 4
_LONGEST_TOLD: Final = 8
"""As 100% and one mine."""
_INDENT: Final = 3
"""For a place, where there are places."""
YOU: Final = "you"
_POINTS: Final = 3
"""Columns of the points of a series, after a name."""
_RESULT: Final = ("Name", "time", "3BV/s", "effic.", "mines")


def compose_standings(view: GameView, width: int, symbols: Symbols) -> list[StyledLine]:
    """Write a line for each seat, once there is a board."""
    is_begun = view.room is not None and (view.state == STARTING or not view.room.is_waiting)
    is_shown = is_begun and view.replay is None
    if not (view.seats and is_shown):
        return []
    width = min(width, WIDEST)
    seats = view.seats
    if view.state == STARTING:
        # Nobody has done anything yet.
        return [_named(seat, view).cut(width) for seat in seats]
    is_short, has_bars = width < _NARROWEST_WITH_FLAGS, width >= _NARROWEST_WITH_BARS
    told = [_standing_of(seat, view, symbols, is_short=is_short) for seat in seats]
    longest = max(map(len, told))
    columns, has_points = 0, view.room is not None and bool(view.room.series)
    if has_bars and not view.is_shared:
        names = max(len(name_of(seat, view)) + _POINTS * has_points for seat in seats)
        columns = width - _INDENT - names - longest - 1
        columns = max(_SHORTEST_BAR, min(_LONGEST_BAR, columns))
    lines = []
    for seat, share in zip(seats, told, strict=True):
        bar = _bar(seat, columns, symbols)
        bar += gap(longest - len(share) if len(bar) else 0)
        room = width - len(bar) - len(share)
        lines.append(_named(seat, view).cut(room - bool(len(bar))).pad(room) + bar + span(share))
    return lines


def standings_beside(view: GameView, columns: int, rows: int, symbols: Symbols) -> list[StyledLine]:
    """Write them under each other; without room for bars in a line, each with a line more."""
    lines = compose_standings(view, columns, symbols)
    has_two = columns < WIDEST and not view.is_shared and view.state != STARTING
    if has_two and 2 * len(lines) <= rows:
        # The name, and below it how far.
        lines = []
        for seat in view.seats:
            share = span(_standing_of(seat, view, symbols, is_short=True))
            bar = _bar(seat, min(_LONGEST_BAR, columns - _INDENT - _LONGEST_TOLD), symbols)
            lines += _named(seat, view), gap(_INDENT) + bar + share if len(bar) else gap(2) + share
    return lines if lines and len(lines) <= rows else []


def standings_below(view: GameView, columns: int, rows: int, symbols: Symbols) -> list[StyledLine]:
    """Write them side by side, as short as it takes to show all, or count those left out."""
    seats: list[StyledLine] = []
    for width in _WIDTHS:
        seats = compose_standings(view, width, symbols)
        lines = in_columns(seats, columns, _CLOSER)
        if len(lines) <= rows:
            return lines
    own = next((n for n, seat in enumerate(view.seats) if seat == view.own_seat), 0)
    for shown in range(len(seats) - 1, 0, -1):
        more = span(f"and {len(seats) - shown} more", Style.ASIDE)
        # The first ones, and among them or after them oneself.
        first = seats[:shown] if own < shown else [*seats[: shown - 1], seats[own]]
        lines = in_columns([*first, more], columns, _CLOSER)
        if len(lines) <= rows:
            return lines
    return []


def result_of(view: GameView, hint: str = "") -> list[Listing | str]:
    """Write the result of a round as a table, once it is over; the hint is for its host."""
    if not view.is_round_over:
        return []
    score = "" if view.room is None else view.room.score
    share = "" if view.room is None else view.room.share
    digits = max((len(str(seat.place)) for seat in view.seats if seat.place), default=0)
    rows = tuple(_result(seat, view, digits) for seat in view.seats)
    table = Listing(_RESULT, rows)
    if any(seat.rating for seat in view.seats):
        told = [
            (seat.rating, f"{seat.change or 0:+}") if seat.rating else ("-", "-")
            for seat in view.seats
        ]
        rated = tuple((*row, *each) for row, each in zip(rows, told, strict=True))
        table = Listing((*_RESULT, "rating", "change"), rated)
    score = f"{score[:1].upper()}{score[1:]}." if score else ""
    return [table, "", *filter(None, (score, share, hint)), ""]


def name_of(seat: SeatView, view: GameView) -> str:
    return YOU if seat == view.own_seat else seat.name


def _named(seat: SeatView, view: GameView) -> StyledLine:
    """Write a name, its first letter in the seat's colour, after its place in a race."""
    place = "" if view.is_shared else f"{seat.place or '':>2} "
    style = Style.KEY if seat == view.own_seat else Style.PLAIN
    name = name_of(seat, view)
    if view.room is not None and view.room.series:
        name = f"{name} {seat.points}"
    initial = span(name[:1] or seat.initial, style_of_seat(seat.colour))
    return span(place) + initial + span(name[1:], style if seat.here else Style.ASIDE)


def _bar(seat: SeatView, columns: int, symbols: Symbols) -> StyledLine:
    """Draw the progress of a player who has not finished."""
    if seat.time is not None or seat.gave_up or not columns:
        return StyledLine()
    done = columns * seat.opened // 1000
    bar = span(symbols.done * done, Style.DONE)
    return bar + span(symbols.horizontal * (columns - done), Style.FRAME)


def _standing_of(seat: SeatView, view: GameView, symbols: Symbols, *, is_short: bool) -> str:
    """Write how far somebody is: a time or a share, then flags or mines hit."""
    hits = f" *{seat.hits}" if seat.hits else ""
    if seat.gave_up:
        return f" gave up{hits}"
    if not seat.here and seat.time is None:
        return f" away{hits}"
    if seat.time is not None:
        return f" {format_tenths(seat.time)}{hits}"
    share = f" {seat.opened // 10:>3}{'%' if is_short else ' %'}"
    flags = f" {symbols.flag}{seat.flags}" if view.is_shared and not is_short else ""
    return f"{share}{flags}{hits}"


def _result(seat: SeatView, view: GameView, digits: int) -> tuple[str, ...]:
    """Write a place, its time and style; an unfinished player has a share in place of a time."""
    place = f"{seat.place:>{digits}}. " if seat.place else " " * (digits + 2) * bool(digits)
    name = place + name_of(seat, view)
    time = "gave up" if seat.gave_up else f"{seat.opened // 10} %"
    time = time if seat.time is None else format_tenths(seat.time)
    speed = "-" if seat.speed is None else f"{seat.speed / 100:.2f}"
    efficiency = "-" if seat.efficiency is None else f"{seat.efficiency} %"
    return name, time, speed, efficiency, str(seat.hits)


# What is said

SHOWN_S: Final = 4.0
NEWS_S: Final = 5.0
_MOST_UNTOLD: Final = 30
POINTED_S: Final = 3.0
"""Seconds that a cell is marked that somebody points at."""
_MOST: Final = 3
"""Phrases that are shown side by side, the latest last."""


class LatestNews:
    """The latest doings of others."""

    def __init__(self) -> None:
        self._until_s: Mapping[str, float] = {}
        self._untold: Sequence[str] = ()

    def apply_view(self, view: GameView, now_s: float) -> None:
        """Note the news of a view."""
        for said in view.news:
            self._until_s = {**self._until_s, said.text: now_s + NEWS_S}
            self._untold = [*self._untold, said.text][-_MOST_UNTOLD:]

    @property
    def text(self) -> str:
        """The latest news."""
        return "  ".join([*self._until_s][-2:])

    def tell(self) -> str:
        """Return all news not returned before: a reader may ask only now and then."""
        told, self._untold = "\n".join(self._untold), ()
        return told

    @property
    def deadline(self) -> float | None:
        """The time at which something has been shown long enough."""
        return min(self._until_s.values(), default=None)

    def expire(self, now_s: float) -> None:
        """Forget what has been shown long enough."""
        self._until_s = {one: end for one, end in self._until_s.items() if end > now_s}


class LatestPhrases:
    """The latest phrase of each seat."""

    def __init__(self) -> None:
        self._phrases: Mapping[Phrase, float] = {}
        """Until when each is shown."""

    def apply_view(self, view: GameView, now_s: float) -> None:
        """Note what is said in a view."""
        for said in view.said:
            if said.id in PHRASES:
                others = {one: end for one, end in self._phrases.items() if one.seat != said.seat}
                end_s = now_s + (SHOWN_S if said.id else POINTED_S)
                self._phrases = {**others, said: end_s}

    def text(self, view: GameView) -> str:
        """Write who says what."""
        latest = [*self._phrases][-_MOST:]
        told = ((view.seat(phrase.seat), PHRASES[phrase.id]) for phrase in latest)
        return "   ".join(f"{seat.name}: {words}" for seat, words in told if seat is not None)

    @property
    def pointed_at(self) -> frozenset[Cell]:
        """The cells to look at."""
        cells = (phrase.cell for phrase in self._phrases if not phrase.id)
        return frozenset(cell for cell in cells if cell is not None)

    @property
    def deadline(self) -> float | None:
        """The time at which something has been shown long enough."""
        return min(self._phrases.values(), default=None)

    def expire(self, now_s: float) -> None:
        """Forget what has been shown long enough."""
        self._phrases = {one: end for one, end in self._phrases.items() if end > now_s}
