//! Small commands to try the log with.

use domain::decide::Refusal;
use domain::decide::session::{Author, Surface};
use domain::event::{Actor, Event, MessageReceived, Recorded, SessionOpened, StreamId, session_stream};
use domain::id::{CommandId, SessionId, TenantId};
use eventlog::{Log, Performed, StoreError, Unit, Work, WorkError, async_trait};
use std::sync::atomic::{AtomicU32, Ordering};
use uuid::Uuid;

pub(super) fn tenant() -> TenantId {
    "acme".parse().unwrap()
}

pub(super) fn owner() -> Actor {
    Actor::Owner("alice".parse().unwrap())
}

pub(super) fn session() -> SessionId {
    SessionId::from_uuid(Uuid::now_v7())
}

pub(super) fn command() -> CommandId {
    CommandId::from_uuid(Uuid::now_v7())
}

pub(super) fn opened(session: SessionId) -> Event {
    Event::SessionOpened(SessionOpened {
        session,
        principal: "alice".parse().unwrap(),
        surface: Surface::Chat,
        profile: None,
        schedule: None,
        allowed_origins: Vec::new(),
    })
}

pub(super) fn message(session: SessionId, text: &str) -> Event {
    Event::MessageReceived(MessageReceived { session, author: Author::Owner, text: text.to_owned() })
}

/// The texts of messages, in order.
pub(super) fn texts(events: &[Recorded]) -> Vec<String> {
    events
        .iter()
        .filter_map(|recorded| match &recorded.event {
            Event::MessageReceived(message) => Some(message.text.clone()),
            _ => None,
        })
        .collect()
}

/// How an [`Append`] ends after it appended.
#[derive(Clone, Copy)]
pub(super) enum Then {
    Succeed,
    Refuse,
    Fail,
}

/// Looks at the streams of some events, appends the events, and counts how often it was run.
pub(super) struct Append {
    pub(super) events: Vec<Event>,
    pub(super) then: Then,
    pub(super) runs: AtomicU32,
}

impl Append {
    pub(super) fn of(events: Vec<Event>) -> Self {
        Self { events, then: Then::Succeed, runs: AtomicU32::new(0) }
    }

    pub(super) fn then(self, then: Then) -> Self {
        Self { then, ..self }
    }
}

#[async_trait]
impl Work for Append {
    type Output = Vec<Recorded>;

    async fn run(&self, unit: &mut Unit<'_>) -> Result<Self::Output, WorkError> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        for event in &self.events {
            unit.version(event.stream()).await?;
        }
        let appended = unit.append(self.events.clone()).await?;
        match self.then {
            Then::Succeed => Ok(appended),
            Then::Refuse => Err(Refusal::RunEnded.into()),
            Then::Fail => Err(StoreError::Projection { projection: "test", reason: "on purpose".to_owned() }.into()),
        }
    }
}

/// Appends to one stream at a version that the caller names.
pub(super) struct Expecting {
    pub(super) stream: StreamId,
    pub(super) version: u64,
    pub(super) events: Vec<Event>,
}

#[async_trait]
impl Work for Expecting {
    type Output = Vec<Recorded>;

    async fn run(&self, unit: &mut Unit<'_>) -> Result<Self::Output, WorkError> {
        Ok(unit.append_expecting(self.stream, self.version, self.events.clone()).await?)
    }
}

/// Appends events under a command id of their own.
pub(super) async fn append(log: &Log, events: Vec<Event>) -> Vec<Recorded> {
    perform(log, &Append::of(events)).await.unwrap().output().unwrap()
}

/// Runs work under a command id of its own.
pub(super) async fn perform<W: Work>(log: &Log, work: &W) -> Result<Performed<W::Output>, WorkError> {
    log.perform(&tenant(), &owner(), command(), work).await
}

/// Opens a session and gives it and its stream.
pub(super) async fn open_session(log: &Log) -> (SessionId, StreamId) {
    let session = session();
    append(log, vec![opened(session)]).await;
    (session, session_stream(session))
}

/// The whole log of a tenant, page by page.
pub(super) async fn everything(log: &Log, tenant: &TenantId) -> Vec<Recorded> {
    let mut all: Vec<Recorded> = Vec::new();
    loop {
        let after = all.last().map_or(0, |last| last.position);
        let page = log.read(tenant, after, 100).await.unwrap();
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

/// Fails unless the positions are 1, 2, 3 and so on, up to `count`.
pub(super) fn assert_contiguous(events: &[Recorded], count: u64) {
    let positions: Vec<u64> = events.iter().map(|recorded| recorded.position).collect();
    assert_eq!(positions, (1..=count).collect::<Vec<_>>());
}
