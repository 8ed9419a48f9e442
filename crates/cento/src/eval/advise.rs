//! Which scores mean something in a collection: advice without labels.
//!
//! Hoad & Zobel's highest false match and separation need a person who says what is correct. A
//! collection can say much of it by itself: what its quietest documents share is chance, and
//! related texts can be made from its own documents. `docs/choosing.md` explains the estimates.

use serde::{Deserialize, Serialize};

use crate::eval::chance::Chance;
use crate::token::{Tokenizer, Words};

/// What to make of scores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// What unrelated pairs reach.
    pub unrelated: f64,
    /// What a document reaches that took a quarter of its text from another and edited it.
    pub related: f64,
    /// Pairs from here on are worth a look.
    pub look_above: f64,
}

impl Advice {
    /// The advice of what chance makes of a collection, and of the scores of related texts made from
    /// it. None without such texts, or if they do not tell chance from copies.
    pub fn of(chance: Chance, related: &[f64]) -> Option<Advice> {
        let mut related = related.to_vec();
        related.sort_by(f64::total_cmp);
        // Nine of ten related texts reach more.
        let related = *related.get(related.len() / 10)?;
        let unrelated = chance.highest;
        let on_the_way = unrelated + (related - unrelated) / 4.0;
        let look_above = on_the_way.max(chance.rarely);
        // Where half of a document would not stand out, the documents are versions of each other, or
        // mostly text that they have in common. Where an edited quarter would not stand out and the
        // runs are long, nearly all documents are copies, and chance cannot be seen.
        let can_tell = unrelated < related || chance.run <= Advice::LONG_RUN;
        (can_tell && look_above < Advice::HALF).then(|| Advice {
            unrelated: six_decimals(unrelated),
            related: six_decimals(related),
            look_above: six_decimals(look_above),
        })
    }

    /// Half of a document.
    const HALF: f64 = 0.5;
    /// So many digests are eight words in a row, which count as verbatim wherever they stand.
    const LONG_RUN: f64 = 4.0;

    /// The advice in one sentence.
    pub fn sentence(&self) -> String {
        let percent = |share: f64| format!("{} %", (100.0 * share).ceil());
        let mut sentence = format!(
            "in this collection unrelated pairs reach {}; look at pairs above {}",
            percent(self.unrelated),
            percent(self.look_above)
        );
        if self.related <= self.unrelated {
            sentence.push_str(
                " (an edited quarter of a document would not stand out from unrelated pairs)",
            );
        }
        sentence
    }
}

/// As all numbers of a report, so that they are the same on every machine.
fn six_decimals(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// A text that took a quarter from `source` and changed every tenth word of it; the rest is from
/// `other`. Every tenth word becomes one of `other`'s.
pub fn related_text(source: &str, other: &str) -> String {
    let words = |text| -> Vec<String> {
        let words = Words {
            fold: true,
            ..Words::default()
        };
        Tokenizer::Words(words)
            .tokens(text)
            .terms()
            .map(str::to_owned)
            .collect()
    };
    let (source, other) = (words(source), words(other));
    let taken = &source[source.len() * 3 / 8..source.len() * 5 / 8];
    let keep = (3 * taken.len()).min(other.len());
    let edited = taken.iter().enumerate().map(|(place, word)| {
        if place % 10 == 9 {
            other.get(place % other.len().max(1)).unwrap_or(word)
        } else {
            word
        }
    });
    let (before, behind) = other[..keep].split_at(keep / 2);
    before
        .iter()
        .chain(edited)
        .chain(behind)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(highest: f64, rarely: f64, related: &[f64]) -> Option<Advice> {
        let run = 1.5;
        Advice::of(
            Chance {
                highest,
                rarely,
                run,
            },
            related,
        )
    }

    #[test]
    fn where_to_look_is_above_chance() {
        let sentence = |highest, rarely, related: &[f64]| {
            advice(highest, rarely, related).map(|advice| advice.sentence())
        };
        assert_eq!(
            sentence(0.0, 0.0, &[0.2, 0.16]).unwrap(),
            "in this collection unrelated pairs reach 0 %; look at pairs above 4 %"
        );
        assert_eq!(
            sentence(0.04, 0.08, &[0.12]).unwrap(),
            "in this collection unrelated pairs reach 4 %; look at pairs above 8 %"
        );
        assert_eq!(
            sentence(0.3, 0.33, &[0.25]).unwrap(),
            "in this collection unrelated pairs reach 30 %; look at pairs above 33 % (an edited \
             quarter of a document would not stand out from unrelated pairs)"
        );
    }

    #[test]
    fn it_is_silent_where_it_cannot_tell() {
        assert_eq!(advice(0.04, 0.08, &[]), None);
        assert_eq!(advice(0.45, 0.52, &[0.5]), None);
        assert_eq!(advice(1.0, 1.0, &[1.0]), None);
        let copies = Chance {
            highest: 0.2,
            rarely: 0.3,
            run: 6.0,
        };
        assert_eq!(Advice::of(copies, &[0.12]), None);
    }

    #[test]
    fn related_texts_share_an_edited_quarter() {
        let numbered = |letter: char| {
            (0..400)
                .map(|n| format!("{letter}{n}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let text = related_text(&numbered('a'), &numbered('b'));
        let words: Vec<&str> = text.split(' ').collect();
        assert_eq!(words.len(), 400);
        assert_eq!(
            words.iter().filter(|word| word.starts_with('a')).count(),
            90
        );
    }
}
