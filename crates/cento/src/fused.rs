//! The one-pass fast path for windows over words, and over the letters of mail: bytes in, digests out,
//! nothing kept per chunk.
//!
//! The staged pipeline is the definition; property tests hold this file equal to it over arbitrary
//! text and all options.

use crate::chunk::Chunker;
use crate::digest::{Digest, Digester, Hash, Key, Rolling, word_hash, word_hash_of_group};
use crate::number::index32;
use crate::recipe::Recipe;
use crate::select::select_digests;
use crate::token::{Alphabet, Refiner, Tokenizer, Words, each_canonical_letter};

/// The selected digests in document order and the number of tokens; `None` if the recipe has no
/// fused path.
pub(crate) fn digests(recipe: &Recipe, text: &str, key: &Key) -> Option<(Vec<Digest>, u32)> {
    let Chunker::Window { len, step } = recipe.chunker else {
        return None;
    };
    if !recipe.selector.is_by_value() {
        return None;
    }
    let window = Window {
        len: len.get() as usize,
        step: step.get() as usize,
    };
    let is_rolling = matches!(recipe.digester.hash, Hash::Fast | Hash::Keyed);
    let (digests, tokens) = match &recipe.tokenizer {
        Tokenizer::Words(words) if !is_rolling => {
            digest_texts(words, &recipe.digester, window, text)
        }
        Tokenizer::Words(words) => {
            let rolling = Rolling::new(&recipe.digester, key);
            let hashes = word_hashes(words, &rolling, text);
            let tokens = hashes.len();
            (roll(hashes, &rolling, window), tokens)
        }
        Tokenizer::Letters(letters) if is_rolling && letters.is_canonical() => {
            let rolling = Rolling::new(&recipe.digester, key);
            let hashes = letter_hashes(&rolling, text);
            let tokens = hashes.len();
            (roll(hashes, &rolling, window), tokens)
        }
        _ => return None,
    };
    let kept = select_digests(&recipe.selector, digests);
    Some((kept, index32(tokens)))
}

#[derive(Clone, Copy)]
struct Window {
    len: usize,
    step: usize,
}

/// Turns word hashes into the digests of windows, in place.
fn roll(mut hashes: Vec<u64>, rolling: &Rolling, window: Window) -> Vec<Digest> {
    let len = window.len.min(hashes.len());
    if len == 0 {
        return Vec::new();
    }
    let weight = rolling.weight_of_first(len);
    let mut sum = hashes[..len - 1]
        .iter()
        .fold(0, |sum, &word| rolling.append(sum, word));
    let starts = hashes.len() - len + 1;
    let mut kept = 0;
    let mut wanted = 0;
    for start in 0..starts {
        sum = rolling.append(sum, hashes[start + len - 1]);
        let first = hashes[start];
        if start == wanted {
            hashes[kept] = rolling.finish(sum).0;
            kept += 1;
            wanted += window.step;
        }
        sum = sum.wrapping_sub(first.wrapping_mul(weight));
    }
    hashes.truncate(kept);
    hashes.into_iter().map(Digest).collect()
}

/// The hash of every word, in order.
fn word_hashes(words: &Words, rolling: &Rolling, text: &str) -> Vec<u64> {
    let plain = words.stop.is_none() && words.keep.is_none() && words.stem.is_none();
    let mut hashes = Vec::with_capacity(text.len() / 5);
    if plain && rolling.is_fast() {
        if words.fold {
            hash_ascii_blocks::<true>(words, text, &mut hashes);
        } else {
            hash_ascii_blocks::<false>(words, text, &mut hashes);
        }
    } else {
        each_term(words, text, 0, |term| hashes.push(rolling.word(term)));
    }
    hashes
}

/// The hash of every canonical letter, in order. There are few different ones.
fn letter_hashes(rolling: &Rolling, text: &str) -> Vec<u64> {
    let hash = |letter: char| rolling.word(letter.encode_utf8(&mut [0; 4]));
    let mut known = [None; 128];
    let mut hashes = Vec::with_capacity(text.len());
    each_canonical_letter(text, |_, letter| {
        hashes.push(match known.get_mut(letter as usize) {
            Some(known) => *known.get_or_insert_with(|| hash(letter)),
            None => hash(letter),
        });
    });
    hashes
}

/// Calls `each` with every term from byte `at` on.
fn each_term(words: &Words, text: &str, mut at: usize, mut each: impl FnMut(&str)) {
    let mut refiner = Refiner::new(words);
    while let Some(piece) = words.alphabet.next_piece(text, at) {
        if let Some(term) = refiner.refine(text, piece) {
            each(term);
        }
        at = piece.end;
    }
}

/// How many bytes are looked at together: one bit each of a machine word.
const BLOCK: usize = 64;

/// Hashes the words of ASCII blocks by bit tricks, and hands every word that touches a byte beyond
/// ASCII to the slow path.
///
/// A word that reaches the end of its block is left for the next block, which starts with it.
fn hash_ascii_blocks<const FOLD: bool>(words: &Words, text: &str, hashes: &mut Vec<u64>) {
    let bytes = text.as_bytes();
    let mut refiner = Refiner::new(words);
    let mut at = 0;
    // The words of a block may be loaded eight bytes at a time past its end.
    while let Some(block) = bytes.get(at..at + BLOCK + 8) {
        let classes = classify(block[..BLOCK].try_into().expect("a block has this size"));
        let limit = match words.alphabet {
            Alphabet::Ascii => BLOCK,
            Alphabet::Unicode | Alphabet::Raw => classes.beyond_ascii.trailing_zeros() as usize,
        };
        let mut found = [0; BLOCK / 2];
        let mut count = 0;
        let mut next = at + limit;
        let mut rest = classes.alphanumeric;
        while rest != 0 {
            let start = rest.trailing_zeros() as usize;
            let end = start + (!(rest >> start)).trailing_zeros() as usize;
            if end >= limit {
                next = next.min(at + start);
                break;
            }
            found[count] = hash_ascii::<FOLD>(block, start, end);
            count += 1;
            rest &= u64::MAX << end;
        }
        hashes.extend_from_slice(&found[..count]);
        if limit == BLOCK && next > at {
            at = next;
            continue;
        }
        // A byte beyond ASCII, or a word as long as the block: one word at a time until it is past.
        let until = at + limit.max(1);
        at = next;
        while at <= until {
            let Some(piece) = words.alphabet.next_piece(text, at) else {
                return;
            };
            if let Some(term) = refiner.refine(text, piece) {
                hashes.push(word_hash(term.as_bytes()));
            }
            at = piece.end;
        }
    }
    each_term(words, text, at, |term| {
        hashes.push(word_hash(term.as_bytes()));
    });
}

/// One bit for each byte of a block.
struct Classes {
    alphanumeric: u64,
    beyond_ascii: u64,
}

fn classify(block: &[u8; BLOCK]) -> Classes {
    let mut alphanumeric = [0u8; BLOCK];
    let mut any = 0;
    for (flag, &byte) in alphanumeric.iter_mut().zip(block) {
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let digit = byte.wrapping_sub(b'0') < 10;
        *flag = u8::from(letter | digit);
        any |= byte;
    }
    let beyond_ascii = if any < 0x80 {
        0
    } else {
        bits(&block.map(|byte| byte >> 7))
    };
    Classes {
        alphanumeric: bits(&alphanumeric),
        beyond_ascii,
    }
}

/// Gathers 64 bytes of 0 or 1 into a word, the first byte lowest.
fn bits(flags: &[u8; BLOCK]) -> u64 {
    let mut word = 0;
    for (position, group) in flags.chunks_exact(8).enumerate() {
        let group = u64::from_le_bytes(group.try_into().expect("groups of eight"));
        // The multiplication brings the eight flags side by side into the top byte.
        word |= (group.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * position);
    }
    word
}

/// The hash of the word `start..end` of a block that has eight more bytes behind it.
#[inline]
fn hash_ascii<const FOLD: bool>(block: &[u8], start: usize, end: usize) -> u64 {
    // In letters and digits, setting this bit turns upper case into lower and changes nothing else.
    const LOWER: u64 = 0x2020_2020_2020_2020;
    let length = end - start;
    let load = |at: usize, length: usize| {
        let group = u64::from_le_bytes(block[at..at + 8].try_into().expect("eight bytes"));
        let group = if FOLD { group | LOWER } else { group };
        group & (u64::MAX >> (64 - 8 * length))
    };
    if length <= 8 {
        return word_hash_of_group(load(start, length));
    }
    let mut word = [0; BLOCK + 8];
    let groups = length.div_ceil(8);
    for group in 0..groups {
        let at = 8 * group;
        let value = load(start + at, (length - at).min(8));
        word[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
    word_hash(&word[..length])
}

/// The digests of windows for the hashes that read a chunk as one text.
fn digest_texts(
    words: &Words,
    digester: &Digester,
    window: Window,
    text: &str,
) -> (Vec<Digest>, usize) {
    // All terms one after another; `ends[i]` is where term `i` ends.
    let mut terms = String::with_capacity(text.len());
    let mut ends = Vec::with_capacity(text.len() / 5);
    each_term(words, text, 0, |term| {
        terms.push_str(term);
        ends.push(terms.len());
    });
    let count = ends.len();
    let len = window.len.min(count);
    if len == 0 {
        return (Vec::new(), 0);
    }
    let term = |index: usize| &terms[if index == 0 { 0 } else { ends[index - 1] }..ends[index]];
    let separator = digester.separator();
    let mut chunk: Vec<&str> = Vec::with_capacity(len);
    let mut joined = String::new();
    let mut digests = Vec::with_capacity(count - len + 1);
    for start in (0..=count - len).step_by(window.step) {
        chunk.clear();
        chunk.extend((start..start + len).map(term));
        if digester.sorted {
            chunk.sort_unstable();
        }
        joined.clear();
        for (position, word) in chunk.iter().enumerate() {
            if position > 0 {
                joined.push_str(separator);
            }
            joined.push_str(word);
        }
        digests.push(digester.of_text(joined.as_bytes()));
    }
    (digests, count)
}
