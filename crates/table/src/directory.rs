//! The tables in a directory, by their headers.

use crate::blocks::{BadFile, header};
use std::path::{Path, PathBuf};

/// The extension of a table's file.
pub const ENDING: &str = "agt";
/// The extension of a checkpoint, whose name is that of the first table of its component.
pub const CHECKPOINT: &str = "agp";

/// A file in a directory, by its header alone.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Listed {
    /// The path.
    pub path: PathBuf,
    /// The name without the extension.
    pub name: String,
    /// True if it is a checkpoint, not a table.
    pub unfinished: bool,
    fields: Vec<(String, String)>,
}

impl Listed {
    /// A field of the header.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The game that the header names.
    #[must_use]
    pub fn game(&self) -> &str {
        self.field("game").unwrap_or("nothing")
    }

    /// Fails unless the file name is that of its table, and `known` accepts the table as one of the game.
    pub fn fits(&self, spelling: &str, known: impl Fn(&str) -> bool) -> Result<(), BadFile> {
        let damaged = |why: String| Err(BadFile::damaged(&self.path, why));
        match self.field("shard") {
            _ if self.unfinished => Ok(()),
            Some(shard) if shard == self.name && known(shard) => Ok(()),
            Some(shard) if known(shard) => damaged(format!("it is table {shard} of {spelling} under another name")),
            _ => damaged(format!("it is not a table of {spelling}")),
        }
    }
}

/// The tables and the checkpoints in a directory, sorted by name. A file that has the extension of a table but is not
/// one is an error; an unreadable checkpoint is ignored.
pub fn list(folder: &Path) -> Result<Vec<Listed>, BadFile> {
    let cannot = |error: std::io::Error| BadFile::io(folder, "read", error);
    let mut listed = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let unfinished = path.extension().is_some_and(|ending| ending == CHECKPOINT);
        if !unfinished && path.extension().is_none_or(|ending| ending != ENDING) {
            continue;
        }
        let fields = match header(&path) {
            Ok(fields) => fields,
            Err(_) if unfinished => continue,
            Err(why) => return Err(why),
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        listed.push(Listed { path, name, unfinished, fields });
    }
    listed.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Writer;

    #[test]
    fn tables_are_listed_and_what_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let write = |name: &str, shard: &str| {
            let fields = [("game", "antrin:3".to_string()), ("shard", shard.to_string())];
            Writer::create(&at(name), &fields).unwrap().finish().unwrap();
        };
        write("3-3.agt", "3-3");
        write("4-4.agt", "3-3");
        write("junk.agt", "junk");
        write("3-4.agp", "");
        std::fs::write(at("notes.txt"), "mine").unwrap();
        let listed = list(folder.path()).unwrap();
        let fit = |listed: &Listed| listed.fits("antrin:3", |shard| shard == "3-3").map_err(|why| why.to_string());
        let said: Vec<_> =
            listed.iter().map(|listed| (listed.name.as_str(), listed.game(), fit(listed).err())).collect();
        assert_eq!((said[0].clone(), said[1].clone()), (("3-3", "antrin:3", None), ("3-4", "antrin:3", None)));
        assert!(said[2].2.as_ref().is_some_and(|why| why.contains("under another name")));
        assert!(said[3].2.as_ref().is_some_and(|why| why.contains("junk.agt`: it is not a table of antrin:3")));
        std::fs::write(at("3-4.agp"), "cut off").unwrap();
        assert_eq!(list(folder.path()).unwrap().len(), 3);
        std::fs::write(at("5-5.agt"), "no table").unwrap();
        assert!(matches!(list(folder.path()), Err(BadFile::Damaged { .. })));
    }
}
