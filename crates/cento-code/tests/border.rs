//! What crosses the border of a process comes back as it was, and is small.

use cento_code::{Language, Program, parse};

#[test]
fn a_program_is_read_back() {
    let text = "class A { int f(int n) { /* é */ for (;;) n++; } }";
    let program = parse(text, Language::Java).unwrap();
    let json = serde_json::to_string(&program).unwrap();
    assert_eq!(serde_json::from_str::<Program>(&json).unwrap(), program);
}

#[test]
fn a_program_is_small() {
    let text = "int f(int n) { int s = 0; for (int k = 0; k < n; k++) s += k * k; return s; }\n";
    let text = text.repeat((1 << 20) / text.len());
    let program = parse(&text, Language::C).unwrap();
    let json = serde_json::to_string(&program).unwrap();
    assert!(json.len() < 8 << 20, "{} bytes", json.len());
}

#[test]
fn what_is_damaged_is_refused() {
    let damaged = [
        r#"{"language":"c","terms":[],"letters":[0,1,0],"structure":[],"subroutines":[],"highlights":[]}"#,
        r#"{"language":"c","terms":["i"],"letters":[0,1],"structure":[],"subroutines":[],"highlights":[]}"#,
        r#"{"language":"c","terms":["i"],"letters":[4294967295,1,0],"structure":[],"subroutines":[],"highlights":[]}"#,
        r#"{"language":"c","terms":[],"letters":[],"structure":[],"subroutines":[],"highlights":[0,1,9]}"#,
        r#"{"language":"klingon","terms":[],"letters":[],"structure":[],"subroutines":[],"highlights":[]}"#,
    ];
    for json in damaged {
        assert!(serde_json::from_str::<Program>(json).is_err(), "{json}");
    }
}

/// The parser's build script asks for maps in the order of insertion; reports are written sorted.
#[test]
fn keys_of_reports_stay_sorted() {
    let value: serde_json::Value = serde_json::from_str(r#"{"b":1,"a":2}"#).unwrap();
    assert_eq!(value.to_string(), r#"{"a":2,"b":1}"#);
}
