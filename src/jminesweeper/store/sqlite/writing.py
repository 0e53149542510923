"""Writing players, running games and saves, inside the transaction of a batch.

A write that is refused raises before it has changed anything, so the batch continues without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from sqlite3 import Connection
from typing import Final

from jminesweeper.store import (
    MAX_DEVICES,
    Append,
    DropSave,
    Enter,
    Entrance,
    FencedError,
    KnownPlayer,
    Note,
    PutOffer,
    PutPlayer,
    PutRunning,
    PutSave,
    RevisionError,
    RunningGame,
    StoreError,
    TakeOffer,
    UnknownPlayerError,
)
from jminesweeper.store.sqlite.schema import (
    GAME,
    PLAYER_OF,
    Row,
    format_mapping,
    game_row,
    read_game,
    read_player,
)
from jminesweeper.store.values import check_save_count

APPEND_SIZES: Final = (64, 16, 4, 1)
"""How many appends go into one statement.

Each statement releases the interpreter's lock, and must wait for it while an event loop is busy.
One statement for each append makes a thousand players wait.
"""
_IS_APPENDED: Final = """
    SELECT 1
    FROM player
    JOIN move AS last ON last.player = player.id AND last.revision = ?3
    JOIN move ON move.player = player.id AND move.revision = ?3 + 1
    WHERE player.key = ?1
    AND (move.clock_ms, move.cursor_column, move.cursor_row, move.entries) = (?4, ?5, ?6, ?7)
"""
_PUT_SLOT: Final = f"""
    INSERT INTO slot (player, owner, {GAME}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (player) DO UPDATE SET ({GAME}) = (
        {", ".join(f"excluded.{column}" for column in GAME.split(", "))}
    )
    WHERE owner = excluded.owner
"""


def known(connection: Connection, player: str) -> int:
    row = connection.execute("SELECT id FROM player WHERE key = ?", (player,)).fetchone()
    if row is None:
        raise UnknownPlayerError
    number: int = row[0]
    return number


def enter(connection: Connection, asked: Enter) -> Entrance:
    row = connection.execute(
        f"""
        UPDATE player SET name = coalesce(nullif(?2, ''), name) WHERE id = {PLAYER_OF}
        RETURNING id, key, name, settings, created_at_s
        """,
        (asked.player, asked.name),
    ).fetchone()
    if row is None:
        return Entrance(KnownPlayer(asked.player, asked.name), is_known=False)
    number, key, *player = row
    game = connection.execute(
        f"""
        INSERT INTO slot (player, owner) VALUES (?, ?)
        ON CONFLICT (player) DO UPDATE SET owner = excluded.owner
        RETURNING {GAME}
        """,
        (number, asked.owner),
    ).fetchone()
    revision, running = read_running(connection, number, game)
    return Entrance(read_player(key, player), is_known=True, revision=revision, game=running)


def put_player(connection: Connection, asked: PutPlayer) -> None:
    connection.execute(
        """
        INSERT INTO player (key, name, settings, created_at_s) VALUES (?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET name = excluded.name, settings = excluded.settings
        """,
        (asked.player, asked.name, format_mapping(asked.settings), asked.at_s),
    )


def put_offer(connection: Connection, asked: PutOffer) -> None:
    player = known(connection, asked.player)
    connection.execute("DELETE FROM offer WHERE end_s <= ?", (asked.at_s,))
    connection.execute(
        "INSERT OR REPLACE INTO offer (player, code, end_s) VALUES (?, ?, ?)",
        (player, asked.code, asked.end_s),
    )


def take_offer(connection: Connection, asked: TakeOffer) -> bool:
    offer = connection.execute(
        "DELETE FROM offer WHERE code = ? RETURNING player, end_s", (asked.code,)
    ).fetchone()
    if offer is None or offer[1] <= asked.at_s:
        return False
    added = connection.execute(
        """
        INSERT OR REPLACE INTO device (key, player) SELECT ?1, ?2
        WHERE (SELECT count(*) FROM device WHERE player = ?2) < ?3
        """,
        (asked.device, offer[0], MAX_DEVICES),
    )
    return bool(added.rowcount)


def put_running(connection: Connection, asked: PutRunning) -> int:
    game = asked.game
    connection.execute(
        """
        INSERT INTO player (key, name, settings, created_at_s) VALUES (?, '', '{}', ?)
        ON CONFLICT DO NOTHING
        """,
        (asked.player, game.begun_at_ms // 1000),
    )
    player = known(connection, asked.player)
    if not connection.execute(_PUT_SLOT, (player, asked.owner, *game_row(game))).rowcount:
        raise FencedError
    revision = 1 + _last_revision(connection, player)
    connection.execute("DELETE FROM move WHERE player = ?", (player,))
    connection.execute(
        """
        INSERT INTO move (player, revision, clock_ms, cursor_column, cursor_row, entries)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        (player, revision, game.clock_ms, *game.cursor, game.entries),
    )
    if game.is_paused:
        _put_note(connection, player, revision, game)
    return revision


def append(connection: Connection, asked: Append) -> int:
    if not _append(connection, [asked]):
        _held(connection, asked)
        # A write that is tried again because its acknowledgement was lost is a success.
        if connection.execute(_IS_APPENDED, _append_row(asked)).fetchone() is None:
            raise RevisionError(asked.revision)
    return asked.revision + 1


def append_all(connection: Connection, asked: Sequence[Append]) -> Sequence[int | StoreError]:
    """Append to games of different players, many by one statement; answer each."""
    answers: list[int | StoreError] = []
    for size in APPEND_SIZES:
        while len(asked) - len(answers) >= size:
            some = asked[len(answers) : len(answers) + size]
            if _append(connection, some) == size:
                answers += [each.revision + 1 for each in some]
            else:
                # At least one of them is refused; the others succeed again.
                answers += [_append_alone(connection, each) for each in some]
    return answers


def _append_alone(connection: Connection, asked: Append) -> int | StoreError:
    try:
        return append(connection, asked)
    except StoreError as error:
        return error


def _append(connection: Connection, asked: Sequence[Append]) -> int:
    """Insert the moves that are allowed; count them."""
    rows = chain.from_iterable(map(_append_row, asked))
    return connection.execute(_append_statement(len(asked)), tuple(rows)).rowcount


def _append_row(asked: Append) -> Row:
    return (
        asked.player,
        asked.owner,
        asked.revision,
        asked.clock_ms,
        *asked.cursor,
        asked.entries,
    )


@cache
def _append_statement(size: int) -> str:
    """Write the whole fence as one statement.

    Nothing is inserted unless the owner holds the game and the revision before this one is stored;
    what is stored already stays as it is. CROSS JOIN keeps the order of the tables.
    """
    return f"""
        INSERT INTO move (player, revision, clock_ms, cursor_column, cursor_row, entries)
        WITH given(key, owner, revision, clock_ms, cursor_column, cursor_row, entries) AS (
            VALUES {", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * size)}
        )
        SELECT slot.player, given.revision + 1,
            given.clock_ms, given.cursor_column, given.cursor_row, given.entries
        FROM given
        CROSS JOIN player ON player.key = given.key
        CROSS JOIN slot ON slot.player = player.id AND slot.owner = given.owner
        CROSS JOIN move AS last ON last.player = player.id AND last.revision = given.revision
        WHERE true
        ON CONFLICT (player, revision) DO NOTHING
    """


def note(connection: Connection, asked: Note) -> None:
    player = _held(connection, asked)
    revision = _last_revision(connection, player)
    if not revision:
        raise RevisionError(revision)
    _put_note(connection, player, revision, asked)


def put_save(connection: Connection, asked: PutSave) -> None:
    player, game = known(connection, asked.player), asked.game
    others = connection.execute(
        "SELECT count(*) FROM save WHERE player = ? AND name <> ?", (player, asked.name)
    )
    check_save_count(others.fetchone()[0] + 1)
    connection.execute(
        f"""
        INSERT OR REPLACE INTO save
        (player, name, saved_at_s, opened_share, {GAME},
         entries, clock_ms, cursor_column, cursor_row, is_paused)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            player,
            asked.name,
            asked.at_s,
            asked.opened_share,
            *game_row(game),
            game.entries,
            game.clock_ms,
            *game.cursor,
            game.is_paused,
        ),
    )


def drop_save(connection: Connection, asked: DropSave) -> bool:
    dropped = connection.execute(
        "DELETE FROM save WHERE name = ? AND player = (SELECT id FROM player WHERE key = ?)",
        (asked.name, asked.player),
    )
    return dropped.rowcount > 0


def _held(connection: Connection, asked: Append | Note) -> int:
    """Return the player's number if the owner holds the running game."""
    player = known(connection, asked.player)
    row = connection.execute("SELECT owner FROM slot WHERE player = ?", (player,)).fetchone()
    if row != (asked.owner,):
        raise FencedError
    return player


def _last_revision(connection: Connection, player: int) -> int:
    row = connection.execute("SELECT max(revision) FROM move WHERE player = ?", (player,))
    return row.fetchone()[0] or 0


def _put_note(
    connection: Connection, player: int, revision: int, state: Note | RunningGame
) -> None:
    connection.execute(
        """
        INSERT OR REPLACE INTO note
        (player, revision, clock_ms, cursor_column, cursor_row, is_paused)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        (player, revision, state.clock_ms, *state.cursor, state.is_paused),
    )


def read_running(connection: Connection, player: int, game: Row) -> tuple[int, RunningGame | None]:
    """Assemble the running game from its slot, its moves and its note."""
    moves = connection.execute(
        """
        SELECT entries, revision, clock_ms, cursor_column, cursor_row
        FROM move WHERE player = ? ORDER BY revision
        """,
        (player,),
    ).fetchall()
    if not moves:
        return 0, None
    _, revision, *state = moves[-1]
    noted = connection.execute(
        """
        SELECT clock_ms, cursor_column, cursor_row, is_paused
        FROM note WHERE player = ? AND revision = ?
        """,
        (player, revision),
    ).fetchone()
    entries = b"".join(move[0] for move in moves)
    return revision, read_game(game, entries, noted or (*state, False))
