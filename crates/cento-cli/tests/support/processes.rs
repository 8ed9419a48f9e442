//! Who started whom, as the system tells.

/// A process, and the command that it runs.
pub(crate) struct Started {
    pub(crate) number: String,
    pub(crate) command: String,
}

/// The processes that a process has started and that are still there.
pub(crate) fn started_by(parent: u32) -> Vec<Started> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let child = |process: std::fs::DirEntry| {
        let read = |name: &str| std::fs::read_to_string(process.path().join(name));
        let (stat, command) = (read("stat").ok()?, read("cmdline").ok()?);
        // After the name, which may have spaces in it: the state and the parent.
        let parent_of = stat.rsplit(')').next()?.split_whitespace().nth(1)?;
        let number = process.file_name().into_string().ok()?;
        (parent_of == parent.to_string()).then_some(Started { number, command })
    };
    processes.filter_map(child).collect()
}
