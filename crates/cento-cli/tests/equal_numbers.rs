//! How much of one document is in another is one number, to the digit, wherever it is said. That the
//! server says it too is the business of `front_ends.rs`, and the page that of the tests in a browser.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/registry.rs"]
mod support;

use serde_json::{Value, json};
use support::{Case, text, words};

/// Pairs that share text in every way: moved, edited, quoted, from a template, and not at all.
fn essays() -> Case {
    let case = Case::new(&["--unkeyed", "--retain", "text"]);
    let source = text(1);
    let [first, second]: [&str; 2] = {
        let middle = source.match_indices(' ').nth(99).unwrap().0;
        source.split_at(middle).into()
    };
    let edited: Vec<String> = (source.split(' ').enumerate())
        .map(|(place, word)| match place % 6 {
            5 => format!("x{place}"),
            _ => word.to_owned(),
        })
        .collect();
    let sheet = words(90, 50);
    for (name, own) in [
        ("source", source.clone()),
        ("moved", format!("{second} {} {first}", words(2, 70))),
        ("edited", format!("{} {}", edited.join(" "), words(3, 90))),
        ("quoted", format!("{} \"{first}\" {second}", words(4, 120))),
        ("other", text(5)),
    ] {
        case.write(&format!("class/{name}.txt"), &format!("{sheet}. {own}"));
    }
    case.write("sheet.txt", &sheet);
    case
}

/// A share as people read it.
fn percent(share: &Value) -> String {
    let share = share.as_f64().unwrap();
    let is_plain = share > 0.005 && share < 0.995;
    assert!(
        is_plain || share >= 1.0,
        "{share} is nearly nothing or everything"
    );
    format!("{:.0} %", 100.0 * share)
}

fn pair<'r>(report: &'r Value, left: &str, right: &str) -> &'r Value {
    let is_it = |pair: &&Value| pair["left"] == json!(left) && pair["right"] == json!(right);
    let pairs = report["pairs"].as_array().unwrap();
    pairs.iter().find(is_it).unwrap()
}

#[test]
fn every_command_says_the_same() {
    let case = essays();
    let base = ["--base", "sheet.txt"];
    let scan = [&["scan", "class"], &base[..]].concat();
    let report = case.json(&scan);
    let listed = case.ok(&scan);
    let table = case.ok(&[&scan[..], &["--format", "csv"]].concat());
    case.ok(&["register", "class/source.txt"]);
    for other in ["edited", "moved", "quoted"] {
        let [left, right] = [format!("{other}.txt"), "source.txt".to_owned()];
        let scanned = pair(&report, &left, &right);
        let share = &scanned["share"];
        let [of_left, of_right] = [0, 1].map(|side| percent(&share[side]));
        // The list on a screen.
        let row = listed
            .lines()
            .find(|line| line.contains(&left) && line.contains(&right));
        let row: Vec<&str> = row
            .unwrap()
            .split("  ")
            .filter(|cell| !cell.trim().is_empty())
            .collect();
        assert_eq!(
            row[1..3].iter().map(|cell| cell.trim()).collect::<Vec<_>>(),
            [&of_left, &of_right],
            "{row:?}"
        );
        // The table.
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = table.lines().map(cells);
        let columns = lines.next().unwrap();
        let row = lines.find(|row| row[0] == left && row[1] == right).unwrap();
        for (column, side) in [("share_left", 0), ("share_right", 1), ("net_left", 0)] {
            let at = columns.iter().position(|name| name == column).unwrap();
            let said = format!("{:.6}", share[side].as_f64().unwrap());
            assert_eq!(row[at], said, "{column}");
        }
        // Two files, as data and as text, with the arithmetic.
        let files = [format!("class/{left}"), format!("class/{right}")];
        let files = [files[0].as_str(), files[1].as_str()];
        let compare = [&["compare"], &files[..], &base].concat();
        let compared = &case.json(&compare)["pairs"][0];
        assert_eq!(&compared["share"], share, "{other}");
        assert_eq!(compared["classes"], scanned["classes"], "{other}");
        let sentences = [
            format!("{of_left} of {} is in {}", files[0], files[1]),
            format!("{of_right} of {} is in {}", files[1], files[0]),
        ];
        let explained = case.ok(&[&["explain", "pair"], &files[..], &base].concat());
        let page = format!("{other}.html");
        case.ok(&[&compare[..], &["-o", &page, "-q"]].concat());
        let again = case.ok(&["verify-case", &page]);
        for printed in [case.ok(&compare), explained, again] {
            for sentence in &sentences {
                assert!(printed.contains(sentence), "{sentence}: {printed}");
            }
        }
        // A registry that keeps texts.
        let verify = [&["verify", files[0]], &base[..]].concat();
        let verified = case.json(&verify);
        assert_eq!(&verified["pairs"][0]["share"], share, "{other}");
        let said = case.ok(&verify);
        assert!(
            said.contains(&format!("{of_left:>6}  {of_right:>6}  ")),
            "{said}"
        );
    }
}

#[test]
fn what_is_word_for_word_is_never_more_than_the_share() {
    let case = essays();
    let report = case.json(&["scan", "class", "--threshold", "0.01"]);
    for pair in report["pairs"].as_array().unwrap() {
        for side in 0..2 {
            let classes = &pair["classes"][side];
            let of = |class: &str| classes[class].as_f64().unwrap();
            let share = pair["share"][side].as_f64().unwrap();
            assert!(of("verbatim") <= share + 1e-6, "{pair:#}");
            let all = of("verbatim") + of("edited") + of("reworded") + of("own");
            assert!((all - 1.0).abs() < 1e-5, "{pair:#}");
        }
    }
}
