//! What the machine has left.

use std::path::Path;

/// How many bytes of memory programs can still have, if the system says so.
pub fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// How many bytes can still be written where a path is or will be, if the system says so.
#[cfg(unix)]
pub fn free_disk(path: &Path) -> Option<u64> {
    let there = path.ancestors().find(|path| path.exists());
    let there = there.filter(|path| !path.as_os_str().is_empty());
    let system = rustix::fs::statvfs(there.unwrap_or(Path::new("."))).ok()?;
    system.f_bavail.checked_mul(system.f_frsize)
}

#[cfg(not(unix))]
pub fn free_disk(_: &Path) -> Option<u64> {
    None
}
