"""Values as Redis holds them: a line of JSON for what is small, then the log as it is.

A running game is that line and the entries it was put with; each append is ten bytes of clock and
cursor and its entries. A finished game is packed the same way and compressed. Categories, boards
and places on a leaderboard are texts, because the functions inside Redis compare and sort them. An
operation is a call of such a function.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.variant import CLASSIC_BOARDS, Variant
from jminesweeper.core.view import Status
from jminesweeper.recordings.text import format_rules
from jminesweeper.store import (
    Append,
    FinishedGame,
    KnownPlayer,
    Note,
    PutSave,
    RunningGame,
    SaveLabel,
)
from jminesweeper.store.statistics import CategorySums, Sums
from jminesweeper.store.transfer import Tally
from jminesweeper.store.variants import category_row, read_variant, variant_row

Word: TypeAlias = bytes | str | int

_STANDING: Final = struct.Struct("<QBB")
"""Clock, and the cursor's column and row."""
_PLACE_DIGITS: Final = 19
_FIGURES_LENGTH: Final = 57
"""Time, end and number of a win, before the player or the code."""
_LAST_DAY: Final = date.max.toordinal()


class Call(NamedTuple):
    """How an operation becomes words, and a reply its answer; None takes the reply as it is."""

    name: str
    words: Callable[[Any], Sequence[Word]]
    answer: Callable[[Any, Any], Any] | None = None


def nothing(_asked: object, _reply: object) -> None:
    """Answer a write that has no result."""


# Players and running games


def unpack_player(player: str, fields: Sequence[bytes]) -> KnownPlayer:
    name, settings, created_at_s = fields
    return KnownPlayer(player, name.decode(), json.loads(settings), int(created_at_s))


def pack_running(game: RunningGame) -> bytes:
    head = {
        "code": game.code,
        **_describe_setup(game.setup),
        "begun_at_ms": game.begun_at_ms,
        "clock_ms": game.clock_ms,
        "cursor": game.cursor,
        "is_paused": game.is_paused,
    }
    return _pack(head, game.entries)


def unpack_running(packed: bytes) -> RunningGame:
    head, entries = _unpack(packed)
    return RunningGame(
        head["code"],
        _read_setup(head),
        entries,
        head["clock_ms"],
        Cell(*head["cursor"]),
        head["is_paused"],
        head["begun_at_ms"],
    )


def pack_append(asked: Append) -> bytes:
    return _STANDING.pack(asked.clock_ms, *asked.cursor) + asked.entries


def pack_note(asked: Note) -> str:
    return f"{asked.clock_ms} {asked.cursor.column} {asked.cursor.row} {asked.is_paused:d}"


def join_running(log: Sequence[bytes], revision: int, note: bytes | None) -> RunningGame:
    """Put a running game together: as it was put, what was appended, and the latest note."""
    game = unpack_running(log[0])
    if len(log) > 1:
        width = _STANDING.size
        entries = b"".join([game.entries, *(append[width:] for append in log[1:])])
        clock_ms, *cursor = _STANDING.unpack(log[-1][:width])
        game = replace(
            game, entries=entries, clock_ms=clock_ms, cursor=Cell(*cursor), is_paused=False
        )
    if note is None:
        return game
    noted_at, clock_ms, column, row, is_paused = map(int, note.split())
    if noted_at != revision:
        return game
    return replace(game, clock_ms=clock_ms, cursor=Cell(column, row), is_paused=bool(is_paused))


# Saves


def pack_label(asked: PutSave) -> str:
    return _dump(
        {
            "saved_at_s": asked.at_s,
            "variant": variant_row(asked.game.setup.variant),
            "clock_ms": asked.game.clock_ms,
            "opened_share": asked.opened_share,
        }
    )


def unpack_label(name: bytes, packed: bytes) -> SaveLabel:
    label = json.loads(packed)
    return SaveLabel(
        name.decode(),
        label["saved_at_s"],
        read_variant(*label["variant"]),
        label["clock_ms"],
        label["opened_share"],
    )


# Finished games


def pack_finished(game: FinishedGame) -> bytes:
    head = {
        "code": game.code,
        **_describe_setup(game.setup),
        "status": game.status.value,
        "time_ms": game.time_ms,
        "ended_at_s": game.ended_at_s,
        "wall_ms": game.wall_ms,
        "is_assisted": game.is_assisted,
        "figures": dict(game.figures),
    }
    return zlib.compress(_pack(head, game.entries))


def unpack_finished(player: str, packed: bytes) -> FinishedGame:
    head, entries = _unpack(zlib.decompress(packed))
    return FinishedGame(
        code=head["code"],
        setup=_read_setup(head),
        status=Status(head["status"]),
        time_ms=head["time_ms"],
        ended_at_s=head["ended_at_s"],
        wall_ms=head["wall_ms"],
        player=player,
        entries=entries,
        is_assisted=head["is_assisted"],
        figures=head["figures"],
    )


# What games are compared by


@lru_cache(maxsize=1_024)
def format_category(category: Variant) -> str:
    return _dump(category_row(category))


def parse_category(text: bytes) -> Variant | None:
    """Read a category; the empty one stands for all beyond the limit."""
    return read_variant(*json.loads(text)) if text else None


def parse_sums(text: bytes) -> CategorySums:
    words = text.decode().split()
    width = len(Sums._fields)
    ranked, unranked = _parse_sums(words[:width]), _parse_sums(words[width : 2 * width])
    streak, best_streak = words[2 * width :]
    return CategorySums(ranked, unranked, int(streak), int(best_streak))


def parse_tally(reply: Sequence[bytes]) -> Tally:
    """Read the sums of all categories, as a hash gives them."""
    lines = zip(reply[::2], reply[1::2], strict=True)
    return {parse_category(category): parse_sums(sums) for category, sums in lines}


def format_sums(sums: CategorySums) -> str:
    numbers = (*sums.ranked, *sums.unranked, sums.streak, sums.best_streak)
    return " ".join("-" if number is None else repr(number) for number in numbers)


def _parse_sums(words: Sequence[str]) -> Sums:
    won, lost, terminated, best_ms, time_ms, speed, speeds = words
    return Sums(
        int(won),
        int(lost),
        int(terminated),
        None if best_ms == "-" else int(best_ms),
        int(time_ms),
        float(speed),
        int(speeds),
    )


def format_board(board: Variant) -> str:
    """Name a leaderboard; its size and mines follow from the name of its board."""
    day = board.daily.isoformat() if board.daily else ""
    return "|".join((board.board, f"{board.is_no_guess:d}", day, format_rules(board.rules)))


def order_board(board: Variant) -> str:
    """Name a leaderboard such that the names sort as leaderboards are listed."""
    day = f"{_LAST_DAY - board.daily.toordinal():07}" if board.daily else ""
    rules = format_rules(board.rules)
    return "\0".join((day, f"{' ' in rules:d}", board.board, rules, f"{board.is_no_guess:d}"))


def parse_board(order: bytes) -> Variant:
    day, _, board, rules, is_no_guess = order.decode().split("\0")
    known = CLASSIC_BOARDS[board]
    return read_variant(
        board,
        known.size.columns,
        known.size.rows,
        known.mine_count,
        rules,
        int(is_no_guess),
        date.fromordinal(_LAST_DAY - int(day)).isoformat() if day else None,
    )


def format_place(game: FinishedGame) -> str:
    """Write what a win is ranked by so that it sorts as text."""
    return f"{game.wall_ms:0{_PLACE_DIGITS}}|{game.ended_at_s:0{_PLACE_DIGITS}}"


def parse_place(place: bytes) -> tuple[int, int, str]:
    """Read the time, the end, and the player or the code of a place."""
    wall_ms, ended_at_s, _ = place[:_FIGURES_LENGTH].split(b"|", 2)
    return int(wall_ms), int(ended_at_s), place[_FIGURES_LENGTH:].decode()


def join_texts(texts: Iterable[bytes | str | int]) -> bytes:
    """Make one text of any number, each after its length: a call has room for a few thousand."""
    encoded = (text if isinstance(text, bytes) else str(text).encode() for text in texts)
    return b"".join(b"%d:%b" % (len(text), text) for text in encoded)


def _describe_setup(setup: Setup) -> Mapping[str, Any]:
    return {
        "variant": variant_row(setup.variant),
        "seed": setup.seed,
        "layout": None if setup.layout is None else f"{setup.layout:x}",
        "first": setup.first,
    }


def _read_setup(head: Mapping[str, Any]) -> Setup:
    layout = head["layout"]
    return Setup(
        read_variant(*head["variant"]),
        head["seed"],
        None if layout is None else int(layout, 16),
        None if head["first"] is None else Cell(*head["first"]),
    )


def _pack(head: Mapping[str, Any], entries: bytes) -> bytes:
    return _dump(head).encode() + b"\n" + entries


def _unpack(packed: bytes) -> tuple[Any, bytes]:
    head, _, entries = packed.partition(b"\n")
    return json.loads(head), entries


def _dump(value: Mapping[str, Any] | Sequence[Any]) -> str:
    # ASCII: no line ends within, and no text that cannot be encoded.
    return json.dumps(value, separators=(",", ":"))
