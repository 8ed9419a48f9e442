//! A crawl that loops: each page of it is answered with go or stop.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use cento::guard::{Decision, Guard, Limits, Method};
use cento_ingest::{CrawledContent, CrawledPage, CrawledPages, FoundDocument, Readers, Scope};
use serde::{Deserialize, Serialize};

use crate::error::{Error, File as _, Result};
use crate::files;
use crate::watch::{Step, Watch};

/// Which crawl, and when it has gone on for too long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// A web archive, or JSON lines with `url` and `html` or `text`; `-` is standard input.
    pub crawl: PathBuf,
    /// When pages are stopped, and how much is remembered.
    pub limits: Limits,
    /// A file for the patterns of addresses that need not be fetched, a regular expression a line.
    pub skip_patterns: Option<PathBuf>,
    /// How pages are read.
    pub input: cento_ingest::Options,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            crawl: PathBuf::from("-"),
            limits: Limits::default(),
            skip_patterns: None,
            input: cento_ingest::Options::default(),
        }
    }
}

/// What is said about a page, in the order of the crawl.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// What to do about a page.
    Page {
        /// Its address.
        url: String,
        /// What to do.
        verdict: Decision,
        /// Why, in words.
        reason: String,
    },
    /// A line that is no page.
    BadLine {
        /// Which, from 1.
        line: u64,
        /// What is wrong with it.
        error: String,
    },
    /// A record of a web archive that is no page.
    BadRecord {
        /// Which, from 1.
        record: u64,
        /// What is wrong with it.
        error: String,
    },
}

/// What became of a crawl.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many pages there were.
    pub pages: u64,
    /// How many of them were stopped.
    pub stopped: u64,
    /// How many had no text that could be read.
    pub unread: u64,
    /// How many lines or records were no pages.
    pub broken: u64,
    /// How many hosts are remembered in the end.
    pub hosts: usize,
    /// How many bytes that takes.
    pub bytes: usize,
    /// What need not be fetched.
    pub skips: Vec<SkipPattern>,
}

/// Addresses that need not be fetched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkipPattern {
    /// Their host, without `www.`.
    pub host: String,
    /// The addresses as a person reads them.
    pub pattern: String,
    /// The same as a POSIX extended regular expression for whole addresses.
    pub regex: String,
}

/// Answers a crawl page by page: `each` gets an answer before the next page is read.
///
/// # Errors
///
/// Fails if the crawl cannot be opened, if `each` fails, and if the patterns cannot be written.
pub fn run(
    options: &Options,
    each: &mut dyn FnMut(&Answer) -> io::Result<()>,
    watch: &Watch<'_>,
) -> Result<Outcome> {
    if options.crawl.as_os_str() == "-" {
        return run_on(io::stdin(), options, each, watch);
    }
    let crawl = File::open(&options.crawl).of(&options.crawl)?;
    if crawl.metadata().of(&options.crawl)?.is_dir() {
        let crawl = options.crawl.display();
        return Err(Error::refused(format!(
            "{crawl} is a folder; a crawl is a web archive or a file of JSON lines"
        )));
    }
    run_on(crawl, options, each, watch)
}

/// The same for a crawl that comes from anywhere.
///
/// # Errors
///
/// Fails as [`run`] does.
pub fn run_on(
    crawl: impl Read + Send + 'static,
    options: &Options,
    each: &mut dyn FnMut(&Answer) -> io::Result<()>,
    watch: &Watch<'_>,
) -> Result<Outcome> {
    let mut input = options.input.clone();
    input.reading.scope = match options.limits.method {
        Method::Content => Scope::Shown,
        Method::Plagiarex => Scope::AllButCode,
    };
    let readers = Readers::new(&input);
    let mut guard = Guard::new(options.limits.clone());
    let mut outcome = Outcome::default();
    let pages = CrawledPages::open(crawl, &input.reading.limits).of(&options.crawl)?;
    let has_lines = pages.has_lines();
    watch.begin(Step::Reading, 0, 0);
    for page in pages {
        watch.go_on()?;
        let answer = match page {
            Ok(page) => answer(&page, &mut guard, &readers, &mut outcome),
            Err(bad) => {
                outcome.broken += 1;
                let error = bad.error.to_string();
                if has_lines {
                    Answer::BadLine {
                        line: bad.at,
                        error,
                    }
                } else {
                    Answer::BadRecord {
                        record: bad.at,
                        error,
                    }
                }
            }
        };
        each(&answer).of(Path::new("standard output"))?;
        watch.advance(1, 0);
    }
    watch.end();
    (outcome.hosts, outcome.bytes) = (guard.hosts(), guard.bytes());
    let skips = guard.skips();
    outcome.skips = skips
        .iter()
        .map(|skip| SkipPattern {
            host: skip.host().to_owned(),
            pattern: skip.to_string(),
            regex: skip.regex(),
        })
        .collect();
    if let Some(path) = &options.skip_patterns {
        write_patterns(path, &outcome.skips).of(path)?;
    }
    Ok(outcome)
}

fn answer(
    page: &CrawledPage,
    guard: &mut Guard,
    readers: &Readers,
    outcome: &mut Outcome,
) -> Answer {
    outcome.pages += 1;
    let url = page.url.clone();
    let read = match &page.content {
        CrawledContent::Text(text) => Ok(text.clone()),
        CrawledContent::File(bytes) if bytes.trim_ascii().is_empty() => Ok(String::new()),
        CrawledContent::File(bytes) => {
            let document = FoundDocument::in_memory(&url, bytes.clone());
            readers.read(&document).map(|document| document.content)
        }
    };
    let (verdict, reason) = match read {
        Ok(text) => {
            let verdict = guard.see(&url, &text);
            (verdict.decision, verdict.reason.to_string())
        }
        Err(error) => {
            outcome.unread += 1;
            // It counts for the budget of its host.
            let verdict = guard.see(&url, "");
            match verdict.decision {
                Decision::Go => (Decision::Go, format!("not read: {error}")),
                Decision::Stop => (Decision::Stop, verdict.reason.to_string()),
            }
        }
    };
    outcome.stopped += u64::from(verdict == Decision::Stop);
    Answer::Page {
        url,
        verdict,
        reason,
    }
}

/// Writes the patterns in place of what is there when all are written.
fn write_patterns(path: &Path, skips: &[SkipPattern]) -> io::Result<()> {
    let lines: String = skips
        .iter()
        .flat_map(|skip| [skip.regex.as_str(), "\n"])
        .collect();
    let new = files::unfinished(path);
    let mut file = File::create(&new)?;
    file.write_all(lines.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(&new, path)?;
    files::sync_name(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(crawl: String, options: &Options) -> (Vec<String>, Outcome) {
        let mut lines = Vec::new();
        let mut each = |answer: &Answer| {
            lines.push(serde_json::to_string(answer)?);
            Ok(())
        };
        let crawl = io::Cursor::new(crawl.into_bytes());
        let outcome = run_on(crawl, options, &mut each, &Watch::NOBODY).unwrap();
        (lines, outcome)
    }

    #[test]
    fn an_answer_for_each_line_and_patterns_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("skip.txt");
        std::fs::write(&path, "old").unwrap();
        let page = |at| {
            let path = "/a/b".repeat(at);
            format!(
                "{{\"url\":\"http://x.example{path}\",\"html\":\"<title>Loop</title><p>All the same\"}}\n"
            )
        };
        let mut crawl = (1..=30).map(page).collect::<Vec<String>>().concat();
        crawl.push_str("{\n{\"url\":\"http://x.example/c\",\"html\":\"<p>Other words\"}\n");
        let options = Options {
            skip_patterns: Some(path.clone()),
            ..Options::default()
        };
        let (lines, outcome) = answers(crawl, &options);
        assert_eq!(
            lines[0],
            r#"{"url":"http://x.example/a/b","verdict":"go","reason":"new text"}"#
        );
        assert!(
            lines[29].contains(r#""verdict":"stop","reason":"a path that goes round in circles: "#)
        );
        assert!(lines[30].starts_with(r#"{"line":31,"error":"not JSON with a page"#));
        assert!(lines[31].contains("new text"));
        assert_eq!((outcome.pages, outcome.broken, outcome.hosts), (31, 1, 1));
        let patterns = std::fs::read_to_string(&path).unwrap();
        assert!(
            patterns.starts_with(r"^https?://(www\.)?x\.example/(.*/)?a/(.*/)?a/"),
            "{patterns}"
        );
        assert_eq!(patterns.lines().count(), outcome.skips.len());
    }

    #[test]
    fn a_page_in_json_is_in_utf8_whatever_it_says() {
        let page = |at: usize| {
            format!(
                "{{\"url\":\"http://x.example/{at}\",\"html\":\"<HTML><meta charset=iso-8859-2><p>caf\u{e9}\"}}\n{{\"url\":\"http://x.example/t{at}\",\"text\":\"caf\u{e9}\"}}\n"
            )
        };
        let (lines, _) = answers(page(1), &Options::default());
        assert!(lines[0].contains("new text"));
        assert!(lines[1].contains("nothing new"), "{}", lines[1]);
    }

    #[test]
    fn code_on_a_page_is_content() {
        let page = |at: usize, word: &str| {
            format!(
                "{{\"url\":\"http://x.example/src/{at}\",\"html\":\"<p>Source</p><pre>let {word} = {word}{word}; call {word} again</pre>\"}}\n"
            )
        };
        let crawl: String = (0..200).map(|at| page(at, &"xyz".repeat(at + 1))).collect();
        let (_, outcome) = answers(crawl, &Options::default());
        assert_eq!((outcome.pages, outcome.stopped), (200, 0));
    }
}
