//! Registries into registries: export, import, merge.
//!
//! An export is a registry of its own, compacted and without the key, so there is one format and one
//! way to read it. Merging takes all documents of several registries in the order of their ids, so
//! that neither the order of the registries nor their history shows in the result.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::catalog::{Catalog, Origin, retained};
use super::ignore::IgnoreList;
use super::merging::Plan;
use super::postings::Piece;
use super::{Entry, Facts, Folder, OnChange, Registry, Snapshot};
use crate::error::Error;
use crate::index::private;
use crate::style::Style;
use crate::watch::Watch;

/// What an export says about documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Names {
    /// Everything.
    Kept,
    /// Nothing that names a document or a person: an opaque id, sizes, expiry.
    Opaque,
}

/// What was exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// How many documents.
    pub documents: u64,
    /// Only who has the key can use it, and it is not in there.
    pub needs_key: bool,
}

/// What became of the documents of another registry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Absorbed {
    /// How many were added.
    pub added: u64,
    /// How many were there already, with the same text.
    pub unchanged: u64,
    /// The ids that were there with another text, and were refused.
    pub refused: Vec<String>,
    /// Those that were refused because their ids are somebody else's there.
    pub other_submitters: Vec<OtherSubmitter>,
}

/// A document that is not added, because its id is somebody else's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherSubmitter {
    /// The id.
    pub id: String,
    /// Who has it, if that was said.
    pub registered: Option<String>,
    /// Whose the document is that was refused, if that was said.
    pub given: Option<String>,
}

/// Writes all documents of a registry into a new one. It appears complete or not at all.
pub fn export(from: &Snapshot, to: &Path, names: Names, watch: Watch<'_>) -> Result<Export, Error> {
    let absorbed = gather(&[from], to, names, watch)?;
    Ok(Export {
        documents: absorbed.added,
        needs_key: from.key_name().is_some(),
    })
}

/// Makes a new registry of all documents of others. A document that several have counts once; an id
/// with several texts has them as versions, the one that was registered first being the first, unless
/// registries have it of different submitters: the first one keeps it. The new registry appears
/// complete or not at all.
pub fn merge(from: &[&Snapshot], to: &Path, watch: Watch<'_>) -> Result<Absorbed, Error> {
    gather(from, to, Names::Kept, watch)
}

/// Adds the documents of another registry: all of them or, if it is stopped, none.
pub fn import(
    into: &mut Registry,
    from: &Snapshot,
    on_change: OnChange,
    watch: Watch<'_>,
) -> Result<Absorbed, Error> {
    into.absorb(&[from], Names::Kept, on_change, watch)
}

/// Makes a registry where there is none: it is made in another place and appears when all of it is
/// there, or not at all. What an attempt left that was interrupted is removed.
pub fn make_at_once<T, E: From<Error>>(
    to: &Path,
    make: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, E> {
    let folder = Folder::new(to);
    if folder.exists() {
        return Err(E::from(Error::Registry {
            path: to.to_owned(),
            reason: "there is a registry already; name a new folder".to_owned(),
        }));
    }
    let missing = folder.missing();
    folder.clean()?;
    let place = folder.unfinished_registry();
    let done = make(place.path()).and_then(|done| {
        Catalog::without_journal(&place)?;
        place.move_to(&folder)?;
        Ok(done)
    });
    if done.is_err() {
        folder.take_back(&missing);
    } else {
        let _ = fs::remove_dir_all(place.path());
    }
    done
}

fn gather(
    from: &[&Snapshot],
    to: &Path,
    names: Names,
    watch: Watch<'_>,
) -> Result<Absorbed, Error> {
    let Some(first) = from.first() else {
        return Ok(Absorbed::default());
    };
    make_at_once(to, |place| {
        make(first, from, &Folder::new(place), names, watch)
    })
}

/// Makes a new registry in a folder of which nothing is needed.
fn make(
    first: &Snapshot,
    from: &[&Snapshot],
    folder: &Folder,
    names: Names,
    watch: Watch<'_>,
) -> Result<Absorbed, Error> {
    let segments = folder.segments();
    private::make_folder(&segments).map_err(|source| Error::Io {
        path: segments,
        source,
    })?;
    let made = from.iter().map(|snapshot| snapshot.created()).min();
    let origin = Origin {
        settings: first.settings().clone(),
        key: first.key_name().map(str::to_owned),
        created: made.unwrap_or_default().to_owned(),
    };
    Catalog::create(folder, &origin)?;
    let holder = "a copy of another registry";
    let mut registry = Registry::open(folder.path(), first.prepare().key(), holder)?;
    let absorbed = registry.absorb(from, names, OnChange::Version, watch)?;
    registry.compact(watch.silent())?;
    Ok(absorbed)
}

/// A document that comes from another registry.
struct Arrival {
    entry: Entry,
    /// Which registry.
    from: usize,
}

/// A version of an id that is there, or will be.
struct Known {
    content: [u8; 16],
    submitter: Option<String>,
    /// Which registry it comes from; none if it was there before.
    from: Option<usize>,
}

impl Registry {
    fn absorb(
        &mut self,
        from: &[&Snapshot],
        names: Names,
        on_change: OnChange,
        watch: Watch<'_>,
    ) -> Result<Absorbed, Error> {
        self.commit()?;
        for snapshot in from {
            self.expect_like(snapshot)?;
        }
        let mut arrivals = Vec::new();
        for (place, snapshot) in from.iter().enumerate() {
            snapshot.entries(|entry| {
                watch.go_on()?;
                arrivals.push(Arrival { entry, from: place });
                Ok(())
            })?;
        }
        arrivals.sort_by(|a, b| order(&a.entry).cmp(&order(&b.entry)));
        let (arrivals, absorbed) = self.choose(arrivals, names, on_change, watch)?;
        if !arrivals.is_empty() {
            self.take_over(from, &arrivals, watch)?;
        }
        Ok(absorbed)
    }

    fn expect_like(&self, other: &Snapshot) -> Result<(), Error> {
        let (own, others) = (self.prepare().settings(), other.settings());
        let refused = |reason: String| Error::Registry {
            path: other.folder().path().to_owned(),
            reason,
        };
        if own.recipe != others.recipe || own.kept_bits != others.kept_bits {
            return Err(refused(format!(
                "its recipe is `{}` with {} bits kept, and `{}` with {} is wanted",
                others.recipe, others.kept_bits, own.recipe, own.kept_bits
            )));
        }
        if own.retention != others.retention {
            return Err(refused(format!(
                "it keeps {}, and {} is wanted",
                others.retention, own.retention
            )));
        }
        if own.stretches != others.stretches {
            return Err(refused(format!(
                "it was made with --stretches {}, and this one with --stretches {}",
                others.stretches, own.stretches
            )));
        }
        if own.style != others.style {
            let of = |style: &Option<Style>| match style {
                Some(style) => format!("with --style {style}"),
                None => "without --style".to_owned(),
            };
            return Err(refused(format!(
                "it was made {}, and this one {}",
                of(&others.style),
                of(&own.style)
            )));
        }
        if self.prepare().key() != other.prepare().key() {
            return Err(refused("it has another key".to_owned()));
        }
        Ok(())
    }

    /// Decides which of the arrivals are added, and gives them versions and names.
    fn choose(
        &self,
        arrivals: Vec<Arrival>,
        names: Names,
        on_change: OnChange,
        watch: Watch<'_>,
    ) -> Result<(Vec<Arrival>, Absorbed), Error> {
        let mut absorbed = Absorbed::default();
        let mut chosen: Vec<Arrival> = Vec::new();
        let mut known: Vec<Known> = Vec::new();
        let mut version = 0;
        let mut last: Option<String> = None;
        for mut arrival in arrivals {
            watch.go_on()?;
            let id = arrival.entry.facts.id.clone();
            if last.as_ref() != Some(&id) {
                let there = self.catalog.versions(&id)?;
                version = there.iter().map(|entry| entry.version).max().unwrap_or(0);
                known = there.into_iter().map(Known::there).collect();
                last = Some(id.clone());
            }
            let (content, given) = (arrival.entry.content, &arrival.entry.facts.submitter);
            if known
                .iter()
                .any(|one| one.content == content && one.submitter == *given)
            {
                absorbed.unchanged += 1;
                continue;
            }
            // What one registry has under one id stays together.
            if let Some(latest) = known.last()
                && latest.from != Some(arrival.from)
                && latest.submitter != *given
            {
                absorbed.other_submitters.push(OtherSubmitter {
                    id,
                    registered: latest.submitter.clone(),
                    given: given.clone(),
                });
                continue;
            }
            if version > 0 && on_change == OnChange::Refuse {
                absorbed.refused.push(id);
                continue;
            }
            known.push(Known {
                content,
                submitter: given.clone(),
                from: Some(arrival.from),
            });
            version += 1;
            arrival.entry.version = version;
            arrival.entry.ignored = 0;
            chosen.push(arrival);
            absorbed.added += 1;
        }
        if names == Names::Opaque {
            chosen.sort_by_key(|arrival| arrival.entry.content);
        }
        let digits = chosen.len().to_string().len();
        for (place, arrival) in chosen.iter_mut().enumerate() {
            if names == Names::Opaque {
                let Facts { expires, .. } = std::mem::take(&mut arrival.entry.facts);
                arrival.entry.version = 1;
                arrival.entry.facts = Facts {
                    id: format!("document-{:0digits$}", place + 1),
                    expires,
                    ..Facts::default()
                };
            }
        }
        Ok((chosen, absorbed))
    }

    /// Writes a segment of the arrivals and registers them, all at once.
    fn take_over(
        &mut self,
        from: &[&Snapshot],
        arrivals: &[Arrival],
        watch: Watch<'_>,
    ) -> Result<(), Error> {
        let first = self.catalog.next_document()?;
        let places: HashMap<(usize, u32), u32> = (first..)
            .zip(arrivals)
            .map(|(number, arrival)| ((arrival.from, arrival.entry.number), number))
            .collect();
        let of_snapshot = |(place, snapshot): (usize, &&Snapshot)| {
            let pieces = snapshot.pieces().to_vec();
            pieces.into_iter().map(move |piece| (place, piece))
        };
        let (places_of, sources): (Vec<usize>, Vec<Piece>) =
            from.iter().enumerate().flat_map(of_snapshot).unzip();
        let plan = Plan::of(&sources, |source, owner| {
            let number = places.get(&(places_of[source], owner));
            number.map(|&number| (number, number))
        });
        let number = self.next_segment()?;
        let row = plan.write(&self.folder, number, self.prepare(), watch)?;
        let mut pieces = self.pieces.clone();
        pieces.push(self.piece(row.clone())?);
        let mut entries: Vec<Entry> = (first..)
            .zip(arrivals)
            .map(|(number, arrival)| Entry {
                number,
                ..arrival.entry.clone()
            })
            .collect();
        let ignored = IgnoreList::of(&self.catalog.ignored()?);
        let postings = self.postings_with(&pieces, &entries, ignored)?;
        let counts = postings.ignored_counts()?;
        for entry in &mut entries {
            entry.ignored = counts.get(&entry.number).copied().unwrap_or(0);
        }
        let mut kept = Vec::new();
        for (number, arrival) in (first..).zip(arrivals) {
            watch.go_on()?;
            let packed = from[arrival.from]
                .catalog()
                .retained(arrival.entry.number)?;
            kept.extend(packed.map(|packed| (number, packed)));
        }
        self.catalog.interruptible(watch, |catalog| {
            catalog.write(|transaction| {
                for entry in &entries {
                    entry.insert(transaction)?;
                }
                for (number, packed) in &kept {
                    retained::insert(*number, packed, transaction)?;
                }
                row.insert(transaction)
            })
        })?;
        self.pieces = pieces;
        Ok(())
    }
}

impl Known {
    fn there(entry: Entry) -> Known {
        Known {
            content: entry.content,
            submitter: entry.facts.submitter,
            from: None,
        }
    }
}

/// The order in which documents of several registries are taken.
fn order(entry: &Entry) -> (&str, &str, [u8; 16], Option<&str>) {
    let facts = &entry.facts;
    let submitter = facts.submitter.as_deref();
    (&facts.id, &facts.registered, entry.content, submitter)
}
