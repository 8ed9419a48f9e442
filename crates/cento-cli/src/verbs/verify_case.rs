//! `cento verify-case`: a saved pair, computed again.
//!
//! A case file is the page of a single pair: it has the report, the texts and the templates, so the
//! numbers can be computed from it alone, whatever became of the documents.

use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use cento::align::Aligner;
use cento::discount::{Discount, Discounts};
use cento::report::{Report, SCHEMA};
use cento::{Document, Measure, Recipe, Role, ScanSettings, Texts, Watch};
use cento_report::{Found, ReadError};
use serde_json::{Value, json};

use crate::args::VerifyCaseArgs;
use crate::config;
use crate::load::{Base, counts_of, template};
use crate::{Outcome, output};

pub(crate) fn run(args: &VerifyCaseArgs) -> Result<Outcome> {
    let mut verdicts = Vec::new();
    for path in &args.files {
        let verdict = verify(path, args).with_context(|| path.display().to_string())?;
        if !args.json {
            output::result(&verdict.text(path))?;
        }
        verdicts.push((path, verdict));
    }
    if args.json {
        let list: Vec<Value> = verdicts
            .iter()
            .map(|(path, verdict)| verdict.json(path))
            .collect();
        let value = json!({ "schema": "cento.verified/1", "cases": list });
        output::result(&format!("{value:#}\n"))?;
    }
    let all_hold = verdicts.iter().all(|(_, verdict)| verdict.holds());
    Ok(if all_hold {
        Outcome::Done
    } else {
        Outcome::Found
    })
}

/// What came out.
struct Verdict {
    made_with: String,
    /// Each document: its id, the hash of its text, and whether that is the recorded one.
    texts: Vec<(String, String, bool)>,
    /// The two shares as they were saved.
    shares: [Value; 2],
    differences: Vec<Difference>,
    /// What the pair alone cannot tell, and why.
    left_open: Vec<&'static str>,
    is_masked: bool,
}

/// A value that came out otherwise.
struct Difference {
    field: String,
    was: Value,
    is: Value,
}

fn verify(path: &Path, args: &VerifyCaseArgs) -> Result<Verdict> {
    let page = std::fs::read_to_string(path)?;
    let case = cento_report::read(&page).map_err(|error| match error {
        ReadError::NotOurs => anyhow!("not a page that Cento wrote"),
        ReadError::Damaged(part) => anyhow!("damaged: its {part} cannot be unpacked"),
    })?;
    if case.report["schema"] != SCHEMA {
        bail!("its data are {}, not {SCHEMA}", case.report["schema"]);
    }
    let pairs = case.report["pairs"].as_array().map_or(0, Vec::len);
    if pairs != 1 || case.texts.len() != 2 {
        bail!(
            "has {pairs} pairs; a case file has one. Save it from the page of the pair, or with \
             cento compare -o FILE.html"
        );
    }
    let saved = &case.report["pairs"][0];
    if saved.get("distance").is_some() || saved.get("compression").is_some() {
        bail!("only what fingerprints and passages say can be computed again");
    }
    let now = compute(&case, args)?;
    let now = serde_json::to_value(&now.pairs[0])?;
    let left_open = left_open(&case.report);
    Ok(Verdict {
        made_with: text(&case.report["cento"]),
        texts: hashes(&case),
        shares: shares(saved),
        differences: differences(saved, &now, &left_open),
        left_open,
        is_masked: case.report["settings"].get("anonymized").is_some(),
    })
}

/// The same report from the texts in the file.
fn compute(case: &Found, args: &VerifyCaseArgs) -> Result<Report> {
    let report = &case.report;
    let recipe = config::recipe(&text(&report["recipe"]), args.dictionary.as_deref())?;
    let measure: Measure = text(&report["measure"]).parse()?;
    let key = config::key(args.key_file.as_deref())?;
    let aligner = report["settings"]["aligner"].as_str();
    let aligner: Option<Aligner> = aligner.map(str::parse).transpose()?;
    let left_out = Discount::ALL
        .into_iter()
        .filter(|discount| contains(&report["left_out"], &discount.to_string()))
        .fold(Discounts::default(), Discounts::with);
    let settings = ScanSettings {
        recipe,
        measure,
        threshold: report["settings"]["threshold"].as_f64().unwrap_or(0.1),
        top: None,
        max_documents: None,
        left_out,
        count_below: true,
    };
    let recipe = &settings.recipe;
    let texts: Vec<&str> = case
        .texts
        .iter()
        .map(|text| text.as_deref().context("has no texts (--no-text)"))
        .collect::<Result<_>>()?;
    let base: Base = template(recipe, &key, case.templates.clone());
    let counts = counts_of(recipe, &key, &texts);
    let document = |number: usize| {
        let mut fingerprint = recipe.fingerprint(texts[number], &key, &counts);
        let words = recipe.count_words(texts[number], &fingerprint);
        if let Some(base) = &base.fingerprint {
            fingerprint.subtract(base);
        }
        Document {
            id: number.to_string(),
            label: text(&report["documents"][number]["label"]),
            role: Role::New,
            words,
            warnings: Vec::new(),
            fingerprint,
        }
    };
    let read = |id: &str| Some(texts[usize::from(id == "1")].to_owned());
    let looked = aligner.map(|aligner| Texts {
        aligner,
        read: &read,
        templates: base.texts.clone(),
        key: &key,
        seen: &counts,
    });
    let documents = [document(0), document(1)];
    Ok(cento::compare(
        &documents,
        &[],
        &settings,
        looked.as_ref(),
        Watch::NOBODY,
    )?)
}

const RARITY: &str = "how many other documents share a passage";
const SCORES: &str = "digests and scores, which other documents had a say in";
const COMMON: &str = "what is left out because many documents have it";

/// What depends on documents that are not in the file.
fn left_open(report: &Value) -> Vec<&'static str> {
    let mut open = Vec::new();
    if report["command"] == "compare" {
        return open;
    }
    open.push(RARITY);
    let settings = &report["settings"];
    let recipe = text(&report["recipe"]);
    let asks = Recipe::named(&recipe).is_ok_and(|recipe| recipe.counted().is_some());
    let ranks = text(&report["measure"])
        .parse::<Measure>()
        .is_ok_and(|measure| !measure.is_set());
    let common = settings.get("base-from").is_some();
    if asks || ranks || common || settings.get("max-df").is_some() {
        open.push(SCORES);
    }
    if common {
        open.push(COMMON);
    }
    open
}

/// The fields of a pair that the texts alone decide, or also the fingerprints.
const OF_TEXTS: [&str; 3] = ["overlap", "longest", "aligned"];
const OF_COUNTING: [&str; 3] = ["net", "paraphrased", "tally"];
const OF_FINGERPRINTS: [&str; 6] = [
    "score",
    "shared",
    "containment",
    "symmetric",
    "resemblance",
    "max_containment",
];

fn differences(saved: &Value, now: &Value, left_open: &[&str]) -> Vec<Difference> {
    let mut fields: Vec<&str> = OF_TEXTS.to_vec();
    if !left_open.contains(&COMMON) {
        fields.extend(OF_COUNTING);
    }
    if !left_open.contains(&SCORES) {
        fields.extend(OF_FINGERPRINTS);
    }
    let mut differences: Vec<Difference> = fields
        .into_iter()
        .filter(|field| !is_same(&saved[field], &now[field]))
        .map(|field| Difference {
            field: field.to_owned(),
            was: saved[field].clone(),
            is: now[field].clone(),
        })
        .collect();
    let passages = |pair: &Value| pair["passages"].as_array().cloned().unwrap_or_default();
    let (before, after) = (passages(saved), passages(now));
    if before.len() != after.len() {
        differences.push(Difference {
            field: "number of passages".to_owned(),
            was: json!(before.len()),
            is: json!(after.len()),
        });
    }
    for (number, (before, after)) in (1..).zip(before.iter().zip(&after)) {
        for field in ["left", "right", "kind", "similarity"] {
            if !is_same(&before[field], &after[field]) {
                differences.push(Difference {
                    field: format!("passage {number}, {field}"),
                    was: before[field].clone(),
                    is: after[field].clone(),
                });
            }
        }
    }
    differences
}

/// Whether two values are equal; a browser writes 1 where we write 1.0.
fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, value)| right.get(key).is_some_and(|other| is_same(value, other)))
        }
        _ => left == right,
    }
}

fn hashes(case: &Found) -> Vec<(String, String, bool)> {
    let documents = case.report["documents"].as_array();
    let documents = documents.into_iter().flatten().zip(&case.texts);
    documents
        .map(|(document, content)| {
            let hash = cento_report::sha256(content.as_deref().unwrap_or_default());
            let is_same = document["sha256"] == hash.as_str();
            (text(&document["label"]), hash, is_same)
        })
        .collect()
}

fn shares(pair: &Value) -> [Value; 2] {
    let shares = pair.get("net").unwrap_or(&pair["containment"]);
    [shares[0].clone(), shares[1].clone()]
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn contains(list: &Value, word: &str) -> bool {
    let list = list.as_array();
    list.is_some_and(|list| list.iter().any(|item| item == word))
}

impl Verdict {
    fn holds(&self) -> bool {
        self.differences.is_empty() && self.texts.iter().all(|(_, _, is_same)| *is_same)
    }

    fn text(&self, path: &Path) -> String {
        let verdict = if self.holds() {
            "holds: computed again, it came out the same"
        } else {
            "does not hold"
        };
        let mut lines = vec![
            format!("{}: {verdict}", path.display()),
            format!(
                "  made with Cento {}; this is Cento {}",
                self.made_with,
                env!("CARGO_PKG_VERSION")
            ),
        ];
        for (label, hash, is_same) in &self.texts {
            let word = if *is_same {
                "as recorded"
            } else {
                "not the text that was recorded"
            };
            lines.push(format!(
                "  {}: {word}, SHA-256 {hash}",
                label.escape_debug()
            ));
        }
        if let ([left, right], [(a, ..), (b, ..)]) = (&self.shares, self.texts.as_slice()) {
            let percent = |share: &Value| share.as_f64().unwrap_or_default() * 100.0;
            let (a, b) = (a.escape_debug(), b.escape_debug());
            lines.push(format!("  {:.1} % of {a} is in {b}", percent(left)));
            lines.push(format!("  {:.1} % of {b} is in {a}", percent(right)));
        }
        for Difference { field, was, is } in self.differences.iter().take(20) {
            lines.push(format!("  {field}: was {was}, is {is}"));
        }
        if self.differences.len() > 20 {
            let more = self.differences.len() - 20;
            lines.push(format!("  {more} more differences; --json lists them all"));
        }
        if self.is_masked && !self.differences.is_empty() {
            lines.push(
                "  names were masked in these texts, so they are not those that were compared"
                    .to_owned(),
            );
        }
        for open in &self.left_open {
            lines.push(format!("  not computed again: {open}"));
        }
        lines.join("\n") + "\n"
    }

    fn json(&self, path: &Path) -> Value {
        let texts = self.texts.iter().map(|(label, hash, is_same)| {
            json!({ "label": label, "sha256": hash, "as_recorded": is_same })
        });
        let differences = self
            .differences
            .iter()
            .map(|Difference { field, was, is }| json!({ "field": field, "was": was, "is": is }));
        json!({
            "file": path.display().to_string(),
            "holds": self.holds(),
            "made_with": self.made_with,
            "checked_with": env!("CARGO_PKG_VERSION"),
            "texts": texts.collect::<Vec<_>>(),
            "differences": differences.collect::<Vec<_>>(),
            "not_computed": self.left_open,
            "masked": self.is_masked,
        })
    }
}
