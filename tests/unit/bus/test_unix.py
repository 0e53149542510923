"""The bus between processes of one host, in a folder of its own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jminesweeper.bus import MISSED, game_topic, unix
from jminesweeper.bus.unix import LONGEST_DATAGRAM, UnixBus
from tests.contract.listening import Ear

ANN, BOB = game_topic("ann"), game_topic("bob")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "bus"


@contextmanager
def buses(folder: Path, count: int = 2) -> Iterator[list[UnixBus]]:
    opened = [UnixBus(folder) for _ in range(count)]
    try:
        yield opened
    finally:
        for bus in opened:
            bus.close()


def inside(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def remove(folder: Path) -> None:
    for path in inside(folder):
        path.unlink()
    folder.rmdir()


async def test_a_socket_that_nobody_reads_any_more_is_removed(folder: Path) -> None:
    with buses(folder, 1) as (bus,):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as killed:
            killed.bind(str(folder / "killed"))
        heard = Ear(bus, ANN)
        bus.publish(ANN, b"1")
        assert await heard.any() == b"1"
        assert not (folder / "killed").exists()


async def test_what_one_step_publishes_is_heard_whole(folder: Path) -> None:
    with buses(folder) as (here, there):
        heard = Ear(there, ANN)
        messages = [b"%d" % number * 10 for number in range(1_000)]
        for message in messages:
            here.publish(ANN, message)
        assert [await heard.any() for _ in messages] == messages


async def test_who_misses_messages_is_told_so(folder: Path) -> None:
    with buses(folder) as (here, there):
        here_too, heard, other = Ear(here, ANN), Ear(there, ANN), Ear(there, BOB)
        for number in range(1_000):
            here.publish(ANN, b"%d" % number)
            # Only the publisher's turn: the other bus reads when its loop comes to it.
            here._send()
        assert [await here_too.any() for _ in range(1_000)] == [b"%d" % n for n in range(1_000)]
        await heard.until(MISSED)
        assert await other.any() == MISSED
        here.publish(ANN, b"later")
        assert await heard.any() == b"later"


@pytest.mark.parametrize(
    "datagram", [b"\x00", b"\xff\xfe\x00x", b"\xff" * 9, b"x" * 2 * LONGEST_DATAGRAM]
)
async def test_what_is_no_message_is_heard_by_nobody(folder: Path, datagram: bytes) -> None:
    with buses(folder, 1) as (bus,):
        heard = Ear(bus, ANN)
        (path,) = inside(folder)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stranger:
            stranger.sendto(datagram, str(path))
        bus.publish(ANN, b"1")
        assert await heard.any() == b"1"


async def test_a_folder_that_is_gone_costs_messages_only(folder: Path) -> None:
    with buses(folder, 1) as (bus,):
        remove(folder)
        bus.publish(ANN, b"1")


async def test_nobody_else_gets_at_the_sockets_and_none_stays(folder: Path) -> None:
    with buses(folder):
        assert len(inside(folder)) == 2
    assert folder.stat().st_mode & 0o077 == 0
    assert inside(folder) == []


async def test_a_folder_may_have_a_long_name(folder: Path) -> None:
    with buses(folder.parent / ("x" * 200)) as (here, there):
        heard = Ear(there, ANN)
        here.publish(ANN, b"1")
        assert await heard.any() == b"1"


async def test_a_place_that_can_hold_no_socket_is_an_error(folder: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        UnixBus(folder / "missing" / "bus")


async def test_where_the_system_has_no_short_names_a_long_one_is_an_error(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unix, "OWN_DESCRIPTORS", tmp_path / "none")

    with pytest.raises(OSError, match="too long"):
        UnixBus(folder.parent / ("x" * 200))
