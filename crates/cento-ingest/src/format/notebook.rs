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
    for cell in notebook.cells.into_iter().chain(sheets) {
        if draft.scope == Scope::AllButCode && cell.kind == "code" {
            continue;
        }
        match cell.source {
            Some(CellText::Whole(text)) => draft.push(&text),
            Some(CellText::Lines(lines)) => lines.iter().for_each(|line| draft.push(line)),
            None => {}
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
