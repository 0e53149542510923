"""Taking players out and putting them in: the calls for moving between stores."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jminesweeper.store import Operation, PutSave
from jminesweeper.store.redis.encoding import (
    Call,
    Word,
    format_category,
    format_sums,
    join_running,
    join_texts,
    nothing,
    pack_label,
    pack_running,
    parse_tally,
    unpack_finished,
    unpack_label,
    unpack_player,
    unpack_running,
)
from jminesweeper.store.redis.writing import record_words
from jminesweeper.store.transfer import (
    ExportPlayer,
    ExportTotals,
    FindDamage,
    ImportPlayer,
    ImportTotals,
    ListPlayers,
    PlayerData,
    Tally,
)


def _import_words(asked: ImportPlayer) -> Sequence[Word]:
    data = asked.data
    player, running = data.player, data.running
    saves = [(save.name, pack_label(save), pack_running(save.game)) for save in data.saves]
    return (
        player.id,
        player.name,
        json.dumps(dict(player.settings)),
        player.created_at_s,
        "" if running is None else pack_running(running),
        join_texts(word for save in saves for word in save),
        join_texts(join_texts(record_words(game)) for game in data.games),
        _tally_words(data.tally),
        join_texts(data.devices),
    )


def _tally_words(tally: Tally) -> bytes:
    return join_texts(
        word
        for category, sums in tally.items()
        for word in ("" if category is None else format_category(category), format_sums(sums))
    )


def _player_data(asked: ExportPlayer, reply: Sequence[Any]) -> PlayerData | None:
    (*fields, base, note), log, labels, saves, games, tally, devices = reply
    if fields[0] is None:
        return None
    player = unpack_player(asked.player, fields)
    packed = dict(zip(saves[::2], saves[1::2], strict=True))
    listed = map(unpack_label, labels[::2], labels[1::2])
    return PlayerData(
        player,
        join_running(log, int(base) + len(log) - 1, note) if log else None,
        tuple(
            PutSave(
                player.id,
                label.name,
                unpack_running(packed[label.name.encode()]),
                label.saved_at_s,
                label.opened_share,
            )
            for label in sorted(listed, key=lambda label: label.name)
        ),
        tuple(unpack_finished(player.id, game) for game in games),
        parse_tally(tally),
        tuple(sorted(map(bytes.decode, devices))),
    )


READS: Final[Mapping[type[Operation[Any]], Call]] = {
    ListPlayers: Call(
        "list_players",
        lambda a: (f"({a.after}" if a.after else "-", a.limit),
        lambda _, reply: tuple(player.decode() for player in reply),
    ),
    ExportPlayer: Call("export_player", lambda a: (a.player,), _player_data),
    FindDamage: Call("find_damage", lambda _: (), lambda _, reply: tuple(map(bytes.decode, reply))),
    ExportTotals: Call("read_sums", lambda _: ("jm:tally",), lambda _, reply: parse_tally(reply)),
}
WRITES: Final[Mapping[type[Operation[Any]], Call]] = {
    ImportPlayer: Call("import_player", _import_words, nothing),
    ImportTotals: Call("import_totals", lambda a: (_tally_words(a.tally),), nothing),
}
