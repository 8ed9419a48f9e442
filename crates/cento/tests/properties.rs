//! Properties: what must hold for every text, recipe and collection.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod texts;

use std::collections::{BTreeMap, BTreeSet};

use cento::index::{
    ClusterQuery, DigestStore, DocId, Index, PairQuery, SharedLists, Stars, components,
};
use cento::token::Tokenizer;
use cento::{
    Counts, Digest, Fingerprint, Frequencies, Key, NoCollection, Overlap, PRESETS, Recipe,
    SetMeasure, Watch, overlap,
};
use proptest::prelude::*;
use texts::{any_text, numbered_words, recipe_text};

fn key_of(number: u128) -> Key {
    Key::new(number.to_le_bytes())
}

/// The fingerprint of a text in a collection of itself and nothing else.
fn alone(recipe: &Recipe, text: &str) -> Fingerprint {
    let mut counts = Counts::default();
    if let Some(counted) = recipe.counted() {
        counts.add(&counted.fingerprint(text, &Key::PUBLIC, &NoCollection));
    }
    recipe.fingerprint(text, &Key::PUBLIC, &counts)
}

/// Sets of numbers with a footer that all have.
fn collection() -> impl Strategy<Value = Vec<BTreeSet<u64>>> {
    let sets = proptest::collection::vec(proptest::collection::btree_set(0..40u64, 0..30), 0..14);
    (sets, 0..6u64).prop_map(|(mut sets, footer)| {
        for set in &mut sets {
            set.extend(100..100 + footer);
        }
        sets
    })
}

fn fill(store: &mut DigestStore, sets: &[BTreeSet<u64>]) {
    let recipe = Recipe::named("default").unwrap();
    for set in sets {
        let digests = set
            .iter()
            .map(|number| Digest(number.wrapping_mul(0x0123_4567_89ab_cdef)));
        let fingerprint = Fingerprint::from_digests(recipe.id(), 0, digests.collect());
        store.push(&fingerprint).unwrap();
    }
    store.sync().unwrap();
}

fn score(sets: &[BTreeSet<u64>], measure: SetMeasure, left: usize, right: usize) -> f64 {
    let count = |number: usize| u32::try_from(number).unwrap();
    measure.score(Overlap {
        shared: count(sets[left].intersection(&sets[right]).count()),
        left: count(sets[left].len()),
        right: count(sets[right].len()),
    })
}

proptest! {
    /// The fused path equals the staged pipeline, for every window recipe that people run and for
    /// every other combination of options.
    #[test]
    fn fused_equals_staged(
        text in any_text(),
        tokenizer in texts::words_text(),
        len in 1..12u32,
        step in 1..4u32,
        digester in texts::digester_text(),
        selector in "all|modulo:3|modulo:auto|smallest:(5|sqrt|linear)|winnow:4|sample:4|first:3",
        keep in any::<bool>(),
        key in any::<u128>(),
    ) {
        let fast = ["default", "ov", "masaryk", "hz-full", "winnow", "shingle", "sift-window", "mail"];
        let mut mixed: Recipe =
            format!("{tokenizer} | window:{len},{step} | {digester} | {selector}").parse().unwrap();
        if let (Tokenizer::Words(words), true) = (&mut mixed.tokenizer, keep) {
            // Half of the text's words are in the dictionary.
            words.keep = Some(words.list(&text[..text.floor_char_boundary(text.len() / 2)]));
        }
        let letters: Recipe =
            format!("letters+canonical | window:{len},{step} | fast:64 | {selector}").parse().unwrap();
        let recipes = fast.iter().map(|name| Recipe::named(name).unwrap());
        let recipes = recipes.chain([mixed, letters]);
        let key = key_of(key);
        for recipe in recipes {
            let fused = recipe.fingerprint(&text, &key, &NoCollection);
            let staged = recipe.staged_fingerprint(&text, &key, &NoCollection);
            prop_assert_eq!(fused, staged, "{}", recipe);
        }
    }

    /// The digests of the fused path come in document order.
    #[test]
    fn fused_digests_keep_document_order(text in any_text()) {
        for name in ["default", "ov", "winnow", "shingle"] {
            let recipe = Recipe::named(name).unwrap();
            let (_, minutiae) = recipe.minutiae(&text, &Key::PUBLIC, &NoCollection);
            let staged: Vec<Digest> = minutiae.iter().map(|minutia| minutia.digest).collect();
            prop_assert_eq!(recipe.fused_digests(&text, &Key::PUBLIC), Some(staged), "{}", name);
        }
    }

    /// A token's source is a slice of the text, on character borders, behind the one before it.
    #[test]
    fn tokens_keep_their_place(text in any_text(), recipe in recipe_text()) {
        let recipe: Recipe = recipe.parse().unwrap();
        let tokens = recipe.tokenizer.tokens(&text);
        let mut last = (0, 0);
        for index in 0..u32::try_from(tokens.len()).unwrap() {
            let token = tokens.get(index);
            let (start, end) = (token.source.start as usize, token.source.end as usize);
            prop_assert!(text.get(start..end).is_some_and(|source| !source.is_empty()));
            // One character may become two letters of two tokens; otherwise tokens do not overlap.
            let character = text[start..].chars().next().map_or(0, char::len_utf8);
            prop_assert!(start >= last.1 || start + character == last.1 && start >= last.0);
            prop_assert!(!tokens.term(index).is_empty());
            last = (start, end);
        }
    }

    /// Nothing panics, and the same text reads exactly 1.0 under every recipe that leaves anything
    /// of it.
    #[test]
    fn a_text_is_identical_to_itself(text in any_text(), recipe in recipe_text()) {
        let recipe: Recipe = recipe.parse().unwrap();
        let fingerprint = alone(&recipe, &text);
        let shared = overlap(&fingerprint, &alone(&recipe, &text)).unwrap();
        let expected = if fingerprint.digests().is_empty() { 0.0 } else { 1.0 };
        for measure in SetMeasure::ALL {
            prop_assert!((measure.score(shared) - expected).abs() < f64::EPSILON);
        }
    }

    /// Printing and parsing a recipe gives it back.
    #[test]
    fn recipes_round_trip(text in recipe_text()) {
        let recipe: Recipe = text.parse().unwrap();
        let printed = recipe.to_string();
        prop_assert_eq!(printed.parse::<Recipe>().unwrap(), recipe, "{}", printed);
    }

    /// Any text at all either parses or says why not.
    #[test]
    fn odd_recipes_do_not_panic(text in "[a-z0-9:,+|. ]{0,60}") {
        if let Err(error) = text.parse::<Recipe>() {
            let word = format!("`{}`", error.word);
            prop_assert!(error.to_string().contains(&word));
        }
    }

    /// Stars are what comparing each document with all that are kept gives, in any memory.
    #[test]
    fn stars_equal_naive_stars(
        sets in collection(),
        measure in proptest::sample::select(SetMeasure::ALL.to_vec()),
        at_least in 0.05..1.0f64,
        memory in prop_oneof![Just(u64::MAX), 0..2000u64],
    ) {
        let query = ClusterQuery { measure, at_least, memory, sketcher: None };
        let folder = tempfile::tempdir().unwrap();
        let in_file = DigestStore::in_file(&folder.path().join("digests"), Vec::new()).unwrap();
        for mut store in [DigestStore::in_memory(), in_file] {
            fill(&mut store, &sets);
            let order: Vec<u32> = (0..).take(sets.len()).collect();
            let mut search = Stars::new(&store, &order, query, Watch::NOBODY).unwrap();
            let saved = folder.path().join("stars");
            while !search.is_done() {
                search.pass(Watch::NOBODY).unwrap();
                // As if it had been ended here.
                search.save(&saved).unwrap();
                search = Stars::new(&store, &order, query, Watch::NOBODY).unwrap();
                search.load(&saved).unwrap();
            }
            let found = search.fates();
            let mut kept: Vec<usize> = Vec::new();
            for (number, found) in found.iter().enumerate() {
                let mut best: Option<(usize, f64)> = None;
                for &other in &kept {
                    let score = score(&sets, measure, number, other);
                    if score >= at_least && best.is_none_or(|(_, b)| score > b) {
                        best = Some((other, score));
                    }
                }
                let expected = best.unwrap_or((number, 1.0));
                if best.is_none() {
                    kept.push(number);
                }
                prop_assert_eq!(found.star as usize, expected.0);
                prop_assert!((found.similarity - expected.1).abs() < 1e-12);
            }
        }
    }

    /// Components are what joining all pairs gives, in any memory.
    #[test]
    fn components_equal_naive_components(
        sets in collection(),
        measure in proptest::sample::select(SetMeasure::ALL.to_vec()),
        at_least in 0.05..1.0f64,
        memory in prop_oneof![Just(u64::MAX), 0..2000u64],
    ) {
        let mut store = DigestStore::in_memory();
        fill(&mut store, &sets);
        let order: Vec<u32> = (0..).take(sets.len()).collect();
        let query = ClusterQuery { measure, at_least, memory, sketcher: None };
        let found = components(&store, &order, &query, Watch::NOBODY).unwrap();
        let mut roots: Vec<usize> = (0..sets.len()).collect();
        for _ in 0..sets.len() {
            for left in 0..sets.len() {
                for right in 0..left {
                    if score(&sets, measure, left, right) >= at_least {
                        let least = roots[left].min(roots[right]);
                        roots[left] = least;
                        roots[right] = least;
                    }
                }
            }
        }
        let found: Vec<usize> = found.iter().map(|(root, _)| *root as usize).collect();
        prop_assert_eq!(found, roots);
    }

    /// All pairs of the index are what comparing the sets two by two gives.
    #[test]
    fn index_equals_naive_sets(
        documents in proptest::collection::vec(proptest::collection::vec(0..60u64, 0..40), 0..12),
        spread in prop_oneof![Just(1u64), Just(0x0123_4567_89ab_cdef)],
        measure in proptest::sample::select(SetMeasure::ALL.to_vec()),
        at_least in prop_oneof![Just(0.0), 0.0..1.0f64],
        old_from in 0..14u32,
        max_documents in proptest::option::of(2..6u32),
        steps in prop_oneof![Just(u64::MAX), 0..40u64],
    ) {
        let recipe = Recipe::named("default").unwrap();
        let bags: Vec<Vec<Digest>> = documents
            .iter()
            .map(|bag| bag.iter().map(|number| Digest(number.wrapping_mul(spread))).collect())
            .collect();
        let fingerprints: Vec<Fingerprint> = bags
            .iter()
            .map(|bag| Fingerprint::from_digests(recipe.id(), 0, bag.clone()))
            .collect();
        let index = Index::build(&fingerprints.iter().collect::<Vec<_>>(), Watch::NOBODY).unwrap();
        let query = PairQuery { measure, at_least, old_from, max_documents, steps };
        let found = index.pairs(&query, Watch::NOBODY).unwrap();
        let expected = naive(&bags, &query);
        prop_assert_eq!(&found.sizes, &expected.sizes);
        prop_assert_eq!(&found.shared_with_any, &expected.shared_with_any);
        // If lists are too long to be walked, only pairs below the threshold go uncounted.
        prop_assert!(found.below == Some(expected.below) || found.below.is_none() && steps < u64::MAX);
        let pairs: Vec<(u32, u32, Overlap)> =
            found.pairs.iter().map(|pair| (pair.left.0, pair.right.0, pair.overlap)).collect();
        prop_assert_eq!(pairs, expected.pairs);
        // Digests of one document only are in no pair.
        let shared = SharedLists::take(fingerprints.clone(), Watch::NOBODY).unwrap().pairs(&query, Watch::NOBODY).unwrap();
        prop_assert_eq!(&shared.shared_with_any, &found.shared_with_any);
        prop_assert_eq!(&shared.pairs, &found.pairs);
        // And every digest leads to its documents, with how often they have it.
        for digest in bags.iter().flatten() {
            let postings: Vec<(DocId, u32)> = index
                .postings_of(*digest)
                .iter()
                .map(|posting| (posting.document, posting.count))
                .collect();
            let mut expected = Vec::new();
            for (number, bag) in (0..).zip(&bags) {
                let count = bag.iter().filter(|other| *other == digest).count();
                if count > 0 {
                    expected.push((DocId(number), u32::try_from(count).unwrap()));
                }
            }
            prop_assert_eq!(postings, expected);
        }
        prop_assert!(index.postings_of(Digest(u64::MAX)).is_empty());
    }

    /// Inserting a word disturbs only the breakpoint chunks next to it.
    #[test]
    fn insertion_stays_local(at in 0..300usize, word in "[a-z]{1,9}") {
        let recipe: Recipe = "words | breakpoint:10 | fast:64 | all".parse().unwrap();
        let mut words = numbered_words(300);
        let before = digests(&recipe, &words.join(" "));
        words.insert(at, word);
        let after = digests(&recipe, &words.join(" "));
        // One chunk gives way to at most two, or at the seam of two chunks one of them changes.
        prop_assert!(before.difference(&after).count() <= 1);
        prop_assert!(after.difference(&before).count() <= 2);
    }

    /// Winnowing's guarantee: texts that share `winnow` chunks in a row share a selected digest.
    #[test]
    fn winnowing_finds_every_long_match(
        before in 0..40u32,
        behind in 0..40u32,
        other_before in 0..40u32,
        len in 1..7usize,
        window in 1..8usize,
    ) {
        let recipe: Recipe =
            format!("words | window:{len} | fast:64 | winnow:{window}").parse().unwrap();
        let common = numbered_words(len + window - 1).join(" ");
        let left = format!("{}{common}{}", noise('a', before), noise('b', behind));
        let right = format!("{}{common}{}", noise('c', other_before), noise('d', before));
        let fingerprint = |text: &str| recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
        let shared = overlap(&fingerprint(&left), &fingerprint(&right)).unwrap();
        prop_assert!(shared.shared >= 1, "{left} / {right}");
    }
}

struct Naive {
    pairs: Vec<(u32, u32, Overlap)>,
    below: u64,
    sizes: Vec<u32>,
    shared_with_any: Vec<u32>,
}

/// Every pair of sets, one by one.
fn naive(bags: &[Vec<Digest>], query: &PairQuery) -> Naive {
    let mut documents_with: BTreeMap<Digest, u32> = BTreeMap::new();
    let mut sets: Vec<BTreeSet<Digest>> = bags
        .iter()
        .map(|bag| bag.iter().copied().collect())
        .collect();
    for digest in sets.iter().flatten() {
        *documents_with.entry(*digest).or_default() += 1;
    }
    for set in &mut sets {
        let counts = |digest: &Digest| {
            query
                .max_documents
                .is_none_or(|most| documents_with[digest] <= most)
        };
        set.retain(counts);
    }
    let size = |set: &BTreeSet<Digest>| u32::try_from(set.len()).unwrap();
    let mut result = Naive {
        pairs: Vec::new(),
        below: 0,
        sizes: sets.iter().map(size).collect(),
        shared_with_any: sets
            .iter()
            .map(|set| {
                set.iter()
                    .filter(|digest| documents_with[digest] > 1)
                    .count()
            })
            .map(|count| u32::try_from(count).unwrap())
            .collect(),
    };
    for (left, set) in (0..).zip(&sets) {
        for (right, other) in (0..).zip(&sets) {
            let shared = u32::try_from(set.intersection(other).count()).unwrap();
            if left >= right || left >= query.old_from || shared == 0 {
                continue;
            }
            let overlap = Overlap {
                shared,
                left: size(set),
                right: size(other),
            };
            if query.measure.score(overlap) >= query.at_least {
                result.pairs.push((left, right, overlap));
            } else {
                result.below += 1;
            }
        }
    }
    result
}

fn digests(recipe: &Recipe, text: &str) -> BTreeSet<Digest> {
    recipe
        .fingerprint(text, &Key::PUBLIC, &NoCollection)
        .digests()
        .iter()
        .copied()
        .collect()
}

fn noise(letter: char, count: u32) -> String {
    let words: Vec<String> = (0..count)
        .map(|number| format!(" {letter}{number} "))
        .collect();
    words.concat()
}

/// Identical documents read exactly 1.0 under every preset, on text of many kinds.
#[test]
fn presets_read_one_for_identical_documents() {
    let prose = numbered_words(400).join(" ");
    let code = "for (int i = 0; i < 10; i++) {\n  sum += i;\n}\n\nreturn sum;\n";
    let chinese = "啊我们在城市的河边看见一座新的桥，它很长。";
    for preset in PRESETS {
        let recipe = preset.recipe();
        for text in [prose.as_str(), code, chinese, "five words are one chunk"] {
            let fingerprint = alone(&recipe, text);
            if fingerprint.digests().is_empty() {
                continue;
            }
            let shared = overlap(&fingerprint, &alone(&recipe, text)).unwrap();
            for measure in SetMeasure::ALL {
                let score = measure.score(shared);
                assert!(
                    (score - 1.0).abs() < f64::EPSILON,
                    "{}: {score}",
                    preset.name
                );
            }
        }
    }
}

/// Text sifting, section 3.2: how many clusters one edit touches.
mod edits {
    use super::*;

    /// What an edit of one word removes from the clusters of a text and adds to them, on average
    /// over keys and places.
    fn touched(chunker: &str, edit: impl Fn(&mut Vec<String>, usize)) -> (f64, f64) {
        const SAMPLES: u32 = 400;
        let recipe: Recipe = format!("words | {chunker} | keyed:64 | all")
            .parse()
            .unwrap();
        let (mut removed, mut added) = (0, 0);
        for sample in 0..SAMPLES {
            let key = key_of(sample.into());
            let digests = |words: &[String]| -> BTreeSet<Digest> {
                let text = words.join(" ");
                recipe
                    .fingerprint(&text, &key, &NoCollection)
                    .digests()
                    .iter()
                    .copied()
                    .collect()
            };
            let mut words = numbered_words(400);
            let before = digests(&words);
            // In the middle, so that no cluster that the edit touches meets the end of the text.
            edit(&mut words, 150 + sample as usize % 50);
            let after = digests(&words);
            removed += before.difference(&after).count();
            added += after.difference(&before).count();
        }
        (
            removed as f64 / f64::from(SAMPLES),
            added as f64 / f64::from(SAMPLES),
        )
    }

    fn add(words: &mut Vec<String>, at: usize) {
        words.insert(at, "new".to_owned());
    }

    fn delete(words: &mut Vec<String>, at: usize) {
        words.remove(at);
    }

    fn change(words: &mut [String], at: usize) {
        "new".clone_into(&mut words[at]);
    }

    #[track_caller]
    fn check((removed, added): (f64, f64), expected: (f64, f64), tolerance: f64) {
        assert!(
            (removed - expected.0).abs() <= tolerance && (added - expected.1).abs() <= tolerance,
            "removed {removed}, added {added}, expected {expected:?}"
        );
    }

    #[test]
    fn sliding_window() {
        check(touched("window:10", add), (9.0, 10.0), 0.0);
        check(touched("window:10", delete), (10.0, 9.0), 0.0);
        check(
            touched("window:10", |words, at| change(words, at)),
            (10.0, 10.0),
            0.0,
        );
    }

    /// Adding touches l − 1 clusters and makes one; deleting the other way round. A token is in nine
    /// clusters on average over 400 keys and places.
    ///
    /// For a changed word the paper adds the l − 1 clusters that held the old one to the l − 1 that
    /// hold the new one: 2l − 1 = 19 with its own. A share p of them is in both groups, so the
    /// clusters themselves are 1 + (l − 1)(2 − p) = 16.3.
    #[test]
    fn random_skipping() {
        check(touched("skip:10,0.3", add), (9.0, 10.0), 1.0);
        check(touched("skip:10,0.3", delete), (10.0, 9.0), 1.0);
        check(
            touched("skip:10,0.3", |words, at| change(words, at)),
            (16.3, 16.3),
            1.0,
        );
        let holding = clusters_holding("skip:10,0.3");
        assert!((1.0 + 2.0 * holding - 19.0).abs() <= 1.0, "{holding}");
    }

    /// In how many clusters a word is on average, besides the one that it starts.
    fn clusters_holding(chunker: &str) -> f64 {
        let recipe: Recipe = format!("words | {chunker} | keyed:64 | all")
            .parse()
            .unwrap();
        let tokens = recipe.tokenizer.tokens(&numbered_words(400).join(" "));
        let mut holding = 0;
        for key in 0..100 {
            let chunks = recipe.chunker.chunks(&tokens, &key_of(key), &NoCollection);
            let places = chunks.iter().flat_map(|chunk| chunk.indices().skip(1));
            holding += places.filter(|index| (150..200).contains(index)).count();
        }
        holding as f64 / (100.0 * 50.0)
    }

    /// One of two runs ignores the word, so the effect is that of the window, times b − 1. A changed
    /// word is in the other part half of the time, and then both runs see it.
    #[test]
    fn random_partitioning() {
        check(touched("partition:2,window:10", add), (9.0, 10.0), 0.0);
        check(touched("partition:2,window:10", delete), (10.0, 9.0), 0.0);
        check(
            touched("partition:2,window:10", |words, at| change(words, at)),
            (14.5, 14.5),
            0.8,
        );
    }
}

/// Frozen counts: a text finds itself in the collection that it was counted with.
#[test]
fn rarest_in_collection_finds_itself() {
    let recipe = Recipe::named("hz-rarest-in-collection").unwrap();
    let counted = recipe.counted().unwrap();
    let texts: Vec<String> = (0..5)
        .map(|n| noise('a', 50 + n) + &noise('b', 30))
        .collect();
    let mut counts = Counts::default();
    for text in &texts {
        counts.add(&counted.fingerprint(text, &Key::PUBLIC, &NoCollection));
    }
    assert_eq!(counts.documents(), 5);
    for text in &texts {
        let indexed = recipe.fingerprint(text, &Key::PUBLIC, &counts);
        let query = recipe.fingerprint(text, &Key::PUBLIC, &counts);
        let shared = overlap(&indexed, &query).unwrap();
        assert_eq!(shared.shared, shared.left);
        assert_eq!(shared.left, 15);
    }
}

/// Fingerprints of different recipes are not comparable; only the selector may differ.
#[test]
fn recipes_must_agree() {
    let text = numbered_words(100).join(" ");
    let fingerprint = |recipe: &str| {
        let recipe = Recipe::named(recipe).unwrap();
        recipe.fingerprint(&text, &Key::PUBLIC, &NoCollection)
    };
    let full = fingerprint("words+fold | window:3 | shiftxor:32 | all");
    assert_eq!(
        overlap(&full, &fingerprint("hz-first-r-sliding"))
            .unwrap()
            .shared,
        15
    );
    let error = overlap(&full, &fingerprint("hz-anchor"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("window:3") && error.contains("window:4"),
        "{error}"
    );
}
