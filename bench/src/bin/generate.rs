//! Makes a corpus with known truth from a seed.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use cento_bench::vocabulary::MOST_WORDS;
use cento_bench::{Corpus, Format, Settings, write};
use clap::Parser;

/// Makes a corpus of made-up words with known near-duplicates. The same options and seed give the
/// same bytes, on every machine and number of threads.
#[derive(Parser)]
#[command(name = "generate", max_term_width = 100)]
struct Cli {
    /// Make so many documents, copies included
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    documents: u32,
    /// Give documents so many words on average, from a quarter to four times as many
    #[arg(long, value_name = "MEAN", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    words: u32,
    /// But no original fewer than so many
    #[arg(long, value_name = "N", default_value_t = 0)]
    least_words: u32,
    /// Use so many different words
    #[arg(long, value_name = "V", default_value_t = 50_000, value_parser = clap::value_parser!(u32).range(2..=i64::from(MOST_WORDS)))]
    vocabulary: u32,
    /// Draw the word of rank r in proportion to 1 / r^S
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = exponent)]
    zipf: f64,
    /// Put a footer of so many words under documents, the same under all
    #[arg(long, value_name = "WORDS", default_value_t = 0)]
    footer: u32,
    /// Put the footer under this share of the documents
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = share)]
    footer_share: f64,
    /// Let documents have paragraphs in common, of so many: a few are in many documents, most in few
    #[arg(long, value_name = "N", default_value_t = 0)]
    common: u32,
    /// Give such a paragraph so many words
    #[arg(long, value_name = "WORDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    common_words: u32,
    /// Put so many of them into every document
    #[arg(long, value_name = "N", default_value_t = 2)]
    common_each: u32,
    /// Make this share of the documents copies of an earlier one
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    duplicates: f64,
    /// Replace, delete or insert this share of the words of a copy on average
    #[arg(long, value_name = "RATE", default_value_t = 0.05, value_parser = share)]
    edits: f64,
    /// Make so many copies on average of an original that has any
    #[arg(long, value_name = "MEAN", default_value_t = 2.0, value_parser = cluster_size)]
    cluster_size: f64,
    /// Let so many of the documents be one family that differs by one word each
    #[arg(long, alias = "near-copies", value_name = "N", default_value_t = 0)]
    giant: u32,
    /// Take so many originals that have copies as queries (for --format eval)
    #[arg(long, value_name = "Q", default_value_t = 0)]
    queries: u32,
    /// Make everything from this number
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Write to this folder or file, which must be new or empty
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
    /// Lay the corpus out like this
    #[arg(long, value_enum, default_value_t = Format::Folder)]
    format: Format,
}

fn main() -> ExitCode {
    let (text, code) = match run(&Cli::parse()) {
        Ok(summary) => (summary, ExitCode::SUCCESS),
        Err(error) => (format!("error: {error:#}"), ExitCode::from(2)),
    };
    // Nobody listening is no reason to fail.
    let _ = writeln!(io::stderr().lock(), "{text}");
    code
}

fn run(cli: &Cli) -> Result<String> {
    let start = Instant::now();
    let corpus = Corpus::new(Settings {
        documents: cli.documents,
        words: cli.words,
        least_words: cli.least_words,
        vocabulary: cli.vocabulary,
        zipf: cli.zipf,
        footer: cli.footer,
        footer_share: cli.footer_share,
        common: cli.common,
        common_words: cli.common_words,
        common_each: cli.common_each,
        duplicates: cli.duplicates,
        edits: cli.edits,
        cluster_size: cli.cluster_size,
        giant: cli.giant,
        seed: cli.seed,
    })?;
    let bytes = write::write(&corpus, &cli.out, cli.format, cli.queries)?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(format!(
        "{} documents, {bytes} bytes, {:.0} MB/s, {seconds:.1} s",
        cli.documents,
        bytes as f64 / 1e6 / seconds
    ))
}

fn share(text: &str) -> Result<f64, String> {
    between(text, 0.0, 1.0)
}

/// Beyond this nearly every word is the same one.
fn exponent(text: &str) -> Result<f64, String> {
    between(text, 0.0, 5.0)
}

fn cluster_size(text: &str) -> Result<f64, String> {
    between(text, 1.0, f64::from(u32::MAX))
}

fn between(text: &str, least: f64, most: f64) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| format!("it must be a number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn options_are_consistent() {
        Cli::command().debug_assert();
        let cli = Cli::parse_from(["generate", "-o", "x"]);
        let defaults = Settings::default();
        assert_eq!(cli.documents, defaults.documents);
        assert_eq!(cli.words, defaults.words);
        assert_eq!(cli.seed, defaults.seed);
        assert!(Cli::try_parse_from(["generate", "-o", "x", "--edits", "NaN"]).is_err());
        assert!(Cli::try_parse_from(["generate", "-o", "x", "--vocabulary", "1"]).is_err());
    }
}
