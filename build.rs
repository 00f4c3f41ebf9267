//! Generates the Zobrist keys, the magics and the slider tables, packs the names of openings and
//! the page of `tabia web`, and embeds the network.
//!
//! Random numbers come from ChaCha20 with fixed seeds, the same in every build.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use format::Parameters;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

#[path = "src/eval/network/format.rs"]
#[expect(dead_code, unreachable_pub, reason = "the program uses all of it")]
mod format;

/// Network to embed unless `EVALFILE` names another file.
const NETWORK: &str = "nets/9.net";
/// Folder of the table of openings.
const OPENINGS: &str = "openings";
/// Files and folders of the page, in the folder `web`.
const PAGE: [&str; 6] = ["index.html", "module.js", "native", "page", "rules.js", "style.css"];
const ZOBRIST_SEED: &[u8; 32] = b"Tabia: the keys of the positions";
const MAGIC_SEED: &[u8; 32] = b"Tabia: magics for sliding pieces";

const ROOK_STEPS: [(i8, i8); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const BISHOP_STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    write(&out, "zobrist.rs", zobrist_source());
    write(&out, "magics.rs", magics_source());
    write(&out, "network.rs", network_source(&out));
    write(&out, "openings.bin", deflate(packed_openings().as_bytes()));
    if env::var_os("CARGO_FEATURE_CLI").is_some() {
        pack_page(&out);
    }
    describe_build();
}

fn write(folder: &str, name: impl AsRef<Path>, contents: impl AsRef<[u8]>) {
    fs::write(Path::new(folder).join(name), contents).expect("OUT_DIR can be written");
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(bytes, 10)
}

/// Generates `KEYS`: 12×64 piece-square keys, 16 for castling rights, 8 for e.p. files, 1 for the
/// side to move.
fn zobrist_source() -> String {
    let mut rng = ChaCha20Rng::from_seed(*ZOBRIST_SEED);
    let keys: Vec<u64> = (0..12 * 64 + 16 + 8 + 1).map(|_| rng.next_u64()).collect();
    array_source("KEYS", &keys)
}

fn array_source(name: &str, values: &[u64]) -> String {
    let mut text = format!("static {name}: [u64; {}] = [", values.len());
    for (i, value) in values.iter().enumerate() {
        let separator = if i % 8 == 0 { "\n" } else { " " };
        write!(text, "{separator}{value:#x},").expect("strings take any text");
    }
    text.push_str("\n];\n");
    text
}

fn magics_source() -> String {
    let mut rng = ChaCha20Rng::from_seed(*MAGIC_SEED);
    let mut table = Vec::new();
    let mut text = String::new();
    for (name, steps) in [("ROOK_MAGICS", ROOK_STEPS), ("BISHOP_MAGICS", BISHOP_STEPS)] {
        writeln!(text, "static {name}: [Magic; 64] = [").expect("strings take any text");
        for square in 0..64 {
            let mask = relevant_occupancy(square, &steps);
            let shift = 64 - mask.count_ones();
            let (magic, attacks) = find_magic(square, mask, &steps, &mut rng);
            writeln!(
                text,
                "Magic {{ mask: {mask:#x}, factor: {magic:#x}, offset: {}, shift: {shift} }},",
                table.len()
            )
            .expect("strings take any text");
            table.extend(attacks);
        }
        text.push_str("];\n");
    }
    text + &array_source("SLIDER_ATTACKS", &table)
}

/// Returns the attacks of a slider, the first blocker of each ray included.
fn walk(square: u8, occupied: u64, steps: &[(i8, i8)]) -> u64 {
    let mut attacks = 0;
    for (file_step, rank_step) in steps {
        let (mut file, mut rank) = (square as i8 % 8 + file_step, square as i8 / 8 + rank_step);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let bit = 1u64 << (rank * 8 + file);
            attacks |= bit;
            if occupied & bit != 0 {
                break;
            }
            (file, rank) = (file + file_step, rank + rank_step);
        }
    }
    attacks
}

/// Returns each ray except its last square, where a blocker hides nothing.
fn relevant_occupancy(square: u8, steps: &[(i8, i8)]) -> u64 {
    let all = walk(square, 0, steps);
    let matters = |bit: &u64| walk(square, *bit, steps) != all;
    (0..64).map(|index| 1u64 << index).filter(matters).sum()
}

/// Returns a factor that maps every occupancy to a slot with its attacks, and the slots.
fn find_magic(square: u8, mask: u64, steps: &[(i8, i8)], rng: &mut ChaCha20Rng) -> (u64, Vec<u64>) {
    let bits = mask.count_ones();
    let occupancies: Vec<(u64, u64)> =
        subsets(mask).map(|occupied| (occupied, walk(square, occupied, steps))).collect();
    loop {
        // Sparse factors work more often: they spread the mask with few carries.
        let factor = rng.next_u64() & rng.next_u64() & rng.next_u64();
        if (mask.wrapping_mul(factor) >> 56).count_ones() < 6 {
            continue;
        }
        // No attack set is empty, so zero marks a free slot.
        let mut slots = vec![0; 1 << bits];
        let fits = occupancies.iter().all(|&(occupied, attacks)| {
            let slot = &mut slots[(occupied.wrapping_mul(factor) >> (64 - bits)) as usize];
            let free = *slot == 0 || *slot == attacks;
            *slot = attacks;
            free
        });
        if fits {
            return (factor, slots);
        }
    }
}

/// Enumerates the subsets of a mask (carry-rippler).
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let current = next?;
        let following = current.wrapping_sub(mask) & mask;
        next = (following != 0).then_some(following);
        Some(current)
    })
}

/// Writes the rows of the network to files as the program keeps them: feature weights in eight
/// bits, the other rows in 16 bits and the byte order of the target.
fn network_source(out: &str) -> String {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let other = match env::var("EVALFILE") {
        Ok(name) => Some(name).filter(|name| !name.is_empty()),
        Err(env::VarError::NotPresent) => None,
        Err(error) => panic!("EVALFILE: {error}"),
    };
    let is_default = other.is_none();
    let name = other.unwrap_or_else(|| NETWORK.to_owned());
    println!("cargo::rerun-if-changed={name}");
    let path = fs::canonicalize(&name).unwrap_or_else(|error| panic!("network {name}: {error}"));
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("network {name}: {error}"));
    let network = Parameters::from_bytes(&bytes);
    let network = network.unwrap_or_else(|error| panic!("network {name}: {error}"));
    let is_big_endian = env::var("CARGO_CFG_TARGET_ENDIAN").is_ok_and(|order| order == "big");
    let to_bytes = |word: &i16| if is_big_endian { word.to_be_bytes() } else { word.to_le_bytes() };
    let weights: Vec<u8> = network.feature_weights.iter().map(|&weight| weight as u8).collect();
    write(out, "weights.bin", weights);
    let rows = [&network.feature_biases, &network.output_weights];
    let rows: Vec<u8> = rows.into_iter().flatten().flat_map(to_bytes).collect();
    write(out, "rows.bin", rows);
    format!(
        "pub(super) const HIDDEN: usize = {};\npub(super) const BUCKETS: usize = {};\n\
         pub(super) const IS_DEFAULT: bool = {is_default};\n\
         pub(super) const HASH: [u8; 32] = {:?};\n\
         pub(super) static OUTPUT_BIASES: [i32; BUCKETS] = {:?};\n",
        network.shape.hidden,
        network.shape.buckets,
        &Sha256::digest(&bytes)[..],
        network.output_biases
    )
}

/// Packs the names of openings, before they are compressed. `src/openings.rs` unpacks them.
///
/// A line for the moves of each opening, sorted, an empty line, and a line for the ECO code and the
/// name of each. A line has only what differs from the line before: it begins with a letter that
/// stands for the number of equal moves, or of equal characters, `A` for none.
fn packed_openings() -> String {
    println!("cargo::rerun-if-changed={OPENINGS}");
    let mut openings: Vec<(Vec<String>, String)> = Vec::new();
    for volume in ["a", "b", "c", "d", "e"] {
        let name = format!("{OPENINGS}/{volume}.tsv");
        let text = fs::read_to_string(&name).unwrap_or_else(|error| panic!("{name}: {error}"));
        for row in text.lines().skip(1) {
            let [eco, name, moves] = row.split('\t').collect::<Vec<_>>()[..] else {
                panic!("{name}: '{row}' has not three columns");
            };
            let moves = moves.split(' ').filter(|word| !word.ends_with('.'));
            openings.push((moves.map(str::to_owned).collect(), format!("{eco} {name}")));
        }
    }
    openings.sort();
    let (mut lines, mut names) = (String::new(), String::new());
    let (mut last_moves, mut last_name): (&[String], &str) = (&[], "");
    for (moves, name) in &openings {
        let shared = equal_items(moves.iter(), last_moves.iter());
        lines += &format!("{}{}\n", count_letter(shared), moves[shared..].join(" "));
        // At most so many that the letter is a printable one.
        let shared = equal_items(name.chars(), last_name.chars()).min(60);
        names.push(count_letter(shared));
        names.extend(name.chars().skip(shared));
        names.push('\n');
        (last_moves, last_name) = (moves, name);
    }
    lines + "\n" + &names
}

fn equal_items<T: PartialEq>(a: impl Iterator<Item = T>, b: impl Iterator<Item = T>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

fn count_letter(count: usize) -> char {
    char::from(b'A' + u8::try_from(count).expect("openings are short"))
}

/// Writes the files of the page into the folder `web` of the output, each compressed.
/// `src/web/http_response.rs` includes them.
fn pack_page(out: &str) {
    let page = PAGE.map(|name| Path::new("web").join(name));
    for path in &page {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let (folders, mut files): (Vec<_>, Vec<_>) = page.into_iter().partition(|path| path.is_dir());
    for folder in &folders {
        fs::create_dir_all(Path::new(out).join(folder)).expect("OUT_DIR can be written");
        let entries = fs::read_dir(folder).expect("the folder can be read");
        files.extend(entries.map(|entry| entry.expect("the folder can be read").path()));
    }
    for file in files {
        let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        write(out, &file, deflate(&bytes));
    }
}

/// Records the build for `compiler` and `--version`.
fn describe_build() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let compiler =
        output_of(Command::new(rustc).arg("--version")).unwrap_or_else(|| "unknown".into());
    println!("cargo::rerun-if-env-changed=TABIA_RELEASE");
    // A release is known by its version alone: `make release` sets the variable.
    let is_release = env::var("TABIA_RELEASE").is_ok_and(|value| value == "1");
    let commit = git(&["rev-parse", "--short=8", "HEAD"]).filter(|_| !is_release);
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let package = env::var("CARGO_PKG_VERSION").expect("cargo sets the version");
    let version = match commit {
        Some(commit) if sources_differ_from_head() => format!("{package}-{commit}-dirty"),
        Some(commit) => format!("{package}-{commit}"),
        None => package,
    };
    println!("cargo::rustc-env=TABIA_VERSION={version}");
    println!("cargo::rustc-env=TABIA_RUSTC={compiler}");
    println!("cargo::rustc-env=TABIA_TARGET={}", env::var("TARGET").unwrap_or_default());
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    println!("cargo::rustc-env=TABIA_FEATURES={features}");
}

/// Returns whether the program is built from other sources than those of its commit.
fn sources_differ_from_head() -> bool {
    let sources = [
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "src",
        // Embedded files.
        NETWORK,
        OPENINGS,
        "perft/standard.epd",
        "perft/tricky.epd",
        "web/index.html",
        "web/module.js",
        "web/native",
        "web/page",
        "web/rules.js",
        "web/style.css",
    ];
    for source in sources {
        println!("cargo::rerun-if-changed={source}");
    }
    let status = ["--no-optional-locks", "status", "--porcelain", "--"];
    git(&[&status[..], &sources[..]].concat()).is_some()
}

/// Returns `None` in an unpacked archive, even if it lies in another repository.
fn git(arguments: &[&str]) -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    output_of(Command::new("git").args(arguments))
}

fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
