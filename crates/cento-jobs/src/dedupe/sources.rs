//! What became of the documents of each input.

use super::corpus::{Corpus, Identity};
use super::outcome::SourceOutcome;

/// What has become of the documents so far.
#[derive(Clone, Debug)]
pub(super) struct Sources(Vec<SourceOutcome>);

impl Sources {
    /// The inputs of a corpus, before anything is done.
    pub(super) fn of(corpus: &Corpus) -> Sources {
        let inputs = corpus.inputs.iter().map(|input| SourceOutcome {
            input: input.display().to_string(),
            ..SourceOutcome::default()
        });
        let mut sources: Vec<SourceOutcome> = inputs.collect();
        for table in &corpus.tables {
            let file = table.shard.path().metadata();
            sources[table.source].bytes += file.map_or(0, |file| file.len());
        }
        for (number, file) in (0..).zip(&corpus.files) {
            sources[corpus.source(Identity::File(number))].bytes += file.size();
        }
        Sources(sources)
    }

    /// A document with so many characters, and how many are left if it is kept.
    pub(super) fn add(&mut self, source: usize, before: u64, after: Option<u64>) {
        let source = &mut self.0[source];
        source.documents += 1;
        source.characters_before += before;
        match after {
            Some(left) => {
                source.kept += 1;
                source.characters_after += left;
            }
            None => source.removed += 1,
        }
    }

    pub(super) fn finish(self) -> Vec<SourceOutcome> {
        self.0
    }
}
