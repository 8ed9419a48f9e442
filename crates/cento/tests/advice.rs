//! Advice on classes that are made here: it speaks, and what it says separates copies from the rest.

#![allow(clippy::unwrap_used, reason = "a test may fail this way")]

use cento::eval::advise::{Advice, related_text};
use cento::{Document, Key, Measure, NoCollection, Recipe, ScanSettings, Watch, scan};

/// Numbers that look random, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// A class that writes about one thing.
struct Class {
    documents: usize,
    /// How many of a hundred copied.
    copied: usize,
    /// Where they copied from.
    from: From,
    /// How many of a hundred words of an honest text are in phrases that everybody uses.
    phrases: usize,
    /// How many words of a common sheet are at the top of every document.
    sheet: usize,
}

#[derive(Clone, Copy)]
enum From {
    /// One source for all.
    One,
    /// Families of four.
    Families,
    /// Whoever.
    Anybody,
}

/// What was written, and which documents have text from the same source.
struct Written {
    texts: Vec<String>,
    source: Vec<Option<usize>>,
    copied: usize,
}

const WORDS: usize = 220;

impl Class {
    fn write(&self, seed: u64) -> Written {
        let mut random = Random(seed);
        let phrases: Vec<Vec<String>> = (0..200).map(|_| words(&mut random, 7)).collect();
        let sheet = words(&mut random, self.sheet);
        let mut own = Vec::new();
        for _ in 0..self.documents {
            own.push(self.honest(&mut random, &phrases));
        }
        let copied = (self.documents * self.copied / 100).max(1);
        let honest = self.documents - copied;
        let mut source = vec![None; self.documents];
        for copy in honest..self.documents {
            let from = match self.from {
                From::One => 0,
                From::Families => (copy - honest) / 3 % honest,
                From::Anybody => random.below(honest),
            };
            (source[copy], source[from]) = (Some(from), Some(from));
            // A third, a half or all of it, with every tenth word changed.
            let taken = [WORDS / 3, WORDS / 2, WORDS][random.below(3)];
            let start = random.below(own[from].len() - taken + 1);
            let mut text = own[from][start..start + taken].to_vec();
            for word in text.iter_mut().skip(9).step_by(10) {
                *word = words(&mut random, 1).remove(0);
            }
            text.extend_from_slice(&own[copy][taken..]);
            own[copy] = text;
        }
        let with_sheet = |text: Vec<String>| [sheet.clone(), text].concat().join(" ");
        Written {
            texts: own.into_iter().map(with_sheet).collect(),
            source,
            copied,
        }
    }

    fn honest(&self, random: &mut Random, phrases: &[Vec<String>]) -> Vec<String> {
        let mut text = Vec::new();
        while text.len() < WORDS {
            // A phrase has seven words.
            if random.below(100 * 7) < self.phrases {
                text.extend_from_slice(&phrases[random.below(phrases.len())]);
            } else {
                text.append(&mut words(random, 1));
            }
        }
        text.truncate(WORDS);
        text
    }
}

/// Common words are common.
fn words(random: &mut Random, count: usize) -> Vec<String> {
    let mut word = || {
        let most = 1 + random.below(1500);
        format!("w{}", random.below(most))
    };
    (0..count).map(|_| word()).collect()
}

/// The advice on texts, and which pairs have which score.
fn advice(texts: &[String]) -> (Option<Advice>, Vec<(usize, usize, f64)>) {
    let recipe = Recipe::default();
    let fingerprint = |text: &str| recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
    let document = |(number, text): (usize, &String)| {
        Document::new(format!("{number:04}"), WORDS as u64, fingerprint(text))
    };
    let documents = texts.iter().enumerate().map(document).collect();
    let settings = ScanSettings {
        threshold: 0.0,
        ..ScanSettings::default()
    };
    let report = scan(documents, &settings, None, Watch::NOBODY).unwrap();
    let measure = Measure::default().of_sets().unwrap();
    let related = |(number, source): (usize, &String)| {
        let made = related_text(source, &texts[(number + 1) % texts.len()]);
        let overlap = cento::overlap(&fingerprint(source), &fingerprint(&made)).unwrap();
        measure.score(overlap)
    };
    let related: Vec<f64> = texts.iter().enumerate().take(20).map(related).collect();
    let number = |id: &str| id.parse().unwrap();
    let pair =
        |pair: &cento::report::PairReport| (number(&pair.left), number(&pair.right), pair.score);
    let pairs = report.pairs.iter().map(pair).collect();
    (
        report
            .chance
            .and_then(|chance| Advice::of(chance, &related)),
        pairs,
    )
}

/// Expects that nearly all copies and hardly any others are where the advice says one should look.
fn check(class: &Class, seed: u64) {
    let written = class.write(seed);
    let (advice, pairs) = advice(&written.texts);
    let name = format!("{} documents, {} % copied", class.documents, class.copied);
    let advice = advice.unwrap_or_else(|| panic!("{name}: silent"));
    let honest = class.documents - written.copied;
    let mut is_shown = vec![false; class.documents];
    let mut wrong = 0;
    for (left, right, score) in pairs {
        if score < advice.look_above {
            continue;
        }
        if written.source[left].is_some() && written.source[left] == written.source[right] {
            (is_shown[left], is_shown[right]) = (true, true);
        } else {
            wrong += 1;
        }
    }
    let shown = is_shown[honest..].iter().filter(|shown| **shown).count();
    assert!(
        10 * shown >= 9 * written.copied,
        "{name}: {shown} shown, {advice:?}"
    );
    assert!(wrong <= 1, "{name}: {wrong} honest pairs shown, {advice:?}");
}

#[test]
fn classes_of_all_sizes_with_few_and_many_copies() {
    let class = |documents, copied, from, phrases| Class {
        documents,
        copied,
        from,
        phrases,
        sheet: 0,
    };
    for (seed, class) in [
        class(12, 60, From::One, 0),
        class(12, 10, From::Anybody, 10),
        class(15, 40, From::Families, 5),
        class(20, 60, From::Anybody, 10),
        class(30, 50, From::One, 20),
        class(40, 25, From::Families, 0),
        class(60, 60, From::Families, 5),
        class(100, 5, From::Anybody, 10),
        class(150, 60, From::Anybody, 0),
        class(400, 30, From::Families, 5),
    ]
    .iter()
    .enumerate()
    {
        check(class, seed as u64);
    }
}

#[test]
fn most_pairs_that_share_anything_are_related() {
    let class = Class {
        documents: 60,
        copied: 60,
        from: From::One,
        phrases: 0,
        sheet: 0,
    };
    let written = class.write(7);
    let (_, pairs) = advice(&written.texts);
    let is_related = |(left, right, _): &&(usize, usize, f64)| {
        written.source[*left].is_some() && written.source[*left] == written.source[*right]
    };
    assert!(2 * pairs.iter().filter(is_related).count() > pairs.len());
    check(&class, 7);
}

#[test]
fn a_common_sheet_raises_what_unrelated_pairs_reach() {
    let class = Class {
        documents: 30,
        copied: 40,
        from: From::Families,
        phrases: 0,
        sheet: 40,
    };
    check(&class, 3);
}

#[test]
fn it_is_silent_where_it_cannot_tell() {
    let own = |copied, sheet, documents| Class {
        documents,
        copied,
        from: From::One,
        phrases: 0,
        sheet,
    };
    // Too few.
    assert_eq!(advice(&own(1, 0, 6).write(1).texts).0, None);
    // Mostly a common sheet.
    assert_eq!(advice(&own(1, 400, 20).write(1).texts).0, None);
    // Everybody copied.
    assert_eq!(advice(&own(95, 0, 20).write(1).texts).0, None);
    // One text, again and again.
    let text = own(1, 0, 20).write(1).texts.remove(0);
    assert_eq!(advice(&vec![text; 20]).0, None);
}
