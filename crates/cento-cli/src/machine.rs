//! What the machine has left.

use std::path::Path;

/// How many bytes of memory programs can still have, if the system says so.
pub(crate) fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// How many bytes can still be written where a path is or will be, if the system says so.
#[cfg(unix)]
pub(crate) fn free_disk(path: &Path) -> Option<u64> {
    let there = path.ancestors().find(|path| path.exists());
    let there = there.filter(|path| !path.as_os_str().is_empty());
    let system = rustix::fs::statvfs(there.unwrap_or(Path::new("."))).ok()?;
    system.f_bavail.checked_mul(system.f_frsize)
}

#[cfg(not(unix))]
pub(crate) fn free_disk(_: &Path) -> Option<u64> {
    None
}

/// How many seconds all cores together have worked for this process; where the system does not say so,
/// as many as could have worked in the time that has passed.
#[cfg(unix)]
pub(crate) fn busy_seconds(_: f64) -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

#[cfg(not(unix))]
pub(crate) fn busy_seconds(elapsed: f64) -> f64 {
    elapsed * rayon::current_num_threads() as f64
}

/// A number of bytes, as people say it.
pub(crate) fn size(bytes: u64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} {}", units[0]),
        _ if value < 10.0 => format!("{value:.1} {}", units[unit]),
        _ => format!("{value:.0} {}", units[unit]),
    }
}

/// A number of seconds, as people say it.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1.0 => "less than a second".to_owned(),
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}
