//! Logging in, roles, sets, tokens, forgery.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use cento::index::registry::Retention;
use cento_server::{Accounts, Role};
use serde_json::json;
use support::{Form, Running, Setup, Who, password, text};

fn server() -> Running {
    Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None)
        .account("vera", Role::Verify, None)
        .account("sam", Role::Submit, None)
        .start()
}

#[test]
fn log_in_and_out() {
    let server = server();
    server
        .get("/api/v1/status", &Who::Nobody)
        .is_problem(401, "not-logged-in");
    let wrong = json!({"name": "anna", "password": "wrong password"});
    server
        .post_json("/api/v1/session", &Who::Nobody, &wrong)
        .is_problem(401, "wrong-password");
    let unknown = json!({"name": "nobody", "password": password("nobody")});
    server
        .post_json("/api/v1/session", &Who::Nobody, &unknown)
        .is_problem(401, "wrong-password");
    let anna = server.log_in("anna");
    let session = server.get("/api/v1/session", &anna).ok();
    assert_eq!(session["user"]["name"], "anna");
    server.get("/api/v1/status", &anna).ok();
    assert_eq!(server.delete("/api/v1/session", &anna).status, 204);
    server
        .get("/api/v1/status", &anna)
        .is_problem(401, "not-logged-in");
    // There is no other way in.
    server
        .get("/open?token=x", &Who::Nobody)
        .is_problem(410, "gone");
}

#[test]
fn a_login_has_a_new_name() {
    let server = server();
    let planted = ("cookie", "cento_session=planted-by-somebody-else");
    let body = json!({"name": "sam", "password": password("sam")}).to_string();
    let kind = ("content-type", "application/json");
    let answer = server.request("POST", "/api/v1/session", &[planted, kind], body.as_bytes());
    answer.ok();
    assert!(!answer.cookie().contains("planted"));
    let planted = Who::Browser {
        cookie: planted.1.to_owned(),
        forms: String::new(),
    };
    server
        .get("/api/v1/status", &planted)
        .is_problem(401, "not-logged-in");
    // A second login ends the first one of the same browser.
    let first = answer.cookie();
    let again = [("cookie", first.as_str()), kind];
    server
        .request("POST", "/api/v1/session", &again, body.as_bytes())
        .ok();
    let first = Who::Browser {
        cookie: first.clone(),
        forms: String::new(),
    };
    server
        .get("/api/v1/status", &first)
        .is_problem(401, "not-logged-in");
}

#[test]
fn changes_need_the_secret_of_forms() {
    let server = server();
    let anna = server.log_in("anna");
    let Who::Browser { cookie, forms } = &anna else {
        panic!("a browser");
    };
    let body = json!({"ids": ["x"]}).to_string();
    let kind = ("content-type", "application/json");
    let forget = |headers: &[(&str, &str)]| {
        let mut all = vec![("cookie", cookie.as_str()), kind];
        all.extend_from_slice(headers);
        server.request("POST", "/api/v1/forget", &all, body.as_bytes())
    };
    forget(&[]).is_problem(403, "forged");
    forget(&[("x-cento-forms", "guess")]).is_problem(403, "forged");
    forget(&[("x-cento-forms", forms), ("origin", "http://evil.example")])
        .is_problem(403, "forged");
    forget(&[("x-cento-forms", forms), ("sec-fetch-site", "cross-site")]).is_problem(403, "forged");
    forget(&[("x-cento-forms", forms)]).ok();
    let own = format!("http://{}", server.address);
    forget(&[
        ("x-cento-forms", forms),
        ("origin", &own),
        ("sec-fetch-site", "same-origin"),
    ])
    .ok();
    // A page elsewhere cannot log somebody in, either.
    let login = json!({"name": "anna", "password": password("anna")}).to_string();
    let foreign = [kind, ("origin", "http://evil.example")];
    let refused = server.request("POST", "/api/v1/session", &foreign, login.as_bytes());
    refused.is_problem(403, "forged");
    // Another's secret does not do.
    let Who::Browser { forms: others, .. } = server.log_in("sam") else {
        panic!("a browser");
    };
    forget(&[("x-cento-forms", &others)]).is_problem(403, "forged");
}

#[test]
fn roles() {
    let server = server();
    let [anna, vera, sam] = ["anna", "vera", "sam"].map(|name| server.log_in(name));
    for path in ["/api/v1/documents", "/api/v1/audit", "/api/v1/accounts"] {
        server.get(path, &sam).is_problem(403, "wrong-role");
        server.get(path, &anna).ok();
    }
    server.get("/api/v1/documents", &vera).ok();
    server
        .get("/api/v1/audit", &vera)
        .is_problem(403, "wrong-role");
    let forget = json!({"ids": ["x"]});
    server
        .post_json("/api/v1/forget", &vera, &forget)
        .is_problem(403, "wrong-role");
    server
        .post("/api/v1/documents/bulk", &vera, b"")
        .is_problem(403, "wrong-role");
    server
        .post("/api/v1/check", &vera, b"")
        .is_problem(403, "wrong-role");
    server
        .post("/api/v1/documents?id=a", &sam, text(1, 100).as_bytes())
        .ok();
    server
        .post("/api/v1/verifications", &sam, text(1, 100).as_bytes())
        .ok();
    // Nothing about the registry as a whole for those who submit.
    let status = server.get("/api/v1/status", &sam).ok();
    assert!(status["registry"].get("documents").is_none());
    assert_eq!(
        server.get("/api/v1/status", &vera).ok()["registry"]["documents"],
        1
    );
    assert!(server.get("/api/v1/status", &anna).ok()["registry"]["bytes"].is_u64());
}

#[test]
fn tokens() {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None)
        .account("sam", Role::Submit, None);
    let (annas, sams) = (setup.token("anna"), setup.token("sam"));
    let data = setup.config.data.clone();
    let server = setup.start();
    let [anna, sam] = [&annas, &sams].map(|token| Who::token(token));
    // Programs need no secret of forms: no other site can send their token.
    server
        .post("/api/v1/documents?id=a", &sam, text(1, 100).as_bytes())
        .ok();
    server
        .get("/api/v1/audit", &sam)
        .is_problem(403, "wrong-role");
    server.get("/api/v1/audit", &anna).ok();
    for wrong in [
        "",
        "x",
        "cento_",
        &annas[..annas.len() - 1],
        &format!("{annas}a"),
    ] {
        server
            .get("/api/v1/status", &Who::token(wrong))
            .is_problem(401, "not-logged-in");
    }
    let basic = Who::Token(format!("Basic {annas}"));
    server
        .get("/api/v1/status", &basic)
        .is_problem(401, "not-logged-in");
    // Only hashes are kept, of tokens, sessions and passwords.
    server.log_in("anna");
    let mut bytes = std::fs::read(data.join("server.sqlite")).unwrap();
    bytes.extend(std::fs::read(data.join("server.sqlite-wal")).unwrap_or_default());
    for secret in [&annas, &sams, &password("anna")] {
        let has = bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes());
        assert!(!has, "a secret is in the database");
    }
    let accounts = Accounts::open(&data).unwrap();
    assert_eq!(accounts.revoke("sam", "test").unwrap(), 1);
    server
        .get("/api/v1/status", &sam)
        .is_problem(401, "not-logged-in");
    accounts.remove("anna").unwrap();
    server
        .get("/api/v1/status", &anna)
        .is_problem(401, "not-logged-in");
    assert!(accounts.remove("anna").is_err() && accounts.new_token("anna", "x").is_err());
}

#[test]
fn guessing_is_slow() {
    let server = Setup::new()
        .account("anna", Role::Admin, None)
        .change(|config| {
            config.limits.logins = 3;
            config.limits.requests = 20;
        })
        .start();
    let wrong = json!({"name": "Anna", "password": "wrong password"});
    let statuses: Vec<u16> = (0..5)
        .map(|_| {
            server
                .post_json("/api/v1/session", &Who::Nobody, &wrong)
                .status
        })
        .collect();
    assert_eq!(statuses, [401, 401, 401, 429, 429]);
    let limited = server.post_json("/api/v1/session", &Who::Nobody, &wrong);
    limited.is_problem(429, "too-many");
    assert!(limited.headers["retry-after"].parse::<u64>().unwrap() >= 1);
    let guesses: Vec<u16> = (0..30)
        .map(|n| {
            server
                .get("/api/v1/status", &Who::token(&format!("cento_{n}")))
                .status
        })
        .collect();
    assert!(guesses.contains(&429), "{guesses:?}");
}

#[test]
fn accounts_limited_to_sets() {
    let setup = Setup::new()
        .registry(Retention::Text)
        .account("anna", Role::Admin, None)
        .account("vera", Role::Verify, Some(&["physics"]))
        .account("paul", Role::Admin, Some(&["physics"]));
    let [anna, vera, paul] = ["anna", "vera", "paul"].map(|name| Who::token(&setup.token(name)));
    let server = setup.start();
    // Letters of another script would be remarked on.
    let (hidden, open) = (text(1, 400).replace('o', "\u{43e}"), text(2, 400));
    let add = |path: &str, who: &Who, text: &str| server.post(path, who, text.as_bytes());
    let secret =
        "/api/v1/documents?id=secret-name&set=medicine&submitter=dora&label=Secret%20title";
    add(secret, &anna, &hidden).ok();
    add("/api/v1/documents?id=open-name&set=physics", &anna, &open).ok();

    // Their own set only, also as what they register.
    add(
        "/api/v1/documents?id=new&set=medicine",
        &vera,
        &text(3, 100),
    )
    .is_problem(403, "wrong-role");
    add("/api/v1/documents?id=new", &vera, &text(3, 100)).ok();
    add("/api/v1/documents?id=secret-name", &vera, &text(4, 100)).is_problem(409, "conflict");
    let listed = server.get("/api/v1/documents", &vera).ok();
    let ids: Vec<&str> = listed["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|document| document["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["new", "open-name"]);
    let others = server.get("/api/v1/documents?set=medicine", &vera).ok();
    assert_eq!(others["documents"].as_array().unwrap().len(), 0);

    // Hits outside show how much, the set and a number, and nothing else.
    let both = format!("{hidden}\n{open}");
    let answer = add("/api/v1/verifications?name=both.txt", &vera, &both);
    let report = answer.ok();
    assert_eq!(report["pairs"].as_array().unwrap().len(), 2);
    let shown = answer.text();
    for secret in ["secret-name", "Secret title", "dora"] {
        assert!(!shown.contains(secret), "{secret} is shown");
    }
    assert!(shown.contains("open-name") && shown.contains("medicine"));
    let veiled = |value: &&serde_json::Value| value["right"].as_str().unwrap() == "registry:1";
    let pair = report["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .find(veiled)
        .unwrap();
    assert!(pair["containment"][0].as_f64().unwrap() > 0.4);
    assert!(pair.get("passages").is_none() && pair.get("longest").is_none());
    assert_eq!(pair["registry"]["shared"], json!([[], []]));
    // How much is shared is the number that everybody is told.
    let whole = add("/api/v1/verifications?name=both.txt", &anna, &both).ok();
    let of_anna = whole["pairs"].as_array().unwrap().iter();
    let mut of_anna = of_anna.filter(|pair| pair["right"] == json!("registry:secret-name"));
    assert_eq!(pair["share"], of_anna.next().unwrap()["share"]);
    assert_eq!(
        (&pair["estimate"], pair.get("counted")),
        (&json!(false), None)
    );
    let documents = report["documents"].as_array().unwrap();
    let veiled = documents
        .iter()
        .find(|document| document["id"] == json!("registry:1"));
    for field in ["disguised", "disguises", "text", "ignored"] {
        assert!(veiled.unwrap().get(field).is_none(), "{field}");
    }
    // The page, too.
    let job = server.job(&vera, &Form::of("verify").file("both.txt", both.as_bytes()));
    let id = job["id"].as_str().unwrap();
    let page = server
        .get(&format!("/api/v1/jobs/{id}/report.html"), &vera)
        .text();
    let data = server
        .get(&format!("/api/v1/jobs/{id}/report.json"), &vera)
        .text();
    assert!(!page.contains("secret-name") && !data.contains("secret-name"));
    assert!(!data.contains("Secret title") && !data.contains("dora"));

    // An administrator of a set forgets within it.
    let forget = |what: serde_json::Value| server.post_json("/api/v1/forget", &paul, &what);
    forget(json!({"ids": ["secret-name"]})).is_problem(403, "wrong-role");
    forget(json!({"sets": ["medicine"]})).is_problem(403, "wrong-role");
    forget(json!({"submitters": ["dora"]})).is_problem(403, "wrong-role");
    assert_eq!(forget(json!({"ids": ["open-name"]})).ok()["forgotten"], 1);
}

#[test]
fn whose_an_id_or_a_text_is_only_those_hear_who_may_see_it() {
    let setup = Setup::new()
        .registry(Retention::Digests)
        .account("anna", Role::Admin, None)
        .account("vera", Role::Verify, Some(&["physics"]))
        .account("sam", Role::Submit, None);
    let [anna, vera, sam] = ["anna", "vera", "sam"].map(|name| Who::token(&setup.token(name)));
    let server = setup.start();
    let essay = text(1, 400);
    let add = |path: &str, who: &Who, text: &str| {
        server.post(&format!("/api/v1/documents?{path}"), who, text.as_bytes())
    };
    add("id=dora/t.txt&set=medicine&submitter=dora", &anna, &essay).ok();
    add("id=open&set=physics&submitter=dora", &anna, &text(2, 400)).ok();

    // Whose an id is. Those who may only submit are not told: their names are their own, and so is what
    // they register, whatever they say.
    let own = add("id=dora/t.txt&submitter=dora", &sam, &text(30, 400));
    assert_eq!(own.ok()["id"], "sam/dora/t.txt");
    let listed = server
        .get("/api/v1/documents?search=sam/dora/t.txt", &anna)
        .ok();
    assert_eq!(listed["documents"][0]["submitter"], "sam");
    let form = Form::of("register").field("submitter", "dora");
    let job = server.job(&sam, &form.file("job.txt", text(31, 400).as_bytes()));
    assert_eq!(job["submitter"], "sam");
    let refused = add("id=open", &vera, &text(3, 400));
    refused.is_problem(409, "conflict");
    assert!(
        refused.text().contains("submitter dora"),
        "{}",
        refused.text()
    );

    // Whose a text is: a number for those who would see one in a report, and nothing for those who
    // have to ask for it.
    assert_eq!(
        add("id=v", &vera, &essay).ok()["same_text_as"],
        "registry:1"
    );
    assert!(add("id=s", &sam, &essay).ok().get("same_text_as").is_none());
    let own = add("id=s1", &sam, &text(5, 400)).ok();
    assert!(own.get("same_text_as").is_none());
    assert_eq!(
        add("id=s2", &sam, &text(5, 400)).ok()["same_text_as"],
        "sam/s1"
    );

    // Nobody who submits only can say that the document of another is their own.
    let verify = |query: &str, who: &Who, text: &str| {
        let path = format!("/api/v1/verifications?{query}");
        server.post(&path, who, text.as_bytes())
    };
    let answer = verify("name=t.txt&submitter=dora", &sam, &essay);
    let report = answer.ok();
    let hits: Vec<&str> = report["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| pair["right"].as_str().unwrap())
        .collect();
    assert!(hits.contains(&"registry:1"), "{hits:?}");
    assert!(report["documents"][0]["verified"].get("own").is_none());
    assert!(!answer.text().contains("dora/t.txt"), "{}", answer.text());
    // What is their own they see, in bands.
    let draft = text(6, 400);
    add("id=sam/draft.txt", &sam, &draft).ok();
    let longer = format!("{draft} {}", text(7, 100));
    let report = verify("name=draft.txt&submitter=sam", &sam, &longer).ok();
    let own = &report["documents"][0]["verified"]["own"][0];
    assert_eq!(
        (&own["id"], &own["containment"]),
        (&json!("sam/draft.txt"), &json!(0.75))
    );
    let notes = report["notes"].to_string();
    assert!(notes.contains("has 75 % of it"), "{notes}");

    // A version in a set of others is a number, a set and a share.
    add(
        "id=physics/dora/x&set=medicine&submitter=dora",
        &anna,
        &text(8, 400),
    )
    .ok();
    let answer = verify("name=x&submitter=dora", &vera, &text(8, 400));
    let own = &answer.ok()["documents"][0]["verified"]["own"][0];
    assert!(
        own["id"].as_str().unwrap().starts_with("registry:"),
        "{own}"
    );
    assert_eq!(
        (&own["set"], &own["registered"]),
        (&json!("medicine"), &json!(""))
    );
    assert!(!answer.text().contains("physics/dora"), "{}", answer.text());
}

#[test]
fn who_did_what() {
    let server = server();
    let anna = server.log_in("anna");
    server
        .post(
            "/api/v1/documents?id=a&set=s",
            &anna,
            text(1, 100).as_bytes(),
        )
        .ok();
    server
        .post(
            "/api/v1/verifications?name=b.txt",
            &anna,
            text(1, 100).as_bytes(),
        )
        .ok();
    server
        .post_json("/api/v1/forget", &anna, &json!({"ids": ["a"]}))
        .ok();
    let log = server.get("/api/v1/audit", &anna).ok();
    let entries = log["entries"].as_array().unwrap();
    let actions: Vec<&str> = entries
        .iter()
        .map(|entry| entry["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["forgot", "verified", "registered", "logged-in"]);
    assert!(entries.iter().all(|entry| entry["account"] == "anna"));
    assert_eq!(entries[2]["detail"], json!({"ids": ["a"], "set": "s"}));
    assert_eq!(entries[1]["detail"]["hits"], 1);
    let first = entries[3]["number"].as_u64().unwrap();
    let page = server
        .get(
            &format!("/api/v1/audit?before={}&limit=1", first + 1),
            &anna,
        )
        .ok();
    assert_eq!(page["entries"][0]["action"], "logged-in");
}
