//! Where a report goes: to standard output, into a file, or in every format into a folder.

pub(crate) mod browser;
mod folder;
mod own;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento::report::Report;
use cento_jobs::{TextOptions, TextsOf};
use cento_report::{Screen, shown_on};

use crate::args::{Format, PublishOptions};
use crate::config::Settings;
use crate::replace::{self, Readers};
use crate::{flags, output};

/// What is to become of a report.
pub(crate) struct Publication {
    target: Target,
    texts: TextChoice,
    /// Where the key to the codes goes, if names are replaced by codes.
    key: Option<PathBuf>,
    open: bool,
    force: bool,
    /// The b of the graph's distances, if it is not the usual one.
    graph_scale: Option<f64>,
}

/// Which outputs have the documents' texts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextChoice {
    /// None: numbers and places only.
    Nowhere,
    /// Those that are for reading: the page, the passages.
    Usual,
    /// JSON, too.
    Everywhere,
}

enum Target {
    Stdout(Format),
    File(PathBuf, Format),
    Folder(PathBuf),
}

impl Publication {
    /// Finds out what was asked for, and that it can be done, before any work is.
    pub(crate) fn settle(options: PublishOptions, settings: &Settings) -> Result<Publication> {
        let target = match options.output {
            Some(path) => target(path, settings.format)?,
            None if options.open => Target::File(browser::temporary()?, Format::Html),
            None => Target::Stdout(settings.format),
        };
        if options.open && matches!(&target, Target::File(_, format) if *format != Format::Html) {
            bail!("--open: shows a page; give -o FILE.html or a folder");
        }
        if let Some(scale) = options.graph_scale
            && !(1.0..=100_000.0).contains(&scale)
        {
            bail!("--graph-scale: {scale} is not a number of pixels from 1 to 100000");
        }
        let key = match (options.anonymize, options.anonymize_key, &target) {
            (false, _, _) => None,
            (true, Some(path), _) => Some(path),
            (true, None, Target::File(path, _)) => Some(path.with_extension("key.csv")),
            (true, None, Target::Folder(path)) => Some(beside(path)),
            (true, None, Target::Stdout(_)) => bail!(
                "--anonymize: the key to the codes needs a file of its own; give -o, or \
                 --anonymize-key FILE"
            ),
        };
        let publication = Publication {
            target,
            texts: match (options.no_text, settings.with_text) {
                (true, _) => TextChoice::Nowhere,
                (false, true) => TextChoice::Everywhere,
                (false, false) => TextChoice::Usual,
            },
            key,
            open: options.open,
            force: options.force,
            graph_scale: options.graph_scale,
        };
        publication.check()?;
        Ok(publication)
    }

    /// Nothing is overwritten that Cento did not write.
    fn check(&self) -> Result<()> {
        if self.force {
            return Ok(());
        }
        match &self.target {
            Target::Stdout(_) => {}
            Target::File(path, _) => own::check(path)?,
            Target::Folder(folder) => folder::check(folder)?,
        }
        self.key.as_deref().map_or(Ok(()), own::check)
    }

    /// What of the documents' texts it takes.
    pub(crate) fn texts(&self) -> TextOptions {
        TextOptions {
            texts: self.texts_of(),
            hashes: matches!(self.target, Target::Folder(_)) && self.key.is_none(),
        }
    }

    fn texts_of(&self) -> TextsOf {
        let format = match &self.target {
            Target::Folder(_) if self.in_json() => return TextsOf::All,
            Target::Folder(_) => return TextsOf::Listed,
            Target::Stdout(format) | Target::File(_, format) => *format,
        };
        match format {
            Format::Json if self.in_json() => TextsOf::All,
            Format::Html if self.is_bare() => TextsOf::None,
            // Characters and lines can only be counted in the text.
            Format::Html | Format::Jsonl => TextsOf::Listed,
            Format::Text | Format::Json | Format::Csv | Format::Graphml | Format::Dot => {
                TextsOf::None
            }
        }
    }

    /// Whether there shall be no texts at all.
    fn is_bare(&self) -> bool {
        self.texts == TextChoice::Nowhere
    }

    /// Whether JSON shall have the texts.
    fn in_json(&self) -> bool {
        self.texts == TextChoice::Everywhere
    }

    /// Whether it tells how many pairs have which score, those below the threshold included.
    pub(crate) fn wants_histogram(&self) -> bool {
        match &self.target {
            Target::Folder(_) => true,
            Target::Stdout(format) | Target::File(_, format) => match format {
                Format::Text | Format::Json | Format::Html => true,
                Format::Csv | Format::Jsonl | Format::Graphml | Format::Dot => false,
            },
        }
    }

    /// Writes the report.
    pub(crate) fn publish(
        &self,
        report: &mut Report,
        templates: &[String],
        settings: &Settings,
    ) -> Result<()> {
        if let Some(scale) = self.graph_scale {
            let setting = cento::report::Setting::Number(scale);
            report.set(cento_report::GRAPH_SCALE_SETTING, setting);
        }
        let codes = self.key.as_ref().map(|_| cento_report::anonymize(report));
        let page = match &self.target {
            Target::Stdout(format) => {
                let screen = output::screen();
                output::result(&self.rendered(report, templates, *format, screen))?;
                None
            }
            Target::File(path, format) => {
                let text = self.rendered(report, templates, *format, Screen::FILE);
                write(path, &text)?;
                say(path, text.len(), report, settings);
                Some(path.clone())
            }
            Target::Folder(folder) => {
                let bytes = self.write_folder(report, templates, folder, settings)?;
                say(folder, bytes, report, settings);
                Some(folder.join(folder::PAGE))
            }
        };
        if let (Some(path), Some(codes)) = (&self.key, codes) {
            replace::file(path, &cento_report::key_csv(&codes), Readers::Owner)
                .with_context(|| path.display().to_string())?;
            if !settings.quiet {
                output::message(&format!(
                    "the key to the codes is in {}; keep it apart from the report",
                    path.display()
                ));
            }
        }
        if let Some(page) = page.filter(|_| self.open) {
            browser::open(&page);
        }
        Ok(())
    }

    fn rendered(
        &self,
        report: &mut Report,
        templates: &[String],
        format: Format,
        screen: Screen,
    ) -> String {
        let text = |report: &mut Report| shown_on(screen, report, Some(flags::flag));
        match format {
            Format::Text if self.is_bare() => report.without_texts(text),
            Format::Text => text(report),
            Format::Json if self.in_json() => cento_report::json(report),
            Format::Json => report.without_texts(|slim| cento_report::json(slim)),
            Format::Csv => cento_report::csv(report),
            Format::Html => self.page(report, templates),
            Format::Graphml => {
                cento_report::place(report);
                cento_report::graphml(report)
            }
            Format::Dot => {
                cento_report::place(report);
                cento_report::dot(report)
            }
            Format::Jsonl => cento_report::passages_jsonl(report, !self.is_bare()),
        }
    }

    fn page(&self, report: &mut Report, templates: &[String]) -> String {
        cento_report::place(report);
        cento_report::seal(report);
        if self.is_bare() {
            report.without_texts(|slim| cento_report::html(slim, &[]))
        } else {
            cento_report::html(report, templates)
        }
    }
}

/// What a path means: its extension is a format, or else it is a folder.
fn target(path: PathBuf, asked: Format) -> Result<Target> {
    let name = path.to_string_lossy();
    if name.ends_with(['/', '\\']) || path.is_dir() {
        return Ok(Target::Folder(path));
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    let known = match extension.map(str::to_ascii_lowercase).as_deref() {
        Some("html" | "htm") => Some(Format::Html),
        Some("json") => Some(Format::Json),
        Some("csv") => Some(Format::Csv),
        Some("graphml") => Some(Format::Graphml),
        Some("dot" | "gv") => Some(Format::Dot),
        Some("jsonl") => Some(Format::Jsonl),
        Some("txt") => Some(Format::Text),
        _ => None,
    };
    match (known, asked) {
        (Some(format), Format::Text) => Ok(Target::File(path, format)),
        (Some(format), asked) if format == asked => Ok(Target::File(path, format)),
        (Some(_), asked) => bail!(
            "-o {}: its extension says another format than --format {}; leave one of them out",
            path.display(),
            clap::ValueEnum::to_possible_value(&asked)
                .map_or_else(String::new, |value| value.get_name().to_owned())
        ),
        (None, Format::Text) if extension.is_none() => Ok(Target::Folder(path)),
        (None, Format::Text) => bail!(
            "-o {}: no known extension; use .html, .json, .csv, .graphml, .dot, .jsonl or .txt, \
             say --format, or name a folder with / at its end",
            path.display()
        ),
        (None, asked) => Ok(Target::File(path, asked)),
    }
}

/// Tells what was written.
fn say(path: &Path, bytes: usize, report: &Report, settings: &Settings) {
    if settings.quiet {
        return;
    }
    let pairs = match report.pairs.len() {
        1 => "1 pair".to_owned(),
        count => format!("{count} pairs"),
    };
    let size = cento_ingest::size(bytes as u64);
    output::message(&format!("{} written: {pairs}, {size}", path.display()));
}

/// The file of the key beside a folder, never in it.
fn beside(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(".key.csv");
    folder.with_file_name(name)
}

fn write(path: &Path, text: &str) -> Result<()> {
    replace::file(path, text, Readers::Usual).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_paths_mean() {
        for (path, asked, expected) in [
            ("a.html", Format::Text, "file Html"),
            ("a.GV", Format::Text, "file Dot"),
            ("a.json", Format::Json, "file Json"),
            ("a.json", Format::Html, "error"),
            ("out", Format::Text, "folder"),
            ("out/", Format::Text, "folder"),
            ("out", Format::Html, "file Html"),
            ("out.pdf", Format::Text, "error"),
            ("out.v1/", Format::Text, "folder"),
        ] {
            let got = match target(PathBuf::from(path), asked) {
                Ok(Target::File(_, format)) => format!("file {format:?}"),
                Ok(Target::Folder(_)) => "folder".to_owned(),
                Ok(Target::Stdout(_)) => "stdout".to_owned(),
                Err(_) => "error".to_owned(),
            };
            assert_eq!(got, expected, "{path}");
        }
        assert_eq!(beside(Path::new("x/out/")), Path::new("x/out.key.csv"));
    }
}
