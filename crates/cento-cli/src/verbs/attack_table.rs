//! What `cento attack --table` prints: a table for people or for spreadsheets.

use std::fmt::Write as _;

use cento_jobs::attack::{Column, Table};
use cento_report::Cells;

/// The table for people.
pub(crate) fn text(table: &Table) -> String {
    let plural = |count: u64, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    let mut text = format!(
        "S1 (resemblance) and S3 (max-containment) of original and attacked copy, mean of {} \
         and {}; seed {}\n",
        plural(table.documents as u64, "document"),
        plural(table.keys.into(), "key"),
        table.seed
    );
    // A text form is too wide for the head of a column.
    let mut heads = Vec::new();
    for (number, column) in (1..).zip(&table.columns) {
        if column.recipe.contains('|') {
            heads.push(format!("#{number}"));
            let _ = writeln!(text, "#{number} is {}", column.recipe);
        } else {
            heads.push(column.recipe.clone());
        }
    }
    let label = "DIFFERENT DOCUMENTS";
    let names = table.attacks.iter().map(String::len);
    let width = names.max().unwrap_or(0).max(label.len());
    let line = |text: &mut String, name: &str, cells: &mut dyn Iterator<Item = String>| {
        let _ = write!(text, "{name:<width$}");
        for (cell, head) in cells.zip(&heads) {
            let _ = write!(text, "   {cell:>0$}", head.len().max(10));
        }
        text.push('\n');
    };
    text.push('\n');
    line(&mut text, "", &mut heads.iter().cloned());
    let pairs = heads.iter().map(|_| "  S1    S3".to_owned());
    line(&mut text, "ATTACK", &mut { pairs });
    for (number, attack) in table.attacks.iter().enumerate() {
        let cell = |column: &Column| match column.means[number] {
            Some([s1, s3]) => format!("{s1:.2}  {s3:.2}"),
            None => "n/a   n/a".to_owned(),
        };
        line(&mut text, attack, &mut table.columns.iter().map(cell));
    }
    if let Some(threshold) = table.threshold {
        let _ = writeln!(
            text,
            "\nshare of copies with an S3 below {threshold}, and of successful attacks: below it, \
             but not on average over all keys"
        );
        let heads_of = heads.iter().map(|_| "BELOW  WON".to_owned());
        line(&mut text, "ATTACK", &mut { heads_of });
        for (number, attack) in table.attacks.iter().enumerate() {
            let cell = |column: &Column| {
                let missed = column.missed[number];
                let share = |share: Option<f64>| {
                    share.map_or_else(|| "n/a".to_owned(), |share| format!("{share:.2}"))
                };
                let below = share(missed.map(|missed| missed.below));
                let success = share(missed.and_then(|missed| missed.success));
                format!("{below:>4} {success:>5}")
            };
            line(&mut text, attack, &mut table.columns.iter().map(cell));
        }
    }
    text.push('\n');
    let highest = |column: &Column| format!("{:.2}", column.between);
    line(&mut text, label, &mut table.columns.iter().map(highest));
    let digests = |column: &Column| format!("{:.1}", column.digests);
    line(&mut text, "DIGESTS", &mut table.columns.iter().map(digests));
    let span = |column: &Column| format!("{:.1}", column.span);
    line(
        &mut text,
        "WORDS SPANNED",
        &mut table.columns.iter().map(span),
    );
    for (column, head) in table.columns.iter().zip(&heads) {
        if let Some([left, right]) = &column.nearest {
            let (left, right) = (left.escape_debug(), right.escape_debug());
            let _ = writeln!(text, "{head}: nearest are {left} and {right}");
        }
        if column.empty > 0 {
            let _ = writeln!(
                text,
                "{head}: {} of {} fingerprints are empty and left out",
                column.empty, column.fingerprints
            );
        }
    }
    text
}

/// One line an attack and recipe, then one a recipe for different documents.
pub(crate) fn csv(table: &Table) -> String {
    let columns = ["attack", "recipe", "s1", "s3", "below", "success"];
    let count = if table.threshold.is_some() { 6 } else { 4 };
    let mut csv = cento_report::Table::new(Cells::ForPeople, &columns[..count]);
    for (number, attack) in table.attacks.iter().enumerate() {
        for column in &table.columns {
            let means = column.means[number].map(|means| means.map(decimals));
            let [s1, s3] = means.unwrap_or_default();
            let missed = column.missed[number];
            let below = missed.map(|missed| decimals(missed.below));
            let success = missed.and_then(|missed| missed.success).map(decimals);
            let [below, success] = [below, success].map(Option::unwrap_or_default);
            let cells = [attack, &column.recipe, &s1, &s3, &below, &success];
            csv.row(cells.into_iter().take(count));
        }
    }
    for column in &table.columns {
        let s3 = decimals(column.between);
        let cells = ["different-documents", &column.recipe, "", &s3, "", ""];
        csv.row(cells.into_iter().take(count));
    }
    csv.finish()
}

fn decimals(share: f64) -> String {
    format!("{share:.6}")
}
