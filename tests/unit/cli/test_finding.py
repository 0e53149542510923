"""Games by their IDs and files."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from jminesweeper.cli.finding import Imports, complete_game, find_game
from jminesweeper.core.game import Game
from jminesweeper.recordings.text import format_game
from tests.unit.cli.kept_games import LOST, WON, finished, furnish, store_games, with_variant


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return furnish(tmp_path)


def complaint(name: str, store: Path) -> str:
    with pytest.raises(click.ClickException) as refusal:
        find_game(name, store)
    return refusal.value.message


def completed(typed: str, store: Path) -> list[tuple[str, str]]:
    context = click.Context(click.Command("replay"))
    context.params["store"] = store
    items = complete_game(context, click.Argument(["game"]), typed)
    return [(item.value, item.type) for item in items]


def test_the_ids_of_finished_and_imported_games_complete(store: Path) -> None:
    code, _ = Imports().add(WON)
    assert ("won1", "plain") in completed("wo", store)
    assert ("lost1", "plain") not in completed("wo", store)
    assert (code, "plain") in completed(code[:4], store)


def test_what_is_no_id_completes_as_a_file(store: Path) -> None:
    assert completed("./ga", store) == [("./ga", "file")]
    assert completed("won", store.with_name("none")) == [("won", "file")]


def is_same(found: Game, label: str) -> bool:
    return found.setup.variant.label == label and found.view == WON.view


def test_a_finished_game_is_found_by_its_id(store: Path) -> None:
    assert is_same(find_game("won1", store), "custom 4x2")
    assert find_game("lost1", store).view == LOST.view
    assert find_game("lost1", store).assisted


def test_a_file_comes_before_an_id(store: Path, tmp_path: Path) -> None:
    (tmp_path / "lost1").write_text(format_game(WON))
    assert is_same(find_game("lost1", store), "custom 4x2")
    assert is_same(find_game(str(tmp_path / "lost1"), store), "custom 4x2")


def test_an_imported_game_is_found_without_any_store(store: Path) -> None:
    code, _ = Imports().add(WON)
    assert is_same(find_game(code, store.with_name("none")), "custom 4x2")


@pytest.mark.parametrize("name", ["nothing", "a" * 5000, "", "\x1b[2J"])
def test_what_is_nowhere_is_one_sentence(store: Path, name: str) -> None:
    for place in (store, store.with_name("none")):
        message = complaint(name or "no-such-game", place)
        assert message.startswith("No file and no finished game is called")
        assert message.isprintable()


def test_a_file_that_holds_no_game_is_one_sentence(store: Path, tmp_path: Path) -> None:
    (tmp_path / "junk").write_text("junk")
    assert complaint("junk", store).startswith("junk is not a game: line 1: ")


def test_a_stored_game_that_makes_no_sense_is_one_sentence(store: Path) -> None:
    assert complaint("astray", store).startswith("The game astray cannot be read: ")


def test_a_bad_store_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "store"
    path.write_text("no store")
    assert complaint("won1", path) == f"The store {path} is not a store of JMinesweeper."


def test_a_stored_game_is_called_by_what_was_played(store: Path) -> None:
    setup = with_variant(WON, is_no_guess=True, is_repeat=True)
    store_games(store, finished("kept1", WON, setup=setup))
    found = find_game("kept1", store)
    assert found.setup.variant == setup.variant
    assert found.setup.variant.label == "custom no-guess 4x2"
