//! The longest common run at every place of a text.

use std::ops::Range;

use super::suffixes::Suffixes;

/// Text of one document that stands in another one as well, in symbols of both together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) length: u32,
    /// How many suffixes of the other document come before the one that starts here.
    rank: u32,
    /// Whether the suffix before, and the one behind, have the whole run.
    above: bool,
    below: bool,
}

/// The suffixes of a document in order, for others to look for their runs in.
pub(super) struct Other {
    places: Vec<u32>,
    /// What each has in common with the one before it.
    shared: Vec<u32>,
}

/// So many places of a run are looked at on either side; text that repeats has it at thousands.
const PLACES: usize = 16;

/// The longest runs of document `own` that document `other` has too, leaving out those that are
/// part of another one: both ends move forward from each run to the next.
///
/// Together they cover what all common runs cover.
pub(super) fn longest(
    suffixes: &Suffixes,
    own: &Range<u32>,
    other: &Range<u32>,
    shortest: u32,
) -> (Vec<Run>, Other) {
    let mut above = vec![(0, 0); own.len()];
    let mut found = Other {
        places: Vec::with_capacity(other.len()),
        shared: Vec::with_capacity(other.len()),
    };
    let mut common = 0;
    for &place in &suffixes.order {
        common = suffixes.shared[place as usize].min(common);
        if other.contains(&place) {
            found.places.push(place);
            found.shared.push(common);
            common = u32::MAX;
        } else if own.contains(&place) {
            above[(place - own.start) as usize] =
                (common, crate::number::index32(found.places.len()));
        }
    }
    let mut below = vec![0; own.len()];
    common = 0;
    for &place in suffixes.order.iter().rev() {
        if other.contains(&place) {
            common = u32::MAX;
        } else if own.contains(&place) {
            below[(place - own.start) as usize] = common;
        }
        common = suffixes.shared[place as usize].min(common);
    }
    let mut previous = 0;
    let mut runs = Vec::new();
    for ((start, (above, rank)), below) in own.clone().zip(above).zip(below) {
        let length = above.max(below);
        if length >= shortest && length >= previous {
            runs.push(Run {
                start,
                length,
                rank,
                above: above == length,
                below: below == length,
            });
        }
        previous = length;
    }
    (runs, found)
}

impl Run {
    /// The same run in a text of which this one is a part.
    pub(super) fn move_to(&mut self, origins: &[u32]) {
        self.start = origins[self.start as usize];
    }

    pub(super) fn end(&self) -> u32 {
        self.start + self.length
    }
}

impl Other {
    /// The same places in a text of which this one is a part.
    pub(super) fn move_to(&mut self, origins: &[u32]) {
        for place in &mut self.places {
            *place = origins[*place as usize];
        }
    }

    /// Where a run stands in this document, or some of the places if they are many.
    pub(super) fn places(&self, run: &Run) -> impl Iterator<Item = u32> {
        let &Run {
            length,
            above,
            below,
            ..
        } = run;
        let rank = run.rank as usize;
        let has = move |number: usize| self.shared[number] >= length;
        let up = (0..rank)
            .rev()
            .take_while(move |&number| above && (number + 1 == rank || has(number + 1)));
        let down = (rank..self.places.len())
            .take_while(move |&number| below && (number == rank || has(number)));
        up.take(PLACES)
            .chain(down.take(PLACES))
            .map(|number| self.places[number])
    }
}
