//! What attacks leave of fingerprints: Table 2 of the text sifting paper, for any recipe.

use std::fmt::Write as _;

use anyhow::Result;
use cento::chunk::Chunk;
use cento::discount::Discounts;
use cento::report::Skipped;
use cento::token::{Tokenizer, Words};
use cento::{
    Counts, Document, Fingerprint, Key, Measure, NoCollection, Recipe, Role, ScanSettings,
    SetMeasure, Watch, overlap,
};
use rayon::prelude::*;
use serde_json::json;

use super::attack::{Original, Plan};
use crate::args::{Format, TableFormat};
use crate::config::Settings;
use crate::progress::Progress;

/// The averages, and what they are averages of.
pub(crate) struct Table {
    documents: usize,
    keys: u32,
    seed: u64,
    attacks: Vec<String>,
    columns: Vec<Column>,
}

/// What one recipe makes of the attacks.
struct Column {
    recipe: String,
    /// S1 and S3 for every attack; none if all fingerprints are empty.
    means: Vec<Option<[f64; 2]>>,
    /// The highest S3 of two different documents, and which ones.
    between: f64,
    nearest: Option<[String; 2]>,
    /// How many fingerprints of originals there are, and how many of them are empty.
    fingerprints: usize,
    empty: usize,
    /// Mean number of digests of an original.
    digests: f64,
    /// Mean distance in words from a chunk's first to its last token: what `adapted:N` adapts to.
    span: f64,
}

/// A recipe with one of its keys, and the fingerprints of the originals.
struct System<'m> {
    recipe: &'m Recipe,
    key: Key,
    counts: Option<Counts>,
    originals: Vec<Fingerprint>,
}

/// Attacks every document and measures what is left, by every recipe and key.
pub(crate) fn measure(
    originals: &[Original],
    plan: &Plan,
    methods: &[Settings],
    keys: u32,
) -> Result<Table> {
    let systems: Vec<Vec<System<'_>>> = methods
        .iter()
        .map(|method| systems(method, keys, originals))
        .collect();
    let progress = Progress::new("attacking", originals.len(), methods[0].quiet);
    // Per document, attack and recipe: the sums of S1 and S3 over the keys. Each attacked text is
    // made once and dropped again.
    let sums: Vec<Vec<Vec<[f64; 2]>>> = (0..originals.len())
        .into_par_iter()
        .map(|number| {
            let sums = plan.attacks.iter().map(|attack| {
                let text = &originals[number].text;
                let attacked = attack.apply(text, &plan.vocabulary, plan.seed);
                let left = |systems: &Vec<System<'_>>| left_of(systems, number, &attacked);
                systems.iter().map(left).collect::<Result<_>>()
            });
            let sums = sums.collect::<Result<_>>();
            progress.step();
            sums
        })
        .collect::<Result<_>>()?;
    progress.finish();
    let columns = systems.into_iter().enumerate().map(|(method, systems)| {
        let fingerprints = systems.len() * originals.len();
        let empty = |system: &System<'_>| system.originals.iter().filter(|f| is_empty(f)).count();
        let empty = systems.iter().map(empty).sum();
        let means = (0..plan.attacks.len()).map(|attack| {
            let total = sums.iter().fold([0.0, 0.0], |[s1, s3], document| {
                let sum: [f64; 2] = document[attack][method];
                [s1 + sum[0], s3 + sum[1]]
            });
            (fingerprints > empty).then(|| total.map(|sum| sum / (fingerprints - empty) as f64))
        });
        let means = means.collect();
        let digests: usize = systems
            .iter()
            .flat_map(|system| &system.originals)
            .map(|f| f.digests().len())
            .sum();
        let span = mean_span(originals, &systems[0]);
        let (between, nearest) = between(originals, systems)?;
        Ok(Column {
            recipe: methods[method].recipe_name.clone(),
            means,
            between,
            nearest,
            fingerprints,
            empty,
            digests: digests as f64 / fingerprints.max(1) as f64,
            span,
        })
    });
    Ok(Table {
        documents: originals.len(),
        keys,
        seed: plan.seed,
        attacks: plan.attacks.iter().map(ToString::to_string).collect(),
        columns: columns.collect::<Result<_>>()?,
    })
}

/// The recipe with the key in force and with others that follow from their number; with one key if
/// it has no use for any.
fn systems<'m>(method: &'m Settings, keys: u32, originals: &[Original]) -> Vec<System<'m>> {
    let recipe = &method.scan.recipe;
    let keys = if recipe.is_keyed() { keys } else { 1 };
    let system = |number: u32| {
        let key = match number {
            0 => method.key.clone(),
            _ => Key::new(u128::from(number).to_be_bytes()),
        };
        let counts = recipe
            .counted()
            .map(|counted| count(originals, &counted, &key));
        let mut system = System {
            recipe,
            key,
            counts,
            originals: Vec::new(),
        };
        system.originals = originals
            .par_iter()
            .map(|original| system.fingerprint(&original.text))
            .collect();
        system
    };
    (0..keys).map(system).collect()
}

fn count(originals: &[Original], counted: &Recipe, key: &Key) -> Counts {
    let mut counts = Counts::default();
    for original in originals {
        counts.add(&counted.fingerprint(&original.text, key, &NoCollection));
    }
    counts
}

impl System<'_> {
    fn fingerprint(&self, text: &str) -> Fingerprint {
        self.recipe.fingerprint(text, &self.key, &self.counts)
    }
}

/// How many words of the text lie between the first and the last token of a chunk, on average.
fn mean_span(originals: &[Original], system: &System<'_>) -> f64 {
    let spans: Vec<(u64, u64)> = originals
        .par_iter()
        .map(|original| {
            let tokens = system.recipe.tokenizer.tokens(&original.text);
            let words = Tokenizer::Words(Words::default()).tokens(&original.text);
            let starts: Vec<u32> = (0..)
                .zip(words.terms())
                .map(|(word, _)| words.get(word).source.start)
                .collect();
            let place = |token: u32| {
                starts.partition_point(|start| *start <= tokens.get(token).source.start) as u64
            };
            let chunks = system
                .recipe
                .chunker
                .chunks(&tokens, &system.key, &NoCollection);
            let span = |chunk: &Chunk| {
                let last = chunk.indices().last().unwrap_or(chunk.first());
                place(last).abs_diff(place(chunk.first()))
            };
            (chunks.iter().map(span).sum(), chunks.len() as u64)
        })
        .collect();
    let (sum, count) = spans
        .iter()
        .fold((0, 0), |(sum, count), (s, n)| (sum + s, count + n));
    sum as f64 / count.max(1) as f64
}

fn is_empty(fingerprint: &Fingerprint) -> bool {
    fingerprint.digests().is_empty()
}

/// The sums of S1 and S3 over the keys. An empty original has nothing that could be left.
fn left_of(systems: &[System<'_>], number: usize, attacked: &str) -> Result<[f64; 2]> {
    let mut sums = [0.0, 0.0];
    for system in systems {
        let original = &system.originals[number];
        if !is_empty(original) {
            let shared = overlap(original, &system.fingerprint(attacked))?;
            sums[0] += SetMeasure::Resemblance.score(shared);
            sums[1] += SetMeasure::MaxContainment.score(shared);
        }
    }
    Ok(sums)
}

/// The highest S3 between different documents: what an attack must stay above to be found.
fn between(originals: &[Original], systems: Vec<System<'_>>) -> Result<(f64, Option<[String; 2]>)> {
    let mut highest = 0.0;
    let mut nearest = None;
    for system in systems {
        let documents = originals.iter().zip(system.originals);
        let documents = documents.map(|(original, fingerprint)| Document {
            id: original.id.clone(),
            label: original.id.clone(),
            role: Role::New,
            words: fingerprint.tokens().into(),
            warnings: Vec::new(),
            fingerprint,
        });
        let settings = ScanSettings {
            recipe: system.recipe.clone(),
            measure: Measure::MaxContainment,
            threshold: 0.0,
            top: None,
            max_documents: None,
            left_out: Discounts::default(),
            count_below: true,
        };
        for pair in cento::scan(documents.collect(), &settings, None, Watch::NOBODY)?.pairs {
            if pair.score > highest {
                highest = pair.score;
                nearest = Some([pair.left, pair.right]);
            }
        }
    }
    Ok((highest, nearest))
}

impl Table {
    pub(crate) fn rendered(&self, format: Format, skipped: &[Skipped]) -> Result<String> {
        Ok(match format.of_table()? {
            TableFormat::Text => self.text(),
            TableFormat::Json => self.json(skipped)?,
            TableFormat::Csv => self.csv(),
        })
    }

    fn text(&self) -> String {
        let plural = |count: u64, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let mut text = format!(
            "S1 (resemblance) and S3 (max-containment) of original and attacked copy, mean of {} \
             and {}; seed {}\n",
            plural(self.documents as u64, "document"),
            plural(self.keys.into(), "key"),
            self.seed
        );
        // A text form is too wide for the head of a column.
        let mut heads = Vec::new();
        for (number, column) in (1..).zip(&self.columns) {
            if column.recipe.contains('|') {
                heads.push(format!("#{number}"));
                let _ = writeln!(text, "#{number} is {}", column.recipe);
            } else {
                heads.push(column.recipe.clone());
            }
        }
        let label = "DIFFERENT DOCUMENTS";
        let names = self.attacks.iter().map(String::len);
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
        for (number, attack) in self.attacks.iter().enumerate() {
            let cell = |column: &Column| match column.means[number] {
                Some([s1, s3]) => format!("{s1:.2}  {s3:.2}"),
                None => "n/a   n/a".to_owned(),
            };
            line(&mut text, attack, &mut self.columns.iter().map(cell));
        }
        text.push('\n');
        let highest = |column: &Column| format!("{:.2}", column.between);
        line(&mut text, label, &mut self.columns.iter().map(highest));
        let digests = |column: &Column| format!("{:.1}", column.digests);
        line(&mut text, "DIGESTS", &mut self.columns.iter().map(digests));
        let span = |column: &Column| format!("{:.1}", column.span);
        line(
            &mut text,
            "WORDS SPANNED",
            &mut self.columns.iter().map(span),
        );
        for (column, head) in self.columns.iter().zip(&heads) {
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

    fn json(&self, skipped: &[Skipped]) -> Result<String> {
        let mut rows = Vec::new();
        for (number, attack) in self.attacks.iter().enumerate() {
            for column in &self.columns {
                let [s1, s3] = split(column.means[number]);
                rows.push(json!({
                    "attack": attack, "recipe": column.recipe, "s1": s1, "s3": s3,
                }));
            }
        }
        let between = self.columns.iter().map(|column| {
            json!({
                "recipe": column.recipe,
                "s3": six_decimals(column.between),
                "nearest": column.nearest,
                "fingerprints": column.fingerprints,
                "empty": column.empty,
                "digests": six_decimals(column.digests),
                "span": six_decimals(column.span),
            })
        });
        let value = json!({
            "documents": self.documents,
            "keys": self.keys,
            "seed": self.seed,
            "rows": rows,
            "different_documents": between.collect::<Vec<_>>(),
            "skipped": skipped,
        });
        Ok(format!("{}\n", serde_json::to_string_pretty(&value)?))
    }

    fn csv(&self) -> String {
        let mut text = "attack,recipe,s1,s3\n".to_owned();
        let quoted = |recipe: &str| {
            if recipe.contains([',', '"']) {
                format!("\"{}\"", recipe.replace('"', "\"\""))
            } else {
                recipe.to_owned()
            }
        };
        let number =
            |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.6}"));
        for (place, attack) in self.attacks.iter().enumerate() {
            for column in &self.columns {
                let [s1, s3] = split(column.means[place]).map(number);
                let _ = writeln!(text, "{attack},{},{s1},{s3}", quoted(&column.recipe));
            }
        }
        for column in &self.columns {
            let (recipe, s3) = (quoted(&column.recipe), number(Some(column.between)));
            let _ = writeln!(text, "different-documents,{recipe},,{s3}");
        }
        text
    }
}

fn split(mean: Option<[f64; 2]>) -> [Option<f64>; 2] {
    mean.map_or([None, None], |both| {
        both.map(|value| Some(six_decimals(value)))
    })
}

/// Six decimals, as in reports: more would only show the rounding of the division.
fn six_decimals(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
