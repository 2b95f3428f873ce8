//! Times for people.

use domain::time::Timestamp;
use jiff::Timestamp as Instant;
use maud::{Markup, html};

/// A moment, in UTC, since the server does not know where its owner is.
pub(super) fn moment(at: Timestamp) -> Markup {
    let instant = Instant::from_microsecond(at.as_micros()).unwrap_or(Instant::UNIX_EPOCH);
    html! { time datetime=(format!("{instant:.0}")) { (instant.strftime("%Y-%m-%d %H:%M:%S UTC")) } }
}

/// How long it is until `then`: whole minutes, and seconds during the last two.
pub(super) fn remaining(now: Timestamp, then: Timestamp) -> String {
    let seconds = then.as_micros().saturating_sub(now.as_micros()).max(0) / 1_000_000;
    match seconds {
        0..120 => format!("{seconds} seconds"),
        _ => format!("{} minutes", seconds / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_are_rounded_down() {
        let rest = |seconds| remaining(Timestamp::from_micros(0), Timestamp::from_micros(0).plus_seconds(seconds));
        assert_eq!([rest(1800), rest(179), rest(119), rest(-5)], ["30 minutes", "2 minutes", "119 seconds", "0 seconds"]);
    }
}
