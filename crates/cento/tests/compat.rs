//! Registries that older versions have written open for ever.
//!
//! `tests/compat/registry-1` was written by the first version, `registry-3` by the first one that kept
//! vectors of style. A change of the format adds a folder and leaves the old ones alone;
//! `CENTO_BLESS=1` writes one that is missing.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::{Path, PathBuf};

use cento::index::registry::{
    Entry, Exclusions, Extent, Facts, Folder, OnChange, Registry, Request, Retained, Retention,
    Scratch, Settings, Snapshot, Which, backup, check,
};
use cento::{Key, Measure, Recipe, Watch};

const NOW: &str = "2026-11-16T00:00:00Z";

fn key() -> Key {
    Key::new(*b"a key of 16 byte")
}

fn text(number: u32) -> String {
    let word = |place: u32| format!("word{}", number / 2 * 10 + place * place % 97);
    (0..60).map(word).collect::<Vec<_>>().join(" ")
}

/// Six documents, one in two versions, one forgotten, a standard text.
fn make(path: &Path) {
    let settings = Settings {
        recipe: Recipe::named("default").unwrap(),
        retention: Retention::Text,
        kept_bits: Settings::KEPT_BITS,
        pairs: true,
        stretches: cento::index::registry::KeptStretches::None,
        style: None,
    };
    Registry::create(path, settings, Some(&key()), NOW).unwrap();
    let mut registry = Registry::open(path, &key(), "a test").unwrap();
    for (id, number) in [("a", 0), ("b", 1), ("c", 2), ("a", 3), ("d", 4), ("e", 5)] {
        let facts = Facts {
            id: id.to_owned(),
            label: Some(format!("Thesis {id}")),
            submitter: Some("somebody".to_owned()),
            set: Some("2026".to_owned()),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, &text(number));
        registry.add(candidate, OnChange::Version).unwrap();
        if number == 3 {
            registry.commit().unwrap();
        }
    }
    registry.forget(&Which::Id("c".to_owned())).unwrap();
    registry.ignore("form", None, &text(5)[..60]).unwrap();
    registry.finish().unwrap();
    for left_over in ["lock", "catalog.sqlite-shm", "catalog.sqlite-wal"] {
        let _ = std::fs::remove_file(path.join(left_over));
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to.join("segments")).unwrap();
    std::fs::copy(from.join("catalog.sqlite"), to.join("catalog.sqlite")).unwrap();
    for entry in std::fs::read_dir(from.join("segments")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), to.join("segments").join(entry.file_name())).unwrap();
    }
}

fn fixture(name: &str, make: fn(&Path)) -> PathBuf {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compat");
    let fixture = fixture.join(name);
    if !fixture.exists() && std::env::var_os("CENTO_BLESS").is_some() {
        make(&fixture);
    }
    fixture
}

/// Texts that measure differently: three in English, one not.
const STYLED: [(&str, &str); 4] = [
    (
        "law",
        "The court was told that the evidence had been given by a witness who was paid. If the \
         judge is asked, he will say so, and the jury must not be misled because of it.",
    ),
    (
        "wine",
        "We filled a cask with grapes, and it was carried to the cellar when the autumn was over. \
         Nobody remembered the vintage, although they had all been there in the morning.",
    ),
    (
        "network",
        "A server sends the file to the client, but the network has lost a packet so the message \
         is sent again. The header of the packet is read before it is stored in the buffer.",
    ),
    (
        "czech",
        "Mlýn stojí u řeky a voda v něm teče celou zimu, protože mlynář včas opravil stará kola.",
    ),
];

fn make_with_vectors(path: &Path) {
    let style = "style:the,and,but,so,@syllables,@passives,@clauses,@computing,@economics,@law,\
                 @medicine,@wine=cask+grape+vintage";
    let settings = Settings {
        retention: Retention::Text,
        style: Some(style.parse().unwrap()),
        ..Settings::default()
    };
    Registry::create(path, settings, Some(&key()), NOW).unwrap();
    let mut registry = Registry::open(path, &key(), "a test").unwrap();
    for (id, text) in STYLED {
        let facts = Facts {
            id: id.to_owned(),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, text);
        registry.add(candidate, OnChange::Version).unwrap();
    }
    registry.finish().unwrap();
    for left_over in ["lock", "catalog.sqlite-shm", "catalog.sqlite-wal"] {
        let _ = std::fs::remove_file(path.join(left_over));
    }
}

/// What was measured then is what is measured now: a style never changes its meaning.
#[test]
fn vectors_of_style_stay_what_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry");
    copy(&fixture("registry-3", make_with_vectors), &path);
    let checked = check(&path, &key(), Extent::All, Watch::NOBODY).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    assert_eq!((checked.documents, checked.proved), (4, 4));
    let snapshot = Snapshot::open(&path, &key(), NOW).unwrap();
    for (id, text) in STYLED {
        let vector = snapshot.prepare().vector(text).unwrap();
        let nearest = snapshot.nearest(&vector, 9, &Exclusions::default());
        let nearest = nearest.unwrap().documents;
        let first = &nearest[0];
        assert_eq!((first.entry.facts.id.as_str(), nearest.len()), (id, 4));
        assert!(first.distance.abs() < 1e-12);
        assert_eq!(first.shared, if id == "czech" { 5 } else { 12 });
    }
}

#[test]
fn the_first_version_opens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry");
    copy(&fixture("registry-1", make), &path);
    let checked = check(&path, &key(), Extent::Sample, Watch::NOBODY).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    assert_eq!(checked.documents, 5);
    assert!(
        checked.forgotten > 0,
        "the forgotten one waits to be compacted"
    );
    let snapshot = Snapshot::open(&path, &key(), NOW).unwrap();
    let latest = snapshot.latest("a").unwrap().unwrap();
    assert_eq!(latest.version, 2);
    assert_eq!(latest.facts.label.as_deref(), Some("Thesis a"));
    let kept = snapshot.retained(latest.number).unwrap();
    assert_eq!(kept, Some(Retained::Text(text(3))));
    assert_eq!(snapshot.status().unwrap().ignored[0].name, "form");
    let query = snapshot.prepare().fingerprints(&text(1));
    let request = Request {
        query: &query[0],
        set: None,
        measure: Measure::Resemblance,
        at_least: 0.9,
        limit: 10,
        exclusions: &Exclusions::default(),
        base: &[],
    };
    let found = snapshot.search(&request, &mut Scratch::default()).unwrap();
    let ids: Vec<String> = found
        .alike
        .iter()
        .map(|alike| snapshot.entry(alike.number).unwrap().unwrap().facts.id)
        .collect();
    assert_eq!(ids, ["a", "b"]);
    // It can be written to, too.
    let mut registry = Registry::open(&path, &key(), "a test").unwrap();
    // What the first version had no index for is found.
    let facts = Facts {
        id: "f".to_owned(),
        registered: NOW.to_owned(),
        ..Facts::default()
    };
    let candidate = registry.prepare().candidate(facts, &text(4));
    let same = registry.same_text(&candidate).unwrap();
    assert_eq!(same.map(|same| same.id).as_deref(), Some("d"));
    registry.compact(Watch::NOBODY).unwrap();
    drop(registry);
    assert_eq!(
        check(&path, &key(), Extent::Sample, Watch::NOBODY)
            .unwrap()
            .forgotten,
        0
    );
}

fn entries(snapshot: &Snapshot) -> Vec<Entry> {
    let mut entries = Vec::new();
    let listed = snapshot.entries(|entry| {
        entries.push(entry);
        Ok(())
    });
    listed.unwrap();
    entries
}

/// How much of a text is in each registered document.
fn containment(snapshot: &Snapshot, text: &str) -> Vec<(String, f64)> {
    let query = snapshot.prepare().fingerprints(text);
    let request = Request {
        query: &query[0],
        set: None,
        measure: Measure::Containment,
        at_least: 0.01,
        limit: 10,
        exclusions: &Exclusions::default(),
        base: &[],
    };
    let found = snapshot.search(&request, &mut Scratch::default()).unwrap();
    let named = found.alike.iter().map(|alike| {
        let entry = snapshot.entry(alike.number).unwrap().unwrap();
        (format!("{} {}", entry.facts.id, entry.version), alike.score)
    });
    named.collect()
}

/// The value of a setting in the catalogue.
fn setting(registry: &Path, name: &str) -> Option<String> {
    let catalog = rusqlite::Connection::open(registry.join("catalog.sqlite")).unwrap();
    let sql = "SELECT value FROM settings WHERE name = ?1";
    catalog.query_row(sql, [name], |row| row.get(0)).ok()
}

#[test]
fn the_first_version_says_what_a_new_registry_of_the_same_documents_says() {
    let folder = tempfile::tempdir().unwrap();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    copy(&fixture("registry-1", make), &old);
    make(&new);
    for number in 1..=2 {
        let name = format!("segments/{number:010}.cento");
        let [old, new] = [&old, &new].map(|registry| std::fs::read(registry.join(&name)).unwrap());
        assert_eq!(old, new, "the digests in {name}");
    }
    let [old, new] = [&old, &new].map(|path| Snapshot::open(path, &key(), NOW).unwrap());
    assert_eq!(entries(&old), entries(&new));
    assert_eq!(entries(&old).len(), 5);
    for number in 0..8 {
        let found = containment(&old, &text(number));
        assert_eq!(found, containment(&new, &text(number)), "{number}");
    }
    // As it was when it was written.
    let found = containment(&old, &text(1));
    let expected = [("a 1", 1.0), ("b 1", 1.0)].map(|(id, score)| (id.to_owned(), score));
    assert_eq!(found[..2], expected);
}

/// The first program let everybody read; the first command of a later one that writes does not.
#[cfg(unix)]
#[test]
fn the_first_version_is_closed_to_others_gets_an_identity_and_can_be_copied() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let [path, target] = ["registry", "copy"].map(|name| folder.path().join(name));
    copy(&fixture("registry-1", make), &path);
    let parts = [
        "",
        "segments",
        "catalog.sqlite",
        "segments/0000000001.cento",
    ];
    let modes = || {
        let mode = |part| path.join(part).metadata().unwrap().permissions().mode() & 0o777;
        parts.map(mode)
    };
    for (part, mode) in parts.iter().zip([0o755, 0o755, 0o644, 0o644]) {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path.join(part), mode).unwrap();
    }
    assert!(Folder::new(&path).is_open_to_others());
    // A copy can be made before anybody has written, and brought up to date after that.
    backup(&path, &target, Watch::NOBODY).unwrap();
    let before = entries(&Snapshot::open(&path, &key(), NOW).unwrap());
    assert_eq!(
        modes(),
        [0o755, 0o755, 0o644, 0o644],
        "readers change nothing"
    );
    assert_eq!(setting(&path, "identity"), None);
    Registry::open(&path, &key(), "a test")
        .unwrap()
        .finish()
        .unwrap();
    assert_eq!(modes(), [0o700, 0o700, 0o600, 0o600]);
    assert!(!Folder::new(&path).is_open_to_others());
    let identity = setting(&path, "identity").unwrap();
    assert_eq!(identity.len(), 32);
    backup(&path, &target, Watch::NOBODY).unwrap();
    assert_eq!(setting(&target, "identity"), Some(identity));
    assert!(!Folder::new(&target).is_open_to_others());
    for registry in [&path, &target] {
        let checked = check(registry, &key(), Extent::All, Watch::NOBODY).unwrap();
        assert_eq!(checked.faults, Vec::<String>::new());
        let snapshot = Snapshot::open(registry, &key(), NOW).unwrap();
        assert_eq!(entries(&snapshot), before);
    }
}
