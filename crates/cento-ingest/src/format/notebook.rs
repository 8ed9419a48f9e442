//! Jupyter notebooks: what was written into the cells, not what came out of them.

use serde::Deserialize;

use super::draft::Draft;
use crate::{Error, Scope};

pub(super) fn read(source: &str, draft: &mut Draft) -> Result<(), Error> {
    let notebook: Notebook = serde_json::from_str(source)
        .map_err(|error| Error::Damaged(format!("damaged notebook ({error})")))?;
    // Up to version 3 the cells were in sheets.
    let sheets = notebook
        .worksheets
        .into_iter()
        .flat_map(|sheet| sheet.cells);
    let language = notebook.metadata.language();
    for cell in notebook.cells.into_iter().chain(sheets) {
        if draft.scope == Scope::AllButCode && cell.kind == "code" {
            continue;
        }
        let text = match cell.source {
            Some(CellText::Whole(text)) => text,
            Some(CellText::Lines(lines)) => lines.concat(),
            None => continue,
        };
        match cell.kind.as_str() {
            "code" => draft.push_code(&text, &language),
            _ => draft.push(&text),
        }
        draft.paragraph();
    }
    Ok(())
}

#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
    #[serde(default)]
    worksheets: Vec<Sheet>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
struct Metadata {
    language_info: Option<Named>,
    kernelspec: Option<Kernel>,
}

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

#[derive(Deserialize)]
struct Kernel {
    language: Option<String>,
}

impl Metadata {
    /// The language of its code; nearly all notebooks are in Python.
    fn language(&self) -> String {
        let named = self
            .language_info
            .as_ref()
            .and_then(|info| info.name.clone());
        let of_kernel = || self.kernelspec.as_ref()?.language.clone();
        let language = named.or_else(of_kernel);
        language.map_or_else(|| "python".to_owned(), |name| name.to_lowercase())
    }
}

#[derive(Deserialize)]
struct Sheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(default, rename = "cell_type")]
    kind: String,
    #[serde(alias = "input")]
    source: Option<CellText>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum CellText {
    Whole(String),
    Lines(Vec<String>),
}
