"""The checks of `jminesweeper check`, and the requirements that they prove of our server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import pytest

from jminesweeper.check import game, replies
from jminesweeper.check.checker import SERVER_CHECKS, checks_for
from jminesweeper.check.server import ServerUnderTest
from jminesweeper.check.suite import Budget, CheckVerdict, ProtocolCheck, run_checks
from tests.conformance.conftest import PATIENT

PROVES: Mapping[Callable[[ServerUnderTest], None], tuple[str, ...]] = {
    replies.quit_closes_without_a_reply: ("J:exchange", "J:packet QUIT"),
    replies.every_packet_is_answered_with_one_screen: (
        "J:one reply",
        "J:packet MOVE_LEFT",
        "J:packet MOVE_RIGHT",
        "J:packet MOVE_UP",
        "J:packet MOVE_DOWN",
        "J:packet REVEAL",
        "J:packet TOGGLE_BOMB_MARK",
        "J:packet SCREEN_CONTENT",
        "J:packet TOGGLE_DEBUG_MODE",
    ),
    replies.packets_before_the_first_game_are_answered: ("J:one reply", "J:incompatible command"),
    replies.packets_that_arrive_together_are_answered_in_order: ("J:exchange", "J:one reply"),
    replies.a_packet_may_come_in_pieces: ("J:packet START",),
    replies.a_reply_comes_in_one_piece: ("J:packet SCREEN_CONTENT",),
    replies.screens_are_utf_8: ("J:packet SCREEN_CONTENT",),
    game.two_players_have_a_game_each: ("J:many clients", "U:several clients"),
    replies.a_bad_packet_ends_that_connection_alone: ("J:Networking Protocol",),
    replies.a_new_field_is_hidden: (
        "J:packet START",
        "J:field size",
        "J:three levels",
        "J:character ?",
    ),
    game.a_start_out_of_range_changes_nothing: ("J:incompatible command",),
    game.a_start_within_a_game_begins_another: ("J:packet START",),
    game.a_move_shows_and_the_opposite_one_undoes_it: (
        "J:packet MOVE_LEFT",
        "J:packet MOVE_RIGHT",
        "J:packet MOVE_UP",
        "J:packet MOVE_DOWN",
    ),
    game.a_mark_shows_and_a_second_one_takes_it_away: ("J:packet TOGGLE_BOMB_MARK",),
    game.a_lost_game_shows_the_mines_of_its_level: (
        "J:Minesweeper gameplay rules",
        "J:reveal bomb",
        "J:lose",
        "J:character B",
        "J:level EASY",
        "J:level MEDIUM",
        "J:level HARD",
    ),
    game.every_number_counts_the_mines_around_it: ("J:character .", "J:character digit"),
    game.an_empty_cell_opens_what_is_above_below_left_and_right: (
        "J:flood fill",
        "J:reveal number",
    ),
    game.revealing_a_revealed_cell_does_nothing: ("J:reveal revealed",),
    game.marking_the_only_mine_wins: (
        "J:win",
        "J:terminal state",
        "J:incompatible command",
    ),
    game.marking_exactly_the_mines_wins: ("J:win", "J:packet TOGGLE_BOMB_MARK"),
    game.revealing_the_only_mine_loses_and_shows_it: (
        "J:lose",
        "J:reveal bomb",
        "J:character B",
    ),
    game.after_a_loss_only_start_and_quit_do_anything: (
        "J:terminal state",
        "J:incompatible command",
    ),
    game.on_a_lost_field_marks_can_be_told_apart: ("J:lost field",),
    game.debug_mode_shows_mines_and_hides_them_again: ("J:packet TOGGLE_DEBUG_MODE",),
}


def parameters() -> Iterator[object]:
    for check in SERVER_CHECKS:
        marks = [pytest.mark.requirement(*PROVES[check.run])] if check.run in PROVES else []
        yield pytest.param(check, id=check.name, marks=marks)


@pytest.mark.parametrize("check", list(parameters()))
def test_the_server_keeps_to_the_protocol(
    server: ServerUnderTest, check: ProtocolCheck[ServerUnderTest]
) -> None:
    if check not in checks_for(server.habits.version, with_unknown=True):
        pytest.skip("the server announces no version 2")
    (finding,) = run_checks([check], server, Budget(*PATIENT))
    if finding.verdict is CheckVerdict.SKIPPED:
        pytest.skip(finding.reason)
    assert finding.verdict is CheckVerdict.PASSED, finding
