//! Numbers of versions that were forgotten, which are not given again.

use rusqlite::{OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};

use super::Tables;
use crate::error::Result;

impl Tables<'_> {
    /// Remembers that a name had a version with this number.
    pub(in crate::archive) fn remember_number(&self, name: &str, number: u64) -> Result<()> {
        let number = number.max(self.forgotten_number(name)?);
        let name = Sha256::digest(name.as_bytes());
        let sql = "INSERT OR REPLACE INTO forgotten VALUES (?1, ?2, ?3)";
        self.run(|connection| {
            let mut insert = connection.prepare_cached(sql)?;
            let seal = seal(&name, number);
            insert.execute(params![name.as_slice(), number, seal.as_slice()])
        })?;
        Ok(())
    }

    /// The highest number of a version under a name that was forgotten; 0 if none was.
    pub(in crate::archive) fn forgotten_number(&self, name: &str) -> Result<u64> {
        let digest = Sha256::digest(name.as_bytes());
        let sql = "SELECT version, seal FROM forgotten WHERE name = ?1";
        let found: Option<(u64, Vec<u8>)> = self.run(|connection| {
            let mut find = connection.prepare_cached(sql)?;
            let found = find.query_row([digest.as_slice()], |row| Ok((row.get(0)?, row.get(1)?)));
            found.optional()
        })?;
        let Some((number, seal_there)) = found else {
            return Ok(0);
        };
        if seal_there == seal(&digest, number) {
            return Ok(number);
        }
        let name = name.escape_debug();
        let reason = format!(
            "what is known of forgotten versions of {name} is damaged: it does not have its checksum"
        );
        Err(self.damaged(&reason))
    }

    /// How many entries about forgotten versions are not as they were written.
    pub(in crate::archive) fn damaged_numbers(&self) -> Result<usize> {
        let is_there = "SELECT count(*) FROM sqlite_schema WHERE name = 'forgotten'";
        let all: Vec<(Vec<u8>, u64, Vec<u8>)> = self.run(|connection| {
            // Archives of earlier programs do not have the table until they are written to.
            if connection.query_row(is_there, [], |row| row.get::<_, u64>(0))? == 0 {
                return Ok(Vec::new());
            }
            let mut all = connection.prepare("SELECT name, version, seal FROM forgotten")?;
            let all = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            all.collect()
        })?;
        let is_damaged = |(name, number, seal_there): &&(Vec<u8>, u64, Vec<u8>)| {
            *seal_there != seal(name, *number)
        };
        Ok(all.iter().filter(is_damaged).count())
    }
}

/// A checksum of an entry.
fn seal(name: &[u8], number: u64) -> [u8; 4] {
    let digest = Sha256::new()
        .chain_update(name)
        .chain_update(number.to_le_bytes())
        .finalize();
    let mut seal = [0; 4];
    seal.copy_from_slice(&digest[..4]);
    seal
}
