//! Bytes of a text → characters, for formats that count those.

/// A text in which characters are counted quickly, however long it is.
pub struct Characters<'t> {
    text: &'t str,
    /// How many characters start before each block.
    before: Vec<u32>,
    len: u32,
}

const BLOCK: usize = 1024;

impl<'t> Characters<'t> {
    /// Counts the characters of a text shorter than 4 GiB.
    pub fn new(text: &'t str) -> Characters<'t> {
        let mut len = 0;
        let mut before = Vec::with_capacity(text.len() / BLOCK + 1);
        for block in text.as_bytes().chunks(BLOCK) {
            before.push(len);
            len += starts(block);
        }
        Characters { text, before, len }
    }

    /// How many there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many characters start before a byte.
    pub fn before(&self, byte: u32) -> u32 {
        let byte = (byte as usize).min(self.text.len());
        let block = byte / BLOCK;
        match self.before.get(block) {
            Some(before) => before + starts(&self.text.as_bytes()[block * BLOCK..byte]),
            None => self.len,
        }
    }
}

/// How many characters start in these bytes: all bytes but those that continue one.
fn starts(bytes: &[u8]) -> u32 {
    let count = bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    u32::try_from(count).expect("texts are shorter than 4 GiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_one_by_one() {
        for text in ["", "a", "žluťoučký kůň 馬 🐎 ", &"x".repeat(BLOCK)] {
            let text = text.repeat(70);
            let characters = Characters::new(&text);
            for (count, (byte, _)) in (0..).zip(text.char_indices()) {
                assert_eq!(characters.before(u32::try_from(byte).unwrap()), count);
            }
            let all = u32::try_from(text.chars().count()).unwrap();
            assert_eq!(characters.before(u32::MAX), all);
            assert_eq!(characters.len(), all);
        }
    }
}
