"""Write the store of this version that later versions are tested with: SQLite and Redis.

`python -m tests.upgrade.played` has a player win, lose, save and leave a game waiting on a real
server, and keeps what is stored then in a folder of the version. A version that is out keeps its
folder for good.
"""

from __future__ import annotations

import base64
import json
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from redis import Redis

from jminesweeper import __version__
from jminesweeper.client.address import LOCAL_NAME
from jminesweeper.client.identity import key_for
from jminesweeper.protocol.packets import Act, NewGame, Save
from jminesweeper.protocol.vocabulary import Button, Command
from tests.integration.server_process import running_server
from tests.integration.view_player import ViewPlayer
from tests.redis_process import running_redis

FOLDER: Final = Path(__file__).parent
SQLITE: Final = "games.sqlite3"
REDIS: Final = "redis.json"
SECRET: Final = b"Ada's own secret"
KEY: Final = key_for(LOCAL_NAME, SECRET)
WON: Final = NewGame("2x1/1 first-reveal=safe")
SAVED: Final = NewGame("expert")
WAITING: Final = NewGame("beginner")
FLAGS: Final = tuple(Act(column, 0, Button.FLAG, 16) for column in range(3))


def play(store: str) -> None:
    """Have Ada win a game, save one, and leave one with three flags."""
    with running_server(f"--store={store}", "--workers=0", "--seed=7") as server:
        with ViewPlayer(server.port, KEY, "Ada") as ada:
            assert ada.play(WON, Command.REVEAL)["state"] == "won"
            ada.play(SAVED, FLAGS[0], Save("first"))
            ada.play(WAITING, *FLAGS)
            assert ada.entries["mines left"] == "7"
        server.send_signal(signal.SIGTERM)
        server.wait()


def dump(client: Redis) -> dict[str, tuple[int, str]]:
    """Return every key as Redis hands it over, and the moment at which it goes, if it does."""
    return {
        key.decode(): (
            max(0, client.pexpiretime(key)),
            base64.b64encode(client.dump(key) or b"").decode(),
        )
        for key in sorted(client.scan_iter())
    }


def restore(client: Redis, kept: dict[str, tuple[int, str]]) -> None:
    """Put back what was dumped."""
    for key, (until_ms, data) in kept.items():
        client.restore(key, until_ms, base64.b64decode(data), replace=True, absttl=bool(until_ms))


def main() -> None:
    """Play on each kind of store, and keep what is there."""
    target = FOLDER / __version__
    target.mkdir(exist_ok=True)
    program = shutil.which("redis-server")
    assert program is not None, "redis-server is not installed"
    with TemporaryDirectory() as name:
        folder = Path(name)
        play(str(folder / SQLITE))
        (target / SQLITE).unlink(missing_ok=True)
        with closing(sqlite3.connect(folder / SQLITE)) as played:
            played.execute("VACUUM INTO ?", (str(target / SQLITE),))
        with running_redis(program, folder / "redis") as redis:
            play(redis.url)
            kept = json.dumps(dump(redis.client), indent=1)
            (target / REDIS).write_text(f"{kept}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
