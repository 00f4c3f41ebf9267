//! Opening books: real files, damaged files, and play by the real program.

use std::fs;
use std::path::{Path, PathBuf};

use tabia::board::Board;
use tabia::book::{self, Book, polyglot_key};

use crate::session::{Session, check_search, run_with, scratch};
use crate::support::{TestRng, folder_beside};

/// Returns the bytes of a book entry for the start position.
fn entry(from_to: u16, weight: u16) -> Vec<u8> {
    let key = polyglot_key(&Board::startpos());
    [&key.to_be_bytes()[..], &from_to.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
}

const E2E4: u16 = 12 << 6 | 28;
const D2D4: u16 = 11 << 6 | 27;
const A2A3: u16 = 8 << 6 | 16;

/// Writes a book with three moves for the start position; the last has weight zero.
fn small_book(name: &str) -> PathBuf {
    let path = scratch(name);
    fs::write(&path, [entry(D2D4, 30), entry(E2E4, 90), entry(A2A3, 0)].concat()).unwrap();
    path
}

/// Returns the books in the folder that `TABIA_BOOKS` names, or in the one beside the project.
fn real_books() -> Vec<PathBuf> {
    let Some(folder) = folder_beside("TABIA_BOOKS", "books") else { return Vec::new() };
    let paths = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "bin")).collect()
}

#[test]
fn real_books_are_read_and_followed() {
    let mut rng = TestRng::new(7);
    for path in real_books() {
        let book = Book::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let bytes = fs::read(&path).unwrap();
        assert_eq!(book.len(), bytes.len() / 16);
        let mut moves_played = 0;
        for _ in 0..200 {
            let mut board = Board::startpos();
            let number = |rng: &mut TestRng| rng.below(usize::MAX >> 33) as u64;
            while let Some(mv) = book::choose(&book.moves(&board), number(&mut rng)) {
                board.make_move(mv);
                moves_played += 1;
                if board.fullmove_number() > 100 {
                    break;
                }
            }
        }
        // A book without moves for the start position serves a special purpose.
        let starts_at_startpos = !book.moves(&Board::startpos()).is_empty();
        assert!(moves_played > 1000 || !starts_at_startpos, "{}", path.display());

        let parsed = |bytes: &[u8]| Book::parse(bytes).map(|book| book.len());
        assert!(parsed(&bytes[..bytes.len() - 1]).is_err(), "{}: truncated", path.display());
        assert!(parsed(&bytes[1..]).is_err(), "{}: without its first byte", path.display());
        let reversed: Vec<u8> = bytes.chunks(16).rev().flatten().copied().collect();
        assert!(parsed(&reversed).is_err(), "{}: reversed", path.display());
    }
}

#[test]
fn random_bytes_never_panic_or_match_the_start_position() {
    let mut rng = TestRng::new(8);
    for round in 0..2000 {
        let bytes: Vec<u8> = (0..round % 100).map(|_| rng.below(256) as u8).collect();
        if let Ok(book) = Book::parse(&bytes) {
            // One entry is always sorted, two sometimes are.
            assert_eq!(book.moves(&Board::startpos()), []);
            assert!(bytes.len() <= 32, "{bytes:?}");
        }
    }
}

#[test]
fn book_moves_are_played_with_a_score_unless_the_search_is_restricted() {
    let book = small_book("play.bin");
    let mut session = Session::start_uci();
    session.send("setoption name OwnBook value true");
    session.send(&format!("setoption name Book File value {}", book.display()));
    assert!(session.until_ready()[0].ends_with(": 3 entries"));
    let mut played = Vec::new();
    for _ in 0..60 {
        session.send("position startpos\ngo wtime 60000 btime 60000");
        let lines = session.expect("bestmove");
        check_search(&Board::startpos(), &lines);
        assert!(lines[0].ends_with(" is a book move"), "{lines:?}");
        played.push(lines[lines.len() - 1][9..13].to_owned());
    }
    played.sort();
    played.dedup();
    assert_eq!(played, ["d2d4", "e2e4"]);

    session.send("setoption name Best Book Move value true");
    for _ in 0..10 {
        session.send("go movetime 1");
        assert_eq!(session.best_move(), "e2e4");
    }
    for quiet in ["go depth 2 searchmoves g1f3", "go mate 1 nodes 100"] {
        session.send(quiet);
        let lines = session.expect("bestmove");
        assert!(!lines.iter().any(|line| line.contains("book")), "{quiet}: {lines:?}");
    }
    for option in ["UCI_AnalyseMode value true", "OwnBook value false"] {
        session.send(&format!("setoption name {option}\ngo depth 2"));
        let lines = session.expect("bestmove");
        assert!(!lines.iter().any(|line| line.contains("book")), "{option}: {lines:?}");
        session.send("setoption name UCI_AnalyseMode value false");
    }
    session.assert_alive();
    session.quit();
    fs::remove_file(book).unwrap();
}

#[test]
fn an_invalid_book_is_rejected_and_the_old_one_kept() {
    let book = small_book("kept.bin");
    let damaged = scratch("damaged.bin");
    fs::write(&damaged, [entry(E2E4, 1), vec![0; 16]].concat()).unwrap();
    let empty = scratch("empty.bin");
    fs::write(&empty, "").unwrap();
    let mut session = Session::start_uci();
    session.send("setoption name OwnBook value true");
    session.send(&format!("setoption name Book File value {}", book.display()));
    session.until_ready();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (path, reason) in [
        (damaged.as_path(), "entry 2 is out of order"),
        (&empty, "empty"),
        (folder, "not a regular file"),
        (Path::new("/no/such/book.bin"), "; keeping the old book"),
    ] {
        session.send(&format!("setoption name Book File value {}", path.display()));
        let error = session.until_ready().remove(0);
        assert!(error.starts_with("info string error: Book File '"), "{error}");
        assert!(error.contains(reason), "{error}");
    }
    session.send("go depth 1");
    assert!(session.expect("bestmove")[0].ends_with("is a book move"));
    session.send("setoption name Book File value <empty>\ngo depth 1");
    let lines = session.expect("bestmove");
    assert!(!lines.iter().any(|line| line.ends_with("is a book move")), "{lines:?}");
    session.quit();
    for path in [book, damaged, empty] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn the_book_command_lists_moves_weights_and_shares() {
    let book = small_book("a list.bin");
    let file = book.display().to_string();
    let (ok, lines) = run_with(&["book", &file]);
    assert!(ok, "{lines:?}");
    assert_eq!(lines[0], format!("{file}: 3 entries, 3 for key 463b96181691fc9c"));
    let rest: Vec<Vec<&str>> = lines[1..].iter().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(rest[0], ["e2e4", "weight", "90", "share", "75.0", "%"]);
    assert_eq!(rest[1], ["d2d4", "weight", "30", "share", "25.0", "%"]);
    assert_eq!(rest[2], ["a2a3", "weight", "0", "share", "0.0", "%"]);

    let (ok, lines) = run_with(&["book", &file, "4k3/8/8/8/8/8/8/4K3", "w", "-", "-", "0", "1"]);
    assert!(ok && lines.len() == 1 && lines[0].contains(", 0 for key "), "{lines:?}");
    let (ok, lines) = run_with(&["book", &file, "4k3/8/8/8/8/8/8/8", "w"]);
    assert!(!ok && lines[0].contains("bad FEN"), "{lines:?}");
    let (ok, lines) = run_with(&["book", "/no/such/book.bin"]);
    assert!(!ok && lines[0].contains("/no/such/book.bin"), "{lines:?}");
    fs::remove_file(book).unwrap();
}
