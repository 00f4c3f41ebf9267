//! The game on the board: its moves, its end, its PGN.

use std::path::PathBuf;

use crate::board::{Board, FenNote, GameResult, numbered_line};
use crate::engine::protocol::PositionCommand;
use crate::openings::{self, Opening};
use crate::pgn::{PgnGame, Tags, without_number};
use crate::types::Move;

use super::calendar::today;

pub(super) struct PlayedGame {
    start: Board,
    board: Board,
    moves: Vec<Move>,
    /// Number of moves of both sides before [`Self::begin_here`].
    plies_before: usize,
    /// Date of its start, as in PGN.
    pub(super) date: String,
    /// Tags of a game that was loaded.
    pub(super) tags: Option<Tags>,
    /// File of the last `save`, and what it wrote there.
    pub(super) saved: Option<(PathBuf, String)>,
}

impl PlayedGame {
    pub(super) fn new(start: Board) -> Self {
        Self {
            board: start.clone(),
            start,
            moves: Vec::new(),
            plies_before: 0,
            date: today(),
            tags: None,
            saved: None,
        }
    }

    /// Makes this the start of another game: the moves stay, its date, tags and file do not.
    pub(super) fn begin_here(&mut self) {
        self.plies_before = self.moves.len();
        self.date = today();
        self.tags = None;
        self.saved = None;
    }

    /// Sets up a position and plays its moves, which may be SAN with move numbers. Returns the
    /// corrections of its FEN too, or what is wrong.
    pub(super) fn set_up(position: &PositionCommand) -> Result<(Self, Vec<FenNote>), String> {
        let (start, notes) = position.start.board()?;
        let mut game = Self::new(start);
        let words = position.moves.iter().map(|word| without_number(word));
        for word in words.filter(|word| !word.is_empty()) {
            let mv = game.board.parse_san(word);
            game.play(mv.map_err(|error| format!("ply {}: {error}", game.moves.len() + 1))?);
        }
        Ok((game, notes))
    }

    /// Returns a move in UCI notation. Text that is no legal move stays, for the engine to reject.
    pub(super) fn uci_move(&self, text: String) -> String {
        self.board.parse_san(&text).map_or(text, |mv| mv.display(true).to_string())
    }

    /// Returns the position with the moves before it.
    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the last opening that the game passes through.
    pub(super) fn opening(&self) -> Option<&'static Opening> {
        openings::of_game(&self.start, self.moves.iter().copied().map(Some))
    }

    /// Returns the number of moves of both sides.
    pub(super) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Returns the number of moves of both sides without those before [`Self::begin_here`].
    pub(super) fn plies_since_beginning(&self) -> usize {
        self.moves.len() - self.plies_before
    }

    pub(super) fn last_move(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    /// Plays a legal move and returns it as `12... Qd8`.
    pub(super) fn play(&mut self, mv: Move) -> String {
        let text = numbered_line(&self.board, &[mv]);
        self.board.make_move(mv);
        self.moves.push(mv);
        text
    }

    /// Takes the last move back. Returns false without one.
    pub(super) fn take_back(&mut self) -> bool {
        let has_move = self.moves.pop().is_some();
        if has_move {
            self.board.unmake_move();
            self.plies_before = self.plies_before.min(self.moves.len());
        }
        has_move
    }

    /// Returns the result with its reason, if the game has ended by the rules.
    pub(super) fn end(&self) -> Option<(GameResult, &'static str)> {
        let outcome = self.board.outcome()?;
        Some((outcome.result, outcome.termination.reason()))
    }

    pub(super) fn pgn(&self, tags: Tags, result: Option<GameResult>) -> PgnGame {
        PgnGame::played(self.start.clone(), &self.moves, tags, result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::protocol::Start;

    #[test]
    fn positions_are_set_up_with_moves_in_san() {
        let set_up = |start: Start, moves: &str| {
            let moves = moves.split_whitespace().map(str::to_owned).collect();
            PlayedGame::set_up(&PositionCommand { start, moves }).map(|(game, _)| game)
        };
        let mut game = set_up(Start::Startpos, "1. e4 e7e5 2.Nf3 Nc6").expect("legal");
        assert_eq!(game.uci_move("Bc4".to_owned()), "f1c4");
        assert_eq!(game.uci_move("Bc5".to_owned()), "Bc5");
        assert!((0..4).all(|_| game.take_back()) && !game.take_back());
        let error = |start, moves| set_up(start, moves).err().unwrap_or_default();
        assert_eq!(error(Start::Startpos, "e4 e5 Ke3"), "ply 3: 'Ke3' is not a legal move");
        assert!(error(Start::Fen("8/8".to_owned()), "").starts_with("bad FEN: "));
    }

    #[test]
    fn moves_before_the_beginning_of_a_game_are_not_counted() {
        let play = |game: &mut PlayedGame, san: &str| {
            let mv = game.board.parse_san(san).expect("legal");
            game.play(mv);
        };
        let mut game = PlayedGame::new(Board::startpos());
        play(&mut game, "e4");
        assert_eq!(game.plies_since_beginning(), 1);
        game.begin_here();
        assert_eq!(game.plies_since_beginning(), 0);
        play(&mut game, "e5");
        assert_eq!((game.plies(), game.plies_since_beginning()), (2, 1));
        // The move before the beginning is taken back too, so the game begins earlier.
        assert!((0..2).all(|_| game.take_back()));
        play(&mut game, "d4");
        assert_eq!((game.plies(), game.plies_since_beginning()), (1, 1));
    }

    #[test]
    fn the_pgn_has_its_start_position() {
        let pgn = |start| PlayedGame::new(start).pgn(Tags::default(), None).to_string();
        assert_eq!(pgn(Board::startpos()), "[Result \"*\"]\n\n*\n");
        let text = pgn(Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("legal"));
        assert!(text.contains("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]"), "{text}");
        assert!(!text.contains("Chess960"), "{text}");
        let text = pgn(Board::from_fen("4k3/8/8/8/8/8/8/4KR2 w F - 0 1").expect("legal"));
        assert!(text.contains("[Variant \"Chess960\"]"), "{text}");
    }
}
