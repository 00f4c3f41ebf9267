//! The package that `cargo package` makes, and its metadata.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Files of the package outside of `src/`, except those that Cargo adds.
const FILES: [&str; 39] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "build.rs",
    "nets/9.net",
    "openings/README.md",
    "openings/a.tsv",
    "openings/b.tsv",
    "openings/c.tsv",
    "openings/d.tsv",
    "openings/e.tsv",
    "perft/standard.epd",
    "perft/tricky.epd",
    "web/index.html",
    "web/module.js",
    "web/native/rules.js",
    "web/native/tabia.js",
    "web/page/actions.js",
    "web/page/board.js",
    "web/page/clock.js",
    "web/page/controls.js",
    "web/page/dom.js",
    "web/page/engine.js",
    "web/page/files.js",
    "web/page/game.js",
    "web/page/moves.js",
    "web/page/new_game.js",
    "web/page/open.js",
    "web/page/page.js",
    "web/page/pieces.js",
    "web/page/play.js",
    "web/page/review.js",
    "web/page/score.js",
    "web/page/show.js",
    "web/page/state.js",
    "web/page/think.js",
    "web/rules.js",
    "web/style.css",
];
const ADDED_BY_CARGO: [&str; 4] =
    [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig"];

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

#[test]
#[cfg_attr(windows, ignore = "under Wine there is no Cargo")]
fn the_package_holds_what_a_build_needs() {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["package", "--list", "--locked", "--offline", "--allow-dirty"];
    let output = Command::new(cargo)
        .args(arguments)
        .args(["--package", "tabia"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let list = String::from_utf8(output.stdout).unwrap();
    let (sources, others): (Vec<&str>, Vec<&str>) =
        list.lines().partition(|file| file.starts_with("src/"));
    assert!(sources.iter().all(|file| file.ends_with(".rs")));
    let others: Vec<&str> =
        others.into_iter().filter(|file| !ADDED_BY_CARGO.contains(file)).collect();
    assert_eq!(others, FILES);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bytes: u64 =
        sources.iter().chain(&FILES).map(|file| fs::metadata(root.join(file)).unwrap().len()).sum();
    // The registry accepts 10 MiB, and pictures or test data would be noticed here.
    assert!(bytes < 3_700_000, "{bytes} bytes");
}

#[test]
fn a_change_of_any_file_of_the_package_marks_the_version() {
    let script = read("build.rs");
    let is_text = |file: &str| file.ends_with(".md") || file.starts_with("LICENSE");
    for file in FILES.into_iter().filter(|file| !is_text(file)) {
        let mut sources = Path::new(file).ancestors().filter_map(Path::to_str);
        let is_listed =
            sources.any(|source| !source.is_empty() && script.contains(&format!("\"{source}\"")));
        assert!(is_listed, "{file} is no source of the version");
    }
}

/// Crates that the library uses without the feature `cli`.
const LIBRARY_CRATES: [&str; 13] = [
    "arrayvec",
    "bytemuck",
    "crc32fast",
    "crossbeam-channel",
    "libc",
    "log",
    "miniz_oxide",
    "rand_chacha",
    "serde",
    "serde_json",
    "sha2",
    "strsim",
    "thiserror",
];

#[test]
#[cfg_attr(windows, ignore = "under Wine there is no Cargo")]
fn the_library_uses_no_crate_of_the_command_line() {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "--locked", "--offline", "--package", "tabia", "--no-default-features"])
        .args(["--edges", "normal", "--depth", "1", "--prefix", "none"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let mut names = tree.lines().filter_map(|line| line.split(' ').next());
    assert_eq!(names.next(), Some("tabia"));
    assert_eq!(names.collect::<Vec<_>>(), LIBRARY_CRATES);
}

/// Returns the text between the quotes that follow `key`.
fn quoted(text: &str, key: &str) -> Option<String> {
    let (_, rest) = text.split_once(key)?;
    rest.split('"').nth(1).map(str::to_owned)
}

#[test]
fn all_versions_are_the_same() {
    let version = env!("CARGO_PKG_VERSION");
    let names = [
        "Cargo.toml",
        "data/Cargo.toml",
        "trainer/Cargo.toml",
        "tree/Cargo.toml",
        "web/module/Cargo.toml",
    ];
    for name in names {
        assert_eq!(quoted(&read(name), "\nversion = ").as_deref(), Some(version), "{name}");
    }
    let found = quoted(&read("web/package.json"), "\"version\":");
    assert_eq!(found.as_deref(), Some(version), "web/package.json");
    for (name, packages) in [
        ("Cargo.lock", &["tabia", "tabia-data", "tabia-trainer", "tabia-tree", "tabia-web"][..]),
        ("fuzz/Cargo.lock", &["tabia"]),
    ] {
        let lock = read(name);
        for package in packages {
            let found = quoted(&lock, &format!("\nname = \"{package}\"\nversion = "));
            assert_eq!(found.as_deref(), Some(version), "{package} in {name}");
        }
    }
    let changelog = read("CHANGELOG.md");
    let newest = changelog.lines().find(|line| line.starts_with("## ")).unwrap();
    assert!(newest.starts_with(&format!("## [{version}]")), "CHANGELOG.md: {newest}");
}

#[test]
fn the_address_is_the_same_everywhere() {
    let manifest = read("Cargo.toml");
    let address = quoted(&manifest, "\nrepository = ");
    let source = quoted(&read("docs/openbench/Tabia.json"), "\"source\"  :");
    match address {
        Some(address) => assert_eq!(source, Some(address)),
        None => assert!(source.unwrap().contains("/OWNER/")),
    }
}
