//! Stops a crawl that loops: pages go in one after the other, and each is answered with go or stop.
//!
//! [`Method::Plagiarex`] is the rule of Kellogg's paper (section 5): a host that gives pages with one
//! Plagiarex again and again is in a loop. [`Method::Content`], the default, also stops what has a
//! changing Plagiarex, and does not stop sites whose pages have their longest words in common: it
//! remembers what a host has said, learns what is navigation, and stops addresses of one shape when
//! so many of them in a row have brought nothing new. A page that is new is never stopped.
//!
//! ```
//! use cento::guard::{Decision, Guard, Limits};
//!
//! let mut guard = Guard::new(Limits::default());
//! let text = "Notice of the county. This page was modified on a day at some time.";
//! let mut path = String::new();
//! let stopped = (1..=50).find(|_| {
//!     path.push_str("/minutes/agenda");
//!     let url = format!("http://county.example{path}");
//!     guard.see(&url, text).decision == Decision::Stop
//! });
//! assert_eq!(stopped, Some(10));
//! let skips = guard.skips();
//! assert_eq!(skips[0].to_string(), "*/agenda/*/agenda/*/agenda/*");
//! ```

mod address;
mod host;
mod page;
mod plagiarex;
mod seen;
mod shape;
mod skip;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use serde::{Deserialize, Serialize};

use self::address::Address;
use self::host::Host;
use self::page::Page;
use self::plagiarex::{Plagiarex, Repeats};
use self::shape::{Kind, Shape};
pub use self::skip::Skip;

/// Reads a crawl, page by page, in bounded memory.
pub struct Guard {
    limits: Limits,
    plagiarex: Plagiarex,
    hosts: HashMap<String, Entry>,
    /// The hosts by when they were last seen.
    order: BTreeMap<u64, String>,
    pages: u64,
    /// Patterns of hosts that are forgotten.
    forgotten: VecDeque<Skip>,
}

/// How much a guard remembers, and when it has had enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// How sameness is found.
    pub method: Method,
    /// After so many pages in a row that bring nothing new, addresses of one shape are stopped; of
    /// odd shapes after a half to an eighth of them.
    pub patience: NonZeroU32,
    /// Everything is stopped after so many pages of a host.
    pub pages_per_host: Option<NonZeroU64>,
    /// So many hosts are remembered; then the one that was not seen for the longest time is forgotten.
    pub hosts: NonZeroUsize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            method: Method::Content,
            patience: NonZeroU32::new(40).unwrap_or(NonZeroU32::MIN),
            pages_per_host: NonZeroU64::new(100_000),
            hosts: NonZeroUsize::new(1024).unwrap_or(NonZeroUsize::MIN),
        }
    }
}

/// How a guard finds that pages are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// By what is new on a page, and by the shape of its address.
    #[default]
    Content,
    /// By the five longest words, as in the paper.
    Plagiarex,
}

/// The answer to a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What to do.
    pub decision: Decision,
    /// Why; it prints as words.
    pub reason: Reason,
}

/// What to do about a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Follow its links.
    Go,
    /// Follow none of them, and fetch no more addresses like it.
    Stop,
}

/// Why a page got its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It has something that its host did not have before.
    New,
    /// It has nothing new, which is no matter yet.
    NothingNew,
    /// It is a page that was there before, perhaps with `https`, with `www.`, or with its parameters
    /// in another order.
    SameAddress,
    /// There is no text on it.
    NoText,
    /// The address is none of the web.
    NoAddress,
    /// The host has had as many pages as it may.
    Budget {
        /// How many.
        pages: u64,
    },
    /// Addresses of a shape have brought nothing new.
    Repeats {
        /// What the addresses have in common.
        cause: Cause,
        /// The addresses, such as `/cal/*`.
        pattern: String,
        /// How many pages in a row.
        pages: u32,
    },
    /// So many pages of the host have the same Plagiarex.
    SamePlagiarex {
        /// How many.
        pages: u32,
    },
}

/// What addresses have in common that bring nothing new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Their paths go round in circles.
    Loop,
    /// Their paths grow without end.
    Depth,
    /// They differ in a date.
    Calendar,
    /// They differ in the id of a visit.
    Session,
    /// They differ in their last part or in numbers.
    Numbers,
    /// They combine known parameters.
    Combinations,
    /// Nothing but the host.
    Host,
}

/// So many patterns of hosts that are forgotten are kept.
const MOST_FORGOTTEN: usize = 1024;

struct Entry {
    last: u64,
    memory: Memory,
}

enum Memory {
    Content(Box<Host>),
    Plagiarex(Box<Repeats>),
}

impl Guard {
    /// Bytes of memory that a host takes at most, besides its name.
    pub const BYTES_PER_HOST: usize = if Host::BYTES > Repeats::BYTES {
        Host::BYTES
    } else {
        Repeats::BYTES
    };

    /// A guard that has seen nothing.
    pub fn new(limits: Limits) -> Guard {
        Guard {
            limits,
            plagiarex: Plagiarex::new(),
            hosts: HashMap::new(),
            order: BTreeMap::new(),
            pages: 0,
            forgotten: VecDeque::new(),
        }
    }

    /// Looks at a page: where it is from, and its text without markup.
    pub fn see(&mut self, url: &str, text: &str) -> Verdict {
        let Some(address) = Address::parse(url) else {
            return Verdict {
                decision: Decision::Go,
                reason: Reason::NoAddress,
            };
        };
        let limits = self.limits.clone();
        let plagiarex = match limits.method {
            Method::Content => None,
            Method::Plagiarex => self.plagiarex.of(text),
        };
        match self.memory(&address.host) {
            Memory::Content(host) => host.count(&limits).unwrap_or_else(|| {
                let page = Page::of(text, url);
                host.see(&address, &page, &limits)
            }),
            Memory::Plagiarex(repeats) => repeats.see(plagiarex, &limits),
        }
    }

    /// What a crawler need not fetch: patterns that were stopped and have brought nothing new since.
    pub fn skips(&self) -> Vec<Skip> {
        let mut skips: Vec<Skip> = self.forgotten.iter().cloned().collect();
        for name in self.order.values() {
            if let Some(entry) = self.hosts.get(name) {
                skips.extend(entry.skips(name));
            }
        }
        skips.sort();
        // A calendar has changing numbers, too; one pattern for the same addresses is enough.
        let mut seen = BTreeSet::new();
        skips.retain(|skip| seen.insert((skip.host().to_owned(), skip.to_string())));
        skips
    }

    /// How many hosts are remembered.
    pub fn hosts(&self) -> usize {
        self.hosts.len()
    }

    /// Bytes of memory that all hosts take.
    pub fn bytes(&self) -> usize {
        let names = self.order.values();
        let of_host = |name: &String| {
            let entry = self.hosts.get(name).map_or(0, Entry::bytes);
            2 * name.capacity() + entry
        };
        names.map(of_host).sum()
    }

    /// What is remembered of a host, which is now the one seen last.
    fn memory(&mut self, name: &str) -> &mut Memory {
        self.pages += 1;
        let now = self.pages;
        if let Some(entry) = self.hosts.get(name) {
            self.order.remove(&entry.last);
        } else if self.hosts.len() >= self.limits.hosts.get()
            && let Some((_, oldest)) = self.order.pop_first()
            && let Some(entry) = self.hosts.remove(&oldest)
        {
            self.forgotten.extend(entry.skips(&oldest));
            let surplus = self.forgotten.len().saturating_sub(MOST_FORGOTTEN);
            self.forgotten.drain(..surplus);
        }
        self.order.insert(now, name.to_owned());
        let method = self.limits.method;
        let entry = self.hosts.entry(name.to_owned()).or_insert_with(|| Entry {
            last: now,
            memory: match method {
                Method::Content => Memory::Content(Box::new(Host::new())),
                Method::Plagiarex => Memory::Plagiarex(Box::default()),
            },
        });
        entry.last = now;
        &mut entry.memory
    }
}

impl Entry {
    fn skips(&self, name: &str) -> Vec<Skip> {
        match &self.memory {
            Memory::Content(host) => host.skips(name),
            Memory::Plagiarex(_) => Vec::new(),
        }
    }

    fn bytes(&self) -> usize {
        match &self.memory {
            Memory::Content(host) => host.bytes(),
            Memory::Plagiarex(_) => Repeats::BYTES,
        }
    }
}

impl Reason {
    fn of(shape: &Shape, pages: u32) -> Reason {
        let cause = match shape.kind {
            Kind::Loop => Cause::Loop,
            Kind::Deep => Cause::Depth,
            Kind::Dates => Cause::Calendar,
            Kind::Session | Kind::Ids => Cause::Session,
            Kind::Last | Kind::Numbers => Cause::Numbers,
            Kind::Facets => Cause::Combinations,
            Kind::Host => Cause::Host,
        };
        let pattern = skip::glob(shape.kind, &shape.template);
        Reason::Repeats {
            cause,
            pattern,
            pages,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::New => f.write_str("new text"),
            Reason::NothingNew => f.write_str("nothing new, which may happen"),
            Reason::SameAddress => f.write_str("the same address as an earlier page"),
            Reason::NoText => f.write_str("no text"),
            Reason::NoAddress => f.write_str("not an address of the web"),
            Reason::Budget { pages } => write!(f, "the host has had its {pages} pages"),
            Reason::SamePlagiarex { pages } => {
                write!(f, "{pages} pages of the host have the same Plagiarex")
            }
            Reason::Repeats {
                cause,
                pattern,
                pages,
            } => {
                let cause = match cause {
                    Cause::Loop => "a path that goes round in circles",
                    Cause::Depth => "a path that grows without end",
                    Cause::Calendar => "a calendar without end",
                    Cause::Session => "the same pages under changing ids",
                    Cause::Numbers => "the same page under changing addresses",
                    Cause::Combinations => "combinations of parameters without end",
                    Cause::Host => "the same page all over the host",
                };
                let s = if *pages == 1 { "" } else { "s" };
                write!(
                    f,
                    "{cause}: {pages} page{s} in a row with hardly anything new under {pattern}"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests;
