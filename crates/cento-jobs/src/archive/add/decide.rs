//! What is stored of a page, and why: the rules of docs/archive.md.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use cento::report::Skipped;

use super::capture::{Capture, Content, Reference, sum};
use super::{Added, Options, Stored};
use crate::archive::page::{Page, Pages};
use crate::archive::store::{Near, PayloadId, Store, Tables, Version, digest};
use crate::archive::{Kind, base32, delta, hex, moment};
use crate::error::Result;

/// How many texts are kept in memory, for the next version of the same page.
const KEPT_TEXTS: usize = 4;

/// Decides and stores.
pub(super) struct Adder {
    pages: Pages,
    level: f64,
    patch_share: f64,
    recipe: String,
    texts: RefCell<Vec<(PayloadId, ReadPage)>>,
    /// The last versions of pages before this run.
    before: RefCell<BTreeMap<String, u64>>,
}

/// The text of a page, or why it has none.
type ReadPage = Rc<Result<Page, String>>;

/// What was decided about a page.
struct Decision {
    kind: Kind,
    reason: String,
    near: Near,
    root: Option<u64>,
    similarity: Option<u16>,
    mark: Option<String>,
}

impl Adder {
    pub(super) fn new(store: &Store, options: &Options) -> Result<Adder> {
        let number = |name: &str| -> Result<f64> {
            let value = store.setting(name)?.parse();
            value.map_err(|_| store.damaged(&format!("its setting `{name}` is wrong")))
        };
        let recipe = store.setting("recipe")?;
        Ok(Adder {
            pages: Pages::new(&recipe, &options.input)?,
            level: match options.level {
                Some(level) => level,
                None => number("level")?,
            },
            patch_share: number("patch-share")?,
            recipe,
            texts: RefCell::default(),
            before: RefCell::default(),
        })
    }

    /// Adds a capture; it may turn out to be nothing that can be added.
    pub(super) fn add(
        &self,
        tables: &Tables<'_>,
        capture: Capture,
    ) -> Result<Result<Added, Skipped>> {
        let id = tables.find_name(&capture.name)?;
        let last = match id {
            Some(id) => tables.last_version((id, &capture.name))?,
            None => None,
        };
        let (page, payload, transfer) = match capture.content {
            Content::Page { page, transfer } => (page, None, transfer),
            Content::Revisit(reference) => {
                let Some((payload, transfer)) = referred(tables, &reference, &capture.name)? else {
                    let reason = "a record of a revisit, and what it refers to is not in the archive; \
                                  add the web archive with that first";
                    return Ok(Err(Skipped::new(capture.name, reason)));
                };
                let transfer = transfer
                    .map(|transfer| tables.bytes(transfer))
                    .transpose()?;
                (tables.bytes(payload)?, Some(payload), transfer)
            }
        };
        let known = match payload {
            Some(payload) => Some(payload),
            None => tables.find_payload(&digest(&page))?,
        };
        let before = self.last_before(&capture.name, last.as_ref());
        // A file is a version of its own, even if others that are added with it are the same; a record of
        // a web archive that is the same is the same capture.
        let until = if capture.head.is_some() {
            u64::MAX
        } else {
            before
        };
        if let (Some(id), Some(known)) = (id, known)
            && let Some(number) = tables.find_version(id, capture.time, known)?
            && number <= until
            && let Some(version) = tables.version((id, &capture.name), number)?
        {
            let reason = "this version is in the archive already".to_owned();
            let known = added(
                tables,
                &capture.name,
                &version,
                Kind::Same,
                reason,
                (None, 0),
            )?;
            return Ok(Ok(Added {
                is_new: false,
                ..known
            }));
        }
        let decision = match (&last, id) {
            (Some(last), Some(id)) => {
                self.decide(tables, (id, &capture.name), last, &page, known)?
            }
            _ => self.first(&capture.name, &page),
        };
        let put = tables.put(&page, decision.near)?;
        let mut around = 0;
        let mut also = |bytes: &[u8], near| -> Result<PayloadId> {
            let put = tables.put(bytes, near)?;
            around += put.stored.unwrap_or(0);
            Ok(put.id)
        };
        let transfer = match &transfer {
            Some(bytes) => Some(also(bytes, Near::Like(put.id))?),
            None => None,
        };
        let before = last.as_ref().and_then(|last| last.head);
        let head = match &capture.head {
            Some(bytes) => Some(also(bytes, before.map_or(Near::Nothing, Near::After))?),
            None => None,
        };
        if capture.head.is_some() {
            let raw = match transfer {
                Some(transfer) => tables.bytes(transfer)?,
                None => page,
            };
            tables.put_sum(&sum(&raw), put.id, transfer)?;
        }
        let id = tables.name_id(&capture.name)?;
        let number = last.map_or(0, |last| last.number);
        let number = number.max(tables.forgotten_number(&capture.name)?);
        let version = Version {
            number: number + 1,
            payload: put.id,
            time: capture.time,
            kind: decision.kind,
            root: decision.root,
            similarity: decision.similarity,
            mark: decision.mark,
            head,
            transfer,
        };
        tables.put_version((id, &capture.name), &version)?;
        let stored = (put.stored, around);
        let (kind, reason) = (decision.kind, decision.reason);
        let added = added(tables, &capture.name, &version, kind, reason, stored)?;
        Ok(Ok(Added {
            is_altered: capture.is_altered,
            ..added
        }))
    }

    /// The last version that a page had before this run.
    fn last_before(&self, name: &str, last: Option<&Version>) -> u64 {
        let mut before = self.before.borrow_mut();
        if let Some(number) = before.get(name) {
            return *number;
        }
        let number = last.map_or(0, |last| last.number);
        before.insert(name.to_owned(), number);
        number
    }

    fn first(&self, name: &str, page: &[u8]) -> Decision {
        let read = self.pages.read(name, page);
        Decision {
            kind: Kind::Significant,
            reason: match &read {
                Ok(_) => "the first version".to_owned(),
                Err(reason) => format!("the first version; its text cannot be read: {reason}"),
            },
            near: Near::Nothing,
            root: None,
            similarity: None,
            mark: read.ok().and_then(|page| page.mark),
        }
    }

    fn decide(
        &self,
        tables: &Tables<'_>,
        name: (i64, &str),
        last: &Version,
        page: &[u8],
        known: Option<PayloadId>,
    ) -> Result<Decision> {
        let as_before = |kind, reason: &str| Decision {
            kind,
            reason: reason.to_owned(),
            near: Near::After(last.payload),
            root: Some(last.root()),
            similarity: Some(
                last.similarity
                    .filter(|_| last.root.is_some())
                    .unwrap_or(10_000),
            ),
            mark: last.mark.clone(),
        };
        let before = last.number;
        if known == Some(last.payload) {
            return Ok(as_before(Kind::Same, &format!("as in version {before}")));
        }
        let significant = |reason: String, similarity, mark| Decision {
            kind: Kind::Significant,
            reason,
            near: Near::Nothing,
            root: None,
            similarity,
            mark,
        };
        let new = match self.pages.read(name.1, page) {
            Ok(new) => new,
            Err(reason) => {
                let reason = format!("its text cannot be read: {reason}");
                return Ok(significant(reason, None, None));
            }
        };
        let old = self.text(tables, name.1, last.payload)?;
        let root = match last.root {
            None => last.clone(),
            Some(root) => {
                let missing = || tables.damaged(&format!("version {root} is missing"));
                tables.version(name, root)?.ok_or_else(missing)?
            }
        };
        let decision = match (&*old, &*self.text(tables, name.1, root.payload)?) {
            (Ok(old), _) if old.text == new.text => as_before(
                Kind::Text,
                &format!("as in version {before}; only the markup changed"),
            ),
            (_, Ok(whole)) => {
                let root = root.number;
                let similarity = self.pages.similarity(&whole.text, &new.text);
                let percent = (similarity * 1000.0).floor() / 10.0;
                let is_marked = whole.mark.is_some() && whole.mark == new.mark;
                if is_marked || similarity >= self.level {
                    let reason = if is_marked {
                        let recipe = &self.recipe;
                        format!(
                            "the same {recipe} digest as version {root}, and {percent:.1} % similar"
                        )
                    } else {
                        format!("{percent:.1} % similar to version {root}")
                    };
                    Decision {
                        kind: Kind::Insignificant,
                        reason,
                        near: Near::After(last.payload),
                        root: Some(root),
                        similarity: Some(ten_thousandths(similarity)),
                        mark: new.mark,
                    }
                } else {
                    let reason = format!(
                        "another digest than version {root}, and only {percent:.1} % similar"
                    );
                    significant(reason, Some(ten_thousandths(similarity)), new.mark)
                }
            }
            (_, Err(_)) => {
                let reason = format!("the text of version {} cannot be read", root.number);
                significant(reason, None, new.mark)
            }
        };
        self.rebased(tables, &root, page, decision)
    }

    /// A patch that has outgrown its share of the page gives way to the page itself.
    fn rebased(
        &self,
        tables: &Tables<'_>,
        root: &Version,
        page: &[u8],
        decision: Decision,
    ) -> Result<Decision> {
        if decision.kind == Kind::Significant {
            return Ok(decision);
        }
        let patch = delta::encode(&tables.bytes(root.payload)?, page).len();
        let share = patch as f64 / page.len().max(1) as f64;
        // The edit of a tiny page is never small.
        if share <= self.patch_share || patch < SMALL {
            return Ok(decision);
        }
        let reason = &decision.reason;
        let percent = share * 100.0;
        Ok(Decision {
            reason: format!(
                "{reason}; stored whole again, because the difference from version {} has grown to \
                 {percent:.0} % of the page",
                root.number
            ),
            near: Near::Nothing,
            root: None,
            ..decision
        })
    }

    /// The text of a page that is in the archive.
    fn text(&self, tables: &Tables<'_>, name: &str, payload: PayloadId) -> Result<ReadPage> {
        let kept = self.texts.borrow();
        if let Some((_, text)) = kept.iter().find(|(id, _)| *id == payload) {
            return Ok(Rc::clone(text));
        }
        drop(kept);
        let text = Rc::new(self.pages.read(name, &tables.bytes(payload)?));
        let mut kept = self.texts.borrow_mut();
        if kept.len() >= KEPT_TEXTS {
            kept.remove(0);
        }
        kept.push((payload, Rc::clone(&text)));
        Ok(text)
    }
}

/// Patches of fewer bytes than this are kept, however small the page is.
const SMALL: usize = 256;

fn ten_thousandths(similarity: f64) -> u16 {
    // Rounded down, so that only equal texts are 100 % similar.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is from 0 to 10,000"
    )]
    let number = (similarity * 10_000.0).floor().clamp(0.0, 10_000.0) as u16;
    number
}

/// What a record of a revisit refers to, and how it was transferred.
fn referred(
    tables: &Tables<'_>,
    reference: &Reference,
    own_name: &str,
) -> Result<Option<(PayloadId, Option<PayloadId>)>> {
    if let Some((algorithm, digits)) = reference
        .digest
        .as_deref()
        .and_then(|it| it.split_once(':'))
    {
        match algorithm.to_ascii_lowercase().as_str() {
            "sha1" => {
                if let Some(sum) = base32::decoded(digits, 20) {
                    return tables.find_sum(&sum);
                }
            }
            "sha256" => {
                if let Some(digest) = base32::decoded(digits, 32) {
                    let payload = tables.find_payload(&digest)?;
                    return payload.map_or(Ok(None), |payload| tables.transferred(payload));
                }
            }
            _ => {}
        }
    }
    let Some(time) = reference.time else {
        return Ok(None);
    };
    let name = reference.name.as_deref().unwrap_or(own_name);
    let Some(id) = tables.find_name(name)? else {
        return Ok(None);
    };
    let versions = tables.versions((id, name))?;
    let version = versions.into_iter().find(|version| version.time == time);
    Ok(version.map(|version| (version.payload, version.transfer)))
}

/// A version as it is told.
fn added(
    tables: &Tables<'_>,
    name: &str,
    version: &Version,
    kind: Kind,
    mut reason: String,
    (bytes, headers): (Option<u64>, u64),
) -> Result<Added> {
    let payload = tables.payload(version.payload)?;
    let stored = match (bytes, payload.base) {
        (None, _) => Stored::Nothing,
        (Some(_), Some(_)) => Stored::Patch,
        (Some(_), None) => Stored::Whole,
    };
    if stored == Stored::Nothing
        && kind != Kind::Same
        && let Some((other, number)) = tables.holder(version.payload)?
        && (other.as_str(), number) != (name, version.number)
    {
        reason = format!(
            "{reason}; its bytes are those of {}@{number}",
            other.escape_debug()
        );
    }
    Ok(Added {
        name: name.to_owned(),
        version: version.number,
        kind,
        stored,
        bytes: bytes.unwrap_or(0),
        headers,
        length: payload.length,
        reason,
        time: moment::written(version.time),
        similarity: version.similarity.map(share),
        digest: version.mark.clone(),
        sha256: hex(&payload.digest),
        is_altered: false,
        is_new: true,
    })
}

/// Ten-thousandths as a share.
fn share(similarity: u16) -> f64 {
    f64::from(similarity) / 10_000.0
}
