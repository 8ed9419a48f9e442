//! What a process that reads files may take: limits that the system keeps.

use std::time::Duration;

/// Where a reader is told the number of the process that started it.
pub(super) const PARENT: &str = "CENTO_READER_OF";

/// Limits the memory of this process, and forbids it to write files.
#[cfg(unix)]
pub(super) fn memory(bytes: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let at_most = |bytes| Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    // Where the system refuses, the limits of time still hold.
    let _ = setrlimit(Resource::As, at_most(bytes));
    let _ = setrlimit(Resource::Fsize, at_most(0));
    let _ = setrlimit(Resource::Core, at_most(0));
}

/// Allows so much more memory than this process has now.
///
/// What an earlier file left is not held against the next one.
#[cfg(target_os = "linux")]
pub(super) fn more_memory(bytes: u64) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let statistics = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statistics
        .split(' ')
        .next()
        .and_then(|pages| pages.parse().ok());
    let Some(pages) = pages.filter(|pages: &u64| *pages > 0) else {
        return;
    };
    let now = pages.saturating_mul(rustix::param::page_size() as u64);
    let maximum = getrlimit(Resource::As).maximum;
    let wanted = now.saturating_add(bytes);
    let limit = Rlimit {
        current: Some(maximum.map_or(wanted, |maximum| wanted.min(maximum))),
        maximum,
    };
    let _ = setrlimit(Resource::As, limit);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn more_memory(_: u64) {}

/// Ends this process when the one that started it is gone, whatever a parser is doing.
///
/// The system's own signal for that goes by threads: it would come when the thread ends that started
/// this process. And the parent says who it is, because it may be gone before anybody can ask.
#[cfg(unix)]
pub(super) fn follow_parent() {
    use rustix::process::getppid;
    const EVERY: Duration = Duration::from_millis(500);
    let told = std::env::var(PARENT)
        .ok()
        .and_then(|parent| parent.parse().ok());
    let now = || getppid().map(|parent| parent.as_raw_nonzero().get());
    let parent = told.or_else(now);
    std::thread::spawn(move || {
        while now() == parent {
            std::thread::sleep(EVERY);
        }
        std::process::exit(1);
    });
}

#[cfg(not(unix))]
pub(super) fn follow_parent() {}

/// Allows so much processor time from now on.
///
/// The process that asks looks at the clock itself; this is for the case that it is gone.
#[cfg(unix)]
pub(super) fn processor_time(time: Duration) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use rustix::time::{ClockId, clock_gettime};
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let used = u64::try_from(used).unwrap_or(0);
    let current = used.saturating_add(time.as_secs()).saturating_add(2);
    let maximum = getrlimit(Resource::Cpu).maximum;
    let limit = Rlimit {
        current: Some(maximum.map_or(current, |maximum| current.min(maximum))),
        maximum,
    };
    let _ = setrlimit(Resource::Cpu, limit);
}

#[cfg(not(unix))]
pub(super) fn memory(_: u64) {}

#[cfg(not(unix))]
pub(super) fn processor_time(_: Duration) {}
