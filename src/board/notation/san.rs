//! Standard algebraic notation (SAN).
//!
//! Source: <https://www.chessprogramming.org/Algebraic_Chess_Notation>

use std::borrow::Cow;

use thiserror::Error;

use crate::board::Board;
use crate::text::brief;
use crate::types::{CastlingSide, File, Move, PieceType, Rank, Square};

/// Reason why a text is not a move of the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SanError {
    /// The text is not in algebraic notation.
    #[error("'{}' is not a move", brief(.0))]
    NotAMove(String),
    /// No legal move fits the text.
    #[error("'{}' is not a legal move", brief(.0))]
    Illegal(String),
    /// A pawn reaches the last rank, but the text names no piece.
    #[error(
        "'{}' needs a piece to promote to, for example {}=Q",
        brief(.0),
        brief(without_marks(.0))
    )]
    NoPromotion(String),
    /// Several legal moves fit the text.
    #[error("'{}' is ambiguous: {}", brief(.text), .choices.join(" or "))]
    Ambiguous {
        /// Text as given.
        text: String,
        /// The moves in SAN.
        choices: Vec<String>,
    },
}

/// A move in SAN other than castling. Parts that are left out fit every move.
struct Pattern {
    piece_type: PieceType,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<PieceType>,
}

impl Board {
    /// Returns a legal move in SAN, with `+` for check or `#` for mate.
    ///
    /// ```
    /// use tabia::board::Board;
    ///
    /// let board = Board::startpos();
    /// let mv = board.parse_san("Nf3").expect("a legal move");
    /// assert_eq!(board.san(mv), "Nf3");
    /// ```
    pub fn san(&self, mv: Move) -> String {
        let mut text = if mv.is_castling() {
            match mv.castling_side() {
                CastlingSide::King => "O-O".to_owned(),
                CastlingSide::Queen => "O-O-O".to_owned(),
            }
        } else {
            self.san_without_check(mv)
        };
        if self.gives_check(mv) {
            let mut after = self.without_history();
            after.make_move(mv);
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn san_without_check(&self, mv: Move) -> String {
        let kind = self.moved_piece(mv).piece_type();
        let mut text = String::new();
        if kind == PieceType::Pawn {
            if mv.is_capture() {
                text.push(mv.from().file().letter());
            }
        } else {
            text.push(kind.letter().to_ascii_uppercase());
            text.push_str(&self.san_origin(mv, kind));
        }
        if mv.is_capture() {
            text.push('x');
        }
        text.push_str(&mv.to().to_string());
        if let Some(promotion) = mv.promotion() {
            text.push('=');
            text.push(promotion.letter().to_ascii_uppercase());
        }
        text
    }

    /// Returns the disambiguation: nothing, file, rank or both.
    fn san_origin(&self, mv: Move, kind: PieceType) -> String {
        let from = mv.from();
        let rivals: Vec<Square> = self
            .legal_moves()
            .into_iter()
            .filter(|other| !other.is_castling() && other.to() == mv.to() && other.from() != from)
            .filter(|&other| self.moved_piece(other).piece_type() == kind)
            .map(Move::from)
            .collect();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|rival| rival.file() != from.file()) {
            from.file().letter().to_string()
        } else if rivals.iter().all(|rival| rival.rank() != from.rank()) {
            (from.rank() as u8 + 1).to_string()
        } else {
            from.to_string()
        }
    }

    /// Parses a legal move in SAN, UCI notation or another common spelling: `e2-e4`, `Ng1f3`,
    /// `Ke1-g1`, `e8Q`, `e8(Q)`, `exd6 e.p.`, `0-0`, `nf3`, `♘f3`. Signs and words of check and
    /// mate and annotation marks are ignored.
    ///
    /// # Errors
    /// If the text does not name exactly one legal move.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let plain = plain_signs(text);
        let word = without_marks(&plain);
        if let Some(mv) = self.parse_move(word) {
            return Ok(mv);
        }
        if let Some(side) = parse_castling(word) {
            let legal = self.legal_moves();
            let castling = |mv: &&Move| mv.is_castling() && mv.castling_side() == side;
            return legal.iter().find(castling).copied().ok_or(SanError::Illegal(text.to_owned()));
        }
        let pattern = Pattern::parse(word).ok_or_else(|| SanError::NotAMove(text.to_owned()))?;
        let found = self.find_by_pattern(&pattern, text);
        // The king castles in long notation, `Ke1-g1`.
        let castling = || {
            let from = pattern.king_square()?;
            self.parse_move(&format!("{from}{}", pattern.to)).filter(|mv| mv.is_castling())
        };
        found.or_else(|error| castling().ok_or(error))
    }

    fn find_by_pattern(&self, pattern: &Pattern, text: &str) -> Result<Move, SanError> {
        let legal = self.legal_moves();
        let fitting: Vec<Move> = legal
            .into_iter()
            .filter(|&mv| pattern.fits(mv, self.moved_piece(mv).piece_type()))
            .collect();
        let promotes = |mv: &Move| mv.promotion() == pattern.promotion;
        let text = text.to_owned();
        match fitting.iter().copied().filter(promotes).collect::<Vec<_>>()[..] {
            [mv] => Ok(mv),
            [] if pattern.promotion.is_none() && !fitting.is_empty() => {
                Err(SanError::NoPromotion(text))
            }
            [] => Err(SanError::Illegal(text)),
            ref several => {
                let choices = several.iter().map(|&mv| self.san(mv)).collect();
                Err(SanError::Ambiguous { text, choices })
            }
        }
    }
}

impl Pattern {
    /// Parses `[piece][file][rank][x]square[promotion]`.
    fn parse(word: &str) -> Option<Self> {
        let (word, promotion) = split_promotion(word);
        let at = word.len().checked_sub(2)?;
        let mut origin = word.get(..at)?;
        let to = Square::parse(word.get(at..)?)?;
        let mut piece_type = PieceType::Pawn;
        // A lower-case `b` is a file, not a bishop.
        if let Some(letter) = origin.chars().next().filter(|letter| "PNBRQKnrqk".contains(*letter))
        {
            piece_type = PieceType::from_letter(letter.to_ascii_lowercase())?;
            origin = &origin[1..];
        }
        origin = origin.strip_suffix(['x', '-', ':']).unwrap_or(origin);
        let mut file = None;
        let mut rank = None;
        for letter in origin.chars() {
            match letter {
                'a'..='h' if file.is_none() && rank.is_none() => {
                    file = File::from_index(letter as usize - 'a' as usize);
                }
                '1'..='8' if rank.is_none() => {
                    rank = Rank::from_index(letter as usize - '1' as usize);
                }
                _ => return None,
            }
        }
        if piece_type == PieceType::Pawn {
            // A pawn without a file does not capture.
            file = file.or(Some(to.file()));
        } else if promotion.is_some() {
            return None;
        }
        Some(Self { piece_type, file, rank, to, promotion })
    }

    /// Returns the origin of a king's move in long notation.
    fn king_square(&self) -> Option<Square> {
        (self.piece_type == PieceType::King).then_some(Square::new(self.file?, self.rank?))
    }

    /// Returns whether a move fits, except for its promotion.
    fn fits(&self, mv: Move, piece_type: PieceType) -> bool {
        let from = mv.from();
        piece_type == self.piece_type
            && mv.to() == self.to
            && !mv.is_castling()
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
    }
}

/// Replaces figurines, dashes and crosses of books, and letters of other alphabets that look like
/// the `O` of castling, by the signs of SAN.
pub(crate) fn plain_signs(text: &str) -> Cow<'_, str> {
    let plain = |letter| match letter {
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        '♙' | '♟' => Some('P'),
        // Greek and Cyrillic.
        'Ο' | 'ο' | 'О' | 'о' => Some('O'),
        '\u{2010}'..='\u{2015}' | '−' => Some('-'),
        '×' => Some('x'),
        '†' | '‡' => Some('+'),
        // Figurines as text or as emoji.
        '\u{fe0e}' | '\u{fe0f}' => None,
        _ => Some(letter),
    };
    if text.is_ascii() { text.into() } else { text.chars().filter_map(plain).collect() }
}

/// Removes trailing signs and words of check, mate, en passant and annotation: all signs but a
/// comma and the parenthesis of a promotion.
fn without_marks(text: &str) -> &str {
    const WORDS: [&str; 6] = ["e.p", "ep", "ch", "Ch", "mate", "Mate"];
    let is_mark = |letter: char| !letter.is_alphanumeric() && !matches!(letter, ')' | ',');
    let word = text.trim_end_matches(is_mark);
    match WORDS.iter().find_map(|mark| word.strip_suffix(mark)) {
        Some(rest) => without_marks(rest),
        None => word,
    }
}

/// Returns the side of castling; `None` for other moves.
fn parse_castling(word: &str) -> Option<CastlingSide> {
    match word {
        "O-O" | "0-0" | "o-o" | "OO" | "00" => Some(CastlingSide::King),
        "O-O-O" | "0-0-0" | "o-o-o" | "OOO" | "000" => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// Splits off the promotion: `=Q`, `(Q)`, `/Q` or `Q`.
fn split_promotion(word: &str) -> (&str, Option<PieceType>) {
    let inner = word.strip_suffix(')').unwrap_or(word);
    let Some(letter) = inner.chars().last().filter(|letter| "QRBNqrbn".contains(*letter)) else {
        return (word, None);
    };
    let before = &inner[..inner.len() - 1];
    let rest = before.trim_end_matches(['=', '(', '/']);
    (rest, PieceType::from_letter(letter.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three knights that reach d2, a promotion, and a pawn that captures en passant.
    const KNIGHTS: &str = "7k/4P3/8/2pP4/8/1N6/8/KN3N2 w - c6 0 1";
    const CASTLING: &str = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";

    fn board(fen: &str) -> Board {
        Board::from_fen(fen).expect("a position")
    }

    fn all(fen: &str) -> Vec<String> {
        let board = board(fen);
        let mut texts: Vec<_> = board.legal_moves().iter().map(|&mv| board.san(mv)).collect();
        texts.sort();
        texts
    }

    #[test]
    fn ambiguous_moves_name_their_origin() {
        let texts = all("3k4/8/8/8/8/8/R6R/R3K2R w KQ - 0 1");
        for text in ["O-O", "O-O-O+", "Rad2+", "Rhd2+", "Rab2", "Ke2"] {
            assert!(texts.contains(&text.to_owned()), "{text} in {texts:?}");
        }
        let texts = all(KNIGHTS);
        for text in ["dxc6", "e8=Q+", "e8=N", "Nfd2", "Nb1d2", "N3d2", "Nd2", "Nxc5", "Ka2"] {
            let is_there = text != "Nd2";
            assert_eq!(texts.contains(&text.to_owned()), is_there, "{text} in {texts:?}");
        }
        assert!(all("7k/8/5KQ1/8/8/8/8/8 w - - 0 1").contains(&"Qg7#".to_owned()));
    }

    #[test]
    fn other_spellings_are_understood() {
        let cases = [
            (KNIGHTS, "dxc6", "dxc6e.p. dxc6ep d5xc6 d5-c6 dc6 d5c6"),
            (KNIGHTS, "e8=Q+", "e8Q e8=Q e8(Q) e8/Q+ e8q e7e8q e7-e8=Q!! e8=♕ e8♛+ e8(♕) e8=(Q)"),
            (KNIGHTS, "Nxc5", "Nc5 N:c5 Nb3xc5 n3xc5 nxc5!? b3c5 ♘×c5 ♞3c5"),
            (CASTLING, "O-O", "0-0 o-o OO O-O!? e1g1 e1h1 Ke1-g1 Ke1g1 O–O 0—0 О-О о‑о О−Оch"),
            (CASTLING, "O-O-O", "0-0-0 O-O-O+? e1c1 e1a1 Ke1-c1 0–0–0 О-О-О"),
            (
                CASTLING,
                "Rf1",
                "♖f1 ♜h1–f1 ♖\u{fe0e}f1† R×f1‡!? Rf1ch. Rf1Mate! Rf1++ Rf1± Rf1+- Rf1□ Rf1:",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "e4",
                "e4 e2e4 e2-e4 Pe4 e4?!",
            ),
            ("4k3/8/8/3b4/8/8/1p6/R3K3 b - - 0 1", "bxa1=Q+", "bxa1=Q b2a1q ba1Q"),
        ];
        for (fen, san, spellings) in cases {
            let board = board(fen);
            for spelling in spellings.split(' ') {
                let mv = board.parse_san(spelling);
                assert_eq!(mv.map(|mv| board.san(mv)), Ok(san.to_owned()), "{spelling}");
            }
        }
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let knights = board(KNIGHTS);
        for (text, message) in [
            ("Nd2", "'Nd2' is ambiguous: Nb1d2 or Nfd2 or N3d2"),
            ("e8", "'e8' needs a piece to promote to, for example e8=Q"),
            ("e8+", "'e8+' needs a piece to promote to, for example e8=Q"),
            ("e8=K", "'e8=K' is not a move"),
            ("Qh5", "'Qh5' is not a legal move"),
            ("O-O", "'O-O' is not a legal move"),
            ("Ka1-c1", "'Ka1-c1' is not a legal move"),
            ("mate", "'mate' is not a move"),
            ("Qz9", "'Qz9' is not a move"),
            ("Nd2=Q", "'Nd2=Q' is not a move"),
            ("", "'' is not a move"),
            ("é4", "'é4' is not a move"),
            ("Na1b2c3d4", "'Na1b2c3d4' is not a move"),
        ] {
            assert_eq!(knights.parse_san(text).expect_err(text).to_string(), message);
        }
    }

    #[test]
    fn castling_by_the_side_of_the_rook_in_chess960() {
        // The king on f1 castles with the rooks on e1 and g1.
        let board = board("k7/8/8/8/8/8/8/4RKR1 w GE - 0 1");
        for (text, to) in [("O-O", Square::G1), ("O-O-O", Square::E1)] {
            let mv = board.parse_san(text).expect("legal");
            assert!(mv.is_castling() && mv.to() == to && board.san(mv).starts_with(text));
        }
    }
}
