//! A game with its variations as a list of moves, each with the number of the move before it.

use serde::{Deserialize, Serialize};

use crate::board::{Board, FenStyle};
use crate::pgn::{GameMove, MAX_NESTING, PgnGame, PgnLine, Tags, parse_result, result_text};

use super::last_position::{Moves, parse_move, start_position, uci_text};

#[derive(Serialize, Deserialize)]
pub(super) struct GameTree {
    tags: Vec<(String, String)>,
    /// Start position, empty for the usual one.
    fen: String,
    result: String,
    /// Comments before the first move.
    comments: Vec<String>,
    /// Every move comes after the one that it follows.
    moves: Vec<TreeMove>,
}

#[derive(Serialize, Deserialize, Default)]
struct TreeMove {
    /// Number of the move before, from 1 in the order of the list; 0 for the start position. Of the
    /// moves with the same number, the first one belongs to the line and begins no variation.
    parent: usize,
    /// `0000` for a null move.
    uci: String,
    #[serde(default)]
    san: String,
    #[serde(default)]
    nags: Vec<u16>,
    #[serde(default)]
    comments: Vec<String>,
    /// Comments before the first move of a variation.
    #[serde(default)]
    before: Vec<String>,
}

impl GameTree {
    pub(super) fn of(game: &PgnGame) -> Self {
        let fen = game.start.fen(FenStyle::Standard);
        let is_usual = fen == Board::startpos().fen(FenStyle::Standard);
        let mut tree = Self {
            tags: game
                .tags
                .iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            fen: if is_usual { String::new() } else { fen },
            result: result_text(game.result).to_owned(),
            comments: game.line.comments.clone(),
            moves: Vec::new(),
        };
        tree.add_line(&game.line, 0, &mut game.start.clone());
        tree
    }

    /// Makes the tree of a game without variations. Its result is that of the tag.
    pub(super) fn of_moves(game: Moves, tags: Vec<(String, String)>) -> Self {
        let result = tags.iter().find(|(name, _)| name == "Result");
        let result = result.map_or_else(String::new, |(_, value)| value.clone());
        let tree_move = |(parent, uci)| TreeMove { parent, uci, ..TreeMove::default() };
        let moves = game.moves.into_iter().enumerate().map(tree_move).collect();
        Self { tags, fen: game.fen, result, comments: Vec::new(), moves }
    }

    pub(super) fn fen(&self) -> String {
        let start = Board::startpos().fen(FenStyle::Standard);
        if self.fen.is_empty() { start } else { self.fen.clone() }
    }

    pub(super) fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// Adds a line that follows the move number `parent`, from the position after it, which is
    /// restored.
    fn add_line(&mut self, line: &PgnLine, mut parent: usize, board: &mut Board) {
        for (index, played) in line.moves.iter().enumerate() {
            let is_variation = index == 0 && (parent != 0 || !self.moves.is_empty());
            self.moves.push(TreeMove {
                parent,
                uci: uci_text(played.mv),
                san: played.san(board),
                nags: played.nags.clone(),
                comments: played.comments.clone(),
                before: if is_variation { line.comments.clone() } else { Vec::new() },
            });
            let number = self.moves.len();
            played.variations.iter().for_each(|variation| self.add_line(variation, parent, board));
            parent = number;
            board.make_move_or_null(played.mv);
        }
        line.moves.iter().for_each(|_| board.unmake_move());
    }

    /// Returns the game. Its result is that of the last position, if the game has ended there, else
    /// the stated one.
    pub(super) fn game(&self) -> Result<PgnGame, String> {
        let start = start_position(&self.fen)?;
        let mut children = vec![Vec::new(); self.moves.len() + 1];
        for (index, played) in self.moves.iter().enumerate() {
            let number = index + 1;
            if played.parent >= number {
                return Err(format!("move {number} follows move {}", played.parent));
            }
            children[played.parent].push(number);
        }
        let tags = checked_tags(&self.tags)?;
        let mut board = start.clone();
        let mut line = self.line(&children, &children[0], 0, &mut board)?;
        line.comments.clone_from(&self.comments);
        let stated = parse_result(&self.result).flatten();
        let result = board.outcome().map(|outcome| outcome.result).or(stated);
        let mut game = PgnGame::played(start, &[], tags, result);
        game.line = line;
        Ok(game)
    }

    /// Returns the line that begins with the first of some moves, whose variations are the others.
    /// It is nested `depth` deep. The board goes to its end.
    fn line<'a>(
        &self,
        children: &'a [Vec<usize>],
        mut next: &'a [usize],
        depth: usize,
        board: &mut Board,
    ) -> Result<PgnLine, String> {
        if depth > MAX_NESTING {
            return Err(format!("variations are nested more than {MAX_NESTING} deep"));
        }
        let mut line = PgnLine::default();
        while let [first, others @ ..] = next {
            let tree_move = &self.moves[first - 1];
            let mut played = GameMove::new(None);
            played.nags.clone_from(&tree_move.nags);
            played.comments.clone_from(&tree_move.comments);
            for other in others {
                let other_line = std::slice::from_ref(other);
                let mut variation =
                    self.line(children, other_line, depth + 1, &mut board.clone())?;
                variation.comments.clone_from(&self.moves[other - 1].before);
                played.variations.push(variation);
            }
            played.mv = parse_move(board, &tree_move.uci)?;
            board.make_move_or_null(played.mv);
            line.moves.push(played);
            next = &children[*first];
        }
        Ok(line)
    }
}

fn checked_tags(pairs: &[(String, String)]) -> Result<Tags, String> {
    let mut tags = Tags::default();
    for (name, value) in pairs {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(format!("'{name}' is no name of a tag: only letters, digits and _ are"));
        }
        tags.set(name, value);
    }
    Ok(tags)
}
