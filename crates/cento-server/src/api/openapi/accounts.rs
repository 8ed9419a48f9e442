//! What the API says about passwords and accounts.

use serde_json::{Value, json};

use super::{Operation, data, object, text};

/// Everything about accounts, in the order in which people read about it.
pub(super) fn operations() -> Vec<Operation> {
    let mut all = own();
    all.extend(of_others());
    all
}

fn own() -> Vec<Operation> {
    vec![
        Operation {
            path: "/password",
            method: "post",
            id: "change-password",
            summary: "Changes your own password and ends all other logins of yours. Tokens stay \
                      valid.",
            role: Some("submit"),
            parameters: Vec::new(),
            body: body(&["old", "new"], &json!({"old": text(), "new": password()})),
            answers: vec![("200", "It is changed", data(&object(&["ended_sessions"])))],
        },
        Operation {
            path: "/sessions",
            method: "delete",
            id: "end-own-sessions",
            summary: "Ends all other logins of yours. Tokens stay valid.",
            role: Some("submit"),
            parameters: Vec::new(),
            body: None,
            answers: vec![("200", "They are over", data(&object(&["ended_sessions"])))],
        },
    ]
}

fn of_others() -> Vec<Operation> {
    let account = object(&["name", "role", "sets"]);
    let fields = json!({
        "name": {"type": "string", "minLength": 1, "maxLength": 64},
        "role": role(), "sets": sets(), "password": password(),
    });
    let changes = json!({"role": role(), "sets": sets(), "disabled": {"type": "boolean"}});
    vec![
        Operation {
            path: "/accounts",
            method: "get",
            id: "accounts",
            summary: "Who may log in.",
            role: Some("admin"),
            parameters: Vec::new(),
            body: None,
            answers: vec![("200", "The answer", data(&object(&["accounts"])))],
        },
        Operation {
            path: "/accounts",
            method: "post",
            id: "add-account",
            summary: "Lets somebody log in. Without a password one is made up; the answer is the \
                      only place that has it. This and all changes below need an administrator who \
                      is not limited to sets.",
            role: Some("admin"),
            parameters: Vec::new(),
            body: body(&["name", "role"], &fields),
            answers: vec![("201", "The account", data(&account))],
        },
        Operation {
            path: "/accounts/{name}",
            method: "patch",
            id: "change-account",
            summary: "Changes the role or the sets of an account (null: all sets), or disables it: \
                      its logins end, and neither password nor tokens work until it is enabled \
                      again. Not your own account, nor the last that administers everything.",
            role: Some("admin"),
            parameters: vec![name()],
            body: body(&[], &changes),
            answers: vec![("200", "The account", data(&account))],
        },
        Operation {
            path: "/accounts/{name}",
            method: "delete",
            id: "remove-account",
            summary: "Removes an account with its logins and tokens. Not your own account, nor the \
                      last that administers everything.",
            role: Some("admin"),
            parameters: vec![name()],
            body: None,
            answers: vec![("204", "It is gone", None)],
        },
        Operation {
            path: "/accounts/{name}/password",
            method: "post",
            id: "reset-password",
            summary: "Gives an account another password and ends its logins. Without a password one \
                      is made up; the answer is the only place that has it. Tokens stay valid.",
            role: Some("admin"),
            parameters: vec![name()],
            body: body(&[], &json!({"password": password()})),
            answers: vec![("200", "It is changed", data(&object(&["name", "password"])))],
        },
        Operation {
            path: "/accounts/{name}/sessions",
            method: "delete",
            id: "end-sessions",
            summary: "Ends all logins of an account, but for the one that asks.",
            role: Some("admin"),
            parameters: vec![name()],
            body: None,
            answers: vec![("200", "They are over", data(&object(&["ended_sessions"])))],
        },
        Operation {
            path: "/accounts/{name}/tokens",
            method: "delete",
            id: "revoke-tokens",
            summary: "Takes all tokens of an account back.",
            role: Some("admin"),
            parameters: vec![name()],
            body: None,
            answers: vec![(
                "200",
                "They are invalid",
                data(&object(&["revoked_tokens"])),
            )],
        },
    ]
}

#[expect(clippy::unnecessary_wraps, reason = "some requests have no body")]
fn body(required: &[&str], properties: &Value) -> Option<Value> {
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties,
    });
    Some(json!({"required": true, "content": {"application/json": {"schema": schema}}}))
}

fn name() -> Value {
    json!({
        "name": "name", "in": "path", "required": true, "description": "The name of an account",
        "schema": {"type": "string", "minLength": 1},
    })
}

fn role() -> Value {
    json!({"enum": ["submit", "verify", "admin"]})
}

fn sets() -> Value {
    json!({
        "type": ["array", "null"],
        "minItems": 1,
        "items": {"type": "string", "minLength": 1},
        "description": "The sets that it is limited to; null for all",
    })
}

fn password() -> Value {
    json!({"type": "string", "minLength": 10})
}
