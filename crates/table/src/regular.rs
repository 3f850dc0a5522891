//! Safe reading of regular files, whose names may come from an untrusted source.

use std::fs::{File, OpenOptions};
use std::io::{Error, Read, Result};
use std::path::Path;

/// Opens a regular file for reading. It refuses anything else (a directory, a device, a pipe), and never blocks on a
/// pipe without a writer.
pub fn open(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    match kind {
        kind if kind.is_file() => Ok(file),
        kind if kind.is_dir() => Err(Error::other("it is a directory")),
        _ => Err(Error::other("it is not a regular file")),
    }
}

/// Reads a regular file of at most `limit` bytes. A longer file is refused without reading more than that.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let too_long = || Error::other(format!("it is larger than {}", size(limit)));
    let file = open(path)?;
    if file.metadata()?.len() > limit {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_long()) } else { Ok(bytes) }
}

fn size(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = units.iter().find(|(unit, _)| bytes >= *unit);
    unit.map_or(format!("{bytes} bytes"), |(unit, name)| format!("{} {name}", bytes / unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_up_to_the_limit_are_read_and_longer_ones_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, [7; 2048]).unwrap();
        assert_eq!(read(&path, 2048).unwrap(), [7; 2048]);
        assert_eq!(read(&path, 2047).unwrap_err().to_string(), "it is larger than 1 KiB");
        assert_eq!(read(folder.path(), 9).unwrap_err().to_string(), "it is a directory");
        assert!(read(&folder.path().join("none"), 9).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let name = std::ffi::CString::new(pipe.to_str().unwrap()).unwrap();
        // SAFETY: the name is a string that ends in a zero byte and lives until the call returns.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        for path in [pipe.as_path(), Path::new("/dev/zero")] {
            assert_eq!(read(path, 1 << 20).unwrap_err().to_string(), "it is not a regular file");
        }
    }
}
