//! How much is tried: everything with `CENTO_LONG` set, as `scripts/test --long` does, or a part.

/// All of so many cases, or a fifth.
pub(crate) fn cases(all: u32) -> u32 {
    if is_long() { all } else { all / 5 }
}

/// How far from one place to the next: as many as given, or five times that.
pub(crate) fn step(closest: usize) -> usize {
    if is_long() { closest } else { 5 * closest }
}

fn is_long() -> bool {
    std::env::var_os("CENTO_LONG").is_some()
}
