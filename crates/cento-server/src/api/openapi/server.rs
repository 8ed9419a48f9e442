//! The server itself: its state, its log, and who is logged in.

use serde_json::{Value, json};

use super::{Operation, data, object, query, text};

pub(super) fn operations() -> Vec<Operation> {
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
