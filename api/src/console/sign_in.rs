//! One-time sign-in links and the sessions that they open. In memory only: a restart signs every
//! owner out and prints a new link. Of every secret only a hash is kept.

use crate::http::Caller;
use crate::random::{new_uuid, random_token};
use crate::scopes::{Holder, Scope};
use crate::tokens::hash;
use domain::id::{PrincipalId, TenantId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Life of a link that nobody used.
const LINK_LIFE: Duration = Duration::from_secs(10 * 60);
/// A session ends when its owner did nothing for so long. A page that refreshes itself does not
/// count: an open tab must not keep a session alive for ever.
const IDLE_MAX: Duration = Duration::from_secs(SESSION_SECS_MAX);
/// The same in seconds, for the cookie.
pub(super) const SESSION_SECS_MAX: u64 = 12 * 60 * 60;
/// Links that are open at once; the oldest one gives way.
const LINKS_MAX: usize = 16;
/// Sessions that are open at once; the one that was idle longest gives way.
const SESSIONS_MAX: usize = 64;

/// Links and sessions of the console. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct ConsoleSessions(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    /// By the hash of the link's secret.
    links: HashMap<String, Link>,
    /// By the hash of the cookie's secret.
    sessions: HashMap<String, Session>,
}

#[derive(Clone, Debug)]
struct Owner {
    tenant: TenantId,
    principal: PrincipalId,
}

#[derive(Debug)]
struct Link {
    owner: Owner,
    issued: Instant,
}

#[derive(Debug)]
struct Session {
    id: Uuid,
    owner: Owner,
    used: Instant,
}

/// A signed-in owner, proven by the cookie of this request.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// Names the session where a token's id would stand.
    credential: String,
    owner: Owner,
    /// Proves that a form was written for this session. It follows from the cookie's secret, so
    /// nothing is stored, and says nothing about it.
    form_token: String,
}

impl SignedIn {
    /// The owner as a caller of commands.
    #[must_use]
    pub fn caller(&self) -> Caller {
        Caller {
            tenant: self.owner.tenant.clone(),
            principal: self.owner.principal.clone(),
            credential: self.credential.clone(),
            holder: Holder::Owner,
            scopes: Scope::CONSOLE.to_vec(),
        }
    }

    /// What every form of this session carries.
    #[must_use]
    pub fn form_token(&self) -> &str {
        &self.form_token
    }
}

impl ConsoleSessions {
    /// Issues a link that signs in once, within ten minutes, and gives the secret that ends its
    /// address. Nothing can give it again.
    #[must_use]
    pub fn issue_link(&self, tenant: TenantId, principal: PrincipalId) -> String {
        self.issue_at(Instant::now(), Owner { tenant, principal })
    }

    /// Uses a link and gives the secret of the session that it opens. `replaced` is the cookie that
    /// the browser held before; that session ends.
    pub(super) fn accept(&self, link: &str, replaced: Option<&str>) -> Option<String> {
        self.accept_at(Instant::now(), link, replaced)
    }

    /// The owner of a cookie. `touch` says whether the owner did something.
    pub(super) fn find(&self, secret: &str, touch: bool) -> Option<SignedIn> {
        self.find_at(Instant::now(), secret, touch)
    }

    /// Ends a session.
    pub(super) fn end(&self, secret: &str) {
        self.kept().sessions.remove(&hash(secret));
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn issue_at(&self, now: Instant, owner: Owner) -> String {
        let secret = random_token();
        let mut kept = self.kept();
        kept.forget_old(now);
        make_room(&mut kept.links, LINKS_MAX, |link| link.issued);
        kept.links.insert(hash(&secret), Link { owner, issued: now });
        secret
    }

    fn accept_at(&self, now: Instant, link: &str, replaced: Option<&str>) -> Option<String> {
        let mut kept = self.kept();
        kept.forget_old(now);
        let owner = kept.links.remove(&hash(link))?.owner;
        if let Some(replaced) = replaced {
            kept.sessions.remove(&hash(replaced));
        }
        make_room(&mut kept.sessions, SESSIONS_MAX, |session| session.used);
        let secret = random_token();
        kept.sessions.insert(hash(&secret), Session { id: new_uuid(), owner, used: now });
        Some(secret)
    }

    fn find_at(&self, now: Instant, secret: &str, touch: bool) -> Option<SignedIn> {
        let mut kept = self.kept();
        kept.forget_old(now);
        let session = kept.sessions.get_mut(&hash(secret))?;
        if touch {
            session.used = now;
        }
        Some(SignedIn {
            credential: format!("console:{}", session.id),
            owner: session.owner.clone(),
            form_token: hash(&format!("hallpass console form\n{secret}")),
        })
    }
}

impl Kept {
    fn forget_old(&mut self, now: Instant) {
        self.links.retain(|_, link| now.saturating_duration_since(link.issued) < LINK_LIFE);
        self.sessions.retain(|_, session| now.saturating_duration_since(session.used) < IDLE_MAX);
    }
}

/// Removes the oldest entry when there is no room for one more.
fn make_room<T>(kept: &mut HashMap<String, T>, most: usize, age: impl Fn(&T) -> Instant) {
    if kept.len() < most {
        return;
    }
    let oldest = kept.iter().min_by_key(|(_, value)| age(value)).map(|(key, _)| key.clone());
    if let Some(oldest) = oldest {
        kept.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner() -> Owner {
        Owner { tenant: "t".parse().unwrap(), principal: "p".parse().unwrap() }
    }

    /// UI-1: a link signs in once, within its ten minutes; one second more is too late.
    #[test]
    fn links_work_once_and_not_for_long() {
        let (sessions, start) = (ConsoleSessions::default(), Instant::now());
        let (first, second) = (sessions.issue_at(start, owner()), sessions.issue_at(start, owner()));
        let just_in_time = start + LINK_LIFE - Duration::from_secs(1);
        assert!(sessions.accept_at(just_in_time, &first, None).is_some());
        assert!(sessions.accept_at(just_in_time, &first, None).is_none(), "used twice");
        assert!(sessions.accept_at(start + LINK_LIFE, &second, None).is_none(), "used too late");
    }

    /// UI-1: a session lives while its owner does something; a page that refreshes itself is not
    /// the owner.
    #[test]
    fn idle_sessions_end() {
        let (sessions, start) = (ConsoleSessions::default(), Instant::now());
        let link = sessions.issue_at(start, owner());
        let cookie = sessions.accept_at(start, &link, None).unwrap();
        let almost = IDLE_MAX - Duration::from_secs(1);
        assert!(sessions.find_at(start + almost, &cookie, true).is_some());
        assert!(sessions.find_at(start + almost + almost, &cookie, false).is_some());
        assert!(sessions.find_at(start + almost + IDLE_MAX, &cookie, false).is_none());
    }

    /// UI-1: signing in again ends the session that the browser held, and secrets are not kept.
    #[test]
    fn signing_in_replaces_and_keeps_hashes_only() {
        let (sessions, start) = (ConsoleSessions::default(), Instant::now());
        let link = sessions.issue_at(start, owner());
        assert!(!format!("{sessions:?}").contains(&link));
        let first = sessions.accept_at(start, &link, None).unwrap();
        let again = sessions.issue_at(start, owner());
        let second = sessions.accept_at(start, &again, Some(&first)).unwrap();
        assert!(sessions.find_at(start, &first, true).is_none());
        let found = sessions.find_at(start, &second, true).unwrap();
        assert!(!format!("{sessions:?}").contains(&second) && !found.form_token().contains(&second));
    }

    /// UI-1: the number of links and sessions is bounded; the oldest give way.
    #[test]
    fn counts_are_bounded() {
        let (sessions, start) = (ConsoleSessions::default(), Instant::now());
        let mut cookies = Vec::new();
        for second in 0..u64::try_from(SESSIONS_MAX).unwrap() + 1 {
            let now = start + Duration::from_secs(second);
            let link = sessions.issue_at(now, owner());
            cookies.push(sessions.accept_at(now, &link, None).unwrap());
        }
        let now = start + Duration::from_secs(100);
        assert!(sessions.find_at(now, cookies.first().unwrap(), false).is_none());
        assert!(sessions.find_at(now, cookies.get(1).unwrap(), false).is_some());
        let links: Vec<_> = (0..=LINKS_MAX).map(|n| sessions.issue_at(now + Duration::from_secs(n as u64), owner())).collect();
        assert!(sessions.accept_at(now + Duration::from_secs(20), links.first().unwrap(), None).is_none());
        assert!(sessions.accept_at(now + Duration::from_secs(20), links.last().unwrap(), None).is_some());
    }
}
