//! Syzygy tables: known distances, wins within the distance, and damaged or missing files.
//!
//! Uses the tables in the folder that `TABIA_SYZYGY` names, or in the one beside the project.
//! `tests/clients/syzygy.py` compares every table with another implementation.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tabia::board::Board;
use tabia::tablebase::{KnownMove, Tablebases, Wdl};
use tabia::types::Move;

use crate::session::{Session, best_move_of, check_search, number_after, pv_of, scratch};
use crate::support::{TestRng, folder_beside};

pub(crate) fn folder() -> Option<PathBuf> {
    folder_beside("TABIA_SYZYGY", "syzygy")
}

pub(crate) fn best_moves(known: &[KnownMove]) -> Vec<Move> {
    let best = known.iter().map(KnownMove::rank).max();
    known.iter().filter(|known| Some(known.rank()) == best).map(|known| known.mv).collect()
}

pub(crate) fn open(folder: &Path) -> Tablebases {
    Tablebases::open(folder.to_str().unwrap()).0
}

fn session_with(folder: &Path) -> Session {
    let mut session = Session::start_uci();
    session.send(&format!("setoption name SyzygyPath value {}", folder.display()));
    let lines = session.until_ready();
    assert!(lines.last().unwrap().contains(" WDL and "), "{lines:?}");
    session
}

/// Plays both sides of bishop and knight against king and checks that it mates in time.
///
/// The mate is far too deep for the node limit, so only the tables can find it. Near the end a
/// search may find a mate, which it prefers to a shorter way of the tables.
fn mate_with_bishop_and_knight(session: &mut Session, go: &str) {
    let mut board = Board::from_fen("8/8/3k4/8/8/3K4/8/2BN4 w - - 0 1").unwrap();
    while board.has_legal_move() && !board.is_fifty_move_draw() {
        let shredder = board.fen(tabia::board::FenStyle::Shredder);
        session.send(&format!("position fen {shredder}\n{go}"));
        let lines = session.expect("bestmove");
        // The position was sent without earlier moves, so lines may repeat their positions.
        check_search(&Board::from_fen(&shredder).unwrap(), &lines);
        assert!(last_lines(&lines).is_sorted_by(|a, b| a.1 >= b.1), "{lines:?}");
        board.make_move(board.parse_move(best_move_of(&lines)).unwrap());
    }
    assert!(board.in_check() && !board.has_legal_move(), "{}", board.pretty());
}

/// Returns a random legal position with these pieces, such as `KQk`, White to move.
pub(crate) fn random_position(rng: &mut TestRng, pieces: &str) -> Board {
    loop {
        let mut squares = [' '; 64];
        for piece in pieces.chars() {
            squares[rng.below(64)] = piece;
        }
        let rank = |rank: &[char]| rank.iter().collect::<String>().replace(' ', "1");
        let placement = squares.chunks(8).map(rank).collect::<Vec<_>>().join("/");
        let count = placement.chars().filter(|c| c.is_ascii_alphabetic()).count();
        if let Ok(board) = Board::from_fen(&format!("{placement} w - - 0 1"))
            && count == pieces.len()
        {
            return board;
        }
    }
}

#[test]
fn longest_wins_match_the_known_distances() {
    let Some(folder) = folder() else { return };
    let tables = open(&folder);
    let mut rng = TestRng::new(1);
    // Without pawns and captures DTZ is the distance to mate: at most 10, 16 and 33 moves.
    for (pieces, moves, seen) in [("KQk", 10, 18), ("KRk", 16, 29), ("KBNk", 33, 58)] {
        let mut longest = 0;
        for _ in 0..4000 {
            let mut board = random_position(&mut rng, pieces);
            let plies = tables.probe_dtz(&mut board).unwrap();
            assert!((0..=2 * moves).contains(&plies), "{pieces}: {plies}");
            longest = longest.max(plies);
        }
        assert!(longest >= seen, "{pieces}: {longest}");
    }
}

#[test]
fn single_positions() {
    let Some(folder) = folder() else { return };
    let tables = open(&folder);
    let wdl = |fen: &str| tables.probe_wdl(&mut Board::from_fen(fen).unwrap());
    let dtz = |fen: &str| tables.probe_dtz(&mut Board::from_fen(fen).unwrap());
    // The opposition decides.
    assert_eq!(wdl("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), Some(Wdl::Win));
    assert_eq!(wdl("4k3/8/8/4K3/4P3/8/8/8 w - - 0 1"), Some(Wdl::Win));
    assert_eq!(wdl("4k3/8/8/4K3/4P3/8/8/8 b - - 0 1"), Some(Wdl::Draw));
    // Checkmate, stalemate, mate in one.
    assert_eq!(dtz("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), Some(-1));
    assert_eq!(dtz("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(0));
    assert_eq!(dtz("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), Some(1));
    // Bare kings need no table. Castling rights and too many pieces are not covered.
    assert_eq!(wdl("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), Some(Wdl::Draw));
    assert_eq!(wdl("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
    assert_eq!(wdl("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1"), None);
    // En passant changes the result; the table does not include it.
    assert_eq!(wdl("8/8/8/3k4/5pP1/8/2K5/8 b - g3 0 1"), Some(Wdl::Win));
    assert_eq!(wdl("8/8/8/3k4/5pP1/8/2K5/8 b - - 0 1"), Some(Wdl::Draw));
}

#[test]
fn wins_are_played_within_the_distance() {
    let Some(folder) = folder() else { return };
    let tables = open(&folder);
    let mut rng = TestRng::new(2);
    for pieces in ["KQk", "KRk", "KBNk", "KQkr", "KPk", "KBBk", "KRPk"] {
        let mut games = 0;
        while games < 20 {
            let mut board = random_position(&mut rng, pieces);
            if tables.probe_wdl(&mut board) != Some(Wdl::Win) {
                continue;
            }
            games += 1;
            let fen = board.pretty();
            let mut left = tables.probe_dtz(&mut board).unwrap() + 1;
            while board.has_legal_move() {
                assert!(left > 0 && !board.is_fifty_move_draw(), "{fen}");
                let known = tables.known_moves(&board, &board.legal_moves(), true).unwrap();
                let best = best_moves(&known);
                let mv = best[rng.below(best.len())];
                board.make_move(mv);
                left -= 1;
                if board.halfmove_clock() == 0 {
                    left = tables.probe_dtz(&mut board).unwrap().abs() + 1;
                }
            }
            assert!(board.in_check(), "stalemate: {fen}");
        }
    }
}

#[test]
fn a_win_beyond_the_fifty_move_limit_is_a_draw() {
    let Some(folder) = folder() else { return };
    let tables = open(&folder);
    // Mate takes more than 20 moves, but the clock leaves only 20.
    let late = "8/8/8/4k3/8/8/8/KBN5 w - - 60 1";
    let board = Board::from_fen(late).unwrap();
    let legal = board.legal_moves();
    let strict = tables.known_moves(&board, &legal, true).unwrap();
    let loose = tables.known_moves(&board, &legal, false).unwrap();
    // The fastest win is best with and without the rule.
    assert_eq!(best_moves(&strict), best_moves(&loose));
    let result = |known: &[KnownMove]| known.iter().map(|known| known.wdl).max().unwrap();
    assert_eq!((result(&strict), result(&loose)), (Wdl::CursedWin, Wdl::Win));
    assert_eq!(strict.len(), legal.len());
    let mut session = session_with(&folder);
    session.send(&format!("position fen {late}\ntb"));
    session.expect("White to move: draw by the fifty-move rule, else a win, DTZ ");
    session.send("setoption name Syzygy50MoveRule value false\ntb");
    session.expect("White to move: win, DTZ ");
    session.quit();
    // This table counts in moves: its 4 plies mean 5, which is one too late.
    let board = Board::from_fen("8/8/1p6/8/2P3k1/1K6/8/8 w - - 96 90").unwrap();
    let known = tables.known_moves(&board, &board.legal_moves(), true).unwrap();
    assert_eq!(result(&known), Wdl::CursedWin);
}

#[test]
fn moves_that_leave_castling_rights_have_no_results() {
    let Some(folder) = folder() else { return };
    let tables = open(&folder);
    for (rights, is_known) in [("k", false), ("-", true)] {
        let board = Board::from_fen(&format!("4k2r/8/8/8/8/8/8/4K3 w {rights} - 0 1")).unwrap();
        let known = tables.known_moves(&board, &board.legal_moves(), true);
        assert_eq!(known.is_some(), is_known, "{rights}");
    }
}

/// Returns first moves and scores of the PVs of the last depth, best first.
fn last_lines(lines: &[String]) -> Vec<(String, i64)> {
    let depth = lines.iter().filter_map(|line| number_after(line, "depth")).max();
    let of_depth = lines.iter().filter(|line| number_after(line, "depth") == depth);
    of_depth
        .map(|line| {
            let mate = number_after(line, "mate").map(|moves| moves.signum() * 30_000 - moves);
            (pv_of(line)[0].to_owned(), mate.or(number_after(line, "cp")).unwrap())
        })
        .collect()
}

#[test]
fn analysis_finds_mates_and_scores_all_moves() {
    let Some(folder) = folder() else { return };
    let mut session = session_with(&folder);
    // The tables prefer the pawn move, but there is a mate in two.
    let fen = "7k/8/5K2/8/8/8/QP6/8 w - - 0 1";
    let board = Board::from_fen(fen).unwrap();
    session.send(&format!("position fen {fen}\ngo mate 2"));
    let lines = session.expect("bestmove");
    check_search(&board, &lines);
    assert_eq!(number_after(&lines[lines.len() - 2], "mate"), Some(2), "{lines:?}");

    // Each move has its tablebase score, and the PVs are sorted by score.
    let tables = open(&folder);
    session.send("setoption name MultiPV value 50");
    for fen in ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "8/8/8/8/8/1k6/1p6/1K1N4 w - - 0 1"] {
        let mut board = Board::from_fen(fen).unwrap();
        session.send(&format!("position fen {fen}\ngo depth 6"));
        let lines = session.expect("bestmove");
        check_search(&board, &lines);
        let found = last_lines(&lines);
        assert_eq!(found.len(), board.legal_moves().len(), "{lines:?}");
        assert!(found.is_sorted_by(|a, b| a.1 >= b.1), "{found:?}");
        for (mv, score) in found {
            board.make_move(board.parse_move(&mv).unwrap());
            let known = match -tables.probe_wdl(&mut board).unwrap() {
                Wdl::Win => 19_999..=30_000,
                Wdl::Loss => -30_000..=-19_999,
                _ => 0..=0,
            };
            board.unmake_move();
            assert!(known.contains(&score), "{fen}: {mv} {score}");
        }
    }
    session.quit();
}

#[test]
fn options_control_probing() {
    let Some(folder) = folder() else { return };
    let mut session = session_with(&folder);
    // Five pieces, four after a capture; and a mate beyond the fifty-move limit.
    let five = "8/8/8/3k4/8/1p6/8/KBN5 w - - 0 1";
    let late = "8/8/8/4k3/8/8/8/KBN5 w - - 60 90";
    let cases = [
        (five, "SyzygyProbeLimit value 7", "tbhits", Some(true)),
        (five, "SyzygyProbeLimit value 3", "tbhits", Some(false)),
        (five, "SyzygyProbeDepth value 50", "tbhits", Some(false)),
        (late, "Syzygy50MoveRule value true", "cp", Some(false)),
        (late, "Syzygy50MoveRule value false", "cp", Some(true)),
    ];
    let defaults = ["SyzygyProbeLimit value 7", "SyzygyProbeDepth value 1"];
    for (fen, option, word, expected) in cases {
        for option in defaults.iter().chain([&option]) {
            session.send(&format!("setoption name {option}"));
        }
        session.send(&format!("ucinewgame\nposition fen {fen}\ngo depth 6"));
        let lines = session.expect("bestmove");
        let last = number_after(&lines[lines.len() - 2], word);
        assert_eq!(last.map(|number| number > 0), expected, "{option}: {lines:?}");
    }
    session.quit();
}

#[test]
fn multi_pv_makes_progress_towards_mate() {
    let Some(folder) = folder() else { return };
    let mut session = session_with(&folder);
    session.send("setoption name MultiPV value 4\nsetoption name Threads value 2");
    mate_with_bishop_and_knight(&mut session, "go nodes 2000");
    session.quit();
}

#[test]
fn results_are_kept_without_dtz_tables() {
    let Some(from) = folder() else { return };
    let folder =
        copies(&from, "tables without distances", &["KPvK", "KQvK", "KRvK", "KBvK", "KNvK"]);
    for file in fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_some_and(|extension| extension == "rtbz") {
            fs::remove_file(file).unwrap();
        }
    }
    let tables = open(&folder);
    // Only king moves in front of the pawn win.
    let board = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
    let known = tables.known_moves(&board, &board.legal_moves(), true).unwrap();
    assert!(known.iter().all(|known| known.dtz.is_none()));
    let winning = ["e1d2", "e1f2"];
    assert_eq!(best_moves(&known), winning.map(|mv| board.parse_move(mv).unwrap()));

    let mut session = session_with(&folder);
    session.send("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\ngo depth 1");
    assert!(winning.contains(&session.best_move().as_str()));
    // WDL tables ignore the clock, so the search decides.
    session.send("position fen 8/8/8/4k3/8/8/8/K1Q5 w - - 99 90\ngo depth 4");
    let lines = session.expect("bestmove");
    assert_eq!(number_after(&lines[lines.len() - 2], "cp"), Some(0), "{lines:?}");
    session.quit();
    drop(tables);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_table_is_reported() {
    let Some(from) = folder() else { return };
    let folder = copies(&from, "a damaged table", &["KPvKP"]);
    let path = folder.join("KPvKP.rtbw");
    let mut rng = TestRng::new(4);
    let mut bytes = fs::read(&path).unwrap();
    let half = bytes.len() / 2;
    bytes[half..].fill_with(|| rng.below(256) as u8);
    fs::write(&path, bytes).unwrap();
    let mut session = session_with(&folder);
    for _ in 0..50 {
        let fen = random_position(&mut rng, "KPkp").fen(tabia::board::FenStyle::Standard);
        session.send(&format!("position fen {fen}\ntb"));
    }
    let lines = session.until_ready();
    let is_report = |line: &&String| line.contains("KPvKP.rtbw: damaged");
    // At most once per command, however many moves are probed.
    assert!((1..=50).contains(&lines.iter().filter(is_report).count()), "{lines:?}");
    session.quit();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn missing_tables_are_reported_once() {
    let Some(from) = folder() else { return };
    let folder = copies(&from, "tables that vanish", &["KQvK"]);
    let mut session = session_with(&folder);
    fs::remove_dir_all(&folder).unwrap();
    session.send("position fen 8/8/8/3k4/8/8/8/K5Q1 w - - 0 1\ngo depth 2");
    let lines = session.expect("bestmove");
    let is_report =
        |line: &&String| line.contains("error: SyzygyPath") && line.contains("KQvK.rtb");
    assert_eq!(lines.iter().filter(is_report).count(), 1, "{lines:?}");
    session.send("go depth 2");
    let lines = session.expect("bestmove");
    assert_eq!(lines.iter().filter(is_report).count(), 0, "{lines:?}");
    session.quit();
}

#[test]
fn a_table_that_failed_to_open_is_tried_again() {
    let folder = scratch("tables that come back");
    fs::create_dir_all(&folder).unwrap();
    made_up_wdl(&folder, "KBNvK", &[6, 3, 2, 14], [4, 0]);
    let tables = open(&folder);
    let (here, away) = (folder.join("KBNvK.rtbw"), folder.join("away"));
    let mut board = Board::from_fen(BISHOP_AND_KNIGHT).unwrap();
    fs::rename(&here, &away).unwrap();
    assert_eq!(tables.probe_wdl(&mut board), None);
    fs::rename(&away, &here).unwrap();
    // Not before the next search, and the failure is reported once.
    assert_eq!(tables.probe_wdl(&mut board), None);
    let (count, first) = tables.take_errors().unwrap();
    assert!(count == 1 && first.contains("KBNvK.rtbw: "), "{count} {first}");
    assert_eq!(tables.probe_wdl(&mut board), Some(Wdl::Win));
    assert_eq!(tables.take_errors(), None);
    // Windows removes no folder of files that are open.
    drop(tables);
    fs::remove_dir_all(folder).unwrap();
}

/// White's pieces cannot be taken after any of his moves.
const BISHOP_AND_KNIGHT: &str = "7k/8/8/8/8/8/2N5/KB6 w - - 0 1";

/// Writes a WDL table with one value for each side to move. The pieces are those of its name.
fn made_up_wdl(folder: &Path, name: &str, pieces: &[u8], [white, black]: [u8; 2]) {
    let mut bytes = vec![0x71, 0xE8, 0x23, 0x5D, 1, 0x11];
    bytes.extend(pieces.iter().map(|piece| piece << 4 | piece));
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    bytes.extend([0x80, white, 0x80, black]);
    bytes.resize(80, 0);
    fs::write(folder.join(name).with_extension("rtbw"), bytes).unwrap();
}

#[test]
fn a_made_up_table_does_not_hold_the_engine() {
    let folder = scratch("a made-up table");
    fs::create_dir_all(&folder).unwrap();
    made_up_wdl(&folder, "KBNvK", &[6, 3, 2, 14], [4, 0]);
    // Eight million blocks of eight bytes and one value. The only index entry, for 2²⁴ positions,
    // names the last block, so millions of lengths lie between it and a position.
    let blocks = 1u32 << 23;
    let mut bytes = vec![0xD7, 0x66, 0x0C, 0xA5, 1, 1, 6, 3, 2, 14];
    bytes.extend([1, 3, 24, 0]);
    bytes.extend(blocks.to_le_bytes());
    // One code of one bit, for one symbol, which is the value 0.
    bytes.extend([1, 1, 0, 0, 1, 0, 0, 0xF0, 0xFF, 0]);
    bytes.extend((blocks - 1).to_le_bytes());
    let path = folder.join("KBNvK.rtbz");
    fs::write(&path, &bytes).unwrap();
    // The rest is a hole of zeros in the file.
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len((u64::from(blocks) * 10 + 256).next_multiple_of(64) + 16).unwrap();

    let tables = open(&folder);
    let board = Board::from_fen(BISHOP_AND_KNIGHT).unwrap();
    let legal = board.legal_moves();
    let start = Instant::now();
    let known = tables.known_moves(&board, &legal, true).unwrap();
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(known.iter().all(|known| known.wdl == Wdl::Win && known.dtz.is_none()));
    let (_, first) = tables.take_errors().unwrap();
    assert!(first.ends_with("damaged: a position is too far from its index entry"), "{first}");
    drop((file, tables));
    fs::remove_dir_all(folder).unwrap();
}

/// Creates a folder with copies of some tables.
fn copies(from: &Path, name: &str, tables: &[&str]) -> PathBuf {
    let to = scratch(name);
    fs::create_dir_all(&to).unwrap();
    for table in tables {
        for extension in ["rtbw", "rtbz"] {
            let file = format!("{table}.{extension}");
            fs::write(to.join(&file), fs::read(from.join(&file)).unwrap()).unwrap();
        }
    }
    to
}

/// Probes many positions and ignores the results.
fn probe_many(tables: &Tablebases, rng: &mut TestRng, pieces: &str) {
    for _ in 0..200 {
        let mut board = random_position(rng, pieces);
        let _ = (tables.probe_wdl(&mut board), tables.probe_dtz(&mut board));
    }
}

#[test]
fn damaged_tables_do_not_crash_probing() {
    let Some(from) = folder() else { return };
    let mut rng = TestRng::new(3);
    let names = ["KQvK", "KRPvK", "KPvKP", "KPvK", "KBvK", "KRvK", "KRvKP"];
    let folder = copies(&from, "damaged tables", &names);
    let read = |path: &Path| fs::read(path).unwrap();
    let files: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|path| (path.clone(), read(&path)))
        .collect();
    for round in 0..24 {
        for (path, good) in &files {
            let mut bytes = good.clone();
            match round % 4 {
                // A few bytes, most of them in the header.
                0 => {
                    (0..3).for_each(|_| bytes[rng.below(good.len().min(200))] ^= 1 << rng.below(8))
                }
                1 => (0..50).for_each(|_| bytes[rng.below(good.len())] = rng.below(256) as u8),
                // Truncated to a valid length.
                2 => bytes.truncate((good.len() / 64).min(1 + rng.below(20)) * 64 + 16),
                _ => bytes[4..].fill_with(|| rng.below(256) as u8),
            }
            fs::write(path, bytes).unwrap();
        }
        let tables = open(&folder);
        for pieces in ["KQk", "KRPk", "KPkp", "KPk", "KBk", "KRk", "KRkp"] {
            probe_many(&tables, &mut rng, pieces);
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn damaged_headers_of_equal_pawns_do_not_crash_probing() {
    let Some(from) = folder() else { return };
    let folder = copies(&from, "damaged headers", &["KPvKP"]);
    let mut rng = TestRng::new(5);
    let mut probe_with = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        let good = fs::read(&path).unwrap();
        fs::write(&path, bytes).unwrap();
        // The other tables are those of the second folder.
        let folders = std::env::join_paths([&folder, &from]).unwrap();
        let (tables, inventory) = Tablebases::open(folders.to_str().unwrap());
        for _ in 0..20 {
            let mut board = random_position(&mut rng, "KPkp");
            let _ = (tables.probe_wdl(&mut board), tables.probe_dtz(&mut board));
        }
        drop(tables);
        fs::write(&path, good).unwrap();
        inventory.rejected
    };
    // A header has 5 bytes, then 6 for each file: two orders and four pieces.
    for name in ["KPvKP.rtbw", "KPvKP.rtbz"] {
        let mut bytes = fs::read(folder.join(name)).unwrap();
        bytes.swap(13, 14);
        let rejected = probe_with(name, &bytes);
        let error = rejected.first().expect("a rejected table").1.to_string();
        assert_eq!(error, "damaged: the leading pawns differ in colour");
    }
    // Then the values of each file begin with flags, the lowest of which is the side to move.
    for place in 29..120 {
        let mut bytes = fs::read(folder.join("KPvKP.rtbz")).unwrap();
        bytes[place] ^= 1;
        probe_with("KPvKP.rtbz", &bytes);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn only_valid_tables_are_counted_and_missing_ones_are_tolerated() {
    let Some(from) = folder() else { return };
    let one = copies(&from, "tables one", &["KQvK", "KRvK"]);
    let two = copies(&from, "tables two", &["KQvK", "KBNvK", "KPvK"]);
    fs::write(one.join("KQvK.rtbw"), "no table").unwrap();
    fs::write(two.join("KPvK.rtbz"), vec![7; 80]).unwrap();
    fs::write(two.join("readme.txt"), "not counted").unwrap();
    let folders = std::env::join_paths([&one, &two, Path::new("/no/such/folder")]).unwrap();
    let (tables, inventory) = Tablebases::open(folders.to_str().unwrap());
    assert_eq!((inventory.wdl, inventory.dtz, inventory.largest), (4, 3, 4));
    let reasons: Vec<String> = inventory.rejected.iter().map(|(_, e)| e.to_string()).collect();
    assert_eq!(reasons.len(), 3, "{reasons:?}");
    assert!(reasons[0].contains("8 bytes") && reasons[1].contains("not a table"), "{reasons:?}");

    let mut board = Board::from_fen("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1").unwrap();
    assert_eq!(tables.probe_wdl(&mut board), Some(Wdl::Win));
    fs::remove_file(one.join("KRvK.rtbw")).unwrap();
    let mut other = Board::from_fen("7k/8/6K1/8/8/8/8/5R2 w - - 0 1").unwrap();
    assert_eq!(tables.probe_wdl(&mut other), None);
    assert_eq!(tables.known_moves(&other, &other.legal_moves(), true), None);
    drop(tables);
    fs::remove_dir_all(one).unwrap();
    fs::remove_dir_all(two).unwrap();
}

#[test]
fn the_program_plays_by_the_tables() {
    let Some(folder) = folder() else { return };
    let mut session = session_with(&folder);
    mate_with_bishop_and_knight(&mut session, "go nodes 1000");
    // A capture leads to bishop and knight: a tablebase win, 20000 minus one ply.
    let board = Board::from_fen("8/8/8/3k4/8/1p6/8/KBN5 w - - 0 1").unwrap();
    let five = board.fen(tabia::board::FenStyle::Standard);
    session.send(&format!("ucinewgame\nposition fen {five}\ngo depth 8"));
    let lines = session.expect("bestmove");
    check_search(&board, &lines);
    let last = &lines[lines.len() - 2];
    assert_eq!(number_after(last, "cp"), Some(19_999), "{lines:?}");
    assert!(number_after(last, "tbhits") > Some(0), "{lines:?}");
    session.send("position fen 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\ntb");
    assert_eq!(session.expect("White to move:").pop().unwrap(), "White to move: win, DTZ 1");
    session.send("setoption name SyzygyPath value /no/such/folder");
    let lines = session.until_ready();
    assert!(lines.iter().any(|line| line.contains("error: SyzygyPath")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("0 WDL and 0 DTZ")), "{lines:?}");
    // The previous tables stay loaded.
    session.send("tb");
    assert_eq!(session.expect("White to move:").pop().unwrap(), "White to move: win, DTZ 1");
    session.send("setoption name SyzygyPath value <empty>\ntb");
    let error = session.expect("info string error: tb:").pop().unwrap();
    assert!(error.contains("no tablebases are loaded"), "{error}");
    session.assert_alive();
    session.quit();
}
