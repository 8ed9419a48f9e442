//! The layouts that people have: which files are one document, and what it is called.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod pack;

use std::fs;
use std::path::Path;

use cento_ingest::{FieldKey, Finding, Grouping, LayoutNote, Options, Readers, find};

fn write(root: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

fn found(path: &Path, grouping: Grouping) -> (Finding, Readers) {
    let options = Options {
        grouping,
        ..Options::default()
    };
    let readers = Readers::new(&options);
    (
        find(&[path.to_path_buf()], &options, &readers).unwrap(),
        readers,
    )
}

/// Ids and labels.
fn names(finding: &Finding) -> Vec<(&str, &str)> {
    let documents = finding.documents.iter();
    documents
        .map(|source| (source.id.as_str(), source.label.as_str()))
        .collect()
}

const CLASS: [(&str, &str); 4] = [
    ("anna/essay.txt", "Words of Anna."),
    ("anna/notes.txt", "More of them."),
    ("anna/.DS_Store", "litter"),
    ("bert/essay.txt", "Words of Bert."),
];

#[test]
fn folders_that_do_not_nest_are_submissions() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), &CLASS);
    let (finding, readers) = found(root.path(), Grouping::Auto);
    assert_eq!(names(&finding), [("anna", "anna"), ("bert", "bert")]);
    assert_eq!(finding.notes, [LayoutNote::Folders { count: 2 }]);
    let anna = readers.read(&finding.documents[0]).unwrap();
    assert_eq!(anna.content, "Words of Anna.\n\nMore of them.");
    let files: Vec<&str> = anna.parts.iter().map(|part| part.file.as_str()).collect();
    assert_eq!(files, ["anna/essay.txt", "anna/notes.txt"]);
    let last = &anna.parts[1];
    assert_eq!(
        &anna.content[last.start as usize..last.end as usize],
        "More of them."
    );

    let (finding, _) = found(root.path(), Grouping::PerFile);
    assert_eq!(finding.documents.len(), 3);

    // A file beside the folders, or a folder in one of them, means nothing by itself.
    write(root.path(), &[("readme.txt", "words")]);
    assert_eq!(found(root.path(), Grouping::Auto).0.documents.len(), 4);
    let (finding, _) = found(root.path(), Grouping::PerFolder);
    assert_eq!(
        names(&finding),
        [
            ("anna", "anna"),
            ("bert", "bert"),
            ("readme.txt", "readme.txt")
        ]
    );
}

#[test]
fn a_zip_of_folders_is_like_the_folders() {
    let root = tempfile::tempdir().unwrap();
    let members: Vec<(String, &str)> = CLASS
        .iter()
        .map(|(name, content)| (format!("class/{name}"), *content))
        .chain([("__MACOSX/class/anna/._essay.txt".to_owned(), "litter")])
        .collect();
    let members: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, content)| (name.as_str(), content.as_bytes()))
        .collect();
    let archive = root.path().join("class.zip");
    fs::write(&archive, pack::zip(&members)).unwrap();
    for grouping in [Grouping::Auto, Grouping::PerFolder] {
        let (finding, readers) = found(&archive, grouping);
        let expected = [
            ("class.zip/class/anna", "anna"),
            ("class.zip/class/bert", "bert"),
        ];
        assert_eq!(names(&finding), expected);
        assert_eq!(
            readers.read(&finding.documents[1]).unwrap().content,
            "Words of Bert."
        );
    }
}

#[test]
fn a_mailbox_of_folders_holds_messages() {
    let root = tempfile::tempdir().unwrap();
    write(
        root.path(),
        &[("cur/1", "one"), ("cur/2", "two"), ("new/3", "three")],
    );
    assert_eq!(found(root.path(), Grouping::Auto).0.documents.len(), 3);
}

#[test]
fn a_moodle_zip_has_a_document_per_participant() {
    let root = tempfile::tempdir().unwrap();
    let mut members: Vec<(String, String)> = Vec::new();
    for number in 0..120 {
        let name = format!("Student {number}_{}_assignsubmission", 7_000_000 + number);
        let essay = format!("Essay of student {number}, with words enough to be one.");
        if number % 2 == 0 {
            members.push((format!("{name}_file_/essay.txt"), essay.clone()));
            members.push((
                format!("{name}_onlinetext_/onlinetext.txt"),
                format!("Typed {number}."),
            ));
        } else {
            members.push((format!("{name}_file_essay.txt"), essay.clone()));
            members.push((format!("{name}_file_copy of essay.txt"), essay));
        }
    }
    let members: Vec<(&str, &[u8])> = members
        .iter()
        .map(|(name, content)| (name.as_str(), content.as_bytes()))
        .collect();
    let archive = root.path().join("Essay 1.zip");
    fs::write(&archive, pack::zip(&members)).unwrap();
    let (finding, readers) = found(&archive, Grouping::Auto);
    assert_eq!(finding.documents.len(), 120);
    let source = finding
        .documents
        .iter()
        .find(|source| source.label == "Student 7")
        .unwrap();
    assert_eq!(source.id, "Essay 1.zip/Student 7_7000007");
    // The copy counts once.
    let document = readers.read(source).unwrap();
    assert_eq!(document.content.matches("Essay of student").count(), 1);
    assert_eq!(document.parts.len(), 1);
    assert!(
        finding
            .documents
            .iter()
            .all(|source| source.parts.len() == 2)
    );
}

#[test]
fn a_table_may_describe_the_files() {
    let root = tempfile::tempdir().unwrap();
    let info = "filename,label,created_at,full_name,ignored\n\
                a.txt,group 1,2024-03-01 10:00:00 +0100,Anna Roe,\n\
                sub/b.txt,,,,false\n\
                template.txt,,,,true\n\
                gone.txt,,,,\n";
    let files = [
        ("info.csv", info),
        ("a.txt", "words of a"),
        ("sub/b.txt", "words of b"),
        ("template.txt", "given words"),
    ];
    write(root.path(), &files);
    let (finding, _) = found(root.path(), Grouping::Auto);
    assert_eq!(
        names(&finding),
        [("a.txt", "Anna Roe (group 1)"), ("sub/b.txt", "sub/b.txt")]
    );
    assert_eq!(
        finding.documents[0].date.as_deref(),
        Some("2024-03-01 10:00:00 +0100")
    );
    assert_eq!(finding.templates[0].id, "template.txt");
    assert_eq!(finding.skipped[0].id, "gone.txt");
    let members: Vec<(&str, &[u8])> = files.iter().map(|(n, c)| (*n, c.as_bytes())).collect();
    fs::write(root.path().join("data.zip"), pack::zip(&members)).unwrap();
    let (finding, _) = found(&root.path().join("data.zip"), Grouping::Auto);
    assert_eq!(names(&finding)[0], ("data.zip/a.txt", "Anna Roe (group 1)"));
    assert_eq!(finding.templates[0].id, "data.zip/template.txt");
}

#[test]
fn rows_of_tables_are_documents() {
    let root = tempfile::tempdir().unwrap();
    let files = [
        (
            "a.jsonl",
            "{\"text\": \"first row\", \"n\": 1}\n{\"text\": \"second row\"}\n{\"n\": 2}\n",
        ),
        (
            "b.csv",
            "doc_id;body\nx;\"with a\nline break\"\n7;other\nx;again\n",
        ),
        ("c.csv", "year,count\n1999,3\n"),
        ("d.jsonl", "{\"words\": \"none of the usual names\"}\n"),
    ];
    write(root.path(), &files);
    let (finding, readers) = found(root.path(), Grouping::Auto);
    let texts: Vec<(&str, String)> = finding
        .documents
        .iter()
        .rev()
        .map(|source| (source.id.as_str(), readers.read(source).unwrap().content))
        .collect();
    assert_eq!(
        texts,
        [
            ("x (2)", "again".to_owned()),
            ("x", "with a\nline break".to_owned()),
            ("c.csv", "year,count\n1999,3\n".to_owned()),
            ("a.jsonl:2", "second row".to_owned()),
            ("a.jsonl:1", "first row".to_owned()),
            ("7", "other".to_owned()),
        ]
    );
    let [row, table] = finding.skipped.as_slice() else {
        panic!("two are skipped: {:?}", finding.skipped)
    };
    assert_eq!(
        (row.id.as_str(), row.error.to_string().as_str()),
        ("a.jsonl:3", "no field named text")
    );
    assert_eq!(table.error.key(), Some(FieldKey::Text));
    assert!(
        table.error.to_string().ends_with("; there are words"),
        "{}",
        table.error
    );
    let keys = cento_ingest::Keys {
        text: Some("words".to_owned()),
        id: None,
    };
    let mut options = Options::default();
    options.reading.keys = keys;
    let readers = Readers::new(&options);
    let finding = find(&[root.path().join("d.jsonl")], &options, &readers).unwrap();
    assert_eq!(finding.documents[0].id, "d.jsonl:1");
}

#[test]
fn packed_tables_are_read_forwards_and_backwards() {
    use std::io::Write as _;
    let root = tempfile::tempdir().unwrap();
    let row = |number| serde_json::json!({ "text": format!("row {number}") }).to_string();
    let rows = (0..50).map(row).collect::<Vec<String>>().join("\n");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(rows.as_bytes()).unwrap();
    fs::write(root.path().join("t.jsonl.gz"), packed.finish().unwrap()).unwrap();
    let (finding, readers) = found(root.path(), Grouping::Auto);
    assert_eq!(finding.documents.len(), 50);
    for source in finding
        .documents
        .iter()
        .chain(finding.documents.iter().rev())
    {
        let line: u32 = source.id.rsplit_once(':').unwrap().1.parse().unwrap();
        let content = readers.read(source).unwrap().content;
        assert_eq!(content, format!("row {}", line - 1));
    }
}
