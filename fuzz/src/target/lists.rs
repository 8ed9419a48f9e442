//! Small files that say something about others: lists of documents, and the truth about a pair.

use cento_ingest::{manifest, parse_truth};

use super::{Seed, Target, refused};

pub(super) fn target() -> Target {
    let seeds = [
        (
            "list.csv",
            "path,id,submitter,set,expire\na.pdf,7,\"Novák, J.\",x,2030-01-01\n,9,,,\n",
        ),
        (
            "list.jsonl",
            "{\"path\": \"a.pdf\", \"id\": 7, \"text_path\": \"a.txt\"}\n{\"id\": 9}\n",
        ),
        (
            "truth.xml",
            "<?xml version=\"1.0\"?>\n<document reference=\"a.txt\">\n<feature name=\"plagiarism\" \
             this_offset=\"10\" this_length=\"4\" source_reference=\"b &amp; c.txt\" \
             source_offset=\"20\" source_length=\"5\" />\n<feature name=\"about\"></feature>\n\
             </document>\n",
        ),
    ];
    Target {
        name: "lists",
        seeds: seeds
            .map(|(name, text)| Seed::new(name, text))
            .into_iter()
            .collect(),
        check,
    }
}

fn check(name: &str, input: &[u8]) -> Result<(), String> {
    if name == "truth.xml" {
        let truth = parse_truth(&String::from_utf8_lossy(input), "b & c.txt");
        return truth.map_or_else(|error| one_line(&error), |_| Ok(()));
    }
    match manifest(input) {
        Ok(lines) => lines
            .into_iter()
            .filter_map(Result::err)
            .try_for_each(|bad| refused(&bad.error)),
        Err(error) => refused(&error),
    }
}

/// What is quoted from a file may have line breaks.
fn one_line(error: &cento_ingest::Error) -> Result<(), String> {
    let reason = error.to_string().replace('\n', " ");
    refused(&cento_ingest::Error::Damaged(reason))
}
