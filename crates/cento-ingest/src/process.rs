//! What a process may take that works on bytes of strangers for another one: limits that the system
//! keeps. Where a system refuses one of them, the others still hold.

use std::process::{Child, Command};
use std::time::Duration;

/// Where such a process is told the number of the one that started it.
pub(crate) const PARENT: &str = "CENTO_READER_OF";

#[cfg(unix)]
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, setrlimit};

/// Forbids this process to write files, even when it crashes.
#[cfg(unix)]
pub fn forbid_files() {
    at_most(Resource::Fsize, 0);
    at_most(Resource::Core, 0);
}

/// Forbids this process and those that it starts to write larger files than this.
#[cfg(unix)]
pub(crate) fn limit_files(bytes: u64) {
    at_most(Resource::Fsize, bytes);
    at_most(Resource::Core, 0);
}

/// Limits the memory of this process for good.
#[cfg(unix)]
pub fn limit_memory(bytes: u64) {
    at_most(Resource::As, bytes);
}

/// Allows so much more memory than this process has now.
///
/// What earlier work left is not held against the next. Memory that an allocator has set aside and does
/// not use is not counted: how much that is differs from run to run.
#[cfg(target_os = "linux")]
pub fn allow_memory(bytes: u64) {
    let statistics = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statistics.split(' ').nth(5);
    let pages = pages.and_then(|pages| pages.parse::<u64>().ok());
    if let Some(pages) = pages.filter(|pages| *pages > 0) {
        let now = pages.saturating_mul(rustix::param::page_size() as u64);
        for_now(Resource::Data, now.saturating_add(bytes));
    }
}

/// Allows so much processor time from now on.
///
/// Whoever waits looks at the clock as well; this is for the case that nobody does.
#[cfg(unix)]
pub fn allow_time(time: Duration) {
    use rustix::time::{ClockId, clock_gettime};
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    let used = u64::try_from(used).unwrap_or(0);
    let more = time.as_secs().saturating_add(2);
    for_now(Resource::Cpu, used.saturating_add(more));
}

/// Ends this process when the one that started it is gone, whatever a parser is doing.
///
/// The system's own signal for that goes by threads: it would come when the thread ends that started
/// this process. And the parent says who it is, because it may be gone before anybody can ask.
#[cfg(unix)]
pub(crate) fn follow_parent() {
    when_parent_is_gone(|| std::process::exit(1));
}

/// The same with every process that this one has started, if it leads a group of its own.
#[cfg(unix)]
pub(crate) fn end_group_with_parent() {
    use rustix::process::{getpgrp, getpid, kill_process_group};
    when_parent_is_gone(|| {
        if getpgrp() == getpid() {
            let _ = kill_process_group(getpgrp(), Signal::KILL);
        }
        std::process::exit(1);
    });
}

/// Lets a process that is to be started lead a group, so that what it starts can be ended with it.
#[cfg_attr(not(unix), expect(unused_variables, reason = "there are no groups"))]
pub fn lead_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Ends a process that leads a group, with all that it has started; where there are no groups, the
/// process alone. It must not have been waited for.
pub fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    let _ = rustix::process::kill_process_group(Pid::from_child(child), Signal::KILL);
    let _ = child.kill();
}

#[cfg(unix)]
fn when_parent_is_gone(end: impl FnOnce() + Send + 'static) {
    use rustix::process::getppid;
    const EVERY: Duration = Duration::from_millis(500);
    let told = std::env::var(PARENT).ok();
    let told = told.and_then(|parent| parent.parse().ok());
    let now = || getppid().map(|parent| parent.as_raw_nonzero().get());
    let parent = told.or_else(now);
    std::thread::spawn(move || {
        while now() == parent {
            std::thread::sleep(EVERY);
        }
        end();
    });
}

/// A limit that cannot be raised again.
#[cfg(unix)]
fn at_most(resource: Resource, most: u64) {
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    let _ = setrlimit(resource, limit);
}

/// A limit that the next one replaces.
#[cfg(unix)]
fn for_now(resource: Resource, wanted: u64) {
    let maximum = getrlimit(resource).maximum;
    let limit = Rlimit {
        current: Some(maximum.map_or(wanted, |maximum| wanted.min(maximum))),
        maximum,
    };
    let _ = setrlimit(resource, limit);
}

#[cfg(not(unix))]
mod without {
    use std::process::{Child, Command};
    use std::time::Duration;

    /// Not here.
    pub fn forbid_files() {}

    /// Not here.
    pub fn limit_memory(_: u64) {}

    /// Not here.
    pub fn allow_time(_: Duration) {}

    pub(crate) fn limit_files(_: u64) {}

    pub(crate) fn follow_parent() {}

    pub(crate) fn end_group_with_parent() {}

    pub(crate) fn lead_group(_: &mut Command) {}

    pub(crate) fn kill_group(child: &mut Child) {
        let _ = child.kill();
    }
}

#[cfg(not(unix))]
pub use without::*;

/// Not here.
#[cfg(not(target_os = "linux"))]
pub fn allow_memory(_: u64) {}
