"""Players online, and watching them: live games, and games that have ended.

A watched game is a layer over the player's own, which waits. What a watcher sees is what the player
sees of the board, and nothing else: no hints, no messages, no mines of a board that is still
played. All watchers of a game get the same bytes, which are made once for all (`picture.Scene`).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from jminesweeper.bus import Bus, presence_topic
from jminesweeper.core.variant import Variant
from jminesweeper.protocol.packets import Watch
from jminesweeper.protocol.view import STATES, RowKind
from jminesweeper.records.documents import Flow as StoreFlow
from jminesweeper.records.ladder import board_of, read_ratings
from jminesweeper.records.meeting import (
    Present,
    appear,
    disappear,
    find_present,
    find_room,
    list_present,
    parse_code,
    room_that_plays,
)
from jminesweeper.records.players import open_game
from jminesweeper.records.rooms import Kind, Parting, Result, Room, RoomError
from jminesweeper.session import alone, rounds, together
from jminesweeper.session.ground import REFRESH_MS, describe_table
from jminesweeper.session.looking_back import MOST_ACTIONS, ReplayPage
from jminesweeper.session.matches import Match
from jminesweeper.session.messages import SILENCE, counted, format_clock, numbered
from jminesweeper.session.opening import may_see, open_match, player_to_watch, see_record
from jminesweeper.session.picture import DEFAULTS, PAUSED, Field, Members, Picture, Scene
from jminesweeper.session.player import Player, Seen
from jminesweeper.session.reply import Wish
from jminesweeper.session.rights import RIGHTS, Mode, Verb
from jminesweeper.session.settings import EVERYBODY_WATCHES, choices_of
from jminesweeper.session.settings_menu import name_row, rename
from jminesweeper.session.tables import Sitting, TableView
from jminesweeper.session.talks import (
    AGAIN,
    LEAVE_MENUS,
    STAY,
    Chosen,
    Flow,
    Menu,
    Option,
    Row,
    SessionLayer,
    choose,
)

SEEN_S: Final = 30
"""Interval in which somebody online says so."""
CLASSIC_SEEN_AFTER_MS: Final = 2_000
"""Time of play after which a game of version 1 is listed: much of that is scripts and checks."""
MOST_LISTED: Final = 50
FOLLOW_MS: Final = 3_000
"""Interval in which to check what a watched player plays now, and that they may be watched."""


class WatchPage(SessionLayer):
    """A game, or a room, that somebody else plays."""

    is_live = True

    def __init__(self, name: str, handle: str = "") -> None:
        self.name = name
        self.handle = handle
        self.match: Match | None = None
        self.view: TableView | None = None
        """The room that is watched."""
        self.seen = 0
        """Number of changes of the match that were shown."""
        self.seen_table = self.seen_moves = 0
        self.code = ""
        """The shared game of the room that was opened."""
        self.is_gone = False
        self.is_called = False
        """The player has begun another game."""

    @property
    def changes(self) -> tuple[int, int, int]:
        """Numbers of changes of the match and the table, and of moves of the cursor, by now."""
        match, view = self.match, self.view
        table = 0 if view is None else view.table.changes
        return (0, table, 0) if match is None else (match.changes, table, match.moves)

    @property
    def is_stale(self) -> bool:
        return self.is_called or self.changes != (self.seen, self.seen_table, self.seen_moves)

    @property
    def is_hidden(self) -> bool:
        """True if its players do not see the board themselves."""
        if self.view is not None:
            current = self.view.room.round
            return current is not None and current.stopped_ms is not None
        return self.match is not None and self.match.is_put_away

    def describe(self, player: Player) -> Picture:
        scene, match, field = self._describe_scene(player), self.match, None
        cursor = None if match is None or self.view is not None else match.pointer
        if match is not None:
            field = Field(match.game.grid, match.game.view, is_hidden=self.is_hidden)
        refresh = None if player.client.is_live else REFRESH_MS
        own = {**scene.members, "message": player.message, "refresh": refresh}
        return Picture(own, field, cursor)

    def scene(self, player: Player) -> Scene | None:
        return self._describe_scene(player)

    def _describe_scene(self, player: Player) -> Scene:
        """Describe what all who watch see now, once for all; this player has seen it then."""
        self.seen, self.seen_table, self.seen_moves = self.changes
        shown = self.match or self.view
        key = (self.changes, self.name, self.is_gone, self.is_hidden)
        before = None if shown is None else shown.scene
        if isinstance(before, Scene):
            if before.key == key:
                return before
            # Nobody is shown that one any more.
            before.told = {}
        match, view = self.match, self.view
        members: Members = {
            **DEFAULTS,
            **({} if view is None else describe_table(player, view, 0, match, _end_of(view))),
            "keys": RIGHTS[Mode.WATCHING].offers,
            "watching": {"name": self.name, "gone": self.is_gone},
        }
        if match is not None:
            game, variant = match.game, match.variant
            members |= {
                "state": PAUSED if self.is_hidden else STATES[game.status],
                "label": variant.label,
                "remark": ("assisted",) if game.assisted else (),
                "mines": variant.mine_count,
                "left": game.view.mines_left,
                "clock": match.elapsed_ms(player.now_ms),
                "clock_runs": match.clock_runs,
            }
            if view is None:
                members["watchers"] = match.watcher_count
        scene = Scene(key, members)
        if shown is not None:
            shown.scene = scene
        return scene


class RivalPage(WatchPage):
    """The board of somebody who still plays a race, for a player who has won it."""

    def __init__(self, name: str, record: str) -> None:
        super().__init__(name)
        self.record = record

    def scene(self, _player: Player) -> None:
        """Share nothing: the reader's own room is around it."""

    def describe(self, player: Player) -> Picture:
        picture, sitting = super().describe(player), player.sitting
        if sitting is None:
            return picture
        others = describe_table(player, sitting.view, sitting.number, None, None)
        own = {"watching": picture.members["watching"], "keys": RIGHTS[Mode.RIVALS].offers}
        return picture._replace(members={**picture.members, **others, **own})


def _end_of(view: TableView) -> Result | None:
    """Return the result of the last round, which watchers see until the next one is called."""
    return view.room.last if view.room.round is None else None


# Players online


def publish_presence(player: Player) -> None:
    """Show others what this player does: from time to time, and when it changes."""
    seen, now_ms = player.seen, player.now_ms
    match = player.match
    if not player.config.has_store or not (
        player.client.has_view
        or seen is not None
        or (match is not None and match.elapsed_ms(now_ms) >= CLASSIC_SEEN_AFTER_MS)
    ):
        return
    if not player.matches.limits.passes("online", now_ms, player):
        return
    cause, rating = _cause_of(player), None
    if seen is not None and seen.cause == cause:
        rating = seen.rating
        # Up to 8 s sooner, each in their own time: else thousands who came at once are stored again
        # at once, again and again.
        sooner_ms = 2 * int(seen.handle[:3], 16)
        if now_ms < seen.at_ms + SEEN_S * 1000 - sooner_ms:
            return
    present = _present(player)
    if seen is not None and seen.handle != present.handle:
        withdraw_presence(player)
        seen = None
    if seen is None:
        rank = player.matches.online.enter(player.account.address)
        present = present._replace(rank=rank)
    else:
        present = present._replace(rank=seen.rank)
    player.seen = Seen(present.handle, present.rank, now_ms, cause, rating)
    player.begin_errand(_appear(player, present, player.seen))
    if match is not None:
        player.keep_newcomer(match)


def redirect_watchers(player: Player) -> None:
    """Redirect watchers at once to the game that the player has begun."""
    if player.seen is None or player.matches.bus is None:
        player.has_moved_on = False
    elif player.matches.limits.passes("play", player.now_ms, player):
        player.has_moved_on = False
        present = _present(player)._replace(rank=player.seen.rank)
        cause = _cause_of(player)
        player.seen = Seen(present.handle, present.rank, player.now_ms, cause)
        player.begin_errand(_appear(player, present, player.seen, player.matches.bus))


def _appear(
    player: Player, present: Present, seen: Seen, bus: Bus | None = None
) -> StoreFlow[None]:
    """Put a player on the list, with the rating on the board that others would race them on now.

    The bus tells watchers that another game has begun.
    """
    searched, sitting, match = player.search, player.sitting, player.match
    board = ""
    if searched is not None:
        board = board_of(searched.board)
    elif sitting is not None:
        board = board_of(sitting.room.variant)
    elif match is not None:
        board = board_of(match.variant)
    rating = seen.rating or ""
    if seen.rating is None:
        if board and together.is_rated(player) and player.account.held.is_known:
            ratings = yield from read_ratings(player.account.id)
            rating = ratings.get(board, "")
        if player.seen is seen:
            player.seen = seen._replace(rating=rating)
    present = present._replace(rating=rating)
    yield from appear(present, player.now_s, player.tokens)
    if bus is not None:
        bus.publish(presence_topic(present.handle), b"plays")


def _cause_of(player: Player) -> object:
    """Return all that a player's line follows from, but for what changes with every action."""
    account, seat, match, sitting = player.account, player.seat, player.match, player.sitting
    return (
        *(account.held, account.name, player.client, player.settings, player.search),
        *(match, match is not None and match.code, match is not None and match.is_over),
        *(seat is not None and seat.is_debugged, sitting),
        None if sitting is None else sitting.room,
    )


def depart(player: Player, how: Parting) -> None:
    """Leave everything that is shared with others; a seat in a room is kept for a while."""
    withdraw_presence(player)
    for what in ("join", "online", "play"):
        player.matches.limits.forget(what, player)
    player.talks.close()
    together.depart(player, how)


def withdraw_presence(player: Player) -> None:
    """Take a player who leaves off the list."""
    seen, player.seen = player.seen, None
    if seen is not None:
        player.matches.shown.pop(seen.handle, None)
        player.matches.online.leave(player.account.address)
        player.begin_errand(disappear(seen.handle, seen.rank))


def _present(player: Player) -> Present:
    seat, match, sitting, handle = player.seat, player.match, player.sitting, player.handle
    name = player.public_name if player.client.has_view else f"{player.public_name} (guest)"
    if sitting is not None and (own := sitting.room.seat_of(player.token)) is not None:
        name = own.name
    may_watch = player.settings.watchers == EVERYBODY_WATCHES
    # A room's code is all that it takes to sit down there, or to watch.
    is_told = sitting is not None and sitting.room.is_open and may_watch
    room = sitting.table.code if sitting is not None and is_told else ""
    known = Present(
        *(handle, name),
        room=room,
        waits="" if player.search is None else player.search.board.text,
        is_in_room=sitting is not None,
    )
    # In a room only the room is watched: who looked on before does not see a copy of a race.
    is_open = may_watch and sitting is None and seat is not None and not seat.is_debugged
    if is_open and match is not None:
        player.matches.shown[handle] = match
    else:
        player.matches.shown.pop(handle, None)
    if match is None:
        return known
    share, clock_ms = int(match.opened_share * 100), match.elapsed_ms(player.now_ms)
    code = (match.code or handle) if is_open else ""
    label, is_over = match.variant.label, match.is_over
    return known._replace(label=label, share=share, clock_ms=clock_ms, code=code, is_over=is_over)


def show_people(player: Player) -> Flow:
    """Show the players online, and ways to play together."""
    if not player.config.has_company:
        player.say("offline")
        only = Option(_race_alone(player), partial(alone.choose_rival, player))
        return (yield from choose(player, "people", "Play together", lambda: (only,)))
    while True:
        on = yield from list_present(player.account.id)
        people = [each for each in on if each.handle != player.handle]
        menu = Menu("people", "Play together", _rows(player, people), asks_again_ms=FOLLOW_MS)
        pick: Chosen | None = AGAIN
        read_ms = player.now_ms
        while pick is AGAIN and player.now_ms < read_ms + FOLLOW_MS:
            pick = yield menu
        if pick is None:
            return STAY
        if pick is AGAIN:
            continue
        if pick.row.startswith("="):
            chosen = next((each for each in people if each.handle == pick.row[1:]), None)
            if chosen is not None and (yield from _turn_to(player, chosen, pick)):
                return LEAVE_MENUS
            continue
        if pick.row == "bots":
            player.put_settings(player.settings.with_text("bots", pick.value))
            continue
        if pick.row == "name":
            rename(player, pick.value)
        elif (yield from _play_together(player, pick)):
            return LEAVE_MENUS


def _play_together(player: Player, pick: Chosen) -> Flow:
    if pick.row == "alone":
        return (yield from alone.choose_rival(player))
    if pick.row == "quick" and player.search is not None:
        together.leave(player)
        return LEAVE_MENUS
    code = ""
    if pick.row == "join":
        try:
            code = parse_code(pick.value)
        except RoomError as error:
            player.refuse(error)
            return STAY
    if not together.may_come(player):
        return STAY
    kind = Kind.SHARED if pick.row == "shared" else Kind.RACE
    played = _board_for(player, kind)
    allows_bots = player.settings.bots
    if code:
        flow = together.come_by(player, code)
    elif pick.row == "quick":
        flow = together.look_for(player, played, allows_bots=allows_bots)
    else:
        flow = together.open_for(player, kind, played, allows_bots=allows_bots)
    return (yield from flow)


def _board_for(player: Player, kind: Kind) -> Variant:
    """Return the board of a room that the player opens: the kind that they play, or would."""
    board = player.settings.variant if player.match is None else player.match.asked_for
    return together.usual_variant(board.category, kind)


def _rows(player: Player, people: Sequence[Present]) -> Sequence[Row]:
    in_room = player.refusal(Verb.NEW).text
    race, shared = (_board_for(player, kind).label for kind in (Kind.RACE, Kind.SHARED))
    rows = [
        Row("race", "Race", race, disabled=in_room, help="Opens a room."),
        Row("shared", "Share a board", shared, disabled=in_room),
        Row("quick", "Stop waiting", "for an opponent")
        if player.search
        else Row("quick", "Quick match", "whoever comes next", disabled=in_room),
        Row(
            *("bots", "Opponents", player.settings.text("bots"), RowKind.CHOICE),
            choices=choices_of("bots"),
            help="Of a quick match, and of the rooms that you open here.",
        ),
        together.join_row(),
        _race_alone(player),
        name_row(player, "Your name", "Others see it; without one you are a colour and an animal."),
        Row("heading.on", counted(len(people), "other player") + " on", kind=RowKind.HEADING),
    ]
    listed = people[:MOST_LISTED]
    names = numbered(each.name for each in listed)
    return rows + [_row(each, name) for each, name in zip(listed, names, strict=True)]


def _race_alone(player: Player) -> Row:
    disabled = player.refusal(Verb.NEW).text
    return Row("alone", "Race alone", "the solver, or an earlier game", disabled=disabled)


def _row(present: Present, name: str) -> Row:
    """Return the row of a player online; choosing it races, joins or watches them."""
    label = f"{name} ({present.rating})" if present.rating else name
    row, can_watch = Row(f"={present.handle}", label), bool(present.code or present.room)
    other = "watch" if can_watch else ""
    if present.waits:
        board = Variant.parse(present.waits).label
        return row._replace(value=f"waits for a race on {board}", other=other, help="Race them.")
    if present.room:
        return row._replace(value="in an open room", other=other, help="Sit down with them.")
    if present.is_in_room:
        return row._replace(value="in a room", disabled="You need the room's code.")
    figures = (f"{present.share} %", format_clock(present.clock_ms // 1000))
    does = "has finished" if present.is_over else "plays"
    return row._replace(
        value=f"{does} {present.label}" if present.label else "no game",
        figures=figures if present.label else ("", ""),
        disabled="" if can_watch else "Cannot be watched.",
    )


def _turn_to(player: Player, present: Present, pick: Chosen) -> Flow:
    """Accept who waits, sit down in an open room, or else watch, which is also the other thing."""
    if not pick.is_other and (present.waits or present.room):
        if player.refusal(Verb.OPEN).id or not together.may_come(player):
            return STAY
        if present.waits:
            board, allows_bots = Variant.parse(present.waits), player.settings.bots
            return (yield from together.look_for(player, board, allows_bots=allows_bots))
        return (yield from together.sit_in(player, present.room))
    return (yield from watch_one(player, present))


# Watching


def watch(player: Player, packet: Watch) -> None:
    """Watch a game or a room by its code, or a player by name."""
    if player.sitting is not None:
        _watch_rival(player, player.sitting, packet.name)
    elif not player.matches.limits.passes("join", player.now_ms, player):
        player.say("slow")
    else:
        player.message = SILENCE
        player.talks.begin(_watch_named(player, packet.name.strip()))


def _watch_rival(player: Player, sitting: Sitting, seat: str) -> None:
    """Show a rival's board to a player who has won, and therefore knows all of it."""
    names = {str(row["number"]): row["name"] for row in sitting.view.rows()}
    record = sitting.room.record_of(int(seat)) if seat in names else ""
    if player.mode is not Mode.RACE_WON:
        player.say("room.first")
    elif not record or int(seat) == sitting.number:
        player.say("rivals.none")
    elif not sitting.table.limits.passes("rival", player.now_ms, sitting):
        player.say("slow")
    else:
        player.message = SILENCE
        if isinstance(player.talks.layer, RivalPage):
            player.talks.answer(None)
        player.talks.begin(_watch_copy(player, sitting, RivalPage(names[seat], record)))


def _watch_copy(player: Player, sitting: Sitting, page: RivalPage) -> Flow:
    match = yield from rounds.open_copy(player, sitting.view, page.record)
    if match is None:
        player.say("rivals.none")
        return STAY
    return (yield from _watch_match(player, page, match))


def _watch_named(player: Player, name: str) -> Flow:
    """Watch what a name or a code stands for; only rooms have codes that could be guessed."""
    code, room, flow = "", None, watch_record(player, name)
    with suppress(RoomError):
        code = parse_code(name)
    may_guess = bool(code) and together.spend_guess(player)
    if may_guess:
        room = yield from find_room(code)
    present = None if room is not None else (yield from _find_by_name(player, name))
    if may_guess and (room is not None or present is not None):
        together.refund_guess(player)
    if present is not None:
        flow = watch_one(player, present)
    elif code and not may_guess:
        player.say("codes.wrong")
        return STAY
    # Nobody sees a copy of a board that somebody plays.
    elif room := room or (yield from room_that_plays(name)):
        flow = _watch_room(player, room)
    return (yield from flow)


def _find_by_name(player: Player, name: str) -> Generator[Any, Any, Present | None]:
    """Find somebody online, by handle or name; those one has played with come first."""
    present = yield from find_present(name)
    if present is not None:
        return present
    people = yield from list_present(player.account.id)
    alike = [each for each in people if each.name.casefold() == name.casefold()]
    return next((each for each in alike if each.name == name), alike[0] if alike else None)


def watch_one(player: Player, present: Present) -> Flow:
    """Watch somebody online."""
    if present.room:
        room = yield from find_room(present.room)
        if room is not None:
            return (yield from _watch_room(player, room))
    if not present.code:
        player.say("watch.room" if present.is_in_room else "watch.nobody")
        return STAY
    page = WatchPage(present.name, present.handle)
    match = yield from _match_of(player, present)
    if match is None:
        player.say("watch.none")
    elif (yield from may_see(player, match.game.setup)):
        yield from _watch_match(player, page, match)
    return STAY


def _match_of(player: Player, present: Present) -> Generator[Any, Any, Match | None]:
    """Find a player's game, here or in the store."""
    matches = player.matches
    match = matches.shown.get(present.handle) or matches.find(present.code)
    if match is None:
        opened = yield from open_game(present.code)
        match = None if opened is None else (yield from open_match(player, opened))
    if match is not None and present.handle not in matches.shown:
        match.set_clock(present.clock_ms, player.now_ms)
    return match


def watch_record(player: Player, code: str) -> Flow:
    """Watch the game of a code; one that has ended is shown again."""
    opened = yield from open_game(code)
    seen = None if opened is None else (yield from see_record(player, opened))
    if opened is None:
        player.say("watch.none")
    elif seen is not None:
        name, match = seen
        if opened.game.outcome is None or len(match.game.log) > MOST_ACTIONS:
            yield from _watch_match(player, WatchPage(name), match)
        else:
            yield ReplayPage(match.game, match.variant.label, match.summary())
    return STAY


def _watch_match(player: Player, page: WatchPage, match: Match) -> Flow:
    """Watch until the watcher goes back."""

    def hear(_message: bytes) -> None:
        page.is_called = True
        player.hear(False)

    bus, topic = player.matches.bus, presence_topic(page.handle)
    unsubscribe = bus.subscribe(topic, hear) if bus is not None and page.handle else lambda: None
    try:
        turn_to(player, page, match)
        yield page
    finally:
        unsubscribe()
        player.matches.limits.forget("follow", page)
        _turn_away(player, page)
        _come_back(player)
    return STAY


def _come_back(player: Player) -> None:
    """Put the client's cursor back where it was on the player's own board."""
    if player.seat is not None:
        player.seat.put_cursor(player.seat.cursor)


def turn_to(player: Player, page: WatchPage, match: Match) -> None:
    """Watch this game from now on."""
    _turn_away(player, page)
    page.match, page.seen = match, match.changes - 1
    match.watchers = {**match.watchers, page: player.hear}
    match.changes += 1
    match.notify(must_renew=False)
    player.matches.note_change(match)


def _turn_away(player: Player, page: WatchPage) -> None:
    match, page.match = page.match, None
    if match is not None and page in match.watchers:
        match.watchers = {each: hear for each, hear in match.watchers.items() if each is not page}
        # Its player sees how many watch.
        match.changes += 1
        match.notify(must_renew=False)
        player.matches.note_change(match)


def _watch_room(player: Player, room: Room) -> Flow:
    """Watch a room: the board of a shared game, and of a race how far everybody is."""
    if player.sitting is not None:
        player.say("room.first")
        return STAY
    try:
        yield Wish(room.code, player.token, lambda room: room)
    except RoomError:
        player.say("room.gone")
        return STAY
    page, tables = WatchPage(f"room {room.code}"), player.matches.tables
    page.view = tables.enter(room.code, page, "", player.show)
    try:
        yield page
    finally:
        _turn_away(player, page)
        _come_back(player)
        tables.leave(room.code, page)
    return STAY


def follow(player: Player) -> None:
    """Follow whom one watches from one game to the next."""
    page = player.talks.layer
    if not isinstance(page, WatchPage) or player.out.question is not None:
        return
    if isinstance(page, RivalPage):
        if player.sitting is None or page.record not in player.sitting.room.records:
            player.talks.answer(None)
        return
    if (view := page.view) is not None:
        room = view.room
        is_shared = room.kind is Kind.SHARED and room.setup is not None
        if not is_shared or view.table.clock_ms(player.now_ms) < 0:
            return
        (code,) = room.records
        if code != page.code:
            page.code = code
            player.talks.begin(_watch_round(player, page, view, code))
        elif page.match is not None:
            rounds.set_clock(player, page.match, view)
    elif page.is_called or player.matches.limits.passes("follow", player.now_ms, page):
        page.is_called = False
        shown = player.matches.shown.get(page.handle)
        if not page.handle:
            player.talks.begin(_look_again(player, page))
        elif shown is None:
            player.talks.begin(_follow(player, page))
        else:
            page.seen = -1 if page.is_gone else page.seen
            page.is_gone = False
            if shown is not page.match:
                player.talks.begin(_go_on_with(player, page, shown))


def _watch_round(player: Player, page: WatchPage, view: TableView, code: str) -> Flow:
    match = yield from rounds.open_copy(player, view, code)
    if match is not None:
        turn_to(player, page, match)
    return STAY


def _look_again(player: Player, page: WatchPage) -> Flow:
    """Stop watching a game by its code once its player lets nobody watch."""
    match = page.match
    if match is not None:
        name = yield from player_to_watch(player, match.journal.document)
        if name is None:
            page.is_gone = True
            _turn_away(player, page)
    return STAY


def _follow(player: Player, page: WatchPage) -> Flow:
    """Find the current game of a player on another server, or without a game shown here."""
    present = yield from find_present(page.handle)
    # A player who is in a room now, or may no longer be watched, shows nothing of this game.
    page.is_gone = present is None or not present.code
    if present is None:
        return STAY
    if not present.code:
        _turn_away(player, page)
    elif page.match is None or present.code != page.match.code:
        match = yield from _match_of(player, present)
        if match is not None:
            yield from _go_on_with(player, page, match)
    return STAY


def _go_on_with(player: Player, page: WatchPage, match: Match) -> Flow:
    if (yield from may_see(player, match.game.setup)):
        turn_to(player, page, match)
    return STAY
