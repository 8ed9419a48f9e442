//! What the machine did, and numbers of it as people say them.

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
        0 if bytes == 1 => "1 byte".to_owned(),
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

/// Forbids copies of this process's memory on disk if it crashes: keys and other people's texts are
/// in it.
#[cfg(target_os = "linux")]
pub(crate) fn leave_no_memory_behind() {
    use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    // Where the system refuses, there is nothing better to do.
    let _ = setrlimit(Resource::Core, none);
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn leave_no_memory_behind() {}
