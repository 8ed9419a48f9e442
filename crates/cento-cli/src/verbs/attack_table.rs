//! What `cento attack --table` prints: a table for people or for spreadsheets.

use std::fmt::Write as _;

use cento_jobs::attack::{Column, Missed, Table};
use cento_report::Cells;

/// The table for people.
pub(crate) fn text(table: &Table) -> String {
    let mut text = title(table);
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
    let label = match table.level {
        None => "DIFFERENT DOCUMENTS",
        Some(_) => "DIFFERENT PROGRAMS",
    };
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
    let head_of_pair = match table.level {
        None => "  S1    S3",
        Some(_) => "SCORE   S3",
    };
    let pairs = heads.iter().map(|_| head_of_pair.to_owned());
    line(&mut text, "ATTACK", &mut { pairs });
    for (number, attack) in table.attacks.iter().enumerate() {
        let cell = |column: &Column| match (column.means[number], column.scores[number]) {
            (Some([_, s3]), Some(score)) => format!("{score:.2}  {s3:.2}"),
            (Some([s1, s3]), None) => format!("{s1:.2}  {s3:.2}"),
            (None, _) => "n/a   n/a".to_owned(),
        };
        line(&mut text, attack, &mut table.columns.iter().map(cell));
    }
    if let Some(threshold) = table.threshold {
        let by = match table.level {
            None => "an S3",
            Some(_) => "a score",
        };
        let _ = writeln!(
            text,
            "\nshare of copies with {by} below {threshold}, and of successful attacks: below it, but \
             not on average over all keys"
        );
        let heads_of = heads.iter().map(|_| "BELOW  WON".to_owned());
        line(&mut text, "ATTACK", &mut { heads_of });
        for (number, attack) in table.attacks.iter().enumerate() {
            let cell = |column: &Column| missed(column.missed[number]);
            line(&mut text, attack, &mut table.columns.iter().map(cell));
        }
    }
    text.push('\n');
    let highest = |column: &Column| match &column.highest {
        None => format!("{:.2}", column.between),
        Some((score, _)) => format!("{score:.2}  {:.2}", column.between),
    };
    line(&mut text, label, &mut table.columns.iter().map(highest));
    let digests = |column: &Column| format!("{:.1}", column.digests);
    line(&mut text, "DIGESTS", &mut table.columns.iter().map(digests));
    let span = |column: &Column| format!("{:.1}", column.span);
    line(
        &mut text,
        "WORDS SPANNED",
        &mut table.columns.iter().map(span),
    );
    text.push_str(&notes(table, &heads));
    text
}

/// What the numbers are.
fn title(table: &Table) -> String {
    let documents = table.documents as u64;
    let (what, documents) = match table.level {
        None => ("S1 (resemblance)", plural(documents, "document")),
        Some(level) => {
            let programs = plural(documents, "program");
            let programs = format!("{programs} at level {level}");
            ("score (by the recipe's own measure)", programs)
        }
    };
    format!(
        "{what} and S3 (max-containment) of original and attacked copy, mean of {documents} and \
         {}; seed {}\n",
        plural(table.keys.into(), "key"),
        table.seed
    )
}

fn plural(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// How many copies are not found, and how many attacks succeed.
fn missed(missed: Option<Missed>) -> String {
    let share =
        |share: Option<f64>| share.map_or_else(|| "n/a".to_owned(), |share| format!("{share:.2}"));
    let below = share(missed.map(|missed| missed.below));
    let success = share(missed.and_then(|missed| missed.success));
    format!("{below:>4} {success:>5}")
}

/// What else there is to say: who is alike without an attack, and what was left out.
fn notes(table: &Table, heads: &[String]) -> String {
    let mut text = String::new();
    for (column, head) in table.columns.iter().zip(heads) {
        let nearest = match &column.highest {
            None => &column.nearest,
            Some((_, nearest)) => nearest,
        };
        if let Some([left, right]) = nearest {
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
    let untouched = table.columns.first().map(|column| &column.untouched);
    for (attack, count) in table.attacks.iter().zip(untouched.into_iter().flatten()) {
        if *count > 0 {
            let _ = writeln!(
                text,
                "{attack}: found nothing to touch in {count} of {}, which are left out",
                plural(table.documents as u64, "program")
            );
        }
    }
    text
}

/// One line an attack and recipe, then one a recipe for different documents.
pub(crate) fn csv(table: &Table) -> String {
    let mut columns = vec!["attack", "recipe", "s1", "s3"];
    if table.threshold.is_some() {
        columns.extend(["below", "success"]);
    }
    if table.level.is_some() {
        columns.extend(["score", "untouched"]);
    }
    let mut csv = cento_report::Table::new(Cells::ForPeople, &columns);
    for (number, attack) in table.attacks.iter().enumerate() {
        for column in &table.columns {
            let means = column.means[number].map(|means| means.map(decimals));
            let [s1, s3] = means.unwrap_or_default();
            let mut cells = vec![attack.clone(), column.recipe.clone(), s1, s3];
            if table.threshold.is_some() {
                let missed = column.missed[number];
                let below = missed.map(|missed| decimals(missed.below));
                let success = missed.and_then(|missed| missed.success).map(decimals);
                cells.extend([below, success].map(Option::unwrap_or_default));
            }
            if table.level.is_some() {
                cells.push(column.scores[number].map(decimals).unwrap_or_default());
                cells.push(column.untouched[number].to_string());
            }
            csv.row(cells.iter());
        }
    }
    for column in &table.columns {
        let s3 = decimals(column.between);
        let mut cells = vec!["different-documents".to_owned(), column.recipe.clone()];
        cells.extend([String::new(), s3]);
        if table.threshold.is_some() {
            cells.extend([String::new(), String::new()]);
        }
        if let Some((score, _)) = &column.highest {
            cells.extend([decimals(*score), String::new()]);
        }
        csv.row(cells.iter());
    }
    csv.finish()
}

fn decimals(share: f64) -> String {
    format!("{share:.6}")
}
