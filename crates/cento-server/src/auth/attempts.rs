//! How often passwords may be guessed, without keeping out whose account it is.
//!
//! Three things are counted, all of them wrong passwords a minute: those of one address for one
//! account, those of one address for any account, and those for one account from anywhere. The last
//! would be a way to lock people out, so it does not count for addresses from which they have logged in
//! before; and it is more than one address can use up.
//!
//! Names that nobody has are counted as well, so that nothing tells which there are.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use rusqlite::params;

use crate::config::Limits;
use crate::error::Error;
use crate::http::rates::Rates;
use crate::problem::Problem;
use crate::store::Store;
use crate::time::{self, Seconds};

/// How long an address is remembered from which somebody has logged in.
const REMEMBERED: Seconds = 30 * 86_400;
/// How many of them are remembered of one account; the latest.
const MOST_KNOWN: i64 = 100;

/// Counts passwords that were tried.
pub(crate) struct Attempts {
    store: Arc<Store>,
    rates: Rates,
    limits: [u32; 3],
}

/// A password that may be tried. It counts as wrong until it is said that it was not.
pub(crate) struct Attempt<'a> {
    attempts: &'a Attempts,
    counted: Vec<(String, u32)>,
    account: String,
    network: IpAddr,
}

impl Attempts {
    pub(crate) fn new(store: Arc<Store>, limits: &Limits) -> Attempts {
        Attempts {
            store,
            rates: Rates::default(),
            limits: [
                limits.logins_of_address,
                limits.logins,
                limits.logins_of_account,
            ],
        }
    }

    /// Lets somebody at an address try a password for an account.
    pub(crate) fn begin(&self, account: &str, network: IpAddr) -> Result<Attempt<'_>, Problem> {
        let [of_address, of_both, of_account] = self.limits;
        let name = account.to_lowercase();
        // In this order: what one address has used up is not taken from the account.
        let mut counted = vec![
            (format!("address {network}"), of_address),
            (format!("both {network} {name}"), of_both),
        ];
        if !self.is_known(account, network)? {
            counted.push((format!("account {name}"), of_account));
        }
        for (whose, per_minute) in &counted {
            let taken = self.rates.take_at(whose, *per_minute, Instant::now());
            taken.map_err(|wait| {
                Problem::too_many("too many wrong passwords; try again in a while", wait)
            })?;
        }
        Ok(Attempt {
            attempts: self,
            counted,
            account: account.to_owned(),
            network,
        })
    }

    fn is_known(&self, account: &str, network: IpAddr) -> Result<bool, Error> {
        self.store.run(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM known_addresses \
                       WHERE account = ?1 AND network = ?2 AND seen > ?3)";
            let mut statement = connection.prepare_cached(sql)?;
            let since = time::now() - REMEMBERED;
            statement.query_row(params![account, network.to_string(), since], |row| {
                row.get(0)
            })
        })
    }
}

impl Attempt<'_> {
    /// It was not tried after all.
    pub(crate) fn does_not_count(self) {
        for (whose, per_minute) in &self.counted {
            self.attempts.rates.give_back(whose, *per_minute);
        }
    }

    /// It was right. Whose account it is has been at this address.
    pub(crate) fn was_right(self) -> Result<(), Error> {
        self.attempts.store.write(|transaction| {
            let sql = "INSERT OR REPLACE INTO known_addresses VALUES (?1, ?2, ?3)";
            let (account, now) = (&self.account, time::now());
            transaction.execute(sql, params![account, self.network.to_string(), now])?;
            let sql = "DELETE FROM known_addresses WHERE account = ?1 AND (seen <= ?2 OR network \
                       NOT IN (SELECT network FROM known_addresses WHERE account = ?1 \
                       ORDER BY seen DESC LIMIT ?3))";
            transaction.execute(sql, params![account, now - REMEMBERED, MOST_KNOWN])
        })?;
        self.does_not_count();
        Ok(())
    }
}
