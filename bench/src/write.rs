//! Corpora and their truth as files.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::ValueEnum;
use rayon::prelude::*;

use crate::corpus::{Corpus, Scratch};

/// How a corpus is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// OUT/documents and OUT/truth.tsv: an original and one of its copies on each line
    Folder,
    /// OUT with a document on each line, and OUT.truth.tsv
    Jsonl,
    /// As folder, but a query and a correct document on each line, as `cento eval` reads it
    Eval,
}

/// Documents of one sub-folder: few enough for every file system and viewer.
const FOLDER: u32 = 1000;
/// Buffers that are filled while as many others are written.
const BUFFERS: usize = 16;
/// About what a buffer holds.
const BUFFER_BYTES: u32 = 1 << 20;

/// Writes a corpus and its truth; tells the bytes of the documents. Fails if there is something
/// already.
pub fn write(corpus: &Corpus, out: &Path, format: Format, queries: u32) -> Result<u64> {
    ensure!(
        format == Format::Eval || queries == 0,
        "--queries is for --format eval only"
    );
    ensure!(
        format != Format::Eval || queries > 0,
        "--format eval wants --queries"
    );
    let truth = match format {
        Format::Folder | Format::Jsonl => corpus.plan().pairs(),
        Format::Eval => answers(&corpus.plan().families(queries)?),
    };
    if format == Format::Jsonl {
        let truth_path = beside(out);
        refuse_what_is_there(out)?;
        refuse_what_is_there(&truth_path)?;
        let context = || format!("cannot write {}", out.display());
        let mut file = File::create(out).with_context(context)?;
        let bytes = lines(corpus, &mut file).with_context(context)?;
        write_truth(&truth_path, &truth, name)?;
        Ok(bytes)
    } else {
        refuse_what_is_there(out)?;
        let bytes = files(corpus, &out.join("documents"))?;
        write_truth(&out.join("truth.tsv"), &truth, path)?;
        Ok(bytes)
    }
}

/// The name of a document, counted from 1.
fn name(document: u32) -> String {
    format!("doc{:07}", u64::from(document) + 1)
}

/// The path of a document in its folder, which is the id that a scan of the folder gives it.
fn path(document: u32) -> String {
    format!("{:05}/{}.txt", document / FOLDER, name(document))
}

/// Each family's original as the query, with every member of the family, itself included.
fn answers(families: &[Vec<u32>]) -> Vec<(u32, u32)> {
    families
        .iter()
        .flat_map(|family| family.iter().map(|&member| (family[0], member)))
        .collect()
}

/// Where the truth of a file is.
fn beside(out: &Path) -> PathBuf {
    let mut path = out.as_os_str().to_owned();
    path.push(".truth.tsv");
    path.into()
}

/// Fails if there is a file or folder that holds anything.
fn refuse_what_is_there(out: &Path) -> Result<()> {
    let holds_something = if out.is_dir() {
        let mut entries =
            fs::read_dir(out).with_context(|| format!("cannot read {}", out.display()))?;
        entries.next().is_some()
    } else {
        fs::metadata(out).is_ok_and(|metadata| metadata.len() > 0)
    };
    if holds_something {
        bail!(
            "{} exists and is not empty; remove it or choose another -o",
            out.display()
        );
    }
    Ok(())
}

/// Writes one file per document; tells their bytes.
fn files(corpus: &Corpus, folder: &Path) -> Result<u64> {
    let documents = corpus.settings().documents;
    for number in 0..documents.div_ceil(FOLDER) {
        let folder = folder.join(format!("{number:05}"));
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    (0..documents)
        .into_par_iter()
        .map_init(
            <(Scratch, Vec<u8>)>::default,
            |(scratch, text), document| {
                text.clear();
                corpus.text(document, scratch, text);
                let path = folder.join(path(document));
                fs::write(&path, &text)
                    .with_context(|| format!("cannot write {}", path.display()))?;
                Ok(text.len() as u64)
            },
        )
        .try_reduce(|| 0, |left, right| Ok(left + right))
}

/// Writes one line per document; tells their bytes.
///
/// Some buffers are filled while the others are written, so that neither the disk nor the cores
/// wait; buffers are used again, since fresh memory costs more than the text in it.
fn lines(corpus: &Corpus, out: &mut (impl Write + Send)) -> Result<u64> {
    let documents = corpus.settings().documents;
    // A word with what stands after it has about six letters.
    let step = (BUFFER_BYTES / corpus.settings().words.saturating_mul(6)).max(1);
    let mut starts = (0..documents).step_by(step as usize);
    let mut ready: Vec<Buffer> = Vec::new();
    let mut spare: Vec<Buffer> = Vec::new();
    spare.resize_with(BUFFERS, Buffer::default);
    let mut bytes = 0;
    loop {
        for buffer in &mut spare {
            let start = starts.next().unwrap_or(documents);
            buffer.documents = start..start.saturating_add(step).min(documents);
        }
        let write = || {
            ready
                .iter()
                .try_for_each(|buffer| out.write_all(&buffer.lines))
        };
        let fill = || {
            spare
                .par_iter_mut()
                .try_for_each(|buffer| buffer.fill(corpus))
        };
        let (written, filled) = rayon::join(write, fill);
        written?;
        filled?;
        let more: usize = spare.iter().map(|buffer| buffer.lines.len()).sum();
        if more == 0 {
            return Ok(bytes);
        }
        bytes += more as u64;
        std::mem::swap(&mut ready, &mut spare);
        spare.resize_with(BUFFERS, Buffer::default);
    }
}

/// Consecutive documents as lines, with the memory to make them in.
#[derive(Default)]
struct Buffer {
    documents: std::ops::Range<u32>,
    lines: Vec<u8>,
    text: Vec<u8>,
    scratch: Scratch,
}

impl Buffer {
    fn fill(&mut self, corpus: &Corpus) -> Result<()> {
        self.lines.clear();
        for document in self.documents.clone() {
            self.text.clear();
            corpus.text(document, &mut self.scratch, &mut self.text);
            write!(self.lines, r#"{{"id":"{}","text":"#, name(document))?;
            serde_json::to_writer(&mut self.lines, std::str::from_utf8(&self.text)?)?;
            self.lines.extend_from_slice(b"}\n");
        }
        Ok(())
    }
}

fn write_truth(path: &Path, truth: &[(u32, u32)], id: fn(u32) -> String) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        for &(left, right) in truth {
            writeln!(out, "{}\t{}", id(left), id(right))?;
        }
        out.flush()
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Settings;

    fn corpus(seed: u64) -> Corpus {
        Corpus::new(Settings {
            documents: 2500,
            words: 60,
            footer: 10,
            footer_share: 0.5,
            giant: 40,
            seed,
            ..Settings::default()
        })
        .unwrap()
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
        let on = |threads, seed| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let mut out = Vec::new();
            let bytes = pool.install(|| lines(&corpus(seed), &mut out)).unwrap();
            assert_eq!(bytes, out.len() as u64);
            out
        };
        let one = on(1, 7);
        assert!(one == on(2, 7) && one == on(5, 7));
        assert!(one != on(1, 8));
    }

    #[test]
    fn more_documents_than_fit_into_the_buffers_come_in_order() {
        let settings = Settings {
            documents: 40,
            words: 200_000,
            duplicates: 0.0,
            vocabulary: 100,
            ..Settings::default()
        };
        // Documents of a megabyte fill a buffer each, and there are more of them than buffers.
        let corpus = Corpus::new(settings).unwrap();
        let mut sink = Ids::default();
        lines(&corpus, &mut sink).unwrap();
        let expected: Vec<String> = (0..40).map(name).collect();
        assert_eq!(sink.0, expected);
    }

    /// Keeps the ids of the lines and forgets the rest; a buffer holds whole lines.
    #[derive(Default)]
    struct Ids(Vec<String>);

    impl Write for Ids {
        fn write(&mut self, lines: &[u8]) -> std::io::Result<usize> {
            for line in std::str::from_utf8(lines).unwrap().lines() {
                self.0.push(line[7..17].to_owned());
            }
            Ok(lines.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn both_layouts_hold_the_same_documents_and_truth() {
        let root = tempfile::tempdir().unwrap();
        let (folder, file) = (root.path().join("folder"), root.path().join("all.jsonl"));
        let corpus = corpus(1);
        write(&corpus, &folder, Format::Folder, 0).unwrap();
        write(&corpus, &file, Format::Jsonl, 0).unwrap();
        let mut documents = 0;
        for (number, line) in (0..).zip(fs::read_to_string(&file).unwrap().lines()) {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(value["id"], name(number));
            let path = folder.join("documents").join(path(number));
            assert_eq!(value["text"], fs::read_to_string(path).unwrap());
            documents += 1;
        }
        assert_eq!(documents, 2500);
        let truth = fs::read_to_string(folder.join("truth.tsv")).unwrap();
        assert_eq!(truth.lines().count(), 250 + 39);
        let names = truth.replace(".txt", "");
        let names: Vec<&str> = names.lines().flat_map(|l| l.split('\t')).collect();
        let names: Vec<&str> = names.iter().map(|path| &path[6..]).collect();
        let others = fs::read_to_string(beside(&file)).unwrap();
        let others: Vec<&str> = others.lines().flat_map(|l| l.split('\t')).collect();
        assert_eq!(names, others);
    }

    #[test]
    fn the_truth_of_queries_is_their_whole_family() {
        let root = tempfile::tempdir().unwrap();
        write(&corpus(1), root.path(), Format::Eval, 3).unwrap();
        let truth = fs::read_to_string(root.path().join("truth.tsv")).unwrap();
        let pairs: Vec<(&str, &str)> = truth
            .lines()
            .map(|line| line.split_once('\t').unwrap())
            .collect();
        let families: Vec<&[(&str, &str)]> = pairs.chunk_by(|a, b| a.0 == b.0).collect();
        assert_eq!(families.len(), 3);
        assert!(families.iter().all(|family| family.len() > 1));
        assert!(families.iter().all(|family| family[0].0 == family[0].1));
        assert!(families[0].len() == 40 && families[0][0].0 == "00000/doc0000001.txt");
    }

    #[test]
    fn what_is_there_is_not_written_over() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("all.jsonl");
        fs::write(beside(&file), "x").unwrap();
        for (out, format) in [(root.path(), Format::Folder), (&file, Format::Jsonl)] {
            let error = write(&corpus(1), out, format, 0).unwrap_err().to_string();
            assert!(error.contains("is not empty"), "{error}");
        }
        assert!(!file.exists());
        assert!(write(&corpus(1), &file, Format::Jsonl, 1).is_err());
        assert!(write(&corpus(1), &file, Format::Eval, 0).is_err());
        assert!(write(&corpus(1), &file, Format::Eval, 2500).is_err());
    }
}
