//! Figures with intervals and over folds, as tables for people.

use std::fmt::Write as _;

use cento::eval::resample::{PERCENT, RESAMPLES, Spread};
use cento_jobs::eval::figure::{Figure, Row, Rows, spread};

/// A table of figures with their intervals, for the rows that have any; before them, what else there
/// is to say of a row. Nothing if no row has figures.
pub(crate) fn intervals<C>(
    rows: &Rows<C>,
    before: impl Fn(&Row<C>) -> Vec<(&'static str, String)>,
) -> String {
    let all = (rows.folders.len() > 1).then_some(&rows.all);
    let lines = rows.folders.iter().chain(all);
    let lines = lines.filter(|row| !row.figures.is_empty());
    let lines = lines.map(|row| {
        let cells = row.figures.iter().map(|figure| (figure.name, cell(figure)));
        (
            row.folder.clone(),
            before(row).into_iter().chain(cells).collect(),
        )
    });
    let lines: Vec<Line> = lines.collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "In parentheses: {PERCENT} % intervals, by drawing source documents {RESAMPLES} times.\n{}",
        table("FOLDER", &lines)
    )
}

/// The figures of all folders together by fold, and those of each folder over the folds.
pub(crate) fn folds<C>(folds: &[Rows<C>]) -> String {
    if folds.is_empty() {
        return String::new();
    }
    let fold = |(number, fold): (usize, &Rows<C>)| {
        let figures = fold.all.figures.iter();
        let cells = figures.map(|figure| (figure.name, format!("{:.3}", figure.value)));
        (number.to_string(), cells.collect())
    };
    let by_fold: Vec<Line> = (1..).zip(folds).map(fold).collect();
    let spread = spread(folds).into_iter();
    let over_folds = spread.filter(|row| !row.figures.is_empty()).map(|row| {
        let cells = row.figures.into_iter();
        let cells = cells.map(|(name, Spread { mean, deviation })| {
            let deviation = deviation.map(|deviation| format!(" ± {deviation:.3}"));
            (name, format!("{mean:.3}{}", deviation.unwrap_or_default()))
        });
        (row.folder, cells.collect())
    });
    let over_folds: Vec<Line> = over_folds.collect();
    format!(
        "\nBy fold, with all pairs of a source in one fold:\n{}\n\
         Mean and standard deviation of the folds:\n{}",
        table("FOLD", &by_fold),
        table("FOLDER", &over_folds)
    )
}

/// What a row is about, and its cells by the names of their columns.
type Line = (String, Vec<(&'static str, String)>);

fn cell(figure: &Figure) -> String {
    let interval = figure
        .interval
        .map(|it| format!(" ({:.3}–{:.3})", it.low, it.high));
    format!("{:.3}{}", figure.value, interval.unwrap_or_default())
}

fn table(first: &str, lines: &[Line]) -> String {
    let length = |text: &str| text.chars().count();
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in lines.iter().flat_map(|(_, cells)| cells) {
        if !columns.contains(name) {
            columns.push(name);
        }
    }
    let names = lines.iter().map(|(name, _)| length(name));
    let width = names.max().unwrap_or(0).max(length(first));
    let cell = |cells: &[(&'static str, String)], column: &str| {
        let found = cells.iter().find(|(name, _)| *name == column);
        found.map_or_else(String::new, |(_, cell)| cell.clone())
    };
    let of_column = |column: &str| {
        let cells = lines.iter().map(|(_, cells)| length(&cell(cells, column)));
        cells.max().unwrap_or(0).max(length(column))
    };
    let widths: Vec<usize> = columns.iter().map(|column| of_column(column)).collect();
    let mut text = format!("{first:<width$}");
    for (column, width) in columns.iter().zip(&widths) {
        let _ = write!(text, "  {:<width$}", column.to_uppercase());
    }
    let mut text = format!("{}\n", text.trim_end());
    for (name, cells) in lines {
        let mut line = format!("{name:<width$}");
        for (column, width) in columns.iter().zip(&widths) {
            let _ = write!(line, "  {:<width$}", cell(cells, column));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_under_each_other_and_may_be_empty() {
        let lines = [
            ("short".to_owned(), vec![("a", "1 ± 2".to_owned())]),
            (
                "a longer one".to_owned(),
                vec![("a", "1".to_owned()), ("b", "0.5".to_owned())],
            ),
        ];
        let expected = "\
FOLDER        A      B
short         1 ± 2
a longer one  1      0.5
";
        assert_eq!(table("FOLDER", &lines), expected);
    }
}
