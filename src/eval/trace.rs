//! Breakdown of an evaluation by pieces, for the command `eval`.

use std::fmt;

use crate::board::Board;
use crate::text::percent;
use crate::types::{Color, File, PieceType, Rank, Score, Square, SquareMap};

use super::chances::{Chances, normalised, pawns};
use super::endings;
use super::network::{self, Network, SHAPE};

/// Evaluation of a position and the contribution of each piece, from White's point of view.
#[derive(Clone, Debug)]
pub struct EvalTrace {
    /// Letter of the piece, and score with it minus score without it (none for kings).
    squares: SquareMap<Option<(char, Option<Score>)>>,
    bucket: Option<usize>,
    /// True if the total is that of a won ending.
    is_ending: bool,
    /// True if the total is the draw by stalemate of a bare king.
    is_stalemate: bool,
    total: Score,
    chances: Chances,
}

impl EvalTrace {
    /// Evaluates a position with and without each piece.
    pub fn new(network: &Network, board: &Board) -> Self {
        let is_white = board.side_to_move() == Color::White;
        let white = |score: Score| if is_white { score } else { -score };
        let whole = white(network.evaluate(board));
        let contribution = |square| whole - white(network.evaluate_without(board, Some(square)));
        let ending = endings::evaluate(board).map(white);
        let total = ending.unwrap_or(whole);
        let describe = |square| {
            board.piece_on(square).map(|piece| {
                let is_king = piece.piece_type() == PieceType::King;
                (piece.letter(), (!is_king).then(|| contribution(square)))
            })
        };
        Self {
            squares: SquareMap::new(Square::ALL.map(describe)),
            bucket: (SHAPE.buckets > 1).then(|| network::output_bucket(board)),
            is_ending: ending.is_some_and(endings::is_known),
            is_stalemate: ending == Some(Score::DRAW),
            total,
            chances: Chances::of(total, board),
        }
    }

    /// Returns the evaluation in hundredths of a pawn, before normalisation.
    pub fn total(&self) -> Score {
        self.total
    }

    /// Returns the chances of White.
    pub fn chances(&self) -> Chances {
        self.chances
    }

    /// Returns whether the total is that of a won ending, not of the network or a stalemate.
    pub fn is_ending(&self) -> bool {
        self.is_ending
    }

    /// Returns the contribution of the piece on a square, in units of [`total`](Self::total). Kings
    /// have none.
    pub fn contribution(&self, square: Square) -> Option<Score> {
        self.squares[square].and_then(|(_, contribution)| contribution)
    }
}

impl fmt::Display for EvalTrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edge = format!("+{}", "-------+".repeat(8));
        writeln!(f, "{edge}")?;
        for rank in Rank::ALL.into_iter().rev() {
            let squares = File::ALL.map(|file| self.squares[Square::new(file, rank)]);
            for content in squares {
                write!(f, "|{:^7}", content.map_or(' ', |(letter, _)| letter))?;
            }
            writeln!(f, "| {}", rank as u8 + 1)?;
            for content in squares {
                let contribution = content.and_then(|(_, contribution)| contribution);
                write!(
                    f,
                    "|{:^7}",
                    contribution.map(|score| pawns(normalised(score))).unwrap_or_default()
                )?;
            }
            writeln!(f, "|\n{edge}")?;
        }
        writeln!(f, "    {}\n", File::ALL.map(|file| file.letter().to_string()).join("       "))?;
        writeln!(
            f,
            "Below each piece: the score with it minus the score without it, White's view"
        )?;
        if let Some(bucket) = self.bucket {
            writeln!(f, "Bucket: {} of {}", bucket + 1, SHAPE.buckets)?;
        }
        if self.is_stalemate {
            writeln!(f, "Stalemate of the bare king: the draw replaces the network's score")?;
        }
        if self.is_ending {
            writeln!(f, "Won ending against a bare king: its score replaces the network's")?;
        }
        let [win, draw, loss] = [self.chances.win, self.chances.draw, self.chances.loss]
            .map(|permille| percent(f64::from(permille) / 1000.0));
        writeln!(f, "White wins {win}, draws {draw}, loses {loss}")?;
        let total = normalised(self.total);
        write!(f, "Total: {} for White, {}", pawns(total), words(total))
    }
}

/// Describes a normalised score.
fn words(score: Score) -> String {
    let side = if score >= Score::DRAW { "White" } else { "Black" };
    match score.0.abs() {
        ..30 => "about equal".to_owned(),
        30..80 => format!("{side} is slightly better"),
        80..200 => format!("{side} is much better"),
        200.. => format!("{side} is winning"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_lines(fen: &str) -> String {
        let board = Board::from_fen(fen).expect("legal");
        let text = EvalTrace::new(&Network::embedded(), &board).to_string();
        let (_, summary) = text.split_once("White's view\n").expect("the explanation");
        summary.to_owned()
    }

    #[test]
    fn the_summary_is_whites_view_whoever_is_to_move() {
        for side in ["w", "b"] {
            let text = last_lines(&format!("3qk3/pppppppp/8/8/8/8/PPPPPPPP/4K3 {side} - - 0 1"));
            let lines: Vec<&str> = text.lines().collect();
            let [.., chances, total] = lines[..] else { panic!("{text}") };
            assert!(chances.starts_with("White wins 0.0 %"), "{text}");
            assert!(total.starts_with("Total: -"), "{text}");
            assert!(total.ends_with(" for White, Black is winning"), "{text}");
        }
        let text = last_lines("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1");
        assert!(text.contains("Won ending against a bare king"), "{text}");
        assert!(text.contains("White wins 100.0 %"), "{text}");
        assert!(text.ends_with("Total: +99.99 for White, White is winning"), "{text}");
    }

    #[test]
    fn words_follow_the_score() {
        let texts = [0, -29, 30, -79, 199, -200].map(|score| words(Score(score)));
        assert_eq!(
            texts,
            [
                "about equal",
                "about equal",
                "White is slightly better",
                "Black is slightly better",
                "White is much better",
                "Black is winning"
            ]
        );
    }
}
