//! FEN: errors, corrections with a note, and round trips.

use tabia::board::fen::parse;
use tabia::board::{Board, FenStyle};

use crate::support::{SUITES, TestRng, random_positions, suite};

/// Invalid FENs with the field, the column and a part of the expected message.
const REJECTED: [(&str, &str, usize, &str); 44] = [
    ("", "board", 1, "missing"),
    ("   ", "board", 4, "missing"),
    ("8/8/8/8/8/8/8/8", "board", 1, "king"),
    ("hello", "board", 1, "1 rank instead of 8"),
    // Ranks and squares.
    ("4k3/8/8/8/8/8/4K3 w - - 0 1", "board", 1, "7 ranks"),
    ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "board", 1, "9 ranks"),
    ("rnbqkbnr/pppppppp/8/9/8/8/8/4K3 w - - 0 1", "board", 21, "'9'"),
    ("rnbqkbnr/pppppppp/8/44p/8/8/8/4K3 w - - 0 1", "board", 24, "rank 5 has 9 squares"),
    ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", "board", 10, "rank 5 has 7 squares"),
    ("4k3//8/8/8/8/8/4K3 w - - 0 1", "board", 5, "rank 7 has 0 squares"),
    ("4k3/8/8/8/8/8/8/88888888888888888888888888888888888K w - - 0 1", "board", 53, "rank 1"),
    ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", "board", 18, "'X'"),
    ("4k3/8/8/8/8/8/8/4é3 w - - 0 1", "board", 18, "'é'"),
    ("startpos", "board", 1, "1 rank instead of 8"),
    ("startpos w", "board", 1, "1 rank"),
    // Pieces.
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "board", 1, "Black has no king"),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "board", 1, "White has no king"),
    ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "board", 19, "White has more than one king"),
    ("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1", "board", 2, "can capture the king"),
    ("8/8/8/3kK3/8/8/8/8 w - - 0 1", "board", 8, "the kings are adjacent"),
    ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "board", 1, "pawn stands on a8"),
    ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", "board", 20, "pawn stands on h1"),
    ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "board", 1, "9 pawns"),
    ("4k3/8/8/8/8/NN6/NNNNNNNN/RNBQKBNR w - - 0 1", "board", 1, "18 pieces"),
    ("4k3/8/8/8/8/8/PPPPPPPP/RQBQKBNR w - - 0 1", "board", 1, "promoted"),
    // Checks that no move can give.
    ("8/p1Q3k1/3P1PQ1/1pp2K2/2B5/NP6/P7/2Q4N b - - 2 47", "board", 7, "Black is in check from 3"),
    ("4k3/8/3N4/8/B7/8/8/K3R3 b - - 0 1", "board", 2, "from 3 pieces, the maximum is 2"),
    ("R3k2R/8/8/8/8/8/8/4K3 b - - 0 1", "board", 3, "in check from a8 and h8"),
    ("4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1", "board", 2, "in check from d6 and f6"),
    ("4k3/8/8/8/1b5b/8/8/4K3 w - - 0 1", "board", 21, "in check from b4 and h4"),
    ("k7/8/8/b7/7b/8/8/4K3 w - - 0 1", "board", 19, "in check from h4 and a5"),
    ("4k3/8/8/4r3/8/8/8/r3K3 w - - 0 1", "board", 21, "in check from a1 and e5"),
    ("k7/8/8/8/q7/8/8/r2K4 w - - 0 1", "board", 19, "in check from a1 and a4"),
    // The rook gave check before it moved.
    ("4k3/8/8/4q3/8/8/8/2r1K3 w - - 0 1", "board", 22, "in check from c1 and e5"),
    (
        "qnbr1rk1/ppn1ppRp/2pp2p1/8/1PP5/3P1NP1/P4PBP/QNBR1RK1 b - b3 0 7",
        "en passant",
        59,
        "the double step to b4 cannot have given the check from g7 to Black's king",
    ),
    ("8/8/8/2k5/3P4/8/8/2R1K3 b - d3 0 1", "en passant", 29, "from c1"),
    // The other fields.
    ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move", 21, "'x'"),
    ("4k3/8/8/8/8/8/8/R3K3 w Qx - 0 1", "castling", 25, "'x'"),
    ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en passant", 25, "'e9'"),
    ("4k3/8/8/8/8/8/8/4K3 w - x 0 1", "en passant", 25, "'x'"),
    ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock", 27, "'x'"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 one", "fullmove number", 29, "'one'"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 -", "fullmove number", 29, "'-'"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 more", "end", 31, "'more'"),
];

#[test]
fn bad_positions_are_rejected_with_field_column_and_reason() {
    for (text, field, column, reason) in REJECTED {
        let Err(error) = Board::from_fen(text) else { panic!("accepted: {text}") };
        assert_eq!((error.field, error.column), (field, column), "{text}: {error}");
        let message = error.to_string();
        assert!(message.contains(reason), "{text}: {message}");
        assert!(message.starts_with(field), "{message}");
        assert!(message.ends_with(&format!("column {column}")), "{message}");
    }
}

#[test]
fn double_checks_that_a_move_can_give_are_accepted() {
    for text in [
        // The rook, the bishop, the knight and the pawn have moved.
        "4k3/8/8/q7/8/8/8/2r1K3 w - - 0 1",
        "4k3/8/8/4q3/8/8/3b4/4K3 w - - 0 1",
        "4k3/8/8/4q3/8/8/2n5/4K3 w - - 0 1",
        "4k3/8/8/4q3/8/8/3p4/4K3 w - - 0 1",
        // Promotions, with and without a capture.
        "4k3/8/8/8/4q3/8/8/3qK3 w - - 0 1",
        "4k3/8/8/8/4q3/8/8/4Kr2 w - - 0 1",
        "4k3/8/8/8/8/4K3/8/2bn4 w - - 0 1",
        "4k3/8/8/8/8/8/r3K3/3q4 w - - 0 1",
        // Capture en passant on e6, which opens the lines of the rook and the bishop.
        "8/8/3kP3/8/8/6B1/8/3RK3 b - - 0 1",
    ] {
        let found = Board::from_fen(text).map(|board| board.checkers().count());
        assert_eq!(found, Ok(2), "{text}");
    }
}

#[test]
fn double_checks_of_legal_moves_are_accepted() {
    let mut found = 0;
    let mut check_moves = |board: &mut Board| {
        for mv in board.legal_moves() {
            board.make_move(mv);
            if board.checkers().count() == 2 {
                let text = board.fen(FenStyle::Shredder);
                assert_eq!(Board::from_fen(&text).err(), None, "{text} after {mv:?}");
                found += 1;
            }
            board.unmake_move();
        }
    };
    random_positions(23, 20_000, &mut check_moves);
    let mut rng = TestRng::new(24);
    for _ in 0..300_000 {
        if let Some(mut board) = crowded_position(&mut rng) {
            check_moves(&mut board);
        }
    }
    assert!(found > 3_000, "{found}");
}

/// Returns a random position with many sliders, and pawns close to promotion and en passant; `None`
/// if the squares drawn give an impossible one.
fn crowded_position(rng: &mut TestRng) -> Option<Board> {
    let mut squares = [[' '; 8]; 8];
    for piece in "kKRRBBBQNP".chars() {
        squares[rng.below(8)][rng.below(8)] = piece;
    }
    // Rows count from the eighth rank.
    for (piece, row) in [('P', 1), ('P', 1), ('P', 3), ('p', 3), ('n', 0), ('r', 0)] {
        squares[row][rng.below(8)] = piece;
    }
    let rows = squares.map(|row| row.map(|piece| piece.to_string().replace(' ', "1")).concat());
    let passed = squares[3].iter().position(|piece| *piece == 'p')?;
    let passed = char::from(b'a' + passed as u8);
    Board::from_fen(&format!("{} w - {passed}6 0 1", rows.join("/"))).ok()
}

#[test]
fn inconsistent_fields_are_corrected_with_a_note() {
    let table = [
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "right Q"),
        ("4k3/8/8/8/8/8/8/4K2R w KQKQQ - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "right Q"),
        ("r3k3/8/8/8/8/8/8/4K3 w kq - 0 1", "r3k3/8/8/8/8/8/8/4K3 w q - 0 1", "right k"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "4k3/8/8/8/8/8/4K3/7R w - - 0 1", "right K"),
        ("4k3/8/8/8/8/8/8/4K2R w B - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "right B"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e6"),
        // Wrong side of the board; the pawn has not moved two squares; its path was blocked.
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d6 0 1", "4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1", "d6"),
        ("4k3/8/8/8/3Pp3/8/3P4/4K3 b - d3 0 1", "4k3/8/8/8/3Pp3/8/3P4/4K3 b - - 0 1", "d3"),
        ("4k3/8/8/8/3Pp3/3N4/8/4K3 b - d3 0 1", "4k3/8/8/8/3Pp3/3N4/8/4K3 b - - 0 1", "d3"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 900 1", "4k3/8/8/8/8/8/8/4K3 w - - 150 1", "halfmove"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -3 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "halfmove"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "fullmove"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 9999",
            "fullmove",
        ),
    ];
    for (text, kept, note) in table {
        let (board, notes) = parse(text).unwrap();
        assert_eq!(board.fen(FenStyle::Standard), kept);
        let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        assert!(notes.len() == 1 && notes[0].contains(note), "{text}: {notes:?}");
    }
}

#[test]
fn an_unusable_en_passant_square_is_dropped_without_a_note() {
    // GUIs write one after every double step.
    let (board, notes) =
        parse("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").unwrap();
    assert_eq!(board.en_passant(), None);
    assert!(notes.is_empty());
}

#[test]
fn missing_fields_have_their_defaults() {
    let full = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for text in [
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4K3 w",
        "4k3/8/8/8/8/8/8/4K3 w -",
        " 4k3/8/8/8/8/8/8/4K3\tw - - 0 ",
    ] {
        let (board, notes) = parse(text).unwrap();
        assert_eq!(board.fen(FenStyle::Standard), full);
        assert!(notes.is_empty(), "{text}");
    }
}

#[test]
fn fens_round_trip() {
    for case in SUITES.iter().flat_map(|name| suite(name)) {
        let board = Board::from_fen(&case.fen).unwrap();
        for style in [FenStyle::Standard, FenStyle::Shredder] {
            let text = board.fen(style);
            let again = Board::from_fen(&text).unwrap();
            assert_eq!(again.fen(style), text);
            assert_eq!(again.key(), board.key(), "{text}");
        }
    }
    random_positions(20, 20_000, |board| {
        let text = board.fen(FenStyle::Standard);
        let (again, notes) = parse(&text).unwrap();
        assert!(notes.is_empty(), "{text}");
        assert_eq!(again.fen(FenStyle::Shredder), board.fen(FenStyle::Shredder));
    });
}

#[test]
fn castling_rights_are_written_in_each_style() {
    let table = [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", "HAha"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "KQkq", "GBgb"),
        // The inner of two rooks needs its file in X-FEN too.
        ("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "G", "G"),
        ("4k3/8/8/8/8/8/8/4K1RR w H - 0 1", "K", "H"),
        ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "B", "B"),
    ];
    for (fen, standard, shredder) in table {
        let board = Board::from_fen(fen).unwrap();
        let rights = |style| board.fen(style).split(' ').nth(2).map(str::to_owned);
        assert_eq!(rights(FenStyle::Standard).as_deref(), Some(standard), "{fen}");
        assert_eq!(rights(FenStyle::Shredder).as_deref(), Some(shredder), "{fen}");
    }
}

#[test]
fn checks_that_a_move_can_give_are_accepted() {
    for (fen, checkers) in [
        // A discovered double check; a capture en passant uncovers two lines.
        ("4k3/8/5N2/8/8/8/8/4RK2 b - - 0 1", 2),
        ("8/8/3Pk3/8/8/1B6/8/4RK2 b - - 0 1", 2),
        // A double step gives check with its pawn, or uncovers a piece behind it.
        ("8/8/8/4k3/3P4/8/8/4K3 b - d3 0 1", 1),
        ("7k/8/8/8/1P6/8/8/B3K3 b - b3 0 1", 1),
        ("8/8/8/8/1P6/8/R6k/4K3 b - b3 0 1", 1),
        // The king cannot have been there before the double step, but there is no check now.
        ("8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", 0),
    ] {
        let (board, notes) = parse(fen).unwrap();
        assert_eq!((board.checkers().count(), notes.len()), (checkers, 0), "{fen}");
    }
}

#[test]
fn all_positions_of_games_are_accepted() {
    // Programs write the en passant square after each double step.
    random_positions(23, 20_000, |board| {
        let passed = board.passed_square();
        let fen = board.fen(FenStyle::Shredder);
        let square = passed.map_or("-".to_owned(), |square| square.to_string());
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[3] = &square;
        let (again, notes) = parse(&fields.join(" ")).unwrap();
        assert!(notes.is_empty(), "{fen}");
        assert_eq!((again.key(), again.passed_square()), (board.key(), passed), "{fen}");
    });
}

#[test]
fn counters_stay_within_what_a_fen_may_have() {
    let mut board = Board::from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 149 9999").unwrap();
    for mv in ["e8d8", "a1b1", "d8e8", "b1a1"] {
        board.make_move(board.parse_move(mv).unwrap());
        let text = board.fen(FenStyle::Standard);
        let (again, notes) = parse(&text).unwrap();
        assert_eq!((again.fen(FenStyle::Standard), notes.len()), (text, 0));
    }
    assert!(board.fen(FenStyle::Standard).ends_with(" 150 9999"));
}
