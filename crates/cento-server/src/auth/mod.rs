//! Who asks, and what they may do.
//!
//! [`accounts`] keeps names, passwords and tokens; [`sessions`] the logins of browsers;
//! [`caller`] finds out who is behind a request; [`attempts`] and [`turns`] slow those who guess.

pub(crate) mod accounts;
pub(crate) mod attempts;
pub(crate) mod caller;
pub(crate) mod changes;
pub(crate) mod institution;
pub(crate) mod passwords;
pub(crate) mod secret;
pub(crate) mod sessions;
pub(crate) mod turns;

use std::fmt;
use std::str::FromStr;

pub use accounts::{Account, Accounts};
pub(crate) use caller::Caller;

/// What somebody may do. Each role may do what those before it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Register documents, test pairs, and verify within a budget and with coarse answers.
    Submit,
    /// Verify as often and as exactly as they like, and look at what is registered.
    Verify,
    /// Forget documents, import many, read the audit log.
    Admin,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 3] = [Role::Submit, Role::Verify, Role::Admin];
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Submit => "submit",
            Role::Verify => "verify",
            Role::Admin => "admin",
        })
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Role, String> {
        let mut named = Role::ALL
            .into_iter()
            .filter(|role| role.to_string() == text);
        named
            .next()
            .ok_or_else(|| format!("{text} is not a role; choose submit, verify or admin"))
    }
}

/// The sets that somebody is limited to; none is no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets(pub Option<Vec<String>>);

impl Sets {
    /// As the database has them.
    pub(crate) fn as_json(&self) -> Option<String> {
        let sets = self.0.as_ref();
        sets.map(|sets| serde_json::json!(sets).to_string())
    }

    /// Whether a document of this set is theirs to see.
    pub fn allow(&self, set: Option<&str>) -> bool {
        match &self.0 {
            None => true,
            Some(sets) => set.is_some_and(|set| sets.iter().any(|own| own == set)),
        }
    }
}
