//! How a saved pair was compared: as texts or as programs.

use std::ops::Range;
use std::path::Path;

use cento::report::{Report, Setting, Summary};
use cento::token::Content;
use cento_ingest::{Readers, language_of};

use crate::error::{Error, Result};
use crate::program::content_with;
use crate::templates::TemplateKind;

/// The settings of a case. A report on texts and programs has some for each.
pub(super) struct Saved<'a> {
    report: &'a Report,
    /// The language of the documents, if they are programs.
    language: Option<&'a str>,
}

impl<'a> Saved<'a> {
    pub(super) fn of(report: &'a Report) -> Saved<'a> {
        let language = report
            .documents
            .iter()
            .find_map(|one| one.language.as_deref());
        Saved { report, language }
    }

    pub(super) fn recipe(&self) -> &'a str {
        match self.report.settings.get("programs") {
            Some(Setting::Text(recipe)) if self.language.is_some() => recipe,
            _ => &self.report.recipe,
        }
    }

    pub(super) fn measure(&self) -> &'a str {
        match self.of_programs("measure") {
            Some(Setting::Text(measure)) => measure,
            _ => &self.report.measure,
        }
    }

    pub(super) fn setting(&self, name: &str) -> Option<&'a Setting> {
        self.of_programs(name)
            .or_else(|| self.report.settings.get(name))
    }

    fn of_programs(&self, name: &str) -> Option<&'a Setting> {
        let name = self.language.map(|_| format!("programs-{name}"))?;
        self.report.settings.get(&name)
    }

    /// The text of a document, parsed again if it is a program.
    pub(super) fn content(
        &self,
        document: &Summary,
        text: String,
        readers: &Readers,
    ) -> Result<Content> {
        let Some(language) = document.language.as_deref() else {
            return Ok(Content::from(text));
        };
        let names = document.parts.iter().map(|part| part.file.as_str());
        if names.chain([document.id.as_str()]).any(is_notebook) {
            let reason = "is one of notebooks, and does not say what of their text is code, so it \
                          cannot be computed again";
            return Err(Error::refused(reason));
        }
        let whole = 0..u32::try_from(text.len()).unwrap_or(u32::MAX);
        let of_all = self.report.settings.get("language");
        let mut programs: Vec<(Range<u32>, &str)> = document
            .parts
            .iter()
            .filter_map(|part| {
                let inside = text.get(part.start as usize..part.end as usize)?;
                let language = match of_all {
                    Some(Setting::Text(language)) => language,
                    _ => language_of(&part.file, inside)?,
                };
                Some((part.start..part.end, language))
            })
            .collect();
        if programs.is_empty() {
            programs.push((whole, language));
        }
        let parsed: Vec<_> = programs
            .into_iter()
            .map(|(bytes, language)| readers.program(&text, bytes, language))
            .collect();
        Ok(content_with(text, &parsed))
    }

    /// The texts that were handed out, read as they were then.
    pub(super) fn templates(&self, texts: &[String], readers: &Readers) -> Result<Vec<Content>> {
        let kinds: &[String] = match self.report.settings.get("base-language") {
            Some(Setting::List(kinds)) => kinds,
            _ => &[],
        };
        let kinds = kinds.iter().map(|kind| TemplateKind::named(kind));
        let kinds = kinds.chain(std::iter::repeat(TemplateKind::Text));
        let texts = texts.iter().cloned().zip(kinds);
        texts
            .map(|(text, kind)| match kind {
                TemplateKind::Text => Ok(Content::from(text)),
                TemplateKind::Program(language) => {
                    let whole = 0..u32::try_from(text.len()).unwrap_or(u32::MAX);
                    let program = readers.program(&text, whole, &language);
                    Ok(content_with(text, &[program]))
                }
                TemplateKind::Mixed => Err(Error::refused(
                    "has a template of several programs, and does not say where each is, so it \
                     cannot be computed again",
                )),
            })
            .collect()
    }
}

fn is_notebook(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb"))
}
