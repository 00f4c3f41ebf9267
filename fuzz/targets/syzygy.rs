//! Tablebases: damaged tables are refused or give some value, soon and without a panic.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tabia::board::Board;
use tabia::tablebase::Tablebases;

const TABLES: [(&str, &str); 5] =
    [("KQvK", "KQk"), ("KPvK", "KPk"), ("KRvKR", "KRkr"), ("KNvKN", "KNkn"), ("KPvKP", "KPkp")];

/// Folder of this process, in memory if possible.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let place = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let folder = place.join(format!("tabia-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the tables");
    folder
});

/// Returns a table with this magic number, padded with zeros to a valid length.
fn table(magic: [u8; 4], bytes: &[u8]) -> Vec<u8> {
    let mut bytes = [&magic[..], bytes].concat();
    while bytes.len() % 64 != 16 {
        bytes.push(0);
    }
    bytes
}

/// Puts the pieces on squares that the number selects; `None` if they are illegal there.
fn position(pieces: &str, mut number: u64) -> Option<Board> {
    let mut squares = [None; 64];
    for piece in pieces.chars() {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        squares[(number >> 58) as usize] = Some(piece);
    }
    let letter = |square: &Option<char>| square.unwrap_or('1');
    let rank = |rank: &[Option<char>]| rank.iter().map(letter).collect::<String>();
    let ranks: Vec<String> = squares.chunks(8).map(rank).collect();
    let turn = if number & 1 == 0 { 'w' } else { 'b' };
    Board::from_fen(&format!("{} {turn} - - 0 1", ranks.join("/"))).ok()
}

fuzz_target!(|data: &[u8]| {
    let [kind, low, high, rest @ ..] = data else { return };
    let (name, pieces) = TABLES[usize::from(*kind) % TABLES.len()];
    let split = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
    let (wdl, dtz) = rest.split_at(split);
    let path = FOLDER.join(name);
    fs::write(path.with_extension("rtbw"), table([0x71, 0xE8, 0x23, 0x5D], wdl)).expect("written");
    fs::write(path.with_extension("rtbz"), table([0xD7, 0x66, 0x0C, 0xA5], dtz)).expect("written");
    let (tables, _) = Tablebases::open(FOLDER.to_str().expect("UTF-8"));
    for mut board in (0..40).filter_map(|number| position(pieces, number)) {
        let _ = (tables.probe_wdl(&mut board), tables.probe_dtz(&mut board));
        let legal = board.legal_moves();
        if let Some(known) = tables.known_moves(&board, &legal, true) {
            assert_eq!(known.len(), legal.len());
        }
    }
    drop(tables);
    for extension in ["rtbw", "rtbz"] {
        fs::remove_file(path.with_extension(extension)).expect("removed");
    }
});
