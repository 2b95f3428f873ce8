//! Who calls: a token, whom it acts for, and what it may do.

use crate::app::App;
use crate::scopes::{Holder, Scope};
use domain::event::Actor;
use domain::id::{PrincipalId, TenantId};
use eventlog::{StoreError, values};

/// A proven caller.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The tenant.
    pub tenant: TenantId,
    /// The person that the token acts for.
    pub principal: PrincipalId,
    /// Names the credential in the store of repeated commands.
    pub credential: String,
    /// Whether the person or a program holds it.
    pub holder: Holder,
    /// What it may do.
    pub scopes: Vec<Scope>,
}

impl Caller {
    /// Whether the token holds a scope.
    #[must_use]
    pub fn may(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope)
    }

    /// Whether the token was not revoked meanwhile. A console session has no token; it ends by
    /// itself and holds no stream.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn still_stands(&self, app: &App) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM tokens WHERE token_id = $1 AND revoked_at IS NULL";
        let rows = app.log.reader().await?.connection().fetch_all(sql, values![&self.credential]).await?;
        Ok(!rows.is_empty())
    }

    /// Who the log says it was.
    #[must_use]
    pub fn actor(&self) -> Actor {
        match self.holder {
            Holder::Owner => Actor::Owner(self.principal.clone()),
            Holder::Agent => Actor::Agent(self.principal.clone()),
        }
    }
}
