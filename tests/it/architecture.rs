//! Checks of the source text: what the folders and files of `src/` may use, and which may contain
//! `unsafe`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders and files of `src/` with those that they may use, from the bottom up. Each edge listed
/// is in use, and none leads up.
const EDGES: [(&str, &[&str]); 23] = [
    ("platform", &[]),
    ("files", &["platform"]),
    ("text", &[]),
    ("bin", &[]),
    ("inject", &[]),
    ("types", &[]),
    ("attacks", &["types"]),
    ("zobrist", &["types"]),
    ("board", &["text", "types", "attacks", "zobrist"]),
    ("openings", &["types", "zobrist", "board"]),
    ("pgn", &["files", "text", "types", "board"]),
    ("book", &["files", "types", "attacks", "board"]),
    ("tablebase", &["platform", "files", "text", "types", "board"]),
    ("eval", &["files", "text", "types", "attacks", "board"]),
    (
        "search",
        &["platform", "inject", "types", "attacks", "zobrist", "board", "tablebase", "eval"],
    ),
    (
        "tools",
        &[
            "platform",
            "files",
            "text",
            "types",
            "zobrist",
            "board",
            "openings",
            "pgn",
            "tablebase",
            "eval",
            "search",
        ],
    ),
    ("datagen", &["files", "text", "types", "board", "eval", "search"]),
    (
        "engine",
        &[
            "platform",
            "files",
            "text",
            "inject",
            "types",
            "board",
            "pgn",
            "book",
            "tablebase",
            "eval",
            "search",
            "tools",
            "datagen",
        ],
    ),
    ("rules", &["types", "board", "openings", "pgn", "eval", "tools", "engine"]),
    (
        "uci",
        &["platform", "text", "types", "board", "eval", "search", "tools", "datagen", "engine"],
    ),
    ("web", &["engine", "rules"]),
    (
        "cli",
        &[
            "platform", "text", "types", "board", "book", "eval", "search", "tools", "datagen",
            "engine", "uci", "web",
        ],
    ),
    (
        "prompt",
        &[
            "platform", "files", "text", "types", "board", "openings", "pgn", "eval", "search",
            "tools", "engine", "uci", "cli",
        ],
    ),
];

/// The same for the folders and files of `src/search/`, which use each other by `super::` and
/// `crate::search::`. `mod.rs` exports what other layers use, so it is not among them.
const SEARCH_EDGES: [(&str, &[&str]); 10] = [
    ("tune", &[]),
    ("params", &["tune"]),
    ("request", &[]),
    ("ordering", &["params"]),
    ("tt", &["params"]),
    ("state", &["params", "request", "ordering", "tt"]),
    ("recorder", &["state"]),
    ("report", &["state"]),
    ("node", &["params", "request", "ordering", "tt", "state", "recorder", "report"]),
    ("pool", &["params", "request", "tt", "state", "recorder", "report", "node"]),
];

/// Folders whose files form no cycle. Elsewhere a type and its parts may use each other, as
/// `Board` and the castling paths do.
const WITHOUT_CYCLES: [&str; 13] = [
    "attacks", "types", "book", "eval", "search", "tools", "datagen", "engine", "rules", "uci",
    "web", "cli", "prompt",
];

/// Names that several files or folders have, because they are the same subject at another height,
/// or the same part of another whole. A file of `cli` is named after what its arguments are for.
const SHARED_NAMES: [&str; 11] = [
    "castling", // the rights, and the moves of a position
    "error",    // of PGN, and of commands
    "format",   // of files of games, and of networks
    "game",     // the engine's against itself, and what PGN has
    "options",  // of the engine, and of self-play
    "other",    // systems, for files and for terminals
    "perft",    // of a board, and of suites
    "run",      // the main function of a tool
    "uci",      // the notation of moves, and the protocol
    "unix",     // as `other`
    "windows",  // as `other`
];

/// All files that contain `unsafe`, with the number of blocks and functions. A comment at each says
/// why it is sound. A change of a number needs a reason in the commit.
const UNSAFE: [(&str, usize); 8] = [
    ("bin/tabia/processor.rs", 2),      // CPUID and XGETBV
    ("eval/network/kernels/mod.rs", 3), // calls of functions that need CPU features
    ("platform/file_size.rs", 1),       // signal
    ("platform/huge_pages.rs", 1),      // madvise
    ("platform/prefetch.rs", 1),        // an intrinsic
    ("types/index_enum.rs", 2),         // conversion of integers to enums
    ("types/piece.rs", 3),
    ("types/square.rs", 4),
];

/// The same in `web/module/src/`.
const WEB_UNSAFE: [(&str, usize); 1] = [
    ("host.rs", 4), // functions of JavaScript, and the names of three exported ones
];

/// Modules that read what the program is given. They forbid `unsafe`, so not even an exception is
/// possible.
const FORBIDS_UNSAFE: [&str; 13] = [
    "board/mod.rs",
    "book/mod.rs",
    "cli/mod.rs",
    "datagen/mod.rs",
    "engine/mod.rs",
    "eval/network/format.rs",
    "pgn/mod.rs",
    "prompt/mod.rs",
    "rules/mod.rs",
    "tablebase/mod.rs",
    "tools/mod.rs",
    "uci/mod.rs",
    "web/mod.rs",
];

const ARCH_ALLOWED: [&str; 3] =
    ["eval/network/kernels/", "bin/tabia/processor.rs", "platform/prefetch.rs"];

/// A source file: its path below `src/` and its text without comments.
struct Source {
    path: String,
    code: String,
}

fn sources() -> Vec<Source> {
    sources_in("src")
}

/// Returns the trainer's sources as if they were a folder of the engine.
fn trainer_sources() -> Vec<Source> {
    let moved = |Source { path, code }| Source {
        path: format!("trainer/{path}"),
        code: code.replace("crate::", "crate::trainer::"),
    };
    sources_in("trainer/src").into_iter().map(moved).collect()
}

fn sources_in(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
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
    /// Returns the folder below `src/`, or the name of the file if it is in none.
    fn folder(&self) -> &str {
        first_name(&self.path)
    }

    /// Returns the text before the unit tests, which may use what they like.
    fn without_tests(&self) -> &str {
        self.code.split("#[cfg(test)]\nmod tests {").next().unwrap()
    }

    /// Returns the paths that follow `prefix`, such as `a::B` and `c` for `crate::` in
    /// `use crate::{a::B, c};`.
    fn paths_after(&self, prefix: &str) -> Vec<String> {
        let code = self.without_tests();
        let starts = code.match_indices(prefix).filter(|&(at, _)| {
            !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
        });
        starts.flat_map(|(at, _)| paths(&code[at + prefix.len()..])).collect()
    }

    /// Returns the other files of its folder that the file uses, as paths below the folder.
    ///
    /// A `mod.rs` that only declares and re-exports uses none.
    fn used_siblings(&self, files: &BTreeSet<&str>) -> BTreeSet<String> {
        let folder = self.folder();
        let Some(own) = self.path.strip_prefix(folder).and_then(|path| path.strip_prefix('/'))
        else {
            return BTreeSet::new();
        };
        let (parent, name) = own.rsplit_once('/').unwrap_or(("", own));
        let own_module = if name == "mod.rs" { parent.to_owned() } else { join(parent, name) };
        let above = own_module.trim_end_matches(".rs").rsplit_once('/').map_or("", |(up, _)| up);
        let in_crate = format!("crate::{folder}::");
        let children = self.code.lines().filter_map(|line| line.strip_prefix("use "));
        let mut used: Vec<(&str, String)> = Vec::new();
        used.extend(self.paths_after(&in_crate).into_iter().map(|path| ("", path)));
        if own != "mod.rs" {
            used.extend(self.paths_after("super::").into_iter().map(|path| (above, path)));
        }
        if name == "mod.rs" {
            used.extend(children.flat_map(paths).map(|path| (parent, path)));
        }
        used.into_iter()
            .filter_map(|(base, path)| resolve(base, &path, files))
            .filter(|found| found != own)
            .collect()
    }

    fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }

    fn count_word(&self, word: &str) -> usize {
        let words = self.code.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.filter(|found| *found == word).count()
    }
}

/// Returns the paths at the beginning of `text`: one, or those of a group in braces. Groups within
/// a group end at their braces.
fn paths(text: &str) -> Vec<String> {
    let is_end = |c: char| !c.is_alphanumeric() && c != '_' && c != ':';
    let path = |text: &str| text.split(is_end).next().unwrap().to_owned();
    let stem = path(text);
    match text[stem.len()..].strip_prefix('{').and_then(|group| group.split_once("};")) {
        Some((group, _)) => {
            group.split(',').map(|item| format!("{stem}{}", path(item.trim()))).collect()
        }
        None => vec![stem],
    }
}

/// Returns the folder at the beginning of a path, or the name of the file if it is in none.
fn first_name(path: &str) -> &str {
    path.split('/').next().unwrap().trim_end_matches(".rs")
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Returns the file in which a path from the module `base` ends; `None` if it leads to none of
/// them.
fn resolve(base: &str, path: &str, files: &BTreeSet<&str>) -> Option<String> {
    let mut folder = base.to_owned();
    for name in path.split("::").filter(|name| !name.is_empty()) {
        if name == "super" {
            folder = folder.rsplit_once('/').map_or("", |(up, _)| up).to_owned();
            continue;
        }
        let below = join(&folder, name);
        let file = format!("{below}.rs");
        if files.contains(file.as_str()) {
            return Some(file);
        }
        if !files.iter().any(|file| file.starts_with(&format!("{below}/"))) {
            break;
        }
        folder = below;
    }
    let module = join(&folder, "mod.rs");
    files.contains(module.as_str()).then_some(module)
}

/// Returns a file from which the edges lead back to it.
fn cycle(edges: &BTreeMap<&str, BTreeSet<String>>) -> Option<String> {
    let reaches_itself = |start: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(next) = open.pop().and_then(|file| edges.get(file)) {
            if next.contains(start) {
                return true;
            }
            open.extend(next.iter().map(String::as_str).filter(|&file| seen.insert(file)));
        }
        false
    };
    edges.keys().find(|file| reaches_itself(file)).map(|&file| file.to_owned())
}

fn all_edges<'a>(edges: &[(&'a str, &[&'a str])]) -> BTreeSet<(&'a str, &'a str)> {
    edges.iter().flat_map(|&(user, used)| used.iter().map(move |&used| (user, used))).collect()
}

#[test]
fn folders_use_only_listed_ones() {
    let mut unused = all_edges(&EDGES);
    for source in sources() {
        let folder = source.folder();
        let Some((user, listed)) = EDGES.iter().find(|(user, _)| *user == folder) else { continue };
        for path in source.paths_after("crate::") {
            let used = path.split("::").next().unwrap();
            let is_folder = EDGES.iter().any(|(user, _)| *user == used);
            let is_allowed = used == folder || !is_folder || listed.contains(&used);
            assert!(is_allowed, "{} uses {used}", source.path);
            unused.retain(|&edge| edge != (*user, used));
        }
    }
    assert!(unused.is_empty(), "not in use: {unused:?}");
}

#[test]
fn folders_of_the_search_use_only_listed_ones() {
    let sources = sources();
    let below = |path| str::strip_prefix(path, "search/");
    let files: BTreeSet<&str> = sources.iter().filter_map(|source| below(&source.path)).collect();
    let mut unused = all_edges(&SEARCH_EDGES);
    for source in &sources {
        let Some(own) = below(&source.path) else { continue };
        let user = first_name(own);
        if matches!(own, "mod.rs" | "tests.rs") {
            continue;
        }
        assert!(SEARCH_EDGES.iter().any(|(name, _)| *name == user), "{own} is in no listed folder");
        for file in source.used_siblings(&files) {
            let used = first_name(&file);
            // Within a folder the path has to name the file, or the cycles of files are not found.
            let is_sibling = used == user && file != format!("{user}/mod.rs");
            assert!(
                is_sibling || all_edges(&SEARCH_EDGES).contains(&(user, used)),
                "{own}: {file}"
            );
            unused.retain(|&edge| edge != (user, used));
        }
    }
    assert!(unused.is_empty(), "not in use: {unused:?}");
}

#[test]
fn listed_edges_lead_down() {
    for edges in [&EDGES[..], &SEARCH_EDGES[..]] {
        for (at, (user, used)) in edges.iter().enumerate() {
            let below = &edges[..at];
            assert!(used.iter().all(|used| below.iter().any(|(name, _)| name == used)), "{user}");
        }
    }
}

#[test]
fn files_of_a_folder_form_no_cycle() {
    let sources: Vec<Source> = sources().into_iter().chain(trainer_sources()).collect();
    for folder in WITHOUT_CYCLES.into_iter().chain(["trainer"]) {
        let own: Vec<_> = sources.iter().filter(|source| source.folder() == folder).collect();
        let below = |path| str::strip_prefix(path, folder)?.strip_prefix('/');
        let files: BTreeSet<&str> = own.iter().filter_map(|source| below(&source.path)).collect();
        let edges = own
            .iter()
            .filter_map(|source| Some((below(&source.path)?, source.used_siblings(&files))))
            .collect();
        assert_eq!(cycle(&edges), None, "in {folder}: {edges:#?}");
    }
}

#[test]
fn cycles_are_found() {
    let source = |path: &str, code: &str| Source { path: path.to_owned(), code: code.to_owned() };
    let sources = [
        source("search/a.rs", "use super::b::B;\nuse super::deep::{c::C, D};"),
        source("search/b.rs", "fn b() { crate::search::deep::c::new() }"),
        source("search/deep/mod.rs", "mod c;\npub use c::C;\npub struct D;"),
        source("search/deep/c.rs", "use super::super::a;"),
    ];
    let files = BTreeSet::from(["a.rs", "b.rs", "deep/mod.rs", "deep/c.rs"]);
    let used = |index: usize| sources[index].used_siblings(&files).into_iter().collect::<Vec<_>>();
    assert_eq!(used(0), ["b.rs", "deep/c.rs", "deep/mod.rs"]);
    assert_eq!((used(1), used(2)), (vec!["deep/c.rs".to_owned()], vec![]));
    assert_eq!(used(3), ["a.rs"]);
    let edges = files
        .iter()
        .zip([0, 1, 3, 2])
        .map(|(&file, index)| (file, sources[index].used_siblings(&files)))
        .collect();
    assert_eq!(cycle(&edges), Some("a.rs".to_owned()));
}

#[test]
fn a_name_stands_for_one_subject() {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Source { path, .. } in sources() {
        let room = path.trim_end_matches(".rs").trim_end_matches("/mod");
        let name = room.rsplit('/').next().unwrap();
        if !room.starts_with("cli/") {
            names.entry(name.to_owned()).or_default().insert(room.to_owned());
        }
    }
    names.retain(|_, rooms| rooms.len() > 1);
    assert!(names.keys().eq(SHARED_NAMES), "{names:?}");
}

#[test]
fn every_module_belongs_to_a_folder() {
    for source in sources() {
        let is_root = source.path == "lib.rs";
        let is_listed = EDGES.iter().any(|(folder, _)| *folder == source.folder());
        assert!(is_root || is_listed, "{} is in no listed folder", source.path);
    }
}

#[test]
fn unsafe_is_where_the_list_says() {
    let found = |folder| {
        let mut found: Vec<(String, usize)> = sources_in(folder)
            .into_iter()
            .map(|source| (source.path.clone(), source.count_word("unsafe")))
            .filter(|(_, count)| *count > 0)
            .collect();
        found.sort();
        found
    };
    assert_eq!(found("src"), UNSAFE.map(|(path, count)| (path.to_owned(), count)));
    assert_eq!(found("web/module/src"), WEB_UNSAFE.map(|(path, count)| (path.to_owned(), count)));
}

#[test]
fn readers_of_input_forbid_unsafe() {
    for source in sources() {
        let forbids = source.code.lines().any(|line| line == "#![forbid(unsafe_code)]");
        assert_eq!(forbids, FORBIDS_UNSAFE.contains(&source.path.as_str()), "{}", source.path);
    }
}

#[test]
fn only_listed_files_know_the_processor() {
    for source in sources() {
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
    assert_eq!(source.paths_after("crate::"), ["board::Board", "types::", "", "eval::y"]);
    assert_eq!(source.folder(), "search");
}
