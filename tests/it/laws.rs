//! Laws of round trips, on games that proptest draws and, if one breaks a law, shortens.
//!
//! `PROPTEST_CASES=10000 cargo test --release --test it laws` tries more games.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed};
use tabia::board::{Board, FenStyle, GameResult};
use tabia::datagen::{
    BackRanks, Ending, Game, Interior, PackedPieces, Ply, Shard, ShardHeader, Verdict, Version,
    encode_block,
};
use tabia::pgn::{self, GameMove};
use tabia::types::{Bitboard, Move, Piece, PieceType, Score, Square};

use crate::datagen::options;
use crate::incremental::assert_restored;

/// Maximum length of a game in plies.
const PLIES: usize = 160;

/// A random game: its start position and the moves chosen, each by an index into the legal moves.
#[derive(Clone, Debug)]
struct RandomGame {
    back_ranks: BackRanks,
    choices: Vec<Index>,
}

impl RandomGame {
    fn start(&self) -> Board {
        self.back_ranks.board()
    }

    fn is_chess960(&self) -> bool {
        self.back_ranks != BackRanks::STANDARD
    }

    fn moves(&self) -> Vec<Move> {
        played(&mut self.start(), &self.choices)
    }

    fn end(&self) -> Board {
        let mut board = self.start();
        played(&mut board, &self.choices);
        board
    }
}

/// Plays the chosen moves and returns them.
fn played(board: &mut Board, choices: &[Index]) -> Vec<Move> {
    let chosen = |choice: &Index| {
        let moves = board.legal_moves();
        let mv = (!moves.is_empty()).then(|| *choice.get(&moves))?;
        board.make_move(mv);
        Some(mv)
    };
    choices.iter().map_while(chosen).collect()
}

fn games() -> impl Strategy<Value = RandomGame> {
    let chess960 = (0..960_u16, 0..960_u16).prop_map(|(white, black)| BackRanks { white, black });
    let back_ranks = prop_oneof![Just(BackRanks::STANDARD), chess960];
    (back_ranks, prop::collection::vec(any::<Index>(), 0..PLIES))
        .prop_map(|(back_ranks, choices)| RandomGame { back_ranks, choices })
}

/// Returns the configuration of all laws: the same games in each run.
fn config() -> Config {
    Config { rng_seed: RngSeed::Fixed(22), failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_fen_names_its_position(game in games()) {
        let board = game.end();
        for style in [FenStyle::Standard, FenStyle::Shredder] {
            let text = board.fen(style);
            let read = Board::from_fen(&text).unwrap();
            prop_assert_eq!(read.fen(FenStyle::Shredder), board.fen(FenStyle::Shredder));
            prop_assert_eq!(read.key(), board.key());
            prop_assert_eq!(&read.legal_moves()[..], &board.legal_moves()[..]);
        }
    }

    #[test]
    fn every_notation_names_its_move(game in games()) {
        let board = game.end();
        for mv in board.legal_moves() {
            let uci = mv.display(game.is_chess960()).to_string();
            prop_assert_eq!(board.parse_move(&uci), Some(mv), "{}", uci);
            let san = board.san(mv);
            prop_assert_eq!(board.parse_san(&san), Ok(mv), "{}", san);
        }
    }

    #[test]
    fn unmaking_restores_every_fact(game in games()) {
        let moves = game.moves();
        assert_restored(&mut game.start(), |board| {
            moves.iter().for_each(|&mv| board.make_move(mv));
            for mv in board.legal_moves() {
                assert_restored(board, |board| {
                    board.make_move(mv);
                    board.unmake_move();
                });
            }
            moves.iter().for_each(|_| board.unmake_move());
        });
    }

    #[test]
    fn a_board_flipped_twice_is_the_same(game in games()) {
        let board = game.end();
        let flipped = board.flipped();
        prop_assert_eq!(flipped.flipped().fen(FenStyle::Shredder), board.fen(FenStyle::Shredder));
        prop_assert_eq!(flipped.flipped().key(), board.key());
        prop_assert_eq!(flipped.count_legal_moves(), board.count_legal_moves());
        prop_assert_eq!(flipped.side_to_move(), !board.side_to_move());
    }

    #[test]
    fn packed_pieces_name_every_square(game in games()) {
        let board = game.end();
        let us = board.side_to_move();
        let packed = PackedPieces::of_side_to_move(&board);
        let codes = packed.codes.iter().flat_map(|&pair| [pair & 15, pair >> 4]);
        let mut unpacked = [None; 64];
        for (square, code) in Bitboard(packed.occupied).into_iter().zip(codes) {
            let color = if code & 8 == 0 { us } else { !us };
            let piece = Piece::new(color, PieceType::ALL[usize::from(code & 7)]);
            unpacked[square.relative_to(us) as usize] = Some(piece);
        }
        for square in Square::ALL {
            prop_assert_eq!(unpacked[square as usize], board.piece_on(square), "{}", square);
        }
    }

    #[test]
    fn a_shard_keeps_its_games(games in prop::collection::vec(labelled_games(), 1..4)) {
        let header = ShardHeader {
            version: Version::NEWEST,
            net: [7; 32],
            seed: 3,
            first_game: 0,
            options: options(std::path::Path::new("."), 1).game,
            engine: "laws".to_owned(),
        };
        let mut bytes = header.to_bytes();
        bytes.extend(encode_block(&games));
        let shard = Shard::from_bytes(bytes).unwrap();
        let read: Vec<_> = shard.blocks().map(|block| block.unwrap().decode().unwrap()).collect();
        prop_assert_eq!(read, [games]);
    }

    #[test]
    fn a_written_game_reads_the_same(game in games(), result in results()) {
        let start = game.start();
        let mut tags = pgn::Tags::default();
        tags.set("White", r#"A "quoted" \ name"#);
        if game.is_chess960() {
            tags.set("Variant", "Chess960");
            tags.set("SetUp", "1");
            tags.set("FEN", &start.fen(FenStyle::Shredder));
        }
        let moves = game.moves().into_iter().map(|mv| GameMove::new(Some(mv))).collect();
        let line = pgn::PgnLine { comments: vec!["begins".to_owned()], moves };
        let written =
            pgn::PgnGame { number: 1, tags, start, line, result, notes: Vec::new(), cut: None };
        let text = written.to_string();
        let read: Vec<_> = pgn::Reader::new(text.as_bytes()).collect();
        let [Ok(read)] = &read[..] else { panic!("{text}") };
        prop_assert_eq!(&read.line, &written.line);
        prop_assert_eq!((&read.tags, read.result), (&written.tags, written.result));
        prop_assert_eq!(read.to_string(), text);
    }
}

fn results() -> impl Strategy<Value = Option<GameResult>> {
    prop::option::of(select(&GameResult::ALL[..]))
}

/// Returns games of self-play with labels at some plies, and labels from inside their searches.
fn labelled_games() -> impl Strategy<Value = Game> {
    let scores = prop::collection::vec(prop::option::of(-32_000..=32_000_i32), PLIES);
    let paths = prop::collection::vec(
        (any::<Index>(), prop::collection::vec(any::<Index>(), 2..6), -32_000..=32_000_i32),
        0..8,
    );
    let verdict = (select(&GameResult::ALL[..]), select(&Ending::ALL[..]))
        .prop_map(|(result, ending)| Verdict { result, ending });
    (games(), 0..10_usize, scores, paths, verdict).prop_map(
        |(drawn, random, scores, paths, verdict)| {
            let mut moves = drawn.moves();
            let later = moves.split_off(random.min(moves.len()));
            let with_score =
                |(mv, score): (Move, &Option<i32>)| Ply { mv, score: score.map(Score) };
            let plies: Vec<Ply> = later.into_iter().zip(&scores).map(with_score).collect();
            let back_ranks = drawn.back_ranks;
            let mut game =
                Game { back_ranks, opening: moves, plies, interior: Vec::new(), verdict };
            game.interior = interior_labels(&game, &paths);
            game
        },
    )
}

/// Returns a label for each path whose ply is one and whose moves exist.
fn interior_labels(game: &Game, paths: &[(Index, Vec<Index>, i32)]) -> Vec<Interior> {
    let mut labels: Vec<Interior> = Vec::new();
    let mut ply = 0;
    game.replay(|board, _, played_ply| {
        for (at, choices, score) in paths {
            if played_ply.score.is_some() && at.index(game.plies.len()) == ply {
                let mut path = played(&mut board.clone(), choices);
                if let Some(mv) = path.pop()
                    && !path.is_empty()
                {
                    labels.push(Interior { ply, path, mv, score: Score(*score) });
                }
            }
        }
        ply += 1;
    });
    labels
}
