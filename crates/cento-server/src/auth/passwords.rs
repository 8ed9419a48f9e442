//! Passwords that people type: looked at and kept, a few at a time.

use std::sync::Arc;

use super::Account;
use super::secret::Kept;
use super::turns::Turn;
use crate::app::App;
use crate::http::Client;
use crate::problem::Problem;

/// The account with this name if this is its password. Those who guess too often are refused; a name
/// that nobody has takes as long as any other.
pub(crate) async fn check(
    app: &Arc<App>,
    client: Client,
    name: &str,
    password: String,
) -> Result<Option<Account>, Problem> {
    let attempt = app.attempts.begin(name, client.network())?;
    let turn = match app.turns.take(client.network()).await {
        Ok(turn) => turn,
        Err(busy) => {
            attempt.does_not_count();
            return Err(busy);
        }
    };
    let (account, kept) = match app.accounts.find(name)? {
        Some((account, kept)) => (Some(account), kept),
        None => (None, Kept::nobodys()),
    };
    let is_right = hash(turn, move || kept.is(&password)).await?;
    let account = account.filter(|_| is_right);
    if account.is_some() {
        attempt.was_right()?;
    }
    Ok(account)
}

/// What is kept of a new password.
pub(crate) async fn keep(
    app: &Arc<App>,
    client: Client,
    password: String,
) -> Result<Kept, Problem> {
    let turn = app.turns.take(client.network()).await?;
    Ok(hash(turn, move || Kept::of(&password)).await??)
}

async fn hash<T: Send + 'static>(
    turn: Turn,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let hashed = tokio::task::spawn_blocking(move || {
        // Held until the work is done, even if nobody waits for it any more.
        let _turn = turn;
        work()
    });
    let hashed = hashed.await;
    hashed.map_err(|panicked| Problem::internal("a password", &panicked))
}
