//! The bytes of a file, mapped into memory or read into it, and brought near before they are needed.

#![allow(
    unsafe_code,
    reason = "mapping a file is unsafe by nature, and fetching ahead has no safe form; see SAFETY"
)]

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::path::Path;

#[cfg(unix)]
use memmap2::Advice;
use memmap2::Mmap;

/// How bytes are going to be read.
#[derive(Clone, Copy)]
pub(super) enum Access {
    /// A few here and there: reading ahead would be in vain.
    Anywhere,
    /// Many in a row, or nearly all.
    InOrder,
}

/// The bytes of a file.
pub(in crate::index) enum Bytes {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl Bytes {
    /// Maps a file into memory: nothing is read before it is looked at.
    pub(in crate::index) fn map(path: &Path) -> io::Result<Bytes> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Bytes::Read(Vec::new()));
        }
        // SAFETY: a map is sound as long as nobody changes or cuts the file while it lasts. A
        // segment gets its name only when it is complete, and nothing in this library opens a named
        // segment for writing: it is replaced by renaming or removed, and both leave the mapped
        // file as it was. Somebody else who writes into the file all the same can make a read give
        // other bytes than before, which the reader survives because it checks every number that
        // it uses at the moment of using it; who cuts the file makes the system end the process.
        // `Bytes::read` is the way to do without that risk.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Bytes::Mapped(map))
    }

    /// Tells the system how a part of the file is going to be read; what it makes of that is its
    /// own business.
    pub(super) fn expect(&self, part: &Range<usize>, access: Access) {
        #[cfg(unix)]
        if let Bytes::Mapped(map) = self {
            let advice = match access {
                Access::Anywhere => Advice::Random,
                Access::InOrder => Advice::Normal,
            };
            let _ = map.advise_range(advice, part.start, part.len());
        }
        #[cfg(not(unix))]
        let _ = (part, access);
    }

    /// Says that the whole file will be in memory, so that it may be mapped in large pages: finding
    /// the small ones takes as long as reading from them. With `now`, it is brought there.
    #[cfg(feature = "registry")]
    pub(super) fn hold(&self, now: bool) {
        #[cfg(target_os = "linux")]
        if let Bytes::Mapped(map) = self {
            let _ = map.advise(Advice::HugePage);
            if now {
                let _ = map.advise(Advice::PopulateRead);
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = now;
    }

    /// Reads a whole file into memory: the safe twin.
    pub(super) fn read(path: &Path) -> io::Result<Bytes> {
        std::fs::read(path).map(Bytes::Read)
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Read(bytes) => bytes,
        }
    }
}

/// Has the bytes around a place brought near, without waiting for them.
#[inline]
pub(super) fn fetch(bytes: &[u8], place: u64) {
    let byte = usize::try_from(place).ok().and_then(|at| bytes.get(at));
    #[cfg(target_arch = "x86_64")]
    if let Some(byte) = byte {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every processor of this kind has the instruction; it changes nothing that the
        // program can see, and fails for no address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
    }
    // Reading it has the same effect, if others are read before this one is there.
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(byte.copied());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_equals_read() {
        let folder = tempfile::tempdir().unwrap();
        for (name, length) in [("none", 0), ("few", 5), ("many", 70_000)] {
            let path = folder.path().join(name);
            let bytes: Vec<u8> = (0u8..=250).cycle().take(length).collect();
            std::fs::write(&path, &bytes).unwrap();
            assert_eq!(*Bytes::map(&path).unwrap(), *bytes);
            assert_eq!(*Bytes::read(&path).unwrap(), *bytes);
        }
        assert!(Bytes::map(&folder.path().join("missing")).is_err());
        assert!(Bytes::map(folder.path()).is_err());
    }
}
