import pytest

from jminesweeper.core.actions import ActionKind, pack_entries, pack_entry
from jminesweeper.core.grid import Cell
from jminesweeper.core.setup import Setup
from jminesweeper.core.view import Status
from jminesweeper.records import limits
from jminesweeper.records.documents import Due, GameDocument, Note, Outcome
from jminesweeper.records.games import (
    ReplacedGame,
    begin,
    drop_save,
    load,
    open_save,
    play_on,
    put_note,
    resume,
    save,
)
from jminesweeper.records.players import PlayerCopy
from jminesweeper.records.results import list_due, withdraw_end
from jminesweeper.store.port import StoreLimitError
from tests.unit.records.club import BEGINNER, EXPERT, Club, flags

SETUPS = (
    EXPERT,
    EXPERT.as_repeat(),
    Setup.of("expert", seed=3, rules="kata"),
    Setup(BEGINNER.variant, layout=BEGINNER.minefield().mines),
)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_game_is_found_as_it_was_begun(club: Club, ann: PlayerCopy, setup: Setup) -> None:
    code = club.begin(ann, setup, length=3)
    opened = club.find(code)
    assert opened is not None
    assert opened.game == GameDocument(setup, ("ann",), club.now_s * 1000)
    assert opened.entries == flags(3)
    assert club.enter("ann").document.current == code


def test_a_game_document_reads_as_it_was_written() -> None:
    outcome = Outcome(Status.WON, 3, 5, 6, 7, True, {"3bv": 2.5}, "0007", False)
    game = GameDocument(EXPERT, ("a", "b"), 9, outcome, True)
    assert GameDocument.parse(game.format()) == game


def test_a_code_names_one_game(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    game = GameDocument(BEGINNER, ("ann",), 1)
    assert club.do(begin(ann, code, game, flags(1), club.now_s)) == 0
    opened = club.find(code)
    assert opened is not None
    assert opened.game.setup == EXPERT


def test_a_note_is_found_with_its_game(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    club.do(put_note(ann, code, Note(1, 500, Cell(3, 4), True), club.now_s))
    opened = club.find(code)
    assert opened is not None
    assert opened.note == Note(1, 500, Cell(3, 4), True)


def test_a_game_that_ended_at_once_is_the_current_one_beside_one_that_was_given_up(
    club: Club, ann: PlayerCopy
) -> None:
    given_up = flags(1) + pack_entries([pack_entry(2, ActionKind.TERMINATE, 0)])
    game = GameDocument(BEGINNER, ("ann",), 1)
    club.do(begin(ann, "first", game, given_up, club.now_s))
    club.do(begin(ann, "second", game, flags(1), club.now_s, due=Due(1, "second", 1)))
    assert ann.document.current == "second"
    assert not ann.document.saves


def test_a_game_whose_end_is_undone_is_the_current_one_again(club: Club, ann: PlayerCopy) -> None:
    ended, waiting = "ended", club.begin(ann)
    game = GameDocument(BEGINNER, ("ann",), 1)
    club.do(begin(ann, ended, game, flags(1), club.now_s, due=Due(1, ended, 1)))
    assert ann.document.current == waiting
    club.do(play_on(club.enter("ann"), ended, club.now_s))
    club.do(play_on(club.enter("ann"), ended, club.now_s))
    known = club.enter("ann").document
    assert (known.current, [each.code for each in known.saves.values()]) == (ended, [waiting])


# Replaced games


def test_a_game_that_nobody_acted_on_goes_when_another_begins(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann, length=0)
    club.begin(ann, replaced=ReplacedGame(code, is_no_game=True))
    assert club.find(code) is None


def test_a_game_that_somebody_acted_on_elsewhere_meanwhile_does_not_go(
    club: Club, ann: PlayerCopy
) -> None:
    code = club.begin(ann)
    club.begin(ann, replaced=ReplacedGame(code, is_no_game=True))
    assert [each.code for each in ann.document.saves.values()] == [code]


def test_a_game_that_is_set_aside_waits_under_an_automatic_name(
    club: Club, ann: PlayerCopy
) -> None:
    first = club.begin(ann)
    second = club.begin(ann, replaced=club.set_aside(first))
    assert [(name, each.code) for name, each in ann.document.saves.items()] == [("auto 1", first)]
    opened = club.do(resume(ann, "auto 1", club.now_s, club.set_aside(second)))
    assert opened is not None
    assert (opened.code, ann.document.current) == (first, first)
    assert [each.code for each in ann.document.saves.values()] == [second]


def test_a_fourth_game_set_aside_takes_the_name_of_the_oldest(club: Club, ann: PlayerCopy) -> None:
    codes = [club.begin(ann)]
    for _ in range(4):
        club.now_s += 1
        codes.append(club.begin(ann, replaced=club.set_aside(codes[-1])))
    assert {each.code for each in ann.document.saves.values()} == {*codes[1:4]}


def test_a_game_set_aside_whose_name_is_taken_stays_until_it_is_counted(
    club: Club, ann: PlayerCopy
) -> None:
    codes = [club.begin(ann)]
    for _ in range(4):
        club.now_s += 1
        codes.append(club.begin(ann, replaced=club.set_aside(codes[-1])))
    assert codes[0] in [due.code for due in club.do(list_due())]
    assert club.find(codes[0])


def test_a_game_that_another_device_began_is_never_lost(club: Club, ann: PlayerCopy) -> None:
    first = club.begin(ann)
    elsewhere = club.enter("ann")
    second = club.begin(elsewhere, replaced=club.set_aside(first))
    club.begin(ann, replaced=club.set_aside(first))
    assert {each.code for each in ann.document.saves.values()} == {first, second}


def test_a_game_set_aside_is_due_to_be_counted_as_given_up(club: Club, ann: PlayerCopy) -> None:
    first = club.begin(ann)
    club.begin(ann, replaced=club.set_aside(first))
    assert [due.code for due in club.do(list_due())] == [first]


def test_a_resumed_game_was_not_given_up(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    club.end(code, Status.TERMINATED)
    club.do(withdraw_end(code, club.draw))
    opened = club.find(code)
    assert opened is not None
    assert (opened.game.outcome, opened.game.is_listed) == (None, False)


# Saves


@pytest.mark.requirement("C:Standard Controls")
def test_a_save_is_the_game_as_it_was(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann, length=3)
    club.do(save(ann, "mine", club.label(code, 2), club.now_s))
    opened = club.do(open_save(club.enter("ann").document.saves["mine"]))
    assert opened is not None
    assert opened.entries == flags(2)
    assert opened.note == Note(2, 700, Cell(1, 2))


def test_a_loaded_save_is_a_game_of_its_own_and_both_are_repeats(
    club: Club, ann: PlayerCopy
) -> None:
    code = club.begin(ann, length=3)
    club.do(save(ann, "mine", club.label(code, 2), club.now_s))
    saved = club.do(open_save(ann.document.saves["mine"]))
    assert saved is not None
    loaded = club.do(load(ann, saved, "copy", club.now_s, club.set_aside(code)))
    origin = club.find(code)
    copy = club.find("copy")
    assert copy is not None
    assert loaded == copy._replace(note=saved.note)
    assert origin is not None
    assert loaded.entries == flags(2)
    assert (loaded.game.variant.is_repeat, origin.game.variant.is_repeat) == (True, True)
    assert ann.document.current == "copy"


def test_saving_under_a_name_again_releases_what_it_named(club: Club, ann: PlayerCopy) -> None:
    first = club.begin(ann, length=0)
    club.do(save(ann, "mine", club.label(first), club.now_s))
    second = club.begin(ann)
    assert club.find(first)
    club.do(save(ann, "mine", club.label(second), club.now_s))
    assert club.find(first) is None


def test_a_dropped_save_is_gone_and_its_game_with_it(club: Club, ann: PlayerCopy) -> None:
    first = club.begin(ann, length=0)
    club.do(save(ann, "mine", club.label(first), club.now_s))
    club.begin(ann)
    assert club.do(drop_save(ann, "mine", club.now_s))
    assert not club.do(drop_save(ann, "mine", club.now_s))
    assert club.find(first) is None


def test_a_player_has_a_limited_number_of_saves(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann)
    for number in range(limits.MAX_NAMED_SAVES):
        club.do(save(ann, f"save {number}", club.label(code), club.now_s))
    with pytest.raises(StoreLimitError, match="delete one first"):
        club.do(save(ann, "one more", club.label(code), club.now_s))
    club.do(save(ann, "save 0", club.label(code), club.now_s))


def test_a_label_names_no_more_than_is_stored(club: Club, ann: PlayerCopy) -> None:
    replaced = club.set_aside(club.begin(ann), length=3)
    assert replaced.up_to(3) == replaced
    cut = replaced.up_to(1)
    assert cut.aside is not None
    assert cut.due is not None
    assert (cut.aside.length, cut.due.length, cut.outcome) == (1, 1, None)


def test_a_game_that_went_meanwhile_is_not_saved(club: Club, ann: PlayerCopy) -> None:
    code = club.begin(ann, length=0)
    club.begin(club.enter("ann"), replaced=ReplacedGame(code, is_no_game=True))
    assert not club.do(save(ann, "mine", club.label(code, 0), club.now_s))
    assert "mine" not in club.enter("ann").document.saves
