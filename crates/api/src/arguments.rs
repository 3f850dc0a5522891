//! The arguments of a question, checked before any work.

use agon_core::family::shorten;
use agon_report::failure::Failure;
use agon_report::words::grouped;
use serde_json::{Map, Value as Json};

/// The values that a parameter takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// A text of at most so many bytes.
    Text(usize),
    /// A whole number in an inclusive range.
    Integer(i64, i64),
    /// A number in an inclusive range.
    Number(f64, f64),
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// Yes or no.
    Flag,
}

/// A parameter of a question.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// The values that it takes.
    pub kind: Kind,
    /// True if it must be given.
    pub required: bool,
    /// Its meaning, in a sentence.
    pub about: &'static str,
}

/// Arguments that fit their parameters.
#[derive(Clone, Debug, Default)]
pub struct Arguments(Map<String, Json>);

impl Arguments {
    /// Checks the arguments of a question. Null stands for an argument that is not given.
    pub fn read(params: &[Param], given: &Map<String, Json>) -> Result<Arguments, Failure> {
        let mut read = Map::new();
        for (name, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            let Some(param) = params.iter().find(|param| param.name == name) else {
                let known: Vec<&str> = params.iter().map(|param| param.name).collect();
                let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                return Err(Failure::Usage(format!("no parameter `{}`: expected {known}", shorten(name))));
            };
            param.check(value)?;
            read.insert(name.clone(), value.clone());
        }
        match params.iter().find(|param| param.required && !read.contains_key(param.name)) {
            Some(missing) => Err(Failure::Usage(format!("`{}` is missing: {}", missing.name, missing.about))),
            None => Ok(Arguments(read)),
        }
    }

    /// The same from the query of an address, whose values are texts.
    pub fn of_query(params: &[Param], given: &[(String, String)]) -> Result<Arguments, Failure> {
        let mut read = Map::new();
        for (name, text) in given {
            let kind = params.iter().find(|param| param.name == name).map(|param| param.kind);
            let value = match kind {
                Some(Kind::Integer(..)) => text.parse::<i64>().map_or(Json::from(text.as_str()), Json::from),
                Some(Kind::Number(..)) => text.parse::<f64>().map_or(Json::from(text.as_str()), Json::from),
                Some(Kind::Flag) => match text.as_str() {
                    "true" | "1" | "" => Json::from(true),
                    "false" | "0" => Json::from(false),
                    other => Json::from(other),
                },
                _ => Json::from(text.as_str()),
            };
            if read.insert(name.clone(), value).is_some() {
                return Err(Failure::Usage(format!("`{}` is given twice", shorten(name))));
            }
        }
        Arguments::read(params, &read)
    }

    /// A text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Json::as_str)
    }

    /// A whole number.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.0.get(name).and_then(Json::as_i64)
    }

    /// A number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        self.0.get(name).and_then(Json::as_f64)
    }

    /// Returns whether a flag is given and true.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Json::as_bool).unwrap_or(false)
    }
}

impl Param {
    fn check(&self, value: &Json) -> Result<(), Failure> {
        let wrong = |want: String| {
            let given = shorten(&value.to_string());
            Err(Failure::Usage(format!("invalid {} `{given}`: expected {want}", self.name)))
        };
        match (self.kind, value) {
            (Kind::Text(most), Json::String(text)) if text.len() <= most => Ok(()),
            (Kind::Text(most), Json::String(text)) => {
                let (given, most) = (grouped(text.len()), grouped(most));
                Err(Failure::Usage(format!("{} has {given} bytes: expected at most {most}", self.name)))
            }
            (Kind::Text(_), _) => wrong("a text".into()),
            (Kind::Integer(least, most), value) => match value.as_i64() {
                Some(number) if (least..=most).contains(&number) => Ok(()),
                _ => wrong(format!("a whole number from {least} to {most}")),
            },
            (Kind::Number(least, most), value) => match value.as_f64() {
                Some(number) if (least..=most).contains(&number) => Ok(()),
                _ => wrong(format!("a number from {least} to {most}")),
            },
            (Kind::Choice(words), Json::String(text)) if words.contains(&text.as_str()) => Ok(()),
            (Kind::Choice(words), _) => wrong(words.join(" or ")),
            (Kind::Flag, Json::Bool(_)) => Ok(()),
            (Kind::Flag, _) => wrong("true or false".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PARAMS: &[Param] = &[
        Param { name: "game", kind: Kind::Text(8), required: true, about: "the game" },
        Param { name: "count", kind: Kind::Integer(1, 10), required: false, about: "a number" },
        Param { name: "seconds", kind: Kind::Number(0.0, 60.0), required: false, about: "a time" },
        Param { name: "kind", kind: Kind::Choice(&["win", "save"]), required: false, about: "a word" },
        Param { name: "svg", kind: Kind::Flag, required: false, about: "a flag" },
    ];

    #[test]
    fn arguments_fit_their_parameters_or_are_refused() {
        let read = |value: Json| Arguments::read(PARAMS, value.as_object().unwrap());
        let good = read(json!({"game": "nim", "count": 3, "seconds": 2, "kind": "win", "svg": true})).unwrap();
        assert_eq!(
            (good.text("game"), good.integer("count"), good.number("seconds")),
            (Some("nim"), Some(3), Some(2.0))
        );
        assert!(good.flag("svg") && read(json!({"game": "nim", "count": null})).is_ok());
        for (given, why) in [
            (json!({}), "`game` is missing: the game"),
            (json!({"game": 7}), "invalid game `7`: expected a text"),
            (json!({"game": "123456789"}), "game has 9 bytes: expected at most 8"),
            (json!({"game": "nim", "count": 11}), "invalid count `11`: expected a whole number from 1 to 10"),
            (json!({"game": "nim", "count": "3"}), "expected a whole number from 1 to 10"),
            (json!({"game": "nim", "seconds": -1}), "expected a number from 0 to 60"),
            (json!({"game": "nim", "kind": "x"}), "expected win or save"),
            (json!({"game": "nim", "svg": 1}), "expected true or false"),
            (json!({"game": "nim", "file": "/etc/passwd"}), "no parameter `file`: expected game, count, seconds"),
        ] {
            let said = read(given).unwrap_err().message().unwrap();
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn a_query_has_texts() {
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        let read = Arguments::of_query(PARAMS, &[pair("game", "nim"), pair("count", "3"), pair("svg", "")]).unwrap();
        assert_eq!((read.integer("count"), read.flag("svg")), (Some(3), true));
        assert!(Arguments::of_query(PARAMS, &[pair("game", "nim"), pair("count", "x")]).is_err());
        assert!(Arguments::of_query(PARAMS, &[pair("game", "nim"), pair("game", "nim")]).is_err());
    }
}
