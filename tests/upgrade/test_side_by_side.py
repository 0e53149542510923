"""A server of an older version and one of this on one Redis, as while an upgrade rolls through.

`JMINESWEEPER_OLD=VENV/bin/jminesweeper` names the program of the older one, `JMINESWEEPER_SIDE_S`
the seconds to play for; without them it is this program, for a moment.
"""

from __future__ import annotations

import os
import sys
from time import monotonic
from typing import Final

from jminesweeper.protocol.packets import Act
from jminesweeper.protocol.vocabulary import Button, Command
from tests.integration.server_process import running_server
from tests.integration.view_player import ViewPlayer
from tests.redis_process import RedisProcess
from tests.upgrade.played import FLAGS, KEY, WAITING

OLD: Final = os.environ.get("JMINESWEEPER_OLD")
LONG_S: Final = float(os.environ.get("JMINESWEEPER_SIDE_S", "1"))


def test_a_player_who_is_sent_back_and_forth_finds_every_flag(empty_redis: RedisProcess) -> None:
    program = [OLD] if OLD else [sys.executable, "-m", "jminesweeper"]
    options = ["server", "--host=127.0.0.1", "--port=0", "--workers=0"]
    store = f"--store={empty_redis.url}"
    with (
        running_server(command=["env", "-u", "PYTHONPATH", *program, *options, store]) as old,
        running_server(store, "--workers=0") as new,
    ):
        with ViewPlayer(old.port, KEY) as ada:
            ada.play(WAITING, FLAGS[1])
        flags, began_s = 0, monotonic()
        while flags < 2 or monotonic() - began_s < LONG_S:
            for server in (new, old):
                with ViewPlayer(server.port, KEY) as ada:
                    assert ada.entries["mines left"] == str(9 - flags % 2)
                    ada.play(Act(0, 0, Button.FLAG, 16 + 32 * (flags % 2)))
                    assert "unsaved" not in ada.play(Command.REFRESH)["remark"]
                flags += 1
