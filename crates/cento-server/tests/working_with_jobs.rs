//! Names of jobs, how long results last, uploads that are too large, and decisions about pairs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::io::Write as _;

use cento::index::registry::Retention;
use cento_server::Role;
use serde_json::{Value, json};
use support::{Form, Running, Setup, Who, read_answer, text};

fn two() -> Form {
    let common = text(1, 300);
    Form::of("pairwise")
        .file(
            "hw1/anna.txt",
            format!("{common} {}", text(2, 100)).as_bytes(),
        )
        .file(
            "hw1/ben.txt",
            format!("{common} {}", text(3, 100)).as_bytes(),
        )
}

fn id(job: &Value) -> &str {
    job["id"].as_str().unwrap()
}

fn decide(server: &Running, who: &Who, job: &str, state: &str, note: &str) -> Value {
    let body = json!({"pairs": [
        {"left": "hw1/anna.txt", "right": "hw1/ben.txt", "state": state, "note": note},
    ]});
    let path = format!("/api/v1/jobs/{job}/decisions");
    server.post_json(&path, who, &body).ok()
}

#[test]
fn a_job_has_a_name() {
    let server = Setup::new().start();
    let who = server.open_page();
    let job = server.job(&who, &two());
    assert_eq!(
        (&job["name"], &job["state"]),
        (&"hw1".into(), &"done".into())
    );
    let job = server.job(&who, &two().field("name", "  <b>Week 1</b>  "));
    assert_eq!(job["name"], "<b>Week 1</b>");
    let listed = server.get("/api/v1/jobs", &who).ok();
    assert_eq!(listed["jobs"].as_array().unwrap().len(), 2);
    let long = two().field("name", &"x".repeat(201));
    let refused = server.send_form("/api/v1/jobs", &who, &long);
    refused.is_problem(422, "unusable");
    for odd in ["a\nb", "a\u{0}b", "a\u{1b}[31mb"] {
        let refused = server.send_form("/api/v1/jobs", &who, &two().field("name", odd));
        refused.is_problem(422, "unusable");
    }
}

#[test]
fn an_upload_that_says_that_it_is_too_large_is_refused_before_it_is_sent() {
    let server = Setup::new()
        .change(|config| config.limits.upload = 1000)
        .start();
    let who = server.open_page();
    let Who::Browser { cookie, forms } = &who else {
        panic!("a browser");
    };
    let mut stream = server.connect();
    // Not a byte of the body follows.
    let head = format!(
        "POST /api/v1/jobs HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\nx-cento-forms: {forms}\r\n\
         connection: close\r\ncontent-type: multipart/form-data; boundary=x\r\n\
         content-length: 99999999\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let answer = read_answer(&mut stream);
    answer.is_problem(413, "too-large");
    let detail = answer.json()["detail"].to_string();
    assert!(
        detail.contains("95.4 MiB") && detail.contains("1000 bytes"),
        "{detail}"
    );
    let limits = server.get("/api/v1/session", &who).ok();
    assert_eq!(limits["limits"]["upload"], 1000);
}

#[test]
fn decisions_are_kept_with_who_and_when_and_go_with_the_job() {
    let setup = Setup::new()
        .account("anna", Role::Admin, None)
        .account("vera", Role::Verify, None)
        .account("sam", Role::Submit, None);
    let server = setup.start();
    let [anna, vera, sam] = ["anna", "vera", "sam"].map(|name| server.log_in(name));
    let job = server.job(&vera, &two());
    let job = id(&job);
    let path = format!("/api/v1/jobs/{job}/decisions");
    assert_eq!(server.get(&path, &vera).ok()["pairs"], json!([]));
    decide(&server, &vera, job, "find", "same <i>order</i>");
    // The later one counts, whoever makes it, and the one before stays on record.
    let work = decide(&server, &anna, job, "explained", "worked together, allowed");
    assert_eq!(work["schema"], "cento.work/1");
    let [latest] = work["pairs"].as_array().unwrap().as_slice() else {
        panic!("{work}");
    };
    assert_eq!(
        (&latest["who"], &latest["state"]),
        (&"anna".into(), &"explained".into())
    );
    assert!(latest["when"].as_str().unwrap().starts_with("20"));
    assert_eq!(work["history"][0]["who"], "vera");
    assert_eq!(work["history"][0]["note"], "same <i>order</i>");
    let shown = server.get(&format!("/api/v1/jobs/{job}"), &vera).ok();
    assert_eq!(shown["decisions"], 1);
    let work = decide(&server, &vera, job, "", "");
    assert_eq!(work["pairs"], json!([]));
    assert_eq!(work["history"].as_array().unwrap().len(), 2);

    // Somebody else's job is not even there.
    server.get(&path, &sam).is_problem(404, "not-found");
    let one = json!({"pairs": [{"left": "a", "right": "b", "state": "find"}]});
    server
        .post_json(&path, &sam, &one)
        .is_problem(404, "not-found");
    // Those who hand in may look at their own reports, not judge.
    let own = server.job(&sam, &two());
    let own = format!("/api/v1/jobs/{}/decisions", id(&own));
    server.get(&own, &sam).ok();
    server
        .post_json(&own, &sam, &one)
        .is_problem(403, "wrong-role");
    // A page of another site knows no secret of forms.
    let Who::Browser { cookie, .. } = &vera else {
        panic!("a browser");
    };
    let forged = Who::Browser {
        cookie: cookie.clone(),
        forms: "guess".to_owned(),
    };
    server
        .post_json(&path, &forged, &one)
        .is_problem(403, "forged");
    for wrong in [
        json!({"pairs": []}),
        json!({"pairs": [{"left": "", "right": "b", "state": "find"}]}),
        json!({"pairs": [{"left": "a", "right": "b", "state": "find", "note": "x".repeat(4001)}]}),
    ] {
        server
            .post_json(&path, &vera, &wrong)
            .is_problem(422, "unusable");
    }
    let odd = json!({"pairs": [{"left": "a", "right": "b", "state": "guilty"}]});
    server
        .post_json(&path, &vera, &odd)
        .is_problem(400, "bad-request");

    let log = server.get("/api/v1/audit", &anna).ok();
    let decided: Vec<&Value> = log["entries"].as_array().unwrap().iter().collect();
    let decided = decided.iter().filter(|entry| entry["action"] == "decided");
    assert_eq!(decided.count(), 3, "{log}");
    assert!(
        !log.to_string().contains("anna.txt"),
        "the log names no documents"
    );

    decide(&server, &vera, job, "find", "");
    server.delete(&format!("/api/v1/jobs/{job}"), &vera).ok();
    server.get(&path, &vera).is_problem(410, "gone");
    server.post_json(&path, &vera, &one).is_problem(410, "gone");
    let database = rusqlite::Connection::open(server.data().join("server.sqlite")).unwrap();
    let sql = "SELECT count(*) FROM decisions WHERE job = ?1";
    let left: i64 = database.query_row(sql, [job], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[test]
fn only_pairs_that_the_report_lists_are_decided() {
    let server = Setup::new()
        .registry(Retention::Text)
        .account("anna", Role::Admin, None)
        .start();
    let who = server.log_in("anna");
    let alone = text(9, 300);
    let job = server.job(&who, &two().file("hw1/carl.txt", alone.as_bytes()));
    let path = format!("/api/v1/jobs/{}/decisions", id(&job));
    let [anna, ben, carl] = ["hw1/anna.txt", "hw1/ben.txt", "hw1/carl.txt"];
    for (left, right) in [
        (anna, carl),
        (ben, anna),
        (anna, anna),
        (anna, "hw1/nobody.txt"),
        ("<b>", "x\u{0}y"),
    ] {
        // One that is listed comes first, and is not kept either.
        let body = json!({"pairs": [
            {"left": anna, "right": ben, "state": "find"},
            {"left": left, "right": right, "state": "find"},
        ]});
        let refused = server.post_json(&path, &who, &body);
        refused.is_problem(422, "unusable");
        let detail = refused.json()["detail"].to_string();
        assert!(
            detail.contains("decision 2: the report lists no pair with"),
            "{detail}"
        );
    }
    assert_eq!(server.get(&path, &who).ok()["pairs"], json!([]));
    assert_eq!(server.get(&path, &who).ok()["history"], json!([]));
    // A job that registers has no pairs at all.
    let mut form = Form::of("register");
    form = form.file("one.txt", alone.as_bytes());
    let job = server.job(&who, &form);
    let path = format!("/api/v1/jobs/{}/decisions", id(&job));
    let body = json!({"pairs": [{"left": "one.txt", "right": "one.txt", "state": "find"}]});
    server
        .post_json(&path, &who, &body)
        .is_problem(422, "unusable");
}

#[test]
fn decisions_at_the_same_time_are_all_kept_and_one_counts() {
    let server = Setup::new()
        .account("anna", Role::Admin, None)
        .account("vera", Role::Verify, None)
        .start();
    let [anna, vera] = ["anna", "vera"].map(|name| server.log_in(name));
    let job = server.job(&vera, &two());
    let job = id(&job);
    std::thread::scope(|scope| {
        for (who, state) in [(&anna, "find"), (&vera, "explained")] {
            let server = &server;
            scope.spawn(move || {
                for number in 0..10 {
                    decide(server, who, job, state, &number.to_string());
                }
            });
        }
    });
    let work = server
        .get(&format!("/api/v1/jobs/{job}/decisions"), &vera)
        .ok();
    assert_eq!(work["pairs"].as_array().unwrap().len(), 1);
    assert_eq!(work["history"].as_array().unwrap().len(), 19);
    // What one person said is there in the order in which it was said.
    let all = work["history"].as_array().unwrap().iter();
    let all = all.chain(work["pairs"].as_array().unwrap());
    let of_anna = all.filter(|one| one["who"] == "anna");
    let notes: Vec<&str> = of_anna.map(|one| one["note"].as_str().unwrap()).collect();
    assert_eq!(notes, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
}

#[test]
fn notes_have_an_end() {
    let server = Setup::new().start();
    let who = server.open_page();
    let job = server.job(&who, &two());
    let job = id(&job);
    let path = format!("/api/v1/jobs/{job}/decisions");
    decide(
        &server,
        &who,
        job,
        "find",
        "control \u{0} \u{1b}[31m \u{202e} <script>",
    );
    // As if people had written a great deal.
    let database = rusqlite::Connection::open(server.data().join("server.sqlite")).unwrap();
    let sql = "INSERT INTO decisions (job, at, account, left_id, right_id, state, note) \
               SELECT job, at, account, left_id, right_id, state, ?2 FROM decisions WHERE job = ?1";
    let long = "x".repeat(16 << 20);
    database.execute(sql, [job, &long]).unwrap();
    let one = json!({"left": "hw1/anna.txt", "right": "hw1/ben.txt", "state": "find"});
    server
        .post_json(&path, &who, &json!({"pairs": [one]}))
        .is_problem(409, "conflict");
}

#[test]
fn the_report_page_is_a_page_of_the_server_and_its_file_is_not() {
    let server = Setup::new().start();
    let who = server.open_page();
    let job = server.job(&who, &two().field("name", "</script><b>week"));
    let job = id(&job);
    decide(&server, &who, job, "find", "</script>");
    let hosted = server.get(&format!("/jobs/{job}/report"), &who);
    let policy = &hosted.headers["content-security-policy"];
    assert!(policy.contains("connect-src 'self'") && policy.contains("frame-ancestors 'none'"));
    let page = hosted.text();
    assert!(page.contains("cento-host") && !page.contains("<b>week"));
    assert!(
        !page.contains("<meta http-equiv"),
        "the policy is in the head of the answer"
    );
    // To save: the page that anybody can open, with what was decided, and nothing of the server.
    let file = server.get(&format!("/api/v1/jobs/{job}/report.html"), &who);
    let page = file.text();
    assert!(page.contains("<meta http-equiv") && page.contains("cento-work"));
    assert!(!page.contains("cento-host") && !page.contains("fetch("));
    assert!(!file.headers["content-security-policy"].contains("connect-src"));
}
