//! Every command that writes, on a dozen small documents.

use std::fs;
use std::path::Path;

/// A command, and what there is before it.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// The commands that make what there is before.
    pub(crate) before: &'static [&'static str],
    pub(crate) command: &'static str,
    /// The registries that the command may change or make.
    pub(crate) registries: &'static [RegistryAt],
    /// How it ends when it is run again after it was done.
    pub(crate) again: Again,
}

/// A registry and the file of its key; without one it is beside it.
#[derive(Clone, Copy)]
pub(crate) struct RegistryAt {
    pub(crate) path: &'static str,
    pub(crate) key: Option<&'static str>,
}

#[derive(Clone, Copy)]
pub(crate) enum Again {
    /// Well, and nothing changes.
    Well,
    /// It says so and does nothing.
    Refused(&'static str),
    /// The same; what was left is for the next command that writes, which is this one.
    RefusedThen(&'static str, &'static str),
}

const OWN: RegistryAt = RegistryAt {
    path: "registry",
    key: None,
};
const fn with_key(path: &'static str, key: &'static str) -> RegistryAt {
    let key = Some(key);
    RegistryAt { path, key }
}

/// A mail store counts as a registry.
const MAIL: RegistryAt = RegistryAt {
    path: "mail",
    key: None,
};
const MAIL_INIT: &str = "mail init --store mail --max-memory 1MiB";

/// With everything that a registry can keep of a document.
const INIT: &str = "registry init --retain text --style style-english";
/// The same without vectors, which shards do not have.
const PLAIN: &str = "registry init --retain text";
const DOCS: &str = "register docs --set essays";
const MORE: &str = "register more --set letters";
const ARCHIVE: &str = "archive init";
/// Where commands have archives.
pub(crate) const ARCHIVES: [&str; 2] = ["archive", "deep/pages"];
const THERE: &str = "there is a registry already";

pub(crate) const ALL: &[Scenario] = &[
    Scenario {
        name: "registry init",
        before: &[],
        command: INIT,
        registries: &[OWN],
        again: Again::RefusedThen(THERE, "registry compact"),
    },
    Scenario {
        name: "registry init --key-file",
        before: &[],
        command: "registry init --key-file own.key --registry a/registry",
        registries: &[with_key("a/registry", "own.key")],
        again: Again::RefusedThen(
            THERE,
            "registry compact --registry a/registry --key-file own.key",
        ),
    },
    Scenario {
        name: "register",
        before: &[INIT],
        command: DOCS,
        registries: &[OWN],
        again: Again::Well,
    },
    Scenario {
        name: "register, new versions",
        before: &[INIT, DOCS],
        command: "register changed --set essays",
        registries: &[OWN],
        again: Again::Well,
    },
    Scenario {
        name: "register, segments merge",
        before: &[
            INIT,
            "register docs/d01.txt",
            "register docs/d02.txt",
            "register docs/d03.txt",
        ],
        command: "register docs/d04.txt",
        registries: &[OWN],
        again: Again::Well,
    },
    Scenario {
        name: "register --manifest",
        before: &[INIT, "register --manifest old.csv"],
        command: "register --manifest new.csv",
        registries: &[OWN],
        again: Again::Well,
    },
    Scenario {
        name: "forget",
        before: &[INIT, DOCS, MORE],
        command: "forget d02.txt d05.txt --set letters",
        registries: &[OWN],
        again: Again::Refused("nothing is registered"),
    },
    Scenario {
        name: "ignore add",
        before: &[INIT, DOCS],
        command: "registry ignore add standard.txt",
        registries: &[OWN],
        again: Again::Well,
    },
    Scenario {
        name: "ignore remove",
        before: &[INIT, DOCS, "registry ignore add standard.txt --set essays"],
        command: "registry ignore remove standard.txt --set essays",
        registries: &[OWN],
        again: Again::Refused("ignore list"),
    },
    Scenario {
        name: "compact",
        before: &[INIT, DOCS, MORE, "forget d02.txt"],
        command: "registry compact",
        registries: &[OWN],
        again: Again::Well,
    },
    Scenario {
        name: "backup",
        before: &[INIT, DOCS],
        command: "registry backup copy",
        registries: &[OWN, with_key("copy", "registry/key")],
        again: Again::Well,
    },
    Scenario {
        name: "backup, again",
        before: &[INIT, DOCS, "registry backup copy", MORE, "registry compact"],
        command: "registry backup copy",
        registries: &[OWN, with_key("copy", "registry/key")],
        again: Again::Well,
    },
    Scenario {
        name: "merge",
        before: &[
            INIT,
            DOCS,
            "registry init --retain text --style style-english --key-file registry/key --registry b",
            "register more --registry b --key-file registry/key",
        ],
        command: "registry merge registry b --into both",
        registries: &[
            OWN,
            with_key("b", "registry/key"),
            with_key("both", "registry/key"),
        ],
        again: Again::RefusedThen(
            THERE,
            "registry compact --registry both --key-file registry/key",
        ),
    },
    Scenario {
        name: "shard",
        before: &[PLAIN, DOCS, MORE, "forget d02.txt"],
        command: "registry shard -n 3 --into deep/shards",
        registries: &[OWN, with_key("deep/shards", "registry/key")],
        again: Again::Refused(THERE),
    },
    Scenario {
        name: "shard --by documents",
        before: &[PLAIN, DOCS, MORE],
        command: "registry shard --by documents -n 2 --into shards",
        registries: &[OWN, with_key("shards", "registry/key")],
        again: Again::Refused(THERE),
    },
    Scenario {
        name: "join",
        before: &[PLAIN, DOCS, "registry shard -n 2 --into shards"],
        command: "registry join shards --into joined --key-file registry/key",
        registries: &[
            with_key("shards", "registry/key"),
            with_key("joined", "registry/key"),
        ],
        again: Again::RefusedThen(
            THERE,
            "registry compact --registry joined --key-file registry/key",
        ),
    },
    Scenario {
        name: "export",
        before: &[INIT, DOCS],
        command: "registry export deep/exported --without-ids",
        registries: &[OWN, with_key("deep/exported", "registry/key")],
        again: Again::RefusedThen(
            THERE,
            "registry compact --registry deep/exported --key-file registry/key",
        ),
    },
    Scenario {
        name: "import",
        before: &[
            INIT,
            DOCS,
            "registry init --retain text --style style-english --key-file registry/key --registry b",
            "register more --registry b --key-file registry/key",
        ],
        command: "registry import b",
        registries: &[OWN, with_key("b", "registry/key")],
        again: Again::Well,
    },
    Scenario {
        name: "rekey",
        before: &[INIT, DOCS],
        command: "registry rekey --new-key-file new.key --into renewed",
        registries: &[OWN, with_key("renewed", "new.key")],
        again: Again::RefusedThen(
            THERE,
            "registry compact --registry renewed --key-file new.key",
        ),
    },
    Scenario {
        name: "register --verify -o FILE",
        before: &[INIT, DOCS],
        command: "register more --verify -o report.csv",
        registries: &[OWN],
        again: Again::Well,
    },
    Scenario {
        name: "registry list",
        before: &[INIT, DOCS],
        command: "registry list",
        registries: &[OWN],
        again: Again::Well,
    },
    Scenario {
        name: "scan -o FILE",
        before: &["scan docs -o report.json"],
        command: "scan more -o report.json",
        registries: &[],
        again: Again::Well,
    },
    Scenario {
        name: "scan --anonymize -o FILE",
        before: &[],
        command: "scan docs --anonymize -o report.html",
        registries: &[],
        again: Again::Well,
    },
    Scenario {
        name: "scan -o FOLDER",
        before: &["scan docs -o out/"],
        command: "scan more -o out/",
        registries: &[],
        again: Again::Well,
    },
    Scenario {
        name: "verify -o FILE",
        before: &[INIT, DOCS, "verify changed -o report.csv"],
        command: "verify more -o report.csv",
        registries: &[OWN],
        again: Again::Well,
    },
    Scenario {
        name: "dedupe -o FOLDER",
        before: &[],
        command: "dedupe rows.jsonl -o out/",
        registries: &[],
        again: Again::Refused("out/: it is not an empty folder"),
    },
    Scenario {
        name: "dedupe -o FILE",
        before: &[],
        command: "dedupe rows.jsonl -o kept.jsonl",
        registries: &[],
        again: Again::Refused("kept.jsonl: this file exists already"),
    },
    Scenario {
        name: "dedupe --work",
        before: &[],
        command: "dedupe rows.jsonl -o out/ --work work --lists lists",
        registries: &[],
        again: Again::Refused("it is not an empty folder"),
    },
    Scenario {
        name: "dedupe --registry",
        before: &[INIT, DOCS],
        command: "dedupe docs more --registry registry -o out/",
        registries: &[OWN],
        again: Again::Refused("out/: it is not an empty folder"),
    },
    Scenario {
        name: "attack -o FOLDER",
        before: &[],
        command: "attack docs/d01.txt --kind all -o deep/out",
        registries: &[],
        again: Again::Refused("there already"),
    },
    Scenario {
        name: "mail init",
        before: &[],
        command: MAIL_INIT,
        registries: &[MAIL],
        again: Again::Refused("there is a mail store already"),
    },
    Scenario {
        name: "mail init --key-file",
        before: &[],
        command: "mail init --key-file own.key --store a/mail",
        registries: &[with_key("a/mail", "own.key")],
        again: Again::Refused("there is a mail store already"),
    },
    // To run it again counts again; whether a message was counted at all is what must not change.
    Scenario {
        name: "mail check",
        before: &[MAIL_INIT, "mail mark bulk more/d10.txt --store mail"],
        command: "mail check docs/d01.txt --store mail",
        registries: &[MAIL],
        again: Again::Well,
    },
    Scenario {
        name: "mail mark",
        before: &[MAIL_INIT, "mail check docs/d01.txt --store mail"],
        command: "mail mark wanted changed/d01.txt --store mail",
        registries: &[MAIL],
        again: Again::Well,
    },
    Scenario {
        name: "archive init",
        before: &[],
        command: "archive init --archive deep/pages",
        registries: &[],
        again: Again::Refused("there is an archive already"),
    },
    Scenario {
        name: "archive add",
        before: &[ARCHIVE, "archive add p docs/d01.txt --time 2026-01-01"],
        command: "archive add p changed/d01.txt docs/d02.txt docs/d01.txt --time 2026-01-02",
        registries: &[],
        again: Again::Well,
    },
    Scenario {
        name: "archive add, a web archive",
        before: &[ARCHIVE],
        command: "archive add pages.warc",
        registries: &[],
        again: Again::Well,
    },
    Scenario {
        name: "archive forget",
        before: &[
            ARCHIVE,
            "archive add pages.warc",
            "archive add p docs/d01.txt changed/d01.txt docs/d02.txt docs/d03.txt",
        ],
        command: "archive forget p@1 p@4 http://a.example/1",
        registries: &[],
        again: Again::Refused("has no version 1"),
    },
    Scenario {
        name: "archive export",
        before: &[
            ARCHIVE,
            "archive add pages.warc",
            "archive export -o out.warc.gz",
            "archive add p docs/d01.txt --time 2026-01-01",
        ],
        command: "archive export -o out.warc.gz",
        registries: &[],
        again: Again::Well,
    },
    Scenario {
        name: "archive get -o FILE",
        before: &[
            ARCHIVE,
            "archive add p docs/d01.txt docs/d02.txt",
            "archive get p@1 -o page.txt",
        ],
        command: "archive get p@2 -o page.txt",
        registries: &[],
        again: Again::Well,
    },
    Scenario {
        name: "man FOLDER",
        before: &["man pages"],
        command: "man pages",
        registries: &[],
        again: Again::Well,
    },
];

/// The documents: each has a paragraph that all have, one of its neighbour, and one of its own.
pub(crate) fn write_documents(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for number in 1..=7 {
        write(&format!("docs/d{number:02}.txt"), &document(number));
    }
    for number in 8..=10 {
        write(&format!("more/d{number:02}.txt"), &document(number));
    }
    for number in 1..=2 {
        let text = format!("{} {}", document(number), paragraph(100 + number));
        write(&format!("changed/d{number:02}.txt"), &text);
    }
    write("standard.txt", &paragraph(0));
    write("old.csv", "path\nmissing.txt\ndocs/d01.txt\n");
    write("new.csv", "path\nabsent.txt\ndocs/d02.txt\ndocs/d03.txt\n");
    let rows = [1, 2, 1, 3].map(|number| {
        let text = document(number).replace('\n', " ");
        format!("{{\"text\": \"{text}\"}}\n")
    });
    write("rows.jsonl", &rows.concat());
    let record = |address: &str, date: &str, number: u64| {
        let text = document(number);
        format!(
            "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: {address}\r\nWARC-Date: {date}\r\n\
             Content-Length: {}\r\n\r\n{text}\r\n\r\n",
            text.len()
        )
    };
    let records = [
        record("http://a.example/1", "2026-01-01T00:00:00Z", 1),
        record("http://a.example/2", "2026-01-01T00:00:00Z", 2),
        record("http://b.example/1", "2026-01-02T00:00:00Z", 1),
    ];
    write("pages.warc", &records.concat());
}

/// A text that shares something with some of them.
pub(crate) fn probe() -> String {
    format!("{} {}", paragraph(3), paragraph(9))
}

fn document(number: u64) -> String {
    let parts = [0, number, number + 1].map(paragraph);
    parts.join("\n\n")
}

fn paragraph(number: u64) -> String {
    let word = |place: u64| {
        let mixed = (number * 1000 + place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        format!("w{:x}", mixed >> 40)
    };
    (0..40).map(word).collect::<Vec<_>>().join(" ")
}
