//! Won endings against a bare king: without tablebases, the search mates within fifty moves against
//! the longest defence, which the tables give.

use std::thread;

use tabia::board::{Board, FenStyle};
use tabia::eval::endings;
use tabia::search::{Limits, STACK_BYTES, SoloSearch};
use tabia::tablebase::{Tablebases, Wdl};
use tabia::types::{Depth, Score};

use crate::support::TestRng;
use crate::tablebase::{best_moves, folder, open, random_position};

fn with_stack<T: Send>(task: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, task);
        thread.unwrap().join().unwrap()
    })
}

/// Plays a won position: the search for the side to move, the longest defence for the other.
/// Returns whether it ended in mate rather than in a draw.
fn is_won(search: &mut SoloSearch, tables: &Tablebases, mut board: Board, nodes: u64) -> bool {
    search.clear();
    let winner = board.side_to_move();
    while board.has_legal_move() {
        if board.is_threefold() || board.is_fifty_move_draw() || board.is_insufficient_material() {
            return false;
        }
        let mv = if board.side_to_move() == winner {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            search.search(&board, limits).best.unwrap()
        } else {
            best_moves(&tables.known_moves(&board, &board.legal_moves(), true).unwrap())[0]
        };
        board.make_move(mv);
    }
    board.in_check()
}

/// Plays random won positions of an ending, every second one with Black as the winner. Returns
/// those that ended in a draw.
fn drawn_games(tables: &Tablebases, pieces: &str, nodes: u64, games: usize) -> Vec<String> {
    let mut search = SoloSearch::new(16).unwrap();
    let mut rng = TestRng::new(3);
    let mut drawn = Vec::new();
    for game in 0..games {
        let mut board = random_position(&mut rng, pieces);
        while tables.probe_wdl(&mut board) != Some(Wdl::Win) {
            board = random_position(&mut rng, pieces);
        }
        if game % 2 == 1 {
            board = board.flipped();
        }
        let fen = board.fen(FenStyle::Standard);
        if !is_won(&mut search, tables, board, nodes) {
            drawn.push(fen);
        }
    }
    drawn
}

/// Ending that is to be won.
struct Ending {
    /// `KQk` is a queen against a bare king.
    pieces: &'static str,
    /// Nodes for each move.
    nodes: u64,
    most_drawn: usize,
}

const QUEEN_ROOK_BISHOPS: [Ending; 3] = [
    Ending { pieces: "KQk", nodes: 3_000, most_drawn: 0 },
    Ending { pieces: "KRk", nodes: 3_000, most_drawn: 0 },
    Ending { pieces: "KBBk", nodes: 8_000, most_drawn: 0 },
];

fn check_wins(endings: &[Ending], games: usize) {
    let Some(folder) = folder() else { return };
    let tables = open(&folder);
    for &Ending { pieces, nodes, most_drawn } in endings {
        let drawn = with_stack(|| drawn_games(&tables, pieces, nodes, games));
        assert!(drawn.len() <= most_drawn, "{pieces}, {nodes} nodes: drawn from {drawn:?}");
    }
}

#[test]
fn queen_rook_or_bishops_win() {
    check_wins(&QUEEN_ROOK_BISHOPS, 4);
}

#[test]
#[ignore = "ten million nodes, some seconds"]
fn queen_rook_or_bishops_always_win() {
    check_wins(&QUEEN_ROOK_BISHOPS, 50);
}

/// About two games in a hundred are drawn, others in each version, so seven of 100 have a chance of
/// 1 in 200. Weights that lose the method draw a quarter or more: lab/strength.md.
#[test]
#[ignore = "160 million nodes, a minute"]
fn bishop_and_knight_nearly_always_win() {
    check_wins(&[Ending { pieces: "KBNk", nodes: 50_000, most_drawn: 6 }], 100);
}

fn score_of(fen: &str, depth: Depth) -> Score {
    let board = Board::from_fen(fen).unwrap();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    with_stack(|| SoloSearch::new(1).unwrap().search(&board, limits).score)
}

#[test]
fn a_piece_that_the_bare_king_captures_does_not_win() {
    // The last piece hangs; a fork wins one of two; the network evaluates the pawn that is left.
    for fen in [
        "8/8/8/8/8/2k5/1R6/4K3 b - - 0 1",
        "8/8/8/3N4/3k4/3B4/8/7K b - - 0 1",
        "8/8/8/8/8/2k5/1R5P/7K b - - 0 1",
    ] {
        assert!(endings::evaluate(&Board::from_fen(fen).unwrap()).is_some(), "{fen}");
        let score = score_of(fen, 1);
        assert!(!endings::is_known(score), "{fen}: {score:?}");
        let score = score_of(&Board::from_fen(fen).unwrap().flipped().fen(FenStyle::Standard), 1);
        assert!(!endings::is_known(score), "{fen} flipped: {score:?}");
    }
}

#[test]
fn stalemate_does_not_win() {
    // After Qf7 the bare king has no move; after Kg6 it is mated.
    let board = Board::from_fen("7k/4Q3/8/6K1/8/8/8/8 w - - 0 1").unwrap();
    let mut stalemate = board.clone();
    stalemate.make_move(stalemate.parse_move("e7f7").unwrap());
    assert!(endings::evaluate(&stalemate).is_some());
    assert_eq!(score_of(&stalemate.fen(FenStyle::Standard), 4), Score::DRAW);
    assert_eq!(score_of(&board.fen(FenStyle::Standard), 4).mate_moves(), Some(2));
}
