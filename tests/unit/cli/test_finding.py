"""Games by their IDs and files."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from jminesweeper.cli.finding import Found, find_game, label_of, label_of_finished
from jminesweeper.cli.game_files import Imports
from jminesweeper.core import PRESETS, Setup, Size, format_game
from jminesweeper.store.ports import Category
from tests.unit.cli.kept_games import LOST, WON, finished, furnish, store_games


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return furnish(tmp_path)


def complaint(name: str, store: Path) -> str:
    with pytest.raises(click.ClickException) as refusal:
        find_game(name, store)
    return refusal.value.message


def is_same(found: Found, label: str) -> bool:
    return found.label == label and found.game.view() == WON.view()


def test_a_finished_game_is_found_by_its_id(store: Path) -> None:
    assert is_same(find_game("won1", store), "own 4x2")
    assert find_game("lost1", store).game.view() == LOST.view()
    assert find_game("lost1", store).game.assisted


def test_a_file_comes_before_an_id(store: Path, tmp_path: Path) -> None:
    (tmp_path / "lost1").write_text(format_game(WON))
    assert is_same(find_game("lost1", store), "classic 4x2")
    assert is_same(find_game(str(tmp_path / "lost1"), store), "classic 4x2")


def test_an_imported_game_is_found_without_any_store(store: Path) -> None:
    code, _ = Imports().add(WON)
    assert is_same(find_game(code, store.with_name("none")), "classic 4x2")


@pytest.mark.parametrize("name", ["nothing", "a" * 5000, "", "\x1b[2J"])
def test_what_is_nowhere_is_one_sentence(store: Path, name: str) -> None:
    for place in (store, store.with_name("none")):
        message = complaint(name or "no-such-game", place)
        assert message.startswith("There is neither a file nor a finished game")
        assert message.isprintable()


def test_a_file_that_holds_no_game_is_one_sentence(store: Path, tmp_path: Path) -> None:
    (tmp_path / "junk").write_text("junk")
    assert complaint("junk", store).startswith("junk holds no game: line 1: ")


@pytest.mark.parametrize("code", ["broken", "astray"])
def test_a_stored_game_that_makes_no_sense_is_one_sentence(store: Path, code: str) -> None:
    assert complaint(code, store).startswith(f"The game {code} cannot be read: ")


def test_a_bad_store_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "store"
    path.write_text("no store")
    assert complaint("won1", path) == f"The store {path} is not a store of JMinesweeper."


@pytest.mark.parametrize(
    ("size", "mines", "rules", "label"),
    [
        (Size(30, 16), 99, "classic", "expert 30x16"),
        (Size(30, 16), 98, "classic", "classic 30x16"),
        (Size(20, 10), 10, "jminesweeper", "jminesweeper 20x10"),
    ],
)
def test_a_board_is_called_by_its_name_or_by_its_rules(
    size: Size, mines: int, rules: str, label: str
) -> None:
    assert label_of(Setup(size, mines, PRESETS[rules], seed=1)) == label


@pytest.mark.parametrize(
    ("preset", "label"),
    [
        ("own", "own 4x2"),
        ("easy 4x2", "easy 4x2"),
        ("custom 4x2 3 mines no-guess", "custom 4x2 3 mines no-guess"),
    ],
)
def test_a_kept_game_is_called_by_its_category_and_its_size_is_told_once(
    preset: str, label: str
) -> None:
    game = finished("won1", WON, category=Category(preset, "classic"))
    assert label_of_finished(game) == label


@pytest.mark.parametrize(("preset", "is_no_guess"), [("expert no-guess", True), ("expert", False)])
def test_a_kept_game_on_a_board_that_needs_no_guess_is_known_as_such(
    store: Path, preset: str, is_no_guess: bool
) -> None:
    store_games(store, finished("kept1", WON, category=Category(preset, "classic")))
    assert find_game("kept1", store).is_no_guess is is_no_guess
