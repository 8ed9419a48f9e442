//! Inputs that are nearly sound.

/// Numbers without a pattern that follow from a seed (xorshift64*).
pub struct Random(u64);

impl Random {
    /// The numbers of a seed; near seeds have different ones.
    pub fn new(seed: u64) -> Random {
        let mixed = (seed ^ seed >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Random((mixed ^ mixed >> 29) | 1)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below another one; 0 below 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = end.max(1) as u64;
        usize::try_from(self.number() % end).unwrap_or(0)
    }

    fn byte(&mut self) -> u8 {
        self.number().to_le_bytes()[7]
    }

    /// Part of an input, more often a short one.
    fn part(&mut self, length: usize) -> std::ops::Range<usize> {
        let longest = 1 << self.below(12);
        let start = self.below(length);
        let end = start + 1 + self.below(longest);
        start.min(length)..end.min(length)
    }
}

/// Inputs grow no larger than this.
const LARGEST: usize = 1 << 18;

/// A copy of an input with one to seven faults; some of them are parts of another input.
pub fn mutate(input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=random.below(4) * random.below(3) {
        fault(&mut bytes, other, random);
        bytes.truncate(LARGEST);
    }
    bytes
}

fn fault(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let part = random.part(bytes.len());
    let place = part.start;
    match random.below(11) {
        // Flip a bit.
        0 | 1 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
        // Another byte.
        2 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte = random.byte();
            }
        }
        // A number that is likely to be on an edge, in any width.
        3 => {
            let number = edge(random).to_le_bytes();
            let width = [1, 2, 4, 8][random.below(4)];
            let end = bytes.len().min(place + width);
            bytes[place..end].copy_from_slice(&number[..end - place]);
        }
        // Insert anything.
        4 => {
            let more: Vec<u8> = (0..=random.below(16)).map(|_| random.byte()).collect();
            bytes.splice(place..place, more);
        }
        // Insert part of another input.
        5 => {
            let more = &other[random.part(other.len())];
            bytes.splice(place..place, more.iter().copied());
        }
        // Put part of another input in the place of one of this.
        6 => {
            let more = &other[random.part(other.len())];
            bytes.splice(part, more.iter().copied());
        }
        // Delete.
        7 => {
            bytes.drain(part);
        }
        // Cut the end off.
        8 => bytes.truncate(place),
        // Repeat, sometimes very often.
        9 => {
            let piece = bytes[part.clone()].to_vec();
            let times = 1 << random.below(12);
            let times = times.min(LARGEST / piece.len().max(1));
            bytes.splice(part.end..part.end, piece.repeat(times));
        }
        // Swap a part with what stands before or behind it.
        _ => {
            let length = part.len();
            let to = random.below(bytes.len().saturating_sub(length) + 1);
            let piece: Vec<u8> = bytes.drain(part).collect();
            let to = to.min(bytes.len());
            bytes.splice(to..to, piece);
        }
    }
}

fn edge(random: &mut Random) -> u64 {
    let power = 1_u64 << random.below(64);
    match random.below(4) {
        0 => power,
        1 => power - 1,
        2 => power.wrapping_neg(),
        _ => u64::MAX,
    }
}
