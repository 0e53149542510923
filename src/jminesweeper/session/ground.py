"""The ground: what lies under all layers, the board or the room.

`picture_of` is the way of every reply: the layer on top describes itself, and where there is none,
the board does, or the room whose round has not begun. A menu or a page leaves the members of the
game as they are, but for the clock and the others in the room.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress
from typing import Any, Final

from jminesweeper.core.rules import MineEffect
from jminesweeper.core.view import Status
from jminesweeper.protocol.view import STARTING, STATES
from jminesweeper.records.rooms import Kind, Result, Stage
from jminesweeper.session import alone, rounds
from jminesweeper.session.matches import Match, MatchSeat
from jminesweeper.session.messages import AIMS, SILENCE, message, missing
from jminesweeper.session.picture import DEFAULTS, PAUSED, Field, Members, Moment, Picture, Scene
from jminesweeper.session.player import Player
from jminesweeper.session.result import headline, score, share_of, told
from jminesweeper.session.rights import RIGHTS, Mode
from jminesweeper.session.room_menu import sheet_rows
from jminesweeper.session.tables import LastTold, TableView
from jminesweeper.session.view import Known

REFRESH_MS: Final = 500
"""Time after which a client in a room asks again that gets no frames unasked."""


def picture_of(player: Player, known: Known, scene: Scene | None = None) -> Picture:
    """Describe what a player sees now; `scene` is what they share with others (`scene_of`).

    A moment, such as a phrase, is described until the client knows of it.
    """
    layer, seat, sitting = player.talks.layer, player.seat, player.sitting
    leaves_game = layer is None and seat is None and sitting is None
    if layer is not None:
        picture, leaves_game = layer.describe(player), layer.leaves_game
    elif seat is not None:
        picture = _describe_board(player, seat, scene)
    elif sitting is not None:
        mode = player.mode
        own = {"message": player.message, "keys": RIGHTS[mode].offers}
        sheet = {"sheet": sheet_rows(sitting) if mode is Mode.WAITING else ()}
        picture = Picture({**DEFAULTS, **own, **_describe_others(player), **sheet})
        if (game := sitting.view.opening(sitting.number)) is not None:
            # The board of a round in its countdown, in which nobody can act.
            variant = game.setup.variant
            picture.members.update(
                state=STARTING,
                label=variant.label,
                mines=variant.mine_count,
                left=variant.mine_count,
                chords=variant.rules.chording,
            )
            field = Field(game.grid, game.view)
            picture = picture._replace(field=field, cursor=game.setup.first)
    else:
        own = {"message": player.message, "keys": RIGHTS[Mode.NO_GAME].offers}
        picture = Picture({**own, "page": None, "refresh": None})
    if leaves_game:
        # What is said of the game stays as it was, but for the clock and the others. A menu says by
        # itself when to ask again.
        match = player.match
        is_alone = sitting is None and (match is None or match.rival is None)
        others = {**(_ALONE if is_alone else _describe_others(player))}
        others.pop("refresh", None)
        others["clock"] = 0 if match is None else match.elapsed_ms(player.now_ms)
        others["clock_runs"] = match is not None and match.clock_runs
        picture.members.update(others)
    if scene is not None:
        picture = picture._replace(scene=scene)
    if sitting is None:
        return picture
    table, last_told = sitting.table, known.last_told
    if last_told == (table, table.last_said, table.last_news):
        return picture._replace(last_told=last_told)
    # Phrases, and what others did, since this client was told last.
    before = sitting.since if last_told is None or last_told.table is not table else last_told
    said = [
        {"seat": one.seat, "id": one.phrase, "cell": one.cell}
        for one in table.said
        if one.number > before.phrase
    ]
    done = [
        told(one, sitting.view.names, sitting.number)
        for one in table.news
        if one.number > before.news
    ]
    return picture._replace(
        said=said,
        news=[each for each in done if each.id],
        last_told=LastTold(table, table.last_said, table.last_news),
    )


def has_moments(player: Player, known: Known) -> bool:
    """Return True if there may be something to tell this client alone, once."""
    seat, sitting = player.seat, player.sitting
    # Nobody puts the cursor of a watcher: it is where the player's is.
    placing = None if seat is None or player.talks.layer is not None else seat.placing
    if placing is not known.placing:
        return True
    table = None if sitting is None else sitting.table
    return table is not None and known.last_told != (table, table.last_said, table.last_news)


def scene_of(player: Player) -> Scene | None:
    """Return the scene that this player shares with others; None for one that only they see.

    All at a shared board have one, and all who watch a game. It is described once, by the first who
    is shown it, and a frame of it costs a tenth of one that is described and encoded for each.
    """
    layer, seat, sitting = player.talks.layer, player.seat, player.sitting
    if not player.client.is_live or player.message is not SILENCE:
        return None
    if layer is not None:
        return layer.scene(player)
    if seat is None or sitting is None or player.talks.stack:
        return None
    match, room = seat.match, sitting.room
    if room.kind is not Kind.SHARED or match.code not in room.records:
        return None
    if match.game.status is not Status.ONGOING or rounds.blocked_ms(player, match) > 0:
        return None
    if seat.hint or seat.flash or seat.odds or seat.is_paused or seat.is_debugged:
        return None
    if player.search or player.settings.pace:
        return None
    if not player.account.is_saved(match):
        return None
    key, before = (match.changes, sitting.table.changes), sitting.view.shared
    if isinstance(before, Scene):
        if before.key == key:
            return before
        # Nobody is shown that one any more, and its views would keep those before it.
        before.told = {}
    sitting.view.shared = scene = Scene(key, _describe_game(player, seat))
    return scene


def _describe_board(player: Player, seat: MatchSeat, scene: Scene | None) -> Picture:
    match, sitting = seat.match, player.sitting
    game = match.game
    if scene is None:
        members = _describe_game(player, seat)
    else:
        members, room = {**scene.members}, scene.members["room"]
        members["questions"] = player.has_question_marks
        members["clock"] = match.elapsed_ms(player.now_ms)
        if sitting is not None and room["you"] != sitting.number:
            members["room"] = {**room, "you": sitting.number}
    view, is_race = game.view, sitting is not None and sitting.room.kind is Kind.RACE
    is_on = sitting is not None and match.code in sitting.room.records
    if is_race and is_on and view.status is not Status.WON:
        # The others still play this board.
        view = view.before_the_end()
    mines = game.reveal_truth().mines if seat.is_debugged else 0
    field = Field(game.grid, view, mines, is_hidden=seat.is_paused)
    return Picture(members, field, seat.cursor, seat.placing)


_REMARKS: Final = ("debug", "assisted", "repeat", "unsaved")


def _describe_game(player: Player, seat: MatchSeat) -> Members:
    match, sitting = seat.match, player.sitting
    game, flags, said = match.game, match.missing_flags(), player.message
    variant, is_over = game.setup.variant, game.status is not Status.ONGOING
    first = game.setup.first
    if seat.is_paused and not said.id:
        said = message("paused.ranked" if player.is_timed else "paused")
    is_saved = player.account.is_saved(match)
    holds = seat.is_debugged, game.assisted, variant.is_repeat, not is_saved
    members = {
        "state": PAUSED if seat.is_paused else STATES[game.status],
        "label": variant.label,
        "aim": SILENCE if is_over else missing(flags) if flags else AIMS[variant.rules.victory],
        "remark": tuple(compress(_REMARKS, holds)),
        "mines": variant.mine_count,
        "left": variant.mine_count - (game.flagged | game.known).bit_count(),
        "chords": variant.rules.chording,
        "questions": player.has_question_marks,
        "clock": match.elapsed_ms(player.now_ms),
        "clock_runs": match.clock_runs,
        "pace": match.pace() if player.settings.pace and not is_over else None,
        "first": () if first is None or game.visible or is_over else seat.places((first,)),
        "hint": seat.hint,
        "flash": seat.flash,
        "odds": seat.odds,
        "figures": seat.figures if is_over else (),
        "replay": None,
        "position": 0,
        "page": None,
        "message": said,
        "keys": RIGHTS[player.mode].offers,
        "refresh": None,
        "watchers": match.watcher_count,
        "looking": None if player.search is None else player.search.board.label,
        **(_ALONE if sitting is None and match.rival is None else _describe_others(player)),
    }
    if sitting is not None and match.code in sitting.room.records:
        members["figures"] = ()
    elif sitting is not None and not (is_over or seat.is_paused):
        members["state"] = STATES[Status.TERMINATED]
    return members


def _describe_others(player: Player) -> Members:
    """Describe the partners or opponents of the player."""
    match, sitting = player.match, player.sitting
    if sitting is not None:
        members = describe_table(player, sitting.view, sitting.number, match, sitting.result)
        members["refresh"] = None if player.client.is_live else REFRESH_MS
        if match is not None and (blocked_ms := rounds.blocked_ms(player, match)) > 0:
            members["blocked"] = Moment(player.now_ms + blocked_ms, player.now_ms)
        return members
    members = {**_ALONE, "refresh": None}
    if match is not None and (rival := match.rival) is not None:
        members.update(alone.describe_race(player, match, rival), watchers=match.watcher_count)
        clock_ms = match.elapsed_ms(player.now_ms)
        if match.clock_runs and not rival.has_finished(clock_ms):
            members["refresh"] = rival.next_step_in_ms(clock_ms)
    return members


_ALONE: Final[Mapping[str, Any]] = {
    name: DEFAULTS[name]
    for name in (
        *("room", "sheet", "seats", "cursors", "owners", "starts_in", "ends_in"),
        *("blocked", "lives", "watching"),
    )
}


_ROOM_STATES: Final[Mapping[Stage, str]] = {
    Stage.GATHERING: "waiting",
    Stage.COUNTDOWN: "countdown",
    Stage.PLAYING: "running",
    Stage.PAUSED: "running",
    Stage.OVER: "over",
}


def describe_table(
    player: Player, seen: TableView, number: int, match: Match | None, result: Result | None
) -> Members:
    """Describe a room as one seat sees it, or the end of a round for a player still reading it."""
    table, room, now_ms = seen.table, seen.room, player.now_ms
    shared = starts = ends = None
    if room.kind is Kind.SHARED and match is not None:
        shared = match.contributions
        # The log is read on up to here: told or not, nobody misses anything of it later.
        table.note_actions(shared.follow(match.game))
    has_lives = match is not None and room.variant.rules.mine is MineEffect.LIFE
    stage = table.stage(now_ms) if result is None else Stage.OVER
    if stage is Stage.COUNTDOWN and room.setup is None:
        # A round is called, and its board is being drawn.
        stage = Stage.GATHERING
    elif stage is Stage.COUNTDOWN:
        starts = Moment(now_ms - table.clock_ms(now_ms), now_ms)
    elif stage in {Stage.PLAYING, Stage.PAUSED} and table.last_minute_ms is not None:
        ends = Moment(table.last_minute_ms, now_ms)
    if room.round is None and table.next_start_ms is not None:
        starts = Moment(table.next_start_ms, now_ms)
    state = _ROOM_STATES[stage]
    rows = seen.rows(result, shared)
    key, about = seen.described.get(number, (None, {}))
    if result is not None or key != (table.changes, state):
        status = Status.ONGOING if match is None else match.game.status
        series, ended = room.series, result.series if result is not None else ""
        about = {
            "code": room.code,
            "kind": room.kind.value,
            "state": state,
            "label": room.variant.label,
            "mine": room.variant.rules.mine.value,
            "host": room.host,
            "you": number,
            "bots": room.allows_bots,
            "open": room.is_open,
            "doors": player.config.doors.members(),
            "headline": headline(room.kind, rows, number, status, ended).text if result else "",
            "score": score(room.kind, rows, number),
            "series": "" if series is None else series.progress if series.is_on else series.label,
            "share": share_of(rows, ended, room.variant.label),
        }
        # An action on a shared board changes nothing of it.
        seen.described[number] = None if result is not None else (table.changes, state), about
    return {
        "room": about,
        "sheet": (),
        "seats": rows,
        "cursors": seen.cursors() if shared is not None else (),
        "owners": shared.owners if shared is not None else (),
        "starts_in": starts,
        "ends_in": ends,
        "blocked": None,
        "lives": match.game.lives_left if match is not None and has_lives else None,
        "watching": None,
        "looking": None,
        "refresh": None,
        "watchers": table.watcher_count,
    }
