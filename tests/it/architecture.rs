//! The layers of `src/` and the files that may hold `unsafe`, read from the source text.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the ground up: each may use those before it and none after it.
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

/// The only files and folders in which `unsafe` may stand. Each block says there why it is sound.
const UNSAFE_ALLOWED: [&str; 6] = [
    "types/index_enum.rs", // enums from numbers
    "types/piece.rs",
    "types/square.rs",
    "eval/network/kernels/mod.rs", // calls of what only some processors can run
    "search/prefetch.rs",          // an intrinsic
    "search/memory.rs",            // advice to the system
];

/// The only places that may know the processor.
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
    /// The layer's number; `None` for the crate's root and the program.
    fn layer(&self) -> Option<usize> {
        let name = self.path.split('/').next().unwrap().trim_end_matches(".rs");
        LAYERS.iter().position(|layer| *layer == name)
    }

    /// The modules of the crate that the file names, `use crate::{a::x, b};` included.
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
fn no_layer_uses_one_above_it() {
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
fn unsafe_stands_only_where_it_may() {
    for source in sources() {
        let listed = source.is_in(&UNSAFE_ALLOWED);
        assert!(listed || !source.has_word("unsafe"), "{} has unsafe", source.path);
        let knows_processor =
            source.code.contains("std::arch") || source.code.contains("core::arch");
        assert!(source.is_in(&ARCH_ALLOWED) || !knows_processor, "{}", source.path);
    }
}

#[test]
fn text_is_split_into_words() {
    let code =
        "use crate::{\n    board::Board,\n    types::*,\n};\nlet x = crate::eval::y();".to_owned();
    let source = Source { path: "search/mod.rs".to_owned(), code };
    assert_eq!(source.uses(), ["board", "types", "", "eval"]);
    assert_eq!(source.layer(), Some(7));
}
