//! The text of each document.

use anyhow::Result;

use crate::plan::{Plan, Role};
use crate::random::{Purpose, Random, exp, ln};
use crate::vocabulary::Vocabulary;

/// What a corpus is made from.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many documents there are, copies included.
    pub documents: u32,
    /// The mean number of words of a document.
    pub words: u32,
    /// The least number of words of a document, if it is more than a quarter of the mean.
    pub least_words: u32,
    /// How many different words there are.
    pub vocabulary: u32,
    /// The exponent of Zipf's law.
    pub zipf: f64,
    /// How many words the footer has.
    pub footer: u32,
    /// The share of documents that have the footer.
    pub footer_share: f64,
    /// How many paragraphs there are that documents have in common.
    pub common: u32,
    /// How many words such a paragraph has.
    pub common_words: u32,
    /// How many of them a document has.
    pub common_each: u32,
    /// The share of documents that are copies.
    pub duplicates: f64,
    /// The mean share of words that are edited in a copy.
    pub edits: f64,
    /// The mean number of copies of an original that has any.
    pub cluster_size: f64,
    /// How many documents the giant family has.
    pub giant: u32,
    /// What everything follows from.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            documents: 1000,
            words: 500,
            least_words: 0,
            vocabulary: 50_000,
            zipf: 1.0,
            footer: 0,
            footer_share: 1.0,
            common: 0,
            common_words: 60,
            common_each: 2,
            duplicates: 0.1,
            edits: 0.05,
            cluster_size: 2.0,
            giant: 0,
            seed: 1,
        }
    }
}

/// A corpus: every document can be made, in any order.
#[derive(Debug)]
pub struct Corpus {
    settings: Settings,
    vocabulary: Vocabulary,
    plan: Plan,
    footer: Vec<Token>,
    /// The paragraphs that documents have in common, the most frequent ones first.
    common: Vec<Vec<Token>>,
    giant: Vec<Token>,
}

/// A word and what stands after it. Edits take and give words but keep what stands after them, so
/// that a copy still has sentences.
#[derive(Clone, Copy, Debug)]
struct Token {
    word: u32,
    mark: Mark,
}

/// What stands after a word; what ends more is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Space,
    Comma,
    Stop,
    Paragraph,
}

/// Memory to make documents in, kept from one to the next.
#[derive(Debug, Default)]
pub struct Scratch {
    tokens: Vec<Token>,
    edited: Vec<Token>,
}

impl Corpus {
    /// Settles everything that documents have in common; fails if the families do not fit.
    pub fn new(settings: Settings) -> Result<Self> {
        let plan = Plan::new(&settings)?;
        let vocabulary = Vocabulary::new(settings.vocabulary, settings.zipf, settings.seed);
        let mut corpus = Self {
            settings,
            vocabulary,
            plan,
            footer: Vec::new(),
            common: Vec::new(),
            giant: Vec::new(),
        };
        let mut footer = Vec::new();
        let words = corpus.settings.footer as usize;
        corpus.compose(words, &mut corpus.random(Purpose::Footer, 0), &mut footer);
        corpus.footer = footer;
        for number in 0..corpus.settings.common {
            let mut paragraph = Vec::new();
            let words = corpus.settings.common_words as usize;
            let mut random = corpus.random(Purpose::Common, number);
            corpus.compose(words, &mut random, &mut paragraph);
            corpus.common.push(paragraph);
        }
        if let Some(first) = corpus.plan.giant() {
            let mut giant = Vec::new();
            corpus.original(first, &mut giant);
            corpus.giant = giant;
        }
        Ok(corpus)
    }

    /// What it is made from.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Which documents are copies of which.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Appends the text of a document, which is ASCII.
    pub fn text(&self, document: u32, scratch: &mut Scratch, out: &mut Vec<u8>) {
        let Scratch { tokens, edited } = scratch;
        tokens.clear();
        // Giants differ by one word each, so what is added to one is added to all.
        let mut decider = document;
        match self.plan.role(document) {
            Role::Original => self.original(document, tokens),
            Role::Copy(original) => {
                self.original(original, edited);
                self.edit(document, edited, tokens);
                edited.clear();
            }
            Role::Giant(place) => {
                tokens.extend_from_slice(&self.giant);
                self.change_one(place as usize, tokens);
                decider = self.plan.giant().unwrap_or(document);
            }
        }
        self.render(tokens, out);
        self.add_common(decider, out);
        let share = self.settings.footer_share;
        if self.random(Purpose::FooterShare, decider).chance(share) {
            self.render(&self.footer, out);
        }
        // One of the two line feeds after the last paragraph.
        out.pop();
    }

    /// Appends paragraphs that other documents have too: the first ones are in many documents, most
    /// are in few.
    fn add_common(&self, document: u32, out: &mut Vec<u8>) {
        let mut random = self.random(Purpose::CommonChoice, document);
        for _ in 0..self.settings.common_each.min(self.settings.common) {
            // The logarithm of the rank is even, as it is where frequency falls with rank.
            let most = f64::from(self.settings.common);
            let rank = exp(random.unit() * ln(most + 1.0)) - 1.0;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it lies between 0 and a u32"
            )]
            let rank = (rank as usize).min(self.common.len() - 1);
            self.render(&self.common[rank], out);
        }
    }

    fn random(&self, purpose: Purpose, number: u32) -> Random {
        Random::new(self.settings.seed, purpose, u64::from(number))
    }

    /// Appends the words of an original.
    fn original(&self, document: u32, tokens: &mut Vec<Token>) {
        let mut random = self.random(Purpose::Body, document);
        let words = length(self.settings.words, &mut random);
        let words = words.max(self.settings.least_words as usize);
        self.compose(words, &mut random, tokens);
    }

    /// Appends so many words as sentences and paragraphs.
    fn compose(&self, words: usize, random: &mut Random, tokens: &mut Vec<Token>) {
        let mut left = words;
        let mut sentences = 3 + random.below(5);
        while left > 0 {
            let sentence = (5 + random.below(21)).min(left);
            let mut comma = 3 + random.below(8);
            for place in 1..sentence {
                // None just before the full stop.
                let mark = if place == comma && place + 1 < sentence {
                    comma += 3 + random.below(10);
                    Mark::Comma
                } else {
                    Mark::Space
                };
                let word = self.vocabulary.draw(random);
                tokens.push(Token { word, mark });
            }
            left -= sentence;
            sentences -= 1;
            let mark = if sentences == 0 || left == 0 {
                sentences = 3 + random.below(5);
                Mark::Paragraph
            } else {
                Mark::Stop
            };
            let word = self.vocabulary.draw(random);
            tokens.push(Token { word, mark });
        }
    }

    /// Appends an edited copy: of the words, about the share that `edits` says on average is
    /// replaced, deleted or has a word inserted before it.
    ///
    /// Each copy has a rate of its own, anything from nothing to twice the mean, so that some are
    /// easy to find and some hard.
    fn edit(&self, document: u32, from: &[Token], to: &mut Vec<Token>) {
        let mut random = self.random(Purpose::Edits, document);
        let mean = self.settings.edits;
        let rate = mean + mean.min(1.0 - mean) * (2.0 * random.unit() - 1.0);
        for &token in from {
            if !random.chance(rate) {
                to.push(token);
                continue;
            }
            let word = self.vocabulary.draw(&mut random);
            match random.below(3) {
                0 if word != token.word => to.push(Token { word, ..token }),
                0 => to.push(self.shifted(token, 1)),
                1 => {
                    let mark = Mark::Space;
                    to.extend([Token { word, mark }, token]);
                }
                _ => match to.last_mut() {
                    Some(last) => last.mark = last.mark.max(token.mark),
                    // A document that begins with the end of something would begin with nothing.
                    None if token.mark != Mark::Space => to.push(token),
                    None => {}
                },
            }
        }
    }

    /// Changes one word, in a way of its own for each place in the giant family but the first.
    fn change_one(&self, place: usize, tokens: &mut [Token]) {
        let Some(change) = place.checked_sub(1) else {
            return;
        };
        let round = change / tokens.len() % (self.vocabulary.size() - 1);
        let token = &mut tokens[change % self.giant.len()];
        *token = self.shifted(*token, round + 1);
    }

    /// The word that comes so many after a word in the vocabulary, which begins again at its end.
    fn shifted(&self, token: Token, by: usize) -> Token {
        let word = (token.word as usize + by) % self.vocabulary.size();
        Token {
            word: u32::try_from(word).unwrap_or(token.word),
            ..token
        }
    }

    /// Appends words as text that ends with a paragraph.
    fn render(&self, tokens: &[Token], out: &mut Vec<u8>) {
        let mut capital = true;
        for token in tokens {
            let start = out.len();
            self.vocabulary.push(token.word, out);
            if capital {
                out[start].make_ascii_uppercase();
                capital = false;
            }
            let ending: &[u8] = match token.mark {
                Mark::Space => continue,
                Mark::Comma => b", ",
                Mark::Stop => b". ",
                Mark::Paragraph => b".\n\n",
            };
            capital = token.mark != Mark::Comma;
            out.pop();
            out.extend_from_slice(ending);
        }
    }
}

/// The number of words of a document: log-normal, but neither below a quarter of the mean nor above
/// four times it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it lies between 1 and four times a u32"
)]
fn length(mean: u32, random: &mut Random) -> usize {
    const SPREAD: f64 = 0.5;
    let mean = f64::from(mean);
    let words = mean * exp(SPREAD * random.normal() - SPREAD * SPREAD / 2.0);
    words.clamp(mean / 4.0, mean * 4.0).round().max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn text(corpus: &Corpus, document: u32) -> String {
        let mut out = Vec::new();
        corpus.text(document, &mut Scratch::default(), &mut out);
        String::from_utf8(out).unwrap()
    }

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace()
            .map(|word| word.trim_matches([',', '.']).to_lowercase())
            .collect()
    }

    /// The share of the runs of so many words of one text that are in another one.
    fn shared(one: &[String], other: &[String], run: usize) -> f64 {
        let mut counts: BTreeMap<&[String], usize> = BTreeMap::new();
        for run in other.windows(run) {
            *counts.entry(run).or_default() += 1;
        }
        let runs = one.windows(run);
        let total = runs.len();
        let found = runs.filter(|run| match counts.get_mut(run) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        });
        found.count() as f64 / total as f64
    }

    #[test]
    fn a_seed_means_the_same_text_for_ever() {
        let corpus = Corpus::new(Settings::default()).unwrap();
        let start: String = text(&corpus, 0).chars().take(120).collect();
        assert_eq!(
            start,
            "Bikad wumu onerij regu ke ju ke abuvaf uj daga, damij tawaduy ju odimuje dira rubule ju \
             pedec jo like nup. Yagodal oce y"
        );
    }

    #[test]
    fn text_has_sentences_and_paragraphs() {
        let corpus = Corpus::new(Settings::default()).unwrap();
        for document in 0..100 {
            let text = text(&corpus, document);
            assert!(text.ends_with(".\n") && !text.ends_with("\n\n"));
            assert!(text.contains(", ") && text.contains(".\n\n"));
            for sentence in text.split_inclusive('.').map(str::trim) {
                assert!(sentence.is_empty() || sentence.starts_with(|c: char| c.is_uppercase()));
            }
        }
    }

    #[test]
    fn lengths_are_spread_around_the_mean() {
        let mut random = Random::new(1, Purpose::Body, 0);
        let lengths: Vec<usize> = (0..10_000).map(|_| length(500, &mut random)).collect();
        assert!(lengths.iter().all(|words| (125..=2000).contains(words)));
        let mean = lengths.iter().sum::<usize>() as f64 / 1e4;
        assert!((490.0..510.0).contains(&mean), "{mean}");
        assert!(lengths.iter().any(|&words| words < 200));
        assert!(lengths.iter().any(|&words| words > 1200));
        assert!((0..1000).all(|_| (1..=4).contains(&length(1, &mut random))));
        let settings = Settings {
            least_words: 400,
            duplicates: 0.0,
            ..Settings::default()
        };
        let corpus = Corpus::new(settings).unwrap();
        let least = (0..200).map(|d| words(&text(&corpus, d)).len()).min();
        assert_eq!(least, Some(400));
    }

    #[test]
    fn planted_pairs_share_most_of_their_words_and_others_do_not() {
        let corpus = Corpus::new(Settings::default()).unwrap();
        let texts: Vec<Vec<String>> = (0..1000).map(|d| words(&text(&corpus, d))).collect();
        let pairs = corpus.plan().pairs();
        assert_eq!(pairs.len(), 100);
        let mut kept = 0.0;
        for (original, copy) in pairs {
            let (original, copy) = (&texts[original as usize], &texts[copy as usize]);
            kept += shared(original, copy, 1);
            assert!(shared(original, copy, 1) > 0.8);
            assert!(shared(copy, original, 3) > 0.6);
        }
        // A third of the edits takes no word away, and some bring one back.
        assert!((0.955..0.98).contains(&(kept / 100.0)), "{kept}");
        let originals = (0..1000).filter(|&d| corpus.plan().role(d) == Role::Original);
        let originals: Vec<u32> = originals.take(50).collect();
        for pair in originals.windows(2) {
            assert!(shared(&texts[pair[0] as usize], &texts[pair[1] as usize], 3) < 0.1);
        }
    }

    #[test]
    fn footers_are_in_the_share_of_documents_that_was_asked_for() {
        for share in [0.0, 0.3, 1.0] {
            let settings = Settings {
                documents: 2000,
                words: 20,
                footer: 30,
                footer_share: share,
                ..Settings::default()
            };
            let corpus = Corpus::new(settings).unwrap();
            let mut footer = Vec::new();
            corpus.render(&corpus.footer, &mut footer);
            let footer = String::from_utf8(footer).unwrap();
            assert_eq!(words(&footer).len(), 30);
            let having = (0..2000).filter(|&d| text(&corpus, d).contains(footer.trim_end()));
            assert!((having.count() as f64 / 2000.0 - share).abs() < 0.04);
        }
    }

    #[test]
    fn a_few_common_paragraphs_are_in_many_documents_and_most_in_few() {
        let settings = Settings {
            documents: 2000,
            words: 20,
            common: 100,
            common_words: 30,
            common_each: 2,
            ..Settings::default()
        };
        let corpus = Corpus::new(settings).unwrap();
        let texts: Vec<String> = (0..2000).map(|d| text(&corpus, d)).collect();
        let having = |paragraph: &Vec<Token>| {
            let mut rendered = Vec::new();
            corpus.render(paragraph, &mut rendered);
            let rendered = String::from_utf8(rendered).unwrap();
            assert_eq!(words(&rendered).len(), 30);
            let having = texts.iter().filter(|t| t.contains(rendered.trim_end()));
            having.count()
        };
        let counts: Vec<usize> = corpus.common.iter().map(having).collect();
        assert!(counts[0] > 400, "{}", counts[0]);
        assert!(counts.iter().filter(|count| **count < 30).count() > 50);
        assert!(counts.iter().all(|count| *count > 0));
    }

    #[test]
    fn giants_differ_by_one_word_each() {
        let settings = Settings {
            documents: 3000,
            words: 20,
            footer: 5,
            footer_share: 0.5,
            giant: 1000,
            ..Settings::default()
        };
        let corpus = Corpus::new(settings).unwrap();
        let giants: Vec<Vec<String>> = (0..3000)
            .filter(|&d| matches!(corpus.plan().role(d), Role::Giant(_)))
            .map(|d| words(&text(&corpus, d)))
            .collect();
        assert_eq!(giants.len(), 1000);
        for giant in &giants[1..] {
            let differences = giant.iter().zip(&giants[0]).filter(|(a, b)| a != b);
            assert_eq!(differences.count(), 1);
        }
        let mut distinct = giants.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), 1000);
    }

    #[test]
    fn extreme_edits_leave_a_document() {
        for edits in [0.0, 1.0] {
            let settings = Settings {
                documents: 300,
                words: 1,
                duplicates: 0.5,
                edits,
                cluster_size: 1.0,
                vocabulary: 2,
                ..Settings::default()
            };
            let corpus = Corpus::new(settings).unwrap();
            for (original, copy) in corpus.plan().pairs() {
                assert!(text(&corpus, copy).ends_with(".\n"));
                assert!(edits > 0.0 || text(&corpus, original) == text(&corpus, copy));
            }
        }
    }
}
