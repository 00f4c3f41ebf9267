//! White-box tests: singular searches leave no trace on their node but may drop its TT move, the TT
//! changes no mate, a side that can repeat has a draw, the evaluation of pruned nodes is stored,
//! hidden replies are not searched, and all kernels of the network search the same nodes.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::board::Board;
use crate::eval::Network;
use crate::types::{Bound, Depth, Score};

use super::node::{Searcher, ThreadMemory};
use super::request::{Limits, SearchRequest};
use super::state::{Clock, NodeContext, NodeType, NonPv, Root, SharedState, StopFlag, Window};
use super::tt::{TranspositionTable, TtEntry};

fn board(fen: &str) -> Board {
    Board::from_fen(fen).expect("a legal position")
}

fn search_to_depth<T>(
    board: &Board,
    depth: Depth,
    tt: TranspositionTable,
    inspect: impl FnOnce(&mut Searcher) -> T,
) -> T {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    search_request(SearchRequest::new(board.clone(), limits), tt, inspect)
}

fn search_request<T>(
    request: SearchRequest,
    tt: TranspositionTable,
    inspect: impl FnOnce(&mut Searcher) -> T,
) -> T {
    let shared = SharedState::new(request, Arc::new(tt), Arc::new(StopFlag::new(false)), 1);
    let clock = Clock::managed(&shared.request);
    let mut searcher = Searcher::new(&shared, ThreadMemory::kept_or_new(&mut None), clock, None, 0);
    searcher.iterate();
    inspect(&mut searcher)
}

/// Returns the root's position as a node at ply 1 to which the singular search applies.
fn node(searcher: &mut Searcher, tt: TtEntry) -> NodeContext {
    let evals = searcher.evaluate_node(Some(tt), 1);
    NodeContext {
        ply: 1,
        entry_depth: 8,
        depth: 8,
        window: Window::above(tt.score),
        is_last_pv: false,
        is_cut_node: true,
        tt: Some(tt),
        tt_move: tt.mv,
        excluded: None,
        is_tt_pv: false,
        evals,
        improvement: 0,
        counts_as_improving: false,
    }
}

#[test]
fn a_singular_search_leaves_no_trace_on_its_node() {
    let board = board("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4");
    let tt = TranspositionTable::new(1).expect("one MiB is there");
    search_to_depth(&board, 8, tt, |searcher| {
        let probe = |searcher: &Searcher| searcher.shared.tt.probe(board.search_key(), 1, 5);
        let tt = TtEntry { bound: Bound::Lower, ..probe(searcher).expect("the root is stored") };
        let node = node(searcher, tt);
        let line = searcher.pv.line(1).clone();
        let static_eval =
            |searcher: &Searcher| node.raw_eval().map(|raw| searcher.static_eval(raw, 1));
        let before = (probe(searcher), static_eval(searcher), searcher.nodes);
        let result = searcher.singular_extension::<NonPv>(&mut { node }).expect("nothing stops it");
        assert!(matches!(result, ControlFlow::Continue(-2..=3)));
        assert!(searcher.nodes > before.2, "the other moves were searched");
        assert_eq!(probe(searcher), before.0);
        assert_eq!(static_eval(searcher), before.1);
        assert_eq!(searcher.stack.frame(1).static_eval, before.1);
        assert_eq!(*searcher.pv.line(1), line);
        assert_eq!(searcher.board.key(), board.key());
    });
}

#[test]
fn a_tt_move_is_forgotten_where_another_one_scores_above_it() {
    let board = board("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4");
    let tt = TranspositionTable::new(1).expect("one MiB is there");
    search_to_depth(&board, 8, tt, |searcher| {
        let tt = searcher.shared.tt.probe(board.search_key(), 1, 5).expect("the root is stored");
        let low = TtEntry { bound: Bound::Lower, score: tt.score - 150, ..tt };
        let mut node = node(searcher, low);
        node.window = Window::above(tt.score + 500);
        let result = searcher.singular_extension::<NonPv>(&mut node).expect("nothing stops it");
        assert_eq!((result, node.tt_move), (ControlFlow::Continue(0), None));
    });
}

#[test]
fn a_search_of_some_root_moves_corrects_no_evaluation() {
    let board = board("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    // It loses the bishop. At depth 1 only the root is in the main search.
    let blunder = board.parse_move("f1a6").expect("a legal move");
    let limits = Limits { depth: Some(1), search_moves: vec![blunder], ..Limits::default() };
    let tt = TranspositionTable::new(1).expect("one MiB is there");
    search_request(SearchRequest::new(board, limits), tt, |searcher| {
        let raw = searcher.evaluate();
        assert!(searcher.root.lines()[0].score < raw - 100);
        assert_eq!(searcher.static_eval(raw, 0), raw);
    });
}

#[test]
fn the_only_legal_move_is_singular() {
    let board = board("7k/8/8/8/8/8/6PP/6rK w - - 0 1");
    assert_eq!(board.legal_moves().len(), 1);
    let tt = TranspositionTable::new(1).expect("one MiB is there");
    search_to_depth(&board, 6, tt, |searcher| {
        let mv = board.legal_moves()[0];
        let tt = TtEntry {
            mv: Some(mv),
            score: Score(20),
            raw_eval: None,
            depth: 8,
            bound: Bound::Lower,
            is_pv: false,
        };
        let node = node(searcher, tt);
        let result = searcher.singular_extension::<NonPv>(&mut { node }).expect("nothing stops it");
        assert_eq!(result, ControlFlow::Continue(1));
    });
}

/// Position, moves to mate, and a depth that finds it with a TT of 16 MiB and of a single cluster.
/// The latter needs more: without TT moves, IIR reduces the depth.
const MATES: &[(&str, i32, Depth)] = &[
    ("3qr2k/pbpp2pp/1p5N/3Q2b1/2P1P3/P7/1PP2PPP/R4RK1 w - - 0 1", 2, 14),
    ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 2, 14),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, 32),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3, 18),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, 18),
    ("2k5/Q7/8/8/8/1K6/8/8 w - - 0 1", 4, 36),
    ("6Q1/8/8/3K4/8/8/8/2k5 w - - 0 1", 4, 30),
    ("8/8/8/2Q5/7k/8/8/6K1 w - - 0 1", 4, 24),
    ("8/5k2/3K4/8/8/8/8/1Q6 w - - 0 1", 5, 28),
    ("8/1k6/8/8/6Q1/2K5/8/8 w - - 0 1", 5, 24),
    ("8/8/8/8/6k1/8/3K4/4Q3 w - - 0 1", 5, 38),
];

#[test]
fn the_tt_changes_no_mate() {
    for &(fen, moves, depth) in MATES {
        let board = board(fen);
        let tables = [
            TranspositionTable::new(16).expect("16 MiB are there"),
            TranspositionTable::of_one_cluster(),
        ];
        for tt in tables {
            search_to_depth(&board, depth, tt, |searcher| {
                let score = searcher.outcome().score;
                assert_eq!(score.mate_moves(), Some(moves), "{fen}");
            });
        }
    }
}

/// Plays moves from the root and searches the position after them.
fn search_after<N: NodeType>(
    searcher: &mut Searcher,
    moves: &[&str],
    window: Window,
    depth: Depth,
) -> Score {
    for (ply, text) in moves.iter().enumerate() {
        let mv = searcher.board.parse_move(text).expect("a legal move");
        searcher.make_move(ply, mv);
    }
    searcher.alpha_beta::<N>(window, depth, moves.len(), true).expect("nothing stops it")
}

#[test]
fn a_side_that_can_repeat_has_a_draw() {
    let without_queen = board("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let moves = ["b1c3", "b8c6", "g1f3", "g8f6", "f3g1"];
    for depth in [0, 4] {
        for alpha in [Score(-300), Score(-1)] {
            let tt = TranspositionTable::new(1).expect("one MiB is there");
            search_to_depth(&without_queen, 1, tt, |searcher| {
                let before = searcher.nodes;
                let score = search_after::<NonPv>(searcher, &moves, Window::above(alpha), depth);
                assert_eq!((score, searcher.nodes), (Score::DRAW, before + 1), "{alpha:?}");
            });
        }
        let tt = TranspositionTable::new(1).expect("one MiB is there");
        search_to_depth(&without_queen, 1, tt, |searcher| {
            let window = Window { alpha: Score(-300), beta: Score(300) };
            let score = search_after::<<Root as NodeType>::Next>(searcher, &moves, window, depth);
            assert_eq!(score, Score::DRAW, "depth {depth}");
        });
    }
}

#[test]
fn the_evaluation_of_a_pruned_node_is_stored() {
    let rook_up = board("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1");
    let tt = TranspositionTable::new(1).expect("one MiB is there");
    search_to_depth(&rook_up, 1, tt, |searcher| {
        let window = Window::above(Score(-300));
        let score = search_after::<NonPv>(searcher, &["a2a3", "a7a6"], window, 4);
        assert!(score > window.alpha);
        let entry = searcher.shared.tt.probe(searcher.board.search_key(), 2, 0);
        let entry = entry.expect("the node is stored");
        assert!(!entry.has_result());
        assert_eq!(entry.raw_eval, Some(searcher.evaluate()));
    });
}

#[test]
fn hidden_replies_are_not_searched() {
    // A pawn takes the queen back.
    let board = board("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1");
    let capture = board.parse_move("d1d5").expect("legal");
    let mut after = board.clone();
    after.make_move(capture);
    let reply = after.parse_move("e6d5").expect("legal");
    for depth in 1..=4 {
        let score = |hidden_replies| {
            let (depth, search_moves) = (Some(depth), vec![capture]);
            let limits = Limits { depth, search_moves, ..Limits::default() };
            let tt = TranspositionTable::new(1).expect("one MiB is there");
            let request = SearchRequest::new(board.clone(), limits);
            let request = SearchRequest { hidden_replies, ..request };
            search_request(request, tt, |searcher| searcher.outcome().score)
        };
        let (seen, unseen) = (score(HashSet::new()), score(HashSet::from([(capture, reply)])));
        assert!(unseen > seen + 300, "{seen:?}, {unseen:?} at depth {depth}");
    }
}

#[test]
fn every_kernel_searches_the_same_nodes() {
    for fen in [
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/1PN1PN2/PBP1BPPP/R2Q1RK1 w - - 2 9",
        "r3r1k1/pp3pbp/1qp3p1/2B5/2BP2b1/Q1n2N2/P4PPP/3R1K1R b - - 0 17",
        "8/8/1p1k2p1/p2p3p/P2K1P1P/1P4P1/8/8 w - - 3 44",
    ] {
        let nodes = |network: Network| {
            let limits = Limits { depth: Some(13), ..Limits::default() };
            let network = Arc::new(network);
            let request = SearchRequest { network, ..SearchRequest::new(board(fen), limits) };
            let tt = TranspositionTable::new(16).expect("16 MiB are there");
            search_request(request, tt, |searcher| searcher.nodes)
        };
        let counts: Vec<_> = Network::with_each_kernel().into_iter().map(nodes).collect();
        assert!(counts.iter().all(|&count| count == counts[0]), "{counts:?}: {fen}");
    }
}
