//! The upkeep of a registry: make one, look into it, check it, copy it, change it.

pub mod backup;
pub mod check;
pub mod compact;
mod entry;
pub mod export;
pub mod ignore;
pub mod import;
pub mod init;
pub mod join;
pub mod list;
pub mod merge;
pub mod nearest;
pub mod pairs;
mod place;
pub mod rekey;
pub mod shard;
pub mod status;
mod texts;

pub use entry::{Described, described};
pub(crate) use place::key_or_new;
pub use place::{Place, RegistryOptions};
pub(crate) use texts::RegisteredTexts;
pub use texts::TextSources;
