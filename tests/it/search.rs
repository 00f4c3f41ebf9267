//! Black-box tests of the search: mates, draws, PVs, limits, stopping.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use tabia::board::Board;
use tabia::datagen::{GameOptions, Player};
use tabia::search::{
    Info, Limits, Outcome, SearchEvent, SearchHandle, SearchPool, SearchRequest, SoloSearch, run,
};
use tabia::types::{Bound, ColorMap, Depth, Score};

use crate::support::TestRng;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).expect("a legal position")
}

/// Returns the position after these moves from a FEN, or from the start position if it is empty.
fn after(fen: &str, moves: &str) -> Board {
    let mut board = if fen.is_empty() { Board::startpos() } else { board(fen) };
    for text in moves.split_whitespace() {
        let mv = board.parse_move(text).expect("a legal move");
        board.make_move(mv);
    }
    board
}

fn depth(depth: Depth) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn search(board: &Board, limits: Limits) -> (Outcome, Vec<Info>) {
    run(&mut SearchPool::new(1), SearchRequest::new(board.clone(), limits))
}

fn random_positions(count: usize) -> Vec<Board> {
    let mut rng = TestRng::new(7);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut board = Board::startpos();
        for ply in 0..120 {
            let mv = rng.choose(&board.legal_moves()).filter(|_| !board.is_draw(0));
            let Some(mv) = mv else { break };
            board.make_move(mv);
            if ply % 11 == 10 && board.has_legal_move() {
                positions.push(board.clone());
            }
        }
    }
    positions.truncate(count);
    positions
}

/// Checks the info lines and the outcome of a search: the last exact PV matches the best move, all
/// PVs are legal and end with the game, and mate scores have a PV that mates.
fn check_lines(board: &Board, outcome: &Outcome, infos: &[Info]) {
    let context = board.fen(tabia::board::FenStyle::Standard);
    let last = infos
        .iter()
        .rfind(|info| info.bound == Bound::Exact && info.multi_pv == 1)
        .unwrap_or_else(|| panic!("no exact line: {context}"));
    assert_eq!(last.pv.first().copied(), outcome.best, "{context}");
    assert_eq!(last.pv.get(1).copied(), outcome.ponder, "{context}");
    for info in infos {
        let mut line = board.clone();
        for (index, &mv) in info.pv.iter().enumerate() {
            assert!(
                index == 0 || !is_over(&line),
                "the PV continues after the end of the game: {context}"
            );
            assert!(line.is_legal(mv), "{} in {:?}: {context}", mv.display(false), info.pv);
            line.make_move(mv);
        }
        if info.bound == Bound::Exact && info.score.is_mate() {
            let plies = Score::MATE.0 - info.score.0.abs();
            assert_eq!(info.pv.len(), plies as usize, "{:?}: {context}", info.score);
            assert!(line.in_check() && !line.has_legal_move(), "{:?}: {context}", info.score);
        }
    }
}

fn is_over(board: &Board) -> bool {
    board.is_threefold()
        || board.is_fifty_move_draw()
        || board.is_insufficient_material()
        || !board.has_legal_move()
}

/// Deep enough for all of [`MATES`]. The one with bishop and pawns is a zugzwang, which null-move
/// pruning hides until its verification is deep enough.
const MATE_DEPTH: Depth = 32;

/// Positions with a forced mate, and the number of moves.
const MATES: &[(&str, i32)] = &[
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
    ("1k6/8/1K6/8/8/8/8/7R w - - 0 1", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("3qr2k/pbpp2pp/1p5N/3Q2b1/2P1P3/P7/1PP2PPP/R4RK1 w - - 0 1", 2),
    ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", 2),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
];

#[test]
fn mates_are_found_with_their_distance() {
    for &(fen, moves) in MATES {
        let board = board(fen);
        let (outcome, infos) = search(&board, depth(MATE_DEPTH));
        let last = infos.last().expect("a line");
        assert_eq!(last.score.mate_moves(), Some(moves), "{fen}");
        check_lines(&board, &outcome, &infos);
    }
}

/// Queen against bare king with more distant mates. The distances come from Syzygy tables, whose
/// DTZ is the distance to mate where nothing can be captured.
const LONG_MATES: &[(&str, i32)] = &[
    ("2k5/Q7/8/8/8/1K6/8/8 w - - 0 1", 4),
    ("6Q1/8/8/3K4/8/8/8/2k5 w - - 0 1", 4),
    ("8/8/8/2Q5/7k/8/8/6K1 w - - 0 1", 4),
    ("8/5k2/3K4/8/8/8/8/1Q6 w - - 0 1", 5),
    ("8/1k6/8/8/6Q1/2K5/8/8 w - - 0 1", 5),
    ("k7/2Q3K1/8/8/8/8/8/8 w - - 0 1", 6),
];

#[test]
fn long_mates_are_found_with_their_distance() {
    for &(fen, moves) in LONG_MATES {
        let board = board(fen);
        let (outcome, infos) = search(&board, depth(30));
        assert_eq!(outcome.score.mate_moves(), Some(moves), "{fen}");
        check_lines(&board, &outcome, &infos);
    }
}

/// Positions in which a mate was once found and lost again, or reported without its line, with
/// nodes that find one: few nodes, then many.
const FAR_MATES: [&[(&str, u64)]; 2] = [
    &[
        ("1r2Q2K/qk6/4p3/8/8/P7/8/Q7 w - - 0 1", 300_000),
        ("3B3K/8/5Pk1/2pp2p1/1P3pP1/8/2p5/8 w - - 0 1", 500_000),
    ],
    &[
        ("1kr1n3/pp4nr/8/2PN1p2/Q5p1/4RbPq/3B1P2/3R2K1 w - - 0 1", 1_000_000),
        ("1K4n1/NN6/k2pp3/8/3p1p2/1R5b/pp6/2b5 w - - 0 1", 2_000_000),
        ("4K3/5p2/3pk3/4b3/4QB2/8/8/8 w - - 0 1", 1_000_000),
        ("5K2/2q2bpk/8/6R1/1Q6/6b1/3B4/8 w - - 0 1", 1_000_000),
    ],
];

/// Checks that each rank with a mate keeps one for the same side that is at least as short.
fn check_that_mates_stay(infos: &[Info], context: &str) {
    let mut last = [Score::DRAW; 8];
    for info in infos.iter().filter(|info| info.bound == Bound::Exact) {
        let before = std::mem::replace(&mut last[info.multi_pv], info.score);
        let stays = !before.is_mate()
            || info.score.is_mate()
                && if before.is_win() { info.score >= before } else { info.score <= before };
        assert!(stays, "{before:?}, then {:?} in rank {}: {context}", info.score, info.multi_pv);
    }
}

/// Searches positions with a far mate, and those after the best move, where it cannot be avoided,
/// with one line and several, one thread and two. One thread and line find the mate.
fn check_far_mates(mates: &[(&str, u64)]) {
    for &(fen, limit) in mates {
        for (threads, lines) in [(1, 1), (1, 3), (2, 1), (2, 3)] {
            let context = format!("{fen}, {threads} threads, {lines} lines");
            let mut board = board(fen);
            for is_winner in [true, false] {
                let mut request = SearchRequest::new(board.clone(), nodes(limit));
                request.options.multi_pv = lines;
                let (outcome, infos) = run(&mut SearchPool::new(threads), request);
                check_lines(&board, &outcome, &infos);
                check_that_mates_stay(&infos, &context);
                let is_found = outcome.score.is_mate() && outcome.score.is_win();
                assert!(is_found || !is_winner || threads > 1 || lines > 1, "{context}");
                board.make_move(outcome.best.expect("a move"));
            }
        }
    }
}

#[test]
fn a_proven_mate_stays() {
    check_far_mates(FAR_MATES[0]);
}

#[test]
#[ignore = "30 million nodes"]
fn a_far_mate_that_is_proven_stays() {
    check_far_mates(FAR_MATES[1]);
}

#[test]
fn go_mate_stops_at_the_mate() {
    let board = board("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let (outcome, infos) = search(&board, limits);
    assert_eq!(infos.last().and_then(|info| info.score.mate_moves()), Some(3));
    check_lines(&board, &outcome, &infos);
}

#[test]
fn roots_without_legal_moves_have_a_score() {
    for (fen, score) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Score::DRAW),
        ("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", Score::mated_in(0)),
    ] {
        let (outcome, infos) = search(&board(fen), depth(5));
        assert_eq!((outcome.best, outcome.ponder), (None, None));
        assert_eq!(infos.len(), 1);
        assert_eq!((infos[0].depth, infos[0].score, infos[0].pv.len()), (0, score, 0));
    }
}

#[test]
fn stalemate_is_recognised() {
    // The queen mates and must not stalemate.
    let (_, infos) = search(&board("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), depth(8));
    assert_eq!(infos.last().expect("a line").score.mate_moves(), Some(1));
    // Queen against rook: the PV must be legal.
    let board = board("7k/5K2/8/8/8/8/6q1/7R b - - 0 1");
    let (outcome, infos) = search(&board, depth(6));
    check_lines(&board, &outcome, &infos);
}

#[test]
fn the_fifty_move_rule_is_followed() {
    // A rook up, but the next ply without a capture or pawn move draws.
    let drawn = board("8/8/8/4k3/8/8/8/R3K3 w - - 99 80");
    let (outcome, infos) = search(&drawn, depth(6));
    assert_eq!(infos.last().expect("a line").score, Score::DRAW);
    check_lines(&drawn, &outcome, &infos);
    // Mate at the hundredth ply counts.
    let won = board("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    let (outcome, infos) = search(&won, depth(6));
    assert_eq!(infos.last().expect("a line").score.mate_moves(), Some(1));
    check_lines(&won, &outcome, &infos);
    // A pawn move is needed before the fifty-move limit.
    let urgent = board("8/8/8/8/1k6/7P/8/R3K3 w - - 96 80");
    let (outcome, infos) = search(&urgent, depth(10));
    assert!(infos.last().expect("a line").score > Score(300));
    check_lines(&urgent, &outcome, &infos);
}

#[test]
fn repetitions_are_draws() {
    // White is far behind in material but has a perpetual check.
    let fen = "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 32";
    let lost = board(fen);
    let (outcome, infos) = search(&lost, depth(10));
    assert_eq!(infos.last().expect("a line").score, Score::DRAW, "perpetual check");
    check_lines(&lost, &outcome, &infos);
    // One knight move before a threefold repetition.
    let root = after("", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    let (outcome, infos) = search(&root, depth(8));
    check_lines(&root, &outcome, &infos);
}

#[test]
fn pvs_are_legal_and_mates_complete() {
    let mut pool = SearchPool::new(1);
    for (index, board) in random_positions(120).into_iter().enumerate() {
        let limits = if index % 3 == 0 { depth(9) } else { nodes(20_000 + 997 * index as u64) };
        let (outcome, infos) = run(&mut pool, SearchRequest::new(board.clone(), limits));
        check_lines(&board, &outcome, &infos);
    }
}

#[test]
fn pvs_are_legal_with_several_threads() {
    let mut pool = SearchPool::new(3);
    for board in random_positions(30) {
        let (outcome, infos) = run(&mut pool, SearchRequest::new(board.clone(), nodes(60_000)));
        check_lines(&board, &outcome, &infos);
    }
}

/// Returns the positions of games of self-play whose wins are played until mate.
fn self_play_positions(count: usize) -> Vec<Board> {
    let mate = Score::MATE.0 as u64;
    let options = GameOptions { win_score: mate, few_win_score: mate, ..GameOptions::default() };
    let mut player = Player::new(options, 1).unwrap();
    let mut positions = Vec::new();
    for number in 0.. {
        let game = player.play(number, &AtomicBool::new(false)).expect("never stopped");
        game.replay(|board, _, _| positions.push(board.clone()));
        if positions.len() >= count {
            break;
        }
    }
    positions.truncate(count);
    positions
}

#[test]
#[ignore = "10 000 positions, a minute"]
fn every_mate_claimed_in_self_play_is_one() {
    let positions = self_play_positions(10_000);
    for threads in [1, 2] {
        let mut pool = SearchPool::new(threads);
        let (mut first, mut others) = (0, 0);
        for board in &positions {
            let mut request = SearchRequest::new(board.clone(), nodes(4_000));
            request.options.multi_pv = 4;
            let (outcome, infos) = run(&mut pool, request);
            check_lines(board, &outcome, &infos);
            let mates = infos.iter().filter(|info| info.score.is_mate());
            let (of_first, of_others): (Vec<_>, Vec<_>) =
                mates.partition(|info| info.multi_pv == 1);
            (first, others) = (first + of_first.len(), others + of_others.len());
        }
        assert!(first > 2_000 && others > 2_000, "{first} and {others} mates");
    }
}

#[test]
#[ignore = "takes seconds on two cores, minutes on a busy machine"]
fn a_thousand_threads_start_search_and_end() {
    let mut pool = SearchPool::new(1024);
    assert_eq!(pool.threads(), 1024);
    for limits in [depth(2), nodes(300_000)] {
        let board = Board::startpos();
        let (outcome, infos) = run(&mut pool, SearchRequest::new(board.clone(), limits));
        check_lines(&board, &outcome, &infos);
    }
    pool.set_threads(2).expect("fewer threads");
    let (handle, events) = start(&mut pool, Limits { infinite: true, ..Limits::default() });
    handle.stop();
    finish(&events);
    pool.set_threads(1024).expect("the threads were there before");
    let (_, events) = start(&mut pool, Limits { infinite: true, ..Limits::default() });
    drop(pool);
    finish(&events);
}

#[test]
fn several_threads_find_mates() {
    let mut pool = SearchPool::new(4);
    for &(fen, moves) in MATES {
        let board = board(fen);
        pool.clear();
        let (outcome, infos) = run(&mut pool, SearchRequest::new(board.clone(), depth(MATE_DEPTH)));
        // Which thread completes which depth first is chance, and so is how short the mate is.
        let found = outcome.score.mate_moves().expect("a mate");
        assert!(found >= moves, "{fen}");
        check_lines(&board, &outcome, &infos);
    }
}

#[test]
fn multi_pv_lines_are_sorted_and_complete() {
    let mut pool = SearchPool::new(1);
    for board in random_positions(20) {
        let mut request = SearchRequest::new(board.clone(), depth(6));
        request.options.multi_pv = 4;
        let (outcome, infos) = run(&mut pool, request);
        check_lines(&board, &outcome, &infos);
        let wanted = board.count_legal_moves().min(4);
        assert_eq!(infos.len() % wanted, 0);
        for lines in infos.chunks(wanted) {
            assert!(lines.is_sorted_by(|first, second| first.score >= second.score));
            for (rank, line) in lines.iter().enumerate() {
                assert_eq!((line.multi_pv, line.depth), (rank + 1, lines[0].depth));
                assert!(lines[..rank].iter().all(|better| better.pv[0] != line.pv[0]));
            }
        }
    }
}

#[test]
fn an_aborted_multi_pv_depth_keeps_the_last_one() {
    for limit in [0, 1, 100, 3_000, 11_111] {
        let board = board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        let mut request = SearchRequest::new(board.clone(), nodes(limit));
        request.options.multi_pv = 5;
        let (outcome, infos) = run(&mut SearchPool::new(1), request);
        assert_eq!(infos.len() % 5, 0);
        check_lines(&board, &outcome, &infos);
    }
}

#[test]
fn searchmoves_limits_the_root_moves() {
    let board = Board::startpos();
    let wanted = ["a2a3", "h2h4"].map(|text| board.parse_move(text).expect("a legal move"));
    let limits = Limits { search_moves: wanted.to_vec(), ..depth(7) };
    let mut request = SearchRequest::new(board, limits);
    request.options.multi_pv = 10;
    let (outcome, infos) = run(&mut SearchPool::new(1), request);
    assert!(wanted.contains(&outcome.best.expect("a move")));
    assert!(infos.iter().all(|info| wanted.contains(&info.pv[0]) && info.multi_pv <= 2));
}

#[test]
fn one_thread_is_deterministic_after_clearing() {
    let first = board("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10");
    let mut pool = SearchPool::new(1);
    let play = |pool: &mut SearchPool| {
        [nodes(50_000), depth(9), nodes(12_345)].map(|limits| {
            let (outcome, infos) = run(pool, SearchRequest::new(first.clone(), limits));
            let lines: Vec<_> =
                infos.into_iter().map(|info| (info.nodes, info.score, info.pv)).collect();
            (outcome, lines)
        })
    };
    let once = play(&mut pool);
    assert_eq!(once[0].0.nodes, 50_000, "node limits are exact");
    pool.clear();
    assert_eq!(play(&mut pool), once);
    assert_eq!(play(&mut SearchPool::new(1)), once);
}

#[test]
fn minimal_limits_give_a_searched_move() {
    let mut positions = random_positions(20);
    // Many queens: the first iteration is aborted.
    positions.push(board("q2k2q1/2nqn2b/1q5b/1qrqrq1Q/1QQ1Q2Q/3Q3B/2RQRQ1B/3KQ1NN w - - 0 1"));
    let zero = Some(Duration::ZERO);
    let clock = ColorMap::filled(zero);
    for board in positions {
        for limits in [
            depth(0),
            depth(1),
            nodes(0),
            nodes(1),
            Limits { move_time: zero, ..Limits::default() },
            Limits { time: clock, ..Limits::default() },
            Limits { time: clock, moves_to_go: Some(1), ..Limits::default() },
        ] {
            let start = Instant::now();
            let (outcome, infos) = search(&board, limits);
            // Generous, for busy machines and builds with all checks.
            assert!(start.elapsed() < Duration::from_secs(10));
            assert!(outcome.best.is_some());
            check_lines(&board, &outcome, &infos);
        }
    }
}

#[test]
fn searches_stay_within_the_clock() {
    let mut pool = SearchPool::new(1);
    let ms = Duration::from_millis;
    for (time, increment, moves_to_go) in
        [(200, 2, None), (60, 0, Some(1)), (1000, 0, Some(40)), (30, 10, None)]
    {
        let limits = Limits {
            time: ColorMap::new([Some(ms(time)), None]),
            increment: ColorMap::filled(ms(increment)),
            moves_to_go,
            ..Limits::default()
        };
        // The best of five, because on a busy machine any single search may be delayed.
        let elapsed = (0..5).map(|_| {
            let start = Instant::now();
            run(&mut pool, SearchRequest::new(Board::startpos(), limits.clone()));
            start.elapsed()
        });
        assert!(elapsed.min().unwrap() < ms(time), "{time}+{increment}/{moves_to_go:?}");
    }
}

#[test]
fn nodes_time_counts_nodes_as_time() {
    let limits = Limits { move_time: Some(Duration::from_millis(120)), ..Limits::default() };
    let mut request = SearchRequest::new(Board::startpos(), limits);
    request.options.nodes_time = 100;
    let (outcome, _) = run(&mut SearchPool::new(1), request);
    assert!((5_000..=10_600).contains(&outcome.nodes), "{}", outcome.nodes);
}

fn start(pool: &mut SearchPool, limits: Limits) -> (SearchHandle, Receiver<(u64, SearchEvent)>) {
    start_at(pool, Board::startpos(), limits)
}

fn start_at(
    pool: &mut SearchPool,
    board: Board,
    limits: Limits,
) -> (SearchHandle, Receiver<(u64, SearchEvent)>) {
    let (sender, events) = unbounded();
    (pool.start(SearchRequest::new(board, limits), 7, sender), events)
}

/// Returns the outcome, and checks that there is exactly one.
fn finish(events: &Receiver<(u64, SearchEvent)>) -> Outcome {
    let mut answers = events.iter().filter_map(|(generation, event)| {
        assert_eq!(generation, 7);
        match event {
            SearchEvent::Finished(outcome) => Some(outcome),
            _ => None,
        }
    });
    let answer = answers.next().expect("an answer");
    assert_eq!(answers.next(), None);
    answer
}

fn has_answered(events: &Receiver<(u64, SearchEvent)>) -> bool {
    std::thread::sleep(Duration::from_millis(80));
    events.try_iter().any(|(_, event)| matches!(event, SearchEvent::Finished(_)))
}

#[test]
fn an_early_stop_is_not_lost() {
    let mut pool = SearchPool::new(2);
    for _ in 0..300 {
        let (handle, events) = start(&mut pool, Limits { infinite: true, ..Limits::default() });
        handle.stop();
        assert!(finish(&events).best.is_some());
    }
}

#[test]
fn an_infinite_search_waits_for_its_stop() {
    let mut pool = SearchPool::new(1);
    // Searches that end at once: by depth, by a mate, without a legal move.
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        let limits = Limits { infinite: true, ..depth(2) };
        let (handle, events) = start_at(&mut pool, board(fen), limits);
        assert!(!has_answered(&events));
        let stopped = Instant::now();
        handle.stop();
        finish(&events);
        assert!(stopped.elapsed() < Duration::from_millis(500));
    }
}

#[test]
fn pondering_waits_for_the_opponent() {
    let mut pool = SearchPool::new(1);
    let limits = Limits {
        ponder: true,
        time: ColorMap::filled(Some(Duration::from_millis(100))),
        ..Limits::default()
    };
    let (handle, events) = start(&mut pool, limits.clone());
    assert!(!has_answered(&events), "the clock does not run yet");
    handle.ponder_hit();
    finish(&events);

    let (handle, events) = start(&mut pool, limits);
    assert!(!has_answered(&events));
    handle.stop();
    finish(&events);
}

#[test]
fn the_pool_can_be_dropped_during_a_search() {
    let mut pool = SearchPool::new(2);
    let (_, events) = start(&mut pool, Limits { infinite: true, ..Limits::default() });
    drop(pool);
    finish(&events);
}

#[test]
fn threads_and_table_can_change() {
    let mut pool = SearchPool::new(1);
    pool.set_threads(3).expect("three threads");
    assert_eq!(pool.threads(), 3);
    pool.set_hash(2).expect("two MiB");
    assert_eq!(pool.tt().mib(), 2);
    run(&mut pool, SearchRequest::new(Board::startpos(), depth(8)));
    assert!(pool.tt().hashfull() > 0);
    assert!(pool.set_hash(usize::MAX >> 20).is_err());
    assert_eq!(pool.tt().mib(), 2);
    pool.set_threads(0).expect("fewer threads");
    assert_eq!(pool.threads(), 1);
    pool.clear();
    assert_eq!((pool.tt().hashfull(), pool.tt().mib()), (0, 2));
}

#[test]
fn labels_have_the_scores_of_the_network() {
    let board = board("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1");
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let label = SoloSearch::for_labels(1).expect("a megabyte").search(&board, limits.clone()).score;
    let (outcome, _) = run(&mut SearchPool::new(1), SearchRequest::new(board, limits));
    let playing = outcome.score;
    assert!(playing > Score(500) && label > playing + 100, "{label:?}, {playing:?}");
}

#[test]
fn a_soft_node_limit_ends_the_search_after_an_iteration() {
    let mut solo = SoloSearch::new(1).expect("a megabyte");
    let mut reached = 0;
    for board in random_positions(30) {
        solo.clear();
        let soft = Limits { soft_nodes: Some(2000), ..Limits::default() };
        let found = solo.search(&board, soft.clone());
        reached += usize::from(found.nodes >= 2000);
        solo.clear();
        assert_eq!(solo.search(&board, soft), found, "a cleared search gives the same result");
        let both = Limits { soft_nodes: Some(2000), nodes: Some(1000), ..Limits::default() };
        assert!(solo.search(&board, both).nodes <= 20_000, "the first iteration is completed");
        // A pool returns the same.
        let limits = Limits { soft_nodes: Some(2000), ..Limits::default() };
        let mut pool = SearchPool::new(1);
        pool.set_hash(1).expect("a megabyte");
        let request = SearchRequest::new(board, limits);
        let (outcome, infos) = run(&mut pool, request);
        assert_eq!(outcome, found);
        assert_eq!(infos.last().map(|info| info.score), Some(found.score));
    }
    // Some searches reach the maximum depth or a mate first.
    assert!(reached >= 25, "{reached}");
}
