//! Suffix sorting, which a library with much unsafe code does: the order and the shared beginnings are
//! those of the definition, for bytes and for numbers, and the text is as before.

use cento::align::{SortedSuffixes, SuffixText, sort_here};

use super::{Seed, Target, holds};

pub(super) fn target() -> Target {
    let text = |name: &str, bytes: &[u8]| Seed::new(name, bytes);
    let mut fibonacci = [b"a".to_vec(), b"ab".to_vec()];
    while fibonacci[1].len() < 600 {
        let next = [&fibonacci[1][..], &fibonacci[0]].concat();
        fibonacci = [std::mem::take(&mut fibonacci[1]), next];
    }
    Target {
        name: "suffixes",
        seeds: vec![
            text("empty", b""),
            text("banana", b"banana"),
            text("one", &[0; 500]),
            text("last", &[255; 70]),
            text("periods", &b"abcabcabd".repeat(60)),
            text("fibonacci", &fibonacci[1]),
            text("words", "the cat sat on the mat; ".repeat(20).as_bytes()),
            text("all", &(0..=255).rev().collect::<Vec<u8>>()),
        ],
        check,
    }
}

/// Comparing suffixes one by one takes too long for more.
const LONGEST: usize = 3000;

fn check(_: &str, input: &[u8]) -> Result<(), String> {
    let bytes = &input[..input.len().min(LONGEST)];
    let of_bytes = sort_here(SuffixText::Bytes(bytes));
    holds(of_bytes == naive(bytes), || {
        "bytes are in another order".to_owned()
    })?;
    // Numbers with gaps between them, and wide ones.
    for factor in [1, 3, 1 << 16] {
        let mut numbers: Vec<i32> = bytes.iter().map(|&byte| i32::from(byte) * factor).collect();
        let before = numbers.clone();
        let of_numbers = sort_here(SuffixText::Numbers(&mut numbers));
        holds(of_numbers == of_bytes, || {
            format!("numbers times {factor} are in another order")
        })?;
        holds(numbers == before, || "the text was changed".to_owned())?;
    }
    Ok(())
}

/// The definition.
fn naive(symbols: &[u8]) -> SortedSuffixes {
    let mut order: Vec<u32> = (0..).take(symbols.len()).collect();
    order.sort_by_key(|&start| &symbols[start as usize..]);
    let mut shared = vec![0; symbols.len()];
    for pair in order.windows(2) {
        let [one, other] = [pair[0], pair[1]].map(|start| &symbols[start as usize..]);
        let common = one
            .iter()
            .zip(other)
            .take_while(|(one, other)| one == other);
        shared[pair[1] as usize] = u32::try_from(common.count()).unwrap_or(u32::MAX);
    }
    SortedSuffixes { order, shared }
}
