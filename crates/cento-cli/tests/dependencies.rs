//! What may be built in: licences, sources, and what a document tool has no use for. `cargo metadata`
//! knows all of it, so that no other tool is needed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use serde_json::Value;

/// Licences that may be built in. MPL-2.0 is for the CSS selectors inside the HTML readers; it asks
/// for changes to its own files only. The exception for LLVM only takes duties away.
const LICENCES: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Zlib",
    "bzip2-1.0.6",
];

/// A document tool needs no way to the network but the one that it listens on.
const BANNED: [&str; 4] = ["hyper-tls", "openssl-sys", "reqwest", "ureq"];

fn packages() -> Vec<Value> {
    let done = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{errors}");
    let metadata: Value = serde_json::from_slice(&done.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Whether one choice of an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` is allowed in
/// each of its parts.
fn is_allowed(expression: &str) -> bool {
    // Older packages write a slash for OR.
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    let is_one = |name: &str| LICENCES.contains(&name.trim());
    let choices = |part: &str| part.split(" OR ").any(is_one);
    expression.split(" AND ").all(choices)
}

#[test]
fn licences_sources_and_bans() {
    let packages = packages();
    assert!(packages.len() > 100, "{}", packages.len());
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence), "{name}: {licence}");
        // What is ours has no source; everything else comes from the one registry.
        let source = package["source"].as_str().unwrap_or("ours");
        let is_known = source == "ours" || source.starts_with("registry+");
        assert!(is_known, "{name}: {source}");
        assert!(!BANNED.contains(&name), "{name} is built in");
    }
}

#[test]
fn expressions() {
    for (expression, expected) in [
        ("MIT", true),
        ("MIT OR GPL-3.0", true),
        ("MIT/Apache-2.0", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("GPL-3.0-only", false),
        ("MIT AND GPL-2.0", false),
        ("none", false),
    ] {
        assert_eq!(is_allowed(expression), expected, "{expression}");
    }
}
