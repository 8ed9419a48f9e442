//! The description of the API for programs (`OpenAPI` 3.1); the page that shows it to people reads
//! the same.

mod accounts;
mod mail;
mod work;

use axum::Json;
use serde_json::{Map, Value, json};

use crate::jobs::Method;
use crate::problem::Kind;

/// `GET /openapi.json`.
pub(crate) async fn document() -> Json<Value> {
    Json(description())
}

/// The whole description.
pub(super) fn description() -> Value {
    let mut paths = Map::new();
    for operation in operations() {
        let path = paths
            .entry(format!("/api/v1{}", operation.path))
            .or_insert_with(|| json!({}));
        let method = operation.method;
        path[method] = operation.value();
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Cento",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Pairwise tests, verification and registration. Programs send a token; \
                errors are application/problem+json (RFC 9457).",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
            },
            "schemas": {
                "Problem": {
                    "type": "object",
                    "required": ["type", "title", "status", "detail"],
                    "properties": {
                        "type": problem_types(),
                        "title": {"type": "string"},
                        "status": {"type": "integer"},
                        "detail": {"type": "string"},
                    },
                },
                "Job": {
                    "type": "object",
                    "required": ["id", "name", "kind", "state", "owner", "created", "expires", "files", "bytes"],
                    "properties": {
                        "id": {"type": "string"},
                        "name": {"type": "string"},
                        "kind": {"enum": ["pairwise", "verify", "register"]},
                        "state": {"enum": ["uploading", "asking", "waiting", "running", "done", "failed",
                            "cancelled", "expired"]},
                        "owner": {"type": "string"},
                        "created": {"type": "string"},
                        "expires": {"type": "string"},
                        "files": {"type": "integer"},
                        "bytes": {"type": "integer"},
                        "progress": {"type": ["object", "null"]},
                        "message": {"type": "string"},
                        "summary": {"type": "string"},
                        "submitter_from": {"type": ["string", "null"]},
                        "decisions": {"type": "integer"},
                        "skipped_documents": {"type": "array"},
                    },
                },
                "Report": {
                    "type": "object",
                    "required": ["schema", "documents", "pairs", "skipped", "notes"],
                    "properties": {
                        "schema": {"const": "cento.report/1"},
                        "documents": {"type": "array"},
                        "pairs": {"type": "array"},
                        "skipped": {"type": "array"},
                        "notes": {"type": "array"},
                    },
                },
            },
        },
    })
}

/// The names of all problems, with what each of them means.
fn problem_types() -> Value {
    let address = |kind: Kind| format!("urn:cento:problem:{}", kind.name());
    let all = Kind::ALL;
    let meaning = |kind: Kind| {
        let (name, status) = (kind.name(), kind.status().as_u16());
        format!("{name} ({status}): {}.", kind.meaning())
    };
    json!({
        "enum": all.map(address),
        "description": all.map(meaning).join("\n"),
    })
}

/// One method at one address.
struct Operation {
    path: &'static str,
    method: &'static str,
    id: &'static str,
    summary: &'static str,
    /// The least role that it takes; none if nobody has to log in.
    role: Option<&'static str>,
    parameters: Vec<Value>,
    body: Option<Value>,
    answers: Vec<(&'static str, &'static str, Option<Value>)>,
}

impl Operation {
    fn value(self) -> Value {
        let mut responses = Map::new();
        for (status, description, content) in self.answers {
            let mut answer = json!({"description": description});
            if let Some(content) = content {
                answer["content"] = content;
            }
            responses.insert(status.to_owned(), answer);
        }
        responses.insert(
            "default".to_owned(),
            json!({
                "description": "An error",
                "content": {"application/problem+json": {"schema": reference("Problem")}},
            }),
        );
        let mut value = json!({
            "operationId": self.id,
            "summary": self.summary,
            "parameters": self.parameters,
            "responses": responses,
        });
        if let Some(body) = self.body {
            value["requestBody"] = body;
        }
        if let Some(role) = self.role {
            value["x-role"] = json!(role);
            value["security"] = json!([{"token": []}]);
        }
        value
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

#[expect(clippy::unnecessary_wraps, reason = "some answers have no content")]
fn data(schema: &Value) -> Option<Value> {
    Some(json!({"application/json": {"schema": schema}}))
}

fn object(required: &[&str]) -> Value {
    json!({"type": "object", "required": required})
}

fn query(name: &str, description: &str, schema: &Value) -> Value {
    json!({"name": name, "in": "query", "description": description, "schema": schema})
}

fn required(mut parameter: Value) -> Value {
    parameter["required"] = json!(true);
    parameter
}

fn job_id() -> Value {
    json!({
        "name": "id", "in": "path", "required": true, "description": "The id of a job",
        "schema": {"type": "string", "minLength": 1},
    })
}

fn text() -> Value {
    json!({"type": "string"})
}

/// The body that is a document.
#[expect(clippy::unnecessary_wraps, reason = "some requests have no body")]
fn a_document() -> Option<Value> {
    let bytes = json!({"schema": {"type": "string", "format": "binary"}});
    Some(json!({
        "description": "The document, in any format that Cento reads.",
        "required": true,
        "content": {"application/octet-stream": bytes},
    }))
}

/// Everything that the API answers, in the order in which people read about it.
fn operations() -> Vec<Operation> {
    let mut all = verifying();
    all.extend(registering());
    all.extend(browsing());
    all.extend(jobs());
    all.extend(results());
    all.extend(work::operations());
    all.extend(watching());
    all.extend(looking_after());
    all.extend(mail::operations());
    all.extend(accounts::operations());
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

fn jobs() -> Vec<Operation> {
    let recipes: Vec<&str> = Method::recipes().map(|preset| &*preset.name).collect();
    vec![
        Operation {
            path: "/jobs",
            method: "post",
            id: "order",
            summary: "Starts a job: sends files to test, to verify or to register.",
            role: Some("submit"),
            parameters: Vec::new(),
            body: Some(json!({
                "description": "A form with kind, the files and, where they apply, name, \
                    threshold, set, submitter, submitter_from, preview, base_from, recipe, measure, aligner, top_documents, graph_scale and \
                    templates; the name of a file may be a path.",
                "required": true,
                "content": {"multipart/form-data": {"schema": {
                    "type": "object",
                    "required": ["kind", "file"],
                    "additionalProperties": false,
                    "properties": {
                        "kind": {"enum": ["pairwise", "verify", "register"]},
                        "threshold": {"type": "number", "minimum": 0, "maximum": 1},
                        "set": text(),
                        "submitter": text(),
                        "name": {"type": "string", "maxLength": 200, "description": "What the job is \
                            called; after its files without one"},
                        "submitter_from": {"type": "string", "description": "Gives each document a \
                            submitter of its own: layout for the names of a Moodle or Canvas export or \
                            of folders, or a pattern such as {submitter}_*. submitter is then that of \
                            documents that nothing says anything about; without it they are skipped"},
                        "preview": {"enum": ["yes", "no"], "description": "With submitter_from: the \
                            job waits in the state asking until it is started"},
                        "base_from": {"enum": ["common"], "description": "Leaves out what more than a \
                            tenth of the documents have, and at least five"},
                        "recipe": {"enum": recipes, "description": "Of pairwise tests"},
                        "measure": {"type": "string", "description": "Of pairwise tests; symmetric \
                            for one. Without it, that of the recipe's paper"},
                        "aligner": {"type": "string", "description": "Of pairwise tests; maximal for \
                            one"},
                        "top_documents": {"type": "integer", "minimum": 2, "description": "Of pairwise \
                            tests: only the pairs of so many documents, the most similar, are listed \
                            and aligned"},
                        "graph_scale": {"type": "number", "minimum": 1, "maximum": 100_000,
                            "description": "Of pairwise tests: the constant b of the graph's distances, \
                                -b log(similarity); 100 by default"},
                        "file": {"type": "array", "items": {"type": "string", "format": "binary"}},
                        "template": {"type": "array", "items": {"type": "string", "format": "binary"}},
                    },
                }}},
            })),
            answers: vec![("202", "The job, which has started", data(&reference("Job")))],
        },
        Operation {
            path: "/jobs",
            method: "get",
            id: "jobs",
            summary: "Your latest jobs.",
            role: Some("submit"),
            parameters: Vec::new(),
            body: None,
            answers: vec![("200", "The jobs", data(&object(&["jobs"])))],
        },
        Operation {
            path: "/jobs/{id}",
            method: "get",
            id: "job",
            summary: "The state and progress of a job.",
            role: Some("submit"),
            parameters: vec![job_id()],
            body: None,
            answers: vec![("200", "The job", data(&reference("Job")))],
        },
        Operation {
            path: "/jobs/{id}/events",
            method: "get",
            id: "events",
            summary: "The progress of a job as it runs: server-sent events named progress and, last, end.",
            role: Some("submit"),
            parameters: vec![job_id()],
            body: None,
            answers: vec![("200", "The events", Some(json!({"text/event-stream": {}})))],
        },
        Operation {
            path: "/jobs/{id}",
            method: "delete",
            id: "cancel",
            summary: "Cancels a job, or removes its result; nothing of it is kept.",
            role: Some("submit"),
            parameters: vec![job_id()],
            body: None,
            answers: vec![
                ("204", "It is gone", None),
                ("202", "It will be gone soon", None),
            ],
        },
    ]
}

fn results() -> Vec<Operation> {
    let result = |path, id, summary, kind: &str, schema: Value| Operation {
        path,
        method: "get",
        id,
        summary,
        role: Some("submit"),
        parameters: vec![job_id()],
        body: None,
        answers: vec![("200", "The result", Some(json!({kind: {"schema": schema}})))],
    };
    vec![
        result(
            "/jobs/{id}/report.json",
            "report",
            "The result as data.",
            "application/json",
            json!({"type": "object"}),
        ),
        result(
            "/jobs/{id}/report.csv",
            "table",
            "The pairs as a table.",
            "text/csv",
            text(),
        ),
        result(
            "/jobs/{id}/report.html",
            "page",
            "The page that shows the result.",
            "text/html",
            text(),
        ),
    ]
}

fn watching() -> Vec<Operation> {
    let plain = |path, id, summary, role, schema: Value| Operation {
        path,
        method: "get",
        id,
        summary,
        role,
        parameters: Vec::new(),
        body: None,
        answers: vec![("200", "The answer", data(&schema))],
    };
    let mut audit = plain(
        "/audit",
        "audit",
        "Who did what, latest first.",
        Some("admin"),
        object(&["entries"]),
    );
    audit.parameters = vec![
        query(
            "before",
            "Entries before this number",
            &json!({"type": "integer", "minimum": 0}),
        ),
        query(
            "limit",
            "How many",
            &json!({"type": "integer", "minimum": 1, "maximum": 1000}),
        ),
    ];
    vec![
        plain(
            "/status",
            "status",
            "How much is registered, how much text is held, and until when.",
            Some("submit"),
            object(&["version", "registry", "text_held", "jobs"]),
        ),
        audit,
        plain(
            "/session",
            "session",
            "Who you are, and what the pages need to know.",
            None,
            object(&["version", "accounts", "registry", "user"]),
        ),
        Operation {
            path: "/session",
            method: "post",
            id: "log-in",
            summary: "Logs a browser in; programs use a token.",
            role: None,
            parameters: Vec::new(),
            body: Some(json!({
                "required": true,
                "content": {"application/json": {"schema": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["name", "password"],
                    "properties": {"name": text(), "password": text()},
                }}},
            })),
            answers: vec![("200", "Who you are now", data(&object(&["name", "role"])))],
        },
        Operation {
            path: "/session",
            method: "delete",
            id: "log-out",
            summary: "Logs a browser out.",
            role: Some("submit"),
            parameters: Vec::new(),
            body: None,
            answers: vec![("204", "The session is over", None)],
        },
        plain(
            "/openapi.json",
            "description",
            "This description.",
            None,
            object(&["openapi", "paths"]),
        ),
    ]
}

fn looking_after() -> Vec<Operation> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_name_of_its_own() {
        let all = operations();
        let mut names: Vec<&str> = all.iter().map(|operation| operation.id).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
        assert_eq!(description()["paths"].as_object().unwrap().len(), 31);
    }
}
