//! What the library records of a search.

use tabia::board::Board;
use tabia::search::{
    Limits, NodeEnding, NodeKind, Outcome, Pruning, RecordedNode, SearchPool, SearchRequest,
    SearchTree, record, run,
};
use tabia::types::Score;

const FENS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/5pk1/R5p1/7p/7P/5KP1/r4P2/8 w - - 10 45",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
];

fn request(fen: &str, depth: i32) -> SearchRequest {
    let board = Board::from_fen(fen).expect("a legal position");
    SearchRequest::new(board, Limits { depth: Some(depth), ..Limits::default() })
}

fn recorded(fen: &str, depth: i32) -> (Outcome, SearchTree) {
    record(request(fen, depth), 16, usize::MAX).expect("16 MiB")
}

#[test]
fn a_recorded_search_is_that_of_a_pool() {
    for fen in FENS {
        let (outcome, tree) = recorded(fen, 9);
        let (expected, lines) = run(&mut SearchPool::new(1), request(fen, 9));
        assert_eq!(outcome, expected, "{fen}");
        assert_eq!(Some(&tree.pv[..]), lines.last().map(|line| &line.pv[..]), "{fen}");
    }
}

#[test]
fn the_counts_add_up_to_the_nodes() {
    for fen in FENS {
        let (outcome, tree) = recorded(fen, 10);
        let nodes: u64 = tree.iterations.iter().map(|counts| counts.nodes).sum();
        assert_eq!(nodes, outcome.nodes, "{fen}");
        for counts in &tree.iterations {
            let ended: u64 = NodeEnding::ALL.iter().map(|&ending| counts.ended(ending)).sum();
            assert_eq!(ended, counts.nodes, "{fen}: {counts:?}");
            assert_eq!(counts.ended(NodeEnding::Stopped), 0, "{fen}: {counts:?}");
            assert!(counts.tt_hits <= counts.tt_probes && counts.tt_probes <= counts.nodes);
            assert!(counts.first_move_cutoffs <= counts.ended(NodeEnding::BetaCutoff));
            assert!(counts.windows > 0 && counts.quiescence < counts.nodes);
        }
        let last = tree.iterations.last().expect("ten iterations");
        let singular = tree.nodes.iter().filter(|node| node.kind == NodeKind::Singular).count();
        assert_eq!(tree.nodes.len() - singular, last.nodes as usize, "{fen}");
        assert_eq!(singular, last.singular_searches as usize, "{fen}");
        for pruning in Pruning::ALL {
            let pruned = tree.nodes.iter().flat_map(|node| &node.pruned);
            let count = pruned.filter(|(_, reason)| *reason == pruning).count();
            assert_eq!(count, last.pruned(pruning) as usize, "{fen}: {pruning:?}");
        }
    }
}

#[test]
fn children_belong_to_their_parents() {
    for fen in FENS {
        let (_, tree) = recorded(fen, 10);
        let mut below: Vec<u64> = tree.nodes.iter().map(|_| 0).collect();
        for (index, node) in tree.nodes.iter().enumerate() {
            let Some(parent) = node.parent else {
                assert_eq!((node.ply, node.kind), (0, NodeKind::Main));
                continue;
            };
            assert!(parent < index);
            below[parent] += node.nodes;
            let plies = node.ply - tree.nodes[parent].ply;
            assert_eq!(plies, usize::from(!node.is_same_position()), "{fen}: {node:?}");
            let has_move = !matches!(
                node.kind,
                NodeKind::NullMove | NodeKind::Verification | NodeKind::Razoring
            );
            assert_eq!(node.mv.is_some(), has_move, "{fen}: {node:?}");
        }
        for (node, below) in tree.nodes.iter().zip(below) {
            let own = u64::from(node.kind != NodeKind::Singular);
            assert_eq!(node.nodes, below + own, "{fen}: {node:?}");
        }
    }
}

#[test]
fn scores_agree_with_the_endings() {
    let mut found = Vec::new();
    for fen in FENS {
        let (_, tree) = recorded(fen, 12);
        for node in &tree.nodes {
            let score = node.score.expect("nothing stops the search");
            let is_high = score >= node.beta;
            let agrees = match node.ending {
                NodeEnding::BetaCutoff => is_high && node.searched > 0,
                NodeEnding::StandPat => is_high && node.searched == 0 && node.depth == 0,
                NodeEnding::ReverseFutility | NodeEnding::NullMove | NodeEnding::MultiCut => {
                    is_high
                }
                NodeEnding::ProbCut => is_high,
                NodeEnding::AllMoves => !is_high,
                NodeEnding::NoMoves => node.searched == 0 && node.pruned.is_empty(),
                // A repetition may have raised alpha to the draw after the window was recorded.
                NodeEnding::TtCutoff => is_high || score <= node.alpha.max(Score::DRAW),
                NodeEnding::Razoring | NodeEnding::Rule => true,
                NodeEnding::Tablebase | NodeEnding::Stopped => false,
            };
            assert!(agrees, "{fen}: {node:?}");
            found.push(node.ending);
        }
    }
    let missing = NodeEnding::ALL.into_iter().filter(|ending| !found.contains(ending));
    assert_eq!(missing.collect::<Vec<_>>(), [NodeEnding::Tablebase, NodeEnding::Stopped]);
}

#[test]
fn the_limit_drops_nodes_and_no_counts() {
    let (_, all) = recorded(FENS[1], 7);
    let (_, some) = record(request(FENS[1], 7), 16, 100).expect("16 MiB");
    assert_eq!(some.iterations, all.iterations);
    assert_eq!(some.nodes, all.nodes[..100]);
}

#[test]
fn a_search_that_is_stopped_has_open_nodes() {
    let mut request = request(FENS[1], 30);
    request.limits.nodes = Some(50_000);
    let (outcome, tree) = record(request, 16, usize::MAX).expect("16 MiB");
    let last = tree.iterations.last().expect("an iteration");
    let nodes: u64 = tree.iterations.iter().map(|counts| counts.nodes).sum();
    assert_eq!(nodes, outcome.nodes);
    assert!(last.ended(NodeEnding::Stopped) > 0);
    let is_stopped_root =
        |node: &RecordedNode| node.parent.is_none() && node.ending == NodeEnding::Stopped;
    assert!(tree.nodes.iter().any(is_stopped_root));
}
