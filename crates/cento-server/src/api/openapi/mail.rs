//! What the API says about mail.

use serde_json::{Value, json};

use super::{Operation, data, object, query, required, text};

/// Everything about mail, in the order in which people read about it.
pub(super) fn operations() -> Vec<Operation> {
    let name = || query("name", "What the message is called", &text());
    vec![
        Operation {
            path: "/mail/checks",
            method: "post",
            id: "check-message",
            summary: "Says how often a message, or one nearly the same, was seen in the last hour, day and \
                      week, and counts it.",
            role: Some("verify"),
            parameters: vec![
                name(),
                query(
                    "look",
                    "Ask without counting",
                    &json!({"type": "boolean", "default": false}),
                ),
                query(
                    "bulk_from",
                    "A message is bulk that was seen so often in a day; 10 by default",
                    &json!({"type": "integer", "minimum": 0, "maximum": 1_000_000_000}),
                ),
            ],
            body: a_message(),
            answers: vec![("200", "What is known about it", data(&checked()))],
        },
        Operation {
            path: "/mail/marks",
            method: "post",
            id: "mark-message",
            summary: "Says what messages like this one are: bulk, wanted and never counted, or neither.",
            role: Some("verify"),
            parameters: vec![
                required(query(
                    "mark",
                    "What they are",
                    &json!({"enum": ["bulk", "wanted", "none"]}),
                )),
                name(),
            ],
            body: a_message(),
            answers: vec![("200", "What is known about it now", data(&checked()))],
        },
        Operation {
            path: "/mail/stats",
            method: "get",
            id: "mail-stats",
            summary: "Says how many messages are remembered, since when, and in how much memory.",
            role: Some("verify"),
            parameters: Vec::new(),
            body: None,
            answers: vec![(
                "200",
                "What is in the store",
                data(&object(&[
                    "families", "counted", "expired", "evicted", "since", "memory", "disk",
                ])),
            )],
        },
    ]
}

#[expect(clippy::unnecessary_wraps, reason = "some requests have no body")]
fn a_message() -> Option<Value> {
    let bytes = json!({"schema": {"type": "string", "format": "binary"}});
    Some(json!({
        "description": "The message as it came, with its header.",
        "required": true,
        "content": {"application/octet-stream": bytes, "message/rfc822": bytes},
    }))
}

fn checked() -> Value {
    let count = json!({"type": "integer"});
    json!({
        "type": "object",
        "required": ["file", "nearest", "seen", "verdict"],
        "properties": {
            "file": {"type": "string"},
            "nearest": {
                "type": ["object", "null"],
                "properties": {
                    "family": count, "similarity": {"type": "number"}, "shared": count,
                },
            },
            "seen": {
                "type": ["object", "null"],
                "description": "Before this message; null if it is too short to say, or wanted.",
                "properties": {"hour": count, "day": count, "week": count},
            },
            "verdict": {"enum": ["new", "seen", "bulk", "wanted", "short"]},
            "since": {"type": "string"},
        },
    })
}
