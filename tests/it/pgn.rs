//! Games in PGN and moves in SAN, against what python-chess reads in the same files.
//!
//! `tests/clients/pgn_oracle.py` writes the random games and the expected facts.

use std::fs;
use std::path::Path;

use tabia::board::{Board, FenStyle};
use tabia::pgn::{GameMove, PgnGame, PgnLine, Reader, result_text};

fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    fs::read_to_string(path).unwrap()
}

fn games(text: &str) -> Vec<PgnGame> {
    Reader::new(text.as_bytes()).map(Result::unwrap).collect()
}

/// Returns result, last position and all moves in the form of the fixtures.
fn facts(game: &PgnGame) -> String {
    let mut board = game.start.clone();
    let mut words = comments(&game.line.comments);
    describe_moves(&game.line.moves, &mut board, &mut words);
    game.line.moves.iter().for_each(|played| board.make_move(played.mv.unwrap()));
    let result = result_text(game.result);
    let fen = board.fen(FenStyle::Shredder);
    format!("{result} | {fen} | {}", words.join(" "))
}

/// Appends the moves of a line, and leaves the position as it was.
fn describe_moves(moves: &[GameMove], board: &mut Board, words: &mut Vec<String>) {
    for played in moves {
        let mv = played.mv.unwrap();
        words.push(mv.display(true).to_string());
        let mut nags = played.nags.clone();
        nags.sort_unstable();
        words.extend(nags.iter().map(|nag| format!("${nag}")));
        words.extend(comments(&played.comments));
        for PgnLine { comments: before, moves } in &played.variations {
            words.push("(".to_owned());
            words.extend(comments(before));
            describe_moves(moves, board, words);
            words.push(")".to_owned());
        }
        board.make_move(mv);
    }
    moves.iter().for_each(|_| board.unmake_move());
}

/// Returns all comments as one, as python-chess joins them.
fn comments(comments: &[String]) -> Vec<String> {
    if comments.is_empty() { Vec::new() } else { vec![format!("{{{}}}", comments.join(" "))] }
}

fn check_facts(text: &str, expected: &str) {
    let games = games(text);
    assert_eq!(games.len(), expected.lines().count());
    for (game, expected) in games.iter().zip(expected.lines()) {
        assert_eq!(facts(game), expected);
        assert!(game.notes.is_empty(), "{:?}", game.notes);
    }
}

#[test]
fn games_are_read_as_python_chess_reads_them() {
    for name in ["random", "masters"] {
        check_facts(&data(&format!("{name}.pgn")), &data(&format!("{name}.txt")));
    }
}

#[test]
fn games_are_the_same_after_writing() {
    for name in ["random", "masters"] {
        let written: Vec<String> =
            games(&data(&format!("{name}.pgn"))).iter().map(|game| format!("{game}\n")).collect();
        check_facts(&written.concat(), &data(&format!("{name}.txt")));
    }
    let masters = games(&data("masters.pgn")).iter().map(PgnGame::to_string).collect::<String>();
    assert!(masters.lines().all(|line| line.len() <= 80), "{masters}");
}

#[test]
fn moves_are_written_and_parsed_as_python_chess_does() {
    for line in data("san.txt").lines() {
        let (fen, expected) = line.split_once(" | ").unwrap();
        let board = Board::from_fen(fen).unwrap();
        let mut found: Vec<String> = Vec::new();
        for mv in board.legal_moves() {
            let san = board.san(mv);
            assert_eq!(board.parse_san(&san), Ok(mv), "{san} in {fen}");
            found.push(san);
        }
        found.sort();
        assert_eq!(found.join(" "), expected, "{fen}");
    }
}

#[test]
fn an_awkward_file_is_read_with_its_faults() {
    let text = data("awkward.pgn");
    let (games, errors): (Vec<_>, Vec<_>) = Reader::new(text.as_bytes()).partition(Result::is_ok);
    let games: Vec<PgnGame> = games.into_iter().map(Result::unwrap).collect();
    let plies: Vec<usize> = games.iter().map(|game| game.line.moves.len()).collect();
    assert_eq!(plies, [20, 6, 12, 8, 6, 9, 3, 7]);
    assert!(errors.is_empty(), "{errors:?}");
    let cuts: Vec<String> =
        games.iter().flat_map(|game| &game.cut).map(ToString::to_string).collect();
    assert_eq!(
        cuts,
        [
            "game 6, Black's move 5, line 41, column 49: 'Bee7' is not a legal move",
            "game 7, line 45, column 16: the comment that begins here has no '}'",
        ]
    );
    let first = games[0].to_string();
    for part in ["the Grünfeld", "[%clk 1:29:58]", "Nf6!?", "(3. Nf3 b6 4. g3)", "c5 $10"] {
        assert!(first.contains(part), "{part} in {first}");
    }
    assert_eq!(games[0].tags.get("Site"), Some("https://example.org/\"quoted\" \\ path"));
    let notes: Vec<String> =
        games.iter().flat_map(|game| &game.notes).map(|n| n.to_string()).collect();
    assert_eq!(
        notes,
        [
            "line 50: the tag Result is 1-0, but the moves end with 0-1",
            "line 50: the last move is checkmate, but the moves end with 0-1",
        ]
    );
    // Line ends of Windows change the places no more than the games.
    let windows = text.replace('\n', "\r\n");
    let same: Vec<String> =
        Reader::new(windows.as_bytes()).flatten().map(|game| game.to_string()).collect();
    assert_eq!(same, games.iter().map(|game| game.to_string()).collect::<Vec<_>>());
}
