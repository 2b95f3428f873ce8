//! The log of one case: events in order, and the states that fold from it.

use domain::decide::Aggregate;
use domain::event::{Event, StreamId};

/// Events of all streams.
#[derive(Default)]
pub(crate) struct Log(Vec<Event>);

impl Log {
    /// Adds events at the end.
    pub(crate) fn extend(&mut self, events: impl IntoIterator<Item = Event>) {
        self.0.extend(events);
    }

    /// The state of one stream.
    pub(crate) fn load<A: Aggregate>(&self, stream: StreamId) -> A {
        A::fold(self.0.iter().filter(|event| event.stream() == stream))
    }

    /// The state of one stream to which a broken log adds events of other streams too.
    pub(crate) fn load_all<A: Aggregate>(&self) -> A {
        A::fold(&self.0)
    }
}
