//! Files that people name.

use agon_registry::files::read_text;

#[test]
fn a_mark_of_the_byte_order_is_left_out() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "\u{feff}rule a\n").unwrap();
    assert_eq!(read_text(file.path()).unwrap(), "rule a\n");
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_permissions_kept() {
    use agon_registry::files::write_file;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    let dir = tempfile::tempdir().unwrap();
    let (real, link) = (dir.path().join("real"), dir.path().join("link"));
    std::fs::write(&real, "old").unwrap();
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write_file(&link, b"new").unwrap();
    assert_eq!(std::fs::read(&real).unwrap(), b"new");
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    write_file(Path::new("/dev/null"), b"gone").unwrap();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    assert!(write_file(&dir.path().join("no/such/dir"), b"x").is_err());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2, "nothing is left beside");
}
