//! FENs and moves: round trips, and the legal moves that cozy-chess finds.

#![no_main]

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use tabia::board::{Board, FenStyle, fen};
use tabia::book::polyglot_key;
use tabia::types::{Move, PieceType};

/// From, to and promotion, as both libraries have them; castling is king takes rook.
type PlainMove = (usize, usize, Option<char>);

fn moves_of(board: &Board) -> BTreeSet<PlainMove> {
    let plain =
        |mv: Move| (mv.from().index(), mv.to().index(), mv.promotion().map(PieceType::letter));
    board.legal_moves().into_iter().map(plain).collect()
}

fn check_round_trips(board: &Board) {
    for style in [FenStyle::Standard, FenStyle::Shredder] {
        let text = board.fen(style);
        let (again, notes) = fen::parse(&text).expect("a printed FEN is valid");
        assert_eq!((again.fen(style), again.key()), (text, board.key()));
        assert!(notes.is_empty());
    }
    let twice = board.flipped().flipped();
    assert_eq!(twice.fen(FenStyle::Shredder), board.fen(FenStyle::Shredder));
    assert_eq!((twice.key(), polyglot_key(&twice)), (board.key(), polyglot_key(board)));
    assert_eq!(board.flipped().count_legal_moves(), board.count_legal_moves());
}

fn check_moves(board: &Board) {
    let moves = moves_of(board);
    assert_eq!(moves.len(), board.legal_moves().len(), "a move is listed twice");
    // cozy-chess refuses clocks above 100 and some castling rights.
    let text = board.fen(FenStyle::Shredder);
    let fields: Vec<&str> = text.split(' ').collect();
    let text = [&fields[..4], &["0", "1"]].concat().join(" ");
    let Ok(cozy) = cozy_chess::Board::from_fen(&text, true) else { return };
    let mut theirs = BTreeSet::new();
    cozy.generate_moves(|of_piece| {
        let plain =
            |mv: cozy_chess::Move| (mv.from as usize, mv.to as usize, mv.promotion.map(char::from));
        theirs.extend(of_piece.into_iter().map(plain));
        false
    });
    assert_eq!(moves, theirs, "{text}");
    assert_eq!(board.checkers().0, cozy.checkers().0, "{text}");
}

fuzz_target!(|data: &[u8]| {
    let end = data.iter().position(|&byte| byte == b'\n').unwrap_or(data.len());
    let (text, choices) = data.split_at(end);
    let Ok((mut board, _)) = fen::parse(&String::from_utf8_lossy(text)) else { return };
    let start = board.fen(FenStyle::Shredder);
    check_round_trips(&board);
    check_moves(&board);
    let mut played = 0;
    for pair in choices.chunks(2).take(100) {
        // `is_legal` takes any bits.
        let bits = pair.iter().fold(0, |bits, &byte| bits << 8 | u16::from(byte));
        let legal = board.legal_moves();
        if let Some(mv) = Move::from_bits(bits) {
            assert_eq!(board.is_legal(mv), legal.contains(&mv), "{mv:?}");
        }
        if legal.is_empty() {
            break;
        }
        let mv = legal[usize::from(bits) % legal.len()];
        let gives_check = board.gives_check(mv);
        board.make_move(mv);
        played += 1;
        assert_eq!(board.in_check(), gives_check, "{mv:?}");
        check_moves(&board);
    }
    check_round_trips(&board);
    (0..played).for_each(|_| board.unmake_move());
    assert_eq!(board.fen(FenStyle::Shredder), start);
});
