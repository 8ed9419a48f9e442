//! What is exchanged by digest: entries packed into bytes, a row for each part of the digests.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch};
use cento::Digest;
use cento::index::parts::{self, Entry, Look, Meeting, Met, Side};
use pyo3::prelude::*;

use super::columns::{Bytes, Digests, batch, numbers_in};
use super::{Parts, binaries};
use crate::arrow::Table;
use crate::error::{CentoError, of_library};

/// Rows are given away when they have so many bytes together.
const ENOUGH: usize = 16 << 20;

/// Brings the digests of documents to their parts.
#[pyclass(module = "cento._cento")]
pub(crate) struct Scatter {
    parts: Vec<Vec<u8>>,
    bytes: usize,
    look: Look,
    digests: Vec<Digest>,
}

#[pymethods]
impl Scatter {
    /// Into so many parts.
    #[new]
    fn new(parts: usize) -> Scatter {
        Scatter {
            parts: vec![Vec::new(); parts.max(1)],
            bytes: 0,
            look: Look::default(),
            digests: Vec::new(),
        }
    }

    /// Takes all digests of documents.
    fn add_digests(&mut self, py: Python<'_>, documents: &Bound<'_, PyAny>) -> PyResult<()> {
        let documents = batch(documents)?;
        let digests = Digests::of(&documents, "digests")?;
        py.detach(|| {
            for row in 0..documents.num_rows() {
                let mut own = std::mem::take(&mut self.digests);
                digests.read(row, &mut own)?;
                for digest in &own {
                    self.part(*digest).extend(digest.0.to_le_bytes());
                }
                self.bytes += own.len() * 8;
                self.digests = own;
            }
            Ok(())
        })
    }

    /// Takes of each document the digests at which others have to meet it.
    fn add_entries(
        &mut self,
        py: Python<'_>,
        steps: &Parts,
        documents: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let documents = batch(documents)?;
        let digests = Digests::of(&documents, "digests")?;
        let numbers = numbers_in(&documents, "number")?;
        let marks = numbers_in(&documents, "mark")?;
        let open = numbers_in(&documents, "open")?;
        py.detach(|| {
            for row in 0..documents.num_rows() {
                let mut own = std::mem::take(&mut self.digests);
                let mut look = std::mem::take(&mut self.look);
                digests.read(row, &mut own)?;
                steps.steps.look(&own, &mut look);
                let side = Side {
                    number: numbers[row],
                    mark: marks[row],
                    size: u32::try_from(own.len()).unwrap_or(u32::MAX),
                    rest: look.rest(),
                    is_open: open[row] != 0,
                };
                for (digest, is_aside) in look.entries() {
                    let entry = Entry {
                        digest,
                        side,
                        is_aside,
                    };
                    self.part(digest).extend(packed(&entry));
                    self.bytes += PACKED;
                }
                self.digests = own;
                self.look = look;
            }
            Ok(())
        })
    }

    /// What has come together, if it is enough, or all of it at the end.
    #[pyo3(signature = (at_end=false))]
    fn take(&mut self, at_end: bool) -> PyResult<Option<Table>> {
        if self.bytes == 0 || !(at_end || self.bytes >= ENOUGH) {
            return Ok(None);
        }
        let filled = (0..).zip(&self.parts).filter(|(_, part)| !part.is_empty());
        let filled: Vec<(i32, &[u8])> = filled
            .map(|(part, bytes)| (part, bytes.as_slice()))
            .collect();
        let part: Int32Array = filled.iter().map(|(part, _)| Some(*part)).collect();
        let packed = binaries(filled.iter().map(|(_, bytes)| Some(*bytes)))?;
        let columns: [(&str, ArrayRef); 2] =
            [("part", Arc::new(part)), ("packed", Arc::new(packed))];
        let table = Table::of(columns.into());
        for part in &mut self.parts {
            part.clear();
        }
        self.bytes = 0;
        table.map(Some)
    }
}

impl Scatter {
    fn part(&mut self, digest: Digest) -> &mut Vec<u8> {
        // The high bits of a product: a selector may have chosen digests by their low ones.
        let mixed = digest.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let parts = self.parts.len() as u64;
        let part = usize::try_from(mixed % parts).expect("below the number of parts");
        &mut self.parts[part]
    }
}

/// How many bytes an entry has.
const PACKED: usize = 33;

fn packed(entry: &Entry) -> [u8; PACKED] {
    let mut bytes = [0; PACKED];
    let Side {
        number,
        mark,
        size,
        rest,
        is_open,
    } = entry.side;
    bytes[..8].copy_from_slice(&entry.digest.0.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    bytes[16..24].copy_from_slice(&mark.to_le_bytes());
    bytes[24..28].copy_from_slice(&size.to_le_bytes());
    bytes[28..32].copy_from_slice(&rest.to_le_bytes());
    bytes[32] = u8::from(is_open) | (u8::from(entry.is_aside) << 1);
    bytes
}

fn unpacked(bytes: &[u8; PACKED]) -> Entry {
    let long = |from: usize| {
        let mut number = [0; 8];
        number.copy_from_slice(&bytes[from..from + 8]);
        u64::from_le_bytes(number)
    };
    let short = |from: usize| {
        let mut number = [0; 4];
        number.copy_from_slice(&bytes[from..from + 4]);
        u32::from_le_bytes(number)
    };
    Entry {
        digest: Digest(long(0)),
        side: Side {
            number: long(8),
            mark: long(16),
            size: short(24),
            rest: short(28),
            is_open: bytes[32] & 1 != 0,
        },
        is_aside: bytes[32] & 2 != 0,
    }
}

/// The records of rows, which have the same length.
fn records<const LENGTH: usize>(rows: &[RecordBatch]) -> PyResult<Vec<[u8; LENGTH]>> {
    let mut all = Vec::new();
    for batch in rows {
        let column = Bytes::of(batch, "packed")?;
        for row in 0..column.len() {
            let (records, rest) = column.value(row).as_chunks();
            if !rest.is_empty() {
                return Err(CentoError::new_err("digests were damaged on their way"));
            }
            all.extend_from_slice(records);
        }
    }
    Ok(all)
}

fn batches(given: Vec<Bound<'_, PyAny>>) -> PyResult<Vec<RecordBatch>> {
    given.iter().map(batch).collect()
}

/// The digests that at least so many documents have, and how many have them.
#[pyfunction]
pub(crate) fn spark_frequent(
    py: Python<'_>,
    rows: Vec<Bound<'_, PyAny>>,
    least: usize,
) -> PyResult<Table> {
    let rows = batches(rows)?;
    let frequent = py.detach(|| {
        let mut digests: Vec<u64> = records::<8>(&rows)?
            .into_iter()
            .map(u64::from_le_bytes)
            .collect();
        digests.sort_unstable();
        let runs = digests.chunk_by(|left, right| left == right);
        let runs = runs.filter(|run| run.len() >= least);
        let frequent = runs.map(|run| {
            (
                run[0].cast_signed(),
                i64::try_from(run.len()).unwrap_or(i64::MAX),
            )
        });
        Ok::<Vec<(i64, i64)>, PyErr>(frequent.collect())
    })?;
    let digest: Int64Array = frequent.iter().map(|one| Some(one.0)).collect();
    let documents: Int64Array = frequent.iter().map(|one| Some(one.1)).collect();
    let columns: [(&str, ArrayRef); 2] = [
        ("digest", Arc::new(digest)),
        ("documents", Arc::new(documents)),
    ];
    Table::of(columns.into())
}

/// All entries of a part of the digests, group by group.
#[pyclass(module = "cento._cento")]
pub(crate) struct Groups(parts::Groups);

#[pymethods]
impl Groups {
    #[new]
    fn new(
        py: Python<'_>,
        rows: Vec<Bound<'_, PyAny>>,
        meeting: &str,
        first: usize,
    ) -> PyResult<Groups> {
        let rows = batches(rows)?;
        let meeting = match meeting {
            "star" => Meeting::Stars,
            "components" => Meeting::Components,
            _ => Meeting::All,
        };
        py.detach(|| {
            let entries = records::<PACKED>(&rows)?.iter().map(unpacked).collect();
            let groups = parts::Groups::new(entries, meeting, first).map_err(of_library)?;
            Ok(Groups(groups))
        })
    }

    /// Who met in the next groups, and who was late; nothing at the end.
    fn meet(&mut self, py: Python<'_>, steps: &Parts) -> PyResult<Option<Table>> {
        if self.0.is_done() {
            return Ok(None);
        }
        let met = py.detach(|| self.0.meet(&steps.steps));
        let number = |which: fn(&Met) -> Option<u64>| {
            let numbers = met.iter().map(|met| which(met).map(u64::cast_signed));
            Arc::new(numbers.collect::<Int64Array>()) as ArrayRef
        };
        let table = Table::of(vec![
            (
                "left",
                number(|met| side(met, 0).map(|side| side.number).or(late(met))),
            ),
            ("right", number(|met| side(met, 1).map(|side| side.number))),
            ("met", number(times)),
            (
                "left_size",
                number(|met| side(met, 0).map(|side| side.size.into())),
            ),
            (
                "left_rest",
                number(|met| side(met, 0).map(|side| side.rest.into())),
            ),
            (
                "right_size",
                number(|met| side(met, 1).map(|side| side.size.into())),
            ),
            (
                "right_rest",
                number(|met| side(met, 1).map(|side| side.rest.into())),
            ),
            (
                "left_open",
                number(|met| side(met, 0).map(|side| side.is_open.into())),
            ),
            (
                "right_open",
                number(|met| side(met, 1).map(|side| side.is_open.into())),
            ),
        ]);
        table.map(Some)
    }
}

fn side(met: &Met, at: usize) -> Option<&Side> {
    match met {
        Met::Pair { sides, .. } => sides.get(at),
        Met::Late(_) => None,
    }
}

fn late(met: &Met) -> Option<u64> {
    match met {
        Met::Late(number) => Some(*number),
        Met::Pair { .. } => None,
    }
}

fn times(met: &Met) -> Option<u64> {
    match met {
        Met::Pair { times, .. } => Some(u64::from(*times)),
        Met::Late(_) => None,
    }
}
