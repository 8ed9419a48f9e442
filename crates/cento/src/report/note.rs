//! What a person should know about a result.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Something worth knowing about a result, with the facts it rests on.
///
/// In JSON it is the sentence that [`Display`](fmt::Display) gives; read back it is
/// [`Note::Other`]. A sentence speaks of no command and no flag, so that every front end can show
/// it; [`Note::remedy`] says which option it is about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// There are fewer than two documents.
    NothingToCompare,
    /// A document is the only one of its kind: a text among programs, or a program among texts.
    OnlyOne {
        /// Its id.
        document: String,
        /// Whether it is a program.
        is_program: bool,
    },
    /// The measure may give a score above 1.
    NotIdeal {
        /// Its name.
        measure: String,
    },
    /// Pairs below the threshold were not counted, because some text is in so many documents.
    BelowNotCounted,
    /// Digests that many documents have do not count.
    TooCommon {
        /// How many digests.
        digests: u64,
        /// In more documents than this.
        documents: u32,
        /// What made this the limit.
        limit: CommonLimit,
    },
    /// A document has no digest that counts.
    Empty {
        /// Its id.
        document: String,
    },
    /// Pairs that were found and are not in the list.
    NotListed {
        /// How many.
        pairs: u64,
    },
    /// Only pairs that sketches led to were looked at.
    Approximate {
        /// How many those are.
        candidates: u64,
    },
    /// The texts of a pair were not aligned: one could not be had, or they are too long.
    NotAligned {
        /// The ids of the two.
        pair: [String; 2],
    },
    /// Pairs as in [`Note::NotAligned`] that have no note of their own.
    MoreNotAligned {
        /// How many.
        pairs: u64,
    },
    /// The aligner reached its limit.
    Limited {
        /// The ids of the two.
        pair: [String; 2],
        /// The aligner's name.
        aligner: String,
    },
    /// Pairs as in [`Note::Limited`] that have no note of their own.
    MoreLimited {
        /// How many.
        pairs: u64,
    },
    /// Text that many documents have still counts.
    CommonCounts {
        /// How many words it has.
        words: u64,
        /// How many documents have it,
        having: u32,
        /// of how many.
        documents: u32,
    },
    /// Pairs that rest on too few digests.
    Thin {
        /// How many.
        pairs: u64,
        /// How many digests the first of them shares,
        shared: u32,
        /// of how many.
        of: u32,
    },
    /// A document that was verified is in the registry itself; that does not count.
    OwnVersions {
        /// Its id.
        document: String,
        /// How many versions of it.
        versions: u32,
        /// How much of the document is in the version that has the most of it.
        containment: f64,
    },
    /// The texts of registered documents are not at hand, so what they share is estimated.
    Estimated,
    /// Registered documents that share only text that many have, and are not listed.
    OnlyStandard {
        /// The id of the document that was verified.
        document: String,
        /// How many.
        documents: u32,
    },
    /// The registry keeps no stretches.
    NoStretches,
    /// A document that was verified has no digest that counts.
    NothingToVerify {
        /// Its id.
        document: String,
    },
    /// A compressor saw less than both texts at a time.
    Forgets {
        /// Its name.
        compressor: String,
        /// How many bytes it sees.
        window: u64,
        /// How many the texts have.
        bytes: u64,
        /// The compressors that would see all of them.
        others: Vec<&'static str>,
    },
    /// Texts are so short that their compressed lengths say little.
    TooShortToCompress {
        /// The compressor's name.
        compressor: String,
    },
    /// Templates have no effect, because a document has one digest only.
    TemplatesHaveNoEffect,
    /// Fingerprints that could have a secret key have the public one.
    PublicKey,
    /// There are too few documents to say what scores mean.
    TooFewForAdvice,
    /// The documents do not tell what unrelated ones reach.
    NoAdvice,
    /// The text of a registered document could not be had.
    TextMissing {
        /// Its id.
        document: String,
        /// Why not.
        reason: String,
    },
    /// Names were replaced by codes.
    Anonymized {
        /// How many names in texts.
        places: u64,
    },
    /// Registered documents that the reader may not see.
    Hidden {
        /// How many.
        documents: u64,
    },
    /// Shares are the lower ends of bands.
    Bands,
    /// How files were put together to documents.
    Layout(String),
    /// Anything else, such as the sentence of a note that was read from JSON.
    Other(String),
}

/// Why digests that many documents have do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonLimit {
    /// [`ScanSettings::max_documents`](crate::ScanSettings::max_documents).
    MaxDocuments,
    /// [`Discount::Common`](crate::discount::Discount::Common) is left out.
    LeftOut,
}

/// The option that a note or a remark in a text is about: what acted, or what would help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// How many pairs are listed.
    Top,
    /// How many documents may have a digest that counts.
    MaxDocuments,
    /// Leaving out what many documents have.
    LeaveOutCommon,
    /// Listing what shares only text that many documents have.
    IncludeStandard,
    /// Which compressor is used, or none.
    Compressor,
    /// The texts whose content does not count.
    Templates,
    /// The secret key.
    Key,
    /// The report as JSON, which has what a screen has no room for.
    Json,
    /// What comes before the ids of documents in a registry.
    IdPrefix,
}

impl Note {
    /// The option that it is about, if there is one.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Note::NotListed { .. } => Some(Remedy::Top),
            Note::TooCommon { limit, .. } => Some(match limit {
                CommonLimit::MaxDocuments => Remedy::MaxDocuments,
                CommonLimit::LeftOut => Remedy::LeaveOutCommon,
            }),
            Note::CommonCounts { .. } => Some(Remedy::LeaveOutCommon),
            Note::OnlyStandard { .. } => Some(Remedy::IncludeStandard),
            Note::Forgets { .. } => Some(Remedy::Compressor),
            Note::TemplatesHaveNoEffect => Some(Remedy::Templates),
            Note::PublicKey => Some(Remedy::Key),
            _ => None,
        }
    }

    /// The ids of the documents that it speaks of.
    pub fn documents(&self) -> Vec<&str> {
        match self {
            Note::Empty { document }
            | Note::OwnVersions { document, .. }
            | Note::OnlyStandard { document, .. }
            | Note::NothingToVerify { document }
            | Note::TextMissing { document, .. } => vec![document],
            Note::NotAligned { pair } | Note::Limited { pair, .. } => {
                pair.iter().map(String::as_str).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Changes every text in it that comes from outside, ids among them, to leave names out.
    pub fn each_text(&mut self, mut change: impl FnMut(&mut String)) {
        match self {
            Note::Empty { document }
            | Note::OwnVersions { document, .. }
            | Note::OnlyStandard { document, .. }
            | Note::NothingToVerify { document }
            | Note::OnlyOne { document, .. } => change(document),
            Note::TextMissing { document, reason } => {
                change(document);
                change(reason);
            }
            Note::NotAligned { pair } | Note::Limited { pair, .. } => {
                pair.iter_mut().for_each(change);
            }
            Note::Layout(text) | Note::Other(text) => change(text),
            _ => {}
        }
    }
}

impl fmt::Display for Note {
    #[expect(
        clippy::too_many_lines,
        reason = "a sentence for each note, and all in one place"
    )]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::NothingToCompare => {
                f.write_str("fewer than two documents: there is nothing to compare")
            }
            Note::OnlyOne {
                document,
                is_program,
            } => {
                let (kind, others) = if *is_program {
                    ("program", "texts")
                } else {
                    ("text", "programs")
                };
                write!(
                    f,
                    "{document} is the only {kind} among {others}, and is compared with nothing"
                )
            }
            Note::NotIdeal { measure } => write!(
                f,
                "{measure} is not ideal: another document can score higher than the document \
                 itself, so scores may exceed 1"
            ),
            Note::Thin { pairs, shared, of } => {
                let rest = if *pairs == 1 {
                    "pair rests"
                } else {
                    "pairs rest"
                };
                write!(
                    f,
                    "{pairs} {rest} on few digests, such as {shared} of {of}: too few to say how \
                     much is shared; a recipe that keeps more digests, or longer texts, would tell"
                )
            }
            Note::BelowNotCounted => f.write_str(
                "some text is in so many documents that pairs below the threshold were not counted",
            ),
            Note::TooCommon {
                digests, documents, ..
            } => write!(
                f,
                "{digests} digests that more than {documents} documents have do not count"
            ),
            Note::Empty { document } => write!(
                f,
                "{document}: nothing of it is left to compare; too short for this recipe, or all \
                 of it template"
            ),
            Note::NotListed { pairs: 1 } => f.write_str("1 more pair is not listed"),
            Note::NotListed { pairs } => write!(f, "{pairs} more pairs are not listed"),
            Note::Approximate { candidates } => write!(
                f,
                "approximate: {candidates} candidates were counted exactly; pairs that no band \
                 found are missing"
            ),
            Note::NotAligned {
                pair: [left, right],
            } => write!(
                f,
                "{left} and {right} are not aligned: a text cannot be read again, or both are too \
                 long"
            ),
            Note::MoreNotAligned { pairs } => {
                write!(f, "{pairs} more pairs are not aligned for the same reasons")
            }
            Note::Limited {
                pair: [left, right],
                aligner,
            } => write!(
                f,
                "{left} and {right}: their text repeats itself so often that {aligner} stopped at \
                 its limit; there may be more passages"
            ),
            Note::MoreLimited { pairs } => {
                write!(f, "the text of {pairs} more pairs repeats itself as often")
            }
            Note::CommonCounts {
                words,
                having,
                documents,
            } => write!(
                f,
                "{words} words occur in {having} of {documents} documents; they could be left out \
                 as common text"
            ),
            Note::OwnVersions {
                document,
                versions: 1,
                containment,
            } => write!(
                f,
                "{document}: a version of its own is registered and has {} of it; that does not \
                 count",
                percent(*containment)
            ),
            Note::OwnVersions {
                document,
                versions,
                containment,
            } => write!(
                f,
                "{document}: {versions} versions of its own are registered, and one has {} of it; \
                 they do not count",
                percent(*containment)
            ),
            Note::Estimated => f.write_str(
                "shares are estimated where the text of a registered document is not at hand: the \
                 words in chunks that both have",
            ),
            Note::OnlyStandard {
                document,
                documents: 1,
            } => write!(f, "{document}: 1 more shares only text that many have"),
            Note::OnlyStandard {
                document,
                documents,
            } => write!(
                f,
                "{document}: {documents} more share only text that many have"
            ),
            Note::NoStretches => f.write_str(
                "the registry keeps no stretches: a copied page in a long document, or a rewritten \
                 paragraph, may not be found",
            ),
            Note::NothingToVerify { document } => write!(
                f,
                "{document}: nothing of it is left to look up; too short for this recipe, or all \
                 of it standard text"
            ),
            Note::Forgets {
                compressor,
                window,
                bytes,
                others,
            } => {
                write!(
                    f,
                    "{compressor} sees {window} bytes at a time, and the two texts have {bytes}: \
                     it forgets one before it could help with the other, so that the similarity \
                     may read far too low; "
                )?;
                match others.as_slice() {
                    [] => f.write_str("fingerprints have no window"),
                    others => write!(f, "use {} instead", others.join(" or ")),
                }
            }
            Note::TooShortToCompress { compressor } => write!(
                f,
                "the texts are so short that what {compressor} writes around them has a say in \
                 the result: unrelated ones read too high"
            ),
            Note::TemplatesHaveNoEffect => f.write_str(
                "this recipe makes one digest of a whole document, so templates take nothing away",
            ),
            Note::PublicKey => f.write_str(
                "no key was given, so the fingerprints use the public one: who knows it can \
                 predict them",
            ),
            Note::TooFewForAdvice => f.write_str("there are too few documents for advice"),
            Note::NoAdvice => f.write_str(
                "no advice: too much of these documents is alike to tell what unrelated ones reach",
            ),
            Note::TextMissing { document, reason } => {
                write!(f, "{document} is not aligned: {reason}")
            }
            Note::Anonymized { places } => write!(
                f,
                "names were replaced by codes, and {places} places in the texts where a name from \
                 a file name stood; other names, and what else tells who wrote a text, may remain"
            ),
            Note::Hidden { documents } => write!(
                f,
                "{documents} registered documents are not yours to see: how much they share, their \
                 set and a number that the registrar knows are shown"
            ),
            Note::Bands => f.write_str(
                "shares are given in bands: 25 % means at least 25 % and less than 50 %",
            ),
            Note::Layout(text) | Note::Other(text) => f.write_str(text),
        }
    }
}

/// A share in whole percent. Only all of it reads 100, and only nothing reads 0.
fn percent(share: f64) -> String {
    let rounded = (share * 100.0).round();
    if rounded >= 100.0 && share < 1.0 {
        "99 %".to_owned()
    } else if rounded < 1.0 && share > 0.0 {
        "less than 1 %".to_owned()
    } else {
        format!("{rounded} %")
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Note {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Note, D::Error> {
        String::deserialize(deserializer).map(Note::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_a_sentence_in_json() {
        let note = Note::NotListed { pairs: 2 };
        let written = serde_json::to_string(&note).unwrap();
        assert_eq!(written, "\"2 more pairs are not listed\"");
        let read: Note = serde_json::from_str(&written).unwrap();
        assert_eq!(read, Note::Other("2 more pairs are not listed".to_owned()));
        assert_eq!(read.to_string(), note.to_string());
    }

    #[test]
    fn a_note_says_whom_it_speaks_of() {
        let mut note = Note::NotAligned {
            pair: ["a".to_owned(), "b".to_owned()],
        };
        assert_eq!(note.documents(), ["a", "b"]);
        note.each_text(|text| *text = "D1".to_owned());
        assert_eq!(note.documents(), ["D1", "D1"]);
        assert!(Note::Bands.documents().is_empty());
    }
}
