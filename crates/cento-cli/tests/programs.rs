//! Programs: recognised, compared with programs, found again whatever their names are.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;

use cento::report::ProgramPlace;
use serde_json::{Value, json};
use support::{Case, text};

/// The programs of `examples`.
fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs")
}

/// A program of several functions, in C.
const SORTING: &str = r#"#include <stdio.h>

static int largest(const int *numbers, int count) {
    int best = numbers[0];
    for (int i = 1; i < count; i++) {
        if (numbers[i] > best) {
            best = numbers[i];
        }
    }
    return best;
}

static void sort(int *numbers, int count) {
    for (int end = count; end > 1; end--) {
        for (int at = 0; at + 1 < end; at++) {
            if (numbers[at] > numbers[at + 1]) {
                int kept = numbers[at];
                numbers[at] = numbers[at + 1];
                numbers[at + 1] = kept;
            }
        }
    }
}

int main(void) {
    int numbers[] = {31, 4, 15, 92, 65};
    sort(numbers, 5);
    for (int i = 0; i < 5; i++) {
        printf("%d\n", numbers[i]);
    }
    printf("largest %d\n", largest(numbers, 5));
    return 0;
}
"#;

/// Another one, by somebody else.
const COUNTING: &str = r#"#include <stdio.h>
#include <ctype.h>

struct tally { long letters, digits, lines; };

static struct tally count(FILE *input) {
    struct tally seen = {0, 0, 0};
    int c;
    while ((c = fgetc(input)) != EOF) {
        switch (c) {
        case '\n': seen.lines += 1; break;
        default:
            seen.letters += isalpha(c) != 0;
            seen.digits += isdigit(c) != 0;
        }
    }
    return seen;
}

int main(int argc, char **argv) {
    FILE *input = argc > 1 ? fopen(argv[1], "r") : stdin;
    if (!input) { perror(argv[1]); return 2; }
    struct tally seen = count(input);
    printf("%ld letters, %ld digits, %ld lines\n", seen.letters, seen.digits, seen.lines);
    return fclose(input);
}
"#;

fn renamed(program: &str) -> String {
    let names = [
        ("numbers", "werte"),
        ("largest", "groesster"),
        ("best", "bisher"),
        ("sort", "ordne"),
        ("kept", "merke"),
        ("count", "anzahl"),
        ("end", "ende"),
    ];
    let renamed = names.iter().fold(program.to_owned(), |text, (from, to)| {
        text.replace(from, to)
    });
    renamed.replace("    ", "\t")
}

fn with(files: &[(&str, &str)]) -> Case {
    let case = Case::new(&["--recipe", "code"]);
    for (name, content) in files {
        case.write(name, content);
    }
    case
}

/// What is said of a command that must not succeed.
fn fails(case: &Case, arguments: &[&str]) -> String {
    let done = case.run(arguments);
    assert_eq!(done.code, Some(2), "{arguments:?}: {}", done.printed);
    done.said
}

/// The scores of the listed pairs.
fn scores(report: &Value) -> BTreeMap<(String, String), f64> {
    let pairs = report["pairs"].as_array().unwrap().iter();
    let name = |value: &Value| value.as_str().unwrap().to_owned();
    pairs
        .map(|pair| {
            let score = pair["score"].as_f64().unwrap();
            ((name(&pair["left"]), name(&pair["right"])), score)
        })
        .collect()
}

fn score(report: &Value, left: &str, right: &str) -> f64 {
    let ends = (left.to_owned(), right.to_owned());
    scores(report).get(&ends).copied().unwrap_or(0.0)
}

/// What Finkel et al. tell of student programs: copies stand out whatever was renamed and reordered,
/// and makefiles and short scripts can be compared as well.
#[test]
fn copies_stand_out_among_the_programs_of_a_course() {
    let folder = examples();
    let report = with(&[]).json(&["scan", folder.to_str().unwrap(), "--threshold", "0"]);
    let copies = [
        ("abara.java", "castell.java"),
        ("abara.java", "dvorak.java"),
        ("castell.java", "dvorak.java"),
        ("brandt.java", "grieve.java"),
        ("farouk.c", "ito.c"),
        ("kowalska.py", "lindqvist.py"),
        ("farouk.mk", "ito.mk"),
        ("jansen.sh", "kowalska.sh"),
    ];
    for ((left, right), score) in scores(&report) {
        if copies.contains(&(left.as_str(), right.as_str())) {
            assert!(score >= 0.6, "{left} {right}: {score}");
        } else {
            assert!(score < 0.2, "{left} {right}: {score}");
        }
    }
    for (left, right) in copies {
        assert!(score(&report, left, right) > 0.0, "{left} {right}");
    }
}

#[test]
fn texts_are_compared_with_texts_and_programs_with_programs() {
    let case = with(&[
        ("all/a.c", SORTING),
        ("all/b.c", &renamed(SORTING)),
        ("all/c.c", COUNTING),
        ("all/one.txt", &text(1)),
        ("all/two.txt", &format!("{} {}", text(2), text(1))),
    ]);
    let report = case.json(&["scan", "all"]);
    let pairs: Vec<(String, String)> = scores(&report).into_keys().collect();
    let named = |left: &str, right: &str| (left.to_owned(), right.to_owned());
    assert_eq!(pairs, [named("a.c", "b.c"), named("one.txt", "two.txt")]);
    let languages: Vec<&Value> = report["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|document| &document["language"])
        .collect();
    assert_eq!(languages[..3], ["c", "c", "c"]);
    assert!(languages[3].is_null());
    // The pair of programs says how much is written the same, and how much only is the same.
    let pairs = report["pairs"].as_array().unwrap();
    let programs = pairs.iter().find(|pair| pair["left"] == "a.c").unwrap();
    let classes = &programs["classes"][0];
    assert!(classes["edited"].as_f64().unwrap() > 0.1, "{classes}");
    assert_eq!(programs["listed"], "score");
    assert_eq!(report["at_threshold"], 2);
    // What is left out of both lists is counted together.
    case.write("all/d.c", SORTING);
    case.write("all/three.txt", &text(1));
    let top = case.json(&["scan", "all", "--top", "1"]);
    let notes = top["notes"].as_array().unwrap().iter();
    let left_out = notes.filter(|note| note.to_string().contains("not listed"));
    let left_out: Vec<&Value> = left_out.collect();
    assert_eq!(left_out, ["4 more pairs are not listed"], "{top}");
    assert_eq!(
        report["settings"]["programs"],
        "structure:3+letters | window:8 & window:12 | fast:64+sorted | letters:3"
    );
}

#[test]
fn a_language_can_be_named() {
    let case = with(&[
        ("all/a", SORTING),
        ("all/b", &renamed(SORTING)),
        ("all/c", COUNTING),
    ]);
    let as_c = case.json(&["scan", "all", "-l", "c"]);
    assert!(score(&as_c, "a", "b") > 0.99, "{as_c}");
    assert_eq!(as_c["documents"][0]["language"], "c");
    // What is a keyword in one language is a name in another.
    let any = case.json(&["scan", "all", "-l", "generic"]);
    assert!(score(&any, "a", "b") > 0.85, "{any}");
    case.write("all/a.c", SORTING);
    let as_text = case.json(&["scan", "all", "-l", "text"]);
    assert!(as_text["documents"][1]["language"].is_null(), "{as_text}");
    let error = fails(&case, &["scan", "all", "-l", "klingon"]);
    assert!(
        error.contains("--language: klingon is not known; c, c++, c#, java"),
        "{error}"
    );
}

#[test]
fn two_files_of_one_author_are_no_find() {
    let case = with(&[
        ("all/novak_1.c", SORTING),
        ("all/novak_2.c", SORTING),
        ("all/svoboda_1.c", &renamed(SORTING)),
        ("all/other_1.c", COUNTING),
    ]);
    let all = scores(&case.json(&["scan", "all"]));
    assert_eq!(all.len(), 3);
    let report = case.json(&["scan", "all", "--author", "{author}_*"]);
    let found: Vec<(String, String)> = scores(&report).into_keys().collect();
    assert!(
        found.iter().all(|(_, right)| right == "svoboda_1.c"),
        "{found:?}"
    );
    assert_eq!(found.len(), 2);
    let error = fails(&case, &["scan", "all", "--author", "novak"]);
    assert!(
        error.contains("--author: novak must say once where the author is"),
        "{error}"
    );
}

/// What was handed out counts on neither side, also where somebody has edited it.
#[test]
fn base_code_may_have_been_edited() {
    let sheet = SORTING.replace("numbers[at] > numbers[at + 1]", "0");
    let edited = renamed(&sheet).replace(
        "int merke = werte[at];",
        "int merke = werte[at]; int z = 0;",
    );
    let own = r"
static long power(long base, int n) {
    long all = 1;
    while (n-- > 0) all *= base;
    return all;
}

static int digits(long number, int base) {
    int found = number == 0;
    for (long rest = number; rest != 0; rest /= base) {
        found++;
    }
    return found < 1 ? 1 : found;
}

static long backwards(long number, int base) {
    long turned = 0;
    do {
        turned = turned * base + number % base;
    } while ((number /= base) > 0);
    return turned + power(base, 0) - digits(number, base);
}
";
    let case = with(&[
        ("sheet.c", &sheet),
        ("all/a.c", &format!("{sheet}{own}")),
        ("all/b.c", &edited),
        ("all/c.c", &format!("{COUNTING}{own}")),
    ]);
    let before = case.json(&["scan", "all"]);
    assert!(score(&before, "a.c", "b.c") > 0.5, "{before}");
    let report = case.json(&["scan", "all", "--base", "sheet.c", "--threshold", "0"]);
    assert!(score(&report, "a.c", "b.c") < 0.1, "{report}");
    let with_own = score(&report, "a.c", "c.c");
    // But for the windows that begin in what was handed out.
    assert!(
        with_own > 0.6,
        "all that is its own is in the other: {with_own}"
    );
    // What follows what was handed out is a passage of its own.
    case.write("both/a.c", &format!("{sheet}{own}"));
    case.write(
        "both/b.c",
        &format!("{sheet}{}", own.replace("number", "zahl")),
    );
    let report = case.json(&["scan", "both", "--base", "sheet.c"]);
    let passages = report["pairs"][0]["passages"].as_array().unwrap();
    let from_template = passages.iter().map(|one| one["discount"] == "template");
    assert_eq!(from_template.collect::<Vec<_>>(), [true, false], "{report}");
}

#[test]
fn renamed_programs_are_tiled() {
    let case = with(&[("a.c", SORTING), ("b.c", &renamed(SORTING))]);
    for method in [
        &["--recipe", "se-code", "--aligner", "tiling:9"][..],
        &["--aligner", "maximal:60"],
        &[],
    ] {
        let report = case.json(&[&["compare", "a.c", "b.c"], method].concat());
        let share = report["pairs"][0]["share"][0].as_f64().unwrap();
        assert!(share > 0.95, "{method:?}: {share}");
    }
    let page = case.ok(&["explain", "pair", "a.c", "b.c"]);
    for part in [
        "structure, 8 tokens",
        "structure, 12 tokens",
        "letters, 8 tokens",
    ] {
        assert!(page.contains(&format!("  {part}: ")), "{page}");
    }
    let error = fails(
        &case,
        &[
            "compare",
            "a.c",
            "b.c",
            "--recipe",
            "code",
            "--aligner",
            "passages",
        ],
    );
    assert!(
        error.contains("--aligner: `passages` is for prose"),
        "{error}"
    );
}

#[test]
fn programs_are_registered_and_verified() {
    let case = with(&[
        ("old/a.c", SORTING),
        ("old/c.c", COUNTING),
        ("new.c", &renamed(SORTING)),
    ]);
    case.ok(&["register", "old"]);
    let report = case.json(&["verify", "new.c"]);
    assert_eq!(report["measure"], "rare-containment");
    assert_eq!(report["pairs"][0]["right"], "registry:a.c", "{report}");
    assert!(
        report["pairs"][0]["score"].as_f64().unwrap() > 0.9,
        "{report}"
    );
    let with_texts = case.json(&["verify", "new.c", "--texts", "old"]);
    let share = with_texts["pairs"][0]["share"][0].as_f64().unwrap();
    assert!(share > 0.95, "{share}");
    case.ok(&["registry", "check", "--all"]);
}

/// A newer version of Cento reads programs in another way: nothing is damaged, and it says what to do.
#[test]
fn a_registry_of_another_revision_is_to_be_made_again() {
    let case = with(&[("old/a.c", SORTING)]);
    case.ok(&["register", "old"]);
    let catalog = case.path().join("registry/catalog.sqlite");
    let content = std::fs::read(&catalog).unwrap();
    let (now, before) = (b"structure:3", b"structure:2");
    let at = content.windows(now.len()).position(|bytes| bytes == now);
    let mut older = content.clone();
    older[at.unwrap()..][..before.len()].copy_from_slice(before);
    std::fs::write(&catalog, older).unwrap();
    let error = fails(&case, &["verify", "old/a.c"]);
    assert!(
        error.contains("by revision 2 of the normal form")
            && error.contains("register the programs again"),
        "{error}"
    );
}

#[test]
fn several_files_are_one_submission() {
    let (sort, rest) = SORTING.split_at(SORTING.find("int main").unwrap());
    let case = with(&[
        ("class/novak/sort.c", sort),
        ("class/novak/main.c", rest),
        ("class/svoboda/all.c", &renamed(SORTING)),
        ("class/other/count.c", COUNTING),
    ]);
    let report = case.json(&["scan", "class", "--per-folder"]);
    assert!(score(&report, "novak", "svoboda") > 0.8, "{report}");
    let novak = &report["documents"][0];
    assert_eq!(novak["parts"].as_array().unwrap().len(), 2, "{novak}");
}

/// The texts of a submission are compared with texts, and its programs with programs.
#[test]
fn a_submission_may_have_programs_and_texts() {
    let case = with(&[
        ("class/novak/sort.c", SORTING),
        ("class/novak/readme.txt", &text(1)),
        ("class/svoboda/all.c", COUNTING),
        ("class/svoboda/report.md", &text(1)),
        ("class/dvorak/only.c", &renamed(SORTING)),
    ]);
    let report = case.json(&["scan", "class", "--per-folder"]);
    assert!(score(&report, "dvorak", "novak") > 0.8, "{report}");
    assert!(
        score(&report, "novak (text)", "svoboda (text)") > 0.9,
        "{report}"
    );
    assert_eq!(scores(&report).len(), 2, "{report}");
    let documents = report["documents"].as_array().unwrap();
    let ids: Vec<&str> = documents
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    let expected = [
        "dvorak",
        "novak",
        "novak (text)",
        "svoboda",
        "svoboda (text)",
    ];
    assert_eq!(ids, expected);
    let warnings = documents[1]["warnings"].to_string();
    assert!(
        warnings.contains("novak/readme.txt: no part of the program"),
        "{report}"
    );
    let base = case.run(&["scan", "class/dvorak", "--base-from", "common"]);
    assert!(base.said.contains("no effect on programs"), "{}", base.said);
}

/// One read-me file in a class does not make it a class of texts, nor one program in a class of essays.
#[test]
fn the_only_text_among_programs_is_compared_with_nothing() {
    let case = with(&[
        ("class/novak/sort.c", SORTING),
        ("class/novak/readme.txt", &text(1)),
        ("class/svoboda/all.c", &renamed(SORTING)),
        ("class/dvorak/count.c", COUNTING),
        ("essays/one.txt", &text(1)),
        ("essays/two.txt", &format!("{} {}", text(2), text(1))),
        ("essays/tool.c", SORTING),
    ]);
    let report = case.json(&["scan", "class", "--per-folder"]);
    let recipe = report["recipe"].as_str().unwrap();
    assert!(recipe.starts_with("structure:"), "{recipe}");
    assert_eq!(report["measure"], "rare-containment");
    assert_eq!(report["documents"].as_array().unwrap().len(), 4);
    assert_eq!(scores(&report).len(), 1, "{report}");
    let notes = report["notes"].to_string();
    assert!(
        notes
            .contains("novak (text) is the only text among programs, and is compared with nothing"),
        "{notes}"
    );
    assert!(!notes.contains("nothing to compare"), "{notes}");
    let report = case.json(&["scan", "essays"]);
    assert!(report["recipe"].as_str().unwrap().starts_with("words"));
    let notes = report["notes"].to_string();
    assert!(
        notes.contains("tool.c is the only program among texts, and is compared with nothing"),
        "{notes}"
    );
    assert!(!notes.contains("nothing to compare"), "{notes}");
    assert_eq!(scores(&report).len(), 1, "{report}");
}

/// Programs of fewer tokens than a tile are equal or not, and one without any is no text without words.
#[test]
fn tiny_programs_are_compared_as_a_whole() {
    let hello = "print(\"hello\")\n";
    let case = with(&[
        ("all/a.py", hello),
        ("all/b.py", hello),
        (
            "all/c.py",
            "import sys\nprint(sys.argv[1] + sys.argv[2] * 2)\n",
        ),
        (
            "all/list.h",
            "/* A list. */\nstruct list { int a; };\nint first(struct list *);\n",
        ),
    ]);
    let report = case.json(&["scan", "all", "--threshold", "0"]);
    let pair = &report["pairs"][0];
    assert_eq!(
        (&pair["left"], &pair["right"]),
        (&json!("a.py"), &json!("b.py"))
    );
    assert_eq!(pair["share"], json!([1.0, 1.0]), "{report}");
    let skipped = &report["skipped"][0];
    assert_eq!(skipped["id"], "list.h");
    let reason = "a program with nothing in it but declarations and comments";
    assert_eq!(skipped["reason"], reason);
    let compared = case.run(&["compare", "all/a.py", "all/b.py"]);
    let printed = compared.printed;
    assert!(printed.contains("100 % of the tokens of"), "{printed}");
}

/// A saved pair of programs is parsed and compared again.
#[test]
fn saved_pairs_of_programs_are_computed_again() {
    let (sort, rest) = SORTING.split_at(SORTING.find("int main").unwrap());
    let case = with(&[
        ("a.c", SORTING),
        ("b.c", &renamed(SORTING)),
        ("class/novak/sort.c", sort),
        ("class/novak/main.c", rest),
        ("class/svoboda/all.c", &renamed(SORTING)),
    ]);
    case.ok(&["compare", "a.c", "b.c", "-o", "pair.html"]);
    let again = case.ok(&["verify-case", "pair.html"]);
    assert!(again.contains("holds: computed again"), "{again}");
    case.ok(&["scan", "class", "--per-folder", "-o", "class.html"]);
    let again = case.ok(&["verify-case", "class.html"]);
    assert!(again.contains("holds: computed again"), "{again}");
    // Somebody says what the language is, whatever the files are called.
    for file in ["novak/sort", "novak/main", "svoboda/all"] {
        let from = case.path().join(format!("class/{file}.c"));
        let to = case.path().join(format!("class/{file}.txt"));
        std::fs::rename(from, to).unwrap();
    }
    case.ok(&[
        "scan",
        "class",
        "--per-folder",
        "-l",
        "c",
        "-o",
        "said.html",
    ]);
    let again = case.ok(&["verify-case", "said.html"]);
    assert!(again.contains("holds: computed again"), "{again}");
    // So is what was handed out, and a program that somebody calls a text is one.
    case.write("base.dat", sort);
    case.write("base.c", sort);
    let copy = renamed(SORTING);
    case.write("a.dat", SORTING);
    case.write("b.dat", &copy);
    for arguments in [
        &["a.dat", "b.dat", "-l", "c", "--base", "base.dat"][..],
        &["a.c", "b.c", "-l", "text", "--base", "base.dat"],
        &["a.c", "b.c", "-l", "java"],
        // Each template is what it was read as.
        &["a.c", "b.c", "--base", "base.dat"],
        &["a.c", "b.c", "--base", "base.dat", "--base", "base.c"],
    ] {
        case.ok(&[&["compare"], arguments, &["-o", "said.html", "--force"]].concat());
        let again = case.ok(&["verify-case", "said.html"]);
        assert!(
            again.contains("holds: computed again"),
            "{arguments:?}: {again}"
        );
    }
    // The code cells of notebooks are where the page says that they are.
    let (first, second) = copy.split_at(copy.find("int main").unwrap());
    let notebook = |cells: &[&str]| {
        let cell = |source: &&str| serde_json::json!({"cell_type": "code", "source": source});
        let text = serde_json::json!({"cell_type": "markdown", "source": text(3)});
        let cells = cells.iter().map(cell);
        let cells: Vec<_> = cells.chain([text]).collect();
        serde_json::json!({
            "cells": cells, "metadata": {"language_info": {"name": "c"}},
            "nbformat": 4, "nbformat_minor": 5,
        })
        .to_string()
    };
    case.write("books/a.ipynb", &notebook(&[SORTING]));
    case.write("books/b.ipynb", &notebook(&[first, second]));
    let books = [
        "compare",
        "books/a.ipynb",
        "books/b.ipynb",
        "-o",
        "books.html",
    ];
    case.ok(&books);
    let again = case.ok(&["verify-case", "books.html"]);
    assert!(again.contains("holds: computed again"), "{again}");
    let page = std::fs::read_to_string(case.path().join("pair.html")).unwrap();
    let data = cento_report::read(&page).unwrap();
    let mut report = data.report;
    for (document, text) in report.documents.iter_mut().zip(data.texts) {
        document.text = text;
    }
    let programs = report.documents[0].programs.clone();
    report.documents[0].programs = vec![ProgramPlace(7, u32::MAX, "c".to_owned())];
    case.write(
        "damaged.html",
        &cento_report::html(&mut report, &data.templates),
    );
    let done = case.run(&["verify-case", "damaged.html"]);
    assert_eq!(done.code, Some(2), "{}", done.said);
    assert!(done.said.contains("damaged.html: damaged"), "{}", done.said);
    report.documents[0].programs = programs;
    report.pairs[0].score /= 2.0;
    case.write(
        "other.html",
        &cento_report::html(&mut report, &data.templates),
    );
    let done = case.run(&["verify-case", "other.html"]);
    assert_eq!(done.code, Some(1), "{}", done.printed);
    assert!(done.printed.contains("score: was"), "{}", done.printed);
}

/// What notebooks have in code cells is a program.
#[test]
fn code_cells_of_notebooks_are_programs() {
    let python = std::fs::read_to_string(examples().join("kowalska.py")).unwrap();
    let notebook = |source: &str| {
        serde_json::json!({
            "cells": [
                {"cell_type": "markdown", "metadata": {}, "source": ["# The lock\n", text(2)]},
                {"cell_type": "code", "metadata": {}, "source": source, "outputs": []},
            ],
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        })
        .to_string()
    };
    let case = with(&[
        ("all/a.ipynb", &notebook(&python)),
        ("all/b.py", &python),
        ("all/report.txt", &text(2)),
        (
            "all/c.py",
            &std::fs::read_to_string(examples().join("jansen.py")).unwrap(),
        ),
    ]);
    let report = case.json(&["scan", "all"]);
    assert!(score(&report, "a.ipynb", "b.py") > 0.99, "{report}");
    assert_eq!(report["documents"][0]["language"], "python");
    assert!(
        score(&report, "a.ipynb (text)", "report.txt") > 0.9,
        "{report}"
    );
}

/// Nothing that is called a program does harm: it is read by its grammar, or without, or not at all.
#[test]
fn hostile_programs_do_no_harm() {
    let case = with(&[
        ("all/a.c", SORTING),
        ("all/b.c", &renamed(SORTING)),
        (
            "all/broken.java",
            "class { void ((( return if else } } } \u{0} int",
        ),
        (
            "all/deep.c",
            &format!("int x = {}1{};", "(".repeat(100_000), ")".repeat(100_000)),
        ),
        ("all/brackets.py", &"[".repeat(100_000)),
        (
            "all/min.js",
            &"var a=function(b){return b+1};".repeat(35_000),
        ),
        ("all/nul.py", "print(1)\u{0}\u{0}\nprint(2)\n"),
        ("all/empty.java", ""),
    ]);
    let output = case.json(&["scan", "all"]);
    assert!(score(&output, "a.c", "b.c") > 0.9);
    let read = output["documents"].as_array().unwrap().len();
    let skipped = output["skipped"].as_array().unwrap().len();
    assert_eq!(read + skipped, 8, "{}", output["skipped"]);
}
