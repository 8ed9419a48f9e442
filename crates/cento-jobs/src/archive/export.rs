//! Write versions as a web archive that other programs read.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use super::add::{Head, sum};
use super::store::{PayloadId, Store, Tables, Version, digest};
use super::{ArchiveOptions, base32, find, hex, moment, name};
use crate::error::{Error, File as _, Result};
use crate::files;
use crate::watch::{Step, Watch};

/// What to write.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Of which archive.
    pub archive: ArchiveOptions,
    /// Pages, or versions as `NAME@VERSION`; everything if there are none.
    pub names: Vec<String>,
    /// The file. It is packed record by record if its name ends in `.gz`.
    pub output: PathBuf,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many records with a page.
    pub pages: u64,
    /// How many records that refer to one of them.
    pub revisits: u64,
    /// How many bytes the file has.
    pub bytes: u64,
}

/// Writes a web archive, which is there when it is complete.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let store = Store::read(&options.archive)?;
    let tables = store.tables();
    let versions = wanted(&tables, &options.names)?;
    let path = &options.output;
    if path.is_dir() {
        let reason = format!("{}: a folder; give the name of a file", path.display());
        return Err(Error::refused(reason));
    }
    let new = files::unfinished(path);
    watch.cleaned_up(&new, u64::from(new.exists()));
    let written = write(&tables, &versions, &new, is_packed(path), watch);
    let mut outcome = written.inspect_err(|_| {
        let _ = std::fs::remove_file(&new);
    })?;
    outcome.bytes = new.metadata().of(&new)?.len();
    std::fs::rename(&new, path).of(path)?;
    files::sync_name(path).of(path)?;
    Ok(outcome)
}

/// The versions to write, by name and number, each once.
fn wanted(tables: &Tables<'_>, names: &[String]) -> Result<BTreeMap<(String, u64), Version>> {
    let mut wanted = BTreeMap::new();
    let mut add = |name: &str, versions: Vec<Version>| {
        for version in versions {
            wanted.insert((name.to_owned(), version.number), version);
        }
    };
    if names.is_empty() {
        for (id, name) in tables.names()? {
            add(&name, tables.versions((id, &name))?);
        }
    }
    for text in names {
        let ((id, name), version) = find::page_or_version(tables, text)?;
        if let Some(version) = version {
            add(&name, vec![version]);
        } else {
            add(&name, tables.versions((id, &name))?);
        }
    }
    Ok(wanted)
}

fn is_packed(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("gz"))
}

fn write(
    tables: &Tables<'_>,
    versions: &BTreeMap<(String, u64), Version>,
    path: &Path,
    is_packed: bool,
    watch: &Watch<'_>,
) -> Result<Outcome> {
    let mut file = BufWriter::new(File::create(path).of(path)?);
    let mut outcome = Outcome::default();
    let last = versions.values().map(|version| version.time).max();
    let info = info_record(last.unwrap_or(0));
    write_record(&mut file, &info, is_packed).of(path)?;
    watch.begin(Step::Exporting, versions.len(), 0);
    // Where each body is in the file, for the records that refer to it.
    let mut written: BTreeMap<PayloadId, Written> = BTreeMap::new();
    for ((name, _), version) in versions {
        watch.go_on()?;
        let body = version.transfer.unwrap_or(version.payload);
        let record = record(tables, name, version, written.get(&body))?;
        match written.entry(body) {
            Entry::Occupied(_) => outcome.revisits += 1,
            Entry::Vacant(place) => {
                outcome.pages += 1;
                place.insert(Written {
                    id: record.id.clone(),
                    address: record.address.clone(),
                    date: record.date.clone(),
                });
            }
        }
        write_record(&mut file, &record, is_packed).of(path)?;
        watch.advance(1, 0);
    }
    watch.end();
    let file = file
        .into_inner()
        .map_err(std::io::IntoInnerError::into_error);
    file.and_then(|file| file.sync_all()).of(path)?;
    Ok(outcome)
}

/// A record with a page that later ones refer to.
struct Written {
    id: String,
    address: String,
    date: String,
}

struct WarcRecord {
    id: String,
    address: String,
    date: String,
    /// The header lines.
    fields: Vec<u8>,
    block: Vec<u8>,
}

/// The first record, which says what wrote the file. It has the time of the last version, so that the
/// same archive always gives the same file.
fn info_record(time: i64) -> WarcRecord {
    let version = env!("CARGO_PKG_VERSION");
    let block = format!("software: Cento {version}\r\nformat: WARC File Format 1.1\r\n");
    let date = moment::written(time);
    let id = record_id(&format!("warcinfo {date} {version}"));
    let fields = format!(
        "WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: {id}\r\nWARC-Date: {date}\r\n\
         Content-Type: application/warc-fields\r\nContent-Length: {}\r\n",
        block.len()
    );
    WarcRecord {
        id,
        address: String::new(),
        date,
        fields: fields.into_bytes(),
        block: block.into_bytes(),
    }
}

fn record(
    tables: &Tables<'_>,
    name: &str,
    version: &Version,
    before: Option<&Written>,
) -> Result<WarcRecord> {
    let body = tables.bytes(version.transfer.unwrap_or(version.payload))?;
    let head = match version.head {
        Some(head) => Head::decoded(&tables.bytes(head)?)
            .ok_or_else(|| tables.damaged(&format!("the headers of {name} are damaged")))?,
        None => Head::default(),
    };
    let mut fields = Fields::of(&head.fields);
    let date = moment::written(version.time);
    let own = record_id(&format!("{name}\n{} {date}", version.number));
    fields.set_if_missing("WARC-Record-ID", &own);
    fields.set_if_missing("WARC-Date", &date);
    fields.set_if_missing("WARC-Target-URI", &name::address(name));
    let sum = format!("sha1:{}", base32::encoded(&sum(&body)));
    let is_http = !head.http.is_empty();
    let mut block = head.http;
    let was = fields.get("WARC-Type").map(str::to_owned);
    match before {
        None => {
            block.extend_from_slice(&body);
            // A record that was this already stays as it was, byte for byte.
            if !matches!(was.as_deref(), Some("response" | "resource")) {
                let kind = if is_http { "response" } else { "resource" };
                fields.set("WARC-Type", kind);
                for gone in REVISIT_FIELDS {
                    fields.remove(gone);
                }
                fields.remove("WARC-Block-Digest");
                fields.set("WARC-Payload-Digest", &sum);
            }
            let kind = if is_http {
                "application/http; msgtype=response"
            } else {
                media_type(&body)
            };
            fields.set_if_missing("Content-Type", kind);
        }
        Some(before) => {
            fields.set("WARC-Type", "revisit");
            let profile = if fields.version.ends_with("/1.0") {
                "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
            } else {
                "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
            };
            fields.set("WARC-Profile", profile);
            fields.set("WARC-Refers-To", &before.id);
            fields.set("WARC-Refers-To-Target-URI", &before.address);
            fields.set("WARC-Refers-To-Date", &before.date);
            fields.set("WARC-Payload-Digest", &sum);
            fields.remove("WARC-Block-Digest");
            fields.set_if_missing("Content-Type", "application/http; msgtype=response");
        }
    }
    let get = |field: &str| fields.get(field).unwrap_or_default().to_owned();
    let [id, address, date] = ["WARC-Record-ID", "WARC-Target-URI", "WARC-Date"].map(get);
    Ok(WarcRecord {
        id,
        address,
        date,
        fields: fields.written(block.len()),
        block,
    })
}

const REVISIT_FIELDS: [&str; 4] = [
    "WARC-Profile",
    "WARC-Refers-To",
    "WARC-Refers-To-Target-URI",
    "WARC-Refers-To-Date",
];

/// The header lines of a record, in their order and form.
struct Fields {
    version: String,
    lines: Vec<(String, String)>,
}

impl Fields {
    fn of(fields: &[u8]) -> Fields {
        let text = String::from_utf8_lossy(fields);
        let mut lines = text.lines();
        let version = lines.next().unwrap_or("WARC/1.1").trim().to_owned();
        let line = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.trim().to_owned(), value.trim().to_owned()))
        };
        Fields {
            version,
            lines: lines.filter_map(line).collect(),
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        let is_it = |(other, _): &(String, String)| other.eq_ignore_ascii_case(name);
        self.lines.iter().position(is_it)
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.place(name).map(|place| self.lines[place].1.as_str())
    }

    fn set(&mut self, name: &str, value: &str) {
        match self.place(name) {
            Some(place) => value.clone_into(&mut self.lines[place].1),
            None => self.lines.push((name.to_owned(), value.to_owned())),
        }
    }

    fn set_if_missing(&mut self, name: &str, value: &str) {
        if self.place(name).is_none() {
            self.set(name, value);
        }
    }

    fn remove(&mut self, name: &str) {
        self.lines
            .retain(|(other, _)| !other.eq_ignore_ascii_case(name));
    }

    /// All lines, with the length of the block.
    fn written(mut self, length: usize) -> Vec<u8> {
        self.set("Content-Length", &length.to_string());
        let mut text = format!("{}\r\n", self.version);
        for (name, value) in &self.lines {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        text.into_bytes()
    }
}

/// An identifier that only depends on what it identifies.
fn record_id(of: &str) -> String {
    let mut bytes = digest(of.as_bytes());
    // Version 8 is for identifiers of one's own making.
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hex(&bytes[..16]);
    let parts = [
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..],
    ];
    format!("<urn:uuid:{}>", parts.join("-"))
}

fn media_type(body: &[u8]) -> &'static str {
    if body.trim_ascii_start().starts_with(b"<") {
        "text/html"
    } else if std::str::from_utf8(body).is_ok() {
        "text/plain"
    } else {
        "application/octet-stream"
    }
}

fn write_record(
    file: &mut impl Write,
    record: &WarcRecord,
    is_packed: bool,
) -> std::io::Result<()> {
    let parts: [&[u8]; 4] = [&record.fields, b"\r\n", &record.block, b"\r\n\r\n"];
    if !is_packed {
        return parts.iter().try_for_each(|part| file.write_all(part));
    }
    let mut packed = GzEncoder::new(file, Compression::default());
    parts.iter().try_for_each(|part| packed.write_all(part))?;
    packed.finish()?;
    Ok(())
}
