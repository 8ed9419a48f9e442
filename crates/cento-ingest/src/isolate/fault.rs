//! Faults that tests ask for. Release builds have none of this.

/// Does what a broken parser might do if the file's name says so and `CENTO_TEST_FAULTS` is set.
#[cfg(debug_assertions)]
pub(crate) fn fault(name: &str) {
    if std::env::var_os("CENTO_TEST_FAULTS").is_none() {
        return;
    }
    let name = name.rsplit('/').next().unwrap_or_default();
    if name.starts_with("fault-hang") {
        loop {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    } else if name.starts_with("fault-spin") {
        loop {
            std::hint::black_box(0);
        }
    } else if name.starts_with("fault-stack") {
        std::hint::black_box(deeper(0));
    } else if name.starts_with("fault-memory") {
        let mut hoard: Vec<Vec<u8>> = Vec::new();
        loop {
            hoard.push(std::hint::black_box(vec![1; 64 << 20]));
        }
    } else if name.starts_with("fault-exit") {
        std::process::exit(7);
    } else if name.starts_with("fault-panic") {
        let nothing: Option<u8> = std::hint::black_box(None);
        std::hint::black_box(nothing.expect("a panic was asked for"));
    }
}

/// Nothing, in a release build.
#[cfg(not(debug_assertions))]
pub(crate) fn fault(_: &str) {}

#[cfg(debug_assertions)]
#[expect(unconditional_recursion, reason = "that is the fault")]
fn deeper(depth: u64) -> u64 {
    let frame = std::hint::black_box([depth; 64]);
    deeper(frame[0] + 1) + frame[63]
}
