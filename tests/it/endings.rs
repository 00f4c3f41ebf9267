//! Known endings beside the tables: without them, the search mates within fifty moves against the
//! longest defence, and scores drawn positions as draws.

use std::thread;

use tabia::board::{Board, FenStyle};
use tabia::eval::chances::normalised;
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

#[test]
fn queen_wins_against_rook() {
    let Some(folder) = folder() else { return };
    let board = Board::from_fen("8/8/Q7/1K6/8/8/5k2/4r3 w - - 0 1").unwrap();
    let mut search = SoloSearch::new(16).unwrap();
    assert!(with_stack(|| is_won(&mut search, &open(&folder), board, 20_000)));
}

#[test]
#[ignore = "40 million nodes"]
fn queen_nearly_always_wins_against_rook() {
    check_wins(&[Ending { pieces: "KQkr", nodes: 20_000, most_drawn: 6 }], 60);
}

/// About six games in a hundred are drawn, others in each version (9 of 160 by two versions from
/// positions of another seed), so 14 of 100 have a chance of 1 in 300. Weights that lose the method
/// draw a quarter or more: lab/strength.md.
#[test]
#[ignore = "160 million nodes, a minute"]
fn bishop_and_knight_nearly_always_win() {
    check_wins(&[Ending { pieces: "KBNk", nodes: 50_000, most_drawn: 13 }], 100);
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

/// Returns a random position with these pieces that the tables give this result, half of them with
/// Black as the first side.
fn position_with(rng: &mut TestRng, tables: &Tablebases, pieces: &str, wdl: Wdl) -> Board {
    loop {
        let mut board = random_position(rng, pieces);
        if !board.has_legal_move() || tables.probe_wdl(&mut board) != Some(wdl) {
            continue;
        }
        return if rng.below(2) == 0 { board } else { board.flipped() };
    }
}

/// Kind of positions of three and four men in which the stronger side often only draws.
struct Drawish {
    pieces: &'static str,
    /// Percentage of drawn positions that may be scored at 0.60 or more for either side, and of won
    /// ones that may be scored below 1.00, with 20 000 nodes. Long wins of a rook against a minor
    /// piece look like draws, and some draws have slightly more than 0.60.
    most_wrong: [usize; 2],
}

const DRAWISH: [Drawish; 8] = [
    Drawish { pieces: "KPk", most_wrong: [0, 0] },
    Drawish { pieces: "KBPk", most_wrong: [0, 0] },
    Drawish { pieces: "KNPk", most_wrong: [0, 0] },
    Drawish { pieces: "KPPk", most_wrong: [0, 0] },
    Drawish { pieces: "KPkp", most_wrong: [0, 0] },
    Drawish { pieces: "KRkp", most_wrong: [0, 0] },
    Drawish { pieces: "KRkb", most_wrong: [20, 34] },
    Drawish { pieces: "KRkn", most_wrong: [20, 34] },
];

fn check_scores(kinds: &[Drawish], positions: usize) {
    let Some(folder) = folder() else { return };
    let tables = open(&folder);
    let mut search = SoloSearch::new(16).unwrap();
    let mut rng = TestRng::new(11);
    for &Drawish { pieces, most_wrong } in kinds {
        for (wdl, most) in [Wdl::Draw, Wdl::Win].into_iter().zip(most_wrong) {
            let mut wrong = Vec::new();
            for _ in 0..positions {
                let board = position_with(&mut rng, &tables, pieces, wdl);
                search.clear();
                let limits = Limits { nodes: Some(20_000), ..Limits::default() };
                let score = with_stack(|| normalised(search.search(&board, limits).score));
                let is_right =
                    if wdl == Wdl::Draw { score.0.abs() < 60 } else { score >= Score(100) };
                if !is_right {
                    wrong.push((board.fen(FenStyle::Standard), score));
                }
            }
            assert!(wrong.len() * 100 <= most * positions, "{pieces}, {wdl:?}: {wrong:#?}");
        }
    }
}

#[test]
fn drawn_endings_are_scored_as_draws() {
    check_scores(&DRAWISH[..6], 2);
}

#[test]
#[ignore = "six million nodes"]
fn many_drawn_endings_are_scored_as_draws() {
    check_scores(&DRAWISH, 15);
}

#[test]
fn two_knights_do_not_win() {
    for fen in ["8/8/4k3/8/8/8/8/1NN1K3 w - - 0 1", "8/8/4k3/8/8/2N5/8/1N2K3 b - - 0 1"] {
        assert_eq!(endings::evaluate(&Board::from_fen(fen).unwrap()), Some(Score::DRAW));
        assert_eq!(score_of(fen, 8), Score::DRAW, "{fen}");
    }
}

#[test]
fn king_and_pawn_are_known_exactly() {
    let Some(folder) = folder() else { return };
    let tables = open(&folder);
    let mut rng = TestRng::new(5);
    let mut draws = 0;
    for number in 0..20_000 {
        // The side to move has the pawn, or the bare king.
        let mut board = random_position(&mut rng, if number % 2 == 0 { "KPk" } else { "Kkp" });
        if board.in_check() || !board.has_legal_move() {
            continue;
        }
        let is_drawn = tables.probe_wdl(&mut board) == Some(Wdl::Draw);
        let expected = is_drawn.then_some(Score::DRAW);
        assert_eq!(endings::evaluate(&board), expected, "{}", board.fen(FenStyle::Standard));
        draws += usize::from(is_drawn);
    }
    assert!(draws > 3_000, "{draws}");
}

#[test]
fn few_mates_come_sooner_than_expected() {
    let Some(folder) = folder() else { return };
    let tables = open(&folder);
    let mut rng = TestRng::new(6);
    for pieces in ["KQk", "KRk", "KBBk", "KBNk"] {
        let (mut sooner, mut all, mut expected, mut needed) = (0, 0, 0, 0);
        for _ in 0..4_000 {
            let mut board = random_position(&mut rng, pieces);
            if tables.probe_wdl(&mut board) == Some(Wdl::Win) {
                // Distances may be one too small.
                let plies = tables.probe_dtz(&mut board).unwrap() + 1;
                let estimate = endings::plies_to_mate(&board);
                all += 1;
                sooner += usize::from(plies < estimate);
                (expected, needed) = (expected + estimate, needed + plies);
            }
        }
        assert!(sooner * 8 < all, "{pieces}: {sooner} of {all}");
        assert!(expected * 2 > needed, "{pieces}: {expected} of {needed} plies");
    }
}

#[test]
fn a_win_that_comes_too_late_is_a_draw() {
    for fen in ["8/8/3B4/3B3k/8/8/3K4/8 w - - 84 90", "4R3/8/8/8/7k/8/8/6K1 w - - 88 90"] {
        let mut search = SoloSearch::new(16).unwrap();
        let board = Board::from_fen(fen).unwrap();
        // The first nine depths see no further than estimates of the mate.
        let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
        assert_eq!(with_stack(|| search.search(&board, limits).score), Score::DRAW, "{fen}");
    }
}

#[test]
fn the_score_of_a_win_falls_with_the_clock() {
    let score = |clock: u32| {
        let fen = format!("8/8/8/3k4/8/8/8/R3K3 w - - {clock} 90");
        let board = Board::from_fen(&fen).unwrap();
        endings::at_clock(&board, endings::evaluate(&board).unwrap()).unwrap()
    };
    assert!(score(0) > score(30) && score(30) > score(60));
    assert!(endings::is_known(score(60)));
    assert_eq!(score(90), Score::DRAW);
}
