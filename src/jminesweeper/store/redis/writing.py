"""Writing players, games and results: the calls of the operations that change something."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jminesweeper.store import (
    Append,
    DropSave,
    Enter,
    Entrance,
    Finish,
    FinishedGame,
    KnownPlayer,
    Note,
    Operation,
    PutOffer,
    PutPlayer,
    PutRunning,
    PutSave,
    Record,
    TakeOffer,
)
from jminesweeper.store.redis.encoding import (
    Call,
    Word,
    format_board,
    format_category,
    format_place,
    join_running,
    nothing,
    order_board,
    pack_append,
    pack_finished,
    pack_label,
    pack_note,
    pack_running,
    unpack_player,
)
from jminesweeper.store.statistics import Result


def _append_words(asked: Append) -> Sequence[Word]:
    return asked.player, asked.owner, asked.revision, pack_append(asked)


def _put_running_words(asked: PutRunning) -> Sequence[Word]:
    game = asked.game
    return asked.player, asked.owner, game.begun_at_ms // 1000, pack_running(game)


def _finish_words(asked: Finish) -> Sequence[Word]:
    _, owner, revision, entries = _append_words(asked.last)
    return owner, revision, entries, *record_words(asked.game)


def record_words(game: FinishedGame) -> Sequence[Word]:
    result = Result.of(game)
    board = game.variant
    return (
        game.player or "",
        game.code,
        game.status.value,
        int(game.counts),
        format_category(result.category),
        game.time_ms,
        "" if result.speed is None else repr(result.speed),
        int(game.is_first_daily),
        *(
            (format_board(board), order_board(board), format_place(game))
            if game.is_ranked
            else ("", "", "")
        ),
        pack_finished(game) if game.player else "",
    )


def _entrance(asked: Enter, reply: Any) -> Entrance:
    if not reply:
        return Entrance(KnownPlayer(asked.player, asked.name), is_known=False)
    key, (*fields, base, note), log = reply
    player = unpack_player(key.decode(), fields)
    if not log:
        return Entrance(player, is_known=True)
    revision = int(base) + len(log) - 1
    game = join_running(log, revision, note)
    return Entrance(player, is_known=True, revision=revision, game=game)


WRITES: Final[Mapping[type[Operation[Any]], Call]] = {
    Enter: Call("enter", lambda a: (a.player, a.name, a.owner), _entrance),
    PutPlayer: Call(
        "put_player",
        lambda a: (a.player, a.name, json.dumps(dict(a.settings)), a.at_s),
        nothing,
    ),
    PutOffer: Call("put_offer", lambda a: (a.player, a.code, a.end_s, a.end_s - a.at_s), nothing),
    TakeOffer: Call(
        "take_offer",
        lambda a: (a.device, a.code, a.at_s),
        lambda _, reply: bool(reply),
    ),
    PutRunning: Call("put_running", _put_running_words),
    Append: Call("append", _append_words),
    Note: Call("note", lambda a: (a.player, a.owner, pack_note(a)), nothing),
    Record: Call("record", lambda a: record_words(a.game), nothing),
    Finish: Call("finish", _finish_words),
    PutSave: Call(
        "put_save", lambda a: (a.player, a.name, pack_label(a), pack_running(a.game)), nothing
    ),
    DropSave: Call("drop_save", lambda a: (a.player, a.name), lambda _, reply: bool(reply)),
}
