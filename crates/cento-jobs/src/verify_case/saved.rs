//! How a saved pair was compared: as texts or as programs.

use std::path::Path;

use cento::report::{ProgramPlace, Report, Setting, Summary};
use cento::token::Content;
use cento_ingest::Readers;

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
                    let program = readers.program(&text, 0..index32(text.len()), &language);
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

/// The text of a document, parsed again if it is a program.
pub(super) fn content(document: &Summary, text: String, readers: &Readers) -> Result<Content> {
    let Some(language) = &document.language else {
        return Ok(Content::from(text));
    };
    let mut places = document.programs.clone();
    if places.is_empty() {
        // Of a registered document only the text is there.
        if is_notebook(&document.id) {
            let reason = "has a registered notebook, and does not say what of its text is code, so \
                          it cannot be computed again";
            return Err(Error::refused(reason));
        }
        places.push(ProgramPlace(0, index32(text.len()), language.clone()));
    }
    let mut end = 0;
    for &ProgramPlace(first, last, _) in &places {
        let inside = text.get(first as usize..last as usize);
        if first < end || inside.is_none() {
            return Err(Error::refused("damaged: its programs are not in its texts"));
        }
        end = last;
    }
    let parsed: Vec<_> = places
        .iter()
        .map(|ProgramPlace(start, end, language)| readers.program(&text, *start..*end, language))
        .collect();
    Ok(content_with(text, &parsed))
}

fn is_notebook(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("ipynb"))
}

fn index32(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
