"""Where the promises of SECURITY.md and the measures of the threat model are tested."""

import re
from pathlib import Path

from tests.docs.manual import page

ROOT = Path(__file__).parents[3]

PROMISED: dict[str, tuple[str, ...]] = {
    "A player acts with their own token only.": (
        "tests/api/test_access.py::test_every_caller_does_what_the_matrix_says",
        "tests/api/test_access.py::test_every_operation_has_a_line",
        "tests/api/test_secrets.py::test_tokens_keys_and_seeds_stand_in_no_row_no_line_and_no_refusal",
    ),
    "What is sealed is its owner's until it is opened": (
        "tests/api/test_hidden.py::test_nobody_else_gets_other_bytes",
        "tests/api/test_sealing.py::test_a_sealed_sheet_is_in_no_answer_that_others_get",
        "tests/api/test_sealing.py::test_a_trial_opens_no_sheet",
        "tests/api/test_sealing.py::test_the_operators_log_says_nothing_of_what_is_sealed",
        "tests/cli/test_sealed.py::test_a_game_file_keeps_its_seals",
    ),
    "Dice cannot be chosen or foreseen by players.": (
        "tests/pure/mcmulti/test_chance.py::test_chance_commitment__the_first_event_publishes_the_hash_of_the_seed",
        "tests/pure/mcmulti/test_chance.py::test_chance_reveal__before_the_end_nobody_can_see_the_seed",
        "tests/projections/test_proof.py::test_a_wrong_die_is_called_a_wrong_die",
    ),
    "What was appended stays.": (
        "tests/events/test_postgres_log.py::test_the_servers_own_connections_cannot_change_history",
        "tests/events/test_rights.py::test_rights_that_are_too_much_are_taken",
        "tests/api/test_damaged.py::test_a_fresh_server_tells_of_a_damaged_game_and_takes_nothing_for_it",
    ),
    "A player's name is not taken for another's": (
        "tests/pure/events/test_names.py::test_names_that_look_alike",
        "tests/pure/events/test_names.py::test_names_of_mixed_scripts_are_not",
        "tests/pure/events/test_names.py::test_names_of_seats_bots_and_operators_are_reserved",
        "tests/api/test_bad_input.py::test_a_name_that_is_taken",
    ),
    "A token makes nothing stronger than itself.": (
        "tests/api/test_tokens.py::test_a_token_makes_none_that_allows_more_or_lasts_longer",
        "tests/api/test_tokens.py::test_a_token_is_revoked_with_all_that_come_from_it",
        "tests/api/test_two_steps.py::test_one_is_erased_in_two_steps_three_days_apart",
    ),
    "Bad input gets a clear refusal": (
        "tests/api/test_hostile_input.py::test_garbage_from_all_sides",
        "tests/api/test_bounds.py::test_a_head_has_64_kib_at_most",
        "tests/api/test_access.py::test_who_is_refused_changes_nothing",
    ),
    "A page runs what this server sends, and nothing that anybody wrote.": (
        "tests/web/test_serving.py::test_a_page_says_what_it_may_run_and_is_asked_for_each_time",
        "tests/web/test_files.py::test_nothing_is_loaded_from_elsewhere_and_nothing_is_read_as_markup",
        "tests/web/test_lib.py::test_a_token_is_kept_where_its_owner_wants",
    ),
    "No secret is said": (
        "tests/api/test_secrets.py::test_tokens_keys_and_seeds_stand_in_no_row_no_line_and_no_refusal",
        "tests/cli/test_passwords.py::test_no_command_says_a_password",
        "tests/events/test_postgres_log.py::test_what_the_database_refuses_is_told_without_the_values",
    ),
}
"""By the promise, in bold type."""

AGAINST: dict[str, tuple[str, ...]] = {
    "move for another seat": ("tests/api/test_access.py::test_every_caller_does_what_the_matrix_says",),
    "break the rules": ("tests/pure/properties/test_every_game.py", "tests/pure/core/test_offers.py"),
    "predict dice by dry runs": (
        "tests/pure/referee/test_referee.py::test_a_trial_ends_where_dice_are_needed_and_leaves_no_trace",
        "tests/pure/properties/test_untold_draws.py::test_a_refusal_is_the_same_whatever_the_seed",
    ),
    "move again after bad dice": (
        "tests/pure/referee/test_referee.py::test_a_roll_that_did_not_reach_the_log_is_recorded_before_anything_else",
    ),
    "read another player's sheet": ("tests/api/test_hidden.py::test_nobody_else_gets_other_bytes",),
    "guess a sheet from its digest": ("tests/api/test_sealing.py::test_the_same_sheet_twice_has_two_digests",),
    "submit a sheet after its deadline": (
        "tests/referee/test_deadlines.py::test_a_sheet_after_the_deadline_is_refused_though_nobody_closed_the_round",
        "tests/referee/test_clock.py::test_a_clock_that_jumps_back_keeps_no_round_open",
    ),
    "impersonate another player": (
        "tests/pure/events/test_names.py::test_names_that_look_alike",
        "tests/api/test_bad_input.py",
    ),
    "guess a token": (
        "tests/api/test_secrets.py::test_a_token_has_256_bits",
        "tests/api/test_registering.py::test_a_key_that_could_be_guessed_is_refused",
    ),
    "gain more from a stolen token": (
        "tests/api/test_tokens.py::test_a_token_makes_none_that_allows_more_or_lasts_longer",
        "tests/api/test_two_steps.py::test_what_a_thief_announced_ends_with_the_token",
    ),
    "guess the passcode of a table": (
        "tests/api/test_invitations.py::test_who_guesses_codes_is_slowed_down_like_who_guesses_tokens",
        "tests/api/test_invitations.py::test_a_code_stands_nowhere_in_the_database",
    ),
    "find an unlisted table": (
        "tests/api/test_invitations.py::test_an_unlisted_table_is_found_by_those_who_belong_there",
    ),
    "act through a visitor's browser": (
        "tests/api/test_browsers.py::test_every_operation_in_every_media_type_with_and_without_a_body",
        "tests/pure/api/test_cors.py::test_only_pages_of_origins_that_are_named",
    ),
    "run code in a browser": (
        "tests/api/test_pictures.py::test_a_picture_can_neither_load_nor_run_anything",
        "tests/api/test_browsers.py::test_what_is_refused_before_it_is_a_request",
        "tests/projections/test_board_svg.py::test_markup_in_a_name_is_text",
    ),
    "run code in a page of this server": (
        "tests/web/test_serving.py::test_a_page_says_what_it_may_run_and_is_asked_for_each_time",
        "tests/web/test_files.py::test_nothing_is_loaded_from_elsewhere_and_nothing_is_read_as_markup",
    ),
    "steal a token from a browser": (
        "tests/web/test_lib.py::test_a_token_is_kept_where_its_owner_wants",
        "tests/api/test_browsers.py::test_every_operation_in_every_media_type_with_and_without_a_body",
    ),
    "trick a visitor into clicking in a hidden page": (
        "tests/web/test_serving.py::test_a_page_says_what_it_may_run_and_is_asked_for_each_time",
    ),
    "learn which page a visitor came from": (
        "tests/api/test_browsers.py::test_every_operation_that_refuses",
        "tests/api/test_browsers.py::test_what_tells_a_token_is_kept_nowhere",
    ),
    "exhaust memory, connections, or time": (
        "tests/api/test_bounds.py::test_nothing_that_anybody_sends_is_remembered_at_any_length",
        "tests/api/test_crowd.py::test_many_replays_leave_health_and_commands_alone",
    ),
    "ask for large responses and read them slowly": (
        "tests/api/test_slow_readers.py::test_slow_readers_have_bounded_memory_and_others_are_answered",
        "tests/api/test_slow_readers.py::test_a_reader_that_takes_nothing_is_disconnected",
        "tests/pure/api/test_unsent.py::test_an_address_with_much_to_be_sent_is_refused_and_another_is_not",
    ),
    "fill the server with games and players": (
        "tests/api/test_open_games.py::test_a_player_opens_so_many_wherever_and_whichever_server_is_asked",
        "tests/api/test_rates.py::test_an_address_registers_so_many_players",
    ),
    "fill the log with events": (
        "tests/api/test_rates.py::test_a_long_event_counts_as_one_more_for_every_kibibyte",
        "tests/pure/core/test_length.py::test_table_length__a_game_that_gets_too_long_ends_by_its_final_ranking",
        "tests/pure/core/test_length.py::test_table_undo__moves_are_taken_back_ten_times_in_a_row",
        "tests/pure/core/test_length.py::test_table_request__a_request_has_no_further_command_beyond_256_events",
        "tests/pure/core/test_length.py::test_table_join__who_left_a_table_often_does_not_come_back",
        "tests/api/test_rates.py::test_the_events_of_a_player_are_counted_and_a_repeated_request_gets_its_answer",
    ),
    "fill the disk": (
        "tests/api/test_stored_bytes.py::test_an_address_adds_so_many_bytes_and_others_are_not_refused",
        "tests/api/test_stored_bytes.py::test_long_sheets_count_with_the_event_and_the_command",
        "tests/api/test_stored_bytes.py::test_tokens_that_are_made_and_revoked_count_too",
        "tests/api/test_stored_bytes.py::test_bots_of_the_server_count_when_a_table_is_opened_for_them",
        "tests/referee/test_expiry.py::test_tokens_are_deleted_thirty_days_after_they_were_revoked_or_expired",
    ),
    "erase players to have all games rated again": (
        "tests/pure/api/test_ladder.py::test_however_often_players_are_erased_games_are_not_rated_again_all_the_time",
        "tests/pure/api/test_ladder.py::test_a_player_who_was_erased_costs_nobody_points_as_soon_as_all_games_are_rated_again",
    ),
    "crowd people out with bots": (
        "tests/api/test_rates.py::test_what_bots_open_counts_for_itself",
        "tests/api/test_rates.py::test_all_bots_together_have_so_many_requests_and_people_the_rest",
    ),
    "make the server call internal addresses by a webhook": (
        "tests/notify/test_outbound.py::test_however_this_machine_is_called_nothing_is_sent_to_it",
        "tests/notify/test_outbound.py::test_one_address_that_is_not_public_is_enough_to_refuse",
        "tests/notify/test_outbound.py::test_a_name_that_means_another_address_later_is_checked_anew_each_time",
        "tests/notify/test_outbound.py::test_redirects_are_not_followed",
        "tests/pure/notify/test_addresses.py::test_addresses_that_are_not_public",
    ),
    "flood somebody with webhooks": (
        "tests/api/test_webhooks.py::test_there_are_only_so_many",
        "tests/api/test_webhooks.py::test_a_test_message_is_put_into_the_outbox_once_a_minute_at_most",
        "tests/notify/test_messages_sent.py::test_after_the_last_attempt_a_message_is_given_up",
        "tests/notify/test_messages_sent.py::test_a_receiver_that_is_gone_gets_nothing_more",
    ),
    "read or disturb the chat of a table": (
        "tests/api/test_chat.py::test_players_and_spectators_chat_apart_on_every_server",
        "tests/api/test_chat.py::test_who_follows_a_game_is_told_what_is_said_and_removed",
        "tests/api/test_chat.py::test_nobody_says_too_much_at_a_table",
        "tests/api/test_chat.py::test_what_cannot_be_shown_is_refused",
        "tests/web/test_chat.py::test_players_talk_while_they_play",
    ),
    "get advice on a running game from a review": (
        "tests/api/test_review.py::test_what_cannot_be_reviewed_is_refused_with_the_reason",
        "tests/pure/evaluation/test_review.py::test_a_game_that_is_not_over_is_not_reviewed",
    ),
    "keep the server busy with reviews": (
        "tests/api/test_review.py::test_what_cannot_be_reviewed_is_refused_with_the_reason",
        "tests/api/test_review.py::test_a_review_is_asked_for_followed_and_read",
    ),
    "instruct a language model through the chat": (
        "tests/api/test_chat.py::test_players_and_spectators_chat_apart_on_every_server",
        "tests/api/test_chat.py::test_what_cannot_be_shown_is_refused",
    ),
    "flood somebody with email": (
        "tests/api/test_email.py::test_an_address_is_confirmed_by_a_link_that_works_once",
        "tests/api/test_email.py::test_an_address_gets_so_many_links_a_day_and_nobody_learns_that",
        "tests/api/test_email.py::test_a_player_asks_for_so_many_links_a_day",
        "tests/api/test_email.py::test_all_players_together_ask_for_so_many_links_a_day",
        "tests/notify/test_emails_sent.py::test_an_address_that_is_refused_for_days_is_given_up",
        "tests/api/test_email.py::test_a_mail_program_unsubscribes_with_one_click",
        "tests/notify/test_emails_sent.py::test_an_address_gets_so_many_emails_a_day_whosever_it_is",
        "tests/notify/test_emails_sent.py::test_an_address_that_is_not_confirmed_or_was_unsubscribed_gets_nothing",
    ),
    "learn who has an email address": (
        "tests/api/test_email.py::test_an_address_gets_so_many_links_a_day_and_nobody_learns_that",
        "tests/api/test_webhooks.py::test_a_webhook_is_added_listed_and_removed_by_its_player_alone",
    ),
    "smuggle requests past a proxy": (
        "tests/api/test_connections.py::test_what_can_be_read_in_two_ways_is_refused",
        "tests/api/test_rates.py::test_whom_a_proxy_speaks_for",
    ),
    "read the metrics, or inject spans": (
        "tests/server/test_metrics.py::test_they_are_told_where_the_operator_says_and_nowhere_else",
        "tests/cli/test_spans.py::test_what_a_client_says_of_its_own_spans_is_not_believed",
    ),
    "inject SQL": ("tests/api/test_secrets.py::test_what_looks_like_sql_is_a_value_or_refused",),
    "write into the operator's log": (
        "tests/api/test_log_lines.py::test_for_people_what_would_look_like_another_line_is_in_quotes",
    ),
}
"""By the attack."""


def promised() -> list[str]:
    section = (ROOT / "SECURITY.md").read_text("utf-8").split("## What is promised")[1].split("\n## ")[0]
    return re.findall(r"^- \*\*(.+?)\*\*", section, re.MULTILINE)


def tried() -> list[str]:
    tables = page("explanation/threat-model").split("\n| attack | protection |\n|---|---|\n")[1:]
    return [
        attack for table in tables for attack in re.findall(r"^\| (.+?) \|", table.partition("\n\n")[0], re.MULTILINE)
    ]


def test_everything_that_is_promised_has_its_tests() -> None:
    assert promised() == list(PROMISED)


def test_everything_that_is_tried_has_its_tests() -> None:
    assert tried() == list(AGAINST)


def test_these_tests_are_there() -> None:
    named = {place for places in (*PROMISED.values(), *AGAINST.values()) for place in places}
    assert len(named) > 30
    for place in named:
        file, _, test = place.partition("::")
        assert re.search(rf"^(async )?def {test or 'test_'}", (ROOT / file).read_text("utf-8"), re.MULTILINE), place


def test_every_package_is_pinned_by_its_hash() -> None:
    """In every lock file: a name, a version, a hash, and no address."""
    locks = [file for file in ROOT.rglob("*requirements.lock") if not {".venv", "node_modules"} & {*file.parts}]
    assert len(locks) >= 4
    for lock in locks:
        text = lock.read_text("utf-8")
        pins = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
        assert pins
        assert all(re.match(r"[\w.\[\]-]+==\S+", pin) and "--hash=sha256:" in pin for pin in pins), lock
        assert "://" not in text
