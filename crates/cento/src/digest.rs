//! Chunks → minutiae: a chunk of words becomes one number.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use md5::{Digest as _, Md5};
use siphasher::sip::{SipHasher13, SipHasher24};
use siphasher::sip128;

use crate::chunk::Chunk;
use crate::token::Tokens;

/// What stands for a chunk in a fingerprint and in the index: up to 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub u64);

/// A digest with the chunk it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minutia {
    /// The digest.
    pub digest: Digest,
    /// The chunk.
    pub chunk: Chunk,
}

/// The secret of keyed recipes. It is never part of a recipe, and `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 16]);

/// How a chunk becomes a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digester {
    /// The hash function.
    pub hash: Hash,
    /// How many bits are kept; `md5:40`.
    pub bits: u8,
    /// The order of the words does not count; `+sorted`.
    pub sorted: bool,
    /// What stands between two words when they are hashed as one text.
    pub joiner: Joiner,
    /// How the digest is shown.
    pub print: Print,
}

/// The hash function of a digester.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// The leading bits of MD5 of the words as one text; `md5`.
    Md5,
    /// Hoad & Zobel's shift-and-xor hash, 32 bits wide; `shiftxor`.
    ShiftXor,
    /// A fast hash without a key, over 64-bit word hashes, so that it rolls; `fast`.
    Fast,
    /// As `fast`, over SipHash-2-4 with a secret key; `keyed`.
    Keyed,
}

/// What stands between the words of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joiner {
    /// One space.
    Space,
    /// A comma; `+comma`.
    Comma,
    /// Nothing; `+concat`.
    Nothing,
}

/// How a digest is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Print {
    /// Hex digits, as many as the bits fill.
    Hex,
    /// Base64 without padding; `+base64`.
    Base64,
}

impl Digester {
    /// The digest of every chunk, in order.
    pub fn minutiae(&self, tokens: &Tokens, chunks: Vec<Chunk>, key: &Key) -> Vec<Minutia> {
        let digests = self.digests(tokens, &chunks, key);
        digests
            .into_iter()
            .zip(chunks)
            .map(|(digest, chunk)| Minutia { digest, chunk })
            .collect()
    }

    /// The words of a chunk as the text that MD5 and shift-xor see, and as `explain` shows them.
    pub fn chunk_text(&self, tokens: &Tokens, chunk: &Chunk) -> String {
        let mut text = String::new();
        self.write_chunk_text(tokens, chunk, &mut text);
        text
    }

    /// The digest as its paper prints it, which may be longer than the index's 64 bits.
    pub fn printed(&self, tokens: &Tokens, minutia: &Minutia) -> String {
        let md5 = || md5_of(self.chunk_text(tokens, &minutia.chunk).as_bytes());
        match (self.print, self.hash) {
            (Print::Base64, Hash::Md5) => {
                STANDARD_NO_PAD.encode(&md5().to_be_bytes()[..usize::from(self.bits).div_ceil(8)])
            }
            (Print::Base64, _) => {
                let bytes = (minutia.digest.0 << (64 - self.bits)).to_be_bytes();
                STANDARD_NO_PAD.encode(&bytes[..usize::from(self.bits).div_ceil(8)])
            }
            (Print::Hex, Hash::Md5) if self.bits > 64 => {
                let width = usize::from(self.bits).div_ceil(4);
                format!("{:0width$x}", md5() >> (128 - u32::from(self.bits)))
            }
            (Print::Hex, _) => {
                let width = usize::from(self.bits).div_ceil(4);
                format!("{:0width$x}", minutia.digest.0)
            }
        }
    }

    /// How many bits a digest has in the index.
    pub fn index_bits(&self) -> u32 {
        u32::from(self.bits.min(64))
    }

    fn digests(&self, tokens: &Tokens, chunks: &[Chunk], key: &Key) -> Vec<Digest> {
        match self.hash {
            Hash::Md5 | Hash::ShiftXor => {
                let mut text = String::new();
                let digest = |chunk| {
                    text.clear();
                    self.write_chunk_text(tokens, chunk, &mut text);
                    self.of_text(text.as_bytes())
                };
                chunks.iter().map(digest).collect()
            }
            Hash::Fast | Hash::Keyed => {
                let rolling = Rolling::new(self, key);
                let words: Vec<u64> = tokens.terms().map(|term| rolling.word(term)).collect();
                let digest = |chunk: &Chunk| {
                    rolling.finish(chunk.indices().fold(0, |sum: u64, index| {
                        rolling.append(sum, words[index as usize])
                    }))
                };
                chunks.iter().map(digest).collect()
            }
        }
    }

    /// The digest of a chunk's text, for the hashes that read it as one text.
    pub(crate) fn of_text(&self, text: &[u8]) -> Digest {
        match self.hash {
            Hash::Md5 => {
                let bits = self.index_bits();
                Digest(upper_half(md5_of(text)) >> (64 - bits))
            }
            Hash::ShiftXor => {
                let mask = u32::MAX >> (32 - u32::from(self.bits));
                Digest(u64::from(shift_xor(text) & mask))
            }
            Hash::Fast | Hash::Keyed => unreachable!("these hash words, not texts"),
        }
    }

    pub(crate) fn separator(&self) -> &'static str {
        match self.joiner {
            Joiner::Space => " ",
            Joiner::Comma => ",",
            Joiner::Nothing => "",
        }
    }

    fn write_chunk_text(&self, tokens: &Tokens, chunk: &Chunk, out: &mut String) {
        let separator = self.separator();
        let push = |(position, term): (usize, &str)| {
            if position > 0 {
                out.push_str(separator);
            }
            out.push_str(term);
        };
        let terms = chunk.indices().map(|index| tokens.term(index));
        if self.sorted {
            let mut terms: Vec<&str> = terms.collect();
            terms.sort_unstable();
            terms.into_iter().enumerate().for_each(push);
        } else {
            terms.enumerate().for_each(push);
        }
    }
}

/// The arithmetic of `fast` and `keyed`: hash words, append them to a sum, finish the sum.
///
/// Without order the sum is plain addition; with it, each word multiplies what came before by a
/// constant. Both can also take the first word away again, so that a window rolls in constant time.
pub(crate) struct Rolling {
    words: WordHash,
    sorted: bool,
    shift: u32,
}

enum WordHash {
    Fast,
    Keyed {
        words: SipHasher24,
        chunks: SipHasher24,
    },
}

impl Rolling {
    pub(crate) fn new(digester: &Digester, key: &Key) -> Rolling {
        let words = match digester.hash {
            Hash::Keyed => WordHash::Keyed {
                words: key.sip24(Purpose::Words),
                chunks: key.sip24(Purpose::Chunks),
            },
            Hash::Fast | Hash::Md5 | Hash::ShiftXor => WordHash::Fast,
        };
        Rolling {
            words,
            sorted: digester.sorted,
            shift: 64 - digester.index_bits(),
        }
    }

    pub(crate) fn is_fast(&self) -> bool {
        matches!(self.words, WordHash::Fast)
    }

    pub(crate) fn word(&self, term: &str) -> u64 {
        match &self.words {
            WordHash::Fast => word_hash(term.as_bytes()),
            WordHash::Keyed { words, .. } => words.hash(term.as_bytes()),
        }
    }

    #[inline]
    pub(crate) fn append(&self, sum: u64, word: u64) -> u64 {
        if self.sorted {
            sum.wrapping_add(word)
        } else {
            sum.wrapping_mul(BASE).wrapping_add(word)
        }
    }

    /// What to subtract, times the leaving word, when a window of `length` words moves on.
    pub(crate) fn weight_of_first(&self, length: usize) -> u64 {
        if self.sorted {
            return 1;
        }
        (1..length).fold(1, |weight: u64, _| weight.wrapping_mul(BASE))
    }

    #[inline]
    pub(crate) fn finish(&self, sum: u64) -> Digest {
        let mixed = match &self.words {
            WordHash::Fast => (sum ^ (sum >> 32)).wrapping_mul(MIX_FIRST),
            WordHash::Keyed { chunks, .. } => chunks.hash(&sum.to_le_bytes()),
        };
        Digest(mixed >> self.shift)
    }
}

/// Multiplier of the ordered sum: odd, bits spread evenly.
const BASE: u64 = 0xd6e8_feb8_6659_fd93;
const MIX_FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const MIX_SECOND: u64 = 0xbf58_476d_1ce4_e5b9;
const SEED: u64 = 0x6365_6e74_6f2f_3031; // "cento/01"

/// The `fast` hash of a word: eight bytes at a time, little end first, padded with zeros.
///
/// Each step is a bijection, so words of up to eight bytes never collide.
pub(crate) fn word_hash(term: &[u8]) -> u64 {
    let mut groups = term.chunks_exact(8);
    let mut hash = SEED;
    for group in groups.by_ref() {
        let group = u64::from_le_bytes(group.try_into().expect("groups of eight"));
        hash = mix(hash ^ group);
    }
    let rest = groups.remainder();
    if !rest.is_empty() || term.is_empty() {
        let mut group = [0; 8];
        group[..rest.len()].copy_from_slice(rest);
        hash = mix(hash ^ u64::from_le_bytes(group));
    }
    hash
}

/// [`word_hash`] of a word of at most eight bytes, given as its one padded group.
#[inline]
pub(crate) fn word_hash_of_group(group: u64) -> u64 {
    mix(SEED ^ group)
}

#[inline]
fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 32)).wrapping_mul(MIX_FIRST);
    let value = (value ^ (value >> 29)).wrapping_mul(MIX_SECOND);
    value ^ (value >> 32)
}

/// The digest under which the collection counts a single term.
pub(crate) fn term_digest(term: &str) -> Digest {
    let sum = word_hash(term.as_bytes());
    Digest((sum ^ (sum >> 32)).wrapping_mul(MIX_FIRST))
}

/// A 64-bit name for a list of texts, the same on every machine.
pub(crate) fn name_of<'a>(parts: impl Iterator<Item = &'a [u8]>) -> u64 {
    let mut md5 = Md5::new();
    for part in parts {
        md5.update(part);
        md5.update([0]);
    }
    upper_half(u128::from_be_bytes(md5.finalize().into()))
}

fn md5_of(text: &[u8]) -> u128 {
    u128::from_be_bytes(Md5::digest(text).into())
}

fn upper_half(value: u128) -> u64 {
    u64::try_from(value >> 64).expect("64 bits are left")
}

/// Equation 1 of Hoad & Zobel in wrapping 32-bit arithmetic, from zero.
fn shift_xor(text: &[u8]) -> u32 {
    text.iter().fold(0u32, |h, &c| {
        h ^ (h << 6).wrapping_add(h >> 2).wrapping_add(u32::from(c))
    })
}

/// What a derived key is for: the same secret never serves two hashes.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Words,
    Chunks,
    Skip,
    Partition,
    Content,
    Identity,
    Stretches,
}

impl Key {
    /// A key that everybody knows, for runs that nobody needs to be kept from repeating.
    pub const PUBLIC: Key = Key([0; 16]);

    /// A key of these bytes.
    pub fn new(bytes: [u8; 16]) -> Key {
        Key(bytes)
    }

    /// Whether this is the key that everybody knows.
    pub fn is_public(&self) -> bool {
        *self == Key::PUBLIC
    }

    /// A name for the key that says nothing about it: whoever has the key gets the same one.
    pub fn name(&self) -> String {
        format!("{:016x}", self.sip24(Purpose::Identity).hash(b"cento key"))
    }

    /// A hash of a text or of a file's bytes that only who has the key can check a guess against.
    pub fn content_hash(&self, bytes: &[u8]) -> [u8; 16] {
        let (first, second) = self.derived(Purpose::Content);
        let hash = sip128::SipHasher24::new_with_keys(first, second).hash(bytes);
        hash.as_u128().to_be_bytes()
    }

    pub(crate) fn sip24(&self, purpose: Purpose) -> SipHasher24 {
        let (first, second) = self.derived(purpose);
        SipHasher24::new_with_keys(first, second)
    }

    pub(crate) fn sip13(&self, purpose: Purpose) -> SipHasher13 {
        let (first, second) = self.derived(purpose);
        SipHasher13::new_with_keys(first, second)
    }

    fn derived(&self, purpose: Purpose) -> (u64, u64) {
        let sip = SipHasher24::new_with_key(&self.0);
        (sip.hash(&[purpose as u8, 0]), sip.hash(&[purpose as u8, 1]))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn md5_is_md5() {
        assert_eq!(md5_of(b"abc"), 0x9001_5098_3cd2_4fb0_d696_3f7d_28e1_7f72);
    }

    #[test]
    fn shift_xor_by_hand() {
        // 'a' = 97: 0 ^ 97. Then 'b' = 98: 0x61 ^ 6330, and 6330 is 0x18ba.
        assert_eq!(shift_xor(b"a"), 97);
        assert_eq!(shift_xor(b"ab"), 0x61 ^ 0x18ba);
    }

    #[test]
    fn padded_group_equals_word_hash() {
        for word in ["a", "canal", "reservoi", "reservoir", "incomprehensible"] {
            if word.len() <= 8 {
                let mut group = [0; 8];
                group[..word.len()].copy_from_slice(word.as_bytes());
                let group = u64::from_le_bytes(group);
                assert_eq!(word_hash(word.as_bytes()), word_hash_of_group(group));
            }
        }
    }

    #[test]
    fn a_key_does_not_show() {
        assert_eq!(format!("{:?}", Key::new([7; 16])), "Key(..)");
    }
}
