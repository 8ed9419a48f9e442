//! Commands that are stopped at any step, and what they must leave: the state before or the state
//! after, sound, and nothing in the way of the next run.

pub(crate) mod disk;
pub(crate) mod power;
pub(crate) mod scenarios;
pub(crate) mod state;
pub(crate) mod trial;

/// Numbers that look random and are the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}
