"""Views: a player's screen as data, of which each reply tells what changed.

`docs/protocol.md` lists the members of a VIEW. `Viewer.write` is the whole way: the cells whose
faces the client does not know, a description of everything else as members, those of them that the
client does not know, and all of it as bytes. While a menu or a page covers the game, the game's
members stay as they are, but for the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from json import JSONEncoder
from typing import Any, Final, NamedTuple, TypeAlias

from jminesweeper.core.faces import Layers, all_faces, covered_layers, faces_of, layers_of
from jminesweeper.core.grid import Grid
from jminesweeper.core.rules import MineEffect
from jminesweeper.core.view import PlayerView, Status
from jminesweeper.protocol.view import MEMBERS, STATES, Listing, RowKind, encode_view
from jminesweeper.records.rooms import Kind, Room, Stage
from jminesweeper.session import alone, rounds
from jminesweeper.session.looking_back import ReplayPage
from jminesweeper.session.matches import Match, MatchSeat
from jminesweeper.session.messages import AIMS, SILENCE, Message, Tone, message, missing
from jminesweeper.session.player import Player
from jminesweeper.session.rights import Mode, Verb, keys_of
from jminesweeper.session.tables import Shown, Sitting, Table
from jminesweeper.session.talks import Layer, Menu, Page, Row
from jminesweeper.session.watching import WatchPage

Members: TypeAlias = dict[str, Any]

DEFAULTS: Final[Mapping[str, Any]] = {
    **{name: member.default for name, member in MEMBERS.items() if not member.is_momentary},
    **dict.fromkeys(("aim", "message"), SILENCE),
}
"""The members before the first view."""

PAUSED: Final = "paused"
REFRESH_MS: Final = 500
"""Time after which a client in a room asks again that gets no frames unasked."""

_SIZE_BYTES: Final = 16
"""A size covers a board again in so many bytes."""

_to_json = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Scene:
    """The view of all who look on at the same thing at one moment, described and encoded once."""

    def __init__(self, key: object, members: Members) -> None:
        self.key = key
        self.members = members
        self.told: dict[Scene, tuple[bytes, Known]] = {}
        """Bytes already encoded and the knowledge after them, by the scene that was seen before."""


class Known(NamedTuple):
    """A client's knowledge: everything it was told."""

    members: Mapping[str, Any] = DEFAULTS
    clock_at_ms: int | None = None
    """Time at which the client was told of a running clock; it lets that run by itself."""
    menu: tuple[str, str, tuple[Row, ...]] | None = None
    grid: Grid | None = None
    layers: Layers | None = None
    scene: Scene | None = None
    """The last scene, if that was somebody else's game."""


class Viewer:
    """Writes the views of one client: in each, what changed since the one before.

    What the client knows is one value, `known`. A reply that waits for the store may have to be
    drawn again, from what the client knew before it: then the older value is put back.
    """

    def __init__(self) -> None:
        self.known = Known()
        self._pieces: list[str] = []
        """The members of the view that is being written."""

    def write(self, player: Player, *, unasked: bool = False) -> bytes:
        """Write what the client does not know yet."""
        layer, seat, cells = player.talks.layer, player.seat, b""
        if isinstance(layer, WatchPage):
            return self._write_watched(player, layer, unasked=unasked)
        if layer is None and seat is not None:
            game = seat.match.game
            view = game.view if player.sitting is None else _seen_by(player, seat.match)
            cells = self._cells(game.grid, view, seat.debug_mines(), is_hidden=seat.is_paused)
            members = _describe_game(player, seat)
            if seat.cursor_is_news:
                seat.cursor_is_news = False
                self._pieces.append(f'"cursor":{_to_json(seat.cursor)}')
        elif layer is None and player.sitting is not None:
            members = _describe_waiting(player)
        elif isinstance(layer, ReplayPage):
            cells, known = self._cells(layer.game.grid, layer.game.view), self.known.members
            members = _describe_replay(player, layer)
            if members["position"] != known["position"] or known["replay"] is None:
                self._pieces.append(f'"cursor":{_to_json(layer.cell)}')
        else:
            members = _describe_cover(player, layer)
        if isinstance(layer, Menu) or self.known.menu is not None:
            self._tell_menu(layer if isinstance(layer, Menu) else None)
        if player.sitting is not None:
            self._tell_said(player.sitting)
        return self._encode(self._news(members, player.now_ms), cells, unasked=unasked)

    def _news(self, members: Members, now_ms: int) -> Members:
        """Return the members that the client does not know, and remember that it is told.

        A client lets a running clock run by itself, so that is told only where it would be wrong.
        Each time that a client is told when to ask again, it asks once.
        """
        known, told_at_ms, runs = self.known.members, self.known.clock_at_ms, members["clock_runs"]
        news = {name: value for name, value in members.items() if value != known[name]}
        clock_ms = known["clock"] + (0 if told_at_ms is None else now_ms - told_at_ms)
        if members["clock"] == clock_ms and runs is (told_at_ms is not None):
            news.pop("clock", None)
        else:
            news["clock"], told_at_ms = members["clock"], now_ms if runs else None
        if members["refresh"] is not None:
            news["refresh"] = members["refresh"]
        self.known = self.known._replace(
            members={**known, **news}, clock_at_ms=told_at_ms, scene=None
        )
        return news

    def _encode(self, news: Members, cells: bytes, *, unasked: bool = False) -> bytes:
        pieces, self._pieces = self._pieces, []
        for name, value in news.items():
            pieces.append(f'"{name}":{_WRITERS.get(name, _to_json)(value)}')
        if unasked:
            pieces.append('"unasked":true')
        return encode_view(cells, f"{{{','.join(pieces)}}}".encode())

    def _cells(
        self, grid: Grid, view: PlayerView, debug_mines: int = 0, *, is_hidden: bool = False
    ) -> bytes:
        """Encode the faces that the client does not know; a board that it is told of is covered."""
        known = self.known.layers if grid is self.known.grid else None
        layers = layers_of(view, debug_mines)
        if is_hidden:
            layers = known or covered_layers(grid)
        known = known or self._begin_board(grid)
        self.known = self.known._replace(grid=grid, layers=layers)
        if layers == known:
            return b""
        cells = _encode_runs(grid, layers, known.differences(layers))
        if len(cells) > _SIZE_BYTES and layers == covered_layers(grid):
            self._begin_board(grid)
            return b""
        return cells if len(cells) < grid.size.cells else all_faces(view, debug_mines)

    def _begin_board(self, grid: Grid) -> Layers:
        """Tell the size, with which every cell is covered."""
        self._pieces.append(f'"size":[{grid.size.columns},{grid.size.rows}]')
        return covered_layers(grid)

    def _write_watched(self, player: Player, page: WatchPage, *, unasked: bool) -> bytes:
        """Write a watcher's view; who saw the same before gets the same bytes."""
        scene, before = _scene_of(player, page), self.known.scene
        page.seen, page.seen_table = page.changes
        is_same = unasked and before is not None and player.message is SILENCE
        if is_same and before in scene.told:
            view, self.known = scene.told[before]
            return view
        self._tell_menu(None)
        cells = b""
        if page.match is not None:
            game, is_hidden = page.match.game, page.is_hidden(player.utc_ms)
            cells = self._cells(game.grid, game.view, is_hidden=is_hidden)
        refresh = None if player.client.is_live else REFRESH_MS
        own = {**scene.members, "message": player.message, "refresh": refresh}
        view = self._encode(self._news(own, player.now_ms), cells, unasked=unasked)
        self.known = self.known._replace(scene=scene)
        if is_same and before is not None:
            scene.told[before] = view, self.known
        return view

    def write_farewell(self, said: Message, *, is_final: bool) -> bytes:
        """Write the last view of a connection; after a final one the client stays away."""
        self._tell_menu(None)
        known = self.known.members
        last = {"page": None, "message": said, "keys": keys_of(Mode.NO_GAME), "clock_runs": False}
        news = {name: value for name, value in last.items() if value != known[name]}
        if is_final:
            news["last"] = True
        return self._encode(news, b"")

    def forget_clock(self) -> None:
        """Tell the clock next time even if it runs as the client thinks."""
        self.known = self.known._replace(clock_at_ms=None)

    def _tell_said(self, sitting: Sitting) -> None:
        """Tell what was said in the room since this client was told last."""
        if sitting.heard == sitting.table.last_said:
            return
        said = [
            {"seat": one.seat, "id": one.phrase, "cell": one.cell}
            for one in sitting.table.said
            if one.number > sitting.heard
        ]
        sitting.heard = sitting.table.last_said
        self._pieces.append(f'"said":{_to_json(said)}')

    def _tell_menu(self, menu: Menu | None) -> None:
        """Tell of another menu, or of the rows that changed in this one."""
        known = self.known.menu
        if menu is None:
            if known is not None:
                self.known = self.known._replace(menu=None)
                self._pieces.append('"menu":null')
            return
        new = (menu.id, menu.title, menu.rows)
        self.known = self.known._replace(menu=new)
        if known is None or known[:2] != new[:2] or _ids(known[2]) != _ids(menu.rows):
            rows = ",".join(map(_write_row, menu.rows))
            head = _to_json({"id": menu.id, "title": menu.title, "selected": menu.selected})
            self._pieces.append(f'"menu":{head[:-1]},"rows":[{rows}]}}')
        elif known[2] != menu.rows:
            rows = ",".join(
                _write_row(row)
                for before, row in zip(known[2], menu.rows, strict=True)
                if row != before
            )
            self._pieces.append(f'"rows":[{rows}]')


# Members


class Moment:
    """Something that will be; it is told as the time until then, once."""

    def __init__(self, at_ms: int, now_ms: int) -> None:
        self.at_ms = at_ms
        self.in_ms = max(0, at_ms - now_ms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moment) and self.at_ms == other.at_ms

    def __hash__(self) -> int:
        return hash(self.at_ms)


def _write_moment(moment: Moment | None) -> str:
    return "null" if moment is None else str(moment.in_ms)


def _seen_by(player: Player, match: Match) -> PlayerView:
    """Return the view of a player in a room: no mines of a board that others still play."""
    view, sitting = match.game.view, player.sitting
    if sitting is not None and view.status is Status.LOST:
        room = sitting.table.at(player.utc_ms)
        if room.kind is Kind.RACE and room.is_playing:
            return view.before_the_end()
    return view


def _describe_others(player: Player) -> Members:
    """Describe the partners or opponents of the player."""
    match, sitting = player.match, player.sitting
    if sitting is not None:
        members = _describe_table(player, sitting.table, sitting.number, match)
        members["refresh"] = None if player.client.is_live else REFRESH_MS
        if match is not None and (blocked_ms := rounds.blocked_ms(player, match)) > 0:
            members["blocked"] = Moment(player.now_ms + blocked_ms, player.now_ms)
        return members
    if match is None or match.rival is None:
        return {**_ALONE}
    members = _describe_table(player, alone.table_of(player, match, match.rival), 1, match)
    clock_ms = match.elapsed_ms(player.now_ms)
    if match.clock_runs and not match.rival.has_finished(clock_ms):
        members["refresh"] = match.rival.next_step_in_ms(clock_ms)
    return members | {"watchers": match.watcher_count}


def _room_as_data(room: Room, number: int) -> Members:
    return {
        "code": room.code,
        "kind": room.kind.value,
        "state": room.stage.value,
        "label": room.variant.label,
        "mine": room.variant.rules.mine.value,
        "host": room.host,
        "you": number,
        "bots": room.allows_bots,
    }


def _describe_table(player: Player, table: Table, number: int, match: Match | None) -> Members:
    utc_ms = player.utc_ms
    room = table.at(utc_ms)
    is_shared = room.kind is Kind.SHARED and match is not None
    contributions = (
        match.contributions.follow(match.game) if is_shared and match is not None else None
    )
    has_lives = match is not None and room.variant.rules.mine is MineEffect.LIFE
    return {
        "room": _room_as_data(room, number),
        "seats": table.rows(utc_ms, contributions),
        "cursors": table.cursors if is_shared else (),
        "owners": contributions.owners if contributions is not None else (),
        "starts_in": Moment(room.starts_at_ms, utc_ms) if room.stage is Stage.COUNTDOWN else None,
        "ends_in": Moment(room.ends_at_ms, utc_ms) if room.ends_at_ms and room.is_playing else None,
        "blocked": None,
        "lives": match.game.lives_left if match is not None and has_lives else None,
        "watching": None,
        "looking": None,
        "refresh": None,
        "watchers": table.watcher_count,
    }


_ALONE: Final[Mapping[str, Any]] = {
    name: DEFAULTS[name]
    for name in (
        *("room", "seats", "cursors", "owners", "starts_in", "ends_in"),
        *("blocked", "lives", "watching"),
    )
}


def _describe_waiting(player: Player) -> Members:
    """Describe a room in which no round runs yet."""
    own = {"message": player.message, "keys": keys_of(player.mode)}
    return {**DEFAULTS, **own, **_describe_others(player)}


def _scene_of(player: Player, page: WatchPage) -> Scene:
    """Return the scene that all who look on see now."""
    shown = page.match or page.table
    key = (page.changes, page.name, page.is_gone, page.is_hidden(player.utc_ms))
    before = None if shown is None else shown.scene
    if isinstance(before, Scene):
        if before.key == key:
            return before
        # Nobody is shown that one any more.
        before.told = {}
    scene = Scene(key, _describe_watched(player, page))
    if shown is not None:
        shown.scene = scene
    return scene


def _describe_watched(player: Player, page: WatchPage) -> Members:
    match, table = page.match, page.table
    members: Members = {
        **DEFAULTS,
        **({} if table is None else _describe_table(player, table, 0, match)),
        "keys": keys_of(Mode.WATCHING),
        "watching": {"name": page.name, "gone": page.is_gone},
    }
    if match is None:
        return members
    game, variant = match.game, match.variant
    members |= {
        "state": PAUSED if page.is_hidden(player.utc_ms) else STATES[game.status],
        "label": variant.label,
        "remark": ("assisted",) if game.assisted else (),
        "mines": variant.mine_count,
        "left": game.view.mines_left,
        "clock": match.elapsed_ms(player.now_ms),
        "clock_runs": match.clock_runs,
    }
    if table is None:
        members["watchers"] = match.watcher_count
    return members


def _describe_game(player: Player, seat: MatchSeat) -> Members:
    match, sitting = seat.match, player.sitting
    game, flags, is_alone = match.game, match.missing_flags(), sitting is None and not match.rival
    variant, said, is_over = game.setup.variant, player.message, game.status is not Status.ONGOING
    state = STATES[game.status]
    if seat.is_paused:
        state = PAUSED
        said = said if said.id else message("paused.ranked" if player.is_timed else "paused")
    members = {
        "state": state,
        "label": variant.label,
        "aim": SILENCE if is_over else missing(flags) if flags else AIMS[variant.rules.victory],
        "remark": _remarks(player, seat),
        "mines": variant.mine_count,
        "left": variant.mine_count - (game.flagged | game.known).bit_count(),
        "chords": variant.rules.chording,
        "questions": player.has_question_marks,
        "clock": match.elapsed_ms(player.now_ms),
        "clock_runs": match.clock_runs,
        "pace": match.pace() if player.settings.pace and not is_over else None,
        "hint": seat.hint,
        "flash": seat.flash,
        "odds": seat.odds,
        "figures": seat.figures if is_over else (),
        "replay": None,
        "position": 0,
        "page": None,
        "message": said,
        "keys": keys_of(player.mode),
        "refresh": None,
        "watchers": match.watcher_count,
        "looking": None if player.search is None else player.search.board.label,
        **(_ALONE if is_alone else _describe_others(player)),
    }
    if sitting is not None:
        room = sitting.table.at(player.utc_ms)
        if room.is_playing:
            members["figures"] = ()
        elif room.stage is Stage.OVER and not (is_over or seat.is_paused):
            members["state"] = STATES[Status.TERMINATED]
    return members


def _describe_replay(player: Player, replay: ReplayPage) -> Members:
    view = replay.game.view
    return {
        "state": STATES[view.status],
        "label": replay.label,
        "aim": SILENCE,
        "mines": view.mine_count,
        "left": view.mines_left,
        "clock": replay.clock_ms,
        "clock_runs": False,
        "hint": (),
        "flash": (),
        "odds": replay.odds,
        "figures": replay.figures,
        "replay": replay.times,
        "position": replay.position,
        "page": None,
        "message": player.message if player.message.id else replay.caption,
        "keys": keys_of(Mode.REPLAY),
        "refresh": None,
    }


def _describe_cover(player: Player, layer: Layer | None) -> Members:
    match = player.match
    mode = Mode.NO_GAME if layer is None else Mode.PAGE if isinstance(layer, Page) else Mode.MENU
    if isinstance(layer, Menu) and layer.id == Verb.SAVES:
        mode = Mode.SAVES
    return {
        **_describe_others(player),
        "clock": 0 if match is None else match.elapsed_ms(player.now_ms),
        "clock_runs": match is not None and match.clock_runs,
        "page": layer if isinstance(layer, Page) else None,
        "message": player.message,
        "keys": keys_of(mode),
        "refresh": layer.asks_again_ms if isinstance(layer, Menu) else None,
    }


def _remarks(player: Player, seat: MatchSeat) -> tuple[str, ...]:
    game = seat.match.game
    remarks = {
        "debug": seat.is_debugged,
        "assisted": game.assisted,
        "repeat": game.setup.variant.is_repeat,
        "unsaved": not player.account.is_saved(seat.match),
    }
    return tuple(remark for remark, holds in remarks.items() if holds)


# As JSON


def _write_message(said: Message) -> str:
    if not said.id:
        return "null"
    members: Members = {"id": said.id, "text": said.text}
    if said.tone is not Tone.PLAIN:
        members["tone"] = said.tone.value
    if said.args:
        members["args"] = dict(said.args)
    return _to_json(members)


def _write_shown(shown: Sequence[Any]) -> str:
    if not isinstance(shown, Shown):
        return _to_json(shown)
    shown.text = shown.text or _to_json(shown)
    return shown.text


def _write_page(page: Page | None) -> str:
    if page is None:
        return "null"
    lines = [
        {"head": line.head, "rows": line.rows} if isinstance(line, Listing) else line
        for line in page.lines
    ]
    return _to_json({"id": page.id, "title": page.title, "lines": lines})


_WRITERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "aim": _write_message,
    "message": _write_message,
    "page": _write_page,
    "seats": _write_shown,
    "cursors": _write_shown,
    "owners": _write_shown,
    "starts_in": _write_moment,
    "ends_in": _write_moment,
    "blocked": _write_moment,
}


# All players see much the same rows, and to write one takes longer than to send it.
@lru_cache(maxsize=1_024)
def _write_row(row: Row) -> str:
    members = {
        "id": row.id,
        "kind": "" if row.kind is RowKind.ROW else row.kind,
        "label": row.label,
        "value": row.value,
        "choices": row.choices,
        "range": row.range,
        "help": row.help,
        "figures": row.figures,
        "disabled": row.disabled,
        "drop": row.can_drop,
    }
    return _to_json({name: value for name, value in members.items() if value})


def _ids(rows: Sequence[Row]) -> Sequence[str]:
    return [row.id for row in rows]


# Cells


def _encode_runs(grid: Grid, layers: Layers, changed: int) -> bytes:
    """Encode the changed cells of each row: number of a cell, count, and the faces from there."""
    columns, stride, runs = grid.size.columns, grid.stride, bytearray()
    rows = grid.rows_spanned(changed)
    faces = faces_of(grid, layers, rows)
    for row in rows:
        rest = _without_short_gaps(changed >> row * stride & grid.row_mask)
        before = (row - rows.start) * stride
        while rest:
            start = (rest & -rest).bit_length() - 1
            rest >>= start
            length = (~rest & rest + 1).bit_length() - 1
            rest = rest >> length << start + length
            runs += (row * columns + start).to_bytes(2, "big")
            runs.append(length)
            runs += faces[before + start : before + start + length]
    return bytes(runs)


def _without_short_gaps(cells: int) -> int:
    """Add the cells between two of a row where that costs no more than another run."""
    wider = cells | cells << 1
    wider |= wider << 2
    narrower = wider & wider >> 1
    return narrower & narrower >> 2
