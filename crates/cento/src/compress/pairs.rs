//! Every pair of many documents by how well they compress together.

use rayon::prelude::*;

use super::{Compressor, FRAMES, forgets, value_of};
use crate::error::Error;
use crate::family::families;
use crate::index::{DocId, Pair};
use crate::number::index32;
use crate::report::{Compression, Histogram, Note, Report};
use crate::scan::{Document, Listing, Role, ScanSettings, scan as scan_fingerprints};
use crate::watch::Watch;

/// Compares every document with every other one by compressed lengths.
///
/// The score of a pair is its similarity; containment and the rest are still those of the
/// fingerprints. Each text is compressed alone once, and each pair in both orders, so the time grows
/// with the square of the number of documents.
pub fn scan(
    mut documents: Vec<Document>,
    settings: &ScanSettings,
    by: Compressor,
    text: &(dyn Fn(&str) -> Option<String> + Sync),
    watch: Watch<'_>,
) -> Result<Report, Error> {
    documents.sort_by(|a, b| (a.role, &a.id).cmp(&(b.role, &b.id)));
    let texts: Vec<String> = documents
        .par_iter()
        .map(|document| text(&document.id).unwrap_or_default())
        .collect();
    let alone: Vec<u64> = texts
        .par_iter()
        .map(|text| by.compressed_length(&[text.as_bytes()], watch))
        .collect::<Result<_, _>>()?;
    let new = documents.partition_point(|document| document.role == Role::New);
    let places: Vec<[usize; 2]> = (0..new)
        .flat_map(|left| (left + 1..documents.len()).map(move |right| [left, right]))
        .collect();
    let judged: Vec<Pair> = places
        .par_iter()
        .map(|&[left, right]| {
            let both = [&texts[left], &texts[right]].map(String::as_bytes);
            let score = value_of(both, alone[left] + alone[right], by, watch)?;
            Ok(Pair {
                left: DocId(index32(left)),
                right: DocId(index32(right)),
                overlap: (documents[left].fingerprint).overlap(&documents[right].fingerprint),
                score,
            })
        })
        .collect::<Result<_, Error>>()?;
    let notes = notes(&texts, &alone, &places, by, watch)?;
    let fingerprints = ScanSettings {
        listing: Listing::Score,
        top: None,
        count_below: false,
        ..settings.clone()
    };
    let mut report = scan_fingerprints(documents, &fingerprints, None, watch)?;
    report
        .notes
        .retain(|note| !matches!(note, Note::Thin { .. }));
    report.notes.extend(notes);
    report.measure = format!("compression:{by}");
    report.chance = None;
    report.without_common = None;
    report.histogram = histogram(&judged);
    list(&mut report, judged, settings, by);
    Ok(report)
}

fn list(report: &mut Report, judged: Vec<Pair>, settings: &ScanSettings, by: Compressor) {
    let all = judged.len();
    let is_found = |pair: &Pair| pair.score >= settings.threshold;
    let found: Vec<Pair> = judged.into_iter().filter(is_found).collect();
    report.at_threshold = found.len() as u64;
    report.below_threshold = Some((all - found.len()) as u64);
    let ends = found
        .iter()
        .map(|pair| [pair.left, pair.right].map(|place| place.0 as usize));
    let connected = families(report.documents.len(), ends);
    let ids = |family: Vec<usize>| {
        let ids = family
            .into_iter()
            .map(|place| report.documents[place].id.clone());
        ids.collect()
    };
    report.families = connected.into_iter().map(ids).collect();
    report.list(found, settings.top);
    for pair in &mut report.pairs {
        pair.compression = Some(Compression {
            by: by.to_string(),
            similarity: pair.score,
        });
    }
}

/// What makes values wrong, once for all pairs: that of the longest two, and that of the shortest.
fn notes(
    texts: &[String],
    alone: &[u64],
    places: &[[usize; 2]],
    by: Compressor,
    watch: Watch<'_>,
) -> Result<Vec<Note>, Error> {
    let bytes = |&[left, right]: &[usize; 2]| (texts[left].len() + texts[right].len()) as u64;
    let longest = places.iter().map(bytes).max().unwrap_or(0);
    let mut notes = Vec::new();
    if longest > by.window() {
        notes.push(forgets(by, longest));
    }
    let frames = 2 * FRAMES * by.compressed_length(&[], watch)?;
    let is_short = |&[left, right]: &[usize; 2]| alone[left] + alone[right] < frames;
    if places.iter().any(is_short) {
        notes.push(Note::TooShortToCompress {
            compressor: by.to_string(),
        });
    }
    Ok(notes)
}

fn histogram(judged: &[Pair]) -> Histogram {
    let mut histogram = Histogram {
        buckets: vec![0; Histogram::BUCKETS],
        zero: 0,
    };
    for pair in judged {
        if pair.score > 0.0 {
            histogram.buckets[Histogram::bucket(pair.score)] += 1;
        } else {
            histogram.zero += 1;
        }
    }
    histogram
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::similarity;
    use crate::digest::Key;
    use crate::recipe::Recipe;
    use crate::select::NoCollection;

    /// Words that only one text has, and the middle of another.
    fn text(id: &str) -> Option<String> {
        let words = |from: u64| -> String {
            let word = |n: u64| format!("{:x} ", n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24);
            (from..from + 300).map(word).collect()
        };
        match id {
            "copy" => Some(words(0) + &words(5_000)),
            "other" => Some(words(9_000) + &words(12_000)),
            "source" => Some(words(0) + &words(7_000)),
            _ => None,
        }
    }

    #[test]
    fn every_pair_reads_as_the_two_alone_do() {
        let recipe = Recipe::default();
        let documents = |ids: &[&str]| -> Vec<Document> {
            let document = |id: &&str| {
                let text = text(id).unwrap();
                let fingerprint = recipe.fingerprint(&text, &Key::PUBLIC, &NoCollection);
                Document::new(*id, 600, fingerprint)
            };
            ids.iter().map(document).collect()
        };
        let settings = ScanSettings {
            threshold: 0.2,
            ..ScanSettings::default()
        };
        for by in [Compressor::Gzip, Compressor::Xz, Compressor::Zstd] {
            let given = documents(&["source", "other", "copy"]);
            let report = scan(given, &settings, by, &text, Watch::NOBODY).unwrap();
            assert_eq!(report.measure, format!("compression:{by}"));
            let listed: Vec<_> = report
                .pairs
                .iter()
                .map(|pair| [&pair.left, &pair.right])
                .collect();
            assert_eq!(listed, [["copy", "source"]], "{by}");
            assert_eq!((report.at_threshold, report.below_threshold), (1, Some(2)));
            assert_eq!(report.families, [["copy", "source"]]);
            let [left, right] = ["copy", "source"].map(|id| text(id).unwrap());
            let alone = similarity(left.as_bytes(), right.as_bytes(), by, Watch::NOBODY).unwrap();
            assert!((report.pairs[0].score - alone.value).abs() < 1e-12, "{by}");
            // The order in which documents are given says nothing.
            let given = documents(&["copy", "other", "source"]);
            let again = scan(given, &settings, by, &text, Watch::NOBODY).unwrap();
            assert_eq!(
                serde_json::to_string(&again.pairs).unwrap(),
                serde_json::to_string(&report.pairs).unwrap()
            );
        }
    }

    #[test]
    fn old_documents_are_not_compared_with_each_other() {
        let recipe = Recipe::default();
        let mut documents = Vec::new();
        for (id, role) in [
            ("copy", Role::New),
            ("other", Role::Old),
            ("source", Role::Old),
        ] {
            let fingerprint = recipe.fingerprint(&text(id).unwrap(), &Key::PUBLIC, &NoCollection);
            let document = Document::new(id, 600, fingerprint);
            documents.push(Document { role, ..document });
        }
        let settings = ScanSettings {
            threshold: 0.0,
            ..ScanSettings::default()
        };
        let by = Compressor::Zstd;
        let report = scan(documents, &settings, by, &text, Watch::NOBODY).unwrap();
        assert_eq!(report.pairs.len(), 2);
        assert!(report.pairs.iter().all(|pair| pair.left == "copy"));
    }
}
