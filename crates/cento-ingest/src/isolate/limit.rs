//! What a process that reads files may take: limits that the system keeps.

use std::time::Duration;

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
