//! `hallpass token`: the secret is the last line printed and nothing can print it again.

use super::{FAILED, REFUSED, refuse};
use crate::scopes::parse_scopes;
use crate::tokens::{self, NewToken};
use clap::Subcommand;
use domain::id::{PrincipalId, TenantId, TokenId};
use eventlog::Log;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(super) enum Command {
    /// Create a token.
    Create {
        /// What you call it.
        #[arg(long)]
        name: String,
        /// Comma-separated scopes. With `tool.call` it is an agent's and holds no owner's scope.
        #[arg(long)]
        scopes: String,
        /// The tenant.
        #[arg(long)]
        tenant: TenantId,
        /// The person that the token acts for.
        #[arg(long, default_value = "owner")]
        principal: PrincipalId,
    },
    /// List tokens, without secrets.
    List,
    /// Revoke a token.
    Revoke {
        /// Its id.
        id: TokenId,
    },
}

pub(super) async fn run(log: &Log, command: Command) -> ExitCode {
    match command {
        Command::Create { name, scopes, tenant, principal } => {
            let (holder, scopes) = match parse_scopes(&scopes) {
                Ok(parsed) => parsed,
                Err(error) => return refuse(REFUSED, error),
            };
            match tokens::create(log, &NewToken { tenant, principal, name, holder, scopes }).await {
                Ok((token, secret)) => {
                    println!("token {token} ({})", holder.as_str());
                    println!("{secret}");
                    ExitCode::SUCCESS
                }
                Err(error) => refuse(FAILED, error),
            }
        }
        Command::List => match tokens::list(log).await {
            Ok(rows) => {
                for row in rows {
                    let state = if row.revoked { "revoked" } else { "valid" };
                    println!(
                        "{}\t{}\t{}\t{}\t{}\t{}\t{}",
                        row.token,
                        state,
                        row.holder,
                        row.tenant,
                        row.principal,
                        row.scopes,
                        row.name.escape_debug()
                    );
                }
                ExitCode::SUCCESS
            }
            Err(error) => refuse(FAILED, error),
        },
        Command::Revoke { id } => match tokens::revoke(log, id).await {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => refuse(FAILED, format!("there is no token `{id}`")),
            Err(error) => refuse(FAILED, error),
        },
    }
}
