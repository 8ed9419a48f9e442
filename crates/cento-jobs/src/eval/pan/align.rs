//! The pairs of a corpus: what is true of them, and what an aligner finds.

use std::collections::BTreeSet;

use cento::align::{Aligner, Meanings, Vocabulary};
use cento::eval::plagdet::{Case, CharRange, Pair};
use cento_ingest::{PanCase, PanCorpus, PanFolder, PanPair};
use cento_report::Characters;
use rayon::prelude::*;

use crate::error::{At as _, Error, Result};
use crate::meanings::GivenMeanings;
use crate::watch::{Step, Watch};

/// A pair after alignment.
pub(super) struct Aligned<'c> {
    pub(super) folder: &'c PanFolder,
    pub(super) names: &'c PanPair,
    pub(super) found: Pair,
    /// A limit on the work acted.
    pub(super) limited: bool,
}

/// Which words mean the same. As in a scan, all texts together say which of them there are, so a file
/// of vectors is read once.
pub(super) fn meanings(
    corpus: &PanCorpus,
    given: &GivenMeanings,
    watch: &Watch<'_>,
) -> Result<Meanings> {
    let mut vocabulary = Vocabulary::default();
    if given.depend_on_texts() {
        let pairs = corpus.folders.iter().flat_map(|folder| &folder.pairs);
        let mut read: BTreeSet<&str> = BTreeSet::new();
        for names in pairs {
            watch.go_on()?;
            if read.insert(&names.suspicious) | read.insert(&names.source) {
                for text in corpus.texts(names)? {
                    vocabulary.read(&text);
                }
            }
        }
    }
    Ok(given.of(&vocabulary)?)
}

/// Aligns all pairs. The first error in the order of the corpus is the one that is told.
pub(super) fn align<'c>(
    corpus: &'c PanCorpus,
    aligner: Aligner,
    meanings: &Meanings,
    watch: &Watch<'_>,
) -> Result<Vec<Aligned<'c>>> {
    let pairs: Vec<(&PanFolder, &PanPair)> = corpus
        .folders
        .iter()
        .flat_map(|folder| folder.pairs.iter().map(move |names| (folder, names)))
        .collect();
    watch.begin(Step::Aligning, pairs.len(), 0);
    let done: Vec<Result<Aligned<'_>>> = pairs
        .par_iter()
        .map(|&(folder, names)| {
            watch.go_on()?;
            let done = align_pair(corpus, folder, names, aligner, meanings);
            watch.advance(1, 0);
            done
        })
        .collect();
    watch.end();
    done.into_iter().collect()
}

fn align_pair<'c>(
    corpus: &PanCorpus,
    folder: &'c PanFolder,
    names: &'c PanPair,
    aligner: Aligner,
    meanings: &Meanings,
) -> Result<Aligned<'c>> {
    let texts = corpus.texts(names)?;
    let characters = [&texts[0], &texts[1]].map(|text| Characters::new(text));
    let cases = if folder.has_truth {
        truth(folder, names, &characters)?
    } else {
        Vec::new()
    };
    let mut vocabulary = Vocabulary::default();
    let [left, right] = [&texts[0], &texts[1]].map(|text| vocabulary.read(text));
    vocabulary.apply(meanings);
    let alignment = aligner.align(&left, &right, &vocabulary);
    let [in_left, in_right] = &characters;
    let detections = cento_report::pan_detections(&alignment, [&left, &right], [in_left, in_right]);
    Ok(Aligned {
        folder,
        names,
        found: Pair { cases, detections },
        limited: alignment.limited,
    })
}

/// The true cases of a pair, which must lie within its texts.
fn truth(
    folder: &PanFolder,
    names: &PanPair,
    characters: &[Characters<'_>; 2],
) -> Result<Vec<Case>> {
    let check = |side: &str, range: CharRange, text: &Characters<'_>, name: &str| {
        if range.end > text.len() {
            let reason = format!(
                "{side}_offset {} and {side}_length {} go past the end of {name}, which has {} \
                 characters",
                range.start,
                range.len(),
                text.len()
            );
            return Err(Error::refused(reason)).at(folder.truth_path(names).display());
        }
        Ok(range)
    };
    let [suspicious, source] = characters;
    let case = |case: PanCase| {
        let within = case.suspicious.into();
        Ok(Case {
            suspicious: check("this", within, suspicious, &names.suspicious)?,
            source: check("source", case.source.into(), source, &names.source)?,
        })
    };
    folder.truth(names)?.into_iter().map(case).collect()
}
