//! What the API says about the work around a report, and about the first run.

use serde_json::{Value, json};

use super::{Operation, data, job_id, object, query, reference, text};

/// Whose documents are, what was decided about pairs, and the first run.
pub(super) fn operations() -> Vec<Operation> {
    let mut all = submitters();
    all.extend(decisions());
    all.extend(first_run());
    all
}

fn submitters() -> Vec<Operation> {
    let rule = json!({
        "type": "string",
        "description": "layout for the names of a Moodle or Canvas export or of folders, or a \
            pattern such as {submitter}_*",
    });
    vec![
        Operation {
            path: "/jobs/{id}/preview",
            method: "get",
            id: "preview",
            summary: "Whose the documents of a job would be that was ordered with preview=yes; nothing \
                      is registered yet.",
            role: Some("verify"),
            parameters: vec![
                job_id(),
                query(
                    "submitter_from",
                    "Another rule than that of the job",
                    &text(),
                ),
            ],
            body: None,
            answers: vec![(
                "200",
                "Each document with its submitter, or why it has none; skipped has what no document was \
                 found in, and why",
                data(&object(&[
                    "documents",
                    "submitters",
                    "unknown",
                    "skipped",
                    "notes",
                    "submitter_from",
                ])),
            )],
        },
        Operation {
            path: "/jobs/{id}/start",
            method: "post",
            id: "start",
            summary: "Lets a job go on that asks whose its documents are.",
            role: Some("verify"),
            parameters: vec![job_id()],
            body: body(&json!({
                "type": "object",
                "additionalProperties": false,
                "properties": {"submitter_from": rule},
            })),
            answers: vec![("202", "The job, which has started", data(&reference("Job")))],
        },
    ]
}

fn decisions() -> Vec<Operation> {
    let decision = json!({
        "type": "object",
        "required": ["left", "right", "state"],
        "properties": {
            "left": text(),
            "right": text(),
            "state": {
                "enum": ["reviewed", "find", "explained", ""],
                "description": "Empty to take the decision before back",
            },
            "note": {"type": "string", "maxLength": 4000},
        },
    });
    let work = || data(&object(&["schema", "pairs", "history"]));
    vec![
        Operation {
            path: "/jobs/{id}/decisions",
            method: "get",
            id: "decisions",
            summary: "What people have decided about the pairs of a report, with who and when \
                      (cento.work/1). history has what was decided before, oldest first.",
            role: Some("submit"),
            parameters: vec![job_id()],
            body: None,
            answers: vec![("200", "The decisions", work())],
        },
        Operation {
            path: "/jobs/{id}/decisions",
            method: "post",
            id: "decide",
            summary: "Says what pairs of a report are. The later decision counts, and those before it \
                      stay on record until the job is removed.",
            role: Some("verify"),
            parameters: vec![job_id()],
            body: body(&json!({
                "type": "object",
                "required": ["pairs"],
                "properties": {
                    "pairs": {"type": "array", "minItems": 1, "maxItems": 500, "items": decision},
                },
            })),
            answers: vec![("200", "All decisions that count now", work())],
        },
    ]
}

fn first_run() -> Vec<Operation> {
    vec![
        Operation {
            path: "/setup",
            method: "post",
            id: "set-up",
            summary: "Makes the first administrator, the registry and its key, for whoever opened the \
                      printed address; once.",
            role: Some("admin"),
            parameters: Vec::new(),
            body: body(&json!({
                "type": "object",
                "required": ["name", "password"],
                "additionalProperties": false,
                "properties": {
                    "name": text(),
                    "password": {"type": "string", "minLength": 10},
                    "retention": {"enum": ["digests", "text"]},
                },
            })),
            answers: vec![(
                "201",
                "Where the registry and its key are; the caller is logged in",
                data(&object(&["name", "registry", "key"])),
            )],
        },
        Operation {
            path: "/setup/key",
            method: "post",
            id: "copy-key",
            summary: "The key that the first run made, once, for the one who made it.",
            role: Some("admin"),
            parameters: Vec::new(),
            body: None,
            answers: vec![(
                "200",
                "The key, as its file has it",
                Some(json!({"text/plain": {"schema": text()}})),
            )],
        },
    ]
}

#[expect(clippy::unnecessary_wraps, reason = "some requests have no body")]
fn body(schema: &Value) -> Option<Value> {
    Some(json!({"required": true, "content": {"application/json": {"schema": schema}}}))
}
