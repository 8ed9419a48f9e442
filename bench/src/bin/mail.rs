//! How well the recipe `mail` knows messages in disguise, and how often it takes different ones for
//! the same: `bench/mail` runs it and sets other tools beside it.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result};
use cento::eval::attack::mail::{Disguise, Message};
use cento::message::{Likeness, Sameness};
use cento::{Digest, Fingerprint, Key, NoCollection, Recipe, SetMeasure, overlap};
use cento_bench::shingles::{Shingles, common_shingles, false_shingles, in_common, shingles};
use cento_ingest::Extract;
use clap::Parser;
use rayon::prelude::*;
use serde_json::{Value, json};

#[derive(Parser)]
struct Args {
    /// A folder of messages, one a file.
    corpus: PathBuf,
    /// The recipe.
    #[arg(long, default_value = "mail")]
    recipe: String,
    /// Writes the texts that were compared, a JSON object a line, for other tools.
    #[arg(long)]
    texts: Option<PathBuf>,
    /// Writes how alike all pairs and all copies are, a JSON object a line, for `bench/mail-rule`.
    #[arg(long)]
    likenesses: Option<PathBuf>,
    /// Tries another rule: this share of the smaller message, above the evidence.
    #[arg(long, default_value_t = Sameness::MAIL.share)]
    share: f64,
    /// Tries another rule: so many shared digests say nothing yet.
    #[arg(long, default_value_t = Sameness::MAIL.evidence)]
    evidence: u32,
    /// Tries another rule: so many shared digests are enough, however long the messages are.
    #[arg(long, default_value_t = Sameness::MAIL.enough)]
    enough: u32,
    /// Measures only the disguises whose names contain this.
    #[arg(long, default_value = "")]
    only: String,
    /// Prints the pairs of different messages that are most alike, and copies that are not found.
    #[arg(long)]
    details: bool,
}

/// Which digests are kept depends on the key: so many others are tried.
const OTHER_KEYS: u8 = 6;

/// A message as it was read.
struct Read {
    name: String,
    /// What its sender wrote to everybody.
    text: String,
}

/// A row of the table: what is done to every message.
struct Row {
    name: String,
    level: Option<f64>,
    disguises: Disguises,
}

enum Disguises {
    These(Vec<Disguise>),
    /// So many different ones by chance, others for each message.
    Some(usize),
}

/// What is measured: different messages and what is kept of them.
struct Bench<'r> {
    recipe: &'r Recipe,
    key: Key,
    messages: Vec<&'r Read>,
    originals: Vec<Vec<Digest>>,
    shingles: Vec<Option<Shingles>>,
    vocabulary: Vec<String>,
    rule: Sameness,
    details: bool,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let recipe = Recipe::named(&args.recipe)?;
    let files = files(&args.corpus)?;
    let read: Vec<Read> = files.par_iter().filter_map(read).collect();
    let messages = different(&read);
    let mut bench = Bench {
        recipe: &recipe,
        key: Key::new(*b"bench of a mail "),
        originals: Vec::new(),
        shingles: messages
            .iter()
            .map(|message| shingles(&message.text))
            .collect(),
        messages,
        vocabulary: vocabulary(&read),
        rule: Sameness {
            share: args.share,
            evidence: args.evidence,
            enough: args.enough,
        },
        details: args.details,
    };
    let originals = bench.messages.iter();
    bench.originals = originals
        .map(|message| bench.fingerprint(&message.text))
        .collect();
    let out = &mut std::io::stdout();
    let sizes: usize = bench.originals.iter().map(Vec::len).sum();
    writeln!(
        out,
        "{} messages, {} read, {} of them different; {:.0} digests each, at most {}",
        files.len(),
        read.len(),
        bench.messages.len(),
        bench.share(sizes),
        bench
            .originals
            .iter()
            .map(Vec::len)
            .max()
            .unwrap_or_default(),
    )?;
    let mut likenesses = Vec::new();
    let common = bench.different_pairs(&mut likenesses, out)?;
    let own = bench.messages.iter().enumerate().map(
        |(number, Read { name, text })| json!({"message": number, "name": name, "text": text}),
    );
    let mut lines: Vec<Value> = own.collect();
    for row in rows()
        .into_iter()
        .filter(|row| row.name.contains(&args.only))
    {
        lines.extend(bench.row(&row, common, &mut likenesses, out)?);
    }
    write_lines(args.likenesses.as_deref(), &likenesses)?;
    speed(&files, &read, &bench, out)?;
    write_lines(args.texts.as_deref(), &lines)
}

/// Writes a JSON object a line, if somebody wants them.
fn write_lines(path: Option<&Path>, lines: &[Value]) -> Result<()> {
    let Some(path) = path else {
        return Ok(());
    };
    let mut file = BufWriter::new(fs::File::create(path)?);
    for line in lines {
        writeln!(file, "{line}")?;
    }
    Ok(file.flush()?)
}

impl Bench<'_> {
    fn fingerprint(&self, text: &str) -> Vec<Digest> {
        let fingerprint = self.recipe.fingerprint(text, &self.key, &NoCollection);
        fingerprint.digests().to_vec()
    }

    fn share(&self, count: usize) -> f64 {
        count as f64 / self.messages.len().max(1) as f64
    }

    /// Which pairs are taken for the same. Returns how many shingles of words two messages may have in
    /// common so that no more than one pair in 100,000 is taken for the same by more.
    fn different_pairs(&self, likenesses: &mut Vec<Value>, out: &mut impl Write) -> Result<usize> {
        let pairs = self.messages.len() * self.messages.len().saturating_sub(1) / 2;
        let rate = |count: usize| count as f64 * 100_000.0 / pairs.max(1) as f64;
        let mut alike: Vec<(Likeness, usize, usize)> = (0..self.messages.len())
            .into_par_iter()
            .flat_map_iter(|left| (0..left).map(move |right| (left, right)))
            .map(|(left, right)| {
                let likeness = Likeness::of(&self.originals[left], &self.originals[right]);
                (likeness, left, right)
            })
            .filter(|(likeness, _, _)| likeness.shared >= 4)
            .collect();
        likenesses.extend(alike.iter().map(|(likeness, left, right)| {
            let names = [left, right].map(|place| &self.messages[*place].name);
            json!({"pair": [left, right], "names": names, "shared": likeness.shared, "smaller": likeness.smaller, "larger": likeness.larger})
        }));
        let excess = |likeness: &Likeness| {
            f64::from(likeness.shared) - self.rule.share * f64::from(likeness.smaller)
        };
        alike.sort_by(|(a, ..), (b, ..)| excess(b).total_cmp(&excess(a)));
        let is_same = |(likeness, ..): &&(Likeness, usize, usize)| self.rule.holds(*likeness);
        let wrong = alike.iter().filter(is_same).count();
        writeln!(
            out,
            "different messages taken for the same: {wrong} of {pairs} pairs, {:.2} in 100,000",
            rate(wrong)
        )?;
        let others: Vec<String> = (1..=OTHER_KEYS)
            .map(|number| self.wrong_under(&Key::new([number; 16])).to_string())
            .collect();
        writeln!(out, "the same under other keys: {}", others.join(", "))?;
        if self.details {
            for (likeness, left, right) in alike.iter().take(30) {
                let [left, right] = [left, right].map(|place| &self.messages[*place].name);
                writeln!(out, "{likeness:?} {left} {right}")?;
            }
        }
        let common = common_shingles(&self.shingles, pairs / 100_000);
        writeln!(
            out,
            "by more than 16 of 32 shingles of words, as rspamd has it: {:.2} in 100,000; no more than \
             1 by more than {common}\n\n{:<34} {:>6} {:>7} {:>12} {:>12}",
            rate(false_shingles(&self.shingles, 16)),
            "disguise",
            "level",
            "mail",
            "shingles>16",
            format!("shingles>{common}")
        )?;
        Ok(common)
    }

    /// How many different messages are taken for the same with another key.
    fn wrong_under(&self, key: &Key) -> usize {
        let texts = self.messages.par_iter().map(|message| &message.text);
        let digests: Vec<Fingerprint> = texts
            .map(|text| self.recipe.fingerprint(text, key, &NoCollection))
            .collect();
        let wrong = |left: usize| {
            let own = digests[left].digests();
            let others = digests[..left].iter();
            let same = others.filter(|other| {
                let likeness = Likeness::of(own, other.digests());
                self.rule.holds(likeness)
            });
            same.count()
        };
        (0..digests.len()).into_par_iter().map(wrong).sum()
    }

    /// How many messages are known in one disguise; returns the disguised texts.
    fn row(
        &self,
        row: &Row,
        common: usize,
        all: &mut Vec<Value>,
        out: &mut impl Write,
    ) -> Result<Vec<Value>> {
        let numbers = (0..self.messages.len()).into_par_iter();
        let copies: Vec<Option<String>> = numbers
            .map(|number| copy(&self.messages[number].text, number, row, &self.vocabulary))
            .collect();
        let likenesses: Vec<Likeness> = copies
            .par_iter()
            .enumerate()
            .map(|(number, copy)| {
                let copy = copy.as_deref().map(|copy| self.fingerprint(copy));
                Likeness::of(&self.originals[number], &copy.unwrap_or_default())
            })
            .collect();
        let is_same = |likeness: &&Likeness| self.rule.holds(**likeness);
        let by_shingles = |most: usize| {
            let copies = copies.iter().zip(&self.shingles).filter(|(copy, own)| {
                let copy = copy.as_deref().and_then(shingles);
                in_common(own.as_ref(), copy.as_ref()) > most
            });
            self.share(copies.count())
        };
        let level = row.level.map_or(String::new(), |level| level.to_string());
        writeln!(
            out,
            "{:<34} {level:>6} {:>7.3} {:>12.3} {:>12.3}",
            row.name,
            self.share(likenesses.iter().filter(is_same).count()),
            by_shingles(16),
            by_shingles(common)
        )?;
        if self.details {
            let missed = likenesses.iter().enumerate();
            for (number, missed) in missed.filter(|(_, likeness)| !self.rule.holds(**likeness)) {
                let own = self.originals[number].len();
                writeln!(out, "    {missed:?} {own} {}", self.messages[number].name)?;
            }
        }
        all.extend(likenesses.iter().enumerate().map(|(number, likeness)| {
            json!({"message": number, "row": row.name, "level": level, "shared": likeness.shared, "smaller": likeness.smaller, "larger": likeness.larger})
        }));
        let line = |(number, text): (usize, Option<String>)| json!({"message": number, "row": row.name, "level": level, "text": text});
        Ok(copies.into_iter().enumerate().map(line).collect())
    }
}

/// A message as `mail` reads it.
fn read((name, bytes): &(String, Vec<u8>)) -> Option<Read> {
    let text = cento_ingest::message(bytes, &Extract::default()).ok()?;
    Some(Read {
        name: name.clone(),
        text: text.content,
    })
}

/// The files of a folder and of those in it, by their names.
fn files(corpus: &PathBuf) -> Result<Vec<(String, Vec<u8>)>> {
    let mut folders = vec![corpus.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(corpus)?.display().to_string();
                files.push((name, fs::read(&path)?));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Messages no two of which share a tenth by `default`, the first ones of those that do.
fn different(read: &[Read]) -> Vec<&Read> {
    let recipe = Recipe::default();
    let mut kept: Vec<(usize, Fingerprint)> = Vec::new();
    for (number, message) in read.iter().enumerate() {
        let own = recipe.fingerprint(&message.text, &Key::PUBLIC, &NoCollection);
        let is_alike = |(_, other): &(usize, Fingerprint)| {
            let overlap = overlap(&own, other).expect("fingerprints of one recipe");
            SetMeasure::MaxContainment.score(overlap) >= 0.1
        };
        if !own.digests().is_empty() && !kept.iter().any(is_alike) {
            kept.push((number, own));
        }
    }
    kept.into_iter().map(|(number, _)| &read[number]).collect()
}

fn vocabulary(read: &[Read]) -> Vec<String> {
    let words = read
        .iter()
        .flat_map(|message| message.text.split(|c: char| !c.is_alphabetic()));
    let mut words: Vec<String> = words
        .filter(|word| (3..=10).contains(&word.len()))
        .map(str::to_lowercase)
        .collect();
    words.sort();
    words.dedup();
    words
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for disguise in Disguise::ALL {
        let usual = disguise.usual_level();
        let strong = match disguise {
            Disguise::Words => Some(0.5),
            Disguise::Replace | Disguise::Drop | Disguise::Typos => Some(0.2),
            Disguise::Poison => Some(1.0),
            _ => usual.map(|_| 0.6),
        };
        let levels = [usual, strong];
        let levels = if usual.is_some() {
            &levels[..]
        } else {
            &levels[..1]
        };
        rows.extend(levels.iter().map(|level| Row {
            name: disguise.name().to_owned(),
            level: *level,
            disguises: Disguises::These(vec![disguise]),
        }));
    }
    for count in [3, 5] {
        rows.push(Row {
            name: format!("any {count} at their usual levels"),
            level: None,
            disguises: Disguises::Some(count),
        });
    }
    rows.push(Row {
        name: "all at their usual levels".to_owned(),
        level: None,
        disguises: Disguises::These(Disguise::ALL.to_vec()),
    });
    rows
}

/// The text of a message in disguise, as it is read from its file.
fn copy(text: &str, number: usize, row: &Row, vocabulary: &[String]) -> Option<String> {
    let (subject, body) = text.split_once("\n\n").unwrap_or(("", text));
    let chosen = match &row.disguises {
        Disguises::These(disguises) => disguises.clone(),
        Disguises::Some(count) => {
            let mut left = Disguise::ALL.to_vec();
            let mut state = number as u64 + 1;
            let mut chosen = Vec::new();
            for _ in 0..*count {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let place = (state >> 33) as usize % left.len();
                chosen.push(left.remove(place));
            }
            chosen
        }
    };
    let message = Message::new(subject, body);
    let copy = message.disguised(&chosen, row.level, vocabulary, 7 + number as u64);
    let read = cento_ingest::message(copy.eml().as_bytes(), &Extract::default());
    read.ok().map(|text| text.content)
}

/// Messages a second of one thread: from bytes, from text, and as shingles of words.
fn speed(
    files: &[(String, Vec<u8>)],
    read: &[Read],
    bench: &Bench<'_>,
    out: &mut impl Write,
) -> Result<()> {
    let rate = |count: usize, work: &dyn Fn() -> usize| {
        let start = Instant::now();
        let mut rounds = 0;
        let mut sum = 0;
        while rounds == 0 || start.elapsed().as_secs_f64() < 2.0 {
            sum += work();
            rounds += 1;
        }
        assert!(sum > 0, "messages have fingerprints");
        (count * rounds) as f64 / start.elapsed().as_secs_f64()
    };
    let whole = rate(files.len(), &|| {
        let texts = files
            .iter()
            .filter_map(|(_, bytes)| cento_ingest::message(bytes, &Extract::default()).ok());
        texts
            .map(|text| bench.fingerprint(&text.content).len())
            .sum()
    });
    let texts = rate(read.len(), &|| {
        let texts = read
            .iter()
            .map(|message| bench.fingerprint(&message.text).len());
        texts.sum()
    });
    let shingled = rate(read.len(), &|| {
        let texts = read.iter().filter_map(|message| shingles(&message.text));
        texts.count()
    });
    writeln!(
        out,
        "\nmessages a second and core: {whole:.0} from their files, {texts:.0} from their texts; \
         {shingled:.0} as shingles of words"
    )?;
    Ok(())
}
