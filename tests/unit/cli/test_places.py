"""Where things are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from jminesweeper.cli.places import StorePlace, default_store_path


def test_the_store_lies_in_the_data_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_store_path() == Path("/data/jminesweeper/games.sqlite3")


@pytest.mark.parametrize(
    ("text", "place"), [("memory", None), ("/a/b", Path("/a/b")), ("c", Path("c"))]
)
def test_a_store_is_a_file_or_memory(text: str, place: Path | None) -> None:
    assert StorePlace().convert(text, None, None) == place
