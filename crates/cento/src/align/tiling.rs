//! Greedy string tiling (Wise 1993, and with hashes of windows 1996, YAP3; `JPlag` compares programs
//! by it).
//!
//! The longest run of words that both texts have becomes a tile, whose words are then taken; again
//! with what is left, until no run is long enough. Of runs of one length the one that starts first
//! in the left text comes first, and of its places in the right text the first.
//!
//! That is the definition, and it is what comes out: no limit on the work gives up before. Wise
//! looks for windows of a length by their hashes and shortens the length step by step, which is
//! quadratic for text that repeats itself. Here the hashes only tell which words can be in a tile
//! at all (`kept`). Those are sorted by what follows them (`suffixes`), and one sweep over
//! lengths, from the longest down, places all tiles (`sweep`) in O(n log n).

mod kept;
mod merge;
mod suffixes;
mod sweep;

use std::num::NonZeroU32;

use super::{Alignment, Kind, Passage, Sequence};
use kept::Kept;
pub(crate) use merge::{GAP, merged};

pub(super) fn align(left: &Sequence, right: &Sequence, shortest: NonZeroU32) -> Alignment {
    let too_much = Alignment {
        passages: Vec::new(),
        limited: true,
    };
    if u64::from(left.len()) + u64::from(right.len()) > suffixes::MOST {
        return too_much;
    }
    let kept = Kept::of(left.words(), right.words(), shortest.get());
    let Some(suffixes) = suffixes::sort(kept.words()) else {
        return too_much;
    };
    let mut passages: Vec<Passage> = sweep::tiles(&kept, &suffixes, shortest.get())
        .iter()
        .map(|tile| {
            let [left, right] = [tile.left, tile.right].map(|at| kept.place(at));
            Passage {
                left: left..left + tile.words,
                right: right..right + tile.words,
                kind: Kind::Exact,
                similarity: 1.0,
            }
        })
        .collect();
    passages.sort_unstable_by_key(|passage| passage.left.start);
    Alignment {
        passages,
        limited: false,
    }
}
