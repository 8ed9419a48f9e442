//! Verifying, registering, browsing, forgetting, and looking after the registry.

use serde_json::json;

use super::{Operation, a_document, data, object, query, reference, required, text};

/// What is asked of the registry.
pub(super) fn operations() -> Vec<Operation> {
    let mut all = verifying();
    all.extend(registering());
    all.extend(browsing());
    all
}

fn verifying() -> Vec<Operation> {
    let share = json!({"type": "number", "minimum": 0, "maximum": 1});
    vec![Operation {
        path: "/verifications",
        method: "post",
        id: "verify",
        summary: "Says what a document shares with registered ones, in the answer itself. With the \
                  role submit, shares come in bands, registered documents as numbers, and a text \
                  can be verified only a few times a week.",
        role: Some("submit"),
        parameters: vec![
            query("name", "The name of the document", &text()),
            query("set", "The set that it belongs to", &text()),
            query(
                "submitter",
                "Who submitted it: registered versions with the same id and submitter do not count \
                 and are listed apart, in documents[].verified.own",
                &text(),
            ),
            query(
                "threshold",
                "The lowest score to list; 0.1 by default",
                &share,
            ),
            query(
                "top",
                "How many documents to list; 100 by default",
                &json!({"type": "integer", "minimum": 0, "maximum": 100_000}),
            ),
        ],
        body: a_document(),
        answers: vec![(
            "200",
            "The report, cento.report/1",
            data(&reference("Report")),
        )],
    }]
}

fn registering() -> Vec<Operation> {
    let fields = |name: &str| match name {
        "id" => "Its id; no other document has it",
        "label" => "What people call it",
        "set" => "The set that it belongs to",
        "submitter" => "Who submitted it; the account by default, and always for the role submit",
        "date" => "When it was made",
        _ => "",
    };
    let field = |name: &str| query(name, fields(name), &text());
    vec![
        Operation {
            path: "/documents",
            method: "post",
            id: "register",
            summary: "Registers a document. Once this has answered, no crash can undo it, and the \
                      next verification finds it. An id that another submitter has registered is \
                      refused. For the role submit, the set and the account stand before every id.",
            role: Some("submit"),
            parameters: vec![
                required(query(
                    "id",
                    fields("id"),
                    &json!({"type": "string", "minLength": 1}),
                )),
                field("label"),
                field("set"),
                field("submitter"),
                field("date"),
                query(
                    "expires",
                    "When it stops counting: 2030-12-31T00:00:00Z",
                    &json!({"type": "string", "format": "date-time"}),
                ),
                query(
                    "on_change",
                    "What to do if the id is registered with another text; version by default",
                    &json!({"enum": ["version", "refuse"]}),
                ),
            ],
            body: a_document(),
            answers: vec![
                (
                    "201",
                    "It is registered; same_text_as names another document with the same text, \
                     if there is one that you may see",
                    data(&object(&["id", "registered", "version"])),
                ),
                (
                    "200",
                    "It was registered already",
                    data(&object(&["id", "registered"])),
                ),
            ],
        },
        Operation {
            path: "/documents/bulk",
            method: "post",
            id: "import",
            summary: "Registers many documents, as fast as the disk allows; the sender may have to \
                      wait.",
            role: Some("admin"),
            parameters: Vec::new(),
            body: Some(json!({
                "description": "One JSON object per line, with id and text, and with label, set, \
                    submitter, date and expires where they are known.",
                "required": true,
                "content": {"application/octet-stream": {"schema": {
                    "type": "string", "format": "binary",
                }}},
            })),
            answers: vec![(
                "200",
                "What became of them: cento.register/1; documents lists only those whose text is \
                 registered under another id",
                data(&object(&[
                    "schema",
                    "registered",
                    "new",
                    "versions",
                    "unchanged",
                    "pairs",
                    "documents",
                    "skipped",
                ])),
            )],
        },
    ]
}

fn browsing() -> Vec<Operation> {
    vec![
        Operation {
            path: "/documents",
            method: "get",
            id: "browse",
            summary: "Registered documents by id, as far as you may see them.",
            role: Some("verify"),
            parameters: vec![
                query("after", "Only documents after this id", &text()),
                query(
                    "limit",
                    "How many",
                    &json!({"type": "integer", "minimum": 1, "maximum": 500}),
                ),
                query("set", "Only documents of this set", &text()),
                query(
                    "search",
                    "Part of an id, label or submitter, or a number",
                    &text(),
                ),
            ],
            body: None,
            answers: vec![(
                "200",
                "Some documents, and the id to continue after",
                data(&object(&["documents", "next"])),
            )],
        },
        Operation {
            path: "/forget",
            method: "post",
            id: "forget",
            summary: "Forgets documents. Once this has answered, no verification finds them.",
            role: Some("admin"),
            parameters: Vec::new(),
            body: Some(json!({
                "required": true,
                "content": {"application/json": {"schema": {
                    "type": "object",
                    "additionalProperties": false,
                    "properties": {
                        "ids": {"type": "array", "items": text()},
                        "sets": {"type": "array", "items": text()},
                        "submitters": {"type": "array", "items": text()},
                        "expired": {"type": "boolean"},
                    },
                }}},
            })),
            answers: vec![(
                "200",
                "How many were forgotten",
                data(&object(&["forgotten"])),
            )],
        },
    ]
}

/// Checks and backups.
pub(super) fn looking_after() -> Vec<Operation> {
    vec![
        Operation {
            path: "/check",
            method: "post",
            id: "check",
            summary: "Checks every checksum and every cross-reference of the registry, in the \
                      background; the status says what it found.",
            role: Some("admin"),
            parameters: Vec::new(),
            body: None,
            answers: vec![("202", "It has started", data(&object(&["under_way"])))],
        },
        Operation {
            path: "/backup",
            method: "post",
            id: "backup",
            summary: "Brings the copy of the registry up to date, in the background, on a server \
                      that makes backups; the status says how it went.",
            role: Some("admin"),
            parameters: Vec::new(),
            body: None,
            answers: vec![("202", "It has started", data(&object(&["under_way"])))],
        },
    ]
}
