//! The contract of the event log: one set of tests, run on every database that it supports.
//!
//! What two processes do to one database is tested with two logs, which share nothing but it; a
//! database in memory has only one log and is left out of those.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod commands;
mod corruption;
mod follow;
mod golden;
mod inline;
mod opening;
mod places;
mod processes;
mod severed;
mod text;
mod values;
mod works;

/// Makes a test of each function for each database.
macro_rules! on_every_database {
    ($($module:ident::$test:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$module::$test(&super::places::Place::memory()).await;
            })+
        }
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$module::$test(&super::places::Place::file()).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$module::$test(&super::places::Place::postgres().await).await;
            })+
        }
    };
}

/// As [`on_every_database`], for databases that more than one process can use.
macro_rules! on_every_shared_database {
    ($($module:ident::$test:ident),+ $(,)?) => {
        mod sqlite_shared {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$module::$test(&super::places::Place::file()).await;
            })+
        }
        mod postgres_shared {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$module::$test(&super::places::Place::postgres().await).await;
            })+
        }
    };
}

on_every_database! {
    commands::a_stale_version_is_a_typed_conflict,
    commands::a_stream_that_was_not_looked_at_must_be_new,
    commands::positions_are_contiguous_under_concurrent_tasks,
    commands::a_refusal_leaves_nothing,
    commands::a_failure_leaves_no_hole,
    commands::a_command_takes_effect_once,
    commands::an_error_that_work_swallows_still_undoes_it,
    commands::work_sees_what_it_appended,
    commands::work_that_gives_way_is_run_again,
    commands::a_dropped_command_leaves_nothing,
    commands::tenants_have_logs_of_their_own,
    commands::time_never_runs_backwards,
    commands::size_is_checked_before_anything_is_written,
    corruption::events_are_never_changed_or_deleted,
    corruption::a_hole_is_an_error,
    corruption::an_unknown_event_is_an_error,
    corruption::an_event_on_a_foreign_stream_is_an_error,
    follow::a_follower_gets_everything_once_and_in_order,
    follow::a_follower_starts_where_it_is_told,
    follow::what_is_broken_off_loses_nothing,
    inline::a_projection_sees_every_event_once_and_in_order,
    inline::a_projection_that_fails_undoes_the_unit,
    inline::a_projection_is_undone_with_its_unit,
    text::every_character_comes_back,
    text::a_megabyte_is_stored_and_wakes_followers,
    values::values_come_back_as_they_went_in,
    values::a_row_of_another_shape_is_an_error,
}

on_every_shared_database! {
    values::a_reader_does_not_write,
    processes::two_logs_share_one_sequence,
    processes::a_reader_never_skips_or_repeats,
    processes::a_follower_hears_of_another_process,
    processes::one_command_in_two_processes_takes_effect_once,
    processes::a_locked_database_is_a_typed_error,
    opening::eight_logs_open_an_empty_database_at_once,
    opening::a_log_is_read_after_it_was_closed,
    opening::a_newer_schema_is_refused,
    opening::an_altered_schema_is_refused,
}
