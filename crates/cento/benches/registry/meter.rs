//! Clocks, memory and percentiles.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, Timespec, clock_gettime};

/// Seconds on the wall and on all processors of this process.
#[derive(Clone, Copy, Default)]
pub(crate) struct Times {
    pub(crate) wall: f64,
    pub(crate) processor: f64,
}

/// Runs something; says how long it took.
pub(crate) fn timed<T>(run: impl FnOnce() -> T) -> (T, Times) {
    let (start, processor) = (Instant::now(), processor_seconds());
    let result = run();
    let times = Times {
        wall: start.elapsed().as_secs_f64(),
        processor: processor_seconds() - processor,
    };
    (result, times)
}

/// Processor seconds of this process, all threads together.
pub(crate) fn processor_seconds() -> f64 {
    seconds(clock_gettime(ClockId::ProcessCPUTime))
}

fn seconds(time: Timespec) -> f64 {
    Duration::try_from(time).map_or(0.0, |time| time.as_secs_f64())
}

/// The value below which so many percent are; sorts them.
pub(crate) fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len() * percent / 100).min(values.len().saturating_sub(1));
    values.get(place).copied().unwrap_or(0.0)
}

/// Watches how much memory the process takes that is not a mapped file.
pub(crate) struct MemoryWatch {
    most: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl MemoryWatch {
    pub(crate) fn start() -> MemoryWatch {
        let (most, is_over) = (
            Arc::new(AtomicU64::new(0)),
            Arc::new(AtomicBool::new(false)),
        );
        let (of_thread, until) = (Arc::clone(&most), Arc::clone(&is_over));
        let watch = move || {
            while !until.load(Ordering::Relaxed) {
                of_thread.fetch_max(status("RssAnon"), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(20));
            }
        };
        MemoryWatch {
            most,
            is_over,
            thread: Some(std::thread::spawn(watch)),
        }
    }

    /// The most megabytes so far.
    pub(crate) fn megabytes(mut self) -> f64 {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("a thread that only looks");
        }
        self.most.load(Ordering::Relaxed) as f64 / 1024.0
    }
}

/// The most megabytes that the process ever took, pages of mapped files included.
pub(crate) fn peak_megabytes() -> f64 {
    status("VmHWM") as f64 / 1024.0
}

/// A line of the system's description of this process, in kilobytes; 0 where there is none.
fn status(name: &str) -> u64 {
    number_in("/proc/self/status", name)
}

/// How many bytes this process had fetched from storage.
pub(crate) fn bytes_fetched() -> u64 {
    number_in("/proc/self/io", "read_bytes")
}

fn number_in(file: &str, name: &str) -> u64 {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}
