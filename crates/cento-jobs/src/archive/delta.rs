//! A page as the difference from another one: which parts of that one to copy, and what to insert.
//!
//! A delta is a list of steps: how many bytes to insert, these bytes, where to copy from, and how many
//! bytes to copy. Places are relative to where the last copy ended, so that an edited page takes a
//! few bytes an edit; the last copy goes to the end and does not say how far that is.

/// Matches are looked up by this many bytes.
const KEY: usize = 8;
/// A match in the expected place costs two bytes, and is worth it from this length on.
const SHORTEST: usize = 5;
/// How many places with the same key are tried.
const TRIES: usize = 24;
/// Of a longer base only every n-th place is looked up, so that memory stays bounded.
const PLACES: usize = 1 << 22;

/// The difference between a base and a target.
pub(super) fn encode(base: &[u8], target: &[u8]) -> Vec<u8> {
    let prefix = common(base, target);
    let suffix = common_end(&base[prefix..], &target[prefix..]);
    let end = target.len() - suffix;
    let mut writer = Writer::new(target);
    writer.copy(0, 0, prefix);
    if prefix < end {
        matches(base, target, prefix..end, &mut writer);
    }
    writer.copy(end, base.len() - suffix, suffix);
    writer.finish()
}

/// The target, which has `length` bytes; nothing if the delta is not one for this base.
pub(super) fn apply(base: &[u8], mut delta: &[u8], length: usize) -> Option<Vec<u8>> {
    // A length that is a lie must not cost memory.
    let mut target = Vec::with_capacity(length.min(base.len() + delta.len()));
    let mut expected = 0_usize;
    while !delta.is_empty() {
        let count = take(&mut delta)?;
        let (inserted, rest) = delta.split_at_checked(count)?;
        delta = rest;
        target.extend_from_slice(inserted);
        if target.len() > length {
            return None;
        }
        if delta.is_empty() {
            break;
        }
        let moved = signed(take(&mut delta)?);
        let from = expected.checked_add(count)?.checked_add_signed(moved)?;
        let count = match take(&mut delta)? {
            0 => length - target.len(),
            count => count,
        };
        let to = from.checked_add(count)?;
        target.extend_from_slice(base.get(from..to)?);
        if target.len() > length {
            return None;
        }
        expected = to;
    }
    (target.len() == length).then_some(target)
}

/// Steps as they are found, from left to right.
struct Writer<'t> {
    target: &'t [u8],
    delta: Vec<u8>,
    /// How much of the target is written.
    done: usize,
    /// Where the last copy ended in the base.
    expected: usize,
    /// A copy that may become longer.
    pending: Option<Copy>,
}

#[derive(Clone, Copy)]
struct Copy {
    at: usize,
    from: usize,
    count: usize,
}

impl<'t> Writer<'t> {
    fn new(target: &'t [u8]) -> Writer<'t> {
        Writer {
            target,
            delta: Vec::new(),
            done: 0,
            expected: 0,
            pending: None,
        }
    }

    /// The target from `at` on is the base from `from` on.
    fn copy(&mut self, at: usize, from: usize, count: usize) {
        if count == 0 {
            return;
        }
        match &mut self.pending {
            Some(last) if last.at + last.count == at && last.from + last.count == from => {
                last.count += count;
            }
            _ => {
                self.write_pending();
                self.pending = Some(Copy { at, from, count });
            }
        }
    }

    /// Where the base would go on if nothing but replacements happened since the last copy.
    fn diagonal(&self, at: usize) -> usize {
        match self.pending {
            Some(last) => last.from + (at - last.at),
            None => at,
        }
    }

    fn end(&self) -> usize {
        self.pending.map_or(0, |last| last.at + last.count)
    }

    fn write_pending(&mut self) {
        if let Some(Copy { at, from, count }) = self.pending.take() {
            let inserted = &self.target[self.done..at];
            put(&mut self.delta, inserted.len());
            self.delta.extend_from_slice(inserted);
            let moved = from.cast_signed() - (self.expected + inserted.len()).cast_signed();
            put(&mut self.delta, unsigned(moved));
            self.done = at + count;
            let is_last = self.done == self.target.len();
            put(&mut self.delta, if is_last { 0 } else { count });
            self.expected = from + count;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.write_pending();
        if self.done < self.target.len() {
            let inserted = &self.target[self.done..];
            put(&mut self.delta, inserted.len());
            self.delta.extend_from_slice(inserted);
        }
        self.delta
    }
}

/// Finds what a part of the target has of the base.
fn matches(base: &[u8], target: &[u8], part: std::ops::Range<usize>, writer: &mut Writer<'_>) {
    let places = Places::of(base);
    let mut at = part.start;
    while at < part.end {
        let left = &target[at..part.end];
        let diagonal = writer.diagonal(at);
        let mut best = (0, 0);
        if let Some(rest) = base.get(diagonal..) {
            let count = common(rest, left);
            if count >= SHORTEST {
                best = (diagonal, count);
            }
        }
        if left.len() >= KEY {
            for place in places.with(left) {
                let count = common(&base[place..], left);
                if count >= KEY && count > best.1 + 2 {
                    best = (place, count);
                }
            }
        }
        let (from, count) = best;
        if count == 0 {
            at += 1;
            continue;
        }
        let open = &target[writer.end()..at];
        let back = common_end(&base[..from], open);
        writer.copy(at - back, from - back, count + back);
        at += count;
    }
}

/// Where each key is in a base.
struct Places {
    bits: u32,
    step: usize,
    /// The last place of each key, plus one.
    last: Vec<u32>,
    /// The place before each place that has the same key, plus one.
    before: Vec<u32>,
}

impl Places {
    fn of(base: &[u8]) -> Places {
        let step = base.len().div_ceil(PLACES).max(1);
        let count = base.len() / step + 1;
        let bits = count.next_power_of_two().trailing_zeros().clamp(8, 22);
        let mut places = Places {
            bits,
            step,
            last: vec![0; 1 << bits],
            before: vec![0; count],
        };
        for (number, key) in (0_u32..).zip(base.windows(KEY).step_by(step)) {
            let slot = places.slot(key);
            places.before[number as usize] = places.last[slot];
            places.last[slot] = number + 1;
        }
        places
    }

    fn slot(&self, key: &[u8]) -> usize {
        let mut bytes = [0; KEY];
        bytes.copy_from_slice(&key[..KEY]);
        let mixed = u64::from_le_bytes(bytes).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        usize::try_from(mixed >> (64 - self.bits)).unwrap_or(0)
    }

    /// Places that may begin like this, the last ones first.
    fn with(&self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        let first = self.last[self.slot(bytes)];
        let next = |number: &u32| Some(self.before[*number as usize - 1]).filter(|next| *next > 0);
        std::iter::successors(Some(first).filter(|first| *first > 0), next)
            .take(TRIES)
            .map(|number| (number as usize - 1) * self.step)
    }
}

/// How many bytes are the same at the beginning.
fn common(left: &[u8], right: &[u8]) -> usize {
    let pairs = left.iter().zip(right);
    pairs.take_while(|(left, right)| left == right).count()
}

/// How many bytes are the same at the end.
fn common_end(left: &[u8], right: &[u8]) -> usize {
    let pairs = left.iter().rev().zip(right.iter().rev());
    pairs.take_while(|(left, right)| left == right).count()
}

/// Writes a number, seven bits a byte.
fn put(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Reads a number.
fn take(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    for shift in (0..usize::BITS).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(first & 0x7f).checked_shl(shift)?;
        if *first < 0x80 {
            return Some(number);
        }
    }
    None
}

/// A number as one without a sign: 0, -1, 1, -2 and so on.
fn unsigned(number: isize) -> usize {
    ((number << 1) ^ (number >> (isize::BITS - 1))).cast_unsigned()
}

fn signed(number: usize) -> isize {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, target: &str, most: usize) {
        let delta = encode(base.as_bytes(), target.as_bytes());
        let again = apply(base.as_bytes(), &delta, target.len()).unwrap();
        assert_eq!(String::from_utf8_lossy(&again), target);
        assert!(delta.len() <= most, "{} bytes", delta.len());
    }

    #[test]
    fn edits_take_a_few_bytes() {
        let page = (0..500).map(|n| format!("line {n} of a page\n"));
        let page = page.collect::<Vec<_>>().concat();
        check(&page, &page, 3);
        check("", "", 0);
        check("", "all of it is new", 17);
        check("something", "", 0);
        check(&page, &page.replace("line 250 of", "line 251 of"), 12);
        check(
            &page,
            &page.replace("line 250 of", "line two hundred of"),
            20,
        );
        check(&page, &page.replace("line 250 of a page\n", ""), 12);
        check(&page, &format!("{page}{page}"), 12);
        let moved = format!("{}{}", &page[3000..], &page[..3000]);
        check(&page, &moved, 16);
        let many = page.replace("of a", "of the");
        check(&page, &many, 6500);
    }

    #[test]
    fn broken_deltas_are_refused() {
        let delta = encode(b"one page of text", b"one other page of text");
        for cut in 0..delta.len() {
            assert_eq!(apply(b"one page of text", &delta[..cut], 22), None);
        }
        for place in 0..delta.len() {
            let mut broken = delta.clone();
            broken[place] ^= 0x95;
            // Nothing is promised but that it ends.
            let _ = apply(b"one page of text", &broken, 22);
        }
        assert_eq!(apply(b"", &[0xff; 12], 5), None);
        assert_eq!(apply(b"one page of text", &delta, usize::MAX >> 1), None);
    }
}
