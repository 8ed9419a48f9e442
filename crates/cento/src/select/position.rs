//! Selection by place in the document (Hoad & Zobel, positional and structure-based strategies).

use std::num::NonZeroU32;

use siphasher::sip::SipHasher24;

use super::order_by;
use crate::digest::Minutia;
use crate::token::{Token, Tokens};

/// `keep` minutiae at random.
///
/// The choice is seeded by the digests of the whole text and by `seed`, so that it depends on
/// nothing but recipe and text: the same text chooses the same, wherever and whenever it is read.
pub(super) fn random(minutiae: &[Minutia], keep: NonZeroU32, seed: u64) -> Vec<usize> {
    let text = minutiae.iter().fold(0u64, |text, minutia| {
        SipHasher24::new_with_keys(seed, text).hash(&minutia.digest.0.to_le_bytes())
    });
    let draw = SipHasher24::new_with_keys(seed, text);
    let mut order = order_by(minutiae.len(), |position| {
        draw.hash(&position.to_le_bytes())
    });
    order.truncate(keep.get() as usize);
    order
}

/// Chunks that begin at the K-th token of their sentence.
pub(super) fn kth_in_sentence(tokens: &Tokens, minutiae: &[Minutia], k: NonZeroU32) -> Vec<usize> {
    let places = places(tokens, |token| token.sentence);
    starting(minutiae, |first| places[first].1 + 1 == k.get())
}

/// Chunks that begin at the K-th token of their paragraph.
pub(super) fn kth_in_paragraph(tokens: &Tokens, minutiae: &[Minutia], k: NonZeroU32) -> Vec<usize> {
    let places = places(tokens, |token| token.paragraph);
    starting(minutiae, |first| places[first].1 + 1 == k.get())
}

/// Chunks that begin at the start of every K-th sentence, the first one included.
pub(super) fn kth_sentence(tokens: &Tokens, minutiae: &[Minutia], k: NonZeroU32) -> Vec<usize> {
    let places = places(tokens, |token| token.sentence);
    starting(minutiae, |first| {
        places[first].1 == 0 && places[first].0.is_multiple_of(k.get())
    })
}

fn starting(minutiae: &[Minutia], wanted: impl Fn(usize) -> bool) -> Vec<usize> {
    let begins = |position: &usize| wanted(minutiae[*position].chunk.first() as usize);
    (0..minutiae.len()).filter(begins).collect()
}

/// For every token: which unit that has tokens it stands in, and at which place there, from 0.
///
/// Units are counted anew, because a sentence of which no token was kept is none.
fn places(tokens: &Tokens, unit: impl Fn(Token) -> u32) -> Vec<(u32, u32)> {
    let mut places: Vec<(u32, u32)> = Vec::with_capacity(tokens.len());
    let mut last: Option<u32> = None;
    for index in 0..tokens.len() {
        let number = unit(tokens.get(crate::number::index32(index)));
        let place = match (last, places.last()) {
            (Some(known), Some(&(unit, place))) if known == number => (unit, place + 1),
            (_, Some(&(unit, _))) => (unit + 1, 0),
            (_, None) => (0, 0),
        };
        last = Some(number);
        places.push(place);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::Chunk;
    use crate::digest::Digest;
    use crate::token::{Tokenizer, Words};

    #[test]
    fn starts_in_sentences_and_paragraphs() {
        let text = "a b c d. E f. G h i.\n\nJ k l. M n.";
        let tokens = Tokenizer::Words(Words::default()).tokens(text);
        let minutiae: Vec<Minutia> = (0..13)
            .map(|n: u32| Minutia {
                digest: Digest(n.into()),
                chunk: Chunk::Run(n..n + 1),
            })
            .collect();
        let nth = |k| NonZeroU32::new(k).unwrap();
        assert_eq!(kth_in_sentence(&tokens, &minutiae, nth(3)), [2, 8, 11]);
        assert_eq!(kth_in_paragraph(&tokens, &minutiae, nth(4)), [3, 12]);
        assert_eq!(kth_sentence(&tokens, &minutiae, nth(2)), [0, 6, 12]);
    }

    #[test]
    fn random_choice_depends_on_the_text_only() {
        let minutiae: Vec<Minutia> = (0..50)
            .map(|n: u32| Minutia {
                digest: Digest(n.into()),
                chunk: Chunk::Run(n..n + 1),
            })
            .collect();
        let keep = NonZeroU32::new(15).unwrap();
        assert_eq!(random(&minutiae, keep, 1), random(&minutiae, keep, 1));
        assert_ne!(random(&minutiae, keep, 1), random(&minutiae, keep, 2));
        assert_eq!(random(&minutiae, keep, 1).len(), 15);
        assert_eq!(random(&minutiae[..3], keep, 1).len(), 3);
    }
}
