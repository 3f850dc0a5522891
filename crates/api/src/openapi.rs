//! The questions as an OpenAPI description.

use crate::arguments::Param;
use crate::operations::{OPERATIONS, Operation};
use crate::schema;
use agon_report::VERSION;
use serde_json::{Map, Value as Json, json};

/// The addresses of all questions begin with this.
pub const BASE: &str = "/api/v1";

/// The OpenAPI description of all questions.
#[must_use]
pub fn openapi() -> Json {
    let mut paths: Map<String, Json> =
        OPERATIONS.iter().map(|operation| (format!("{BASE}/{}", operation.name), path(operation))).collect();
    let own = json!({"get": {
        "operationId": "openapi", "summary": "This description.",
        "responses": {"200": {"description": "The description.", "content": {"application/json": {"schema": {"type": "object"}}}}},
    }});
    paths.insert(format!("{BASE}/openapi.json"), own);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "agon", "version": VERSION,
            "description": "Questions about abstract strategy games. Answers have the fields that the command line gives in JSON.",
            "license": {"name": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:4774", "description": "the workbench on its usual port"}],
        "paths": paths,
        "components": {"schemas": {"Error": {
            "type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"],
        }}},
    })
}

fn path(operation: &Operation) -> Json {
    let error = |about: &str| json!({"description": about, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}});
    let mut described = json!({
        "operationId": operation.name, "summary": operation.about,
        "responses": {
            "200": {"description": "The answer.", "content": {"application/json": {"schema": schema::of_answer(operation.fields)}}},
            "400": error("The question is wrong; the message says what was given and what would do."),
            "422": error("There is no answer within the limits."),
        },
    });
    let parameter = |param: &Param| {
        json!({"name": param.name, "in": "query", "required": param.required, "description": param.about,
               "schema": schema::of_kind(param.kind)})
    };
    if operation.long {
        let body = json!({"application/json": {"schema": schema::of_params(operation.params)}});
        described["requestBody"] = json!({"required": true, "content": body});
        return json!({"post": described});
    }
    described["parameters"] = operation.params.iter().map(parameter).collect();
    json!({"get": described})
}
