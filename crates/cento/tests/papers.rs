//! What the papers print, held as tests. The tables that need their corpora are under `bench/papers`.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use cento::chunk::{Chunker, Skip};
use cento::{Key, NoCollection, Preset, Recipe};

/// The printed digests of a text's fingerprint.
fn printed(recipe: &Recipe, text: &str) -> Vec<String> {
    let (tokens, minutiae) = recipe.minutiae(text, &Key::PUBLIC, &NoCollection);
    minutiae
        .iter()
        .map(|minutia| recipe.digester.printed(&tokens, minutia))
        .collect()
}

fn chunk_texts(recipe: &Recipe, text: &str) -> Vec<String> {
    let tokens = recipe.tokenizer.tokens(text);
    let chunks = recipe.chunker.chunks(&tokens, &Key::PUBLIC, &NoCollection);
    chunks
        .iter()
        .map(|chunk| recipe.digester.chunk_text(&tokens, chunk))
        .collect()
}

/// Kellogg, sections 3 and 5.
#[test]
fn plagiarex_digests() {
    let recipe = Recipe::named("plagiarex").unwrap();
    for (words, digest) in [
        (
            "misunderstanding,superciliousness,incomprehensible,unextinguishable,trustworthiness",
            "UAdCWwBvuwqK8Ik9l9eVeA",
        ),
        (
            "encompassement,transformation,instrumentall,stubbornnesse,vnderstanding",
            "EibO4wGSFrYV+bJC2vxAHA",
        ),
        (
            "distemperancie,entertainement,distemperature,circumstances,indifferently",
            "t968ghH8IC3Yv3n8JYMSVQ",
        ),
        ("modified,of,at", "bpNwvsp4Gf50oihGc+ofLg"),
    ] {
        let text = words.replace(',', " ");
        assert_eq!(chunk_texts(&recipe, &text), [words]);
        assert_eq!(printed(&recipe, &text), [digest]);
        // Capitals, short words, repetition, digits and words with a comma change nothing.
        let noise = format!("Guildensterne of {text} at 1999 of Celestiallbed, interchangeably, a");
        if words.starts_with("modified") {
            continue;
        }
        assert_eq!(printed(&recipe, &noise), [digest], "{noise}");
    }
}

/// Kellogg, section 6: `plagiarex(6)` or `plagiarex(1)`.
#[test]
fn plagiarex_of_other_sizes() {
    let text = "the archive keeps every significant revision of a page";
    let one = Recipe::named("plagiarex-1").unwrap();
    assert_eq!(chunk_texts(&one, text), ["significant"]);
    let six = Recipe::named("plagiarex-6").unwrap();
    assert_eq!(
        chunk_texts(&six, text),
        ["significant,revision,archive,keeps,every,page"]
    );
}

/// Kellogg, section 6: "different programmers should arrive at the same values". The lists are
/// written by hand from the rules in docs/methods.md.
#[test]
fn plagiarex_in_other_scripts() {
    for (name, text, words) in [
        ("plagiarex-zh-3", "图书馆的档案，馆藏。", "图,书,馆"),
        (
            "plagiarex-ja",
            "図書館のアーカイブは、毎日更新される。",
            "毎,日,図,新,書",
        ),
        (
            "plagiarex-ko",
            "도서관은 매일 새로운 기록을 보관한다. 그 기록은 오래간다!",
            "도서관은,보관한다,오래간다,새로운,기록을",
        ),
        (
            "plagiarex-latin",
            "Der Bibliothekar prüft täglich größere Bestände, überall; naïveté",
            "täglich,größere,überall,naïveté,prüft",
        ),
        (
            "plagiarex-cyrillic",
            "Архив хранит каждую значительную правку страницы, и история: сохраняется.",
            "значительную,сохраняется,история,хранит,каждую",
        ),
        (
            "plagiarex-greek",
            "Το αρχείο φυλάσσει κάθε σημαντική αλλαγή· της σελίδας, ναι",
            "σημαντική,φυλάσσει,αρχείο,αλλαγή,κάθε",
        ),
        (
            "plagiarex-arabic",
            "يَحفظ الأرشيف كلَّ تغيير مهم في الصفحة؛ ثم يقارنها.",
            "الأرشيف,يقارنها,الصفحة,تغيير,يحفظ",
        ),
        (
            "plagiarex-devanagari",
            "पुस्तकालय हर महत्वपूर्ण परिवर्तन, सहेजता है। १२ बार",
            "महत्वपूर्ण,पुस्तकालय,सहेजता,बार,हर",
        ),
    ] {
        let recipe = Recipe::named(name).unwrap();
        assert_eq!(chunk_texts(&recipe, text), [words], "{name}");
    }
}

/// Kellogg, section 6: "allowance, too, should be made for documents with a mix of character sets".
#[test]
fn a_mixed_text_has_the_digest_of_every_script() {
    let english = "the archive keeps every significant revision";
    let russian = "архив хранит каждую значительную правку";
    let chinese = "图书馆的档案馆藏";
    let digest = |name: &str, text: &str| printed(&Recipe::named(name).unwrap(), text);
    let mixed = digest(
        "plagiarex-mixed",
        &format!("{english}\n{russian}\n{chinese}"),
    );
    let single = [
        digest("plagiarex", english),
        digest("plagiarex-cyrillic", russian),
        digest("plagiarex-zh", chinese),
    ];
    assert_eq!(mixed, single.concat());
    // One of them changes, the others stay.
    let other = digest("plagiarex-mixed", &format!("{english}\n{chinese}"));
    assert_eq!(other, [&single[0][..], &single[2][..]].concat());
}

/// Masaryk, section 2.2: the first four sorted chunks of its own paragraph.
#[test]
fn masaryk_chunks() {
    let recipe = Recipe::named("masaryk").unwrap();
    let chunks = chunk_texts(
        &recipe,
        "Additionally, we sort the words inside each chunk.",
    );
    assert_eq!(
        chunks,
        [
            "additionally sort the we words",
            "inside sort the we words",
            "each inside sort the words",
            "chunk each inside the words",
        ]
    );
}

/// Masaryk, section 4.2: the upper bits of the same MD5.
#[test]
fn masaryk_bits_are_upper_bits() {
    let text = "five words are one chunk";
    let digits = |name: &str| printed(&Recipe::named(name).unwrap(), text).remove(0);
    let all = digits("masaryk");
    assert_eq!(all.len(), 16);
    assert_eq!(digits("masaryk-24"), all[..6]);
    assert_eq!(digits("masaryk-28"), all[..7]);
}

/// Finkel et al., section 2.3: ten leading hex digits of MD5.
#[test]
fn signatures_have_ten_hex_digits() {
    let recipe: Recipe = "words+ascii+fold | window:1 | md5:10hex | all"
        .parse()
        .unwrap();
    // MD5 of "abc" is 900150983cd24fb0d6963f7d28e17f72 (RFC 1321).
    assert_eq!(printed(&recipe, "ABC"), ["900150983c"]);
}

/// Text sifting, table 1: all 15 clusters of a document of four words.
#[test]
fn fifteen_clusters() {
    let recipe = Recipe::named("sift").unwrap();
    let tokens = recipe.tokenizer.tokens("quick brown fox jumps");
    let mut clusters: BTreeSet<Vec<u32>> = BTreeSet::new();
    for key in 0..400u128 {
        for len in 1..=4 {
            let skip = Skip {
                len: NonZeroU32::new(len),
                add: 0.3,
                stop: 0.3,
            };
            let key = Key::new(key.to_le_bytes());
            for chunk in Chunker::Skip(skip).chunks(&tokens, &key, &NoCollection) {
                let complete = chunk.len() == len as usize;
                // A text too short for any cluster is one chunk, whatever the length.
                assert!(complete || chunk.len() == 4);
                clusters.insert(chunk.indices().collect());
            }
        }
    }
    let words = ["quick", "brown", "fox", "jumps"];
    let printed: BTreeSet<String> = clusters
        .iter()
        .map(|cluster| {
            cluster
                .iter()
                .map(|&i| words[i as usize])
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    let expected = [
        "quick",
        "brown",
        "fox",
        "jumps",
        "quick brown",
        "quick fox",
        "quick jumps",
        "brown fox",
        "brown jumps",
        "fox jumps",
        "quick brown fox",
        "quick brown jumps",
        "quick fox jumps",
        "brown fox jumps",
        "quick brown fox jumps",
    ];
    assert_eq!(printed, expected.map(str::to_owned).into());
}

/// Every row of the list of methods has its preset.
#[test]
fn every_method_has_a_preset() {
    let names = "default se se-sqrt ov se-code plagiarex plagiarex-3 plagiarex-zh hz-full \
        hz-all-substrings hz-first-r hz-first-r-sliding hz-random hz-rarest-in-document \
        hz-rarest-in-collection hz-rarest-prefix hz-anchor hz-kth-in-sentence hz-kth-sentence \
        hz-kth-in-paragraph masaryk masaryk-24 masaryk-28 sift-window sift-skip sift-partition sift \
        sift-window-min sift-skip-min sift-partition-min sift-min mail-sift mail scam cops koala shingle sif \
        imatch winnow rank rank-passages sift-hybrid";
    for name in names.split_whitespace() {
        let preset = Preset::named(name).unwrap_or_else(|| panic!("no preset {name}"));
        assert!(
            !preset.paper.is_empty() && !preset.section.is_empty(),
            "{name}"
        );
    }
}
