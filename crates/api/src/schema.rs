//! Parameters and answers as JSON schemas.

use crate::arguments::{Kind, Param};
use crate::operations::{Field, Type};
use serde_json::{Map, Value as Json, json};

/// The schema of the values of a parameter.
#[must_use]
pub fn of_kind(kind: Kind) -> Json {
    match kind {
        Kind::Text(most) => json!({"type": "string", "maxLength": most}),
        Kind::Integer(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
        Kind::Number(least, most) => json!({"type": "number", "minimum": least, "maximum": most}),
        Kind::Choice(words) => json!({"type": "string", "enum": words}),
        Kind::Flag => json!({"type": "boolean"}),
    }
}

/// The schema of an object with these parameters.
#[must_use]
pub fn of_params(params: &[Param]) -> Json {
    let property = |param: &Param| {
        let mut schema = of_kind(param.kind);
        schema["description"] = json!(param.about);
        (param.name.to_string(), schema)
    };
    let properties: Map<String, Json> = params.iter().map(property).collect();
    let required: Vec<&str> = params.iter().filter(|param| param.required).map(|param| param.name).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// The schema of an answer with these fields, and perhaps others.
#[must_use]
pub fn of_answer(fields: &[Field]) -> Json {
    let property = |(name, of): &Field| (name.to_string(), of_type(*of));
    let properties: Map<String, Json> = fields.iter().map(property).collect();
    let required: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

fn of_type(of: Type) -> Json {
    match of {
        Type::Text => json!({"type": "string"}),
        Type::TextOrNull => json!({"type": ["string", "null"]}),
        // Numbers of 2^53 and more are written as texts.
        Type::Number => json!({"type": ["number", "string"]}),
        Type::NumberOrNull => json!({"type": ["number", "string", "null"]}),
        Type::Flag => json!({"type": "boolean"}),
        Type::List => json!({"type": "array"}),
        Type::Object => json!({"type": "object"}),
    }
}

/// Returns whether a value is of a type.
#[must_use]
pub fn fits(value: &Json, of: Type) -> bool {
    match of {
        Type::Text => value.is_string(),
        Type::TextOrNull => value.is_string() || value.is_null(),
        Type::Number => value.is_number() || value.is_string(),
        Type::NumberOrNull => value.is_number() || value.is_string() || value.is_null(),
        Type::Flag => value.is_boolean(),
        Type::List => value.is_array(),
        Type::Object => value.is_object(),
    }
}
