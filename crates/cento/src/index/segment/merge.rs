//! Many segments → one. Merging equals rebuilding, byte for byte.

use std::path::Path;

use super::{DocId, List, Lists, Posting, Removed, Schema, Segment, Summary, Writer};
use crate::digest::Digest;
use crate::error::Error;
use crate::measure::Side;
use crate::watch::Watch;

/// A segment that goes into a merge.
pub struct MergeInput<'a> {
    /// The segment.
    pub segment: &'a Segment,
    /// The new number of each of its documents; none for those that are left out.
    pub numbers: Vec<Option<DocId>>,
}

/// Sources whose documents keep their order, one segment behind the other, without those removed.
pub fn consecutive<'a>(segments: &[(&'a Segment, &Removed)]) -> Vec<MergeInput<'a>> {
    let mut next = 0;
    let mut number = |document: DocId, removed: &Removed| {
        (!removed.contains(document)).then(|| {
            next += 1;
            DocId(next - 1)
        })
    };
    let source = |&(segment, removed): &(&'a Segment, &Removed)| MergeInput {
        segment,
        numbers: (0..segment.documents())
            .map(|document| number(DocId(document), removed))
            .collect(),
    };
    segments.iter().map(source).collect()
}

/// Writes the documents of several segments into one.
///
/// The new numbers of all sources together are 0, 1, 2, … in any order. The file is the one that
/// these documents would give if they were built into a segment in the order of their new numbers.
pub fn merge(
    path: &Path,
    schema: &Schema,
    sources: &[MergeInput<'_>],
    watch: Watch<'_>,
) -> Result<Summary, Error> {
    merge_with(path, schema, sources, Documents::Once, watch)
}

/// The same of slices: several sources may have digests of one document.
#[cfg(feature = "registry")]
pub(in crate::index) fn merge_slices(
    path: &Path,
    schema: &Schema,
    sources: &[MergeInput<'_>],
    watch: Watch<'_>,
) -> Result<Summary, Error> {
    merge_with(path, schema, sources, Documents::InSlices, watch)
}

/// In how many sources a document is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Documents {
    Once,
    #[cfg(feature = "registry")]
    InSlices,
}

fn merge_with(
    path: &Path,
    schema: &Schema,
    sources: &[MergeInput<'_>],
    documents: Documents,
    watch: Watch<'_>,
) -> Result<Summary, Error> {
    for source in sources {
        source.segment.expect_whole(watch)?;
    }
    let sides = sides(schema, sources, documents)?;
    let mut writer = Writer::create(path, schema, &sides)?;
    let mut cursors = Vec::with_capacity(sources.len());
    for source in sources {
        cursors.extend(Cursor::first(source)?);
    }
    let mut steps = watch.steps(sides.iter().map(|side| u64::from(side.digests)).sum());
    let mut postings: Vec<Posting> = Vec::new();
    while let Some(digest) = cursors.iter().map(|cursor| cursor.digest).min() {
        postings.clear();
        let mut at = 0;
        while let Some(cursor) = cursors.get_mut(at) {
            if cursor.digest != digest {
                at += 1;
                continue;
            }
            postings.append(&mut cursor.postings);
            if cursor.advance()? {
                at += 1;
            } else {
                cursors.swap_remove(at);
            }
        }
        if !postings.is_sorted_by_key(|posting| posting.document) {
            postings.sort_unstable_by_key(|posting| posting.document);
        }
        for posting in &postings {
            writer.push(digest, posting.document, posting.count)?;
        }
        steps.advance(postings.len() as u64)?;
    }
    writer.finish()
}

/// The sides of the documents by their new numbers.
fn sides(
    schema: &Schema,
    sources: &[MergeInput<'_>],
    documents: Documents,
) -> Result<Vec<Side>, Error> {
    let is_kept = |source: &MergeInput<'_>| source.numbers.iter().flatten().count();
    let count = match documents {
        Documents::Once => sources.iter().map(is_kept).sum(),
        #[cfg(feature = "registry")]
        Documents::InSlices => {
            let numbers = sources
                .iter()
                .flat_map(|source| source.numbers.iter().flatten());
            numbers.max().map_or(0, |last| last.0 as usize + 1)
        }
    };
    let mut sides: Vec<Option<Side>> = vec![None; count];
    for MergeInput { segment, numbers } in sources {
        if segment.schema() != schema {
            return Err(segment.refused(format!(
                "it has the recipe `{}` and {} bits kept; the others have `{}` and {}",
                segment.schema().recipe(),
                segment.schema().kept_bits(),
                schema.recipe(),
                schema.kept_bits(),
            )));
        }
        let misfit = || {
            segment.refused("its documents' new numbers do not fit those of the others".to_owned())
        };
        if numbers.len() != segment.documents() as usize {
            return Err(misfit());
        }
        for (side, number) in segment.all_sides().zip(numbers) {
            let Some(number) = number else { continue };
            let place = sides.get_mut(number.0 as usize).ok_or_else(misfit)?;
            match place {
                None => *place = Some(side),
                #[cfg(feature = "registry")]
                Some(whole) if documents == Documents::InSlices => {
                    if !super::add_side(whole, side, schema) {
                        return Err(misfit());
                    }
                }
                Some(_) => return Err(misfit()),
            }
        }
    }
    let whole: Vec<Side> = sides.iter().flatten().copied().collect();
    match sources.first() {
        Some(first) if whole.len() < sides.len() => Err(first
            .segment
            .refused("its documents' new numbers leave out some".to_owned())),
        _ => Ok(whole),
    }
}

/// A source that is being read.
struct Cursor<'a> {
    lists: Lists<'a>,
    numbers: &'a [Option<DocId>],
    digest: Digest,
    /// The postings of the digest, with the new numbers, as they come.
    postings: Vec<Posting>,
}

impl<'a> Cursor<'a> {
    /// A source at its first list that has something left in it.
    fn first(source: &'a MergeInput<'_>) -> Result<Option<Cursor<'a>>, Error> {
        let mut cursor = Cursor {
            lists: source.segment.lists(),
            numbers: &source.numbers,
            digest: Digest(0),
            postings: Vec::new(),
        };
        Ok(cursor.advance()?.then_some(cursor))
    }

    /// Goes on to the next list that has something left in it; says whether there is one.
    fn advance(&mut self) -> Result<bool, Error> {
        self.postings.clear();
        while let Some(List { digest, postings }) = self.lists.next_list()? {
            let kept = postings.iter().filter_map(|posting| {
                let document = self.numbers[posting.document.0 as usize]?;
                Some(Posting {
                    document,
                    ..*posting
                })
            });
            self.postings.extend(kept);
            if !self.postings.is_empty() {
                self.digest = digest;
                return Ok(true);
            }
        }
        Ok(false)
    }
}
