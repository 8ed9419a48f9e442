//! The registry on the command line.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const KEY: &str = "000102030405060708090a0b0c0d0e0f";

/// A folder with a key and some essays.
struct Case {
    folder: TempDir,
}

impl Case {
    fn new(retain: &str) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let case = Case { folder };
        case.write("key", KEY);
        for (name, text) in essays() {
            case.write(&format!("essays/{name}.txt"), &text);
        }
        case.ok(&["registry", "init", "--retain", retain, "--key-file", "key"]);
        case
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
        command.current_dir(self.path()).args(arguments);
        command.env_remove("CENTO_KEY").env_remove("CENTO_REGISTRY");
        command
    }

    /// What a command prints that must succeed.
    #[track_caller]
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.ok(&[arguments, &["--json"]].concat())).unwrap()
    }

    /// What a command says that must fail.
    #[track_caller]
    fn fails(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
        errors
    }

    fn register(&self) {
        let printed = self.ok(&["register", "essays", "--key-file", "key"]);
        assert!(printed.starts_with("3 documents registered"), "{printed}");
    }
}

/// Three essays; the second takes half of the first.
fn essays() -> Vec<(&'static str, String)> {
    let sentence = |seed: usize| {
        let syllables = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu"];
        let word = |n: usize| {
            // Twice, so that a word says nothing about the next one.
            let mix = |number: usize| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24;
            let mixed = mix(mix(seed * 100 + n + 1) ^ 0x5bd1_e995);
            [1, 10, 100, 1000]
                .map(|unit| syllables[mixed / unit % 10])
                .concat()
        };
        let all: Vec<String> = (0..9).map(word).collect();
        format!("{}.", all.join(" "))
    };
    let text = |range: std::ops::Range<usize>| range.map(sentence).collect::<Vec<_>>().join(" ");
    vec![
        ("anna", text(0..20)),
        ("ben", format!("{} {}", text(10..20), text(40..50))),
        ("cleo", text(60..75)),
    ]
}

#[test]
fn a_walk_through_all_verbs() {
    let case = Case::new("digests");
    assert!(
        case.fails(&["registry", "init"])
            .contains("registry already")
    );
    case.register();
    let again = case.ok(&["register", "essays", "--key-file", "key"]);
    assert_eq!(again, "0 documents registered, 3 were registered already\n");
    case.write("new/dora.txt", &essays()[1].1);
    let report = case.ok(&["verify", "new", "--key-file", "key", "--quiet"]);
    assert_eq!(
        report,
        "\
2 registered documents listed, those with most text that few have first

dora.txt: 100 % of it is registered
 SCORE               OF IT  OF REG    RARE  REGISTERED
 100 %  ██████████   100 %   100 %   100 %  ben.txt
  49 %  ████▉         50 %    49 %   100 %  anna.txt
note: shares are estimated where the text of a registered document is not at hand: the words in chunks that both have

recipe words+fold | window:5 | keyed:64+sorted | all; measure max-containment; key secret; order weight; threshold 0.1
"
    );
    let status = case.json(&["registry", "status", "--key-file", "key"]);
    assert_eq!(status["documents"], 3);
    assert_eq!(status["segments"], 1);
    assert!(status["bytes_per_posting"].as_f64().unwrap() > 0.0);
    let pairs = case.json(&["registry", "pairs", "--key-file", "key"]);
    assert_eq!(pairs["pairs"].as_array().unwrap().len(), 1);
    assert_eq!(pairs["pairs"][0]["left"]["id"], "anna.txt");
    assert_eq!(
        case.ok(&["forget", "anna.txt", "--key-file", "key"]),
        "1 document forgotten\n"
    );
    let report = case.json(&["verify", "new", "--key-file", "key"]);
    assert_eq!(report["pairs"].as_array().unwrap().len(), 1);
    case.ok(&["registry", "compact", "--key-file", "key"]);
    let checked = case.ok(&["registry", "check", "--key-file", "key"]);
    assert!(
        checked.contains("nothing is left of documents that were forgotten"),
        "{checked}"
    );
}

#[test]
fn the_report_of_verify_as_data() {
    let case = Case::new("digests");
    case.register();
    case.write("new/dora.txt", &essays()[1].1);
    let report = case.json(&["verify", "new", "--key-file", "key", "--submitter", "d"]);
    assert_eq!(report["schema"], "cento.report/1");
    assert_eq!(report["command"], "verify");
    let document = &report["documents"][0];
    assert_eq!(document["id"], "dora.txt");
    assert_eq!(document["global"], 1.0);
    assert_eq!(document["verified"]["own_versions"], 0);
    let pair = &report["pairs"][1];
    assert_eq!(pair["right"], "registry:anna.txt");
    let rarity = &pair["registry"]["rarity"];
    assert_eq!(rarity["rare"], pair["shared"]);
    // The first half of the text is in Anna's, and nothing else of it.
    let shared = pair["registry"]["shared"][0].as_array().unwrap();
    let text = &essays()[1].1;
    assert_eq!(shared.len(), 1);
    assert_eq!(shared[0]["start"], 0);
    let end = usize::try_from(shared[0]["end"].as_u64().unwrap()).unwrap();
    assert!(
        text[..end].ends_with(|c: char| c.is_alphanumeric()),
        "{end}"
    );
    assert!(end * 3 > text.len() && end * 3 < text.len() * 2, "{end}");
    assert_eq!(pair["registry"]["shared"][1].as_array().unwrap().len(), 0);
}

#[test]
fn exit_codes() {
    let case = Case::new("digests");
    case.register();
    case.write("same.txt", &essays()[0].1);
    case.write(
        "other.txt",
        "Nothing of this was ever written by anybody else in the town.",
    );
    let code = |file: &str| {
        let arguments = ["verify", file, "--key-file", "key", "--exit-code"];
        case.command(&arguments).output().unwrap().status.code()
    };
    assert_eq!(code("same.txt"), Some(1));
    assert_eq!(code("other.txt"), Some(0));
}

#[test]
fn submitters_are_marked_and_can_be_left_out() {
    let case = Case::new("digests");
    case.ok(&[
        "register",
        "essays/anna.txt",
        "--submitter",
        "a",
        "--key-file",
        "key",
    ]);
    let verify = [
        "verify",
        "essays/ben.txt",
        "--submitter",
        "a",
        "--key-file",
        "key",
    ];
    let text = case.ok(&verify);
    assert!(text.contains("anna.txt (same submitter)"), "{text}");
    for exclude in [&["--exclude-submitter"][..], &["--exclude-submitter", "a"]] {
        let text = case.ok(&[&verify, exclude].concat());
        assert!(text.contains("nothing registered shares"), "{text}");
    }
    let text = case.ok(&[&verify[..], &["--exclude-submitter", "b"]].concat());
    assert!(text.contains("anna.txt"), "{text}");
}

#[test]
fn kept_texts_are_aligned() {
    let case = Case::new("text");
    case.register();
    case.write("new/dora.txt", &essays()[1].1);
    let report = case.json(&["verify", "new", "--key-file", "key"]);
    assert_eq!(report["pairs"][0]["passages"][0]["kind"], "exact");
    assert_eq!(report["pairs"][0]["net"][0], 1.0);
}

#[test]
fn texts_are_fetched_from_where_they_are_and_must_be_the_same() {
    let case = Case::new("digests");
    case.register();
    case.write("new/dora.txt", &essays()[1].1);
    let verify = ["verify", "new", "--key-file", "key"];
    let report = case.json(&verify);
    assert_eq!(report["pairs"][0]["passages"], Value::Null);
    let report = case.json(&[&verify[..], &["--texts", "essays"]].concat());
    assert_eq!(report["pairs"][0]["passages"][0]["kind"], "exact");
    // By a command.
    case.write(
        "texts.toml",
        "texts = [\"sh\", \"-c\", \"echo essays/$0\", \"{id}\"]\n",
    );
    let report = case.json(&[&verify[..], &["--config", "texts.toml"]].concat());
    assert_eq!(report["pairs"][0]["passages"][0]["kind"], "exact");
    // One is changed, one is gone.
    case.write("essays/ben.txt", "something else");
    std::fs::remove_file(case.path().join("essays/anna.txt")).unwrap();
    let report = case.json(&[&verify[..], &["--texts", "essays"]].concat());
    let notes = report["notes"].to_string();
    assert!(
        notes.contains("ben.txt is not aligned: its text is no longer"),
        "{notes}"
    );
    assert!(
        notes.contains("anna.txt is not aligned: no file"),
        "{notes}"
    );
}

#[test]
fn keys_that_are_wrong_or_missing() {
    let case = Case::new("digests");
    case.register();
    let missing = case.fails(&["verify", "essays"]);
    assert!(missing.contains("give it by --key-file"), "{missing}");
    case.write("other", "ffffffffffffffffffffffffffffffff");
    let wrong = case.fails(&["register", "essays", "--key-file", "other"]);
    assert!(wrong.contains("not the key of this registry"), "{wrong}");
    assert!(!wrong.contains("ffff"), "{wrong}");
    let status = case.json(&["registry", "status", "--key-file", "key"]);
    assert_eq!(status["documents"], 3);
    let by_variable = case
        .command(&["registry", "status"])
        .env("CENTO_KEY", KEY)
        .output()
        .unwrap();
    assert!(by_variable.status.success());
}

#[cfg(unix)]
#[test]
fn a_new_key_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let case = Case::new("digests");
    assert_eq!(
        case.ok(&["registry", "init", "--registry", "quiet", "-q"]),
        ""
    );
    let printed = case.ok(&["registry", "init", "--registry", "second"]);
    assert!(printed.contains("keep a copy of the key"), "{printed}");
    let mode = case
        .path()
        .join("second/key")
        .metadata()
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    case.ok(&["register", "essays", "--registry", "second"]);
    let key = std::fs::read_to_string(case.path().join("second/key")).unwrap();
    let exported = case.ok(&["registry", "export", "out", "--registry", "second"]);
    assert_eq!(exported, "3 documents exported\n");
    for entry in std::fs::read_dir(case.path().join("out")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!String::from_utf8_lossy(&bytes).contains(key.trim()));
        }
    }
}

#[test]
fn a_list_of_documents() {
    let case = Case::new("digests");
    case.write(
        "list.csv",
        "path,id,submitter,set,expire,text_path\n\
         essays/anna.txt,thesis-1,s1,2026,,\n\
         essays/none.txt,thesis-2,s2,2026,,\n\
         missing.pdf,thesis-3,s3,2026,,essays/ben.txt\n\
         essays/cleo.txt,thesis-4,s4,2026,soon,\n\
         essays/cleo.txt,thesis-1,s4,2026,,\n",
    );
    let register = ["register", "--manifest", "list.csv", "--key-file", "key"];
    let printed = case.ok(&register);
    assert!(printed.starts_with("2 documents registered"), "{printed}");
    let rejects = std::fs::read_to_string(case.path().join("rejects.csv")).unwrap();
    let lines: Vec<&str> = rejects.lines().collect();
    assert_eq!(lines.len(), 4, "{rejects}");
    assert!(rejects.contains(",thesis-2,"), "{rejects}");
    assert!(rejects.contains("soon is not a time"), "{rejects}");
    assert!(
        rejects.contains("this id is already in the list"),
        "{rejects}"
    );
    // The run is begun again: nothing is done twice.
    let printed = case.ok(&register);
    assert_eq!(
        printed,
        "0 documents registered, 2 were registered already\n"
    );
    let listed = case.ok(&["registry", "list", "--key-file", "key", "--json"]);
    let first: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    assert_eq!(first["id"], "thesis-1");
    assert_eq!(first["set"], "2026");
    assert!(
        first["extractor"].as_str().unwrap().starts_with("cento "),
        "{first}"
    );
}

#[test]
fn another_text_is_a_version_or_refused() {
    let case = Case::new("digests");
    case.register();
    case.write(
        "essays/anna.txt",
        "A short text that Anna wrote later, when all was over.",
    );
    let register = ["register", "essays", "--key-file", "key"];
    let output = case
        .command(&[&register[..], &["--on-change", "refuse"]].concat())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("anna.txt skipped: the id is registered with another text"),
        "{errors}"
    );
    let printed = case.ok(&register);
    assert!(printed.contains("1 new version"), "{printed}");
    let list = case.ok(&["registry", "list", "--key-file", "key"]);
    assert!(list.contains("anna.txt  version 2"), "{list}");
}

#[test]
fn registered_and_verified_in_one_go() {
    let case = Case::new("digests");
    case.ok(&["register", "essays/anna.txt", "--key-file", "key"]);
    let report = case.json(&[
        "register",
        "essays/ben.txt",
        "--verify",
        "--key-file",
        "key",
    ]);
    let pair = &report["pairs"][0];
    assert_eq!(pair["right"], "registry:anna.txt");
    let both: Vec<f64> = pair["containment"]
        .as_array()
        .unwrap()
        .iter()
        .map(|share| share.as_f64().unwrap())
        .collect();
    assert!(
        both.iter().all(|share| (0.4..0.6).contains(share)),
        "{both:?}"
    );
}

#[test]
fn standard_text_is_ignored() {
    let case = Case::new("digests");
    let form = "I declare that I have written this essay on my own and that I have named every \
                source which I used while I was writing it.";
    case.write("form.txt", form);
    for (name, text) in essays() {
        case.write(&format!("essays/{name}.txt"), &format!("{text} {form}"));
    }
    case.register();
    case.write("new.txt", &format!("{form} {}", essays()[2].1));
    let verify = [
        "verify",
        "new.txt",
        "--key-file",
        "key",
        "--threshold",
        "0.05",
    ];
    assert_eq!(case.json(&verify)["pairs"].as_array().unwrap().len(), 3);
    case.ok(&["registry", "ignore", "add", "form.txt", "--key-file", "key"]);
    assert_eq!(case.json(&verify)["pairs"].as_array().unwrap().len(), 1);
    let list = case.ok(&["registry", "ignore", "list", "--key-file", "key"]);
    assert!(list.starts_with("form.txt, "), "{list}");
    case.ok(&[
        "registry",
        "ignore",
        "remove",
        "form.txt",
        "--key-file",
        "key",
    ]);
    assert_eq!(case.json(&verify)["pairs"].as_array().unwrap().len(), 3);
    let error = case.fails(&[
        "registry",
        "ignore",
        "remove",
        "form.txt",
        "--key-file",
        "key",
    ]);
    assert!(error.contains("no such standard text"), "{error}");
}

#[test]
fn copies_of_registries() {
    let case = Case::new("text");
    case.register();
    case.ok(&["registry", "backup", "copy", "--key-file", "key"]);
    let status = case.json(&[
        "registry",
        "status",
        "--registry",
        "copy",
        "--key-file",
        "key",
    ]);
    assert_eq!(status["documents"], 3);
    case.ok(&[
        "registry",
        "export",
        "out",
        "--without-ids",
        "--key-file",
        "key",
    ]);
    let list = case.ok(&["registry", "list", "--registry", "out", "--key-file", "key"]);
    assert!(list.starts_with("document-1  "), "{list}");
    case.ok(&[
        "registry",
        "init",
        "--registry",
        "b",
        "--retain",
        "text",
        "--key-file",
        "key",
    ]);
    let imported = case.ok(&[
        "registry",
        "import",
        "out",
        "--registry",
        "b",
        "--key-file",
        "key",
    ]);
    assert_eq!(imported, "3 documents added, 0 were there already\n");
    let merged = case.ok(&[
        "registry",
        "merge",
        "registry",
        "b",
        "--into",
        "c",
        "--key-file",
        "key",
    ]);
    assert_eq!(merged, "6 documents added, 0 were there already\n");
    case.ok(&["registry", "check", "--registry", "c", "--key-file", "key"]);
    let rekeyed = ["registry", "rekey", "--new-key-file", "key2", "--into", "d"];
    case.ok(&[&rekeyed[..], &["--key-file", "key"]].concat());
    let status = case.json(&[
        "registry",
        "status",
        "--registry",
        "d",
        "--key-file",
        "key2",
    ]);
    assert_eq!(status["documents"], 3);
    case.ok(&["registry", "check", "--registry", "d", "--key-file", "key2"]);
}

#[test]
fn a_busy_registry_says_who_is_writing() {
    let case = Case::new("digests");
    let key = cento::Key::new(std::array::from_fn(|n| u8::try_from(n).unwrap()));
    let path = case.path().join("registry");
    let writer = cento::index::registry::Registry::open(&path, &key, "the test").unwrap();
    let error = case.fails(&["register", "essays", "--key-file", "key"]);
    let process = format!("process {}, the test", std::process::id());
    assert!(error.contains(&process), "{error}");
    // Reading goes on.
    case.ok(&["registry", "status", "--key-file", "key"]);
    drop(writer);
    case.register();
}

#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let case = Case::new("text");
    case.register();
    let word = |n: u64| format!("{:x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let words: Vec<String> = (0..60_000).map(word).collect();
    case.write("large.txt", &words.join(" "));
    let script = "trap '' XFSZ; ulimit -f 300; exec \"$0\" register large.txt --key-file key";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_cento")])
        .current_dir(case.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("registry/"), "{errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    case.ok(&["registry", "check", "--key-file", "key"]);
    let status = case.json(&["registry", "status", "--key-file", "key"]);
    assert_eq!(status["documents"], 3);
    case.ok(&["register", "large.txt", "--key-file", "key"]);
}

/// Whoever may read and not write, because the owner let them, can verify.
#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_to() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let case = Case::new("digests");
    case.register();
    let may = |path: &str, mode: u32| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(case.path().join(path), mode).unwrap();
    };
    may("", 0o755);
    may("registry", 0o555);
    may("registry/segments", 0o555);
    may("registry/segments/0000000001.cento", 0o444);
    may("registry/segments/0000000001.stretches", 0o444);
    may("registry/catalog.sqlite", 0o444);
    may("registry/lock", 0o444);
    // For root nothing is forbidden, so root becomes nobody.
    let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let binary = case.path().join("cento");
    if is_root {
        std::fs::copy(env!("CARGO_BIN_EXE_cento"), &binary).unwrap();
    }
    let run = |arguments: &[&str]| loop {
        let mut command = if is_root {
            let mut command = std::process::Command::new("setpriv");
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]);
            command.arg(&binary);
            command
        } else {
            std::process::Command::new(env!("CARGO_BIN_EXE_cento"))
        };
        command.args(arguments).current_dir(case.path());
        let output = command.output().unwrap();
        // A process that another test has just started may still hold the copy open.
        if !String::from_utf8_lossy(&output.stderr).contains("Text file busy") {
            break output;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    let read = run(&["verify", "essays", "--key-file", "key", "--include-own"]);
    let errors = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success(), "{errors}");
    let written = run(&["register", "essays", "--key-file", "key"]);
    let errors = String::from_utf8_lossy(&written.stderr);
    assert_eq!(written.status.code(), Some(2), "{errors}");
    assert!(errors.contains("registry/lock cannot be"), "{errors}");
    assert!(errors.contains("ermission denied"), "{errors}");
    may("registry", 0o755);
    may("registry/segments", 0o755);
}
