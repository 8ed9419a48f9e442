//! Sorting the suffixes of a text: the one thing here that a library with much unsafe code does.
//!
//! Whoever compares texts of strangers can have it done in another process ([`sort_elsewhere`]),
//! which calls [`sort_here`]; what comes back is looked at before it is used. `fuzz` holds the
//! library to the definition.

use std::sync::OnceLock;

use libsais_rs::{libsais, libsais_int, libsais_plcp, libsais_plcp_int};

use crate::error::Error;

/// A text of symbols, fewer than 2^31 of them.
pub enum SuffixText<'t> {
    /// Its symbols are bytes.
    Bytes(&'t [u8]),
    /// They are numbers from 0 on. They are lent for writing, and are as before afterwards.
    Numbers(&'t mut [i32]),
}

/// The suffixes of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SortedSuffixes {
    /// Where each starts, in the order of the suffixes.
    pub order: Vec<u32>,
    /// For each place of the text, how many symbols its suffix has in common with the suffix before
    /// it in the order; 0 for the first one.
    pub shared: Vec<u32>,
}

/// Sorts somewhere else, or says why that failed.
pub type SortElsewhere = dyn Fn(SuffixText<'_>) -> Result<SortedSuffixes, String> + Send + Sync;

static ELSEWHERE: OnceLock<Box<SortElsewhere>> = OnceLock::new();

/// Lets all suffixes of this process be sorted somewhere else from now on. Only the first call counts.
pub fn sort_elsewhere(sort: Box<SortElsewhere>) {
    let _ = ELSEWHERE.set(sort);
}

/// Sorts in this process.
///
/// # Panics
///
/// If a number is negative or the text is too long.
pub fn sort_here(text: SuffixText<'_>) -> SortedSuffixes {
    let (mut order, mut shared) = (vec![0; text.len()], vec![0; text.len()]);
    let codes = match text {
        SuffixText::Bytes(bytes) => [
            sort_bytes(bytes, &mut order),
            libsais_plcp(bytes, &order, &mut shared),
        ],
        SuffixText::Numbers(numbers) => {
            let alphabet = numbers.iter().max().map_or(1, |&largest| largest + 1);
            [
                libsais_int(numbers, &mut order, alphabet, 0),
                libsais_plcp_int(numbers, &order, &mut shared),
            ]
        }
    };
    assert_eq!(codes, [0, 0], "the lengths of all arrays agree");
    let unsigned = |places: Vec<i32>| places.into_iter().map(i32::cast_unsigned).collect();
    SortedSuffixes {
        order: unsigned(order),
        shared: unsigned(shared),
    }
}

/// Of a text whose length leaves 1 when divided by 4, the library reads the first four symbols twice,
/// and may lose suffixes for it where every second symbol is smaller than those beside it. With the
/// smallest symbol behind it, the suffixes of a text are in the same order, after that symbol alone.
fn sort_bytes(bytes: &[u8], order: &mut Vec<i32>) -> i32 {
    if bytes.len() % 4 != 1 {
        return libsais(bytes, order, 0, None);
    }
    order.reserve_exact(1);
    order.push(0);
    let code = libsais(&[bytes, &[0]].concat(), order, 0, None);
    order.remove(0);
    code
}

/// Sorts where suffixes are to be sorted.
pub(super) fn sort(text: SuffixText<'_>) -> Result<SortedSuffixes, Error> {
    let Some(elsewhere) = ELSEWHERE.get() else {
        return Ok(sort_here(text));
    };
    let length = text.len();
    let failed = |reason: String| Error::Sorting { reason };
    let sorted = elsewhere(text).map_err(failed)?;
    if sorted.is_of(length) {
        Ok(sorted)
    } else {
        Err(failed("it gave a wrong answer".to_owned()))
    }
}

impl SuffixText<'_> {
    /// How many symbols it has.
    pub fn len(&self) -> usize {
        match self {
            SuffixText::Bytes(bytes) => bytes.len(),
            SuffixText::Numbers(numbers) => numbers.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl SortedSuffixes {
    /// Whether nothing leads out of a text of this length: every place is there once, and no suffix
    /// has more in common with another than it has.
    fn is_of(&self, length: usize) -> bool {
        let mut seen = vec![false; length];
        let is_new = |place: &u32| {
            let seen = seen.get_mut(*place as usize);
            seen.is_some_and(|seen| !std::mem::replace(seen, true))
        };
        let fits = |(place, shared): (usize, &u32)| *shared as usize <= length - place;
        self.order.len() == length
            && self.shared.len() == length
            && self.order.iter().all(is_new)
            && self.shared.iter().enumerate().all(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_leads_nowhere_else() {
        let sorted = sort_here(SuffixText::Bytes(b"banana"));
        assert_eq!(sorted.order, [5, 3, 1, 0, 4, 2]);
        assert!(sorted.is_of(6) && !sorted.is_of(5) && !sorted.is_of(7));
        for (place, order, shared) in [(0, 6, 0), (0, 3, 0), (5, 5, 2), (0, 5, 7)] {
            let mut wrong = sorted.clone();
            wrong.order[0] = order;
            wrong.shared[place] = shared;
            assert!(!wrong.is_of(6), "{wrong:?}");
        }
    }
}
