//! The numbers that the steps go by.

/// The numbers that the steps go by; [`Settings::default`] is what was measured to be good.
///
/// docs/methods.md says where each comes from and what other values give.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// A run of so many equal words is a passage by itself, and what is around it must be alike
    /// without its help.
    pub long_run: u32,
    /// A run of so many equal words that is in no other passage is one.
    pub lone_run: u32,
    /// Of the words that such a run needs, so many must be different and have letters.
    pub run_different: f64,
    /// A unit is figures, and like no other, if fewer of its words are different and have letters.
    pub unit_different: f64,
    /// Units are alike from this cosine of their weighted terms on,
    pub unit_cosine: f64,
    /// and from this share of common terms (Dice) on.
    pub unit_dice: f64,
    /// How many units without a seed a chain may bridge, on either side.
    pub gap: u32,
    /// The same in search of summaries, which take a sentence here and there.
    pub summary_gap: u32,
    /// The two sides of a fragment must be alike as a whole, by the cosine of their terms.
    pub fragment_cosine: f64,
    /// A summary's original is so many times longer than it,
    pub summary_ratio: f64,
    /// makes up so much of its text,
    pub summary_cover: f64,
    /// has something in common with so much of the summary's sentences,
    pub summary_seeded: f64,
    /// and no ordinary passage has so much of the summary already.
    pub summary_explained: f64,
    /// Neighbours that are at most so many words apart on either side are one passage, if one of
    /// them is a long run,
    pub join_gap: u32,
    /// and the others are so much alike.
    pub join_cosine: f64,
    /// What a passage must have in common, counted in terms that occur once on either side. A more
    /// frequent term counts for less.
    pub evidence: f64,
    /// The same where the texts have a long run in common: they are often of one publisher, and
    /// have the same notices and phrases.
    pub evidence_beside_run: f64,
    /// How paraphrased passages are given.
    pub paraphrases: Paraphrases,
    /// A sentence of a paraphrased passage that is less like its counterpart is not given,
    pub least_alike: f64,
    /// nor one whose words mostly differ and that has less evidence.
    pub least_evidence: f64,
}

impl Settings {
    /// The default, but for people.
    pub(crate) fn by_sentence() -> Settings {
        Settings {
            paraphrases: Paraphrases::BySentence,
            ..Settings::default()
        }
    }
}

/// How a passage is given whose words mostly differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paraphrases {
    /// As one, from its first word to its last: what evaluations ask for.
    #[default]
    Whole,
    /// Sentence by sentence: what people are shown.
    BySentence,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            long_run: 40,
            lone_run: 15,
            run_different: 0.4,
            unit_different: 0.25,
            unit_cosine: 0.27,
            unit_dice: 0.33,
            gap: 4,
            summary_gap: 30,
            fragment_cosine: 0.34,
            summary_ratio: 3.0,
            summary_cover: 0.5,
            summary_seeded: 0.5,
            summary_explained: 0.85,
            join_gap: 30,
            join_cosine: 0.4,
            evidence: 11.0,
            evidence_beside_run: 18.0,
            paraphrases: Paraphrases::default(),
            least_alike: 0.3,
            least_evidence: 6.0,
        }
    }
}
