//! Bytes that are stored once, whole or as patches.
//!
//! The versions of a page that differ little are a chain: the first is whole, and each of the others is a
//! patch against an earlier one. Which one follows from its place in the chain, as in Subversion's skip
//! deltas: number 37 is 0211 in base 4, and a patch against 0210, which is one against 0200, which is one
//! against 0100, which is one against the whole. So few patches lead to any version, however many there
//! are, and most patches are against the version before.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension as _, Row, params};
use sha2::{Digest as _, Sha256};

use super::Tables;
use crate::archive::pack;
use crate::error::Result;

/// How many versions a place is divided by: more make smaller patches, fewer shorter ways.
const RADIX: u64 = 4;
/// As long as fewer patches than this lead to the version before, the next may be a patch against that.
const LONG_WAY: usize = 9;
/// It is one if the patch that its place asks for would be more than so many times as large.
const MUCH: usize = 2;
/// More patches than this never lead to a payload.
const LONGEST_WAY: usize = 1000;

/// Which payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::archive) struct PayloadId(pub(in crate::archive) i64);

/// A payload, but for its bytes.
#[derive(Clone, Debug)]
pub(in crate::archive) struct Payload {
    pub(in crate::archive) id: PayloadId,
    /// What it is a patch against.
    pub(in crate::archive) base: Option<PayloadId>,
    place: u64,
    pub(in crate::archive) length: u64,
    /// SHA-256.
    pub(in crate::archive) digest: Vec<u8>,
    /// How many bytes it takes.
    pub(in crate::archive) stored: u64,
}

/// What new bytes resemble.
#[derive(Clone, Copy, Debug)]
pub(in crate::archive) enum Near {
    /// Nothing: they are stored whole.
    Nothing,
    /// They are the next version after this.
    After(PayloadId),
    /// They are another form of this.
    Like(PayloadId),
}

/// Bytes that are in the archive now.
#[derive(Clone, Copy, Debug)]
pub(in crate::archive) struct Put {
    pub(in crate::archive) id: PayloadId,
    /// How many bytes were written; nothing if they were there before.
    pub(in crate::archive) stored: Option<u64>,
}

/// The digest that tells payloads apart.
pub(in crate::archive) fn digest(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes).to_vec()
}

impl Tables<'_> {
    /// The payload with a SHA-256.
    pub(in crate::archive) fn find_payload(&self, digest: &[u8]) -> Result<Option<PayloadId>> {
        let sql = "SELECT id FROM payloads WHERE substr(digest, 1, 6) = substr(?1, 1, 6) \
                   AND digest = ?1";
        self.run(|connection| {
            let mut find = connection.prepare_cached(sql)?;
            let found = find.query_row([digest], |row| row.get(0));
            Ok(found.optional()?.map(PayloadId))
        })
    }

    /// What is known about a payload.
    pub(in crate::archive) fn payload(&self, id: PayloadId) -> Result<Payload> {
        let sql =
            "SELECT id, base, place, length, digest, length(packed) FROM payloads WHERE id = ?1";
        let found = self.run(|connection| {
            let mut find = connection.prepare_cached(sql)?;
            find.query_row([id.0], payload).optional()
        })?;
        found.ok_or_else(|| self.damaged(&format!("payload {} is missing", id.0)))
    }

    /// All payloads, by their numbers.
    pub(in crate::archive) fn payloads(&self) -> Result<Vec<Payload>> {
        let sql =
            "SELECT id, base, place, length, digest, length(packed) FROM payloads ORDER BY id";
        self.run(|connection| {
            let mut all = connection.prepare(sql)?;
            let all = all.query_map([], payload)?;
            all.collect()
        })
    }

    /// The bytes of a payload, which have been compared with their SHA-256.
    pub(in crate::archive) fn bytes(&self, id: PayloadId) -> Result<Vec<u8>> {
        let bytes = self.unchecked_bytes(id)?;
        let known = self.payload(id)?;
        if digest(&bytes) != known.digest {
            let reason = format!(
                "payload {} is damaged: its bytes do not have their SHA-256",
                id.0
            );
            return Err(self.damaged(&reason));
        }
        Ok(bytes)
    }

    fn unchecked_bytes(&self, id: PayloadId) -> Result<Vec<u8>> {
        let sql = "SELECT base, length, packed FROM payloads WHERE id = ?1";
        let mut way: Vec<(i64, usize, Vec<u8>)> = Vec::new();
        let mut next = Some(id.0);
        while let Some(id) = next {
            let found = self.run(|connection| {
                let mut find = connection.prepare_cached(sql)?;
                let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
                find.query_row([id], row).optional()
            })?;
            let (base, length, packed) =
                found.ok_or_else(|| self.damaged(&format!("payload {id} is missing")))?;
            way.push((id, length, packed));
            next = base;
            if way.len() > LONGEST_WAY {
                return Err(self.damaged(&format!("the patches of payload {id} lead nowhere")));
            }
        }
        let mut bytes: Option<Vec<u8>> = None;
        for (id, length, packed) in way.iter().rev() {
            let unpacked = pack::unpacked(packed, bytes.as_deref(), *length);
            let damage = || self.damaged(&format!("payload {id} is damaged: it does not unpack"));
            bytes = Some(unpacked.ok_or_else(damage)?);
        }
        Ok(bytes.unwrap_or_default())
    }

    /// Stores bytes, unless they are stored already.
    pub(in crate::archive) fn put(&self, bytes: &[u8], near: Near) -> Result<Put> {
        let digest = digest(bytes);
        if let Some(id) = self.find_payload(&digest)? {
            return Ok(Put { id, stored: None });
        }
        let (bases, place) = match near {
            Near::Nothing => (Vec::new(), 0),
            Near::Like(other) => (vec![other], self.payload(other)?.place + 1),
            Near::After(before) => self.bases_after(before)?,
        };
        let (base, place, packed) = match self.smallest_patch(&bases, bytes)? {
            // Where nothing is alike, whole is smaller.
            Some((base, patch)) if patch.len() < bytes.len() / 4 => (Some(base.0), place, patch),
            Some((base, patch)) => {
                let whole = pack::whole(bytes);
                if patch.len() < whole.len() {
                    (Some(base.0), place, patch)
                } else {
                    (None, 0, whole)
                }
            }
            None => (None, 0, pack::whole(bytes)),
        };
        let sql = "INSERT INTO payloads (base, place, length, digest, packed) \
                   VALUES (?1, ?2, ?3, ?4, ?5)";
        let id = self.run(|connection| {
            let mut insert = connection.prepare_cached(sql)?;
            insert.insert(params![base, place, bytes.len(), digest, packed])
        })?;
        Ok(Put {
            id: PayloadId(id),
            stored: Some(packed.len() as u64),
        })
    }

    /// Stores a payload again, as a patch against another one or whole.
    pub(in crate::archive) fn repack(&self, id: PayloadId, base: Option<PayloadId>) -> Result<()> {
        let bytes = self.bytes(id)?;
        let whole = pack::whole(&bytes);
        let (base, packed) = match base {
            Some(base) => {
                let patch = pack::patch(&self.bytes(base)?, &bytes);
                if patch.len() < whole.len() {
                    (Some(base.0), patch)
                } else {
                    (None, whole)
                }
            }
            None => (None, whole),
        };
        let sql = "UPDATE payloads SET base = ?2, packed = ?3 WHERE id = ?1";
        self.run(|connection| connection.execute(sql, params![id.0, base, packed]))?;
        Ok(())
    }

    /// The payloads that versions have.
    pub(in crate::archive) fn used_payloads(&self) -> Result<BTreeSet<PayloadId>> {
        let sql = "SELECT payload FROM versions \
                   UNION SELECT head FROM versions WHERE head IS NOT NULL \
                   UNION SELECT transfer FROM versions WHERE transfer IS NOT NULL";
        self.run(|connection| {
            let mut all = connection.prepare(sql)?;
            let all = all.query_map([], |row| Ok(PayloadId(row.get(0)?)))?;
            all.collect()
        })
    }

    /// Removes payloads, and everything else that only they had.
    pub(in crate::archive) fn remove_payloads(
        &self,
        is_unused: impl Fn(PayloadId) -> bool,
        payloads: &[Payload],
    ) -> Result<()> {
        self.run(|connection| {
            let mut remove = connection.prepare("DELETE FROM payloads WHERE id = ?1")?;
            for payload in payloads.iter().filter(|payload| is_unused(payload.id)) {
                remove.execute([payload.id.0])?;
            }
            let sql = "DELETE FROM sums WHERE payload NOT IN (SELECT id FROM payloads) \
                       OR transfer IS NOT NULL AND transfer NOT IN (SELECT id FROM payloads)";
            connection.execute(sql, [])?;
            let sql = "DELETE FROM marks WHERE id NOT IN \
                       (SELECT mark FROM versions WHERE mark IS NOT NULL)";
            connection.execute(sql, [])
        })?;
        Ok(())
    }

    /// A patch against the first of some bases, or against a later one if that is much smaller.
    fn smallest_patch(
        &self,
        bases: &[PayloadId],
        bytes: &[u8],
    ) -> Result<Option<(PayloadId, Vec<u8>)>> {
        let mut smallest: Option<(PayloadId, Vec<u8>)> = None;
        for &base in bases {
            let patch = pack::patch(&self.bytes(base)?, bytes);
            let is_smaller = |(_, before): &(PayloadId, Vec<u8>)| patch.len() * MUCH < before.len();
            if smallest.as_ref().is_none_or(is_smaller) {
                smallest = Some((base, patch));
            }
        }
        Ok(smallest)
    }

    /// What the payload after another one may be a patch against, and its place. First the base that its
    /// place asks for; where the way is short, the one before it as well.
    fn bases_after(&self, before: PayloadId) -> Result<(Vec<PayloadId>, u64)> {
        let mut base = self.payload(before)?;
        let place = base.place + 1;
        let mut step = 1;
        while place.is_multiple_of(step * RADIX) {
            step *= RADIX;
        }
        let target = place - step;
        let mut way = 0;
        let mut asked = None;
        while let Some(next) = base.base {
            if base.place <= target && asked.is_none() {
                asked = Some(base.id);
            }
            base = self.payload(next)?;
            way += 1;
        }
        let asked = asked.unwrap_or(base.id);
        let mut bases = vec![asked];
        if asked != before && way < LONG_WAY {
            bases.push(before);
        }
        Ok((bases, place))
    }
}

fn payload(row: &Row<'_>) -> rusqlite::Result<Payload> {
    Ok(Payload {
        id: PayloadId(row.get(0)?),
        base: row.get::<_, Option<i64>>(1)?.map(PayloadId),
        place: row.get(2)?,
        length: row.get(3)?,
        digest: row.get(4)?,
        stored: row.get(5)?,
    })
}
