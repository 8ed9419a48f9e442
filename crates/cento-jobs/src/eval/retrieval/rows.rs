//! The figures of a door: of the pairs that have a case, how many it lists, and how far in front.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde_json::{Value, json};

use super::doors::Listed;
use super::truth::Truth;
use crate::eval::figure::{Made, Row, Rows, figures, intervals_of};

/// How many of the first in a list a person may look at.
pub const FIRST: [usize; 3] = [1, 5, 10];

/// What a door makes of the pairs of a folder. The figures beside it are shares of the pairs with a
/// case: those that are listed, and those among the [`FIRST`], without the other true sources of the
/// same document.
#[derive(Clone, Debug)]
pub struct Counts {
    /// How many pairs have a case.
    pub with_case: u64,
    /// How many have none.
    pub without_case: u64,
    /// How many of those without a case are listed.
    pub listed_without_case: u64,
}

/// What is counted.
pub(super) struct Counting<'a> {
    truth: &'a Truth,
    listed: &'a Listed,
    ranks: Ranks<'a>,
}

/// The rank of each pair with a case that is listed, as if its source were the only true one of its
/// document: several true ones do not stand in each other's way.
type Ranks<'a> = BTreeMap<&'a [String; 2], usize>;

fn ranks<'a>(truth: &'a Truth, listed: &Listed) -> Ranks<'a> {
    let mut places: BTreeMap<&str, Vec<(usize, &[String; 2])>> = BTreeMap::new();
    for (pair, _) in truth.named.iter().filter(|(_, named)| named.has_case) {
        if let Some(place) = listed.get(pair) {
            places.entry(&pair[0]).or_default().push((place.rank, pair));
        }
    }
    let mut ranks = Ranks::new();
    for mut places in places.into_values() {
        places.sort_unstable();
        let places = places.into_iter().enumerate();
        ranks.extend(places.map(|(true_before, (rank, pair))| (pair, rank - true_before)));
    }
    ranks
}

impl<'a> Counting<'a> {
    pub(super) fn new(truth: &'a Truth, listed: &'a Listed) -> Counting<'a> {
        Counting {
            truth,
            listed,
            ranks: ranks(truth, listed),
        }
    }

    /// The rows of the groups that are wanted.
    pub(super) fn rows(&self, is_wanted: impl Fn(&str) -> bool) -> Rows<Counts> {
        let row = |name: &str, folder: Option<&str>| self.row(name, folder, &is_wanted);
        let folders = self.truth.folders().into_iter();
        Rows {
            folders: folders.map(|folder| row(folder, Some(folder))).collect(),
            all: row("all", None),
        }
    }

    fn row(
        &self,
        name: &str,
        folder: Option<&str>,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Row<Counts> {
        let mut groups: BTreeMap<&str, Tally> = BTreeMap::new();
        for (pair, named) in &self.truth.named {
            let is_in = folder.is_none_or(|folder| named.folder == folder);
            if !is_in || !is_wanted(&named.group) {
                continue;
            }
            let group = groups.entry(&named.group).or_default();
            if named.has_case {
                group.with_case += 1;
                let rank = self.ranks.get(pair).copied();
                group.listed += u64::from(rank.is_some());
                for (count, first) in group.among_first.iter_mut().zip(FIRST) {
                    *count += u64::from(rank.is_some_and(|rank| rank <= first));
                }
            } else {
                group.without_case += 1;
                group.listed_without_case += u64::from(self.listed.contains_key(pair));
            }
        }
        let groups: Vec<Tally> = groups.into_values().collect();
        let mut sum = Tally::default();
        for group in &groups {
            sum += *group;
        }
        Row {
            folder: name.to_owned(),
            counts: Counts {
                with_case: sum.with_case,
                without_case: sum.without_case,
                listed_without_case: sum.listed_without_case,
            },
            figures: figures(&sum, &groups, &FIGURES),
        }
    }
}

const FIGURES: [Made<Tally>; 4] = [
    ("listed", |tally| tally.share(tally.listed)),
    ("among_first_1", |tally| tally.share(tally.among_first[0])),
    ("among_first_5", |tally| tally.share(tally.among_first[1])),
    ("among_first_10", |tally| tally.share(tally.among_first[2])),
];

#[derive(Clone, Copy, Default)]
struct Tally {
    with_case: u64,
    listed: u64,
    among_first: [u64; 3],
    without_case: u64,
    listed_without_case: u64,
}

impl Tally {
    fn share(&self, count: u64) -> Option<f64> {
        (self.with_case > 0).then(|| count as f64 / self.with_case as f64)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.with_case += other.with_case;
        self.listed += other.listed;
        for (sum, more) in self.among_first.iter_mut().zip(other.among_first) {
            *sum += more;
        }
        self.without_case += other.without_case;
        self.listed_without_case += other.listed_without_case;
    }
}

pub(super) fn rows_json(rows: &Rows<Counts>) -> Value {
    let mut value = row_json(&rows.all);
    value["folders"] = rows.folders.iter().map(row_json).collect();
    value
}

fn row_json(row: &Row<Counts>) -> Value {
    let counts = &row.counts;
    let mut value = json!({
        "folder": row.folder,
        "pairs": counts.with_case + counts.without_case,
        "with_case": counts.with_case,
        "listed_without_case": counts.listed_without_case,
        "intervals": intervals_of(&row.figures),
    });
    for figure in &row.figures {
        value[figure.name] = figure.value.into();
    }
    value
}
