//! Incremental state after make, unmake and null move equals that of a board parsed from the FEN.

use tabia::board::Board;
use tabia::board::fen::FenStyle;
use tabia::types::{Bitboard, CastlingRights, Color, Square};
use tabia::zobrist::Key;

use crate::support::{TestRng, random_positions, suite};

/// Everything a board keeps besides the placement.
#[derive(Debug, PartialEq)]
struct Facts {
    key: Key,
    pawn_key: Key,
    minor_key: Key,
    non_pawn_keys: [Key; 2],
    checkers: Bitboard,
    pinned: Bitboard,
    threats: Bitboard,
    attacks: [Bitboard; Color::COUNT],
    en_passant: Option<Square>,
    castling_rights: CastlingRights,
}

impl Facts {
    fn of(board: &Board) -> Self {
        Self {
            key: board.key(),
            pawn_key: board.pawn_key(),
            minor_key: board.minor_key(),
            non_pawn_keys: Color::ALL.map(|color| board.non_pawn_key(color)),
            checkers: board.checkers(),
            pinned: board.pinned(),
            threats: board.threats(),
            attacks: Color::ALL.map(|color| board.attacks_by(color)),
            en_passant: board.en_passant(),
            castling_rights: board.castling_rights(),
        }
    }
}

fn shredder(board: &Board) -> String {
    board.fen(FenStyle::Shredder)
}

fn assert_facts_are_fresh(board: &Board) {
    let fen = shredder(board);
    let fresh = Board::from_fen(&fen).unwrap();
    assert_eq!(Facts::of(board), Facts::of(&fresh), "{fen}");
}

/// Runs `change` and asserts that it leaves the board as it was.
pub(crate) fn assert_restored(board: &mut Board, change: impl FnOnce(&mut Board)) {
    let (fen, facts) = (shredder(board), Facts::of(board));
    change(board);
    assert_eq!((shredder(board), Facts::of(board)), (fen, facts));
}

fn check_null_move(board: &mut Board) {
    if !board.in_check() {
        let attacks = Color::ALL.map(|color| board.attacks_by(color));
        assert_restored(board, |board| {
            board.make_null_move();
            assert_facts_are_fresh(board);
            // What a side attacks does not depend on the side to move.
            assert_eq!(Color::ALL.map(|color| board.attacks_by(color)), attacks);
            board.unmake_move();
        });
    }
}

fn check_tree(board: &mut Board, depth: u32) {
    assert_facts_are_fresh(board);
    check_null_move(board);
    if depth > 0 {
        for mv in board.legal_moves() {
            assert_restored(board, |board| {
                board.make_move(mv);
                check_tree(board, depth - 1);
                board.unmake_move();
            });
        }
    }
}

/// Walks the trees of a suite to the largest depth with at most `limit` leaves.
fn check_suite(name: &str, limit: u64) {
    for case in suite(name) {
        let depths = case.counts.iter().filter(|(_, leaves)| *leaves <= limit);
        let depth = depths.map(|(depth, _)| *depth).max().unwrap_or(0);
        check_tree(&mut Board::from_fen(&case.fen).unwrap(), depth);
    }
}

#[test]
fn castling_that_exchanges_king_and_rook_keeps_the_state_fresh() {
    let fen = "3r3k/8/8/8/8/8/8/5KR1 w G - 0 1";
    check_tree(&mut Board::from_fen(fen).unwrap(), 2);
}

#[test]
fn state_is_fresh_over_perft_trees() {
    check_suite("standard", 10_000);
    check_suite("tricky", 10_000);
    check_suite("chess960", 500);
}

#[test]
#[ignore = "walks 22 million positions"]
fn state_is_fresh_over_deep_perft_trees() {
    check_suite("standard", 500_000);
    check_suite("tricky", 500_000);
    check_suite("chess960", 20_000);
}

#[test]
fn state_is_fresh_in_random_games() {
    random_positions(1, 100_000, |board| {
        assert_facts_are_fresh(board);
        check_null_move(board);
    });
}

#[test]
fn a_whole_game_unmakes_to_its_start() {
    let mut rng = TestRng::new(2);
    for game in 0..200 {
        let mut board = rng.start(game % 2 == 1);
        assert_restored(&mut board, |board| {
            let mut played = 0;
            while let Some(mv) = rng.choose(&board.legal_moves()).filter(|_| played < 200) {
                board.make_move(mv);
                played += 1;
            }
            (0..played).for_each(|_| board.unmake_move());
        });
    }
}

fn after(fen: &str, moves: &str) -> Board {
    let mut board = Board::from_fen(fen).unwrap();
    for text in moves.split_whitespace() {
        let mv = board.parse_move(text).unwrap_or_else(|| panic!("{text} is not legal"));
        board.make_move(mv);
    }
    board
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn transpositions_have_the_same_key() {
    let pairs = [
        (START, "e2e4 e7e5 g1f3 b8c6", "g1f3 b8c6 e2e4 e7e5"),
        (START, "a2a4 g8f6 b2b4 f6g8", "b2b4 g8f6 a2a4 f6g8"),
        (START, "a2a4 h7h6 b2b4 g7g6", "b2b4 g7g6 a2a4 h7h6"),
        (START, "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6", "c2c4 g8f6 b1c3 e7e6 d2d4 d7d5"),
        // Both sides castle, in either order.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e8c8 a1b1", "a1b1 e8c8 e1g1"),
        // The rook's move loses the right, even if it returns.
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1h2 a8a7 h2h1 a7a8", "h1g1 a8b8 g1h1 b8a8"),
    ];
    for (fen, one, other) in pairs {
        assert_eq!(Facts::of(&after(fen, one)), Facts::of(&after(fen, other)), "{one} / {other}");
    }
}

#[test]
fn lost_rights_and_the_side_to_move_change_the_key() {
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let key = Board::from_fen(castles).unwrap().key();
    assert_ne!(after(castles, "h1h2 h8h7 h2h1 h7h8").key(), key);
    assert_ne!(after(castles, "e1e2 e8e7 e2e1 e7e8").key(), key);
    let mut passed = Board::from_fen(castles).unwrap();
    passed.make_null_move();
    assert_ne!(passed.key(), key);
}

#[test]
fn en_passant_counts_only_if_the_capture_is_legal() {
    let same_key = |one: &str, other: &str| {
        Board::from_fen(one).unwrap().key() == Board::from_fen(other).unwrap().key()
    };
    // No pawn can capture.
    assert_eq!(after(START, "e2e4").en_passant(), None);
    assert_eq!(after(START, "e2e4 d7d5 e4e5 f7f5").en_passant(), Some(Square::F6));
    // The capture exposes the king on the rank, or the capturing pawn is pinned to its file.
    assert!(same_key("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1"));
    assert!(same_key("4k3/8/8/8/3Pp3/8/8/K3R3 b - d3 0 1", "4k3/8/8/8/3Pp3/8/8/K3R3 b - - 0 1"));
    // The capture is legal.
    assert!(!same_key("4k3/8/8/8/3Pp3/8/8/K7 b - d3 0 1", "4k3/8/8/8/3Pp3/8/8/K7 b - - 0 1"));
}

#[test]
fn different_positions_have_different_keys() {
    let mut seen = std::collections::HashMap::new();
    random_positions(3, 50_000, |board| {
        let fen = shredder(board);
        let position = fen.rsplitn(3, ' ').nth(2).unwrap().to_owned();
        let first = seen.entry(board.key()).or_insert_with(|| position.clone());
        assert_eq!(*first, position, "two positions with one key");
    });
}
