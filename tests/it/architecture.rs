//! Checks of the source text: the layers of `src/` and the files that may contain `unsafe`.

use std::fs;
use std::path::{Path, PathBuf};

/// Layers from the bottom up: each may use those before it and none after it.
const LAYERS: [&str; 12] = [
    "types",
    "attacks",
    "zobrist",
    "board",
    "book",
    "tablebase",
    "eval",
    "search",
    "tools",
    "datagen",
    "engine",
    "uci",
];

/// The only files and folders that may contain `unsafe`. A comment at each block says why it is
/// sound.
const UNSAFE_ALLOWED: [&str; 6] = [
    "types/index_enum.rs", // conversion of integers to enums
    "types/piece.rs",
    "types/square.rs",
    "eval/network/kernels/mod.rs", // calls of functions that need CPU features
    "search/prefetch.rs",          // an intrinsic
    "search/memory.rs",            // madvise
];

/// The only places that may use CPU-specific code.
const ARCH_ALLOWED: [&str; 2] = ["eval/network/kernels/", "search/prefetch.rs"];

/// A source file: its path below `src/` and its text without comments.
struct Source {
    path: String,
    code: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources.push(read(&root, path));
            }
        }
    }
    sources
}

fn read(root: &Path, path: PathBuf) -> Source {
    let text = fs::read_to_string(&path).unwrap();
    let without_comment = |line: &str| line.split("//").next().unwrap().to_owned() + "\n";
    let below = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
    Source { path: below, code: text.lines().map(without_comment).collect() }
}

impl Source {
    /// Returns the position in `LAYERS`; `None` for the crate's root and the program.
    fn layer(&self) -> Option<usize> {
        let name = self.path.split('/').next().unwrap().trim_end_matches(".rs");
        LAYERS.iter().position(|layer| *layer == name)
    }

    /// Returns the modules of the crate that the file names, including `use crate::{a::x, b};`.
    fn uses(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for (_, after) in self
            .code
            .match_indices("crate::")
            .map(|(at, found)| self.code.split_at(at + found.len()))
        {
            match after.strip_prefix('{').and_then(|group| group.split_once("};")) {
                Some((group, _)) => {
                    names.extend(group.split(',').map(|item| first_word(item.trim())))
                }
                None => names.push(first_word(after)),
            }
        }
        names
    }

    fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }

    fn has_word(&self, word: &str) -> bool {
        self.code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
    }
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap()
}

#[test]
fn no_layer_uses_a_higher_one() {
    for source in sources() {
        let Some(own) = source.layer() else { continue };
        for name in source.uses() {
            let used = LAYERS.iter().position(|layer| *layer == name);
            assert!(used.is_none_or(|used| used <= own), "{} uses {name}", source.path);
        }
    }
}

#[test]
fn every_module_belongs_to_a_layer() {
    for source in sources() {
        let is_root = matches!(source.path.as_str(), "lib.rs" | "main.rs");
        assert!(is_root || source.layer().is_some(), "{} is in no layer", source.path);
    }
}

#[test]
fn unsafe_occurs_only_where_allowed() {
    for source in sources() {
        let listed = source.is_in(&UNSAFE_ALLOWED);
        assert!(listed || !source.has_word("unsafe"), "{} has unsafe", source.path);
        let knows_processor =
            source.code.contains("std::arch") || source.code.contains("core::arch");
        assert!(source.is_in(&ARCH_ALLOWED) || !knows_processor, "{}", source.path);
    }
}

#[test]
fn used_modules_are_found() {
    let code =
        "use crate::{\n    board::Board,\n    types::*,\n};\nlet x = crate::eval::y();".to_owned();
    let source = Source { path: "search/mod.rs".to_owned(), code };
    assert_eq!(source.uses(), ["board", "types", "", "eval"]);
    assert_eq!(source.layer(), Some(7));
}
