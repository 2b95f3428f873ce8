//! What a token may do, and which of it no agent may ever hold.

use std::fmt;

/// The scopes of the API. The set is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Open sessions, send messages, start and end runs.
    SessionWrite,
    /// Propose tool calls. Whoever holds it is an agent.
    ToolCall,
    /// Read approvals.
    ApprovalRead,
    /// Answer approvals.
    ApprovalResolve,
    /// Read grants.
    BrowserGrantRead,
    /// Create grants by an answer, and revoke them.
    BrowserGrantWrite,
    /// Create, sign in and revoke browser profiles.
    BrowserProfileWrite,
    /// Read artifacts.
    ArtifactRead,
    /// Upload artifacts.
    ArtifactWrite,
    /// Read a session's activity.
    ActivityRead,
    /// Read the log.
    AuditRead,
    /// Operate the deployment.
    Admin,
}

impl Scope {
    /// Every scope.
    pub const ALL: [Self; 12] = [
        Self::SessionWrite,
        Self::ToolCall,
        Self::ApprovalRead,
        Self::ApprovalResolve,
        Self::BrowserGrantRead,
        Self::BrowserGrantWrite,
        Self::BrowserProfileWrite,
        Self::ArtifactRead,
        Self::ArtifactWrite,
        Self::ActivityRead,
        Self::AuditRead,
        Self::Admin,
    ];

    /// What the console's owner holds: everything of an owner, nothing of an agent or operator.
    pub const CONSOLE: [Self; 9] = [
        Self::SessionWrite,
        Self::ApprovalRead,
        Self::ApprovalResolve,
        Self::BrowserGrantRead,
        Self::BrowserGrantWrite,
        Self::BrowserProfileWrite,
        Self::ArtifactRead,
        Self::ActivityRead,
        Self::AuditRead,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SessionWrite => "session.write",
            Self::ToolCall => "tool.call",
            Self::ApprovalRead => "approval.read",
            Self::ApprovalResolve => "approval.resolve",
            Self::BrowserGrantRead => "browser.grant.read",
            Self::BrowserGrantWrite => "browser.grant.write",
            Self::BrowserProfileWrite => "browser.profile.write",
            Self::ArtifactRead => "artifact.read",
            Self::ArtifactWrite => "artifact.write",
            Self::ActivityRead => "activity.read",
            Self::AuditRead => "audit.read",
            Self::Admin => "admin",
        }
    }

    /// The scope of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name)
    }

    /// Whether only an owner may hold it. An agent that could read or answer approvals, or read
    /// what is granted, could steer around its owner (OFF-3).
    #[must_use]
    pub const fn is_owners(self) -> bool {
        !matches!(self, Self::SessionWrite | Self::ToolCall | Self::ArtifactRead | Self::ArtifactWrite)
    }
}

/// Who holds a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// The person.
    Owner,
    /// A program that proposes tool calls for that person.
    Agent,
}

impl Holder {
    /// The name in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Agent => "agent",
        }
    }

    /// The holder of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Owner, Self::Agent].into_iter().find(|holder| holder.as_str() == name)
    }
}

/// Why a list of scopes is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopesError {
    /// A name that is no scope.
    Unknown(String),
    /// The list is empty.
    Empty,
    /// `tool.call` beside a scope that only an owner may hold.
    AgentWithOwnerScope(Scope),
}

impl fmt::Display for ScopesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "`{name}` is no scope; known are: {}", Scope::ALL.map(Scope::as_str).join(", ")),
            Self::Empty => f.write_str("name at least one scope"),
            Self::AgentWithOwnerScope(scope) => {
                write!(
                    f,
                    "a token with `tool.call` is an agent's and can never hold the owner's scope `{}`; create two tokens",
                    scope.as_str()
                )
            }
        }
    }
}

impl std::error::Error for ScopesError {}

/// Reads a comma-separated list and says whose token it makes.
///
/// # Errors
/// When a name is unknown, none is given, or an agent would hold an owner's scope.
pub fn parse_scopes(list: &str) -> Result<(Holder, Vec<Scope>), ScopesError> {
    let mut scopes = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        let scope = Scope::parse(name).ok_or_else(|| ScopesError::Unknown(name.to_owned()))?;
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    if scopes.is_empty() {
        return Err(ScopesError::Empty);
    }
    if !scopes.contains(&Scope::ToolCall) {
        return Ok((Holder::Owner, scopes));
    }
    match scopes.iter().find(|scope| scope.is_owners()) {
        Some(scope) => Err(ScopesError::AgentWithOwnerScope(*scope)),
        None => Ok((Holder::Agent, scopes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OFF-3: an agent's token never holds an owner's scope; without `tool.call` it is an owner's.
    #[test]
    fn agents_hold_no_owner_scope() {
        assert_eq!(parse_scopes("session.write,tool.call").map(|(holder, _)| holder), Ok(Holder::Agent));
        for scope in Scope::ALL.into_iter().filter(|scope| scope.is_owners()) {
            let list = format!("tool.call,{}", scope.as_str());
            assert_eq!(parse_scopes(&list), Err(ScopesError::AgentWithOwnerScope(scope)));
            assert_eq!(parse_scopes(scope.as_str()), Ok((Holder::Owner, vec![scope])));
        }
    }

    #[test]
    fn unknown_and_empty_lists_are_refused() {
        assert_eq!(parse_scopes("approval.resolv"), Err(ScopesError::Unknown("approval.resolv".to_owned())));
        assert_eq!(parse_scopes(" , "), Err(ScopesError::Empty));
    }
}
