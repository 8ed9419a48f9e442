//! A sorted table of numbers: a bit vector of buckets over their upper bits, packed remainders, and
//! perhaps a few more bits with each. Digests are kept in one, and repeats in another.

use super::bits::{Bits, Damage, Packed, low_bits};

/// Every 2^6-th bucket has a sample.
pub(super) const BUCKET_SHIFT: u32 = 6;
/// Buckets of up to so many entries are read one by one; in longer ones halving pays.
const FEW: u64 = 16;

/// How many upper bits of a key should number its bucket: one to four entries to each on average.
pub(super) fn bucket_bits(entries: u64, key_bits: u32) -> u32 {
    let bits = entries.checked_ilog2().unwrap_or(0).saturating_sub(1);
    bits.min(key_bits).min(40)
}

/// Entries sorted by key.
#[derive(Clone, Copy, Default)]
pub(super) struct Table<'a> {
    /// For each bucket a 0 for every entry in it, then a 1.
    pub(super) buckets: Bits<'a>,
    /// For each entry the rest of its key, and below it the payload.
    pub(super) records: Packed<'a>,
    /// How many entries there are.
    pub(super) entries: u64,
    /// How many buckets there are.
    pub(super) bucket_count: u64,
    /// How many bits of a key are in the record.
    pub(super) rest_bits: u32,
    /// How many bits stand below them.
    pub(super) payload_bits: u32,
}

/// An entry: its key and what stands with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) payload: u64,
}

impl<'a> Table<'a> {
    /// The number of the entry that has a key.
    pub(super) fn find(&self, key: u64) -> Result<Option<u64>, Damage> {
        match self.bucket_of(key) {
            Some(bucket) => self.find_in(key, self.bucket(bucket)?),
            None => Ok(None),
        }
    }

    /// The bucket of a key, if a key like that can be in the table at all.
    #[inline]
    pub(super) fn bucket_of(&self, key: u64) -> Option<u64> {
        let bucket = key.checked_shr(self.rest_bits).unwrap_or(0);
        (bucket < self.bucket_count && self.entries > 0).then_some(bucket)
    }

    /// The first entry of a bucket, and the first behind it.
    #[inline]
    pub(super) fn bucket(&self, bucket: u64) -> Result<(u64, u64), Damage> {
        const MORE: Damage = Damage("a bucket has entries that are not there");
        let (start, end) = self.buckets.group(bucket)?;
        let first = start.checked_sub(bucket).ok_or(MORE)?;
        let behind = end.checked_sub(bucket).ok_or(MORE)?;
        if behind <= self.entries {
            Ok((first, behind))
        } else {
            Err(MORE)
        }
    }

    /// The number of the entry that has a key, given its bucket's entries.
    #[inline]
    pub(super) fn find_in(
        &self,
        key: u64,
        (first, behind): (u64, u64),
    ) -> Result<Option<u64>, Damage> {
        let rest = key & low_bits(self.rest_bits);
        if behind - first > FEW || self.records.width > Packed::SURE_BITS {
            let place = self.lower_bound(rest, first, behind)?;
            let found = place < behind && self.rest(place)? == rest;
            return Ok(found.then_some(place));
        }
        // Entries are fewer than 2^48, so their bits can be numbered.
        let mut bit = first * u64::from(self.records.width);
        for place in first..behind {
            let record = self.records.some_from(bit)? & low_bits(self.records.width);
            let found = record >> self.payload_bits;
            if found >= rest {
                return Ok((found == rest).then_some(place));
            }
            bit += u64::from(self.records.width);
        }
        Ok(None)
    }

    /// Reads entries in order, from the first whose key is not below `key`.
    pub(super) fn from(&self, key: u64) -> Result<Entries<'a>, Damage> {
        let Some(bucket) = self.bucket_of(key) else {
            return Ok(self.at(self.entries, 0, 0));
        };
        let (first, behind) = self.bucket(bucket)?;
        let place = self.lower_bound(key & low_bits(self.rest_bits), first, behind)?;
        Ok(self.at(place, bucket, place + bucket))
    }

    /// Reads all entries in order.
    pub(super) fn all(&self) -> Entries<'a> {
        self.at(0, 0, 0)
    }

    fn at(&self, place: u64, bucket: u64, bit: u64) -> Entries<'a> {
        Entries {
            table: *self,
            place,
            bucket,
            bit,
        }
    }

    /// The first of some entries of a bucket whose rest is not below `rest`.
    #[inline]
    fn lower_bound(&self, rest: u64, mut first: u64, mut behind: u64) -> Result<u64, Damage> {
        while behind - first > FEW {
            let middle = first + (behind - first) / 2;
            if self.rest(middle)? < rest {
                first = middle + 1;
            } else {
                behind = middle;
            }
        }
        while first < behind && self.rest(first)? < rest {
            first += 1;
        }
        Ok(first)
    }

    #[inline]
    fn rest(&self, place: u64) -> Result<u64, Damage> {
        let record = self.records.get(place)?;
        Ok(record.checked_shr(self.payload_bits).unwrap_or(0))
    }
}

/// Reads the entries of a table in order.
#[derive(Clone)]
pub(super) struct Entries<'a> {
    table: Table<'a>,
    /// The next entry.
    place: u64,
    /// The bucket that it is in, or one before it.
    bucket: u64,
    /// Where in the bit vector that is.
    bit: u64,
}

impl Entries<'_> {
    /// The next entry, if there is one.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Entry>, Damage> {
        if self.place >= self.table.entries {
            return Ok(None);
        }
        loop {
            let ones = self.table.buckets.some_from(self.bit)?.trailing_ones();
            // Of the bits that were read, up to seven at the upper end may be missing.
            self.bit += u64::from(ones.min(57));
            self.bucket += u64::from(ones.min(57));
            if ones < 57 {
                break;
            }
        }
        if self.bucket >= self.table.bucket_count {
            return Err(Damage("an entry lies behind the last bucket"));
        }
        self.bit += 1;
        let record = self.table.records.get(self.place)?;
        self.place += 1;
        let Table {
            rest_bits,
            payload_bits,
            ..
        } = self.table;
        let upper = self.bucket.checked_shl(rest_bits).unwrap_or(0);
        Ok(Some(Entry {
            key: upper | record.checked_shr(payload_bits).unwrap_or(0),
            payload: record & low_bits(payload_bits),
        }))
    }
}
