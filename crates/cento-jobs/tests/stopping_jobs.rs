//! A job that is told to stop does so, and leaves everything as it was or as it was last committed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};

use cento::index::registry::Retention;
use cento_jobs::registry::{self, RegistryOptions, init};
use cento_jobs::{TextOptions, TextsOf, Watch, compare, forget, register, scan, verify};
use support::{contents, new_registry, stop_anywhere, write_class};

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let class = folder.path().join("class");
    write_class(&class, 40);
    (folder, class)
}

fn registered(class: &Path, registry: &RegistryOptions) -> register::Options {
    register::Options {
        paths: vec![class.to_owned()],
        registry: registry.clone(),
        ..register::Options::default()
    }
}

/// The registry has no fault.
fn expect_sound(registry: &RegistryOptions) {
    let options = registry::check::Options {
        registry: registry.clone(),
        ..registry::check::Options::default()
    };
    let checked = registry::check::run(&options, &Watch::NOBODY).unwrap();
    assert_eq!(checked.checked.faults, Vec::<String>::new());
}

#[test]
fn scan_and_compare() {
    let (_folder, class) = folder();
    let before = contents(&class);
    let options = scan::Options {
        paths: vec![class.clone()],
        advise: true,
        texts: TextOptions {
            texts: TextsOf::Listed,
            hashes: true,
        },
        ..scan::Options::default()
    };
    stop_anywhere(
        |watch| scan::run(&options, watch),
        |_| {
            assert_eq!(contents(&class), before);
        },
    );
    let options = compare::Options {
        left: class.join("d002.txt"),
        right: class.join("d003.txt"),
        ..compare::Options::default()
    };
    stop_anywhere(|watch| compare::run(&options, watch), |_| ());
}

#[test]
fn register_leaves_the_last_commit() {
    let (folder, class) = folder();
    let mut number = 0;
    let registries = folder.path().to_owned();
    let mut last = None;
    stop_anywhere(
        |watch| {
            number += 1;
            let registry = new_registry(
                &registries.join(format!("registry {number}")),
                Retention::Text,
            );
            last = Some(registry.clone());
            register::run(&registered(&class, &registry), watch)
        },
        |_| (),
    );
    expect_sound(&last.unwrap());
}

#[test]
fn a_registration_that_was_stopped_can_be_done_again() {
    let (folder, class) = folder();
    let registry = new_registry(&folder.path().join("registry"), Retention::Text);
    let options = registered(&class, &registry);
    let (done, events) = support::stopped_after(30, |watch| register::run(&options, watch));
    assert!(done.is_err() && events >= 30);
    expect_sound(&registry);
    let done = register::run(&options, &Watch::NOBODY).unwrap();
    assert_eq!(done.new + done.unchanged, 40);
    expect_sound(&registry);
}

#[test]
fn verify_and_forget() {
    let (folder, class) = folder();
    let registry = new_registry(&folder.path().join("registry"), Retention::Text);
    register::run(&registered(&class, &registry), &Watch::NOBODY).unwrap();
    let options = verify::Options {
        paths: vec![class.clone()],
        registry: registry.clone(),
        ..verify::Options::default()
    };
    stop_anywhere(|watch| verify::run(&options, watch), |_| ());
    let forget = forget::Options {
        registry: registry.clone(),
        what: forget::Forgotten {
            ids: vec!["d001.txt".to_owned(), "d002.txt".to_owned()],
            ..forget::Forgotten::default()
        },
    };
    let (done, _) = support::stopped_after(0, |watch| forget::run(&forget, watch));
    assert!(done.is_err());
    expect_sound(&registry);
}

#[test]
fn upkeep_leaves_nothing_that_looks_complete() {
    let (folder, class) = folder();
    let registry = new_registry(&folder.path().join("registry"), Retention::Text);
    register::run(&registered(&class, &registry), &Watch::NOBODY).unwrap();
    let to = folder.path().join("copy");
    let clear = |path: &Path| {
        let _ = std::fs::remove_dir_all(path);
    };
    let is_registry = |path: &Path| cento::index::registry::Folder::new(path).exists();
    let expect = |done: bool, path: &Path| assert_eq!(is_registry(path), done);

    let options = registry::export::Options {
        registry: registry.clone(),
        to: to.clone(),
        without_ids: false,
    };
    stop_anywhere(
        |watch| {
            clear(&to);
            registry::export::run(&options, watch)
        },
        |done| expect(done.is_ok(), &to),
    );
    let options = registry::merge::Options {
        from: vec![registry.registry.clone(), registry.registry.clone()],
        into: to.clone(),
        ..registry::merge::Options::default()
    };
    stop_anywhere(
        |watch| {
            clear(&to);
            registry::merge::run(&options, watch)
        },
        |done| expect(done.is_ok(), &to),
    );
    let options = registry::rekey::Options {
        registry: registry.clone(),
        new_key_file: folder.path().join("new.key"),
        into: to.clone(),
    };
    stop_anywhere(
        |watch| {
            clear(&to);
            registry::rekey::run(&options, watch)
        },
        |done| expect(done.is_ok(), &to),
    );
    let options = registry::backup::Options {
        registry: registry.clone(),
        to: to.clone(),
    };
    stop_anywhere(
        |watch| {
            clear(&to);
            registry::backup::run(&options, watch)
        },
        |done| expect(done.is_ok(), &to),
    );
    let options = registry::compact::Options {
        registry: registry.clone(),
    };
    stop_anywhere(
        |watch| registry::compact::run(&options, watch),
        |_| expect_sound(&registry),
    );
    let options = registry::check::Options {
        registry: registry.clone(),
        ..registry::check::Options::default()
    };
    stop_anywhere(|watch| registry::check::run(&options, watch), |_| ());
    let options = registry::list::Options {
        registry: registry.clone(),
    };
    let (done, _) = support::stopped_after(0, |watch| registry::list::run(&options, watch));
    assert!(done.is_err());
}

#[test]
fn import_leaves_the_last_commit() {
    let (folder, class) = folder();
    let registry = new_registry(&folder.path().join("registry"), Retention::Text);
    register::run(&registered(&class, &registry), &Watch::NOBODY).unwrap();
    let export = folder.path().join("export");
    let options = registry::export::Options {
        registry: registry.clone(),
        to: export.clone(),
        without_ids: false,
    };
    registry::export::run(&options, &Watch::NOBODY).unwrap();
    let key_file = Some(registry.registry.join("key"));
    let mut number = 0;
    let into = std::cell::RefCell::new(RegistryOptions::default());
    stop_anywhere(
        |watch| {
            number += 1;
            let registry = RegistryOptions {
                registry: folder.path().join(format!("into {number}")),
                key_file: key_file.clone(),
                key: None,
            };
            let options = init::Options {
                registry: registry.clone(),
                retention: Retention::Text,
                ..init::Options::default()
            };
            init::run(&options, &Watch::NOBODY).unwrap();
            *into.borrow_mut() = registry.clone();
            let options = registry::import::Options {
                registry,
                from: export.clone(),
                ..registry::import::Options::default()
            };
            registry::import::run(&options, watch)
        },
        |_| expect_sound(&into.borrow()),
    );
}
