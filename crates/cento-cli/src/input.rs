//! The options about input: what was typed or configured → how files are found and read.

use std::time::Duration;

use cento_ingest::{
    Converters, Encoding, Grouping, Isolation, Limits, Options, Programs, Reading, not_a_size,
    parse_size,
};
use cento_jobs::Problem;

use crate::args::InputOptions;
use crate::config::Keys;

/// The hidden verb of the processes that read files.
pub(crate) const WORKER: &str = "read-files";

/// What was typed, as cento.toml would have it.
pub(crate) fn keys(typed: InputOptions) -> Keys {
    let some = |patterns: Vec<String>| Some(patterns).filter(|patterns| !patterns.is_empty());
    Keys {
        per_folder: match (typed.per_folder, typed.per_file) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        },
        include: some(typed.include),
        exclude: some(typed.exclude),
        follow_links: typed.follow_links.then_some(true),
        language: typed.language,
        text_key: typed.text_key,
        id_key: typed.id_key,
        encoding: typed.encoding,
        max_file_size: typed.max_file_size,
        max_text_size: typed.max_text_size,
        max_ratio: typed.max_ratio,
        max_nesting: typed.max_nesting,
        max_entries: typed.max_entries,
        max_time: typed.max_time,
        max_reader_memory: typed.max_reader_memory,
        ..Keys::default()
    }
}

/// What the keys mean. Bad values are added to the problems.
pub(crate) fn options(keys: &Keys, problems: &mut Vec<Problem>) -> Options {
    let usual = Limits::default();
    let mut problem = |option, reason| problems.push(Problem { option, reason });
    let mut bytes = |option: &'static str, text: &Option<String>, usual: u64| match text {
        None => usual,
        Some(text) => parse_size(text).unwrap_or_else(|| {
            problem(option, not_a_size(text));
            usual
        }),
    };
    let file_size = bytes("max-file-size", &keys.max_file_size, usual.file_size);
    let text_size = bytes("max-text-size", &keys.max_text_size, usual.text_size);
    let memory = bytes("max-reader-memory", &keys.max_reader_memory, usual.memory);
    let seconds = keys.max_time.unwrap_or(usual.time.as_secs_f64());
    let time = Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|time| !time.is_zero());
    let time = time.unwrap_or_else(|| {
        let reason = format!("{seconds} is not a number of seconds above 0");
        problem("max-time", reason);
        usual.time
    });
    let encoding = keys.encoding.as_deref().and_then(|name| {
        let encoding = Encoding::for_label(name.trim().as_bytes());
        if encoding.is_none() {
            let known = "UTF-8, windows-1250, GBK, Shift_JIS and KOI8-R are";
            problem("encoding", format!("{name} is not known; {known}"));
        }
        encoding
    });
    let programs = match keys.language.as_deref().map(Programs::named) {
        None => Programs::Auto,
        Some(Ok(programs)) => programs,
        Some(Err(reason)) => {
            problem("language", reason);
            Programs::Auto
        }
    };
    let named = keys.convert.clone().unwrap_or_default();
    let converters = Converters::new(named).unwrap_or_else(|reasons| {
        for reason in reasons {
            problem("", format!("[convert] {reason}"));
        }
        Converters::default()
    });
    Options {
        reading: Reading {
            limits: Limits {
                file_size,
                // Positions in a text are 32-bit numbers.
                text_size: text_size.min(u64::from(u32::MAX) - 1),
                ratio: keys.max_ratio.unwrap_or(usual.ratio),
                nesting: keys.max_nesting.unwrap_or(usual.nesting),
                entries: keys.max_entries.unwrap_or(usual.entries),
                time,
                memory,
            },
            encoding,
            keys: cento_ingest::Keys {
                text: keys.text_key.clone(),
                id: keys.id_key.clone(),
            },
            programs,
            ..Reading::default()
        },
        grouping: match keys.per_folder {
            None => Grouping::Auto,
            Some(true) => Grouping::PerFolder,
            Some(false) => Grouping::PerFile,
        },
        include: keys.include.clone().unwrap_or_default(),
        exclude: keys.exclude.clone().unwrap_or_default(),
        follow_links: keys.follow_links.unwrap_or(false),
        isolation: isolation(),
        converters,
    }
}

/// The settings in force, as cento.toml would have them.
pub(crate) fn effective(options: &Options) -> Keys {
    let limits = &options.reading.limits;
    let bytes = |bytes: u64| Some(cento_ingest::size(bytes).replace(' ', ""));
    Keys {
        per_folder: match options.grouping {
            Grouping::Auto => None,
            Grouping::PerFolder => Some(true),
            Grouping::PerFile => Some(false),
        },
        include: Some(options.include.clone()),
        exclude: Some(options.exclude.clone()),
        follow_links: Some(options.follow_links),
        language: options.reading.programs.name().map(str::to_owned),
        text_key: options.reading.keys.text.clone(),
        id_key: options.reading.keys.id.clone(),
        encoding: options
            .reading
            .encoding
            .map(|encoding| encoding.name().to_owned()),
        max_file_size: bytes(limits.file_size),
        max_text_size: bytes(limits.text_size),
        max_ratio: Some(limits.ratio),
        max_nesting: Some(limits.nesting),
        max_entries: Some(limits.entries),
        max_time: Some(limits.time.as_secs_f64()),
        max_reader_memory: bytes(limits.memory),
        convert: Some(options.converters.by_name()).filter(|named| !named.is_empty()),
        ..Keys::default()
    }
}

/// The usual settings, for what is read out of a report.
pub(crate) fn usual() -> Options {
    Options {
        isolation: isolation(),
        ..Options::default()
    }
}

/// Files are read by processes of this program, if it can find itself.
fn isolation() -> Isolation {
    match std::env::current_exe() {
        Ok(program) => Isolation::Worker {
            program,
            arguments: vec![WORKER.to_owned()],
        },
        Err(_) => Isolation::InProcess,
    }
}
