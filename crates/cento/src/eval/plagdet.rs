//! Plagdet: how well passages were found, against passages that are known (Potthast, Stein,
//! Barrón-Cedeño & Rosso, "An evaluation framework for plagiarism detection", COLING 2010).

use std::ops::{AddAssign, Range};

/// Characters of a suspicious document and the characters of a source that they come from: a case
/// if it is true, a detection if somebody claims it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Case {
    /// Characters of the suspicious document.
    pub suspicious: CharRange,
    /// Characters of the source.
    pub source: CharRange,
}

/// A range of characters: code points, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CharRange {
    /// First character.
    pub start: u32,
    /// One past the last character.
    pub end: u32,
}

/// What is true of two documents and what was detected in them.
///
/// A detection can only detect cases of the same two documents, so a corpus is a list of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// What is true.
    pub cases: Vec<Case>,
    /// What was detected.
    pub detections: Vec<Case>,
}

/// How well the cases of some pairs were detected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The harmonic mean of precision and recall, divided by log₂(1 + granularity).
    pub plagdet: f64,
    /// How much of a detection is true, on average over the detections; 0 if there are none.
    pub precision: f64,
    /// How much of a case was detected, on average over the cases.
    pub recall: f64,
    /// How many detections there are of a case that was detected, on average; 1 if none was.
    pub granularity: f64,
    /// The share of cases that are detected: some detection has characters in common with them on
    /// both sides.
    pub detected: f64,
    /// The share of cases of which a single detection has at least half of the characters on both
    /// sides.
    pub half_detected: f64,
    /// How many cases there are.
    pub cases: u64,
    /// How many detections there are.
    pub detections: u64,
}

/// What is counted of some pairs; tallies of several can be added, and make a [`Score`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    true_shares: Mean,
    found_shares: Mean,
    pieces: Mean,
    half_detected: u64,
}

impl Tally {
    /// Counts one more pair.
    pub fn add(&mut self, pair: &Pair) {
        let Pair { cases, detections } = pair;
        for detection in detections {
            self.true_shares.add(detection.share_covered_by(cases));
        }
        for case in cases {
            self.found_shares.add(case.share_covered_by(detections));
            let detected_by = detections.iter().filter(|other| case.meets(other)).count();
            if detected_by > 0 {
                self.pieces.add(detected_by as f64);
            }
            self.half_detected += u64::from(detections.iter().any(|other| case.is_half_in(other)));
        }
    }

    /// The score of what was counted, or nothing if there is no case: all that can be said then is
    /// how many detections are false.
    pub fn score(&self) -> Option<Score> {
        let recall = self.found_shares.value()?;
        let precision = self.true_shares.value().unwrap_or(0.0);
        let granularity = self.pieces.value().unwrap_or(1.0);
        let cases = self.found_shares.count;
        Some(Score {
            plagdet: harmonic_mean(precision, recall) / (1.0 + granularity).log2(),
            precision,
            recall,
            granularity,
            detected: self.pieces.count as f64 / cases as f64,
            half_detected: self.half_detected as f64 / cases as f64,
            cases,
            detections: self.true_shares.count,
        })
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.true_shares += other.true_shares;
        self.found_shares += other.found_shares;
        self.pieces += other.pieces;
        self.half_detected += other.half_detected;
    }
}

impl Score {
    /// The score of all pairs together, if they have any case.
    pub fn of<'p>(pairs: impl IntoIterator<Item = &'p Pair>) -> Option<Score> {
        let mut tally = Tally::default();
        for pair in pairs {
            tally.add(pair);
        }
        tally.score()
    }
}

impl Case {
    /// A detection detects a case if the two have characters in common on both sides.
    fn meets(&self, other: &Case) -> bool {
        !self.suspicious.common(other.suspicious).is_empty()
            && !self.source.common(other.source).is_empty()
    }

    /// Whether another has at least half of it on both sides.
    fn is_half_in(&self, other: &Case) -> bool {
        let half = |own: CharRange, other| 2 * own.common(other).len() >= own.len();
        half(self.suspicious, other.suspicious) && half(self.source, other.source)
    }

    /// How much of it, both sides taken together, those of `others` have in common with it that
    /// meet it.
    fn share_covered_by(&self, others: &[Case]) -> f64 {
        let meeting = || others.iter().filter(|other| self.meets(other));
        let suspicious = meeting().map(|other| self.suspicious.common(other.suspicious));
        let source = meeting().map(|other| self.source.common(other.source));
        let covered = union(suspicious.collect()) + union(source.collect());
        match self.suspicious.len() + self.source.len() {
            0 => 0.0,
            all => covered as f64 / all as f64,
        }
    }
}

impl CharRange {
    /// How many characters there are.
    pub fn len(self) -> u64 {
        u64::from(self.end.saturating_sub(self.start))
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    fn common(self, other: CharRange) -> CharRange {
        CharRange {
            start: self.start.max(other.start),
            end: self.end.min(other.end),
        }
    }
}

impl From<Range<u32>> for CharRange {
    fn from(range: Range<u32>) -> CharRange {
        CharRange {
            start: range.start,
            end: range.end,
        }
    }
}

/// How many characters the ranges cover together.
fn union(mut ranges: Vec<CharRange>) -> u64 {
    ranges.sort_unstable();
    let mut covered = 0;
    let mut end = 0;
    for range in ranges {
        let start = range.start.max(end);
        covered += CharRange { start, ..range }.len();
        end = end.max(range.end);
    }
    covered
}

fn harmonic_mean(a: f64, b: f64) -> f64 {
    if a + b == 0.0 {
        0.0
    } else {
        2.0 * a * b / (a + b)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl AddAssign for Mean {
    fn add_assign(&mut self, other: Mean) {
        self.sum += other.sum;
        self.count += other.count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(suspicious: Range<u32>, source: Range<u32>) -> Case {
        Case {
            suspicious: suspicious.into(),
            source: source.into(),
        }
    }

    /// Precision, recall, granularity and plagdet of one pair.
    #[track_caller]
    fn check(cases: &[Case], detections: &[Case], expected: [f64; 4]) {
        let pair = Pair {
            cases: cases.to_vec(),
            detections: detections.to_vec(),
        };
        let score = Score::of([&pair]).unwrap();
        let found = [
            score.precision,
            score.recall,
            score.granularity,
            score.plagdet,
        ];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{score:?}");
        }
    }

    #[test]
    fn worked_by_hand() {
        let cases = [case(100..200, 0..100)];
        check(&cases, &[case(100..200, 0..100)], [1.0, 1.0, 1.0, 1.0]);
        check(&cases, &[], [0.0, 0.0, 1.0, 0.0]);
        // Half of the one side, a quarter of the other: 75 of 200 characters, all of them true.
        check(
            &cases,
            &[case(100..150, 0..25)],
            [1.0, 0.375, 1.0, 0.75 / 1.375],
        );
        // Twice as much as there is: 200 of 400 characters.
        check(&cases, &[case(50..250, 0..200)], [0.5, 1.0, 1.0, 1.0 / 1.5]);
        // The right characters of the one side and wrong ones of the other detect nothing.
        check(&cases, &[case(100..200, 100..200)], [0.0, 0.0, 1.0, 0.0]);
        // In two halves: all is found and true, but in two pieces.
        check(
            &cases,
            &[case(100..150, 0..50), case(150..200, 50..100)],
            [1.0, 1.0, 2.0, 1.0 / 3f64.log2()],
        );
        // Covered twice is covered once, in two pieces.
        check(
            &cases,
            &[case(100..160, 0..60), case(140..200, 40..100)],
            [1.0, 1.0, 2.0, 1.0 / 3f64.log2()],
        );
    }

    #[test]
    fn averages_go_over_cases_whatever_their_length() {
        // A long case is found, a short one is not, and one detection of two is false.
        check(
            &[case(0..1000, 0..1000), case(2000..2010, 2000..2010)],
            &[case(0..1000, 0..1000), case(3000..4000, 3000..4000)],
            [0.5, 0.5, 1.0, 0.5],
        );
    }

    /// The shares of cases that are detected, and half detected.
    #[track_caller]
    fn check_cases(cases: &[Case], detections: &[Case], expected: [f64; 2]) {
        let pair = Pair {
            cases: cases.to_vec(),
            detections: detections.to_vec(),
        };
        let score = Score::of([&pair]).unwrap();
        let found = [score.detected, score.half_detected];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{score:?}");
        }
    }

    #[test]
    fn cases_that_are_detected() {
        let cases = [case(100..200, 0..100), case(300..400, 300..400)];
        check_cases(&cases, &[], [0.0, 0.0]);
        check_cases(&cases, &[case(0..500, 0..500)], [1.0, 1.0]);
        // Exactly half on both sides is half; a character less on one side is not.
        check_cases(&cases, &[case(100..150, 50..100)], [0.5, 0.5]);
        check_cases(&cases, &[case(100..150, 51..100)], [0.5, 0.0]);
        // Two halves of a half are none: one detection must have it.
        check_cases(
            &cases,
            &[case(100..130, 0..30), case(130..160, 30..60)],
            [0.5, 0.0],
        );
        // One side alone is not detected.
        check_cases(&cases, &[case(100..200, 300..400)], [0.0, 0.0]);
    }

    #[test]
    fn tallies_add_up() {
        let one = Pair {
            cases: vec![case(0..10, 0..10)],
            detections: vec![case(0..10, 0..5)],
        };
        let other = Pair {
            cases: vec![case(0..10, 0..10), case(20..30, 20..30)],
            detections: vec![case(5..15, 5..15)],
        };
        let tally = |pair| {
            let mut tally = Tally::default();
            tally.add(pair);
            tally
        };
        let mut sum = tally(&one);
        sum += tally(&other);
        assert_eq!(sum.score(), Score::of([&one, &other]));
    }

    #[test]
    fn pairs_do_not_see_each_other() {
        let one = Pair {
            cases: vec![case(0..10, 0..10)],
            detections: Vec::new(),
        };
        let other = Pair {
            cases: Vec::new(),
            detections: vec![case(0..10, 0..10)],
        };
        let score = Score::of([&one, &other]).unwrap();
        assert_eq!((score.precision, score.recall), (0.0, 0.0));
        assert_eq!(Score::of([&other]), None);
    }
}
