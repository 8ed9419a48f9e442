//! How files are looked for and read, and how much of anything is allowed.

use std::path::PathBuf;
use std::time::Duration;

use encoding_rs::Encoding;
use serde::{Deserialize, Serialize};

use crate::convert::Converters;
use crate::format::Extract;
use crate::program::Programs;

/// Which files count, what belongs together, and how it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// How one file is read.
    pub reading: Reading,
    /// Which files make one document.
    pub grouping: Grouping,
    /// Only files that match one of these patterns, if there are any.
    pub include: Vec<String>,
    /// No files that match one of these patterns.
    pub exclude: Vec<String>,
    /// Go where links in folders lead; otherwise they are skipped, with that reason.
    pub follow_links: bool,
    /// Where the parsers of foreign bytes run.
    pub isolation: Isolation,
    /// Which programs convert what is not read here.
    ///
    /// Options that are stored do not have them: whoever can change what is stored could run programs.
    #[serde(skip)]
    pub converters: Converters,
}

/// Which files make one document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grouping {
    /// Every file is a document, unless the layout is a known one.
    #[default]
    Auto,
    /// Every child of a root, file or folder, is a document.
    PerFolder,
    /// Every file is a document, whatever the layout.
    PerFile,
}

/// Where the parsers of foreign bytes run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// In this process: a panic costs one file, but an endless loop or a stack overflow ends the run.
    #[default]
    InProcess,
    /// In processes of this program, which calls [`crate::serve`] when it is run with these
    /// arguments. Whatever happens in one of them costs one file.
    Worker {
        /// The program.
        program: PathBuf,
        /// What to run it with.
        arguments: Vec<String>,
    },
}

/// How one file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// How much of anything is allowed.
    pub limits: Limits,
    /// The encoding of texts that do not name theirs; without it, a guess.
    pub encoding: Option<&'static Encoding>,
    /// Which fields of tables are read.
    pub keys: Keys,
    /// What of a marked-up document is its text.
    pub scope: Scope,
    /// Which documents are read as programs.
    pub programs: Programs,
}

/// What of a marked-up document is its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The main text: a web page without what surrounds the article.
    #[default]
    MainText,
    /// All words that are shown, menus and footers included, but no computer code.
    AllButCode,
    /// All words that are shown, the title, menus, footers and computer code included.
    Shown,
    /// The main text; of a mail message what its sender wrote to everybody, as a reader sees it: no
    /// quoted replies, footers or greetings, no names of recipients, links without their tracking.
    Message,
}

/// Which fields of a table's rows are read. Without a name, the usual ones are tried.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Keys {
    /// The field with the text.
    pub text: Option<String>,
    /// The field with the id.
    pub id: Option<String>,
}

/// How much of anything is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Bytes of a document, a row, or an archive inside another, unpacked.
    pub file_size: u64,
    /// Bytes of a document's text.
    pub text_size: u64,
    /// How many times its own size anything may unpack to. Anything may unpack to
    /// [`Limits::ALWAYS_ALLOWED`].
    pub ratio: u64,
    /// How many archives may be inside one another.
    pub nesting: usize,
    /// Entries of an archive.
    pub entries: u64,
    /// How long a file may take; stored as a number of seconds.
    #[serde(with = "seconds")]
    pub time: Duration,
    /// Bytes of memory of a process that reads files.
    pub memory: u64,
}

impl Limits {
    /// Bytes that even a tiny file may unpack to.
    pub const ALWAYS_ALLOWED: u64 = 16 << 20;

    /// What `packed` bytes may unpack to.
    pub(crate) fn unpacked(&self, packed: u64) -> u64 {
        packed
            .saturating_mul(self.ratio)
            .max(Limits::ALWAYS_ALLOWED)
    }

    /// Bytes of memory for reading a file of so many bytes: a small file has no reason to need all.
    pub(crate) fn memory_for(&self, bytes: u64) -> u64 {
        const ALWAYS: u64 = 256 << 20;
        const TIMES: u64 = 256;
        let always = (self.memory / 8).max(ALWAYS);
        always
            .saturating_add(bytes.saturating_mul(TIMES))
            .min(self.memory)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_size: 1 << 30,
            text_size: 256 << 20,
            ratio: 200,
            nesting: 3,
            entries: 100_000,
            time: Duration::from_mins(1),
            memory: 4 << 30,
        }
    }
}

impl Reading {
    pub(crate) fn extract(&self) -> Extract {
        Extract {
            encoding: self.encoding,
            scope: self.scope,
            text_limit: self.limits.text_size,
            unpacked_limit: self.limits.file_size,
            ratio_limit: self.limits.ratio,
        }
    }
}

/// A time is stored in seconds.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        match Duration::try_from_secs_f64(seconds) {
            Ok(time) => Ok(time),
            // More than there is time for.
            Err(_) if seconds > 0.0 => Ok(Duration::MAX),
            Err(_) => Err(de::Error::custom(format_args!("{seconds} is not a time"))),
        }
    }
}

/// A number of bytes for people, such as "1 GiB" or "1.5 KiB".
pub fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.iter().find(|(shift, _)| bytes >> shift > 0);
    match unit {
        Some((shift, name)) if bytes.is_multiple_of(1 << shift) => {
            format!("{} {name}", bytes >> shift)
        }
        Some((shift, name)) => format!("{:.1} {name}", bytes as f64 / f64::from(1 << shift)),
        None => format!("{bytes} bytes"),
    }
}

/// Why a text is no number of bytes.
pub fn not_a_size(text: &str) -> String {
    format!("{text} is not a size such as 500MB or 2GiB")
}

/// A number of bytes: `500`, `64k`, `500MB`, `1.5 GiB`. Units are powers of 1024, with or without
/// the `i`.
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let shift = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" | "bytes" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return None,
    };
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(1 << shift);
    }
    let bytes = number.parse::<f64>().ok()? * f64::from(1 << (shift / 2)).powi(2);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a fraction of a byte is no loss, and a number without a sign is positive"
    )]
    let bytes = bytes as u64;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_stored_as_they_are() {
        let options = Options {
            reading: Reading {
                limits: Limits {
                    time: Duration::from_millis(1500),
                    ..Limits::default()
                },
                encoding: Some(encoding_rs::KOI8_R),
                ..Reading::default()
            },
            grouping: Grouping::PerFolder,
            include: vec!["*.txt".to_owned()],
            isolation: Isolation::Worker {
                program: "cento".into(),
                arguments: vec!["read".to_owned()],
            },
            ..Options::default()
        };
        let stored = serde_json::to_value(&options).unwrap();
        assert_eq!(stored["reading"]["encoding"], "KOI8-R");
        assert_eq!(stored["reading"]["limits"]["time"], 1.5);
        assert_eq!(stored["grouping"], "per_folder");
        assert_eq!(serde_json::from_value::<Options>(stored).unwrap(), options);
    }

    #[test]
    fn options_that_say_little_are_the_usual_ones() {
        let options: Options = serde_json::from_str("{}").unwrap();
        assert_eq!(options, Options::default());
        let limits: Limits = serde_json::from_str("{\"nesting\": 1, \"time\": 1e300}").unwrap();
        assert_eq!((limits.nesting, limits.time), (1, Duration::MAX));
        assert_eq!(limits.file_size, Limits::default().file_size);
        assert!(serde_json::from_str::<Limits>("{\"time\": -1}").is_err());
        assert!(serde_json::from_str::<Reading>("{\"encoding\": \"latin\"}").is_err());
    }

    #[test]
    fn sizes_for_people() {
        let sizes = [0, 1023, 1024, 1536, 1 << 30].map(size);
        assert_eq!(
            sizes,
            ["0 bytes", "1023 bytes", "1 KiB", "1.5 KiB", "1 GiB"]
        );
    }

    #[test]
    fn sizes_as_people_write_them() {
        for (text, expected) in [
            ("500", Some(500)),
            ("64k", Some(64 << 10)),
            ("500MB", Some(500 << 20)),
            ("1.5 GiB", Some(3 << 29)),
            ("256MiB", Some(256 << 20)),
            ("1.5TB", Some(3 << 39)),
            ("much", None),
            ("-1", None),
            ("99999999999GB", None),
        ] {
            assert_eq!(parse_size(text), expected, "{text}");
        }
    }
}
