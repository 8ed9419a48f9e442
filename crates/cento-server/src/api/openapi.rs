//! The description of the API for programs (`OpenAPI` 3.1); the page that shows it to people reads
//! the same.

mod accounts;
mod jobs;
mod mail;
mod registry;
mod server;
mod work;

use axum::Json;
use serde_json::{Map, Value, json};

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
    let mut all = registry::operations();
    all.extend(jobs::operations());
    all.extend(work::operations());
    all.extend(server::operations());
    all.extend(registry::looking_after());
    all.extend(mail::operations());
    all.extend(accounts::operations());
    all
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
