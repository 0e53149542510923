"""Where things are kept."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from jminesweeper.cli.places import Place, StorePlace, StoreUrl, default_store_path


def test_the_store_lies_in_the_data_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_store_path() == Path("/data/jminesweeper/games.sqlite3")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("memory", None),
        ("/a/b", Path("/a/b")),
        ("c", Path("c")),
        ("redis://host", StoreUrl("redis://host")),
    ],
)
def test_a_store_is_a_file_an_address_or_memory(text: str, place: Place | None) -> None:
    assert StorePlace(may_be_memory=True).convert(text, None, None) == place


def test_no_other_database_is_taken_for_redis() -> None:
    with pytest.raises(click.BadParameter, match="postgres:// is not supported"):
        StorePlace(may_be_memory=True).convert("postgres://host/games", None, None)


def test_a_store_that_is_read_is_not_in_memory() -> None:
    assert StorePlace(may_be_memory=False).convert("memory", None, None) == Path("memory")


def test_an_address_is_shown_without_its_password() -> None:
    url = "redis+sentinel://ann:secret@one:1,two/games?sentinel_password=secret"
    assert str(StoreUrl(url)) == "redis+sentinel://one:1,two/games"
