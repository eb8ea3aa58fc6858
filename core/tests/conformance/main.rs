//! The tests of html5lib, from the folder in `VICTOR_HTML5LIB`.

mod tokens;
mod trees;
mod visible;

use std::path::PathBuf;

/// The folder of the tests, if there is one.
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("VICTOR_HTML5LIB").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: VICTOR_HTML5LIB names no folder of html5lib-tests");
    }
    folder
}

/// The files of a folder with this ending, sorted.
fn files(folder: PathBuf, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of tests");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}
