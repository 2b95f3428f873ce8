//! One session's worker: takes its calls in order and brings each to its end.

use super::authorizer::judge;
use super::call::{ActCall, Call};
use super::dispatch::{Ending, SessionBrowser};
use super::observed::Undescribed;
use super::policy::{Ruling, rule};
use super::sessions::{Job, Results, SessionKey};
use crate::commands::GrantSettings;
use crate::commands::calls::{Authorize, Authorized, DispatchFree, FinishCall, JudgedAct, RefuseUnsent, UseApproval};
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
use tokio::sync::{mpsc, watch};

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

/// Starts the worker of a session. It ends once it is idle, or when `stopping` turns true, and
/// holds `stopping` until then.
#[must_use]
pub fn start(context: WorkerContext, key: SessionKey, queue_max: usize, stopping: watch::Receiver<bool>) -> mpsc::Sender<Job> {
    let (queue, jobs) = mpsc::channel(queue_max);
    let browser = SessionBrowser::new(context.runtime.clone());
    tokio::spawn(Worker { context, key, browser, stopping }.work(jobs));
    queue
}

struct Worker {
    context: WorkerContext,
    key: SessionKey,
    browser: SessionBrowser,
    stopping: watch::Receiver<bool>,
}

/// What an approval came to.
enum Answer {
    Yes,
    /// No, with the refusal's code.
    No(&'static str),
    /// The process stops first; the card goes on waiting in the log (APR-4).
    Stopping,
}

impl Worker {
    async fn work(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut stopping = self.stopping.clone();
        loop {
            let next = tokio::select! {
                biased;
                _ = stopping.wait_for(|stopping| *stopping) => None,
                job = tokio::time::timeout(IDLE, jobs.recv()) => Some(job),
            };
            match next {
                None => return self.browser.close().await,
                Some(Ok(Some(job))) => self.settle(&job).await,
                Some(Ok(None) | Err(_)) => break,
            }
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
            Ok(Some(ending)) => ending,
            Ok(None) => return,
            Err(WorkError::Refused(refusal)) => Ending::refused(&format!("tool.{}", refusal.code())),
            Err(WorkError::Store(error)) => {
                tracing::error!(%error, "a tool call could not be recorded");
                Ending::refused("tool.storage_unavailable")
            }
        };
        if let Some(result) = ending.result {
            self.context.results.keep(job.tool_call, result);
        }
        // The end of a call from before a restart is told only if nobody else sent it meanwhile.
        let told = match &job.call {
            None => self.record(&RefuseUnsent { tool_call: job.tool_call, code: ending.code }).await,
            Some(_) => {
                let finish = FinishCall { tool_call: job.tool_call, outcome: ending.outcome, code: ending.code, reasons: ending.reasons };
                self.record(&finish).await
            }
        };
        if let Err(error) = told {
            // It stays unfinished; a restart records it as unknown or refused, by how far it came.
            tracing::error!(%error, "the end of a tool call could not be recorded");
        }
    }

    /// Records an end, trying again while the store is busy or away: what happened must be told,
    /// and nothing else of this session can go on before.
    async fn record<W: Work<Output = ()>>(&self, end: &W) -> Result<(), WorkError> {
        let mut stopping = self.stopping.clone();
        loop {
            match self.perform(end).await {
                Err(WorkError::Store(error)) if error.is_for_later() => {
                    tracing::warn!(%error, "the end of a tool call waits for the store")
                }
                told => return told.map(drop),
            }
            let stopped = tokio::time::timeout(LOOK_AGAIN, stopping.wait_for(|stopping| *stopping)).await.is_ok();
            if stopped {
                return self.perform(end).await.map(drop);
            }
        }
    }

    /// `None` for a call that still waits for its owner while the process stops.
    async fn run(&mut self, job: &Job) -> Result<Option<Ending>, WorkError> {
        let Some(call) = &job.call else { return self.resume(job).await };
        let Some(session) = self.session().await? else { return Ok(Some(Ending::refused("tool.session_deleted"))) };
        match rule(call, &session.allowed_origins) {
            Ruling::Deny(code) => Ok(Some(Ending::refused(code))),
            Ruling::Allow => self.free(job, call, &session).await.map(Some),
            Ruling::RequireApproval => match call {
                Call::Act(act) => self.act(job, act).await,
                _ => Ok(Some(Ending::refused("tool.not_available"))),
            },
        }
    }

    /// A call that policy allows without a card.
    async fn free(&mut self, job: &Job, call: &Call, session: &SessionRow) -> Result<Ending, WorkError> {
        let profile = match session.profile {
            None => None,
            Some(profile) => match self.generation(profile).await? {
                Some(generation) => Some((profile, generation)),
                None => {
                    // Its account must not stay signed in somewhere.
                    self.browser.close().await;
                    return Ok(Ending::refused("tool.browser.profile_gone"));
                }
            },
        };
        self.perform(&DispatchFree { principal: self.key.principal.clone(), run: job.run, tool_call: job.tool_call }).await?;
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
    async fn act(&mut self, job: &Job, act: &ActCall) -> Result<Option<Ending>, WorkError> {
        let refused = |code| Ok(Some(Ending::refused(code)));
        let Some(observed) = self.browser.observed() else { return refused("tool.browser.stale_revision") };
        let aim = match observed.aim(act) {
            Ok(aim) => aim,
            Err(Undescribed::StaleRevision) => return refused("tool.browser.stale_revision"),
            Err(Undescribed::UnknownElement) => return refused("tool.browser.unknown_element"),
        };
        if aim.facts().is_some_and(|facts| is_refused_outright(&act.action, facts)) {
            return refused("tool.browser.credential_field");
        }
        let (judged, coverage) = judge(&self.key, job, act, observed, aim, &self.context.digest_key);
        let approval = ApprovalId::from_uuid(new_uuid());
        let authorize = Authorize { act: judged.clone(), approval, grants: self.context.grants.clone(), coverage };
        match self.perform(&authorize).await? {
            Some(Authorized::ByGrant(constraint)) => Ok(Some(self.send(act, Some(&constraint)).await)),
            Some(Authorized::Asked(approval)) => self.after_answer(act, judged, approval).await,
            None => refused("tool.interrupted"),
        }
    }

    async fn after_answer(&mut self, act: &ActCall, judged: JudgedAct, approval: ApprovalId) -> Result<Option<Ending>, WorkError> {
        match self.answer(approval).await? {
            Answer::Yes => {}
            Answer::No(code) => return Ok(Some(Ending::refused(code))),
            Answer::Stopping => return Ok(None),
        }
        self.perform(&UseApproval { act: judged, approval }).await?;
        Ok(Some(self.send(act, None).await))
    }

    async fn send(&mut self, act: &ActCall, constraint: Option<&Constraint>) -> Ending {
        let sent = Act { sequence: 0, revision: &act.revision, element_ref: act.element_ref.as_deref(), action: &act.action, constraint };
        self.browser.act(sent).await
    }

    /// A call from before a restart: its card still counts, its page is gone (APR-4).
    async fn resume(&mut self, job: &Job) -> Result<Option<Ending>, WorkError> {
        let pending =
            projections::approvals::of_call(&mut self.context.log.reader().await?.connection(), &self.key.tenant, job.tool_call).await?;
        let Some(approval) = pending else { return Ok(Some(Ending::refused("tool.interrupted"))) };
        Ok(match self.answer(approval).await? {
            Answer::Yes => Some(Ending::refused("tool.browser.stale_revision")),
            Answer::No(code) => Some(Ending::refused(code)),
            Answer::Stopping => None,
        })
    }

    /// Waits until the owner said yes, or somebody or something said no.
    async fn answer(&self, approval: ApprovalId) -> Result<Answer, WorkError> {
        let (mut head, mut stopping) = (self.context.log.commits(), self.stopping.clone());
        loop {
            let row = projections::approvals::find(
                &mut self.context.log.reader().await?.connection(),
                &self.key.tenant,
                &self.key.principal,
                approval,
            )
            .await?;
            let Some(row) = row else { return Ok(Answer::No("tool.approval_cancelled")) };
            match row.status {
                ApprovalStatus::Approved => return Ok(Answer::Yes),
                ApprovalStatus::Denied => return Ok(Answer::No("tool.approval_denied")),
                ApprovalStatus::Lapsed => return Ok(Answer::No("tool.approval_lapsed")),
                ApprovalStatus::Cancelled => return Ok(Answer::No("tool.approval_cancelled")),
                ApprovalStatus::Pending if self.context.log.now() >= row.expires_at => drop(self.perform(&Sweep).await?),
                ApprovalStatus::Pending => tokio::select! {
                    _ = stopping.wait_for(|stopping| *stopping) => return Ok(Answer::Stopping),
                    _ = tokio::time::timeout(LOOK_AGAIN, head.changed()) => {}
                },
            }
        }
    }

    async fn session(&self) -> Result<Option<SessionRow>, StoreError> {
        projections::sessions::find(
            &mut self.context.log.reader().await?.connection(),
            &self.key.tenant,
            &self.key.principal,
            self.key.session,
        )
        .await
    }

    async fn generation(&self, profile: domain::id::ProfileId) -> Result<Option<u64>, StoreError> {
        let row =
            projections::profiles::find(&mut self.context.log.reader().await?.connection(), &self.key.tenant, &self.key.principal, profile)
                .await?;
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
