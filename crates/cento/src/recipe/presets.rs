//! The methods of the papers, one line each. A preset never changes its meaning once released; an
//! improvement gets a new name.

use std::borrow::Cow;

use super::Recipe;
use crate::digest::Hash;
use crate::measure::{Measure, Variation};
use crate::token::Tokenizer;

/// A recipe with a name and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What it is called.
    pub name: Cow<'static, str>,
    /// Its text form.
    pub text: Cow<'static, str>,
    /// The paper, or "Cento".
    pub paper: &'static str,
    /// The section of the paper.
    pub section: &'static str,
    /// What its paper scores by; `None` for a style, which has distances.
    pub measure: Option<Measure>,
    /// What it is, in one sentence.
    pub summary: &'static str,
}

impl Preset {
    /// The preset of a name.
    pub fn named(name: &str) -> Option<Preset> {
        find(name)
    }

    /// The recipe itself.
    ///
    /// # Panics
    ///
    /// Never for the presets that this crate makes: a test parses them all.
    pub fn recipe(&self) -> Recipe {
        self.text.parse().expect("presets parse")
    }

    /// The preset with another measure than the usual one, or with none.
    pub(crate) const fn by(mut self, measure: Option<Measure>) -> Preset {
        self.measure = measure;
        self
    }

    /// Whether this is the method of a recipe, by the preset's own hash or by the keyed one that a
    /// registry puts in its place; a dictionary makes no other method of it.
    fn is_method_of(&self, recipe: &Recipe) -> bool {
        let mut own = self.recipe();
        if recipe.digester.hash == Hash::Keyed {
            own = own.keyed();
        }
        if let (Tokenizer::Words(own), Tokenizer::Words(words)) =
            (&mut own.tokenizer, &recipe.tokenizer)
        {
            own.keep.clone_from(&words.keep);
        }
        own == *recipe
    }
}

impl Recipe {
    /// What the paper scores by that the recipe comes from, whether it was given by its name or as a
    /// text form; for a recipe that is none of the presets, [`Measure::MaxContainment`].
    ///
    /// With the keyed hash, `masaryk` is the same recipe as `default`, and counts as that.
    pub fn measure(&self) -> Measure {
        let preset = PRESETS.iter().find(|preset| preset.is_method_of(self));
        preset.and_then(|preset| preset.measure).unwrap_or_default()
    }
}

pub(crate) const FINKEL: &str = "Finkel, Zaslavsky, Monostori & Schmidt, Signature extraction for overlap detection in documents";
const KELLOGG: &str = "Kellogg, Plagiarex for digesting website text";
const HOAD: &str = "Hoad & Zobel, Methods for identifying versioned and plagiarized documents";
const MASARYK: &str =
    "Kasprzak, Brandejs, Křipač & Šmerk, Distributed system for discovering similar documents";
const SIFTING: &str = "Text sifting";

/// Finkel et al., section 6: "(5) computing symmetric similarity".
const SYMMETRIC: Option<Measure> = Some(Measure::Symmetric);
/// Hoad & Zobel: minutiae in common, over what the query has in common with itself. Masaryk, section
/// 2.1: the percentage of chunks of A that are in B.
const CONTAINMENT: Option<Measure> = Some(Measure::Containment);
/// Hoad & Zobel: "Variation 5 is much the most effective."
const IDENTITY: Option<Measure> = Some(Measure::Identity(Variation::Five));

/// Programs are made of few idioms that all have, and those say nothing.
const RARE: Option<Measure> = Some(Measure::RareContainment);

/// Every preset with a fixed name, in the order of the papers. For every N there is
/// `plagiarex-N`, and `plagiarex-zh-N` and so on.
pub const PRESETS: &[Preset] = &[
    preset(
        "default",
        "words+fold | window:5 | fast:64+sorted | all",
        "Cento",
        "docs/choosing.md",
        "Every five words in a row, whatever their order.",
    ),
    preset(
        "versions",
        "words+fold | window:8 | fast:64+sorted | all",
        "Cento",
        "docs/choosing.md",
        "Every eight words in a row, whatever their order: tells versions from relatives.",
    ),
    preset(
        "code",
        "structure:3+letters | window:8 & window:12 | fast:64+sorted | letters:3",
        "Cento",
        "docs/programs.md",
        "Programs: eight and twelve tokens in a row of a normal form; what few have counts for more.",
    )
    .by(RARE),
    preset(
        "code-winnow",
        "structure:3 | window:8 | fast:64 | winnow:4",
        "Cento, after Schleimer, Wilkerson & Aiken, winnowing",
        "docs/programs.md",
        "Programs: the smallest digest of every four windows of eight tokens of the normal form.",
    )
    .by(RARE),
    preset(
        "se",
        "words+ascii | breakpoint:10 | md5:40 | variance:0.1",
        FINKEL,
        "2",
        "Signature extraction: hashed breakpoints, chunks of about the median length.",
    )
    .by(SYMMETRIC),
    preset(
        "se-sqrt",
        "words+ascii | breakpoint:10 | md5:40 | sqrt",
        FINKEL,
        "2.2",
        "Signature extraction that keeps only the square root of the number of chunks.",
    )
    .by(SYMMETRIC),
    preset(
        "ov",
        "words+ascii | window:10 | md5:40 | all",
        FINKEL,
        "4.1",
        "Overlapping chunks of ten words.",
    )
    .by(SYMMETRIC),
    preset(
        "se-code",
        "code | paragraph | md5:40+concat | variance:0.1",
        FINKEL,
        "2.1",
        "Signature extraction for programs: paragraphs of token classes.",
    )
    .by(SYMMETRIC),
    preset(
        "plagiarex",
        "lowercase | top:5 | md5:128+comma+base64 | all",
        KELLOGG,
        "2",
        "One digest of the five longest lower-case words.",
    ),
    preset(
        "plagiarex-zh",
        "hanzi | top:5,gb2312 | md5:128+comma+base64 | all",
        KELLOGG,
        "4.1",
        "One digest of the five Chinese characters that come last in GB 2312.",
    ),
    preset(
        "plagiarex-ja",
        "kanji | top:5,jisx0208 | md5:128+comma+base64 | all",
        KELLOGG,
        "6",
        "One digest of the five Japanese characters that come last in JIS X 0208.",
    ),
    preset(
        "plagiarex-ko",
        "lowercase:hangul | top:5 | md5:128+comma+base64 | all",
        KELLOGG,
        "6",
        "One digest of the five longest Korean words.",
    ),
    preset(
        "plagiarex-latin",
        "lowercase:latin | top:5 | md5:128+comma+base64 | all",
        KELLOGG,
        "6",
        "One digest of the five longest lower-case words, letters with accents included.",
    ),
    preset(
        "plagiarex-cyrillic",
        "lowercase:cyrillic | top:5 | md5:128+comma+base64 | all",
        KELLOGG,
        "6",
        "One digest of the five longest lower-case words in Cyrillic letters.",
    ),
    preset(
        "plagiarex-greek",
        "lowercase:greek | top:5 | md5:128+comma+base64 | all",
        KELLOGG,
        "6",
        "One digest of the five longest lower-case words in Greek letters.",
    ),
    preset(
        "plagiarex-arabic",
        "lowercase:arabic | top:5 | md5:128+comma+base64 | all",
        KELLOGG,
        "6",
        "One digest of the five longest words in Arabic letters, vowel signs aside.",
    ),
    preset(
        "plagiarex-devanagari",
        "lowercase:devanagari | top:5 | md5:128+comma+base64 | all",
        KELLOGG,
        "6",
        "One digest of the five longest words in Devanagari.",
    ),
    preset(
        "plagiarex-mixed",
        "scripts | top:5,scripts | md5:128+comma+base64 | all",
        KELLOGG,
        "6",
        "For every script of a text the digest that the recipe for this script makes.",
    ),
    preset(
        "hz-full",
        "words+fold | window:3 | shiftxor:32 | all",
        HOAD,
        "Full fingerprinting",
        "Every three words in a row.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-all-substrings",
        "words+fold | window:3,3 | shiftxor:32 | all",
        HOAD,
        "Positional selection",
        "Every three words, without overlap.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-first-r",
        "words+fold | window:3,3 | shiftxor:32 | first:15",
        HOAD,
        "Positional selection",
        "The first 15 chunks of three words, without overlap.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-first-r-sliding",
        "words+fold | window:3 | shiftxor:32 | first:15",
        HOAD,
        "Positional selection",
        "The first 15 overlapping chunks of three words.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-random",
        "words+fold | window:3 | shiftxor:32 | random:15",
        HOAD,
        "Positional selection",
        "15 chunks of three words at random, the same for the same text.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-rarest-in-document",
        "words+fold | window:3 | shiftxor:32 | rarest-in-document:15",
        HOAD,
        "Frequency-based strategies",
        "The 15 chunks that are rarest in the document.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-rarest-in-collection",
        "words+fold | window:3 | shiftxor:32 | rarest-in-collection:15",
        HOAD,
        "Frequency-based strategies",
        "The 15 chunks that are rarest in the collection.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-rarest-prefix",
        "words+fold | window:3 | shiftxor:32 | rarest-prefix:3,15",
        HOAD,
        "Frequency-based strategies",
        "The 15 chunks whose first word begins with the rarest three letters.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-anchor",
        "words+fold | window:4 | shiftxor:32 | anchors",
        HOAD,
        "Structure-based strategies",
        "Chunks of four words that begin at one of 35 two-letter anchors.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-kth-in-sentence",
        "words+fold | window:3 | shiftxor:32 | kth-in-sentence:5",
        HOAD,
        "Structure-based strategies",
        "The chunk at the fifth word of every sentence.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-kth-sentence",
        "words+fold | window:3 | shiftxor:32 | kth-sentence:5",
        HOAD,
        "Structure-based strategies",
        "The chunk at the start of every fifth sentence.",
    )
    .by(CONTAINMENT),
    preset(
        "hz-kth-in-paragraph",
        "words+fold | window:3 | shiftxor:32 | kth-in-paragraph:15",
        HOAD,
        "Structure-based strategies",
        "The chunk at the fifteenth word of every paragraph.",
    )
    .by(CONTAINMENT),
    preset(
        "rank",
        "words+fold+stop | window:1 | fast:64 | all",
        HOAD,
        "Ranking",
        "Single words without stop words, for the ranking measures.",
    )
    .by(IDENTITY),
    preset(
        "rank-passages",
        "words+fold+stop | window:1 | fast:64 | all | passages:50,25",
        HOAD,
        "Further experiments",
        "As rank, in passages of 50 words every 25: how many passages of one are in the other.",
    )
    .by(IDENTITY),
    preset(
        "masaryk",
        "words+fold | window:5 | md5:64+sorted | all",
        MASARYK,
        "2.2, 4.2",
        "Every five words in a row, sorted, under 64 bits of MD5.",
    )
    .by(CONTAINMENT),
    preset(
        "masaryk-24",
        "words+fold | window:5 | md5:24+sorted | all",
        MASARYK,
        "4.2",
        "As masaryk, under 24 bits.",
    )
    .by(CONTAINMENT),
    preset(
        "masaryk-28",
        "words+fold | window:5 | md5:28+sorted | all",
        MASARYK,
        "4.2",
        "As masaryk, under 28 bits.",
    )
    .by(CONTAINMENT),
    preset(
        "sift-window",
        "words+fold | window:10 | keyed:64 | modulo:10",
        SIFTING,
        "2.3, 3.4",
        "A tenth of the windows of ten words, chosen by a secret key.",
    ),
    preset(
        "sift-window-min",
        "words+fold | window:10 | keyed:64 | smallest:100",
        SIFTING,
        "2.3, 3.4",
        "The 100 smallest keyed digests of windows of ten words.",
    ),
    preset(
        "sift-skip",
        "words+fold | skip:10,0.3 | keyed:64 | modulo:10",
        SIFTING,
        "2.2, 3.4",
        "Clusters of ten words that skip others as the key says.",
    ),
    preset(
        "sift-skip-min",
        "words+fold | skip:10,0.3 | keyed:64 | smallest:100",
        SIFTING,
        "2.2, 3.4",
        "As sift-skip, the 100 smallest digests.",
    ),
    preset(
        "sift-partition",
        "words+fold | partition:2,window:10 | keyed:64 | modulo:10",
        SIFTING,
        "2.2, 3.4",
        "Windows of ten words over each half of the vocabulary.",
    ),
    preset(
        "sift-partition-min",
        "words+fold | partition:2,window:10 | keyed:64 | smallest:100",
        SIFTING,
        "2.2, 3.4",
        "As sift-partition, the 100 smallest digests.",
    ),
    preset(
        "sift",
        "words+fold | partition:2,skip:10,0.3 | keyed:64 | modulo:10",
        SIFTING,
        "2.2, 3.4",
        "Partitioning and skipping together.",
    ),
    preset(
        "sift-min",
        "words+fold | partition:2,skip:10,0.3 | keyed:64 | smallest:100",
        SIFTING,
        "2.2, 3.4",
        "As sift, the 100 smallest digests.",
    ),
    preset(
        "sift-hybrid",
        "words+fold | window:10 & skip:10,0.3 | keyed:64 | modulo:20",
        SIFTING,
        "4",
        "Half of the fingerprint from windows, half from skipping.",
    ),
    preset(
        "sift-guard",
        "words+fold+stop | skip:3,0.2 | keyed:64 | modulo:4",
        "Cento, after Text sifting",
        "docs/choosing.md",
        "Short clusters far apart, without stop words: holds out against the attacks of the paper.",
    ),
    preset(
        "mail-sift",
        "letters+canonical | skip:10,0.3 | keyed:64 | modulo:10",
        SIFTING,
        "1.1",
        "Bulk mail in disguise: clusters of letters in a canonical form.",
    ),
    preset(
        "mail",
        "letters+canonical | window:7 | keyed:64 | sample:256",
        "Cento, after Text sifting",
        "docs/mail.md",
        "Bulk mail in disguise: at most 256 of the windows of seven letters in a canonical form.",
    ),
    preset(
        "scam",
        "words+fold | window:1 | fast:64 | all",
        "Shivakumar & Garcia-Molina, SCAM; cited by Finkel et al. and Hoad & Zobel",
        "5",
        "Single words.",
    ),
    preset(
        "cops",
        "words+fold | sentence:5 | fast:64 | all",
        "Brin, Davis & Garcia-Molina, COPS; cited by Hoad & Zobel",
        "Previous work on fingerprinting",
        "Sentences joined up to hashed breakpoints.",
    ),
    preset(
        "koala",
        "letters+consonants | window:20 | fast:64 | smallest:100",
        "Heintze, Koala; cited by Finkel et al. and Hoad & Zobel",
        "5",
        "The 100 smallest digests of 20 consonants in a row.",
    ),
    preset(
        "shingle",
        "words+fold | window:10 | fast:64 | modulo:25",
        "Broder, Glassman, Manasse & Zweig; cited by Finkel et al. and Hoad & Zobel",
        "5",
        "Windows of ten words whose digest is 0 modulo 25.",
    ),
    preset(
        "sif",
        "chars | bytes:50 | fast:64 | anchors:ante,ever,ical,ight,ould,tion",
        "Manber, sif; cited by Finkel et al. and Hoad & Zobel",
        "5",
        "The 50 bytes that follow each of six anchors.",
    ),
    preset(
        "imatch",
        "words+fold | band:0.1,0.9 | md5:128+sorted | all",
        "Chowdhury, Frieder, Grossman & McCabe, I-Match; cited by Hoad & Zobel",
        "Previous work on fingerprinting",
        "One digest of the words that are neither common nor rare in the collection.",
    ),
    preset(
        "winnow",
        "words+fold | window:5 | fast:64 | winnow:4",
        "Schleimer, Wilkerson & Aiken, winnowing; cited in Text sifting",
        "1.2",
        "The smallest digest of every four windows of five words.",
    ),
];

pub(crate) const fn preset(
    name: &'static str,
    text: &'static str,
    paper: &'static str,
    section: &'static str,
    summary: &'static str,
) -> Preset {
    Preset {
        name: Cow::Borrowed(name),
        text: Cow::Borrowed(text),
        paper,
        section,
        measure: Some(Measure::MaxContainment),
        summary,
    }
}

/// The preset of a name, `plagiarex-N` and the like included.
fn find(name: &str) -> Option<Preset> {
    let fixed = |name: &str| PRESETS.iter().find(|preset| preset.name == name).cloned();
    fixed(name).or_else(|| {
        let (family, words) = name.rsplit_once('-')?;
        let count: std::num::NonZeroU32 = words.parse().ok()?;
        let usual = fixed(family).filter(|preset| preset.paper == KELLOGG)?;
        let summary = "As the recipe of that name without a number, with N words or characters.";
        Some(Preset {
            name: format!("{family}-{count}").into(),
            text: usual.text.replace("top:5", &format!("top:{count}")).into(),
            section: "6",
            summary,
            ..usual
        })
    })
}

/// The preset whose name looks most like what was typed, if any does.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let styles = &crate::style::PRESETS;
    let names = PRESETS
        .iter()
        .chain(styles)
        .map(|preset| match &preset.name {
            Cow::Borrowed(name) => *name,
            Cow::Owned(_) => unreachable!("presets with fixed names are constants"),
        });
    let (distance, nearest) = names.map(|known| (edits(name, known), known)).min()?;
    (distance <= 1 + name.len() / 4).then_some(nearest)
}

/// Levenshtein's distance in bytes.
fn edits(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (above, a) in left.bytes().enumerate() {
        let mut diagonal = above;
        row[0] = above + 1;
        for (column, b) in right.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_parse_and_print_as_they_are_written() {
        for preset in PRESETS {
            assert_eq!(preset.recipe().to_string(), preset.text, "{}", preset.name);
        }
        assert_eq!(Recipe::default(), Recipe::named("default").unwrap());
        let longer = find("plagiarex-7").unwrap();
        assert_eq!(longer.recipe().to_string(), longer.text);
        let chinese = find("plagiarex-zh-3").unwrap();
        assert_eq!(
            chinese.text,
            "hanzi | top:3,gb2312 | md5:128+comma+base64 | all"
        );
        assert_eq!(chinese.measure, Some(Measure::MaxContainment));
        for name in ["plagiarex-0", "plagiarex-x", "plagiarex-7-7", "masaryk-5"] {
            assert!(find(name).is_none(), "{name}");
        }
    }

    #[track_caller]
    fn check_measure(recipe: &str, expected: Measure) {
        let recipe = Recipe::named(recipe).unwrap();
        assert_eq!(recipe.measure(), expected, "{recipe}");
    }

    #[test]
    fn a_recipe_has_the_measure_of_its_paper() {
        for preset in PRESETS {
            let recipe = preset.recipe();
            let measure = preset.measure.unwrap();
            assert_eq!(recipe.measure(), measure, "{}", preset.name);
            // Keyed, the recipes of Kasprzak et al. and of Cento are the same.
            if preset.name != "masaryk" {
                assert_eq!(recipe.keyed().measure(), measure, "{} keyed", preset.name);
            }
        }
        let masaryk = Recipe::named("masaryk").unwrap().keyed();
        assert_eq!(masaryk, Recipe::default().keyed());
        assert_eq!(masaryk.measure(), Measure::MaxContainment);
        check_measure(
            "words+ascii|breakpoint:10|md5:40|variance:0.1",
            Measure::Symmetric,
        );
        check_measure(
            "words+ascii | breakpoint:9 | md5:40 | variance:0.1",
            Measure::MaxContainment,
        );
        check_measure("plagiarex-7", Measure::MaxContainment);
        let mut with_dictionary = Recipe::named("masaryk-24").unwrap();
        let Tokenizer::Words(words) = &mut with_dictionary.tokenizer else {
            panic!("{with_dictionary}");
        };
        words.keep = Some(words.list("canal years"));
        assert_eq!(with_dictionary.measure(), Measure::Containment);
        assert_eq!(with_dictionary.keyed().measure(), Measure::Containment);
    }

    #[test]
    fn typing_errors_get_a_suggestion() {
        assert_eq!(nearest("masarik"), Some("masaryk"));
        assert_eq!(nearest("hz-ful"), Some("hz-full"));
        assert_eq!(nearest("styel-full"), Some("style-full"));
        assert_eq!(nearest("completely different"), None);
    }
}
