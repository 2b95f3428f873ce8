//! The worker pipeline through the public HTTP API, with a scripted runtime in place of a browser:
//! one set of tests, run on SQLite and on PostgreSQL.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod answers;
mod bindings;
mod cards;
mod limits;
mod nodes;
mod outcomes;
mod records;
mod restarts;
mod runtimes;
mod stops;

/// Makes a test of each function for each database.
macro_rules! on_both_databases {
    ($($module:ident::$test:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$module::$test(hallpass_tests::deployment::Kind::Sqlite).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$module::$test(hallpass_tests::deployment::Kind::Postgres).await;
            })+
        }
    };
}

/// Makes a test of each function for a database in memory, which lives as long as its process.
macro_rules! in_memory_too {
    ($($module:ident::$test:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$module::$test(hallpass_tests::deployment::Kind::Memory).await;
            })+
        }
    };
}

in_memory_too! {
    cards::a_card_runs_exactly_one_act,
    cards::a_task_permission_covers_what_follows,
    answers::a_denied_act_never_runs,
    answers::an_unanswered_card_lapses,
    answers::the_end_of_a_run_cancels_its_card,
    answers::an_answer_is_given_once,
    answers::unknown_answers_are_refused,
    stops::a_stop_counts_for_the_next_act,
    stops::a_deleted_session_leaves_nothing_usable,
    records::a_live_stream_resumes,
}

on_both_databases! {
    cards::a_card_runs_exactly_one_act,
    cards::a_task_permission_covers_what_follows,
    cards::a_card_says_why_the_permission_does_not_cover,
    cards::what_cannot_be_described_is_asked_without_an_offer,
    cards::credential_fields_are_refused_outright,
    cards::a_card_shows_no_secret,
    answers::a_denied_act_never_runs,
    answers::an_unanswered_card_lapses,
    answers::the_end_of_a_run_cancels_its_card,
    answers::an_answer_is_given_once,
    answers::another_place_than_the_offered_is_refused,
    answers::both_rights_are_needed_for_a_task,
    answers::an_offer_is_void_after_a_sign_in,
    answers::unknown_answers_are_refused,
    answers::without_the_flag_there_is_no_task,
    answers::without_scopes_there_is_no_offer,
    limits::two_hundred_uses_and_no_more,
    limits::typed_characters_add_up_to_the_cap,
    limits::half_an_hour_to_the_microsecond,
    limits::a_clock_that_jumps_revives_nothing,
    limits::a_clock_far_behind_starts_no_half_hour,
    stops::a_stop_counts_for_the_next_act,
    stops::a_newer_permission_takes_the_place_of_the_older,
    stops::a_sign_in_ends_permissions_twice,
    stops::a_revoked_profile_is_used_no_more,
    stops::a_deleted_session_leaves_nothing_usable,
    stops::a_removed_scope_ends_its_permissions,
    stops::a_flag_that_is_off_ends_its_permissions,
    stops::a_sign_in_ends_the_permissions_of_every_session,
    stops::another_agent_ends_permissions,
    stops::a_sweep_writes_down_the_end,
    bindings::a_permission_continues_in_the_next_run,
    bindings::other_runs_and_sessions_do_not_use_it,
    bindings::another_tool_closes_the_turn,
    bindings::a_queued_act_belongs_to_its_turn,
    bindings::a_wrapped_call_is_unwrapped,
    bindings::pages_outside_are_asked_without_an_offer,
    bindings::navigation_stays_on_the_allowed_origins,
    outcomes::an_unknown_outcome_stays_and_the_use_is_spent,
    outcomes::a_broken_connection_is_unknown,
    outcomes::a_runtime_that_is_gone_refuses,
    outcomes::a_grant_that_does_not_fit_discards_the_observation,
    outcomes::a_failed_act_says_so,
    outcomes::stale_revisions_are_refused,
    outcomes::a_lease_that_is_gone_is_opened_anew,
    outcomes::newer_facts_are_ignored,
    runtimes::a_redirect_is_not_followed,
    runtimes::an_answer_has_a_limit,
    runtimes::codes_are_codes,
    runtimes::another_classifier_covers_nothing,
    runtimes::a_failed_self_test_is_not_ready,
    bindings::an_unknown_browser_tool_does_nothing,
    restarts::a_pending_card_survives,
    restarts::a_pending_card_survives_a_crash,
    restarts::a_crash_in_the_middle_is_unknown,
    restarts::a_stop_leaves_no_lease,
    restarts::a_proposal_whose_sender_left_is_run,
    records::every_step_is_an_event,
    records::activity_tells_what_was_allowed_and_how,
    records::a_live_stream_resumes,
    records::facts_stay_with_the_worker,
    records::a_stream_ends_with_its_token,
    records::lists_are_read_page_by_page,
}
