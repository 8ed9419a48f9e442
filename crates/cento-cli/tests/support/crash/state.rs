//! What a command changes, in words that do not depend on when it ran.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use cento::index::registry::{
    self, AlikePair, Exclusions, KeptStretches, Request, Scratch, Snapshot,
};
use cento::index::sightings::{Answer, Counting, Sightings};
use cento::{Key, Measure, Watch};

use super::scenarios::{ARCHIVES, RegistryAt, probe};

/// Nothing that is registered expires.
const NOW: &str = "2026-03-01T12:00:00Z";

/// What there is in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// What each registry and each archive says, if it is there.
    registries: BTreeMap<String, Option<Told>>,
    /// The files outside of registries, and keys.
    files: BTreeMap<String, Vec<u8>>,
    /// The names of the other files of registries, and of empty folders.
    names: Vec<String>,
    /// What is wrong whatever the command is.
    pub(crate) faults: Vec<String>,
}

/// What a registry says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Told {
    /// Everything about its documents.
    documents: String,
    /// How many files its segments have: that depends on when they were merged.
    files: u64,
}

impl State {
    pub(crate) fn of(folder: &Path, registries: &[RegistryAt]) -> State {
        let mut state = State::default();
        for at in registries {
            let is_there = ["catalog.sqlite", "store"]
                .iter()
                .any(|name| folder.join(at.path).join(name).is_file());
            let told = is_there.then(|| told_by(folder, at, &mut state.faults));
            state.registries.insert(at.path.to_owned(), told);
        }
        for path in ARCHIVES {
            let archive = folder.join(path);
            let is_there = archive.join("catalog.sqlite").exists();
            let told = is_there.then(|| told_by_archive(&archive, &mut state.faults));
            state.registries.insert(path.to_owned(), told);
        }
        state.list(folder, folder);
        state.names.sort();
        state
    }

    fn list(&mut self, folder: &Path, root: &Path) {
        let mut is_empty = true;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            is_empty = false;
            if path.is_dir() {
                self.list(&path, root);
                continue;
            }
            let name = path.strip_prefix(root).unwrap();
            let name = name.to_str().unwrap().to_owned();
            let mut registries = self.registries.keys();
            let is_inside = registries.any(|at| name.starts_with(&format!("{at}/")));
            let is_usual = ["-wal", "-shm", "/lock"]
                .iter()
                .any(|end| name.ends_with(end))
                && !name.contains(".new")
                && !name.contains("unfinished");
            if !is_inside || name.ends_with("/key") {
                self.files.insert(name, content(&path));
            } else if !is_usual {
                self.names.push(name);
            }
        }
        // Where a registry is to come, an empty folder is as good as none.
        let name = folder.strip_prefix(root).unwrap().to_str().unwrap();
        let mut registries = self.registries.keys();
        let is_usual = registries.any(|at| {
            name == at || name == format!("{at}/segments") || name == format!("{at}/log")
        });
        if is_empty && !is_usual {
            self.names.push(format!("{name}/"));
        }
    }

    /// What is here and neither there nor there.
    pub(crate) fn left(&self, before: &State, after: &State) -> Vec<String> {
        let others = [before, after];
        let is_new = |name: &&String| others.iter().all(|other| !other.names.contains(*name));
        let names = self.names.iter().filter(|name| !is_segment(name));
        let mut left: Vec<String> = names.filter(is_new).cloned().collect();
        let is_new = |name: &&String| others.iter().all(|other| !other.files.contains_key(*name));
        left.extend(self.files.keys().filter(is_new).cloned());
        for (path, told) in &self.registries {
            let inside = format!("{path}/");
            let names = self.names.iter();
            let files = names.filter(|name| is_segment(name) && name.starts_with(&inside));
            let known = told.as_ref().map_or(0, |told| told.files);
            let unnamed = (files.count() as u64).saturating_sub(known);
            if unnamed > 0 {
                left.push(format!("{unnamed} segments of {path}"));
            }
        }
        left
    }

    /// What is neither as before nor as after; or, if it must be as after, what is not.
    pub(crate) fn differences(&self, before: Option<&State>, after: &State) -> Vec<String> {
        let mut differences = self.faults.clone();
        let states: Vec<&State> = before.into_iter().chain([after]).collect();
        for (path, told) in &self.registries {
            let now = documents(told.as_ref());
            let should = states
                .iter()
                .map(|state| documents(state.registries[path].as_ref()));
            let should: Vec<Option<&str>> = should.collect();
            if !should.contains(&now) {
                let lines: String = should.iter().map(|should| lines(now, *should)).collect();
                differences.push(format!("{path} is another one:{lines}"));
            }
        }
        let mut names: Vec<&String> = states.iter().flat_map(|state| state.files.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let now = self.files.get(name);
            if !states.iter().any(|state| state.files.get(name) == now) {
                let now = now.map_or("missing".to_owned(), |now| format!("{} bytes", now.len()));
                differences.push(format!("{name} is {now}, neither old nor new"));
            }
        }
        differences
    }
}

fn is_segment(name: &str) -> bool {
    let is_segment = Path::new(name).extension().is_some_and(|end| {
        ["cento", "stretches", "vectors"]
            .iter()
            .any(|own| end == *own)
    });
    is_segment && !name.contains("unfinished")
}

fn documents(told: Option<&Told>) -> Option<&str> {
    told.map(|told| told.documents.as_str())
}

/// The lines that one of two states has.
fn lines(now: Option<&str>, should: Option<&str>) -> String {
    let (Some(now), Some(should)) = (now, should) else {
        let (is, must) = (now.is_some(), should.is_some());
        return format!("\n  it is there: {is}; it should be there: {must}");
    };
    let [now, should] = [now, should].map(|said| said.lines().collect::<Vec<_>>());
    let only = |of: &[&str], other: &[&str]| {
        let only = of.iter().filter(|line| !other.contains(line));
        only.take(3)
            .map(|line| ["\n    ", line].concat())
            .collect::<String>()
    };
    format!(
        "\n  is{}\n  should be{}",
        only(&now, &should),
        only(&should, &now)
    )
}

/// What is in a file; a key is as good as another one.
fn content(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return bytes;
    };
    let digits = text.trim_end().as_bytes();
    if digits.len() == 32 && digits.iter().all(u8::is_ascii_hexdigit) {
        return b"a key".to_vec();
    }
    timeless(text)
}

/// A text without moments, such as 2026-03-01T12:00:00Z.
fn timeless(text: &str) -> Vec<u8> {
    const FORM: &[u8] = b"0000-00-00T00:00:00Z";
    let fits = |(byte, form): (&u8, &u8)| byte == form || (*form == b'0' && byte.is_ascii_digit());
    let is_moment = |bytes: &[u8]| bytes.iter().zip(FORM).all(fits);
    let mut timeless = text.as_bytes().to_vec();
    let windows = timeless.windows(FORM.len()).enumerate();
    let moments = windows.filter(|(_, bytes)| is_moment(bytes));
    let moments: Vec<usize> = moments.map(|(place, _)| place).collect();
    for place in moments {
        timeless[place..place + FORM.len()].copy_from_slice(FORM);
    }
    timeless
}

/// Everything that an archive tells: all versions, which a check has given back byte for byte.
fn told_by_archive(path: &Path, faults: &mut Vec<String>) -> Told {
    use cento_jobs::Watch;
    use cento_jobs::archive::{ArchiveOptions, check, log};
    let archive = ArchiveOptions {
        archive: path.to_owned(),
    };
    let list = |name: Option<String>| {
        let options = log::Options {
            archive: archive.clone(),
            name,
            sha1: false,
        };
        log::run(&options, &Watch::NOBODY)
    };
    let tell = |faults: &mut Vec<String>| -> cento_jobs::Result<String> {
        let options = check::Options {
            archive: archive.clone(),
        };
        faults.extend(check::run(&options, &Watch::NOBODY)?.faults);
        let mut told = String::new();
        let log::Outcome::Pages(pages) = list(None)? else {
            return Ok(told);
        };
        for page in pages {
            let _ = writeln!(told, "{page:?}");
            if let log::Outcome::Versions(versions) = list(Some(page.name))? {
                let lines = versions.iter().map(|version| format!("{version:?}\n"));
                told.extend(lines);
            }
        }
        Ok(told)
    };
    let documents = tell(faults).unwrap_or_else(|error| {
        faults.push(format!("{}: {}", path.display(), error.sentence()));
        String::new()
    });
    Told {
        documents,
        ..Told::default()
    }
}

/// How many files the shards of a registry have, if it is cut into some.
fn files_of_shards(path: &Path) -> Option<u64> {
    let list = fs::read(path.join("shards.json")).ok()?;
    let list: serde_json::Value = serde_json::from_slice(&list).unwrap();
    let slices = |shard: &serde_json::Value| shard["slices"].as_array().unwrap().len() as u64;
    Some(list["shards"].as_array().unwrap().iter().map(slices).sum())
}

/// Everything that a registry tells. The library is asked, which is faster than the program.
fn told_by(folder: &Path, at: &RegistryAt, faults: &mut Vec<String>) -> Told {
    let path = folder.join(at.path);
    let key_file = at.key.map_or(path.join("key"), |key| folder.join(key));
    let told = cento_jobs::key_in(&key_file)
        .map_err(|error| error.sentence())
        .and_then(|key| {
            let told = if path.join("store").is_file() {
                told_by_mail_store(folder, &path, &key)
            } else {
                told(&path, &key, faults)
            };
            told.map_err(|error| error.to_string())
        });
    told.unwrap_or_else(|error| {
        faults.push(format!("{}: {error}", at.path));
        Told::default()
    })
}

/// Which messages were seen, and what they are marked as. It asks a copy, because to open a store is to
/// repair its end.
fn told_by_mail_store(folder: &Path, path: &Path, key: &Key) -> Result<Told, cento::Error> {
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir(copy.path().join("log")).unwrap();
    for place in ["", "log"] {
        for entry in fs::read_dir(path.join(place)).unwrap() {
            let from = entry.unwrap().path();
            if from.is_file() {
                fs::copy(
                    &from,
                    copy.path().join(place).join(from.file_name().unwrap()),
                )
                .unwrap();
            }
        }
    }
    let mut store = Sightings::open(copy.path(), key, "a test")?;
    let now = std::time::SystemTime::now();
    let now = now.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let stats = store.stats(now);
    let mut told = format!("{} bulk, {} wanted\n", stats.bulk, stats.wanted);
    for name in [
        "docs/d01.txt",
        "changed/d01.txt",
        "docs/d07.txt",
        "more/d10.txt",
    ] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        let recipe = store.settings().recipe.clone();
        let fingerprint = recipe.fingerprint(&text, key, &cento::NoCollection);
        let answer = store.ask(fingerprint.digests(), now, Counting::Look)?;
        let Answer::Known {
            nearest,
            seen,
            mark,
            ..
        } = answer
        else {
            panic!("{name} is too short");
        };
        let family = nearest.map(|nearest| (nearest.family, nearest.is_same));
        let _ = writeln!(told, "{name} {family:?} {} {mark:?}", seen.week > 0);
    }
    Ok(Told {
        documents: told,
        ..Told::default()
    })
}

fn told(path: &Path, key: &Key, faults: &mut Vec<String>) -> Result<Told, cento::Error> {
    let checked = registry::check(path, key, registry::Extent::All, Watch::NOBODY)?;
    faults.extend(checked.faults);
    let snapshot = Snapshot::open(path, key, NOW)?;
    let mut told = String::new();
    let mut numbers = Vec::new();
    snapshot.entries(|mut entry| {
        entry.facts.registered.clear();
        // Hashes depend on the key, which may be a new one; the text comes below.
        entry.facts.file = entry.facts.file.map(|_| [0; 16]);
        entry.content = [0; 16];
        numbers.push(entry.number);
        let _ = writeln!(told, "{entry:?}");
        Ok(())
    })?;
    for number in numbers {
        let _ = writeln!(told, "{number} {:?}", snapshot.retained(number)?);
    }
    for pair in snapshot.pairs(registry::PAIRS_FROM, None, Watch::NOBODY)? {
        let AlikePair {
            earlier,
            later,
            overlap,
        } = pair;
        let _ = writeln!(told, "{} and {}: {overlap:?}", earlier.number, later.number);
    }
    let query = snapshot.prepare().template(&probe());
    let request = Request {
        query: &query,
        set: None,
        measure: Measure::MaxContainment,
        at_least: 0.01,
        limit: 100,
        exclusions: &Exclusions::default(),
        base: &[],
    };
    let found = snapshot.search(&request, &mut Scratch::default())?;
    let _ = writeln!(told, "{:?} {:?}", found.alike, found.shared);
    if let Some(vector) = snapshot.prepare().vector(&probe()) {
        let nearest = snapshot.nearest(&vector, 100, &Exclusions::default())?;
        for near in nearest.documents {
            let _ = writeln!(told, "{} away by {}", near.entry.number, near.distance);
        }
    }
    let status = snapshot.status()?;
    let files = [
        true,
        status.settings.stretches != KeptStretches::None,
        status.settings.style.is_some(),
    ];
    let (sets, ignored) = (status.sets, status.ignored);
    let _ = writeln!(
        told,
        "{} documents, {sets:?}, {ignored:?}",
        status.documents
    );
    Ok(Told {
        documents: told,
        files: match files_of_shards(path) {
            Some(files) => files,
            None => status.segments * files.into_iter().map(u64::from).sum::<u64>(),
        },
    })
}
