"""What commands that read a store have in common."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from jminesweeper.cli.archives import format_time, open_archive, printable
from jminesweeper.store.ports import ReadTotals
from jminesweeper.store.sqlite import SqliteStore


def test_a_store_is_opened_for_reading(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    SqliteStore(path).close()
    with open_archive(path) as archive:
        assert archive.ask(ReadTotals()) == ()


def test_what_is_wrong_with_a_store_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_text("not a store")
    with pytest.raises(click.ClickException) as refusal, open_archive(path):
        pass
    assert refusal.value.message == f"The store {path} is not a store of JMinesweeper."


@pytest.mark.parametrize("hostile", ["\x1b[2J", "a\nb", "\x9b31m", "\u202eevil", "\x07"])
def test_what_players_call_themselves_does_nothing_to_the_terminal(hostile: str) -> None:
    assert printable(hostile).isprintable()
    assert len(printable(hostile)) == len(hostile)


def test_honest_names_stay_as_they_are() -> None:
    assert printable("Änne ⚑ 李") == "Änne ⚑ 李"


def test_times_are_in_utc() -> None:
    assert format_time(1_700_000_000) == "2023-11-14T22:13:20Z"
