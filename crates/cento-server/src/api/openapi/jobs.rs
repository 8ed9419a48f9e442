//! Jobs, and what they leave.

use serde_json::{Value, json};

use super::{Operation, data, job_id, object, reference, text};
use crate::jobs::Method;

pub(super) fn operations() -> Vec<Operation> {
    let mut all = jobs();
    all.extend(results());
    all
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
