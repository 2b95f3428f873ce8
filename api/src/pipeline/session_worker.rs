//! One session's worker: takes its calls in order and brings each to its end.

use super::authorizer::judge;
use super::call::{ActCall, Call};
use super::dispatch::{Ending, SessionBrowser};
use super::observed::Undescribed;
use super::policy::{Ruling, rule};
use super::sessions::{Job, Results, SessionKey};
use crate::commands::GrantSettings;
use crate::commands::calls::{Authorize, Authorized, DispatchFree, FinishCall, JudgedAct, UseApproval};
use crate::commands::sweep::Sweep;
use crate::random::new_uuid;
use crate::runtime::client::Act;
use crate::runtime::{NewLease, RuntimeClient};
use domain::browser::Constraint;
use domain::coverage::is_refused_outright;
use domain::decide::approval::ApprovalStatus;
use domain::event::Actor;
use domain::id::{ApprovalId, CommandId};
use eventlog::{Log, Performed, StoreError, Work, WorkError};
use projections::SessionRow;
use std::time::Duration;
use tokio::sync::mpsc;

/// A worker without calls closes its browser and ends after this.
const IDLE: Duration = Duration::from_secs(600);
/// How often a waiting worker looks even when nothing woke it: another node may have written.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// What every worker uses.
#[derive(Clone)]
pub struct WorkerContext {
    /// The log.
    pub log: Log,
    /// The runtime.
    pub runtime: RuntimeClient,
    /// Where results are kept.
    pub results: Results,
    /// What grants are judged by.
    pub grants: GrantSettings,
    /// The secret of this process under the digests of acts.
    pub digest_key: [u8; 32],
}

/// Starts the worker of a session.
#[must_use]
pub fn start(context: WorkerContext, key: SessionKey, queue_max: usize) -> mpsc::Sender<Job> {
    let (queue, jobs) = mpsc::channel(queue_max);
    let browser = SessionBrowser::new(context.runtime.clone());
    tokio::spawn(Worker { context, key, browser }.work(jobs));
    queue
}

struct Worker {
    context: WorkerContext,
    key: SessionKey,
    browser: SessionBrowser,
}

impl Worker {
    async fn work(mut self, mut jobs: mpsc::Receiver<Job>) {
        while let Ok(Some(job)) = tokio::time::timeout(IDLE, jobs.recv()).await {
            self.settle(&job).await;
        }
        // Whoever sent into the queue between the time-out and here still gets an answer.
        jobs.close();
        while let Some(job) = jobs.recv().await {
            self.settle(&job).await;
        }
        self.browser.close().await;
    }

    /// Brings one call to its end, whatever happens on the way.
    async fn settle(&mut self, job: &Job) {
        let ending = match self.run(job).await {
            Ok(ending) => ending,
            Err(WorkError::Refused(refusal)) => Ending::refused(&format!("tool.{}", refusal.code())),
            Err(WorkError::Store(error)) => {
                tracing::error!(%error, "a tool call could not be recorded");
                Ending::refused("tool.storage_unavailable")
            }
        };
        if let Some(result) = ending.result {
            self.context.results.keep(job.tool_call, result);
        }
        let finish = FinishCall { tool_call: job.tool_call, outcome: ending.outcome, code: ending.code, reasons: ending.reasons };
        if let Err(error) = self.perform(&finish).await {
            // It stays unfinished; a restart records it as unknown or refused, by how far it came.
            tracing::error!(%error, "the end of a tool call could not be recorded");
        }
    }

    async fn run(&mut self, job: &Job) -> Result<Ending, WorkError> {
        let Some(call) = &job.call else { return self.resume(job).await };
        let Some(session) = self.session().await? else { return Ok(Ending::refused("tool.session_deleted")) };
        match rule(call, &session.allowed_origins) {
            Ruling::Deny(code) => Ok(Ending::refused(code)),
            Ruling::Allow => self.free(job, call, &session).await,
            Ruling::RequireApproval => match call {
                Call::Act(act) => self.act(job, act).await,
                _ => Ok(Ending::refused("tool.not_available")),
            },
        }
    }

    /// A call that policy allows without a card.
    async fn free(&mut self, job: &Job, call: &Call, session: &SessionRow) -> Result<Ending, WorkError> {
        self.perform(&DispatchFree { principal: self.key.principal.clone(), run: job.run, tool_call: job.tool_call }).await?;
        let profile = match session.profile {
            None => None,
            Some(profile) => match self.generation(profile).await? {
                Some(generation) => Some((profile, generation)),
                None => return Ok(Ending::refused("tool.browser.profile_gone")),
            },
        };
        let key = self.key.clone();
        let lease = NewLease { tenant: &key.tenant, session: key.session, profile, allowed_origins: &session.allowed_origins };
        Ok(match call {
            Call::Navigate(navigate) => self.browser.navigate(&lease, &navigate.url).await,
            Call::Observe => self.browser.observe(&lease).await,
            Call::Act(_) => Ending::refused("tool.not_available"),
            Call::Other(_) => Ending { outcome: domain::browser::Outcome::Completed, ..Ending::refused("tool.recorded") },
        })
    }

    /// An act: judged on the last observation, authorized, sent.
    async fn act(&mut self, job: &Job, act: &ActCall) -> Result<Ending, WorkError> {
        let Some(observed) = self.browser.observed() else { return Ok(Ending::refused("tool.browser.stale_revision")) };
        let aim = match observed.aim(act) {
            Ok(aim) => aim,
            Err(Undescribed::StaleRevision) => return Ok(Ending::refused("tool.browser.stale_revision")),
            Err(Undescribed::UnknownElement) => return Ok(Ending::refused("tool.browser.unknown_element")),
        };
        if aim.facts().is_some_and(|facts| is_refused_outright(&act.action, facts)) {
            return Ok(Ending::refused("tool.browser.credential_field"));
        }
        let (judged, coverage) = judge(&self.key, job, act, observed, aim, &self.context.digest_key);
        let approval = ApprovalId::from_uuid(new_uuid());
        let authorize = Authorize { act: judged.clone(), approval, grants: self.context.grants.clone(), coverage };
        match self.perform(&authorize).await? {
            Some(Authorized::ByGrant(constraint)) => Ok(self.send(act, Some(&constraint)).await),
            Some(Authorized::Asked(approval)) => self.after_answer(act, judged, approval).await,
            None => Ok(Ending::refused("tool.interrupted")),
        }
    }

    async fn after_answer(&mut self, act: &ActCall, judged: JudgedAct, approval: ApprovalId) -> Result<Ending, WorkError> {
        if let Err(code) = self.answer(approval).await? {
            return Ok(Ending::refused(code));
        }
        self.perform(&UseApproval { act: judged, approval }).await?;
        Ok(self.send(act, None).await)
    }

    async fn send(&mut self, act: &ActCall, constraint: Option<&Constraint>) -> Ending {
        let sent = Act { sequence: 0, revision: &act.revision, element_ref: act.element_ref.as_deref(), action: &act.action, constraint };
        self.browser.act(sent).await
    }

    /// A call from before a restart: its card still counts, its page is gone (APR-4).
    async fn resume(&mut self, job: &Job) -> Result<Ending, WorkError> {
        let pending = projections::approvals::of_call(&mut self.context.log.reader().await?.connection(), &self.key.tenant, job.tool_call).await?;
        let Some(approval) = pending else { return Ok(Ending::refused("tool.interrupted")) };
        Ok(match self.answer(approval).await? {
            Ok(()) => Ending::refused("tool.browser.stale_revision"),
            Err(code) => Ending::refused(code),
        })
    }

    /// Waits until the owner said yes, or somebody or something said no: then the refusal's code.
    async fn answer(&self, approval: ApprovalId) -> Result<Result<(), &'static str>, WorkError> {
        let mut head = self.context.log.commits();
        loop {
            let row = projections::approvals::find(&mut self.context.log.reader().await?.connection(), &self.key.tenant, &self.key.principal, approval).await?;
            let Some(row) = row else { return Ok(Err("tool.approval_cancelled")) };
            match row.status {
                ApprovalStatus::Approved => return Ok(Ok(())),
                ApprovalStatus::Denied => return Ok(Err("tool.approval_denied")),
                ApprovalStatus::Lapsed => return Ok(Err("tool.approval_lapsed")),
                ApprovalStatus::Cancelled => return Ok(Err("tool.approval_cancelled")),
                ApprovalStatus::Pending if self.context.log.now() >= row.expires_at => drop(self.perform(&Sweep).await?),
                ApprovalStatus::Pending => {
                    let _ = tokio::time::timeout(LOOK_AGAIN, head.changed()).await;
                }
            }
        }
    }

    async fn session(&self) -> Result<Option<SessionRow>, StoreError> {
        projections::sessions::find(&mut self.context.log.reader().await?.connection(), &self.key.tenant, &self.key.principal, self.key.session).await
    }

    async fn generation(&self, profile: domain::id::ProfileId) -> Result<Option<u64>, StoreError> {
        let row = projections::profiles::find(&mut self.context.log.reader().await?.connection(), &self.key.tenant, &self.key.principal, profile).await?;
        Ok(row.filter(|row| row.status != "revoked").map(|row| row.generation))
    }

    /// Performs a command of the system under a fresh id; `None` never happens for a fresh id.
    async fn perform<W: Work>(&self, work: &W) -> Result<Option<W::Output>, WorkError> {
        let command = CommandId::from_uuid(new_uuid());
        match self.context.log.perform(&self.key.tenant, &Actor::System, command, work).await? {
            Performed::Done { output, .. } => Ok(Some(output)),
            Performed::Already { .. } => Ok(None),
        }
    }
}
