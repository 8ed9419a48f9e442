//! Vectors → report: two documents, or the nearest neighbour of each of many.

use std::collections::BTreeMap;

use super::{Neighbours, Style, Vector};
use crate::disguise::Disguised;
use crate::index::{DocId, Pair};
use crate::measure::Overlap;
use crate::number::index32;
use crate::report::{Note, Report, Summary, Top};
use crate::scan::Role;

/// What the measure of a report by style is called.
pub const MEASURE: &str = "distance";

/// A document as a comparison by style needs it.
#[derive(Clone, Debug)]
pub struct Styled {
    /// Its id, different from all others.
    pub id: String,
    /// Whether it is checked or only compared with.
    pub role: Role,
    /// How many words it has.
    pub words: u64,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// What of it is disguised.
    pub disguised: Disguised,
    /// Where it stands.
    pub vector: Vector,
}

/// What a comparison by style is to find.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How the vectors were made.
    pub style: Style,
    /// List at most so many pairs.
    pub top: Option<usize>,
}

/// Two documents that are near.
struct Near {
    left: DocId,
    right: DocId,
    distance: f64,
    mutual: Option<bool>,
}

/// How far two documents are apart; no pair if nothing can be measured of both.
pub fn compare(documents: &[Styled; 2], settings: &Settings) -> Report {
    let [left, right] = documents.each_ref().map(|document| &document.vector);
    let distance = settings.style.distance(left, right);
    let near = distance.map(|distance| Near {
        left: DocId(0),
        right: DocId(1),
        distance,
        mutual: None,
    });
    report("compare", documents, near.as_slice(), settings)
}

/// The nearest neighbour of each new document among all others.
///
/// Two documents that are each other's nearest neighbour are one pair; otherwise the right one is
/// the left one's neighbour. Of several that are equally near, the first one counts.
pub fn scan(mut documents: Vec<Styled>, settings: &Settings) -> Report {
    documents.sort_by(|a, b| (a.role, &a.id).cmp(&(b.role, &b.id)));
    let numbers: Vec<DocId> = (0..index32(documents.len())).map(DocId).collect();
    let vectors: Vec<&Vector> = documents.iter().map(|document| &document.vector).collect();
    let neighbours = Neighbours::of(&vectors);
    let new = documents.partition_point(|document| document.role == Role::New);
    let nearest: Vec<Option<DocId>> = documents[..new]
        .iter()
        .zip(&numbers)
        .map(|(document, &number)| {
            let found = neighbours.nearest(&document.vector, 1, Some(number));
            found.first().map(|neighbour| neighbour.document)
        })
        .collect();
    let mut near = Vec::new();
    for (&left, &right) in numbers.iter().zip(&nearest) {
        let Some(right) = right else { continue };
        // Old documents have not been asked for their neighbours.
        let mutual = nearest
            .get(right.0 as usize)
            .map(|&back| back == Some(left));
        if mutual == Some(true) && right < left {
            continue;
        }
        let [l, r] = [left, right].map(|document| &documents[document.0 as usize].vector);
        near.extend(settings.style.distance(l, r).map(|distance| Near {
            left,
            right,
            distance,
            mutual,
        }));
    }
    report("scan", &documents, &near, settings)
}

fn report(command: &str, documents: &[Styled], near: &[Near], settings: &Settings) -> Report {
    let summaries = documents.iter().map(summary).collect();
    let recipe = settings.style.to_string();
    let mut report = Report::new(command, recipe, MEASURE.to_owned(), summaries);
    if documents.len() < 2 {
        report.notes.push(Note::NothingToCompare);
    }
    report.at_threshold = near.len() as u64;
    report.below_threshold = Some(0);
    let listed = report.list(
        near.iter().map(Near::pair).collect(),
        Top::pairs(settings.top),
    );
    let by_places: BTreeMap<(DocId, DocId), &Near> = near
        .iter()
        .map(|near| ((near.left, near.right), near))
        .collect();
    for (pair, listed) in listed.iter().zip(&mut report.pairs) {
        let near = by_places.get(&(pair.left, pair.right));
        listed.distance = near.map(|near| near.distance);
        listed.mutual = near.and_then(|near| near.mutual);
    }
    report
}

fn summary(document: &Styled) -> Summary {
    Summary {
        old: document.role == Role::Old,
        warnings: document.warnings.clone(),
        disguised: document.disguised,
        ..Summary::new(&document.id, &document.id, document.words)
    }
}

impl Near {
    /// As a pair without fingerprints. Its score only keeps the order of a report, nearest first: a
    /// distance is no share of anything.
    fn pair(&self) -> Pair {
        Pair {
            left: self.left,
            right: self.right,
            overlap: Overlap {
                shared: 0,
                left: 0,
                right: 0,
            },
            score: 1.0 / (1.0 + self.distance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(texts: &[(&str, Role, &str)]) -> Vec<Styled> {
        let style: Style = "style:a,b".parse().unwrap();
        let document = |&(id, role, text): &(&str, Role, &str)| Styled {
            id: id.to_owned(),
            role,
            words: 60 * u64::from(id != "short"),
            warnings: Vec::new(),
            disguised: Disguised::default(),
            vector: style.vector(text).unwrap(),
        };
        texts.iter().map(document).collect()
    }

    fn settings(top: Option<usize>) -> Settings {
        Settings {
            style: "style:a,b".parse().unwrap(),
            top,
        }
    }

    #[track_caller]
    fn check(report: &Report, expected: &[(&str, &str, Option<bool>)]) {
        let pairs: Vec<(&str, &str, Option<bool>)> = report
            .pairs
            .iter()
            .map(|pair| (pair.left.as_str(), pair.right.as_str(), pair.mutual))
            .collect();
        assert_eq!(pairs, expected);
        let distances = report.pairs.iter().map(|pair| pair.distance.unwrap());
        assert!(distances.is_sorted() || report.documents.iter().any(|d| d.short));
    }

    #[test]
    fn mutual_neighbours_are_one_pair() {
        let texts = [
            ("y", Role::New, "a a a x"),
            ("x", Role::New, "a a a x x"),
            ("z", Role::New, "b b"),
        ];
        let report = scan(documents(&texts), &settings(None));
        check(&report, &[("x", "y", Some(true)), ("z", "x", Some(false))]);
        let report = scan(documents(&texts), &settings(Some(1)));
        check(&report, &[("x", "y", Some(true))]);
        assert_eq!(report.at_threshold, 2);
        assert_eq!(report.notes, [Note::NotListed { pairs: 1 }]);
    }

    #[test]
    fn old_documents_are_neighbours_but_are_not_asked() {
        let texts = [
            ("old 1", Role::Old, "a b"),
            ("old 2", Role::Old, "a b"),
            ("new", Role::New, "a b x"),
        ];
        let report = scan(documents(&texts), &settings(None));
        check(&report, &[("new", "old 1", None)]);
    }

    #[test]
    fn short_documents_never_lead() {
        let texts = [
            ("short", Role::New, "a"),
            ("a", Role::New, "a"),
            ("b", Role::New, "a x"),
            ("c", Role::New, "x x x x a"),
        ];
        let report = scan(documents(&texts), &settings(None));
        check(
            &report,
            &[("b", "c", Some(true)), ("a", "short", Some(true))],
        );
    }

    #[test]
    fn one_document_has_no_neighbour() {
        let report = scan(documents(&[("x", Role::New, "a")]), &settings(None));
        check(&report, &[]);
        assert_eq!(report.notes.len(), 1);
    }
}
