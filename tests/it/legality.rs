//! Legal moves, properties of moves, static exchange evaluation, and draws.

use std::collections::BTreeSet;

use tabia::board::{Board, FenStyle, GenKind, see};
use tabia::types::{Color, Move, MoveKind, MoveList, PieceType, Score, Square};

use crate::support::{GAME_PLIES, TestRng, random_positions, suite};

/// A move as (from, to, promotion), with castling as king takes rook, to compare both libraries.
type PlainMove = (usize, usize, Option<char>);

fn plain(mv: Move) -> PlainMove {
    (mv.from().index(), mv.to().index(), mv.promotion().map(PieceType::letter))
}

fn plain_cozy(mv: cozy_chess::Move) -> PlainMove {
    let letter = mv.promotion.map(char::from);
    (mv.from as usize, mv.to as usize, letter)
}

fn cozy_moves(board: &cozy_chess::Board) -> Vec<cozy_chess::Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

/// Plays a random game in both libraries and returns the number of positions compared.
fn compare_game(rng: &mut TestRng, chess960: bool) -> usize {
    let mut board = rng.start(chess960);
    let mut cozy = cozy_chess::Board::from_fen(&board.fen(FenStyle::Shredder), true).unwrap();
    for ply in 0..GAME_PLIES {
        let moves = board.legal_moves();
        let theirs = cozy_moves(&cozy);
        let same = moves.iter().copied().map(plain).collect::<BTreeSet<_>>()
            == theirs.iter().copied().map(plain_cozy).collect();
        assert!(same, "{}\n{moves:?}\n{theirs:?}", board.fen(FenStyle::Shredder));
        assert_eq!(moves.len(), theirs.len(), "duplicate move");
        assert_eq!(board.checkers().0, cozy.checkers().0);
        let Some(mv) = rng.choose(&moves) else { return ply + 1 };
        let same_move = theirs.into_iter().find(|&other| plain_cozy(other) == plain(mv));
        board.make_move(mv);
        cozy.play_unchecked(same_move.unwrap());
    }
    GAME_PLIES
}

#[test]
fn legal_moves_equal_those_of_cozy_chess() {
    for (seed, chess960) in [(10, false), (11, true)] {
        let mut rng = TestRng::new(seed);
        let mut compared = 0;
        while compared < 60_000 {
            compared += compare_game(&mut rng, chess960);
        }
    }
}

fn shredder(board: &Board) -> String {
    board.fen(FenStyle::Shredder)
}

fn assert_is_legal_agrees(board: &Board) {
    let moves: BTreeSet<u16> = board.legal_moves().into_iter().map(Move::bits).collect();
    for mv in (1..=u16::MAX).filter_map(Move::from_bits) {
        let listed = moves.contains(&mv.bits());
        assert_eq!(board.is_legal(mv), listed, "{mv:?} in {}", shredder(board));
    }
}

#[test]
fn is_legal_holds_for_exactly_the_legal_moves() {
    for case in suite("standard").iter().chain(&suite("tricky")) {
        assert_is_legal_agrees(&Board::from_fen(&case.fen).unwrap());
    }
    let mut number = 0;
    random_positions(12, 20_000, |board| {
        if number % 40 == 0 {
            assert_is_legal_agrees(board);
        }
        number += 1;
    });
}

fn generated(board: &Board, kind: GenKind) -> Vec<u16> {
    let mut moves = MoveList::new();
    board.generate(kind, &mut moves);
    let mut bits: Vec<u16> = moves.into_iter().map(Move::bits).collect();
    bits.sort_unstable();
    bits
}

fn is_noisy(mv: Move) -> bool {
    mv.is_capture() || mv.promotion() == Some(PieceType::Queen)
}

fn check_stages(board: &Board) {
    let all = generated(board, GenKind::All);
    let (noisy, quiet): (Vec<u16>, Vec<u16>) =
        all.iter().partition(|&&bits| Move::from_bits(bits).is_some_and(is_noisy));
    assert_eq!(generated(board, GenKind::Noisy), noisy, "{}", shredder(board));
    assert_eq!(generated(board, GenKind::Quiet), quiet, "{}", shredder(board));
    assert_eq!(board.count_legal_moves(), all.len(), "{}", shredder(board));
    assert_eq!(board.has_legal_move(), !all.is_empty(), "{}", shredder(board));
}

#[test]
fn noisy_and_quiet_moves_make_up_all_moves() {
    for name in ["standard", "tricky"] {
        suite(name).iter().for_each(|case| check_stages(&Board::from_fen(&case.fen).unwrap()));
    }
    random_positions(13, 100_000, |board| check_stages(board));
}

/// Returns whether `key_after` promises the exact key for a move from `before` to `after`.
fn key_is_promised(before: &Board, after: &Board, mv: Move) -> bool {
    !matches!(mv.kind(), MoveKind::Castling | MoveKind::EnPassant | MoveKind::DoublePush)
        && before.castling_rights() == after.castling_rights()
        && before.en_passant().is_none()
}

/// Returns the kind of piece that the opponent has lost.
fn taken(before: &Board, after: &Board) -> Option<PieceType> {
    let left = |board: &Board, kind| board.pieces_of(!before.side_to_move(), kind).count();
    PieceType::ALL.into_iter().find(|&kind| left(after, kind) < left(before, kind))
}

fn check_predictions(board: &mut Board) {
    let before = board.clone();
    let checking = board.checking_squares();
    for mv in board.legal_moves() {
        let (check, key, victim) = (board.gives_check(mv), board.key_after(mv), board.victim(mv));
        let mover = board.moved_piece(mv);
        board.make_move(mv);
        assert_eq!(check, board.in_check(), "{mv:?} to {}", shredder(board));
        assert_eq!(victim, taken(&before, board), "{mv:?}");
        if !mv.is_castling() && !mv.is_promotion() {
            assert_eq!(board.piece_on(mv.to()), Some(mover), "{mv:?}");
            let checks_itself = board.checkers().contains(mv.to());
            assert_eq!(
                checking[mover.piece_type().index()].contains(mv.to()),
                checks_itself,
                "{mv:?}"
            );
        }
        if key_is_promised(&before, board, mv) {
            assert_eq!(key, board.key(), "{mv:?} to {}", shredder(board));
        }
        board.unmake_move();
    }
}

#[test]
fn checks_victims_and_keys_are_predicted() {
    for name in ["standard", "tricky"] {
        suite(name)
            .iter()
            .for_each(|case| check_predictions(&mut Board::from_fen(&case.fen).unwrap()));
    }
    random_positions(14, 20_000, check_predictions);
}

/// Returns the least valuable piece of `side` that attacks `target`, by walking over the board.
///
/// Only squares in `occupied` hold a piece.
fn least_attacker(
    board: &Board,
    occupied: u64,
    target: Square,
    side: Color,
) -> Option<(PieceType, usize)> {
    attackers_of(board, occupied, target.index(), side)
        .filter(|&(_, from)| !exposes_king(board, occupied, from, target.index()))
        .min()
}

/// Returns the pieces of `side`, with their squares, that attack `target`.
fn attackers_of(
    board: &Board,
    occupied: u64,
    target: usize,
    side: Color,
) -> impl Iterator<Item = (PieceType, usize)> {
    (0..64)
        .filter(move |&from| (occupied >> from) & 1 != 0 && from != target)
        .filter_map(|from| Some((board.piece_on(Square::from_index(from)?)?, from)))
        .filter(move |&(piece, _)| piece.color() == side)
        .filter(move |&(_, from)| attacks_by_walking(board, occupied, from, target))
        .map(|(piece, from)| (piece.piece_type(), from))
}

/// Returns whether the piece on `from` uncovers an attack on its king by a move to `target`.
fn exposes_king(board: &Board, occupied: u64, from: usize, target: usize) -> bool {
    let square = Square::from_index(from).unwrap();
    let side = board.piece_on(square).unwrap().color();
    let king = board.king_square(side).index();
    let attackers = |occupied| attackers_of(board, occupied, king, !side);
    let after = (occupied | 1 << target) & !(1 << from);
    from != king
        && attackers(after)
            .filter(|&(_, sniper)| sniper != target)
            .any(|sniper| !attackers(occupied).any(|before| before == sniper))
}

fn attacks_by_walking(board: &Board, occupied: u64, from: usize, to: usize) -> bool {
    let piece = Square::from_index(from).and_then(|square| board.piece_on(square)).unwrap();
    let (files, ranks) = (to as i32 % 8 - from as i32 % 8, to as i32 / 8 - from as i32 / 8);
    let is_straight = files == 0 || ranks == 0;
    let is_diagonal = files.abs() == ranks.abs();
    let reaches = match piece.piece_type() {
        PieceType::Pawn => {
            files.abs() == 1 && ranks == if piece.color() == Color::White { 1 } else { -1 }
        }
        PieceType::Knight => files.abs() * ranks.abs() == 2,
        PieceType::Bishop => is_diagonal,
        PieceType::Rook => is_straight,
        PieceType::Queen => is_straight || is_diagonal,
        PieceType::King => files.abs().max(ranks.abs()) == 1,
    };
    let step = files.signum() + 8 * ranks.signum();
    let steps = files.abs().max(ranks.abs());
    let is_free = |square: i32| (occupied >> square) & 1 == 0;
    reaches
        && (piece.piece_type() == PieceType::Knight
            || (1..steps).all(|number| is_free(from as i32 + step * number)))
}

/// Returns the gain of `side` from capturing `victim` on `target`, or 0 if it does not pay.
fn exchange(board: &Board, occupied: u64, target: Square, side: Color, victim: i32) -> i32 {
    let Some((taker, from)) = least_attacker(board, occupied, target, side) else { return 0 };
    let is_defended = || attackers_of(board, occupied, target.index(), !side).next().is_some();
    if taker == PieceType::King && is_defended() {
        return 0;
    }
    let rest = occupied & !(1 << from);
    (victim - exchange(board, rest, target, !side, see::value(taker).0)).max(0)
}

/// Returns the value of the exchange that a move begins, by plain recursion.
fn exchange_value(board: &Board, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let value = |piece_type| see::value(piece_type).0;
    let mover = mv.promotion().unwrap_or(board.moved_piece(mv).piece_type());
    let promoted = mv.promotion().map_or(0, |piece| value(piece) - value(PieceType::Pawn));
    let gain = board.victim(mv).map_or(0, value) + promoted;
    let mut occupied = board.occupied().0 & !(1 << mv.from().index());
    if mv.is_en_passant() {
        occupied &= !(1 << Square::new(mv.to().file(), mv.from().rank()).index());
    }
    gain - exchange(board, occupied, mv.to(), !board.side_to_move(), value(mover))
}

#[test]
fn see_agrees_with_plain_recursion() {
    let check = |board: &mut Board| {
        for mv in board.legal_moves() {
            let value = Score(exchange_value(board, mv));
            let asked = [-951, -501, -101, -1, 0, 1, 100, 320, 500, 951].map(Score);
            for threshold in asked.into_iter().chain([value - 1, value, value + 1]) {
                let context = format!("{mv:?} >= {threshold:?} in {}", shredder(board));
                assert_eq!(board.see_ge(mv, threshold), value >= threshold, "{context}");
            }
        }
    };
    suite("tricky").iter().for_each(|case| check(&mut Board::from_fen(&case.fen).unwrap()));
    let mut number = 0;
    random_positions(15, 20_000, |board| {
        if number % 10 == 0 {
            check(board);
        }
        number += 1;
    });
}

#[test]
fn moves_and_exchanges_are_symmetric_in_the_colours() {
    random_positions(31, 5_000, |board| {
        let flipped = board.flipped();
        let theirs: BTreeSet<u16> = flipped.legal_moves().iter().map(|mv| mv.bits()).collect();
        let ours = board.legal_moves();
        assert_eq!(theirs.len(), ours.len(), "{}", shredder(board));
        for mv in ours {
            let mirrored = Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind());
            let context = format!("{mv:?} in {}", shredder(board));
            assert!(theirs.contains(&mirrored.bits()), "{context}");
            for threshold in [-951, -501, -101, -1, 0, 1, 100, 320, 500, 951].map(Score) {
                let sees = board.see_ge(mv, threshold);
                assert_eq!(flipped.see_ge(mirrored, threshold), sees, "{context}");
            }
        }
    });
}

#[test]
fn see_of_known_positions() {
    use PieceType::{Knight, Pawn, Queen, Rook};
    let value = |piece_type| see::value(piece_type).0;
    let table = [
        // An undefended pawn.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", value(Pawn)),
        // A pawn defended by rooks and bishops behind each other.
        (
            "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
            "d3e5",
            value(Pawn) - value(Knight),
        ),
        // The queen captures a pawn defended by a pawn.
        ("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1", "d2d6", value(Pawn) - value(Queen)),
        // The rook behind takes part.
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", value(Pawn)),
        // En passant with a recapture.
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        // Promotion, with the last rank guarded or not.
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", value(Queen) - value(Pawn)),
        ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q", -value(Pawn)),
        ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q", value(Rook) + value(Queen) - value(Pawn)),
        // The king may not capture a defended piece.
        ("8/8/8/3k4/4p3/8/4R3/4RK2 w - - 0 1", "e2e4", value(Pawn)),
        // A quiet move to an attacked square.
        ("4k3/8/3p4/8/2N5/8/8/4K3 w - - 0 1", "c4e5", -value(Knight)),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0),
    ];
    for (fen, text, expected) in table {
        let board = Board::from_fen(fen).unwrap();
        let mv = board.parse_move(text).unwrap_or_else(|| panic!("{text} is not legal"));
        assert!(board.see_ge(mv, Score(expected)), "{text} gains {expected} in {fen}");
        assert!(!board.see_ge(mv, Score(expected + 1)), "{text} gains no more in {fen}");
    }
}

fn play(board: &mut Board, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = board.parse_move(text).unwrap_or_else(|| panic!("{text} is not legal"));
        board.make_move(mv);
    }
}

#[test]
fn repetitions_count_once_in_the_tree_and_twice_before_the_root() {
    let mut board = Board::startpos();
    play(&mut board, "g1f3 g8f6 f3g1 f6g8");
    assert!(!board.is_threefold());
    assert!(board.is_repetition(5), "the first occurrence is after the root");
    assert!(!board.is_repetition(3), "the first occurrence is before the root");
    play(&mut board, "g1f3 g8f6 f3g1 f6g8");
    assert!(board.is_threefold() && board.is_repetition(0) && board.is_draw(0));
    play(&mut board, "e2e4");
    assert!(!board.is_repetition(100) && !board.is_draw(100));
}

#[test]
fn an_upcoming_repetition_is_a_move_that_repeats() {
    let mut rng = TestRng::new(9);
    let mut counts = [0; 2];
    for fen in [
        "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1",
        "k7/p1p5/P1P5/4n3/4N3/2p1p1p1/2P1P1P1/6K1 w - - 0 1",
        "1b5k/5p1p/5P1P/8/8/p1p5/P1P5/K5B1 b - - 0 1",
        "7k/8/8/3q4/4Q3/8/8/K7 b - - 0 1",
    ] {
        for _ in 0..20 {
            let mut board = Board::from_fen(fen).unwrap();
            for _ in 0..60 {
                let mut moves = board.legal_moves().to_vec();
                let repeats = |board: &mut Board, mv| {
                    board.make_move(mv);
                    let is_repetition = board.is_repetition(usize::MAX);
                    board.unmake_move();
                    is_repetition
                };
                let expected = moves.iter().any(|&mv| repeats(&mut board, mv));
                assert_eq!(board.can_repeat(usize::MAX), expected, "{board:?}");
                counts[usize::from(expected)] += 1;
                moves.retain(|mv| !mv.is_capture());
                let Some(mv) = rng.choose(&moves) else { break };
                board.make_move(mv);
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 400), "{counts:?}");
}

#[test]
fn castling_rights_and_en_passant_distinguish_positions() {
    let mut board = Board::from_fen("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1").unwrap();
    play(&mut board, "h1h2 h8h7 h2h1 h7h8 h1h2 h8h7 h2h1 h7h8");
    assert!(!board.is_threefold(), "both sides could castle at first");
    play(&mut board, "h1h2 h8h7 h2h1 h7h8");
    assert!(board.is_threefold());
    let mut board = Board::from_fen("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1").unwrap();
    play(&mut board, "e8e7 e1e2 e7e8 e2e1");
    assert!(!board.is_repetition(100), "en passant was possible at first");
}

#[test]
fn repetitions_do_not_reach_beyond_a_null_move() {
    let mut board = Board::startpos();
    play(&mut board, "g1f3 g8f6");
    board.make_null_move();
    board.make_null_move();
    play(&mut board, "f3g1 f6g8");
    assert!(!board.is_repetition(100));
}

#[test]
fn the_fifty_move_rule_applies_unless_the_last_move_mates() {
    let draw = |fen: &str, text: &str| {
        let mut board = Board::from_fen(fen).unwrap();
        play(&mut board, text);
        board.is_draw(1)
    };
    assert!(draw("7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "g6f7"));
    assert!(!draw("7k/8/5KQ1/8/8/8/8/8 w - - 98 90", "g6f7"));
    assert!(!draw("7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "g6g7"), "mate");
    assert!(draw("7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "g6h6"), "check, but not mate");
    assert!(!draw("7k/8/5KQ1/7P/8/8/8/8 w - - 99 90", "h5h6"), "a pawn move");
}

#[test]
fn insufficient_material_is_a_draw() {
    let table = [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/3K4/8/6N1 w - - 0 1", true),
        ("8/8/4kb2/8/8/3K4/8/8 w - - 0 1", true),
        // Bishops on squares of one colour, of either side.
        ("5b2/8/4k3/8/8/3K4/8/2B5 w - - 0 1", true),
        ("8/8/4k3/8/5B2/3K2B1/8/2B5 w - - 0 1", true),
        ("2b5/8/4k3/8/8/3K4/8/2B5 w - - 0 1", false),
        ("8/8/4k3/8/8/3K4/8/5BN1 w - - 0 1", false),
        ("8/8/4k3/8/8/3K4/8/1N4N1 w - - 0 1", false),
        ("8/8/4kn2/8/8/3K4/8/6N1 w - - 0 1", false),
        ("8/4p3/4k3/8/8/3K4/8/8 w - - 0 1", false),
        ("8/8/4k3/8/8/3K4/8/7R w - - 0 1", false),
    ];
    for (fen, expected) in table {
        let board = Board::from_fen(fen).unwrap();
        assert_eq!(board.is_insufficient_material(), expected, "{fen}");
    }
}
