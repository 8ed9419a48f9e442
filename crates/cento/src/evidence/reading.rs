//! The documents of listed pairs, read once more and looked at closely.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::program::Spelling;
use super::{Collection, Texts};
use crate::align::{Aligner, Outline, RUN, Sequence, Vocabulary, Word, WordRuns, tables};
use crate::discount::{
    Discount, Marks, Rarity, Templates, bibliographies, common_from, quotations,
};
use crate::error::Error;
use crate::index::DocId;
use crate::report::Ignored;
use crate::token::{Content, Span, Tokens};
use crate::watch::Watch;

/// The documents of some pairs.
pub(super) struct Readings {
    /// Those that could be read again, in the order of their numbers.
    pub(super) all: Vec<(DocId, Reading)>,
    pub(super) vocabulary: Vocabulary,
    /// What stands for words of the left and of the right side that shall match nothing.
    pub(super) masks: [Word; 2],
}

/// One document, looked at closely.
pub(super) struct Reading {
    pub(super) sequence: Sequence,
    pub(super) marks: Marks,
    pub(super) rarity: Rarity,
    /// Whether any of it comes from a template.
    pub(super) has_template: bool,
    /// How its tokens are written, if it is a program.
    pub(super) spelling: Option<Spelling>,
    /// What is needed of it in every pair that it is in, as soon as pairs are looked at.
    pub(super) runs: WordRuns,
    pub(super) outline: Outline,
}

/// Quotations of fewer words are names and scare quotes; of more, the marks are likely astray.
const QUOTATION: RangeInclusive<usize> = 4..=400;
/// How many documents are read before their words are numbered.
const BATCH: usize = 256;

impl Readings {
    /// Reads the documents of these pairs.
    pub(super) fn of(
        collection: &Collection<'_>,
        pairs: &[(DocId, DocId)],
        texts: &Texts<'_>,
        watch: Watch<'_>,
    ) -> Result<Readings, Error> {
        let mut wanted: Vec<DocId> = pairs
            .iter()
            .flat_map(|&(left, right)| [left, right])
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut vocabulary = Vocabulary::default();
        let mut readings = Readings {
            all: Vec::with_capacity(wanted.len()),
            masks: vocabulary.masks(),
            vocabulary,
        };
        for batch in wanted.chunks(BATCH) {
            readings.read(batch, collection, texts, watch)?;
        }
        readings.mark(collection, &texts.templates, watch)?;
        let meanings = (texts.meanings)(&readings.vocabulary)?;
        readings.vocabulary.apply(&meanings);
        Ok(readings)
    }

    /// The document with this number, if it could be read.
    pub(super) fn get(&self, id: DocId) -> Option<&Reading> {
        self.position(id).map(|found| &self.all[found].1)
    }

    /// Where the document with this number stands.
    pub(super) fn position(&self, id: DocId) -> Option<usize> {
        self.all.binary_search_by_key(&id, |(id, _)| *id).ok()
    }

    fn read(
        &mut self,
        batch: &[DocId],
        collection: &Collection<'_>,
        texts: &Texts<'_>,
        watch: Watch<'_>,
    ) -> Result<(), Error> {
        let look = |&id: &DocId| {
            watch.go_on()?;
            let Some(content) = (texts.read)(collection.ids[id.0 as usize]) else {
                return Ok(None);
            };
            let (recipe, all) = (collection.recipe, collection.frequencies);
            let rarity = Rarity::of(content.source(), recipe, texts.key, texts.seen, all);
            let tokens = collection.tokens(&content);
            let (excused, spelling) = if recipe.is_for_programs() {
                let spelling = Spelling::of(content.source(), &tokens);
                (Excused::default(), Some(spelling))
            } else {
                (Excused::of(&content.text), None)
            };
            Ok(Some((id, tokens, excused, spelling, rarity)))
        };
        let batch: Vec<Option<Looked>> =
            batch.par_iter().map(look).collect::<Result<_, Error>>()?;
        for (id, tokens, excused, spelling, rarity) in batch.into_iter().flatten() {
            let sequence = self.vocabulary.sequence(&tokens);
            let sequence = sequence.with_tables(&excused.tables);
            let marks = excused.marks(&sequence);
            let reading = Reading {
                sequence,
                marks,
                rarity,
                has_template: false,
                spelling,
                runs: WordRuns::default(),
                outline: Outline::default(),
            };
            self.all.push((id, reading));
        }
        Ok(())
    }

    /// Makes of each document what all of its pairs need.
    pub(super) fn prepare(&mut self, aligner: Aligner, watch: Watch<'_>) -> Result<(), Error> {
        self.all.par_iter_mut().try_for_each(|(_, reading)| {
            watch.go_on()?;
            if reading.spelling.is_none() {
                reading.runs = WordRuns::of(reading.sequence.words(), RUN);
            }
            reading.outline = aligner.outline(&reading.sequence, &self.vocabulary);
            Ok(())
        })
    }

    /// Marks what comes from templates and what many documents have.
    fn mark(
        &mut self,
        collection: &Collection<'_>,
        templates: &[Content],
        watch: Watch<'_>,
    ) -> Result<(), Error> {
        let read = |template: &Content| {
            let sequence = self.vocabulary.sequence(&collection.tokens(template));
            if collection.recipe.is_for_programs() {
                return sequence;
            }
            sequence.with_tables(&tables(&template.text))
        };
        let templates = templates.iter().map(read).collect();
        let templates = if collection.recipe.is_for_programs() {
            Templates::of_programs(templates)
        } else {
            Templates::new(templates)
        };
        let common = common_from(collection.frequencies.documents());
        self.all.par_iter_mut().try_for_each(|(_, reading)| {
            watch.go_on()?;
            for run in templates.runs(&reading.sequence, &self.vocabulary) {
                reading.has_template |= !run.is_empty();
                reading.marks.mark(run, Discount::Template);
            }
            // A few tokens in a row are common in all programs, and the score knows how much they say.
            if reading.spelling.is_none() {
                for run in reading.rarity.common(&reading.sequence, common) {
                    reading.marks.mark(run, Discount::Common);
                }
            }
            Ok(())
        })
    }
}

impl Reading {
    /// What may be left out of it.
    pub(super) fn ignored(&self) -> Vec<Ignored> {
        let mut ignored = Vec::new();
        for kind in Discount::ALL {
            for run in self.marks.runs(kind) {
                let Span { start, end } = self.sequence.source(&run);
                ignored.push(Ignored { start, end, kind });
            }
        }
        ignored.sort_by_key(|ignored| (ignored.start, ignored.end, ignored.kind));
        ignored
    }
}

/// A document as it was read, what it excuses, how it is written, and how rare it is.
type Looked = (DocId, Tokens, Excused, Option<Spelling>, Rarity);

/// What a text excuses by itself.
#[derive(Default)]
struct Excused {
    quotations: Vec<Span>,
    bibliographies: Vec<Span>,
    /// Only their labels are: equal text in them counts.
    tables: Vec<Span>,
}

impl Excused {
    fn of(text: &str) -> Excused {
        Excused {
            quotations: quotations(text),
            bibliographies: bibliographies(text),
            tables: tables(text),
        }
    }

    fn marks(&self, sequence: &Sequence) -> Marks {
        let mut marks = Marks::none(sequence.len());
        for &span in &self.quotations {
            let run = sequence.words_in(span);
            if QUOTATION.contains(&run.len()) {
                marks.mark(run, Discount::Quotation);
            }
        }
        for &span in &self.bibliographies {
            marks.mark(sequence.words_in(span), Discount::Bibliography);
        }
        marks
    }
}
